package ssdr

import "skinlab/skinning/geom"

// Published returns Algorithm 1 of HBR.
func Published() *Recipe {
	return &Recipe{
		NewBone:       atWorstPoint, // section 4.3
		RoundsBetween: 1,            // lines 4 to 7
		Sweeps:        1,            // section 4.2
		Thorough:      1,            // section 4.1
		Rounds:        60,           // lines 9 to 12: until an error threshold, which the paper does not give. These two
		Enough:        5e-4,         // bounds are beyond what changes the third digit of the error
	}
}

// atWorstPoint is the insertion of section 4.3: the rigid motion of the point of largest error (equation 7) and of its
// one-ring. Points whose error is rounding get no bone.
func atWorstPoint(s *Solver, barred []bool, _ int) (motion []geom.Affine, point int) {
	worst := s.worstPoints(barred, 1)
	if len(worst) == 0 {
		return nil, 0
	}
	return s.rigid(s.patches(worst)[0]), worst[0]
}
