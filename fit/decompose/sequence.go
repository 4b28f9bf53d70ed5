package decompose

import (
	"context"
	"fmt"
	"slices"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/remodel"
)

// sequence is the input of a decomposition: the examples, and where in the clips of a model each frame is.
type sequence struct {
	m      *skinning.Model    // with a skin, whose morph targets show the sequence where no files do
	poses  *training.Poses    // the frames, all in clips
	locked []int              // the joints whose motions stay: the primary joints of x; none where the model had no skin
	free   []int              // the joints whose motions are found, parents before children
	x      *training.Examples // whose palettes are of the locked joints
	errors *metrics.Errors    // of the model's own weights, which others are measured beside
}

// newSequence poses the frames of a set. It returns ctx's error where ctx is done before.
func newSequence(ctx context.Context, m *skinning.Model, set *training.Set) (*sequence, error) {
	q := &sequence{m: remodel.BindRigid(m)}
	var err error
	if q.poses, err = set.Choose(q.m, nil); err != nil {
		return nil, err
	}
	if set.Open() || q.poses.Times == nil {
		return nil, fmt.Errorf("a decomposition has frames of clips: give one")
	}
	if q.m == m {
		if err = q.divide(set.Free); err != nil {
			return nil, err
		}
	}
	if q.x, err = q.poses.ExamplesUntil(ctx); err != nil {
		return nil, err
	}
	q.x.Rigged = nil // weights begin where clusters are
	for n, f := range q.x.Frames {
		q.x.Palettes[n] = nil
		for _, j := range q.locked {
			q.x.Palettes[n] = append(q.x.Palettes[n], f.Matrices[j])
		}
	}
	return q, q.x.Validate()
}

// divide divides the joints into locked ones and some that are free. A free joint above a locked joint in the hierarchy
// is an error: it would move the locked one.
func (q *sequence) divide(some []int) error {
	s := &q.m.Skeleton
	free := map[int]bool{}
	for _, j := range some {
		free[j] = true
	}
	carrier := make([]int, len(s.Nodes)) // the free joint at a node or above it, −1 for none
	at := make(map[int]int, len(free))   // by node
	for j := range s.Joints {
		if free[j] {
			at[s.Joints[j].Node] = j
		}
	}
	for _, n := range s.Order {
		carrier[n] = -1
		if j, ok := at[n]; ok {
			carrier[n] = j
			q.free = append(q.free, j)
		} else if p := s.Nodes[n].Parent; p >= 0 {
			carrier[n] = carrier[p]
		}
	}
	for j := range s.Joints {
		if slices.Contains(q.free, j) {
			continue
		}
		if k := carrier[s.Joints[j].Node]; k >= 0 {
			return fmt.Errorf("joint %q cannot be free: it carries %q, which is locked", s.Joints[k].Name, s.Joints[j].Name)
		}
		q.locked = append(q.locked, j)
	}
	return nil
}

// lockedNodes returns the number of locked joints as [skinning.Skeleton.JointNodes] counts them: two skins over the
// same bones count them once.
func (q *sequence) lockedNodes() int {
	locked := skinning.Skeleton{}
	for _, j := range q.locked {
		locked.Joints = append(locked.Joints, q.m.Skeleton.Joints[j])
	}
	return locked.JointNodes()
}

// percent returns the factor that converts an RMS error in metres to EE in percent.
func (q *sequence) percent(ctx context.Context) float64 {
	q.errors = metrics.NewErrors(q.m)
	e := q.measure(ctx, q.x.Model, q.errors)
	if !(e.RMS() > 0) {
		return 0
	}
	return e.EE() / (e.RMS() * q.m.Diagonal())
}

// measure adds a model, posed by its own clips, to e on all frames, and returns e. It is cut short where ctx is done.
func (q *sequence) measure(ctx context.Context, fitted *skinning.Model, e *metrics.Errors) *metrics.Errors {
	frame, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
	for n, at := range q.poses.Times {
		if ctx.Err() != nil {
			break
		}
		fitted.SamplePose(pose, at.Clip, at.Time)
		frame.SetPose(pose)
		e.Add(q.x.Targets[n], frame.Positions(skinning.LBS), q.x.Rest, q.x.Frames[n])
	}
	return e
}

// learnt returns a model with the clips that have frames alone.
func (q *sequence) learnt(m *skinning.Model) *skinning.Model {
	out := *m
	out.Clips = nil
	for c := range m.Clips {
		if len(q.framesOf(c)) > 0 {
			out.Clips = append(out.Clips, m.Clips[c])
		}
	}
	return &out
}

// unlearnt returns the names of the clips without frames, in which the bones have no motion.
func (q *sequence) unlearnt() (names []string) {
	for _, c := range training.OwnClips(q.m) {
		if len(q.framesOf(c)) == 0 {
			names = append(names, q.m.Clips[c].Name)
		}
	}
	return names
}

// lostMorphs returns the number of the skin's morph targets that the fitted model is without: those that no frame
// shows, and all where a method teaches. Where frames are given as shapes, it keeps them.
func (q *sequence) lostMorphs() int {
	lost := map[int]bool{} // by slot
	if q.poses.Targets == nil {
		for i := range q.m.Skin.Morphs {
			lost[q.m.Skin.Morphs[i].Slot] = true
		}
	}
	pose := q.m.NewPose()
	for _, at := range q.poses.Times {
		if q.poses.Taught {
			break
		}
		q.m.SamplePose(pose, at.Clip, at.Time)
		for slot, w := range pose.Morphs {
			if w != 0 {
				delete(lost, slot)
			}
		}
	}
	return len(lost)
}
