package figure

import "skinlab/lab/sculpt/implicit"

// torso is the trunk from the crotch to the base of the neck with its muscles, both sides.
func torso() implicit.Shape {
	trunk := implicit.Loft(upright(), []implicit.Section{
		round(0.858, 0.008, 0.070, 0.054, 0.050, 2.2),
		round(0.885, 0.010, 0.125, 0.068, 0.072, 2.2),
		round(0.920, 0.010, 0.154, 0.080, 0.088, 2.3),
		round(0.960, 0.010, 0.157, 0.092, 0.084, 2.3),
		round(1.010, 0.010, 0.146, 0.091, 0.072, 2.3),
		round(1.070, 0.012, 0.133, 0.085, 0.064, 2.3),
		round(1.110, 0.013, 0.130, 0.081, 0.064, 2.3),
		round(1.160, 0.013, 0.134, 0.081, 0.073, 2.3),
		round(1.220, 0.009, 0.145, 0.089, 0.086, 2.35),
		round(1.280, 0.004, 0.156, 0.099, 0.097, 2.4),
		round(1.330, -0.003, 0.162, 0.096, 0.098, 2.4),
		round(1.380, -0.010, 0.158, 0.080, 0.087, 2.4),
		round(1.420, -0.016, 0.130, 0.060, 0.068, 2.2),
		round(1.455, -0.018, 0.080, 0.046, 0.052, 2.1),
	})
	half := []implicit.Shape{
		// pectoralis
		blob(vec{0.076, 1.326, 0.054}, vec{0.084, 0.072, 0.038}, vec{-17, 16, 14}),
		// below the collar bone
		implicit.Cone(vec{0.030, 1.388, 0.034}, vec{0.145, 1.390, 0.010}, 0.036, 0.036),
		// latissimus and the side of the rib cage
		blob(vec{0.106, 1.255, -0.022}, vec{0.046, 0.130, 0.060}, vec{-9, 0, -8}),
		// shoulder blade
		blob(vec{0.086, 1.345, -0.070}, vec{0.060, 0.085, 0.030}, vec{-6, -18, 10}),
		// trapezius: neck to shoulder, and down the back
		implicit.Cone(vec{0.024, 1.508, -0.030}, vec{0.165, 1.440, -0.018}, 0.026, 0.026),
		implicit.Cone(vec{0.025, 1.470, -0.045}, vec{0.110, 1.400, -0.055}, 0.032, 0.034),
		// the shoulder girdle, filling the pit behind the collar bone
		blob(vec{0.098, 1.416, 0.000}, vec{0.082, 0.032, 0.046}, vec{0, 0, -5}),
		// rectus abdominis
		implicit.Chain(0.03, []vec{{0.040, 1.220, 0.068}, {0.038, 1.100, 0.062}, {0.026, 0.925, 0.058}},
			[]float64{0.028, 0.029, 0.026}),
		// external oblique above the hip
		blob(vec{0.104, 1.010, 0.010}, vec{0.042, 0.056, 0.064}, vec{0, 0, 0}),
		// gluteus maximus and medius
		blob(vec{0.074, 0.892, -0.052}, vec{0.072, 0.082, 0.060}, vec{14, 0, 8}),
		blob(vec{0.116, 0.935, -0.015}, vec{0.050, 0.065, 0.070}, vec{0, 0, 0}),
	}
	all := []implicit.Shape{trunk,
		blob(vec{0, 0.892, 0.034}, vec{0.048, 0.046, 0.046}, vec{}),              // pubic mound
		implicit.Cone(vec{0, 0.874, 0.030}, vec{0, 0.870, -0.050}, 0.028, 0.028), // between the legs
	}
	for _, s := range half {
		all = append(all, implicit.Both(0.02, s))
	}
	body := implicit.Union(0.052, all...)

	clavicle := implicit.Chain(0.01,
		[]vec{{0.020, 1.419, 0.032}, {0.070, 1.427, 0.038}, {0.120, 1.437, 0.022}, {0.165, 1.438, -0.004}},
		[]float64{0.011, 0.009, 0.009, 0.012})
	body = implicit.Union(0.030, body, implicit.Both(0, clavicle))

	sternum := implicit.Chain(0.02, []vec{{0, 1.385, 0.090}, {0, 1.330, 0.121}, {0, 1.250, 0.124}},
		[]float64{0.010, 0.018, 0.016})
	belly := implicit.Chain(0.02, []vec{{0, 1.225, 0.116}, {0, 1.100, 0.112}, {0, 1.040, 0.116}},
		[]float64{0.012, 0.014, 0.010})
	back := implicit.Chain(0.02, []vec{{0, 1.390, -0.112}, {0, 1.270, -0.118}, {0, 1.130, -0.078}, {0, 1.030, -0.080},
		{0, 0.985, -0.094}},
		[]float64{0.008, 0.015, 0.016, 0.014, 0.008})
	body = implicit.Carve(0.044, body, sternum, back, belly)
	cleft := implicit.Chain(0.02, []vec{{0, 0.965, -0.112}, {0, 0.900, -0.134}, {0, 0.848, -0.100}},
		[]float64{0.003, 0.012, 0.010})
	body = implicit.Carve(0.020, body, cleft)
	navel := blob(vec{0, 1.052, 0.108}, vec{0.006, 0.009, 0.012}, vec{})
	return implicit.Carve(0.010, body, navel)
}

// neck joins the trunk to the head, with the two sternocleidomastoid muscles.
func neck() implicit.Shape {
	column := implicit.Chain(0.02, []vec{{0, 1.420, -0.022}, {0, 1.500, -0.008}, {0, 1.590, 0.012}},
		[]float64{0.060, 0.053, 0.053})
	muscle := implicit.Chain(0.01, []vec{{0.056, 1.600, 0.000}, {0.040, 1.510, 0.022}, {0.014, 1.426, 0.036}},
		[]float64{0.010, 0.012, 0.008})
	throat := implicit.Cone(vec{0, 1.508, 0.040}, vec{0, 1.490, 0.044}, 0.010, 0.008)
	return implicit.Union(0.022, column, implicit.Both(0.01, muscle), throat)
}
