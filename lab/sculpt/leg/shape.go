// Package leg models the solid of demo:leg: a left leg that stands upright, the sole at y = 0 and the cut above the
// hip at y = 1 m, toes towards +z, the outer side towards +x. The generator of the built-in models runs it offline.
package leg

import (
	"skinlab/lab/sculpt/implicit"

	"github.com/go-gl/mathgl/mgl64"
)

type vec = mgl64.Vec3

// The joints' rest positions, metres.
var (
	atPelvis = vec{0, 0.980, 0}
	atHip    = vec{0, 0.920, 0}
	atKnee   = vec{0, 0.495, -0.006}
	atAnkle  = vec{0, 0.080, -0.024}
)

// legFrame runs down from the hip: T is the depth below it, x points outwards, z forwards.
func legFrame() implicit.Frame {
	return implicit.Frame{Origin: vec{0, atHip[1], 0}, Axis: vec{0, -1, 0}, Side: vec{1, 0, 0}, Face: vec{0, 0, 1}}
}

// footFrame starts on the ground below the ankle: T points to the toes, x outwards, z up.
func footFrame() implicit.Frame {
	return implicit.Frame{Origin: vec{0, 0, atAnkle[2]}, Axis: vec{0, 0, 1}, Side: vec{1, 0, 0}, Face: vec{0, 1, 0}}
}

// wholeLeg is hip, thigh, calf and foot.
func wholeLeg() implicit.Shape {
	return implicit.Union(0.016, limb(), foot())
}

// sections are loft sections from a table: distance, x and z of the centre, radii inwards, outwards, front and back.
func sections(rows [][7]float64) []implicit.Section {
	out := make([]implicit.Section, len(rows))
	for i, r := range rows {
		out[i] = implicit.Section{T: r[0], X: r[1], Z: r[2], Left: r[3], Right: r[4], Front: r[5], Back: r[6], Power: 2.1}
	}
	return out
}

// limb is the leg from the hip to the ankle: the outlines of the front and side views, and the muscles on it.
func limb() implicit.Shape {
	core := implicit.Loft(legFrame(), sections([][7]float64{
		{-0.048, 0.002, -0.012, 0.070, 0.066, 0.066, 0.074},
		{-0.020, 0.002, -0.010, 0.082, 0.078, 0.076, 0.088},
		{0.030, 0, -0.004, 0.086, 0.082, 0.080, 0.092},
		{0.090, 0, 0.004, 0.086, 0.080, 0.086, 0.084},
		{0.160, 0, 0.008, 0.080, 0.078, 0.088, 0.076},
		{0.240, 0, 0.008, 0.070, 0.071, 0.080, 0.068},
		{0.320, 0, 0.004, 0.060, 0.061, 0.068, 0.058},
		{0.385, 0, -0.002, 0.053, 0.053, 0.058, 0.051},
		{0.430, 0, -0.007, 0.048, 0.048, 0.053, 0.048},
		{0.475, 0, -0.014, 0.046, 0.047, 0.047, 0.052},
		{0.530, 0, -0.021, 0.049, 0.053, 0.043, 0.061},
		{0.580, 0, -0.026, 0.049, 0.052, 0.041, 0.062},
		{0.650, 0, -0.030, 0.040, 0.042, 0.038, 0.050},
		{0.720, 0, -0.033, 0.031, 0.033, 0.034, 0.039},
		{0.780, 0, -0.033, 0.028, 0.029, 0.033, 0.034},
		{0.830, 0, -0.030, 0.029, 0.030, 0.036, 0.036},
		{0.860, 0, -0.028, 0.028, 0.029, 0.036, 0.036},
	}))
	all := []implicit.Shape{core}
	for _, b := range [][3]vec{ // centre (x, depth, z), half axes, turn in degrees
		{{-0.006, 0.025, -0.062}, {0.066, 0.080, 0.052}, {12, 0, 4}},  // gluteus maximus
		{{0.040, -0.020, -0.006}, {0.042, 0.060, 0.062}, {0, 0, -4}},  // gluteus medius
		{{0.016, 0.190, 0.036}, {0.040, 0.150, 0.044}, {0, 0, 0}},     // rectus femoris, vastus lateralis
		{{-0.026, 0.345, 0.020}, {0.027, 0.058, 0.032}, {0, 0, -8}},   // vastus medialis
		{{0.000, 0.220, -0.038}, {0.048, 0.140, 0.038}, {0, 0, 0}},    // hamstrings
		{{-0.030, 0.090, -0.008}, {0.044, 0.110, 0.056}, {0, 0, 6}},   // adductors
		{{-0.020, 0.545, -0.058}, {0.027, 0.080, 0.030}, {0, 0, -4}},  // gastrocnemius, inner head
		{{0.022, 0.530, -0.054}, {0.026, 0.074, 0.029}, {0, 0, 4}},    // gastrocnemius, outer head
		{{0.018, 0.560, 0.006}, {0.022, 0.090, 0.020}, {0, 0, 2}},     // tibialis anterior
		{{0.000, 0.424, 0.036}, {0.023, 0.030, 0.020}, {0, 0, 0}},     // kneecap
		{{0.000, 0.478, 0.020}, {0.014, 0.028, 0.014}, {0, 0, 0}},     // below it
		{{-0.027, 0.832, -0.026}, {0.010, 0.015, 0.014}, {0, 0, 0}},   // inner ankle
		{{0.028, 0.842, -0.034}, {0.010, 0.016, 0.013}, {0, 0, 0}},    // outer ankle
		{{0.000, 0.790, -0.066}, {0.0085, 0.055, 0.0085}, {-3, 0, 0}}, // tendon of Achilles
	} {
		turn := implicit.Turn(b[2][0], b[2][1], b[2][2])
		all = append(all, implicit.Place(legFrame(), implicit.Ellipsoid(b[0], b[1], turn)))
	}
	return implicit.Union(0.024, all...)
}

// foot is the foot, flat on the ground, its toes in one piece.
func foot() implicit.Shape {
	f := footFrame()
	last := implicit.Loft(f, sections([][7]float64{
		{-0.048, 0, 0.034, 0.022, 0.022, 0.026, 0.031},
		{-0.030, 0, 0.036, 0.030, 0.030, 0.036, 0.034},
		{0.000, 0, 0.038, 0.034, 0.034, 0.046, 0.038},
		{0.040, 0.002, 0.036, 0.035, 0.036, 0.044, 0.036},
		{0.080, 0.002, 0.030, 0.039, 0.039, 0.035, 0.030},
		{0.115, 0.002, 0.024, 0.044, 0.044, 0.025, 0.024},
		{0.140, 0.001, 0.019, 0.046, 0.045, 0.019, 0.019},
		{0.160, 0.000, 0.015, 0.044, 0.041, 0.015, 0.015},
	}))
	ball := func(x, y, z, r float64) implicit.Shape {
		return implicit.Ellipsoid(f.At(x, y, z), vec{r, 0.9 * r, 1.7 * r}, implicit.Turn(0, 0, 0))
	}
	toes := implicit.Union(0.012, ball(-0.027, 0.184, 0.0150, 0.0165), ball(-0.004, 0.186, 0.0130, 0.0125),
		ball(0.014, 0.179, 0.0125, 0.0115), ball(0.028, 0.168, 0.0120, 0.0110), ball(0.038, 0.155, 0.0115, 0.0105))
	instep := implicit.Place(f, implicit.Chain(0.02,
		[]vec{{0, -0.004, 0.095}, {-0.003, 0.042, 0.068}, {-0.010, 0.100, 0.031}}, []float64{0.036, 0.028, 0.017}))
	heel := implicit.Ellipsoid(f.At(0, -0.038, 0.033), vec{0.031, 0.036, 0.031}, implicit.Turn(0, 0, 0))
	arch := implicit.Ellipsoid(f.At(-0.050, 0.052, 0.000), vec{0.026, 0.020, 0.042}, implicit.Turn(0, 0, 0))
	body := implicit.Carve(0.020, implicit.Union(0.022, last, instep, heel, toes), arch)
	// The half-space below the ground.
	ground := implicit.Shape{At: func(p vec) float64 { return p[1] }, Centre: vec{0, -1, 0.06}, Radius: 1.1}
	return implicit.Carve(0.008, body, ground)
}
