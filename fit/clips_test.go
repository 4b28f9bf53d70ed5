package fit

import "testing"

// TestClipWhereNothingBends: a clip in which the best single joints leave nothing has an RMS error and no EE, what is
// within the rounding of kernels is no error, and what nobody sees, [metrics.LeastMotion], is not worse than linear
// blending, which is exact there.
func TestClipWhereNothingBends(t *testing.T) {
	moved := ClipError{rigid: 6e-7}
	for _, c := range []struct {
		rms         float64
		none, worse bool
	}{{1.2e-5, false, true}, {8e-6, false, false}, {9e-7, true, false}} {
		if moved.setFit(c.rms, 2*c.rms); (moved.EE == 0) != c.none || moved.EE.Known() != c.none || moved.Worse != c.worse {
			t.Errorf("RMS %g in a clip where nothing bends: %+v", c.rms, moved)
		}
	}
}

// TestManyWarnings: of many clips that got worse the first are named, and the others counted.
func TestManyWarnings(t *testing.T) {
	table := make(ClipTable, 3*mostWarned)
	for i := range table {
		table[i].Worse = i > 0
	}
	lines := table.Warnings()
	if len(lines) != mostWarned+1 || lines[mostWarned] != "15 more clips got worse, as the table says" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}
