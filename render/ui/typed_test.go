package ui

import "testing"

// TestTypedNumbers reads numbers as people type them.
func TestTypedNumbers(t *testing.T) {
	percent := Track{Least: 0.01, Most: 0.5, Unit: 100}
	whole := Track{Least: 2, Most: 40, Step: 1}
	steps := Track{Most: 3, Step: 1, Shown: []float64{0, 2, 3, 10}} // a fit's steps, shown by their bones
	for _, c := range []struct {
		track Track
		text  string
		want  float64
		ok    bool
	}{
		{percent, "25", 0.25, true}, {percent, "12,5 %", 0.125, true}, {percent, " 99 ", 0.5, true}, {percent, "-3", 0.01, true},
		{percent, "", 0, false}, {percent, "%", 0, false}, {percent, "1 2", 0, false}, {percent, "1e999", 0, false},
		{percent, "NaN", 0, false},
		{whole, "7.6", 8, true}, {whole, "1e9", 40, true}, {whole, "0", 2, true},
		{steps, "2", 1, true}, {steps, "7", 3, true}, {steps, "100", 3, true}, {steps, "0", 0, true},
	} {
		if got, ok := c.track.fromShown(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q on %+v is %g, %v, expected %g, %v", c.text, c.track, got, ok, c.want, c.ok)
		}
	}
	for x, want := range map[float64]string{0.1 + 0.2: "0.3", 1060.3412: "1060.34", 0.00025: "0.00025", 4096: "4096",
		-1.5: "-1.5"} {
		if got := inDigits(x); got != want {
			t.Errorf("%g is shown as %q, expected %q", x, got, want)
		}
	}
}
