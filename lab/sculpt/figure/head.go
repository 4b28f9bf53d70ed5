package figure

import "skinlab/lab/sculpt/implicit"

// head is the skull with face and ears.
func head() implicit.Shape {
	return implicit.Union(0.006, implicit.Both(0, ear()), face())
}

// face is the skull with the face: forehead, brow, eyes, nose, mouth, chin.
func face() implicit.Shape {
	skull := blob(vec{0, 1.660, 0.008}, vec{0.0760, 0.090, 0.099}, vec{-10, 0, 0})
	mask := implicit.Loft(upright(), []implicit.Section{
		round(1.524, 0.066, 0.020, 0.032, 0.030, 2.1),
		round(1.534, 0.062, 0.032, 0.042, 0.040, 2.2),
		round(1.550, 0.054, 0.044, 0.048, 0.050, 2.2),
		round(1.572, 0.046, 0.051, 0.056, 0.050, 2.15),
		round(1.596, 0.040, 0.056, 0.061, 0.050, 2.15),
		round(1.620, 0.034, 0.062, 0.066, 0.050, 2.2),
		round(1.645, 0.028, 0.064, 0.072, 0.060, 2.25),
		round(1.668, 0.022, 0.062, 0.080, 0.060, 2.2),
	})
	form := implicit.Union(0.045, skull, mask)

	brow := implicit.Chain(0.01, []vec{{0.006, 1.661, 0.0985}, {0.028, 1.667, 0.0935}, {0.050, 1.660, 0.074}},
		[]float64{0.007, 0.008, 0.007})
	cheek := implicit.Chain(0.02, []vec{{0.034, 1.610, 0.073}, {0.052, 1.617, 0.048}, {0.066, 1.625, 0.012}},
		[]float64{0.0145, 0.0115, 0.0070})
	jaw := implicit.Chain(0.02, []vec{{0.052, 1.590, 0.010}, {0.047, 1.558, 0.026}, {0.022, 1.534, 0.078}},
		[]float64{0.012, 0.012, 0.010})
	chin := blob(vec{0, 1.534, 0.092}, vec{0.018, 0.012, 0.014}, vec{})
	under := blob(vec{0, 1.550, 0.040}, vec{0.038, 0.020, 0.048}, vec{-14, 0, 0})
	form = implicit.Union(0.022, form, under, implicit.Both(0.008, brow), implicit.Both(0, cheek),
		implicit.Both(0.005, jaw), chin)

	socket := blob(vec{0.0335, 1.643, 0.113}, vec{0.019, 0.0125, 0.019}, vec{0, 24, -4})
	form = implicit.Carve(0.014, form, implicit.Both(0.006, socket))
	// The eye is at rest: the ball with the upper lid lowered over it, forms that the mesh can carry.
	eye := implicit.Union(0.0035,
		blob(vec{0.0328, 1.6385, 0.0838}, vec{0.0150, 0.0120, 0.0138}, vec{0, 18, -2}),
		blob(vec{0.0328, 1.6435, 0.0852}, vec{0.0172, 0.0092, 0.0144}, vec{-14, 18, -3}))
	form = implicit.Union(0.0045, form, implicit.Both(0, eye))

	wing := blob(vec{0.0105, 1.6045, 0.1065}, vec{0.0080, 0.0080, 0.0115}, vec{20, 20, 0})
	nose := implicit.Union(0.014,
		implicit.Chain(0.012, []vec{{0, 1.655, 0.0975}, {0, 1.632, 0.1080}, {0, 1.6095, 0.1185}},
			[]float64{0.0080, 0.0095, 0.0105}),
		implicit.Cone(vec{0, 1.6050, 0.1150}, vec{0, 1.5990, 0.1040}, 0.0070, 0.0070),
		implicit.Both(0.008, wing))
	form = implicit.Union(0.012, form, nose)

	mouth := blob(vec{0, 1.568, 0.086}, vec{0.032, 0.024, 0.022}, vec{})
	form = implicit.Union(0.018, form, mouth)
	philtrum := implicit.Cone(vec{0, 1.590, 0.1135}, vec{0, 1.581, 0.1150}, 0.0015, 0.0025)
	form = implicit.Carve(0.005, form, philtrum)
	upper := implicit.Chain(0.004, []vec{{0.0270, 1.5662, 0.0935}, {0.0150, 1.5710, 0.1025}, {0.0045, 1.5745, 0.1070},
		{0, 1.5735, 0.1075}}, []float64{0.0032, 0.0046, 0.0050, 0.0050})
	lower := implicit.Chain(0.004, []vec{{0.0255, 1.5635, 0.0930}, {0.0130, 1.5595, 0.1025}, {0, 1.5583, 0.1052}},
		[]float64{0.0034, 0.0056, 0.0062})
	return implicit.Union(0.006, form, implicit.Union(0.0020, implicit.Both(0.002, upper), implicit.Both(0.002, lower)))
}

// ear is a tilted shell with a rim round a hollow.
func ear() implicit.Shape {
	shell := blob(vec{0.0765, 1.629, 0.002}, vec{0.0075, 0.0310, 0.0185}, vec{-12, -22, -6})
	lobe := implicit.Ball(vec{0.0715, 1.602, 0.008}, 0.0080)
	hollow := blob(vec{0.0855, 1.631, 0.006}, vec{0.0070, 0.0180, 0.0100}, vec{-12, -22, -6})
	return implicit.Carve(0.008, implicit.Union(0.010, shell, lobe), hollow)
}
