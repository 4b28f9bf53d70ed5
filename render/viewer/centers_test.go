package viewer

import (
	"strings"
	"testing"

	"skinlab/skinning"
)

// TestCentersInAWindow chooses cor: while its centres are found, the caption says how far that is, the window obeys, and
// another file opens, whose centres are found then. What was found of the old file does no harm.
func TestCentersInAWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:tube")
	w.tell("hold centres")
	const waits = "computing, 40 %"
	w.do(t, "key", "ctrl+2")
	w.until("the progress", func(s *Snapshot) bool { return s.State.Method() == skinning.COR && s.Title == waits })
	w.do(t, "key", "c")
	w.until("clay", func(s *Snapshot) bool { return s.State.Clay && s.Title == waits })
	w.tell("drop demo:box")
	w.until("another file", func(s *Snapshot) bool {
		return s.Model == "demo:box" && s.State.Method() == skinning.COR && s.Title == waits
	})
	w.tell("release centres")
	s := w.until("the centres", func(s *Snapshot) bool { return !strings.HasPrefix(s.Title, "computing") })
	if s.Model != "demo:box" || s.State.Method() != skinning.COR || s.Failure != "" {
		t.Errorf("%s by %v: %s", s.Model, s.State.Method(), s.Failure)
	}
}
