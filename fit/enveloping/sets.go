package enveloping

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// ExampleClip is the name of the clip of an example set: at key i the pose of example i, and weight 1 for morph target i alone.
const ExampleClip = "examples"

// FromSet reads the example pairs that a model carries: a rest-space morph target for each example and a clip that shows them, key after
// key. Morph first, then linear blending, is the example's shape.
func FromSet(m *skinning.Model) (*Examples, error) {
	clip := -1
	for i := range m.Clips {
		if m.Clips[i].Name == ExampleClip {
			clip = i
		}
	}
	if clip < 0 {
		return nil, fmt.Errorf("%w: %s has no clip %q", ErrProblem, m.Name, ExampleClip)
	}
	if len(m.MorphSlots) == 0 {
		return nil, fmt.Errorf("%w: %s has no morph targets: clip %q shows no shapes", ErrProblem, m.Name, ExampleClip)
	}
	return Taught(m, skinning.LBS, m, clip, m.Clips[clip].KeyTimes())
}

// Taught makes examples of a method's own poses at the given times of a clip, for rigs without examples (--teach).
func Taught(m *skinning.Model, method skinning.Method, teacher *skinning.Model, clip int, times []float64) (*Examples, error) {
	var frames []*skinning.Frame
	var targets [][]mgl64.Vec3
	pose := teacher.NewPose()
	centers := skinning.NewCenterSets(&teacher.Skin.Influences, &teacher.Skeleton)
	for _, t := range times {
		f := skinning.NewFrame(teacher, centers)
		teacher.SamplePose(pose, clip, t)
		f.SetPose(pose)
		frames = append(frames, f)
		targets = append(targets, f.Reference(method).Positions)
	}
	return NewExamples(m, frames, targets)
}

// FromTargets pairs shapes with the poses of a clip at the given times, one each.
func FromTargets(m *skinning.Model, clip int, times []float64, targets [][]mgl64.Vec3) (*Examples, error) {
	var frames []*skinning.Frame
	pose := m.NewPose()
	for _, t := range times {
		f := skinning.NewFrame(m, &skinning.CenterSets{})
		m.SamplePose(pose, clip, t)
		f.SetPose(pose)
		frames = append(frames, f)
	}
	return NewExamples(m, frames, targets)
}
