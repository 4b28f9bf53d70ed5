package training

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/stress"
)

// RangeOfMotion in place of a training clip means poses that are made from the skeleton.
const RangeOfMotion = -1

// Part is training poses of one clip.
type Part struct {
	Clip   int // RangeOfMotion for poses made from the skeleton
	Frames int // spread evenly over the clip; 0 means 12
}

// Set is the data that a fit learns from: poses, and the shapes that go with them.
//
// The shapes are Targets, one per pose in vertex order; or, where they are nil, those of Teacher at these poses. As
// the teacher, [skinning.LBS] means the model's own shapes with morph targets. Other methods teach without morph
// targets; where the fitted model keeps them, errors are measured with them.
//
// The poses are those of Parts; or, where Targets or Times are given, those of Clip at Times, or Poses. Without any of
// these, Frames poses are chosen from all clips of the file; a model without clips has the range of motion.
// [Set.Choose] decides all that for a model.
type Set struct {
	Teacher skinning.Reference // nil means [skinning.LBS]
	Targets [][]mgl64.Vec3
	Clip    int
	Times   []float64 // seconds in Clip, one per example
	// Poses are the poses of Targets if these are in no clip. If Poses is nil, the poses are those of Clip at Times.
	// Title is their name in reports.
	Poses []*skinning.Pose
	Title string
	Names []string // of Targets in messages, as of their files; nil for numbers from 1
	// If LongWay is set, the teacher's rotations are followed through each clip past 180 degrees ([skinning.Signs]).
	// Otherwise they go the shorter way round.
	LongWay bool
	Parts   []Part
	Frames  int // 0 means 24 of all clips, 12 of the range of motion
	// LeftOut are clips of which no pose is chosen, so that they can be tested on; others than the file's are ignored.
	LeftOut []int
	// Also are clips beside the file's own, such as stress clips, of which poses are chosen as well.
	Also []int
	// Free are joints whose motion in these poses is unknown: a decomposition finds it together with the motions of the
	// bones that it adds. Other fits have no free joints.
	Free []int
	// Template is a model whose joints' names the limbs take that a body model finds, by their places; nil for none.
	Template *skinning.Model
}

// Own is the set of a model's example shapes, see [skinning.ExampleClip].
func Own(m *skinning.Model) (*Set, error) {
	if !slices.ContainsFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == skinning.ExampleClip }) {
		return nil, fmt.Errorf("%s: it has no example set", m.Name)
	}
	clip, err := m.ClipIndex(skinning.ExampleClip)
	var s *Set
	if err == nil {
		s, err = ownShapes(m, clip)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it has no example set", m.Name, err)
	}
	return s, nil
}

// ownShapes is the shapes that a clip shows with morph targets, at its keys.
func ownShapes(m *skinning.Model, clip int) (*Set, error) {
	if !m.ShowsShapes(clip) {
		return nil, fmt.Errorf("clip %q shows no shapes by morph targets", messages.Shortened(m.Clips[clip].Name))
	}
	return &Set{Clip: clip, Times: m.Clips[clip].KeyTimes()}, nil
}

// Taught reports whether a method teaches, whose shapes are known in every pose.
func (s *Set) Taught() bool { return s.Targets == nil && s.Reference() != skinning.LBS }

// Operator returns the method that teaches; [skinning.LBS] where none does.
func (s *Set) Operator() skinning.Method {
	method, _ := s.Reference().(skinning.Method)
	return method
}

// Reference returns the teacher: [skinning.LBS] where none is given.
func (s *Set) Reference() skinning.Reference {
	if s.Teacher == nil {
		return skinning.LBS
	}
	return s.Teacher
}

// Open reports whether the poses are to be chosen from all clips.
func (s *Set) Open() bool { return s.Targets == nil && s.Times == nil && len(s.Parts) == 0 }

// NameOf returns what messages call an example.
func (s *Set) NameOf(i int) string {
	if s.Names != nil {
		return s.Names[i]
	}
	return fmt.Sprintf("example %d", i+1)
}

// Len returns the number of the set's examples; 0 where they are not listed: those of Parts, and those that are chosen.
func (s *Set) Len() int { return max(len(s.Times), len(s.Poses)) }

// pick returns the set with some of its examples.
func (s *Set) pick(indices []int) *Set {
	out := *s
	out.Targets, out.Times, out.Poses, out.Names =
		Pick(s.Targets, indices), Pick(s.Times, indices), Pick(s.Poses, indices), Pick(s.Names, indices)
	return &out
}

// HoldOut removes count evenly spread examples from a set: the middle of each of count equal parts.
func (s *Set) HoldOut(count int) (learnt, held *Set) {
	out := make([]int, count)
	for k := range out {
		out[k] = (2*k + 1) * s.Len() / (2 * count)
	}
	return s.pick(without(s.Len(), out...)), s.pick(out)
}

// KeyFrames returns the set with at most a number of its examples, evenly spread, the first and the last among them:
// key frames of the whole sequence (RTER section 7.1).
func (s *Set) KeyFrames(most int) *Set {
	n := s.Len()
	if n <= most {
		return s
	}
	keys := make([]int, most)
	for k := range keys {
		keys[k] = k * (n - 1) / max(most-1, 1)
	}
	return s.pick(keys)
}

// OwnClips lists the clips of the model's file, without the stress clips that the program adds.
func OwnClips(m *skinning.Model) []int {
	clips := make([]int, stress.Own(m))
	for i := range clips {
		clips[i] = i
	}
	return clips
}

// OperatorWarning describes what a chosen operator loses on a model; "" if it loses nothing.
func OperatorWarning(m *skinning.Model, method skinning.Method) string {
	if !method.LosesScale() {
		return ""
	}
	s, ok := compare.Scales(m)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%v has no scale, and %s: the fit loses that for good, %v keeps it", method, s.String(),
		skinning.SDQS)
}
