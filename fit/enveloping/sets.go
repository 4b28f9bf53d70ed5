package enveloping

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// ExampleClip is the name of the clip of an example set: at key i the pose of example i, and weight 1 for morph target
// i alone.
const ExampleClip = "examples"

// Taught makes examples of a method's own poses at the given times of a clip, for rigs without examples (--teach). The
// poses of [skinning.LBS] are a set's own where morph targets show them, at the keys of [ExampleClip]: morph first,
// then linear blending, is the example's shape.
func Taught(
	m *skinning.Model, method skinning.Method, teacher *skinning.Model, clip int, times []float64,
) (*Examples, error) {
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
