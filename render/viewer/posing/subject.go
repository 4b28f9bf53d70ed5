// Package posing poses a model and keeps what the user changes of its pose. It uses neither windows nor OpenGL.
//
// A [Subject] is a model posed at an [Instant]: a clip, a time, and the [Edits] that the user lays over the clip's
// pose. [Skeleton] lists the joints as the user sees and picks them.
package posing

import (
	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// Subject is a model with a pose and the frame computed from it.
type Subject struct {
	Model *skinning.Model
	Pose  *skinning.Pose
	Frame *skinning.Frame
	At    Instant         // instant of the frame
	plain *skinning.Frame // see Plain

	// From maps each node to the node of the edited model, −1 for none. It is nil if this is the edited model.
	From  []int
	over  *Edits // edits over the clip's pose; nil for none
	slots []int  // per morph slot, the edited model's; −1 for none

	signs   *skinning.Signs // through the clip of the last pose; nil where turns go the shorter way round
	signsOf Instant         // their clip and way; the rest is zero
}

// NewSubject makes the pose and the frame of a model, not yet posed.
func NewSubject(m *skinning.Model, centers *skinning.CenterSets) Subject {
	return Subject{Model: m, Pose: m.NewPose(), Frame: skinning.NewFrame(m, centers)}
}

// Instant identifies the pose of a frame, so that an idle picture is not posed again.
type Instant struct {
	Clip  int
	Time  float64
	Baked bool
	// LongWay makes joints rotate past 180° as in the clip. Where a rig was fitted so, they do anyway.
	LongWay bool
	OK      bool
	edits   uint64 // version of the edits
}

// Under makes the subject show the edits. It matches nodes by name.
func (s *Subject) Under(e *Edits) {
	s.over, s.From = e, nil
	if s.Model != e.Model {
		s.From = remodel.NodeMap(&s.Model.Skeleton, &e.Model.Skeleton)
	}
	s.slots = slotMap(s.Model, e.Model, s.From)
	s.At.OK = false
}

// Set poses the frame. It allocates at most once a clip, where rotations are followed.
func (s *Subject) Set(want Instant) {
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
	if s.over != nil {
		s.over.hold.apply(s.Pose, s.slots)
	}
	s.Frame.Baked = want.Baked
	s.Frame.SetPose(s.Pose)
	if of := (Instant{Clip: want.Clip, LongWay: want.LongWay, OK: true}); s.signsOf != of {
		s.signs, s.signsOf = skinning.SignsOf(s.Model, want.Clip, !want.LongWay), of
	}
	if s.signs != nil && !edited { // the signs belong to the clip's own pose
		s.signs.Apply(s.Frame, want.Time)
	}
	s.At = want
}

// Plain returns the frame that methods pose. Where the clip shows the model's examples it has no morph targets, and is
// valid until the next call; the first such call allocates. [Subject.Frame] has them.
func (s *Subject) Plain() *skinning.Frame {
	if !s.ShowsExamples() {
		return s.Frame
	}
	if s.plain == nil {
		s.plain = skinning.NewFrame(s.Model, s.Frame.Centers)
	}
	s.plain.Copy(s.Frame)
	clear(s.plain.Morphs)
	return s.plain
}

// ShowsExamples reports whether the clip of the frame shows the model's examples.
func (s *Subject) ShowsExamples() bool { return s.Model.ShowsExamples(s.At.Clip) }

func (s *Subject) CopyPose(dst *skinning.Pose) {
	copy(dst.Local, s.Pose.Local)
	copy(dst.Morphs, s.Pose.Morphs)
}
