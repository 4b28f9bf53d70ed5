package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// The worm is the tube with joints that grow and shrink. It shows how dual quaternions treat scale (SDQS, a column of
// ALNS table 3). No other built-in model scales a joint.
func newWorm() *skinning.Model {
	m := newTube()
	m.Name, m.Materials = "demo:worm", matte("worm", 0.40, 0.15, 0.13)
	m.Clips = []skinning.Clip{wormClip("crawl", 1.3, 25, 0), wormClip("swallow", 1.5, 10, 60)}
	return m
}

// wormClip is a loop of four seconds. In it a wave runs along the joints. Each joint grows and shrinks by a factor,
// while it bends by some degrees to either side and twists.
func wormClip(name string, factor, bend, twist float64) skinning.Clip {
	const steps = 32
	var channels []skinning.Channel
	times := make([]float32, steps+1)
	before := make([]float64, len(times)) // the size of the joint before
	for k := range times {
		times[k], before[k] = float32(k)/8, 1
	}
	for j := range tubeBones {
		turns := make([]geom.Quat, len(times))
		sizes := skinning.Channel{Node: jointNode(j), Path: skinning.PathScale, Interpolation: skinning.Linear, Width: 3,
			Times: times}
		for k := range times {
			s, c := math.Sincos(2*math.Pi*float64(k)/steps - float64(j)*math.Pi/2)
			size := math.Pow(factor, s)
			local := float32(size / before[k]) // a node has the scale of its parent too
			before[k] = size
			sizes.Values = append(sizes.Values, local, local, local)
			turns[k] = tubeJoint(vec3{0, 1, 0}, mgl64.DegToRad(bend*c), mgl64.DegToRad(twist*s))
		}
		channels = append(channels, sizes)
		if j > 0 {
			channels = append(channels, rotationChannel(j, skinning.Linear, times, turns))
		}
	}
	return newClip(name, channels...)
}
