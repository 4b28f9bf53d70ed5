package fault

import (
	"fmt"
	"testing"
)

// TestNotes: the same warning is kept once, and warnings beyond the room are counted.
func TestNotes(t *testing.T) {
	var n Notes
	for range 3 {
		n.Add("accessor %d is odd", 7)
	}
	if got := n.Lines(); len(got) != 1 {
		t.Errorf("%d lines of one warning: %q", len(got), got)
	}
	for i := range 2 * MaxNotes {
		n.Add("node %d is odd", i)
	}
	got := n.Lines()
	if want := fmt.Sprintf("%d more warnings", MaxNotes+1); len(got) != MaxNotes+1 || got[MaxNotes] != want {
		t.Errorf("%d lines, the last %q, expected %q", len(got), got[len(got)-1], want)
	}
}
