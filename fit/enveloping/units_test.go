package enveloping

import (
	"context"
	"testing"

	"skinlab/assets/demo"
)

// TestUnits: examples in any unit are fitted alike, to the bit where the unit is a power of two, which rounds nothing.
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
	for _, unit := range []float64{1.0 / (1 << 40), 1.0 / 1024, 1024, 1 << 40} {
		got := fit(unit)
		if got.EE != want.EE || got.RMS/unit != want.RMS {
			t.Errorf("unit %g: EE %.3f %%, RMS %g; in metres %.3f %%, %g", unit, got.EE, got.RMS/unit, want.EE, want.RMS)
		}
	}
}
