package messages

import "testing"

// TestReportUnit: lengths of a file that is no sensible size in metres are percentages.
func TestReportUnit(t *testing.T) {
	for metres, want := range map[float64]string{0.0099: "% of the diagonal", 0.01: "mm", 2.2: "mm", 100: "mm",
		155: "% of the diagonal", 0: "% of the diagonal"} {
		name, per := ReportUnit(metres)
		if perDiagonal := map[string]float64{"mm": 1e3 * metres, "% of the diagonal": 100}[want]; name != want || per != perDiagonal {
			t.Errorf("distances on %g m are in %s, %g a diagonal; expected %s, %g", metres, name, per, want, perDiagonal)
		}
	}
}

// TestReportNumber: three digits without exponents; what is rounding is 0, and what is small is said to be.
func TestReportNumber(t *testing.T) {
	for _, c := range []struct {
		fraction, perDiagonal float64
		want                  string
	}{
		{1e-10, 1e3, "0"}, {2e-9, 1e3, "< 0.0001"}, {1.234e-3, 1e3, "1.23"}, {0.9994, 1e3, "999"}, {0.9996, 1e3, "1000"},
		{0.0051, 1e6, "5100"}, {0.045001, 1e6, "45001"},
	} {
		if got := ReportNumber(c.fraction, c.perDiagonal); got != c.want {
			t.Errorf("%g of %g: %s, expected %s", c.fraction, c.perDiagonal, got, c.want)
		}
	}
}
