package helperbones

import (
	"context"
	"testing"
	"time"
)

func TestProbe(t *testing.T) {
	for name, load := range map[string]func(testing.TB) *Examples{"arm": armExamples, "human": humanExamples} {
		x := load(t)
		t.Logf("%s: %d vertices, %d joints, %d examples, rig %.3f mm", name, len(x.Rest), x.Primaries(), len(x.Targets),
			1e3*x.RMS(x.Rigged, nil))
		for _, prior := range []bool{false, true} {
			for _, h := range []int{0, 1, 2, 4, 8} {
				start := time.Now()
				d, err := Decompose(context.Background(), x, Options{Bones: h, PriorWeights: prior})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("prior %v %d: %d bones, %.3f mm (%.3f), %d steps, reason %d, %v", prior, h, len(d.Motions), 1e3*d.RMS,
					1e3*x.RMS(d.Weights, d.Motions), len(d.History), d.Reason, time.Since(start))
			}
		}
	}
}
