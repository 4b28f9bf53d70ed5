package figure

import "skinlab/lab/sculpt/implicit"

// sections are loft sections from a table: distance, x and z of the centre, radii to the left, right, front and back.
func sections(rows [][7]float64) []implicit.Section {
	out := make([]implicit.Section, len(rows))
	for i, r := range rows {
		out[i] = implicit.Section{T: r[0], X: r[1], Z: r[2], Left: r[3], Right: r[4], Front: r[5], Back: r[6], Power: 2.1}
	}
	return out
}

// limb is a loft with muscles on it, which are modelled in its frame.
func limb(f implicit.Frame, rows [][7]float64, muscles []implicit.Shape) implicit.Shape {
	all := []implicit.Shape{implicit.Loft(f, sections(rows))}
	for _, m := range muscles {
		all = append(all, implicit.Place(f, m))
	}
	return implicit.Union(0.022, all...)
}

// arm is the left arm from the shoulder to the wrist. In its frame left is the armpit's side, front the biceps.
func arm() implicit.Shape {
	return limb(armFrame(), [][7]float64{
		{-0.010, 0, 0, 0.040, 0.038, 0.042, 0.042},
		{0.050, 0, 0, 0.044, 0.042, 0.044, 0.044},
		{0.110, 0, 0, 0.042, 0.040, 0.043, 0.045},
		{0.170, 0, 0, 0.039, 0.038, 0.043, 0.043},
		{0.220, 0, -0.002, 0.036, 0.036, 0.039, 0.038},
		{0.260, 0, -0.005, 0.035, 0.037, 0.035, 0.035},
		{0.285, 0, -0.007, 0.036, 0.039, 0.034, 0.034},
		{0.320, 0, -0.004, 0.038, 0.042, 0.036, 0.035},
		{0.360, 0, 0.000, 0.037, 0.041, 0.037, 0.035},
		{0.410, 0, 0.005, 0.032, 0.034, 0.034, 0.032},
		{0.460, 0, 0.008, 0.026, 0.027, 0.030, 0.028},
		{0.510, 0, 0.010, 0.0215, 0.0220, 0.0285, 0.0265},
		{0.537, 0, 0.010, 0.0200, 0.0205, 0.0285, 0.0270},
		{0.560, 0, 0.010, 0.0190, 0.0180, 0.0290, 0.0280},
	}, []implicit.Shape{
		blob(vec{0.020, 0.040, 0.000}, vec{0.042, 0.078, 0.052}, vec{0, 0, 6}),  // deltoid
		blob(vec{0.000, 0.150, 0.020}, vec{0.030, 0.085, 0.030}, vec{0, 0, 0}),  // biceps
		blob(vec{0.006, 0.140, -0.022}, vec{0.032, 0.085, 0.028}, vec{0, 0, 0}), // triceps
		blob(vec{0.018, 0.320, 0.012}, vec{0.024, 0.075, 0.024}, vec{0, 0, -4}), // brachioradialis
		blob(vec{-0.014, 0.340, 0.000}, vec{0.024, 0.070, 0.026}, vec{0, 0, 4}), // flexors
		blob(vec{0.008, 0.286, -0.032}, vec{0.014, 0.020, 0.012}, vec{0, 0, 0}), // elbow
		blob(vec{0.012, 0.518, -0.010}, vec{0.008, 0.014, 0.009}, vec{0, 0, 0}), // head of the ulna
	})
}

// leg is the left leg from the hip to the ankle. In its frame left is the inner side.
func leg() implicit.Shape {
	return limb(legFrame(), [][7]float64{
		{-0.040, 0, 0, 0.050, 0.056, 0.040, 0.056},
		{0.030, 0, 0.004, 0.078, 0.076, 0.074, 0.082},
		{0.090, 0, 0.008, 0.082, 0.080, 0.086, 0.082},
		{0.160, 0, 0.012, 0.078, 0.079, 0.088, 0.076},
		{0.240, 0, 0.014, 0.069, 0.072, 0.079, 0.067},
		{0.320, 0, 0.013, 0.059, 0.061, 0.067, 0.058},
		{0.385, 0, 0.010, 0.053, 0.053, 0.058, 0.051},
		{0.430, 0, 0.006, 0.048, 0.048, 0.053, 0.048},
		{0.475, 0, 0.000, 0.046, 0.047, 0.047, 0.052},
		{0.530, 0, -0.006, 0.049, 0.053, 0.043, 0.061},
		{0.580, 0, -0.010, 0.049, 0.052, 0.041, 0.062},
		{0.650, 0, -0.013, 0.040, 0.042, 0.038, 0.050},
		{0.720, 0, -0.014, 0.031, 0.033, 0.034, 0.039},
		{0.780, 0, -0.012, 0.028, 0.029, 0.033, 0.034},
		{0.830, 0, -0.008, 0.029, 0.030, 0.036, 0.036},
		{0.860, 0, -0.006, 0.028, 0.029, 0.036, 0.036},
	}, []implicit.Shape{
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
	})
}
