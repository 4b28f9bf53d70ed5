package fit

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// suggestedClip is the name of the clip of poses that a fit suggests.
const suggestedClip = "suggested"

// PosesClip returns a clip that holds pose i from second i on, as the clip of an example set does, without what moves
// no node.
func PosesClip(m *skinning.Model, poses []*skinning.Pose) skinning.Clip {
	clip := skinning.Clip{Name: suggestedClip, Seconds: float64(len(poses) - 1)}
	times := make([]float32, len(poses))
	for i := range times {
		times[i] = float32(i)
	}
	parts := []struct {
		path  skinning.Path
		width int
		of    func(t *geom.Transform) []float64
	}{
		{skinning.PathTranslation, 3, func(t *geom.Transform) []float64 { return t.Translation[:] }},
		{skinning.PathRotation, 4, func(t *geom.Transform) []float64 { return t.Rotation[:] }},
		{skinning.PathScale, 3, func(t *geom.Transform) []float64 { return t.Scale[:] }},
	}
	for n := range m.Skeleton.Nodes {
		for _, part := range parts {
			rest := part.of(&m.Skeleton.Nodes[n].Rest)
			c := skinning.Channel{Node: n, Path: part.path, Interpolation: skinning.Step, Width: part.width, Times: times}
			moves := false
			for _, p := range poses {
				for k, x := range part.of(&p.Local[n]) {
					moves = moves || math.Abs(x-rest[k]) > 0
					c.Values = append(c.Values, float32(x))
				}
			}
			if moves {
				clip.Channels = append(clip.Channels, c)
			}
		}
	}
	return clip
}
