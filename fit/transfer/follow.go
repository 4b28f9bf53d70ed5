package transfer

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning/parallel"
)

const (
	// frameTurn is the standard deviation of the rotation of a limb between two frames, in radians. At 30 frames a
	// second it is 3 radians a second.
	frameTurn = 0.1
	// followSteps bounds the Levenberg-Marquardt steps of a frame.
	followSteps = 10
	// mostSteps bounds the coupled steps when all frames have been added. Steps end when one lowers the mean squared
	// distance by less than the share leastFall. The share is small, because points still slide to their places while
	// the distance hardly falls.
	mostSteps = 12
	leastFall = 0.0005
	// A frame is lost if its distance from the body exceeds both lostTimes the RMS distance of the frames so far and
	// the share lostShare of the body's diagonal.
	lostTimes = 5
	lostShare = 0.02
)

// order lists the frames from the start outwards, in both directions in turn. From has, for each, its neighbour on the
// side of the start.
func order(start, n int) (frames, from []int) {
	frames, from = []int{start}, []int{start}
	for k := 1; k < n; k++ {
		if start+k < n {
			frames, from = append(frames, start+k), append(from, start+k-1)
		}
		if start-k >= 0 {
			frames, from = append(frames, start-k), append(from, start-k+1)
		}
	}
	return frames, from
}

// followCommon adds one frame after another to the common correspondences, and returns the number of correspondences.
// When ctx ends, frames that were not reached get the pose of the last frame that was reached on their side.
func (t *transfer) followCommon(ctx context.Context, b *beginning) (correspondences int) {
	c := t.newCommon(t.posers[0], b)
	frames, from := order(b.frame, len(t.sequence.Frames))
	added := frames[:1:1] // without those that are lost
	for k, frame := range frames {
		if ctx.Err() != nil {
			t.leave(frames[k:], from[k:])
			return c.kept()
		}
		t.progress("adding frame", k, len(frames))
		if k == 0 {
			continue
		}
		pose, rms := t.add(c, frame, &t.poses[from[k]])
		t.lost[frame] = rms > max(lostTimes*c.rms, lostShare*t.size)
		if t.lost[frame] {
			t.poses[frame] = clonePose(&t.poses[from[k]])
			continue
		}
		t.poses[frame] = pose
		added = append(added, frame)
		if len(added)&(len(added)-1) == 0 {
			t.moveTogether(c, pick(added, spread(len(added), commonFrames)))
		}
	}
	some := pick(added, spread(len(added), commonFrames))
	for step := range mostSteps {
		t.progress("moving all frames, round", step, mostSteps)
		if ctx.Err() != nil || t.moveTogether(c, some) < leastFall {
			break
		}
	}
	t.poseAll(ctx, c, added)
	for k, frame := range frames { // lost ones have what their neighbours have got since
		if t.lost[frame] {
			t.poses[frame] = clonePose(&t.poses[from[k]])
		}
	}
	return c.kept()
}

// leave gives frames that are not reached the poses of their neighbours.
func (t *transfer) leave(frames, from []int) {
	for k, frame := range frames {
		if frame != from[k] {
			t.poses[frame] = clonePose(&t.poses[from[k]])
			t.left[frame] = true
		}
	}
}

// stiffness returns the weight of the term that holds limbs that few points determine. With this weight the minimum is
// the most probable pose, if distances have the variance of the correspondences' distances, and rotations that of
// [frameTurn].
func (c *common) stiffness() float64 {
	return c.rms * c.rms / 3 / float64(c.kept()) / (frameTurn * frameTurn)
}

// aim returns the objective of a frame's pose.
func (t *transfer) aim(c *common, frame int, prior *bodymodel.Pose) *aim {
	return &aim{pulls: c.pulls(t.sequence.frame(frame)), reach: max(2*lostTimes*c.rms, lostShare*t.size), prior: prior,
		stiffness: c.stiffness()}
}

// add fits the pose of a frame that differs from another by small turns of the limbs and a motion of the whole body,
// and returns the RMS distance of the correspondences, metres.
func (t *transfer) add(c *common, frame int, from *bodymodel.Pose) (pose bodymodel.Pose, rms float64) {
	s, a := t.posers[0], t.aim(c, frame, from)
	pose = clonePose(from)
	s.solve(a, &pose, followSteps)
	s.set(&pose)
	sum := 0.0
	for i := range a.pulls {
		d := s.place(&a.pulls[i].at).Sub(a.pulls[i].to)
		sum += a.pulls[i].weight * d.Dot(d)
	}
	return pose, math.Sqrt(sum)
}

// poseAll fits the poses of some frames to the correspondences, each pose separately.
func (t *transfer) poseAll(ctx context.Context, c *common, frames []int) {
	t.each(ctx, "posing frame", len(frames), func(w, i int) {
		pose := clonePose(&t.poses[frames[i]])
		t.posers[w].solve(t.aim(c, frames[i], &t.poses[frames[i]]), &pose, followSteps)
		t.poses[frames[i]] = pose
	})
}

// refine refines the correspondences by some frames, at most [commonFrames].
func (t *transfer) refine(c *common, frames []int) {
	shapes := make([][]mgl64.Vec3, len(frames))
	parallel.For(t.workers, len(frames), func(w, i int) {
		shapes[i] = make([]mgl64.Vec3, len(t.rig.body.Vertices))
		t.posers[w].set(&t.poses[frames[i]])
		t.posers[w].shape(shapes[i])
	})
	c.refine(frames, shapes, t)
}

// followNearest fits each frame to nearest points, from the pose of its neighbour. It ends on a done context as
// [transfer.followCommon] does.
func (t *transfer) followNearest(ctx context.Context, b *beginning) {
	frames, from := order(b.frame, len(t.sequence.Frames))
	s, rms := t.posers[0], math.Sqrt(b.cost)
	for k := 1; k < len(frames); k++ {
		if ctx.Err() != nil {
			t.leave(frames[k:], from[k:])
			return
		}
		t.progress("adding frame", k, len(frames))
		frame, target := frames[k], newTarget(t.sequence.frame(frames[k]), matchPoints)
		before := middle(t.sequence.frame(from[k]))
		shift := middle(target.frame).Sub(before)
		pose := clonePose(&t.poses[from[k]])
		pose.Place = pose.Place.Add(shift)
		cost := s.approach(ctx, target, &pose, nextFrame)
		t.lost[frame] = math.Sqrt(cost) > max(lostTimes*rms, lostShare*t.size)
		if t.lost[frame] {
			pose = clonePose(&t.poses[from[k]])
		}
		t.poses[frame] = pose
	}
}

// middle returns the mean of a frame's surface.
func middle(f *Frame) (mean mgl64.Vec3) {
	for v, w := range shareOut(vertexAreas(f.Positions, f.Triangles)) {
		mean = mean.Add(f.Positions[v].Mul(w))
	}
	return mean
}
