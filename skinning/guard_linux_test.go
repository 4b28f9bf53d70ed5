package skinning_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// The kernel that takes joints apart stays inside of its groups, the matrices, the records and the flags.
func TestSplitStaysInside(t *testing.T) {
	level, _ := simd.Default()
	if level == simd.Scalar {
		t.Skip("no kernel on this machine")
	}
	r := rand.New(rand.NewPCG(41, 42))
	for _, joints := range []int{1, 2, 4, 5, 12, 16, 17, 33} {
		m := skinningtest.RandomModel(3, joints, 1, 1)
		var all []int
		for j := range joints {
			all = append(all, j)
		}
		f, p := skinning.NewFrame(m, nil), skinning.NewJointSplitter(&m.Skeleton, all, level)
		f.SetPose(skinningtest.TurnedPose(r, m, 0.5, true, false))
		want := slices.Clone(p.Records(f, true))
		for _, after := range []bool{false, true} {
			mem := skinningtest.GuardedMemory{T: t, After: after}
			f.Matrices = skinningtest.Guarded(mem, f.Matrices)
			p.Move(func(g []simd.SplitGroup) []simd.SplitGroup { return skinningtest.Guarded(mem, g) },
				func(b []uint8) []uint8 { return skinningtest.Guarded(mem, b) },
				func(r []simd.JointRecord) []simd.JointRecord { return skinningtest.Guarded(mem, r) })
			if got := p.Records(f, true); !slices.Equal(got, want) {
				t.Errorf("%d joints: other parts", joints)
			}
		}
	}
}
