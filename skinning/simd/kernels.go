package simd

import "fmt"

// wide tells whether a kernel with forms for AVX2 and AVX-512 runs in the latter; it has no others.
func wide(kernel string, level Level) bool {
	if level != AVX2 && level != AVX512 {
		panic(fmt.Sprintf("simd: %s: no %v form", kernel, level))
	}
	return level == AVX512
}

// Scan looks at the bindings of a number of groups: it returns their largest joint, which must be within a palette
// before a kernel may read it, and writes to counts the largest number of influences of each group, 1 to 4.
func Scan(bindings *uint16, counts *uint8, groups int) (joint int) {
	return int(scanAVX2(bindings, counts, groups))
}

// LargestSet returns the largest centre set of a number of groups, which must be within the centres before a kernel may
// read them.
func LargestSet(sets *uint32, groups int) int { return int(largestSetAVX2(sets, groups)) }

// Signs fills the table of hemispheres for unit quaternions of a number of joints. Those in the palette are times a
// sign, 1 or −1: entry [pivot·stride + joint] is the joint where the palette's are in one hemisphere, and more by
// opposite where they are not. Two quaternions are in one hemisphere if their product is not below tie. They are by
// component, the sign the last, stride floats from one to the next; stride is a multiple of [SignsStep] and no less
// than joints, and joints plus opposite fit 16 bits.
func Signs(table *uint16, quaternions *float32, joints, stride, opposite int, tie float32) {
	signsAVX2(table, quaternions, joints, stride, opposite, tie)
}

// Entries copies the bindings of a number of groups and replaces every joint but the pivot by its entry in the pivot's
// row of the table of [Signs], so that a kernel reads the opposite motion where that is the neighbour. Row is the bytes
// of a row.
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
// palette is a joint's matrix and the quaternion of its rigid part. A centre is c, then −1 for the vertices of one
// joint alone, which follow its matrix as in [Linear], else 0.
func Spherical(level Level, v *Vertices) {
	if wide("Spherical", level) {
		sphericalAVX512(v)
	} else {
		sphericalAVX2(v)
	}
}

// Split takes matrices apart into records, four per group, in float64. A joint of very uneven scale, or near singular,
// has its bit set in Failed: its rotation takes singular values, and its record is worth nothing.
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

// BlendDual writes the matrices of blend bones by dual quaternion skinning, where scaled after the blended scales. The
// matrix of a bone with its bit set in Failed is worth nothing: its blend has no length.
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

// SolveProxies writes the matrices of proxy bones, c₁·d + c₂·q.
func SolveProxies(level Level, p *Proxies) {
	if wide("SolveProxies", level) {
		solveProxiesAVX512(p)
	} else {
		solveProxiesAVX2(p)
	}
}

// PredictKeys writes what groups predict of joints. A predictor with its bit set in failed, which has a bit for each
// lane of each group, turns past a full turn or reads a joint whose other vector counts: its gradient is worth nothing.
func PredictKeys(groups []KeyGroup, records []TurnRecord, gradients []Gradients, failed []uint8) {
	if len(groups) > 0 {
		_, _ = gradients[len(groups)-1], failed[len(groups)-1]
		predictKeysAVX2(&groups[0], len(groups), &records[0], &gradients[0], &failed[0])
	}
}
