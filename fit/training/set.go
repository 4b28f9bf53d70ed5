package training

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/stress"
)

// RangeOfMotion in place of a training clip means poses that are made from the skeleton.
const RangeOfMotion = -1

// NoClip is the clip of poses that are in none.
const NoClip = -2

// ExampleClip is the name of the clip of an example set: at key i the pose of example i, and weight 1 for morph target
// i alone.
const ExampleClip = "examples"

// Part is training poses of one clip.
type Part struct {
	Clip   int // RangeOfMotion for poses made from the skeleton
	Frames int // spread evenly over the clip; 0 means 12
}

const (
	// partFrames is the number of poses of a part that gives none.
	partFrames = 12
	// defaultFrames is the number of poses of all clips together.
	defaultFrames = 24
)

// Set is the data that a fit learns from: poses, and the shapes that go with them.
//
// The shapes are Targets, one per pose in vertex order; or, where they are nil, those of Teacher at these poses. As
// the teacher, [skinning.LBS] means the model's own shapes with morph targets. Other methods teach without morph
// targets; where the fitted model keeps them, errors are measured with them.
//
// The poses are those of Parts; or, where Targets or Times are given, those of Clip at Times, or Poses. Without any of
// these, Frames poses are chosen from all clips of the file, see [Set.ChoosePoses]; a model without clips has the range
// of motion.
type Set struct {
	Teacher skinning.Reference // nil means [skinning.LBS]
	Targets [][]mgl64.Vec3
	Clip    int
	Times   []float64 // seconds in Clip, one per example
	// Poses are the poses of Targets if these are in no clip; Clip is [NoClip] then. If Poses is nil, the poses are
	// those of Clip at Times. Title is their name in reports.
	Poses []*skinning.Pose
	Title string
	Names []string // of Targets in messages, as of their files; nil for numbers from 1
	// If LongWay is set, the teacher's rotations are followed through each clip past 180 degrees ([skinning.Signs]).
	// Otherwise they go the shorter way round.
	LongWay bool
	Parts   []Part
	Frames  int // 0 means 24 of all clips, 12 of the range of motion
	// LeftOut are clips of the file that [Set.ChoosePoses] does not learn from, so that they can be tested on.
	LeftOut []int
	// Also are clips beside the file's own, such as stress clips, that ChoosePoses learns from as well.
	Also []int
	// Free are joints whose motion in these poses is unknown: a decomposition finds it together with the motions of the
	// bones that it adds. Other fits have no free joints.
	Free []int
	// Template is a model whose joints' names the limbs take that a body model finds, by their places; nil for none.
	Template *skinning.Model

	chosen *ChosenPoses // poses that were chosen; nil before that
}

// Own is the set of a model's example shapes, see [ExampleClip].
func Own(m *skinning.Model) (*Set, error) {
	clip, err := m.ClipIndex(ExampleClip)
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
	if !ShowsShapes(m, clip) {
		return nil, fmt.Errorf("clip %q shows no shapes by morph targets", messages.Shortened(m.Clips[clip].Name))
	}
	return &Set{Clip: clip, Times: m.Clips[clip].KeyTimes()}, nil
}

// ShowsShapes reports whether a clip animates morph targets of the skin, so that its poses have shapes of their own.
func ShowsShapes(m *skinning.Model, clip int) bool {
	if len(m.Skin.Morphs) > 0 {
		for i := range m.Clips[clip].Channels {
			if m.Clips[clip].Channels[i].Path == skinning.PathWeights {
				return true
			}
		}
	}
	return false
}

// Taught reports whether a method teaches, whose shapes are known in every pose.
func (s *Set) Taught() bool { return s.Targets == nil && !s.FromFile() }

// FromFile reports whether no method teaches, so that the shapes are the file's own.
func (s *Set) FromFile() bool { return s.Reference() == skinning.LBS }

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

// Open reports whether the poses are left to [Set.ChoosePoses].
func (s *Set) Open() bool {
	return s.Targets == nil && s.Times == nil && len(s.Parts) == 0 && s.Clip != RangeOfMotion && s.chosen == nil
}

// ChoosePoses returns the set with poses chosen from all clips of the model's file, if the set is open. Linear has
// the RMS errors of linear blending in the clips that were measured, NaN for a clip that must not be learnt from. If
// no clip is left to learn from, all are learnt from. Without clips, the poses are the range of motion.
func (s *Set) ChoosePoses(m *skinning.Model, linear []float64) *Set {
	if !s.Open() {
		return s
	}
	out := *s
	if len(OwnClips(m)) == 0 {
		out.Clip = RangeOfMotion
		return &out
	}
	if out.Frames == 0 {
		out.Frames = defaultFrames
	}
	clips := slices.DeleteFunc(OwnClips(m), func(c int) bool {
		return slices.Contains(s.LeftOut, c) || c < len(linear) && math.IsNaN(linear[c])
	})
	if len(clips) == 0 {
		clips, out.LeftOut = OwnClips(m), nil
	}
	clips = append(clips, s.Also...)
	out.chosen = representClips(m, clips, linear, s.linearAtRest(m), out.Frames)
	return &out
}

// Learns reports whether poses of a clip are among the examples.
func (s *Set) Learns(m *skinning.Model, clip int) bool {
	if _, made := s.FromSkeleton(); made {
		return false
	}
	times, err := s.ClipTimes(m)
	return err == nil && slices.ContainsFunc(times, func(t ClipTime) bool { return t.Clip == clip })
}

// ChosenPoses returns the poses that [Set.ChoosePoses] has chosen; nil where it has not.
func (s *Set) ChosenPoses() *ChosenPoses { return s.chosen }

// WithChosenPoses returns the set with the given poses and clip weights instead of its own.
func (s *Set) WithChosenPoses(chosen *ChosenPoses) *Set {
	out := *s
	out.chosen = chosen
	return &out
}

// FromSkeleton reports whether the poses are made from the skeleton, and how many.
func (s *Set) FromSkeleton() (n int, ok bool) {
	n, ok = s.Frames, s.Clip == RangeOfMotion
	for _, p := range s.Parts {
		if p.Clip == RangeOfMotion {
			n, ok = p.Frames, true
		}
	}
	if n == 0 {
		n = partFrames
	}
	return n, ok
}

// ClipTimes lists the poses, unless they are made from the skeleton.
func (s *Set) ClipTimes(m *skinning.Model) ([]ClipTime, error) {
	switch {
	case s.chosen != nil:
		return s.chosen.times, nil
	case len(s.Parts) > 0:
		times, err := partTimes(m, s.Parts)
		if err != nil {
			return nil, err
		}
		if s.Taught() {
			times = WithoutHalfTurns(m, times, s.LongWay)
		}
		return withStatic(m, times), nil
	}
	return TimesIn(s.Clip, s.Times), nil
}

// Pose poses a model as the set says. Times are nil where the poses are made from the skeleton.
func (s *Set) Pose(m *skinning.Model) (frames []*skinning.Frame, times []ClipTime, err error) {
	if n, ok := s.FromSkeleton(); ok {
		if len(s.Parts) > 1 {
			return nil, nil, fmt.Errorf("%w: the range of motion is trained on alone", errClip)
		}
		return rangeWithStatic(m, n), nil, nil
	}
	if times, err = s.ClipTimes(m); err != nil {
		return nil, nil, err
	}
	return s.at(m, times), times, nil
}

// at poses the model at times, with rotations as the set says.
func (s *Set) at(m *skinning.Model, times []ClipTime) []*skinning.Frame {
	frames := at(m, times)
	if !s.LongWay {
		return frames
	}
	signs := map[int]*skinning.Signs{}
	for i, at := range times {
		if signs[at.Clip] == nil {
			signs[at.Clip] = skinning.NewSigns(m, at.Clip)
		}
		signs[at.Clip].Apply(frames[i], at.Time)
	}
	return frames
}

// Weights returns those of the poses' squared errors; nil for 1 each.
func (s *Set) Weights() []float64 {
	if s.chosen == nil {
		return nil
	}
	return s.chosen.weights()
}

// Name is what a report says of the poses.
func (s *Set) Name(m *skinning.Model) string {
	switch _, made := s.FromSkeleton(); {
	case made:
		return "range of motion"
	case s.Poses != nil:
		return s.Title
	case s.Times != nil:
		return m.Clips[s.Clip].Name
	}
	parts := s.Parts
	if len(parts) == 0 && stress.Own(m) == 1 {
		parts = []Part{{}}
	}
	var names []string
	if len(parts) == 0 {
		for _, c := range s.LeftOut {
			names = append(names, m.Clips[c].Name)
		}
		if names == nil {
			return "all clips"
		}
		return "all clips but " + strings.Join(names, ", ")
	}
	for _, p := range parts {
		names = append(names, m.Clips[p.Clip].Name)
	}
	return strings.Join(names, ", ")
}

// NameOf returns what messages call an example.
func (s *Set) NameOf(i int) string {
	if s.Names != nil {
		return s.Names[i]
	}
	return fmt.Sprintf("example %d", i+1)
}

// Len returns the number of the set's examples; 0 where they are not listed: those of Parts, of the skeleton, and those
// that are not chosen yet.
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

// partTimes lists the poses of parts, none of which is RangeOfMotion.
func partTimes(m *skinning.Model, parts []Part) (all []ClipTime, err error) {
	for _, p := range parts {
		if p.Frames == 0 {
			p.Frames = partFrames
		}
		if p.Clip < 0 || p.Clip >= len(m.Clips) || p.Frames < 1 {
			return nil, fmt.Errorf("%w: %d of clip %d of %d", errClip, p.Frames, p.Clip, len(m.Clips))
		}
		if c := &m.Clips[p.Clip]; c.Lost > 0 && len(c.Channels) == 0 {
			return nil, fmt.Errorf("clip %q has lost all of its %d channels: there is nothing to learn", messages.Shortened(c.Name),
				c.Lost)
		}
		all = append(all, TimesIn(p.Clip, Times(m.Clips[p.Clip].Seconds, p.Frames))...)
	}
	return all, nil
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
