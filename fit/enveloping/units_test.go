package enveloping

import (
	"context"
	"math"
	"testing"

	"skinlab/assets/demo"
)

// TestUnits: examples in millimetres, metres or light years are fitted as well, to 15 percent of the enveloping error: the ridges that hold
// clusters' transformations are a share of both their linear parts and their translations.
func TestUnits(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
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
	for _, unit := range []float64{1e-12, 1e-3, 1e3, 1e5, 1e12} {
		got := fit(unit)
		if !(math.Abs(got.EE-want.EE) <= 0.15*want.EE) || !(math.Abs(got.RMS/unit-want.RMS) <= 0.15*want.RMS) {
			t.Errorf("unit %g: EE %.3f %%, RMS %g; in metres %.3f %%, %g", unit, got.EE, got.RMS/unit, want.EE, want.RMS)
		}
	}
}
