package blendbones

import (
	"math/rand/v2"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestDisorderedWeights: where every vertex follows four joints chosen by chance, each is a set of its own, and
// candidates are still no more than the bound says; a model as it is has all of them.
func TestDisorderedWeights(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	tries := func() (sum, sets int) {
		frames, err := ofClip(m, 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		s := &solver{data: prepare(&Problem{Model: m, Operator: skinning.DQS, Frames: frames}, skinning.DQS, ours,
			new(Options))}
		s.collectCandidates()
		for i := range s.gains {
			for _, k := range s.gains[i].sets {
				sum += len(s.sets[k].vertices)
			}
		}
		return sum, len(s.sets)
	}
	const asItIs = 947_827 // counted without a bound
	if sum, _ := tries(); sum != asItIs {
		t.Errorf("%d tries, expected all %d", sum, asItIs)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for v := range m.Skin.Bindings {
		b := &m.Skin.Bindings[v]
		for k, j := range r.Perm(len(m.Skeleton.Joints))[:4] {
			b.Joints[k], b.Weights[k] = uint16(j), 0.25
		}
	}
	most := max(leastTries, triesPerVertex*len(m.Skin.Positions))
	if sum, sets := tries(); sum > most || sum < most/2 || sets < 5000 {
		t.Errorf("%d sets, %d tries, expected at most %d", sets, sum, most)
	}
}
