package blendbones

import (
	"context"
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
		r := newRun(context.Background(), &Problem{Model: m, Operator: skinning.DQS, Frames: frames}, Options{Workers: 2})
		for _, c := range r.candidates() {
			for _, k := range c.sets {
				sum += len(r.in.sets[k].vertices)
			}
		}
		return sum, len(r.in.sets)
	}
	most := mostTries * len(m.Skin.Positions)
	if sum, _ := tries(); sum > most*9/10 {
		t.Errorf("%d tries of a character, near the bound of %d", sum, most)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for v := range m.Skin.Bindings {
		b := &m.Skin.Bindings[v]
		for k, j := range r.Perm(len(m.Skeleton.Joints))[:4] {
			b.Joints[k], b.Weights[k] = uint16(j), 0.25
		}
	}
	if sum, sets := tries(); sum > most || sum < most/2 || sets < 5000 {
		t.Errorf("%d sets, %d tries, expected at most %d", sets, sum, most)
	}
}
