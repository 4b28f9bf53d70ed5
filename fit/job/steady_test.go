package job

import (
	"testing"
	"time"

	"skinlab/fit/blendbones"
)

// TestSteady: a solver that reports twice in half a second is heard at least five times a second, in order and never
// after its end.
func TestSteady(t *testing.T) {
	var heard []blendbones.Progress
	report, stop := steady(func(p blendbones.Progress) { heard = append(heard, p) }, reportPause, laterBlendBones)
	report(blendbones.Progress{EE: 30})
	time.Sleep(500 * time.Millisecond)
	report(blendbones.Progress{EE: 20, Elapsed: 500 * time.Millisecond})
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
		if heard[k].Elapsed < heard[k-1].Elapsed-50*time.Millisecond || heard[k].EE > heard[k-1].EE {
			t.Errorf("report %d, EE %g after %v, follows EE %g after %v", k, heard[k].EE, heard[k].Elapsed, heard[k-1].EE,
				heard[k-1].Elapsed)
		}
	}
	if last := heard[n-1]; last.EE != 20 {
		t.Errorf("the last report has EE %g, expected the solver's 20", last.EE)
	}
	if r, stop := steady(nil, reportPause, laterBlendBones); r != nil {
		t.Error("no progress function becomes one")
	} else {
		stop()
	}
}
