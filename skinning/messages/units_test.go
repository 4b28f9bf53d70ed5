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
