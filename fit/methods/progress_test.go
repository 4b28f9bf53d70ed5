package methods

import (
	"bytes"
	"strings"
	"testing"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
)

// A fit is heard of from its start on: without a model while training poses are prepared, then with one.
func TestProgressFromTheStart(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	var log bytes.Buffer
	job := blendJob(m, 1, training.Part{})
	show, _, end := fit.ShowProgress(&log)
	var heard []fit.Progress
	job.Progress = func(p fit.Progress) {
		heard = append(heard, p)
		show(p)
	}
	mustRun(t, job)
	end()
	if len(heard) < 2 || heard[0].Now.Model != nil || heard[len(heard)-1].Now.Model == nil {
		t.Fatalf("%d reports, the first with a model %v", len(heard), heard[0].Now.Model != nil)
	}
	for k := 1; k < len(heard); k++ {
		if heard[k].Now.Model == nil && heard[k-1].Now.Model != nil {
			t.Errorf("report %d has no model, and the one before it has", k)
		}
	}
	// A line for every state: preparing, no bone, one, which is being refined.
	if lines := strings.Count(log.String(), "\n"); lines != 3 || !strings.HasPrefix(log.String(), "preparing") {
		t.Errorf("%d lines:\n%s", lines, log.String())
	}
}
