package fit

import (
	"runtime/debug"
	"testing"
)

// TestHolds: a fit is refused where it needs more than the memory limit, and no fit is where there is no limit.
func TestHolds(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	if err := Holds(1 << 50); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	debug.SetMemoryLimit(300e6)
	if err := Holds(300e6); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if Holds(300e6+1) == nil {
		t.Error("above the limit: no error")
	}
}
