package rig

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// withRandomKeys gives a rig predictors of one or two terms and of one joint's shear or two, some of which turn far
// past a full turn, and prepares it.
func withRandomKeys(r *rand.Rand, rig *Enveloping) {
	j := len(rig.Masters)
	for l := range rig.Keys {
		k := &rig.Keys[l]
		k.Terms = nil
		for range 1 + r.IntN(2) {
			w := geom.Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
			u := 1.2 * r.NormFloat64()
			if r.IntN(8) == 0 {
				u *= 20
			}
			k.Terms = append(k.Terms, RotationTerm{Joint: r.IntN(j), U: u, W: w})
		}
		k.First, k.Second = r.IntN(j), r.IntN(j+1)-1
		for n := range k.Shear {
			for f := range k.Shear[n] { // that of no second joint counts for nothing
				k.Shear[n][f] = r.NormFloat64()
			}
		}
	}
	rig.Prepare()
}

// TestKeyKernel holds the kernel against [GradientKey.At]: to 1e-13 of the features' size, as W, turns and shears are
// some ten roundings each. It leaves few keys to that.
func TestKeyKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	left, all := 0, 0
	for round := range 200 {
		m := randomEnvelope(t, skinningtest.RandomModel(3, 1+round%7, 2, uint64(round)), 1+round%9, uint64(round))
		rig := envelopeOf(m)
		withRandomKeys(r, rig)
		pose := skinningtest.TurnedPose(r, m, []float64{0, 1e-9, 1, math.Pi}[round%4], round%3 == 0, round%6 == 0)
		for _, level := range simd.Levels() {
			f := skinning.NewFrame(m, nil)
			f.UseLevel(level)
			f.SetPose(pose)
			s := driveProxies(f, level)
			for l := range rig.Keys {
				want := rig.Keys[l].At(rig.Parents, &s.turns)
				for n, w := range want {
					got := s.d[3*(len(rig.Keys)*(n/3)+l)+n%3]
					if !(math.Abs(got-w) <= 1e-13*(1+math.Pi*10)) {
						t.Fatalf("round %d, %v: key %d, entry %d is %g, expected %g", round, level, l, n, got, w)
					}
				}
				if level != simd.Scalar {
					all++
					left += int(s.scratch.failed[l/simd.DriveLanes] >> (l % simd.DriveLanes) & 1)
				}
			}
		}
	}
	if left > all/8 || left == 0 && all > 0 {
		t.Errorf("of %d keys the kernel left %d over, expected a few that turn far", all, left)
	}
}

// TestKeyGroupsAllocateNothing: also where keys are left over.
func TestKeyGroupsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	m := randomEnvelope(t, skinningtest.RandomModel(3, 7, 2, 1), 9, 2)
	withRandomKeys(r, envelopeOf(m))
	f := skinning.NewFrame(m, nil)
	f.SetPose(skinningtest.TurnedPose(r, m, 3, false, false))
	was := slices.Clone(f.Matrices)
	if n := testing.AllocsPerRun(10, f.DriveRigs); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !slices.Equal(was, f.Matrices) {
		t.Error("proxies that are driven again have moved")
	}
}
