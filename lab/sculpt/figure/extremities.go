package figure

import (
	"math"

	"skinlab/lab/sculpt/implicit"
)

// finger is one finger in the hand's frame (x to the thumb, y along the fingers, z out of the back).
type finger struct {
	knuckle vec
	splay   float64    // degrees from the hand's axis towards the thumb
	bend    [3]float64 // degrees at the knuckle and the two joints after it, towards the palm
	length  [3]float64
	radius  [4]float64
}

// fingers from the index to the little finger, slightly bent and spread as in a hand at ease.
func fingers() []finger {
	return []finger{
		{vec{0.0300, 0.090, 0.000}, 9, [3]float64{10, 14, 8}, [3]float64{0.040, 0.024, 0.019},
			[4]float64{0.0100, 0.0090, 0.0082, 0.0072}},
		{vec{0.0098, 0.095, 0.001}, 2, [3]float64{12, 16, 9}, [3]float64{0.044, 0.028, 0.020},
			[4]float64{0.0102, 0.0092, 0.0084, 0.0074}},
		{vec{-0.0105, 0.091, 0.000}, -6, [3]float64{14, 18, 10}, [3]float64{0.041, 0.026, 0.020},
			[4]float64{0.0098, 0.0088, 0.0080, 0.0070}},
		{vec{-0.0290, 0.083, -0.002}, -15, [3]float64{15, 18, 10}, [3]float64{0.032, 0.019, 0.018},
			[4]float64{0.0086, 0.0077, 0.0070, 0.0062}},
	}
}

// joints returns the four ends of the finger's three bones.
func (f *finger) joints() []vec {
	points := []vec{f.knuckle}
	angle := 0.0
	sin, cos := math.Sincos(f.splay * math.Pi / 180)
	for k, l := range f.length {
		angle += f.bend[k] * math.Pi / 180
		dir := vec{sin * math.Cos(angle), cos * math.Cos(angle), -math.Sin(angle)}
		points = append(points, points[k].Add(dir.Mul(l)))
	}
	return points
}

// thumbJoints are the ends of the thumb's three bones in the hand's frame.
func thumbJoints() []vec {
	return []vec{{0.018, 0.020, -0.008}, {0.046, 0.052, -0.020}, {0.060, 0.080, -0.025}, {0.066, 0.104, -0.026}}
}

// hand is the left hand.
func hand() implicit.Shape {
	palm := implicit.Loft(upright(), sections([][7]float64{
		{-0.020, 0, 0, 0.0265, 0.0285, 0.0190, 0.0190},
		{0.010, 0, 0, 0.0275, 0.0285, 0.0175, 0.0190},
		{0.040, 0, 0, 0.0340, 0.0330, 0.0150, 0.0190},
		{0.070, 0, 0, 0.0385, 0.0385, 0.0125, 0.0160},
		{0.088, 0, 0, 0.0385, 0.0400, 0.0105, 0.0125},
	}))
	palm = implicit.Union(0.014, palm,
		blob(vec{0.028, 0.040, -0.012}, vec{0.017, 0.032, 0.015}, vec{0, 0, -38}), // thenar
		blob(vec{-0.025, 0.040, -0.010}, vec{0.013, 0.034, 0.012}, vec{0, 0, 6}),  // hypothenar
	)
	var digits []implicit.Shape
	for _, f := range fingers() {
		points := f.joints()
		root := f.knuckle.Sub(points[1].Sub(f.knuckle).Mul(0.45))
		digits = append(digits, implicit.Chain(0.004, append([]vec{root}, points...),
			append([]float64{f.radius[0]}, f.radius[:]...)))
	}
	thumb := implicit.Chain(0.006, thumbJoints(), []float64{0.0150, 0.0125, 0.0108, 0.0086})
	body := implicit.Union(0.012, palm, thumb)
	return implicit.Place(handFrame(), implicit.Union(0.009, body, implicit.Union(0.0012, digits...)))
}

// foot is the left foot, flat on the ground.
func foot() implicit.Shape {
	last := implicit.Loft(upright(), sections([][7]float64{
		{-0.048, 0, 0.034, 0.020, 0.020, 0.026, 0.030},
		{-0.030, 0, 0.036, 0.029, 0.029, 0.036, 0.034},
		{0.000, 0, 0.038, 0.033, 0.033, 0.046, 0.038},
		{0.040, 0.002, 0.036, 0.034, 0.035, 0.044, 0.036},
		{0.080, 0.002, 0.030, 0.038, 0.038, 0.035, 0.030},
		{0.115, 0.002, 0.024, 0.043, 0.043, 0.024, 0.024},
		{0.140, 0.001, 0.018, 0.045, 0.045, 0.018, 0.018},
		{0.158, 0.001, 0.014, 0.042, 0.042, 0.014, 0.014},
	}))
	instep := implicit.Chain(0.02, []vec{{0, -0.008, 0.090}, {-0.003, 0.040, 0.066}, {-0.010, 0.100, 0.030}},
		[]float64{0.034, 0.026, 0.016})
	heel := blob(vec{0, -0.034, 0.032}, vec{0.030, 0.030, 0.034}, vec{})
	arch := blob(vec{-0.048, 0.052, 0.002}, vec{0.024, 0.040, 0.018}, vec{})
	body := implicit.Carve(0.020, implicit.Union(0.022, last, instep, heel), arch)
	toe := func(x, from, to, y, r0, r1 float64) implicit.Shape {
		return implicit.Chain(0.004, []vec{{x * 0.92, from, y + 0.002}, {x, (from + to) / 2, y + 0.001},
			{x * 1.01, to, y - 0.002}}, []float64{r0, r0, r1})
	}
	toes := implicit.Union(0.0015,
		toe(-0.0285, 0.140, 0.194, 0.0150, 0.0150, 0.0130),
		toe(-0.0045, 0.150, 0.195, 0.0125, 0.0100, 0.0092),
		toe(0.0130, 0.148, 0.188, 0.0115, 0.0092, 0.0086),
		toe(0.0285, 0.140, 0.178, 0.0105, 0.0088, 0.0082),
		toe(0.0420, 0.130, 0.164, 0.0095, 0.0084, 0.0080),
	)
	body = implicit.Union(0.010, body, toes)
	// The half-space below the sole.
	ground := implicit.Shape{At: func(p vec) float64 { return p[2] }, Centre: vec{0, 0.06, -1}, Radius: 1.1}
	return implicit.Place(footFrame(), implicit.Carve(0.006, body, ground))
}
