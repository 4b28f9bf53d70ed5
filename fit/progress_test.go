package fit

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A log has a line for every state, not for every report of it; a terminal is written on in place and left below it.
func TestStatusLine(t *testing.T) {
	show := func(s *statusLine) {
		s.show("a", "a 1")
		s.show("a", "a 2")
		s.show("b", "b 3")
		s.end()
	}
	var log, terminal bytes.Buffer
	show(newStatusLine(&log))
	if log.String() != "a 1\nb 3\n" {
		t.Errorf("a log holds %q", log.String())
	}
	show(&statusLine{out: &terminal, terminal: true})
	if n := bytes.Count(terminal.Bytes(), []byte("\r")); n != 3 || terminal.Len() != 3*(1+statusWidth)+1 {
		t.Errorf("a terminal gets %d lines in %q", n, terminal.String())
	}
	var none bytes.Buffer
	newStatusLine(&none).end()
	if none.Len() != 0 {
		t.Errorf("nothing shown ends with %q", none.String())
	}
}

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
