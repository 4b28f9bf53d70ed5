package simd

import "fmt"

// wide tells whether a kernel with forms for AVX2 and AVX-512 runs in the latter; it has no others.
func wide(kernel string, level Level) bool {
	if level != AVX2 && level != AVX512 {
		panic(fmt.Sprintf("simd: %s: no %v form", kernel, level))
	}
	return level == AVX512
}

// Scan returns the largest joint of the bindings of a number of groups, which must be within a palette before a kernel
// may read it. It writes to counts the largest number of influences of each group, 1 to 4.
func Scan(bindings *uint16, counts *uint8, groups int) (joint int) {
	return int(scanAVX2(bindings, counts, groups))
}

// LargestSet returns the largest centre set of a number of groups, which must be within the centres before a kernel may
// read them.
func LargestSet(sets *uint32, groups int) int { return int(largestSetAVX2(sets, groups)) }

// Signs fills the table of hemispheres of a number of joints: entry [pivot·stride + joint] is the number of the joint,
// plus opposite where its quaternion in the palette and the pivot's are in two hemispheres.
//
// Quaternions are five runs of stride floats: by joint the four components of a unit quaternion, then the sign, 1 or
// −1, by which it is multiplied in the palette. Two quaternions are in one hemisphere if their product is not below
// tie. Stride is a multiple of [SignsStep] and no less than joints; joints plus opposite fit 16 bits.
func Signs(table *uint16, quaternions *float32, joints, stride, opposite int, tie float32) {
	signsAVX2(table, quaternions, joints, stride, opposite, tie)
}

// Entries copies the bindings of a number of groups and replaces every joint but the pivot by its entry in the pivot's
// row of the table of [Signs], so that a kernel reads the opposite motion where that is in the pivot's hemisphere. Row
// is the bytes of a row.
func Entries(to, bindings, table *uint16, row, groups int) {
	entriesAVX2(to, bindings, table, row, groups)
}

// Linear is linear blend skinning: positions get Σ w_k·M_k·rest, normals sign(det)·cofactor of the same blended matrix
// times restNormals. An entry of the palette is a row-major 3×4 matrix, then its first row again.
func Linear(level Level, v *Vertices) {
	if wide("Linear", level) {
		linearAVX512(v)
	} else {
		linearAVX2(v)
	}
}

// Dual is dual quaternion skinning: by the motion of Σ w_k·q̂_k, of any length. An entry of the palette begins with a
// unit dual quaternion, real part first.
func Dual(level Level, v *Vertices) {
	if wide("Dual", level) {
		dualAVX512(v)
	} else {
		dualAVX2(v)
	}
}

// ScaleDual is [Linear] with the palette Scales, whose entries are symmetric in their first three columns as a polar
// decomposition makes them, then [Dual].
func ScaleDual(level Level, v *Vertices) {
	if wide("ScaleDual", level) {
		scaleDualAVX512(v)
	} else {
		scaleDualAVX2(v)
	}
}

// Iterative is [Linear] with the palette Scales, or without where that is nil, then by the intrinsic mean of the
// motions that [Dual] sums.
func Iterative(level Level, v *Vertices) {
	if wide("Iterative", level) {
		iterativeAVX512(v)
	} else {
		iterativeAVX2(v)
	}
}

// Spherical is spherical blend skinning: Q(rest − c) + Σ w_k·M_k·c, Q the rotation of Σ w_k·q_k. An entry of the
// palette is a joint's rigid part, as a matrix, and its quaternion.
func Spherical(level Level, v *Vertices) {
	if wide("Spherical", level) {
		sphericalAVX512(v)
	} else {
		sphericalAVX2(v)
	}
}

// SphericalOwn is [Spherical] about a centre of each vertex: there is one in Centers for each, and Sets is not read.
func SphericalOwn(level Level, v *Vertices) {
	if wide("SphericalOwn", level) {
		sphericalOwnAVX512(v)
	} else {
		sphericalOwnAVX2(v)
	}
}

// SphericalScaled is [SphericalOwn] after the palette Scales, as [ScaleDual] reads it, has blended linearly what is
// posed: positions, normals and centres.
func SphericalScaled(level Level, v *Vertices) {
	if wide("SphericalScaled", level) {
		sphericalScaledAVX512(v)
	} else {
		sphericalScaledAVX2(v)
	}
}

// TwistSwing is [Dual] with the palette's accumulated twists, then [Linear] with the palette Swings. A sum of twists
// that may have no direction is told by Short, and its vertex holds no result. Twists are summed by TwistBindings,
// where there are such; the counts are then the larger of both.
func TwistSwing(level Level, v *Vertices) {
	sixteen, two := wide("TwistSwing", level), v.TwistBindings != nil
	switch {
	case sixteen && two:
		twistSwingOfTwoAVX512(v)
	case sixteen:
		twistSwingAVX512(v)
	case two:
		twistSwingOfTwoAVX2(v)
	default:
		twistSwingAVX2(v)
	}
}

// Split takes matrices apart into records, four per group, in float64; the records have scales if scaled is set. A
// joint of very uneven scale, or near singular, has its bit set in Failed: its rotation takes singular values, and its
// record holds no result.
func Split(d *Drive, groups []SplitGroup, scaled bool) {
	if len(groups) == 0 {
		return
	}
	scales := 0
	if scaled {
		scales = 1
	}
	splitAVX2(&groups[0], len(groups), d, scales)
}

// BlendDual writes the matrices of blend bones by dual quaternion skinning; if scaled is set, after the blended scales.
// A bone whose blend has no length has its bit set in Failed, and its matrix holds no result.
func BlendDual(d *Drive, groups []BlendGroup, scaled bool) {
	switch {
	case len(groups) == 0:
	case scaled:
		blendScaleDualAVX2(&groups[0], len(groups), d)
	default:
		blendDualAVX2(&groups[0], len(groups), d)
	}
}

// BlendMean is BlendDual by the intrinsic mean, after the blended scales. A bone with its bit set in Failed has
// motions too far apart for Newton's method.
func BlendMean(d *Drive, groups []BlendGroup) {
	if len(groups) > 0 {
		blendMeanAVX2(&groups[0], len(groups), d)
	}
}

// BlendCenter is BlendDual by spherical blend skinning, with one centre group for each group. A bone with its bit set
// in Failed has a centre that takes eigenvectors.
func BlendCenter(d *Drive, groups []BlendGroup, centers []CenterGroup) {
	if len(groups) > 0 {
		_ = centers[len(groups)-1]
		blendCenterAVX2(&groups[0], len(groups), d, &centers[0])
	}
}

// SolveProxies writes the matrices of proxy bones, c₁·d + c₂·q (RTER equation 6).
func SolveProxies(level Level, p *Proxies) {
	if wide("SolveProxies", level) {
		solveProxiesAVX512(p)
	} else {
		solveProxiesAVX2(p)
	}
}

// PredictKeys writes the gradients that groups of predictors find (RTER section 3). Failed has a bit for each lane of
// each group: a predictor whose bit is set turns past a full turn or reads a joint whose other vector counts, and its
// gradient holds no result.
func PredictKeys(groups []KeyGroup, records []TurnRecord, gradients []Gradients, failed []uint8) {
	if len(groups) > 0 {
		_, _ = gradients[len(groups)-1], failed[len(groups)-1]
		predictKeysAVX2(&groups[0], len(groups), &records[0], &gradients[0], &failed[0])
	}
}
