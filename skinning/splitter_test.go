package skinning_test

import (
	"math/rand/v2"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// The kernel takes scaled and mirrored joints apart itself: as SetRigidPart and SetScalePart do, and it leaves few.
func TestSplitOfScaledJoints(t *testing.T) {
	if level, _ := simd.Default(); level == simd.Scalar {
		t.Skip("no kernel")
	}
	r := rand.New(rand.NewPCG(37, 38))
	m := skinningtest.RandomModel(3, 8, 2, 1)
	joints := []int{0, 1, 2, 3, 4, 5, 6, 7}
	left := 0
	for round := range 500 {
		p := skinning.NewJointSplitter(&m.Skeleton, joints, simd.AVX2)
		f := skinning.NewFrame(m, nil)
		f.SetPose(skinningtest.TurnedPose(r, m, 3, true, round%3 == 1))
		records := p.Records(f, true)
		f.UseLevel(simd.Scalar)
		for _, j := range joints {
			if p.Failed()[j/simd.DriveLanes]>>(j%simd.DriveLanes)&1 != 0 {
				left++
			}
			got, rigid := &records[j], f.Rigid()[j]
			if got.Real[3]*rigid.Real[3] < 0 { // a half turn may have either sign
				rigid = rigid.Scale(-1)
			}
			size := 1 + f.Matrices[j].Translation().Len()
			// Rounding, times the inverse of polarUneven and the scales, which grow along the chain.
			off := max(skinningtest.MaxDiff(got.Real[:], rigid.Real[:]), skinningtest.MaxDiff(got.Dual[:], rigid.Dual[:]),
				skinningtest.MaxDiff(got.Scale[:], f.Scale()[j][:]))
			if !(off <= 1e-12*size) {
				t.Fatalf("round %d: joint %d of %v is off by %g", round, j, f.Matrices[j], off)
			}
		}
	}
	if left > 4 {
		t.Errorf("of 4000 joints the kernel left %d over", left)
	}
}
