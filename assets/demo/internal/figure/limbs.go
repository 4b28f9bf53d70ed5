package figure

import "skinlab/assets/demo/internal/implicit"

// section is a loft section with all four radii.
func section(t, x, z, left, right, front, back float64) implicit.Section {
	return implicit.Section{T: t, X: x, Z: z, Left: left, Right: right, Front: front, Back: back, Power: 2.1}
}

// arm is the left arm from the shoulder to the wrist. In its frame left is the armpit's side, front the biceps.
func arm() implicit.Shape {
	limb := implicit.Loft(armFrame(), []implicit.Section{
		section(-0.010, 0, 0, 0.040, 0.038, 0.042, 0.042),
		section(0.050, 0, 0, 0.044, 0.042, 0.044, 0.044),
		section(0.110, 0, 0, 0.042, 0.040, 0.043, 0.045),
		section(0.170, 0, 0, 0.039, 0.038, 0.043, 0.043),
		section(0.220, 0, -0.002, 0.036, 0.036, 0.039, 0.038),
		section(0.260, 0, -0.005, 0.035, 0.037, 0.035, 0.035),
		section(0.285, 0, -0.007, 0.036, 0.039, 0.034, 0.034),
		section(0.320, 0, -0.004, 0.038, 0.042, 0.036, 0.035),
		section(0.360, 0, 0.000, 0.037, 0.041, 0.037, 0.035),
		section(0.410, 0, 0.005, 0.032, 0.034, 0.034, 0.032),
		section(0.460, 0, 0.008, 0.026, 0.027, 0.030, 0.028),
		section(0.510, 0, 0.010, 0.0215, 0.0220, 0.0285, 0.0265),
		section(0.537, 0, 0.010, 0.0200, 0.0205, 0.0285, 0.0270),
		section(0.560, 0, 0.010, 0.0190, 0.0180, 0.0290, 0.0280),
	})
	f := armFrame()
	muscles := []implicit.Shape{
		blob(vec{0.020, 0.040, 0.000}, vec{0.042, 0.078, 0.052}, vec{0, 0, 6}),  // deltoid
		blob(vec{0.000, 0.150, 0.020}, vec{0.030, 0.085, 0.030}, vec{0, 0, 0}),  // biceps
		blob(vec{0.006, 0.140, -0.022}, vec{0.032, 0.085, 0.028}, vec{0, 0, 0}), // triceps
		blob(vec{0.018, 0.320, 0.012}, vec{0.024, 0.075, 0.024}, vec{0, 0, -4}), // brachioradialis
		blob(vec{-0.014, 0.340, 0.000}, vec{0.024, 0.070, 0.026}, vec{0, 0, 4}), // flexors
		blob(vec{0.008, 0.286, -0.032}, vec{0.014, 0.020, 0.012}, vec{0, 0, 0}), // elbow
		blob(vec{0.012, 0.518, -0.010}, vec{0.008, 0.014, 0.009}, vec{0, 0, 0}), // head of the ulna
	}
	all := []implicit.Shape{limb}
	for _, m := range muscles {
		all = append(all, implicit.Place(f, m))
	}
	return implicit.Union(0.022, all...)
}

// leg is the left leg from the hip to the ankle. In its frame left is the inner side.
func leg() implicit.Shape {
	limb := implicit.Loft(legFrame(), []implicit.Section{
		section(-0.040, 0, 0, 0.050, 0.056, 0.040, 0.056),
		section(0.030, 0, 0.004, 0.078, 0.076, 0.074, 0.082),
		section(0.090, 0, 0.008, 0.082, 0.080, 0.086, 0.082),
		section(0.160, 0, 0.012, 0.078, 0.079, 0.088, 0.076),
		section(0.240, 0, 0.014, 0.069, 0.072, 0.079, 0.067),
		section(0.320, 0, 0.013, 0.059, 0.061, 0.067, 0.058),
		section(0.385, 0, 0.010, 0.053, 0.053, 0.058, 0.051),
		section(0.430, 0, 0.006, 0.048, 0.048, 0.053, 0.048),
		section(0.475, 0, 0.000, 0.046, 0.047, 0.047, 0.052),
		section(0.530, 0, -0.006, 0.049, 0.053, 0.043, 0.061),
		section(0.580, 0, -0.010, 0.049, 0.052, 0.041, 0.062),
		section(0.650, 0, -0.013, 0.040, 0.042, 0.038, 0.050),
		section(0.720, 0, -0.014, 0.031, 0.033, 0.034, 0.039),
		section(0.780, 0, -0.012, 0.028, 0.029, 0.033, 0.034),
		section(0.830, 0, -0.008, 0.029, 0.030, 0.036, 0.036),
		section(0.860, 0, -0.006, 0.028, 0.029, 0.036, 0.036),
	})
	f := legFrame()
	muscles := []implicit.Shape{
		blob(vec{0.018, 0.190, 0.040}, vec{0.040, 0.150, 0.042}, vec{0, 0, 0}),    // rectus femoris and vastus lateralis
		blob(vec{-0.026, 0.345, 0.026}, vec{0.026, 0.055, 0.030}, vec{0, 0, -8}),  // vastus medialis
		blob(vec{0.000, 0.220, -0.032}, vec{0.048, 0.140, 0.036}, vec{0, 0, 0}),   // hamstrings
		blob(vec{-0.030, 0.090, -0.005}, vec{0.042, 0.110, 0.055}, vec{0, 0, 6}),  // adductors
		blob(vec{-0.020, 0.545, -0.042}, vec{0.026, 0.078, 0.028}, vec{0, 0, -4}), // gastrocnemius, inner head
		blob(vec{0.022, 0.530, -0.038}, vec{0.025, 0.072, 0.027}, vec{0, 0, 4}),   // outer head
		blob(vec{0.000, 0.424, 0.046}, vec{0.021, 0.028, 0.016}, vec{0, 0, 0}),    // kneecap
		blob(vec{0.000, 0.478, 0.033}, vec{0.013, 0.026, 0.013}, vec{0, 0, 0}),    // below it
		blob(vec{-0.027, 0.822, -0.006}, vec{0.009, 0.014, 0.013}, vec{0, 0, 0}),  // inner ankle
		blob(vec{0.028, 0.832, -0.014}, vec{0.009, 0.015, 0.012}, vec{0, 0, 0}),   // outer ankle
	}
	all := []implicit.Shape{limb}
	for _, m := range muscles {
		all = append(all, implicit.Place(f, m))
	}
	return implicit.Union(0.022, all...)
}
