// Package transfer poses a rigged model, frame by frame, to a sequence of meshes of another topology (motion transfer;
// Fechteler, Hilsmann and Eisert 2016, EBM, section 5).
//
// The paper says: "fitting the kinematic shape model first to a CVSSP frame of similar pose. Then, one frame after
// another is added to the alignment process, which optimises the pose parameters independently for each frame, based on
// one common set of vertex correspondences." It does not say how; here
//
//  1. the frame of similar pose, and the pose, are given. Or they are found (start.go) by comparing profiles of frames
//     with those of the bind pose and of poses of the model's clips (profile.go), rigid alignments of both (align.go), a
//     search of the limbs (search.go), and a fit to nearest points whose normals agree, far and stiff at first (approach.go);
//  2. vertices of the sequence get the points of the body nearest to them there (common.go). Frames are added in both
//     directions, each from the pose of its neighbour (follow.go). Whenever their number has doubled, poses and points
//     are moved together (coupled.go): every vertex has the point of the body that is nearest to it over all frames.
//  3. When all frames have been added, the coupled step is repeated until it gains little. Then the pose of each frame
//     is fitted again.
//
// Frames of different topologies have no common vertices: each is fitted to nearest points, from the pose of its
// neighbour.
package transfer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/parallel"
)

// Options tune [Run]. The zero value is sound.
type Options struct {
	Linear  bool // the body is posed by linear blending, else by twist-swing
	Workers int  // 0 means GOMAXPROCS; the result does not depend on it
	// Start lists the frames in which the fit may begin, and Pose is the pose that one of them resembles. Where they
	// are nil, frames spread over the sequence are compared with the bind pose and with poses of the model's clips.
	Start []int
	Pose  *skinning.Pose
	// Progress receives the stage of the work and the number of its parts that are done; it may be nil. Its calls come
	// from several goroutines, but never overlap.
	Progress func(stage string, done, of int)
}

// Result is the poses of the body in the frames of a sequence.
type Result struct {
	Frames          []FrameFit
	Start           int     // the frame that was fitted first
	SameTopology    bool    // all frames have one topology, so that they had common correspondences
	Correspondences int     // those that counted; 0 without common ones
	RMS             float64 // of all frames that were fitted, metres
	Elapsed         time.Duration

	rig   *rig
	times []float64
}

// FrameFit is the fit of one frame.
type FrameFit struct {
	Name string
	Pose bodymodel.Pose
	// RMS is the root of the mean squared distance from points of the frame to the nearest of the body, metres, where
	// each counts for [farthest] of the body's diagonal at most.
	RMS  float64
	Lost bool // no part of the frame was near, so it has the pose of its neighbour
	Left bool // the run was cancelled before this frame, so it has the pose of its neighbour
}

// followed reports whether the frame was fitted.
func (f *FrameFit) followed() bool { return !f.Lost && !f.Left }

// Worst returns the frame of the largest RMS among those that were fitted.
func (r *Result) Worst() (frame int) {
	for i := range r.Frames {
		if f := &r.Frames[i]; f.followed() && (!r.Frames[frame].followed() || f.RMS > r.Frames[frame].RMS) {
			frame = i
		}
	}
	return frame
}

// Lost lists the frames that were not near to the body.
func (r *Result) Lost() (frames []int) {
	for i := range r.Frames {
		if r.Frames[i].Lost {
			frames = append(frames, i)
		}
	}
	return frames
}

// An RMS distance above the share poorShare of the body's diagonal is worth a warning. The distance of another person
// of similar build is smaller.
const poorShare = 0.01

// Warnings lists what is unusual about the result.
func (r *Result) Warnings() (all []string) {
	if len(r.Frames) == 1 {
		all = append(all, "the sequence has one frame: the clip is a pose")
	}
	if !r.SameTopology {
		all = append(all, "the frames differ in topology: each is fitted to nearest points, which may slide")
	}
	if lost := r.Lost(); len(lost) > 0 {
		all = append(all, fmt.Sprintf("%s not followed, as nothing of the body is near: %s first; the pose is that of the "+
			"frame beside", messages.Count(len(lost), "frame is", "frames are"), r.Frames[lost[0]].Name))
	}
	left := 0
	for i := range r.Frames {
		if r.Frames[i].Left {
			left++
		}
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("cancelled: %s not reached; the pose is that of the last frame that was",
			messages.Count(left, "frame is", "frames are")))
	}
	if size := diagonal(r.rig.body.Vertices); r.RMS > poorShare*size {
		all = append(all, fmt.Sprintf("the surfaces are %.3g of the body's diagonal apart: another shape, joints other than "+
			"the root that move, or no frame of like pose was found", r.RMS/size))
	}
	if shifts := r.rig.shifts(); shifts != "" {
		all = append(all, shifts)
	}
	return all
}

// transfer is a run.
type transfer struct {
	rig      *rig
	sequence *Sequence
	workers  int
	posers   []*poser // of each worker
	size     float64  // the diagonal of the body at rest, metres
	progress func(stage string, done, of int)
	poses    []bodymodel.Pose
	lost     []bool
	left     []bool
}

// Run poses a model's skin to a sequence in its units and axes. The place and the direction of the sequence do not
// matter. A done context ends it with the frames that were fitted so far, or with the context's error where there are
// none.
func Run(ctx context.Context, m *skinning.Model, s *Sequence, opt Options) (*Result, error) {
	start := time.Now()
	if err := s.Validate(); err != nil {
		return nil, err
	}
	r, err := newRig(m, opt.Linear)
	if err != nil {
		return nil, err
	}
	t := &transfer{rig: r, sequence: s, workers: opt.Workers, progress: opt.Progress,
		poses: make([]bodymodel.Pose, len(s.Frames)), lost: make([]bool, len(s.Frames)), left: make([]bool, len(s.Frames))}
	if t.workers <= 0 {
		t.workers = runtime.GOMAXPROCS(0)
	}
	if t.progress == nil {
		t.progress = func(string, int, int) {}
	}
	for range t.workers {
		t.posers = append(t.posers, newPoser(r))
	}
	t.size = diagonal(r.body.Vertices)
	b, err := t.start(ctx, &opt)
	if err != nil {
		return nil, err
	}
	t.poses[b.frame] = b.pose
	out := &Result{Start: b.frame, SameTopology: s.sameTopology(), rig: r, times: s.Times}
	if out.SameTopology {
		out.Correspondences = t.followCommon(ctx, b)
	} else {
		t.followNearest(ctx, b)
	}
	t.measure(ctx, out)
	out.Elapsed = time.Since(start)
	return out, nil
}

// each calls f for 0 to n−1 on the workers, and reports that as a stage. When ctx ends it leaves out the rest.
func (t *transfer) each(ctx context.Context, stage string, n int, f func(worker, i int)) {
	t.progress(stage, 0, n)
	var mu sync.Mutex
	done := 0
	parallel.For(t.workers, n, func(w, i int) {
		if ctx.Err() != nil {
			return
		}
		f(w, i)
		mu.Lock()
		defer mu.Unlock()
		done++
		t.progress(stage, done, n)
	})
}

// measure fills in the frames, also when ctx is done.
func (t *transfer) measure(ctx context.Context, out *Result) {
	out.Frames = make([]FrameFit, len(t.sequence.Frames))
	t.each(context.WithoutCancel(ctx), "measuring frame", len(out.Frames), func(w, i int) {
		f := t.sequence.frame(i)
		out.Frames[i] = FrameFit{Name: f.Name, Pose: t.poses[i], RMS: t.posers[w].distance(f, &t.poses[i]), Lost: t.lost[i],
			Left: t.left[i]}
	})
	sum, n := 0.0, 0
	for i := range out.Frames {
		if f := &out.Frames[i]; f.followed() {
			sum, n = sum+f.RMS*f.RMS, n+1
		}
	}
	out.RMS = math.Sqrt(sum / float64(max(n, 1)))
}

// distance returns the RMS distance from points of a frame to the body in a pose, see [FrameFit.RMS].
func (s *poser) distance(frame *Frame, pose *bodymodel.Pose) float64 {
	f := s.pose(pose)
	size := diagonal(s.body.Vertices)
	most := math.Pow(farthest*size, 2)
	chosen := sample(vertexAreas(frame.Positions, frame.Triangles), matchPoints)
	sum := 0.0
	for _, v := range chosen {
		_, d, _ := f.tree.nearest(frame.Positions[v], mgl64.Vec3{}, 0, most)
		sum += d
	}
	return math.Sqrt(sum / float64(len(chosen)))
}
