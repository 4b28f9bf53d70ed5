package fit

import "testing"

// TestClipWhereNothingBends: a clip in which the best single joints leave nothing has an RMS error and no EE, and what is
// within the rounding of kernels is no error.
func TestClipWhereNothingBends(t *testing.T) {
	moved := ClipError{LBSEE: 0, LBSRMS: 0, rigid: 6e-7}
	if moved.setFit(1.2e-6, 2e-6); moved.EE.Known() || !moved.Worse {
		t.Errorf("1.2e-6 in a clip where nothing bends: %+v", moved)
	}
	if moved.setFit(9e-7, 2e-6); moved.EE != 0 || moved.Worse {
		t.Errorf("rounding in a clip where nothing bends: %+v", moved)
	}
}
