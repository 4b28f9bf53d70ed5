package fit

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"skinlab/skinning"
)

// A log has one line of the baking, whatever it takes.
func TestBakingProgress(t *testing.T) {
	var log bytes.Buffer
	progress, end := BakingProgress(&log)
	progress(0, 3)
	progress(1, 3)
	end()
	if text := log.String(); !strings.HasPrefix(text, "baking clip 1 of 3 ") || strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
}

// A fit that adds no bones does not speak of any.
func TestProgressLine(t *testing.T) {
	for added, want := range map[int]string{0: "EE   8.500 %  all clips     2.0 s",
		1: "  1 bone   EE   8.500 %  all clips     2.0 s", 12: " 12 bones  EE   8.500 %  all clips     2.0 s"} {
		p := Progress{Stage: "all clips", Now: Step{Added: added, EE: 8.5, Elapsed: 2 * time.Second,
			Model: func() *skinning.Model { return nil }}}
		if got := p.line(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestSteady: a solver that reports twice in half a second is heard at least five times a second, in order and never
// after its end.
func TestSteady(t *testing.T) {
	var heard []Progress
	report, stop := steady(func(p Progress) { heard = append(heard, p) })
	report(Progress{Now: Step{EE: 30}})
	time.Sleep(500 * time.Millisecond)
	report(Progress{Now: Step{EE: 20, Elapsed: 500 * time.Millisecond}})
	stop()
	n := len(heard)
	time.Sleep(2 * reportPause)
	if len(heard) != n {
		t.Errorf("%d reports after the end", len(heard)-n)
	}
	if n < 4 { // two of the solver's, and two of the three that half a second has room for: a loaded machine may miss one
		t.Errorf("%d reports in half a second", n)
	}
	for k := 1; k < n; k++ {
		if heard[k].Now.Elapsed < heard[k-1].Now.Elapsed-50*time.Millisecond || heard[k].Now.EE > heard[k-1].Now.EE {
			t.Errorf("report %d, EE %g after %v, follows EE %g after %v", k, heard[k].Now.EE, heard[k].Now.Elapsed, heard[k-1].Now.EE,
				heard[k-1].Now.Elapsed)
		}
	}
	if last := heard[n-1]; last.Now.EE != 20 {
		t.Errorf("the last report has EE %g, expected the solver's 20", last.Now.EE)
	}
	if r, stop := steady(nil); r != nil {
		t.Error("no progress function becomes one")
	} else {
		stop()
	}
}

// TestPlainReport: the errors of the head say over which poses they are, since those of a clip below are over others.
func TestPlainReport(t *testing.T) {
	var text bytes.Buffer
	(&Report{Operator: "dqs", Frames: 25, EE: 3, Diagonal: 2}).WriteText(&text)
	if want := " from dqs over 25 training poses, influences "; !strings.Contains(text.String(), want) {
		t.Errorf("expected %q:\n%s", want, &text)
	}
}
