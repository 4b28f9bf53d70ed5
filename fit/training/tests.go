package training

import (
	"context"
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// Tests says what a fit is measured on once it is made.
type Tests struct {
	Clip        int             // a clip to test on; negative for none
	Model       *skinning.Model // whose own examples are a test, see [sameJoints]; nil for none
	HeldOut     *Set            // shapes that were kept from the training; nil for none
	Sequence    bool            // HeldOut is a whole sequence, whose key frames are the training: kept back or not
	LeaveOneOut bool            // fit again without each example, and predict that
	AllClips    bool            // all clips of the file, whatever was trained on
}

// Test is examples that a fit is measured on.
type Test struct {
	Stage string // what a progress line says meanwhile
	Poses *Poses // of the model that is fitted, or of another file; the name is that of the clip or the file
}

// Of lists the tests of a fit to a set, on unseen poses and on shapes that are held out. It is called before the fit,
// so that an error about a test comes before the work.
func (t *Tests) Of(m *skinning.Model, s *Set) (unseen, heldOut *Test, err error) {
	if t.Clip >= 0 {
		unseen = &Test{Stage: "unseen poses"}
		if unseen.Poses, err = s.testOn(m, t.Clip); err != nil {
			return nil, nil, fmt.Errorf("test: %w", err)
		}
	}
	if t.Model != nil {
		own, err := Own(t.Model)
		if err == nil {
			_, err = sameJoints(m, t.Model)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("test: %w", err)
		}
		unseen = &Test{Stage: "unseen shapes", Poses: own.listed(t.Model)}
		unseen.Poses.Name = t.Model.Name
	}
	if t.HeldOut != nil {
		heldOut = &Test{Stage: "held out shapes", Poses: t.HeldOut.listed(m)}
		if t.Sequence {
			heldOut.Stage = "the whole sequence"
		}
	}
	return unseen, heldOut, nil
}

// Learnt reports whether poses of a fit are of the test's clip too.
func (t *Test) Learnt(p *Poses) bool {
	return t.Poses.Model == p.Model && p.Learns(t.Poses.Times[0].Clip)
}

// Examples returns the test's examples as examples of m, the model that is fitted. Those of another file pose the same
// joints, which [sameJoints] finds by name.
func (t *Test) Examples(m *skinning.Model) (*Examples, error) {
	x := t.Poses.examples(context.Background())
	if t.Poses.Model == m {
		return x, nil
	}
	joint, err := sameJoints(m, t.Poses.Model)
	if err != nil {
		return nil, err
	}
	bare, frames := m.WithoutMorphs(), make([]*skinning.Frame, len(x.Frames))
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	for i, from := range x.Frames {
		frames[i] = skinning.NewFrame(bare, centers)
		for j, k := range joint {
			frames[i].SetMatrix(j, &from.Matrices[k])
		}
	}
	out := NewExamples(bare, frames, x.Targets)
	out.Morphed = x.Morphed
	return out, nil
}

// testFrames bounds the example shapes of a clip on which a fit is measured: they are in memory together.
const testFrames = 100

// testOn is the shapes that a clip itself shows, or the teacher's in it without its half turns.
func (s *Set) testOn(m *skinning.Model, clip int) (*Poses, error) {
	if !s.Taught() {
		own, err := ownShapes(m, clip)
		if err != nil {
			return nil, err
		}
		return own.listed(m), nil
	}
	c := &m.Clips[clip]
	times := TimesIn(clip, compare.Times(c.Seconds, min(compare.PosesOf(c.Seconds), testFrames)))
	return &Poses{Model: m, Name: c.Name, Teacher: s.Teacher, Taught: true, LongWay: s.LongWay,
		Times: WithoutHalfTurns(m, times, s.LongWay)}, nil
}

// ShapesOf returns the shapes with which a fit is measured in a clip of the file: some of those that the clip shows by
// morph targets, or the targets that belong to the clip. It returns nil if there are none.
func (p *Poses) ShapesOf(clip int) *Poses {
	switch {
	case p.Targets != nil && p.Learns(clip):
		return p
	case p.Targets != nil || !p.Model.ShowsShapes(clip):
		return nil
	}
	own := &Set{Clip: clip, Times: p.Model.Clips[clip].KeyTimes()}
	return own.KeyFrames(testFrames).listed(p.Model)
}

// sameJoints returns the joint of another file for each joint of m, by name. It returns an error if that file's
// examples cannot be examples of m, because joints, their parents, the number of vertices, or triangles differ.
func sameJoints(m, of *skinning.Model) ([]int, error) {
	bad := func(format string, args ...any) ([]int, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{of.Name}, args...)...)
	}
	if a, b := len(m.Skin.Positions), len(of.Skin.Positions); a != b {
		return bad("%d vertices, expected the %d of %s", b, a, m.Name)
	}
	if a, b := len(m.Skin.Triangles), len(of.Skin.Triangles); a != b {
		return bad("%d triangles, expected the %d of %s", b, a, m.Name)
	}
	for k, t := range m.Skin.Triangles {
		if of.Skin.Triangles[k] != t {
			return bad("triangle %d is %v, expected %v as in %s", k, of.Skin.Triangles[k], t, m.Name)
		}
	}
	byName := map[string]int{}
	for k := len(of.Skeleton.Joints) - 1; k >= 0; k-- { // the first of several skins' joints of one name stays
		byName[of.Skeleton.Joints[k].Name] = k
	}
	joint := make([]int, len(m.Skeleton.Joints))
	for j := range joint {
		own := &m.Skeleton.Joints[j]
		k, ok := byName[own.Name]
		if !ok {
			return bad("no joint %q, expected the joints of %s", own.Name, m.Name)
		}
		if a, b := parentName(&m.Skeleton, j), parentName(&of.Skeleton, k); a != b {
			return bad("joint %q hangs on %q, expected %q as in %s", own.Name, b, a, m.Name)
		}
		joint[j] = k
	}
	return joint, nil
}

// parentName is the name of a joint's parent, "" for none.
func parentName(s *skinning.Skeleton, j int) string {
	if p := s.Joints[j].Parent; p >= 0 {
		return s.Joints[p].Name
	}
	return ""
}
