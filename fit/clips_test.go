package fit

import "testing"

// TestClipWhereNothingBends: a clip in which the best single joints leave nothing has an RMS error and no EE, and what
// is within the rounding of kernels is no error.
func TestClipWhereNothingBends(t *testing.T) {
	moved := ClipError{rigid: 6e-7}
	if moved.setFit(1.2e-6, 2e-6); moved.EE.Known() || !moved.Worse {
		t.Errorf("1.2e-6 in a clip where nothing bends: %+v", moved)
	}
	if moved.setFit(9e-7, 2e-6); moved.EE != 0 || moved.Worse {
		t.Errorf("rounding in a clip where nothing bends: %+v", moved)
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
