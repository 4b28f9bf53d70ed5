package demo

import (
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// This is the bar of RTER figure 13. It has two bones end to end; the second twists by up to 180 degrees about the
// axis. In its example shapes the twist is spread evenly along the bar. Linear blending with the same weights collapses
// in the middle (the candy-wrapper artefact).
var barCells = [3]int{33, 6, 6} // an odd number along the axis: no ring stands where linear blending is singular

// barRamp is the half-width of the twisted part, metres; boxHalf is the bar's size too.
const barRamp = 0.32

// The twists of the example shapes in degrees, those for training and those for testing.
var (
	barTrained = []float64{0, 60, 180}
	barUnseen  = []float64{120}
)

func newBar() *skinning.Model {
	// The bar stands on an edge, so that no twist goes below the rest pose, and so below the floor.
	onEdge := geom.AxisAngle(vec3{1, 0, 0}, math.Pi/4).Mat3()
	m := newBeam("bar", matte("bar", 0.16, 0.05, 0.24), barCells, func(_ int, p, n vec3) (_, _ vec3, _ float64) {
		return onEdge.Apply(p), onEdge.Apply(n), barTurn(p[0])
	})
	sweep := make([]float64, 9)
	times := make([]float32, len(sweep))
	for k := range sweep {
		times[k], sweep[k] = float32(k)/4, 180*float64(k)/float64(len(sweep)-1)
	}
	m.Clips = []skinning.Clip{newClip("twist",
		rotationChannel(1, skinning.Linear, times, twistKeys(vec3{1, 0, 0}, sweep...)))}
	addBarExamples(m)
	return m
}

// barTurn is the share of the twist that a point has at x: even along the bar between two stiff ends.
func barTurn(x float64) float64 { return min(1, max(0, 0.5+x/(2*barRamp))) }

// addBarExamples gives the bar its example shapes. The clip "examples" has those for training, one a second, and
// "unseen" those for testing.
func addBarExamples(m *skinning.Model) {
	for _, twist := range slices.Concat(barTrained, barUnseen) {
		positions, normals := barTarget(m, twist)
		addExample(m, fmt.Sprintf("twist %g", twist), positions, normals)
	}
	clip := func(name string, first int, twists []float64) skinning.Clip {
		times := secondsFrom0(len(twists))
		turns := rotationChannel(1, skinning.Step, times, twistKeys(vec3{1, 0, 0}, twists...))
		return newClip(name, turns, exampleWeights(m, first, times))
	}
	m.Clips = append(m.Clips, clip("examples", 0, barTrained), clip("unseen", len(barTrained), barUnseen))
}

// barTarget returns the offsets in rest space that linear blending turns into the evenly twisted bar.
func barTarget(m *skinning.Model, twist float64) (positions, normals []mgl32.Vec3) {
	axis := vec3{1, 0, 0}
	full := geom.AxisAngle(axis, mgl64.DegToRad(twist)).Mat3()
	for v, p := range m.Skin.Positions {
		share := barTurn(float64(p[0]))
		even := geom.AxisAngle(axis, share*mgl64.DegToRad(twist)).Mat3()
		linear := geom.Identity3()
		for k := range linear {
			linear[k] = (1-share)*linear[k] + share*full[k]
		}
		inverse, ok := geom.NewAffine(linear, vec3{}).Inverse()
		if !ok {
			panic(fmt.Sprintf("demo: bar: vertex %d cannot be solved at a twist of %g degrees", v, twist))
		}
		centre := vec3{float64(p[0]), boxHeight, 0}
		want := centre.Add(inverse.Apply(even.Apply(geom.Vec64(p).Sub(centre))))
		positions = append(positions, geom.Vec32(want.Sub(geom.Vec64(p))))
		n := geom.Vec64(m.Skin.Normals[v]) // posing takes normals through the inverse transpose
		normals = append(normals, geom.Vec32(linear.Transpose().Apply(even.Apply(n)).Sub(n)))
	}
	return positions, normals
}
