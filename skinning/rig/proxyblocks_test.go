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

// parted sets some blocks of a rig's matrices to 0, as where the skin is in pieces, and packs what is left.
func parted(r *rand.Rand, rig *Enveloping, share float64) {
	for _, m := range []struct {
		c       []float64
		blocks  int
		columns int
	}{{rig.C1, len(rig.Keys), keyTerms}, {rig.C2, len(rig.Masters), masterTerms}} {
		for b := range rig.Proxies {
			for block := range m.blocks {
				if r.Float64() >= share {
					continue
				}
				for row := 4 * b; row < 4*b+4; row++ {
					at := (row*m.blocks + block) * m.columns
					clear(m.c[at : at+m.columns])
				}
			}
		}
	}
	rig.Prepare()
}

// TestProxyKernels holds the kernels of all levels against the product of the whole matrices, for odd and even numbers
// of proxies, in pieces and not: to rounding of sums of up to 100 terms, as a share of the sum of their magnitudes.
func TestProxyKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for round := range 60 {
		m := randomEnvelope(t, skinningtest.RandomModel(3, 1+round%7, 2, uint64(round)), 1+round%9, uint64(round))
		rig := envelopeOf(m)
		parted(r, rig, []float64{0, 0.5, 0.95, 1}[round%4])
		pose := skinningtest.TurnedPose(r, m, 2, round%3 == 0, false)
		for _, level := range simd.Levels() {
			f := skinning.NewFrame(m, nil)
			f.UseLevel(level)
			f.SetPose(pose)
			d, want := driveProxies(f, level), slices.Clone(f.Matrices)
			d.EnvelopingDriver.Solve(rig, want)
			size := 0.0
			for _, x := range [][]float64{d.d, d.q} {
				for _, v := range x {
					size += math.Abs(v)
				}
			}
			for b, j := range rig.Proxies {
				if d := skinningtest.MaxDiff(f.Matrices[j][:], want[j][:]); !(d <= 1e-14*size) { // of entries near 1
					t.Fatalf("round %d, %v: proxy %d is off by %g of %g", round, level, b, d, size)
				}
				if err := checkRounded(f, j); err != nil {
					t.Fatalf("round %d, %v: %v", round, level, err)
				}
			}
		}
	}
}

// TestPrepared: blocks hold what is not 0, and a copy of a rig that has others does without until it has its own.
func TestPrepared(t *testing.T) {
	m := randomEnvelope(t, skinningtest.RandomModel(3, 4, 2, 1), 4, 2)
	rig := envelopeOf(m)
	clear(rig.C1)
	rig.Prepare()
	if n := len(rig.prepared.blocks.coefficients); n != len(rig.C2) {
		t.Errorf("%d numbers, expected the %d of c2", n, len(rig.C2))
	}
	other := *rig
	other.C2 = make([]float64, len(rig.C2))
	if other.ready(simd.AVX2) != nil {
		t.Error("a copy is driven by what was made of another rig")
	}
	other.Prepare()
	if other.ready(simd.AVX2) == nil || other.ready(simd.Scalar) != nil {
		t.Error("a copy that was prepared is not driven by what was made of it, or without a kernel")
	}
	keys := other.Keys
	other.Keys = keys[:1]
	if other.ready(simd.AVX2) != nil {
		t.Error("a rig with fewer keys is driven by what was made of more")
	}
	other.Keys = keys
	model := *m
	model.Rigs = []skinning.Rig{&other}
	f := skinning.NewFrame(&model, nil)
	if got := f.Matrices[other.Proxies[0]]; got != (geom.Affine{}) {
		t.Errorf("a proxy of zeros alone is at %v", got)
	}
}
