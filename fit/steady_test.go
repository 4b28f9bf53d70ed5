package fit

import (
	"testing"
	"time"
)

// TestSteady: a solver that reports twice in half a second is heard at least five times a second, in order and never
// after its end.
func TestSteady(t *testing.T) {
	var heard []Progress
	report, stop := steady(func(p Progress) { heard = append(heard, p) }, reportPause, later)
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
	if r, stop := steady[Progress](nil, reportPause, later); r != nil {
		t.Error("no progress function becomes one")
	} else {
		stop()
	}
}
