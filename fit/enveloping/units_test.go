package enveloping

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning/geom"
)

// TestUnits: examples in any unit are fitted alike, to the bit where the unit is a power of two, which rounds nothing.
func TestUnits(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	fit := func(unit float64) Errors {
		x := carried(t, m)
		x.model = nil // its skeleton stays in metres
		for v := range x.Rest {
			x.Rest[v] = x.Rest[v].Mul(unit)
		}
		for i := range x.Pairs {
			for v, p := range x.Pairs[i].Target {
				x.Pairs[i].Target[v] = p.Mul(unit)
			}
			for j := range x.Pairs[i].Matrices {
				for row := range 3 {
					x.Pairs[i].Matrices[j][4*row+3] *= unit
				}
			}
		}
		r, err := Fit(context.Background(), x, Options{Proxies: 12})
		if err != nil {
			t.Fatalf("unit %g: %v", unit, err)
		}
		return r.Fit
	}
	want := fit(1)
	for _, unit := range []float64{1.0 / (1 << 40), 1.0 / 1024, 1024, 1 << 40} {
		got := fit(unit)
		if got.EE != want.EE || got.RMS/unit != want.RMS {
			t.Errorf("unit %g: EE %.3f %%, RMS %g; in metres %.3f %%, %g", unit, got.EE, got.RMS/unit, want.EE, want.RMS)
		}
	}
}

// TestWeights: trained weights follow the heavier of two examples of one pose that contradict each other, also where
// copies of vertices are welded. A vertex that one joint has at 0 and the other at 1 m, taught to be at 0 and at 1 m,
// goes to Σ wᵢ·yᵢ/Σ wᵢ, less what holds weights to the rig's.
func TestWeights(t *testing.T) {
	still, moved := geom.IdentityAffine(), geom.IdentityAffine()
	moved[3] = 1
	rest := []mgl64.Vec3{{}, {0, 1, 0}, {0, 0, 1}, {}}
	x := &Examples{Rest: rest, Triangles: [][3]uint32{{0, 1, 2}, {3, 2, 1}}, Parent: []int{-1, 0}, Weights: []float64{0.5, 1.5}}
	for i := range 2 {
		e := Example{Matrices: []geom.Affine{still, moved}}
		for _, p := range rest {
			e.Target = append(e.Target, p.Add(mgl64.Vec3{float64(i), 0, 0}))
		}
		x.Pairs = append(x.Pairs, e)
	}
	welded, of := x.welded()
	if len(welded.Rest) != 3 || of[3] != of[0] {
		t.Fatalf("%d vertices are left of four", len(welded.Rest))
	}
	for _, x := range []*Examples{x, welded} {
		s := trainSSD(x, 1)
		for v := range x.Rest {
			if got := blend(x.Pairs[0].Matrices, s.Weights[v], x.Rest[v]).Sub(x.Rest[v])[0]; !(math.Abs(got-0.75) <= 1e-6) {
				t.Errorf("vertex %d of %d goes to %g m, expected 0.75", v, len(x.Rest), got)
			}
		}
	}
}
