// Package arm models the solid of demo:arm: a right arm that points along +x from the shoulder at x = 0, biceps up
// (+y), the lateral side, deltoid and back of the hand, towards +z, thumb up: the forearm half-way between palm up and
// palm down. The generator of the built-in models runs it offline.
package arm

import (
	"skinlab/lab/sculpt/implicit"

	"github.com/go-gl/mathgl/mgl64"
)

// vec is short for the tables below: metres along the arm, to the flexor side, to the lateral side.
func vec(x, y, z float64) mgl64.Vec3 { return mgl64.Vec3{x, y, z} }

// wholeArm is the limb with its hand.
func wholeArm() implicit.Shape {
	limb := implicit.Union(0.018, core(), deltoid(), upperArm(), elbow(), forearm())
	return implicit.Union(0.010, limb, hand())
}

// core is the limb by its outlines from above and from the side. The cross-section changes from the upper arm, which is
// deep and narrow, to the elbow, which is broad between the epicondyles, and to the wrist, whose broad side is turned
// by another quarter turn.
func core() implicit.Shape {
	frame := implicit.Frame{Axis: vec(1, 0, 0), Side: vec(0, 0, 1), Face: vec(0, 1, 0)}
	// Left is medial, Right lateral, Front the flexor (thumb) side, Back the extensor (little finger) side.
	return implicit.Loft(frame, []implicit.Section{
		{T: 0.000, X: 0.000, Z: 0.000, Left: 0.042, Right: 0.046, Front: 0.052, Back: 0.050, Power: 2.0},
		{T: 0.050, X: 0.000, Z: 0.000, Left: 0.043, Right: 0.046, Front: 0.050, Back: 0.050, Power: 2.0},
		{T: 0.110, X: -0.002, Z: 0.000, Left: 0.041, Right: 0.042, Front: 0.043, Back: 0.047, Power: 2.0},
		{T: 0.170, X: -0.002, Z: -0.001, Left: 0.038, Right: 0.038, Front: 0.039, Back: 0.046, Power: 2.0},
		{T: 0.230, X: -0.001, Z: -0.001, Left: 0.037, Right: 0.036, Front: 0.038, Back: 0.042, Power: 2.0},
		{T: 0.290, X: 0.000, Z: -0.001, Left: 0.037, Right: 0.037, Front: 0.035, Back: 0.037, Power: 2.0},
		{T: 0.340, X: 0.000, Z: 0.000, Left: 0.040, Right: 0.039, Front: 0.033, Back: 0.036, Power: 2.2},
		{T: 0.390, X: 0.000, Z: 0.002, Left: 0.039, Right: 0.038, Front: 0.035, Back: 0.034, Power: 2.1},
		{T: 0.450, X: 0.000, Z: 0.002, Left: 0.034, Right: 0.033, Front: 0.034, Back: 0.031, Power: 2.0},
		{T: 0.510, X: 0.000, Z: 0.001, Left: 0.027, Right: 0.026, Front: 0.030, Back: 0.028, Power: 2.0},
		{T: 0.560, X: 0.000, Z: 0.001, Left: 0.0215, Right: 0.0205, Front: 0.027, Back: 0.0255, Power: 2.1},
		{T: 0.595, X: 0.000, Z: 0.001, Left: 0.0195, Right: 0.0185, Front: 0.0265, Back: 0.0265, Power: 2.3},
		{T: 0.625, X: 0.000, Z: 0.001, Left: 0.0185, Right: 0.0165, Front: 0.028, Back: 0.029, Power: 2.4},
	})
}

// deltoid is the cap of the shoulder: three heads that run together at the insertion on the lateral side of the upper
// arm.
func deltoid() implicit.Shape {
	insertion := vec(0.178, 0.003, 0.030)
	return implicit.Union(0.014,
		strand([]mgl64.Vec3{vec(0.010, 0.008, 0.016), vec(0.060, 0.008, 0.022), vec(0.110, 0.006, 0.025), insertion}, 0.040,
			0.040, 0.030, 0.010),
		strand([]mgl64.Vec3{vec(0.012, 0.022, 0.002), vec(0.060, 0.024, 0.008), vec(0.110, 0.017, 0.019), insertion}, 0.036,
			0.035, 0.025, 0.009),
		strand([]mgl64.Vec3{vec(0.012, -0.018, 0.004), vec(0.060, -0.020, 0.010), vec(0.110, -0.012, 0.020), insertion},
			0.036, 0.035, 0.025, 0.009),
	)
}

// upperArm: biceps above, the two visible heads of the triceps below.
func upperArm() implicit.Shape {
	biceps := strand([]mgl64.Vec3{
		vec(0.095, 0.014, -0.006), vec(0.150, 0.019, -0.004), vec(0.205, 0.022, -0.002), vec(0.255, 0.021, 0.000),
		vec(0.305, 0.020, 0.001), vec(0.352, 0.015, 0.003),
	}, 0.016, 0.0265, 0.0310, 0.0255, 0.0135, 0.008)
	lateral := strand([]mgl64.Vec3{vec(0.085, -0.018, 0.012), vec(0.140, -0.026, 0.018), vec(0.190, -0.026, 0.017),
		vec(0.245, -0.024, 0.010), vec(0.320, -0.024, 0.000)},
		0.016, 0.0235, 0.0235, 0.0175, 0.012)
	long := strand([]mgl64.Vec3{vec(0.050, -0.016, -0.012), vec(0.110, -0.025, -0.013), vec(0.180, -0.027, -0.012),
		vec(0.250, -0.024, -0.008), vec(0.320, -0.023, -0.002)},
		0.020, 0.0255, 0.0265, 0.0195, 0.012)
	return implicit.Union(0.010, biceps, implicit.Union(0.007, lateral, long))
}

// elbow: the olecranon below, the epicondyles at the sides.
func elbow() implicit.Shape {
	return implicit.Union(0.012,
		strand([]mgl64.Vec3{vec(0.330, -0.024, -0.002), vec(0.356, -0.0265, -0.002), vec(0.400, -0.022, 0.000),
			vec(0.450, -0.018, 0.000)}, 0.011, 0.0130, 0.0095, 0.008),
		implicit.Ball(vec(0.334, -0.003, -0.031), 0.0110),
		implicit.Ball(vec(0.336, -0.003, 0.030), 0.010),
	)
}

// forearm: brachioradialis and the radial extensors from the lateral ridge of the upper arm to the thumb side of the
// wrist, the flexors from the medial epicondyle, the extensors along the back, the head of the ulna at the wrist.
func forearm() implicit.Shape {
	return implicit.Union(0.012,
		strand([]mgl64.Vec3{vec(0.285, 0.004, 0.024), vec(0.335, 0.012, 0.026), vec(0.385, 0.019, 0.022),
			vec(0.440, 0.020, 0.013), vec(0.510, 0.016, 0.004), vec(0.590, 0.012, 0.001)},
			0.009, 0.0175, 0.0230, 0.0200, 0.0130, 0.009),
		strand([]mgl64.Vec3{vec(0.325, 0.000, -0.026), vec(0.375, 0.005, -0.024), vec(0.430, 0.005, -0.018),
			vec(0.500, 0.001, -0.011), vec(0.580, 0.000, -0.007)},
			0.012, 0.0215, 0.0225, 0.0165, 0.010),
		strand([]mgl64.Vec3{vec(0.335, -0.008, 0.025), vec(0.385, -0.010, 0.021), vec(0.440, -0.010, 0.015),
			vec(0.510, -0.007, 0.008), vec(0.580, -0.004, 0.005)},
			0.011, 0.0185, 0.0185, 0.0135, 0.009),
		implicit.Ball(vec(0.587, -0.0160, 0.0080), 0.0105),
	)
}

// strand is a round body along a smooth curve through the points, with a given radius at each point. It serves for a
// muscle with its tendons, or for a finger. Curve and radius are Catmull-Rom splines, divided so finely that the pieces
// cannot be seen.
func strand(points []mgl64.Vec3, radii ...float64) implicit.Shape {
	const cuts = 6
	at := func(i int) (mgl64.Vec3, float64) {
		i = max(0, min(len(points)-1, i))
		return points[i], radii[i]
	}
	var p []mgl64.Vec3
	var r []float64
	for i := 0; i+1 < len(points); i++ {
		p0, r0 := at(i - 1)
		p1, r1 := at(i)
		p2, r2 := at(i + 1)
		p3, r3 := at(i + 2)
		for k := range cuts {
			u := float64(k) / cuts
			w := [4]float64{-u * (1 - u) * (1 - u) / 2, 1 - u*u*(5-3*u)/2, u * (1 + u*(4-3*u)) / 2, -u * u * (1 - u) / 2}
			p = append(p, p0.Mul(w[0]).Add(p1.Mul(w[1])).Add(p2.Mul(w[2])).Add(p3.Mul(w[3])))
			r = append(r, w[0]*r0+w[1]*r1+w[2]*r2+w[3]*r3)
		}
	}
	last, lastRadius := at(len(points) - 1)
	return implicit.Chain(0, append(p, last), append(r, lastRadius))
}
