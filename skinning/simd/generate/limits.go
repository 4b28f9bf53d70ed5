package main

// The limits of the iterations for the intrinsic mean. This block is copied into package skinning, see [ratiosInGo].
const (
	// A step of [intrinsicMean] ends the iteration when the mean is off by less than this half angle, in radians: four
	// times the rounding of one sum, and far below what a position shows.
	intrinsicTolerance = 4e-7
	// Motions farther apart than Newton's method bears take many smaller steps. Opposite motions, whose mean is undefined,
	// never end.
	intrinsicLimit = 32
	// Up to this determinant of M a step is the mean itself, which is the iteration of Kavan et al.
	intrinsicSingular = 0.05
	// Up to this determinant of M the dual part is not solved for.
	intrinsicFlat = 1e-6
	// From this cosine on [nearKappa] and [nearGamma] hold: half angles up to 60 degrees.
	nearCosine = 0.5
	// The square of an axis is at least this: opposite motions, whose logarithm has no axis, get a finite one.
	leastAxis = 1e-14

	// A step of [blendMean] ends the iteration when the mean is off by less than this half angle, in radians. A point
	// moves by twice this fraction of its distance from the bone, and mostly by far less, as the next step squares the
	// error.
	blendTolerance = 2e-10
	// From the linear blend three steps nearly always do. Motions that need more are so far apart that the float64
	// reference decides.
	blendSteps = 8
	// Up to this 1 − cos of a half angle, motions turned by 91 degrees from their mean, [blendKappa] and [blendGamma]
	// hold.
	blendReach = 0.3
	// Up to this determinant of the derivative the float64 reference decides.
	blendRegular = 0.05
)
