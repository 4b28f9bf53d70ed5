package blendbones

import (
	"context"
	"testing"
	"time"

	"skinlab/internal/assetstest"
	"skinlab/internal/cputime"
	"skinlab/internal/longtest"
	"skinlab/skinning"
)

// TestManyBones: four times as many bones take no more than eight times as long, and still lower the error. They take
// 5.3 to 5.9 times as long; linear would be four times, the square 16. With one direction in a u-step, 160 bones have
// an EE of 0.25 %.
func TestManyBones(t *testing.T) {
	longtest.Only(t)
	onlyNumbers(t)
	m := assetstest.Open(t, "Knight.glb")
	frames, err := ofClip(m, 5, 12)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{m, skinning.DQS, frames}
	var took [2]time.Duration
	for i, c := range []struct {
		bones int
		most  float64 // EE, percent
	}{{40, 0.8}, {160, 0.2}} {
		took[i] = cputime.Of(func() {
			r, err := Solve(context.Background(), p, Options{MaxBones: c.bones})
			if err != nil {
				t.Fatal(err)
			}
			if got := measure(t, p, r.Rig); len(r.Rig.Bones) != c.bones || !(got <= c.most) {
				t.Errorf("%d bones, EE %.3f", len(r.Rig.Bones), got)
			}
		})
	}
	t.Logf("40 bones: %v, 160: %v", took[0], took[1])
	if !(took[1] <= 8*took[0]) {
		t.Errorf("40 bones take %v, 160 take %v", took[0], took[1])
	}
}
