package job

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/fit/blendbones"
	"skinlab/skinning"
)

// A fit is heard of from its start on: without a rig while training poses are prepared, then with one.
func TestProgressFromTheStart(t *testing.T) {
	m, err := assets.Open("demo:box")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	show, end := Progress(&log)
	var heard []blendbones.Progress
	if _, err := Run(context.Background(), m, Spec{Method: "blend-bones", Operator: skinning.DQS, Bones: 1,
		Train: []Part{{}}, Test: -1},
		func(p blendbones.Progress) {
			heard = append(heard, p)
			show(p)
		}); err != nil {
		t.Fatal(err)
	}
	end()
	if len(heard) < 2 || heard[0].Rig != nil || heard[len(heard)-1].Rig == nil {
		t.Fatalf("%d reports, the first with rig %v", len(heard), heard[0].Rig)
	}
	for k := 1; k < len(heard); k++ {
		if heard[k].Rig == nil && heard[k-1].Rig != nil {
			t.Errorf("report %d has no rig, and the one before it has", k)
		}
	}
	// A line for every state: preparing, no bone, one.
	if lines := strings.Count(log.String(), "\n"); lines != 3 || !strings.HasPrefix(log.String(), "preparing") {
		t.Errorf("%d lines:\n%s", lines, log.String())
	}
}
