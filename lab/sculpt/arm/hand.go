package arm

import (
	"math"

	"skinlab/lab/sculpt/implicit"

	"github.com/go-gl/mathgl/mgl64"
)

// digit is one finger or the thumb: its joints from the root to the tip and the radius at each.
type digit struct {
	Name   string
	Points []mgl64.Vec3
	Radii  []float64
}

// allDigits lists thumb, index, middle, ring and little finger. Each finger leaves its knuckle in the plane of the
// hand, splayed, and bends a little towards the palm (−z) at every joint, as a hand at rest does.
func allDigits() []digit {
	thumb := digit{"thumb",
		[]mgl64.Vec3{vec(0.628, 0.022, -0.012), vec(0.664, 0.050, -0.022), vec(0.692, 0.068, -0.026),
			vec(0.716, 0.079, -0.0265)},
		[]float64{0.0160, 0.0135, 0.0122, 0.0092}}
	finger := func(name string, knuckle mgl64.Vec3, splay float64, curl [3]float64, length [3]float64,
		radius float64) digit {
		d := digit{Name: name, Points: []mgl64.Vec3{knuckle}, Radii: []float64{radius * 1.08}}
		bend := 0.0
		shrink := []float64{1.00, 0.93, 0.78}
		for k := range length {
			bend += curl[k] * math.Pi / 180
			s := splay * math.Pi / 180
			step := vec(math.Cos(bend)*math.Cos(s), math.Cos(bend)*math.Sin(s), -math.Sin(bend)).Mul(1.08 * length[k])
			d.Points = append(d.Points, d.Points[k].Add(step))
			d.Radii = append(d.Radii, radius*shrink[k])
		}
		return d
	}
	return []digit{
		thumb,
		finger("index", vec(0.693, 0.0335, 0.001), 8, [3]float64{8, 14, 8}, [3]float64{0.040, 0.024, 0.0175}, 0.0106),
		finger("middle", vec(0.699, 0.0112, 0.003), 2, [3]float64{9, 16, 9}, [3]float64{0.044, 0.028, 0.0185}, 0.0109),
		finger("ring", vec(0.693, -0.0115, 0.002), -4, [3]float64{11, 18, 10}, [3]float64{0.040, 0.026, 0.0175}, 0.0103),
		finger("little", vec(0.681, -0.0325, -0.001), -10, [3]float64{13, 18, 10}, [3]float64{0.031, 0.019, 0.0160}, 0.0093),
	}
}

// hand is the palm with its two balls, the knuckles, the fingers and the thumb.
func hand() implicit.Shape {
	frame := implicit.Frame{Axis: vec(1, 0, 0), Side: vec(0, 0, 1), Face: vec(0, 1, 0)}
	palm := implicit.Loft(frame, []implicit.Section{
		{T: 0.605, X: 0.000, Z: 0.000, Left: 0.0175, Right: 0.0160, Front: 0.0265, Back: 0.0275, Power: 2.4},
		{T: 0.630, X: 0.000, Z: 0.000, Left: 0.0170, Right: 0.0150, Front: 0.0310, Back: 0.0325, Power: 2.6},
		{T: 0.655, X: 0.000, Z: 0.000, Left: 0.0140, Right: 0.0140, Front: 0.0375, Back: 0.0385, Power: 2.8},
		{T: 0.680, X: 0.000, Z: 0.001, Left: 0.0125, Right: 0.0125, Front: 0.0420, Back: 0.0405, Power: 3.0},
		{T: 0.697, X: 0.000, Z: 0.002, Left: 0.0105, Right: 0.0105, Front: 0.0410, Back: 0.0385, Power: 3.0},
		{T: 0.709, X: -0.002, Z: 0.004, Left: 0.0085, Right: 0.0085, Front: 0.0370, Back: 0.0340, Power: 3.0},
	})
	digits := allDigits()
	fingers := make([]implicit.Shape, 0, 4)
	knuckles := make([]implicit.Shape, 0, 4)
	for _, d := range digits[1:] {
		fingers = append(fingers, strand(d.Points, d.Radii...))
		knuckles = append(knuckles, implicit.Ball(d.Points[0].Add(vec(-0.002, 0, 0.0035)), d.Radii[0]*0.98))
	}
	palm = implicit.Union(0.010, palm,
		implicit.Ellipsoid(vec(0.645, 0.022, -0.014), vec(0.030, 0.018, 0.015), implicit.Turn(0, 0, 32)),  // thenar
		implicit.Ellipsoid(vec(0.645, -0.021, -0.010), vec(0.034, 0.015, 0.014), implicit.Turn(0, 0, -4)), // hypothenar
	)
	palm = implicit.Union(0.008, append([]implicit.Shape{palm}, knuckles...)...)
	thumb := strand(digits[0].Points, digits[0].Radii...)
	web := implicit.Cone(vec(0.650, 0.034, -0.010), vec(0.670, 0.042, -0.009), 0.011, 0.0080)
	return implicit.Union(0.009, palm, implicit.Union(0.007, fingers...), implicit.Union(0.010, thumb, web))
}

// edgeLength is the size of the triangles wanted at p: small on the fingers and smallest where they part, larger along
// the limb, finer round the elbow, where bending stretches them.
func edgeLength(p mgl64.Vec3) float64 {
	const limb, elbow, wrist, finger, web = 0.0086, 0.0066, 0.0060, 0.0038, 0.0025
	x := p[0]
	d := (x - 0.350) / 0.045
	size := limb - (limb-elbow)*math.Exp(-d*d)
	size += (wrist - size) * implicit.Smoothstep(x, 0.50, 0.61)
	size += (finger - size) * implicit.Smoothstep(x, 0.61, 0.70)
	d = (x - 0.721) / 0.008
	return size - (finger-web)*math.Exp(-d*d)
}
