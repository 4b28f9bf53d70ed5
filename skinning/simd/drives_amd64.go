package simd

// Split takes matrices apart into records, four per group, in float64. A joint of very uneven scale, or
// near singular, has its bit set in Failed: its rotation takes singular values, and its record is worth nothing.
func Split(d *Drive, groups []SplitGroup, scaled bool) {
	if len(groups) == 0 {
		return
	}
	scales := 0
	if scaled {
		scales = 1
	}
	splitAVX2(&groups[0].Matrix[0], len(groups), &d.Matrices[0], &d.Records.Real[0], d.Failed, scales)
}

// BlendDual writes the matrices of blend bones by dual quaternion skinning, where scaled after the blended scales. The
// matrix of a bone with its bit set in Failed is worth nothing: its blend has no length.
func BlendDual(d *Drive, groups []BlendGroup, scaled bool) {
	if len(groups) == 0 {
		return
	}
	if scaled {
		blendScaleDualAVX2(&groups[0].Master[0][0], len(groups),
			&d.Matrices[0], &d.Records.Real[0], d.Failed, d.Rounded, d.Packed)
	} else {
		blendDualAVX2(&groups[0].Master[0][0], len(groups),
			&d.Matrices[0], &d.Records.Real[0], d.Failed, d.Rounded, d.Packed)
	}
}

// BlendMean is BlendDual by the intrinsic mean, after the blended scales. A bone with its bit set in Failed has
// motions too far apart for Newton's method.
func BlendMean(d *Drive, groups []BlendGroup) {
	if len(groups) == 0 {
		return
	}
	blendMeanAVX2(&groups[0].Master[0][0], len(groups),
		&d.Matrices[0], &d.Records.Real[0], d.Failed, d.Rounded, d.Packed)
}

// BlendCenter is BlendDual by spherical blend skinning, with one centre group for each group. A bone with its bit set
// in Failed has a centre that takes eigenvectors.
func BlendCenter(d *Drive, groups []BlendGroup, centers []CenterGroup) {
	if len(groups) == 0 {
		return
	}
	_ = centers[len(groups)-1]
	blendCenterAVX2(&groups[0].Master[0][0], len(groups),
		&d.Matrices[0], &d.Records.Real[0], d.Failed, d.Rounded, d.Packed, &centers[0].Matrix[0][0])
}

// SolveProxies writes the matrices of proxy bones, c₁·d + c₂·q, by the kernel of a level above Scalar.
func SolveProxies(level Level, p *Proxies) {
	if level == AVX512 {
		solveProxiesAVX512(p.Program, p.Pairs, p.Coefficients, p.Q, p.D, p.StrideQ, p.StrideD, &p.Matrices[0], p.Rounded,
			p.Packed)
		return
	}
	solveProxiesAVX2(p.Program, p.Pairs, p.Coefficients, p.Q, p.D, p.StrideQ, p.StrideD, &p.Matrices[0], p.Rounded,
		p.Packed)
}

// PredictKeys writes what groups predict of joints. A predictor with its bit set in failed, which has a bit for each
// lane of each group, turns past a full turn or reads a joint whose other vector counts: its gradient is worth nothing.
func PredictKeys(groups []KeyGroup, records []TurnRecord, gradients []Gradients, failed []uint8) {
	if len(groups) == 0 {
		return
	}
	_, _ = gradients[len(groups)-1], failed[len(groups)-1]
	predictKeysAVX2(&groups[0].Turn[0][0], len(groups), &records[0].Frame[0], &gradients[0][0][0], &failed[0])
}
