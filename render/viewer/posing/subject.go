// Package posing is a model that is posed, and what a person changes of its pose by hand: free of windows and OpenGL.
//
// A [Subject] is brought to an [Instant]: a clip, a time, and the [Edits] that a person lays over what the clip says
// there. [Skeleton] lists the joints as a person sees and picks them.
package posing

import (
	"skinlab/skinning"
)

// Subject is a model with a pose and the frame that it makes.
type Subject struct {
	Model *skinning.Model
	Pose  *skinning.Pose
	Frame *skinning.Frame
	At    Instant // what the frame holds

	// From tells for each node which of the edited model's it is, −1 for none; nil where this is that model.
	From []int
	over *Edits // laid over the clip's pose; nil for none
}

// NewSubject makes a pose and a frame of a model, without its first instant.
func NewSubject(m *skinning.Model, centers *skinning.CenterSets) Subject {
	return Subject{Model: m, Pose: m.NewPose(), Frame: skinning.NewFrame(m, centers)}
}

// Instant is the pose that a frame holds, so that an idle picture is not posed again.
type Instant struct {
	Clip  int
	Time  float64
	Baked bool
	OK    bool
	edits uint64 // version of what is laid over the clip's pose
}

// Under lets edits be seen on the subject, node by node of the same name.
func (s *Subject) Under(e *Edits) {
	s.over, s.From = e, nil
	if s.Model != e.Model {
		s.From = skinning.NodeMap(&s.Model.Skeleton, &e.Model.Skeleton)
	}
	s.At.OK = false
}

// Set brings the frame to an instant, by whole turns where there are signs. It allocates nothing.
func (s *Subject) Set(want Instant, signs *skinning.Signs) {
	if s.over != nil {
		want.edits = s.over.version
	}
	if s.At == want {
		return
	}
	s.Model.SamplePose(s.Pose, want.Clip, want.Time)
	edited := s.over != nil && s.over.Active()
	if edited {
		s.over.apply(s.Pose, s.From)
	}
	s.Frame.Baked = want.Baked
	s.Frame.SetPose(s.Pose)
	if signs != nil && !edited { // whole turns are those of the clip
		signs.Apply(s.Frame, want.Time)
	}
	s.At = want
}

// CopyPose copies the pose that is seen.
func (s *Subject) CopyPose(dst *skinning.Pose) {
	copy(dst.Local, s.Pose.Local)
	copy(dst.Morphs, s.Pose.Morphs)
}
