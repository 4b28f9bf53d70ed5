package blendbones

import (
	"context"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestTargetsOfTwoSets: what a fit imitates of twist-swing is blended by both weight sets, as the reference has it: to
// 1e-12 m, the rounding of a shift to the frame's middle. By the first set alone the arm is millimetres away.
func TestTargetsOfTwoSets(t *testing.T) {
	m := *assetstest.Open(t, "demo:arm")
	twist, n := &skinning.Influences{}, len(m.Skin.Positions)
	for v := range n {
		twist.Append(m.Skin.Of(nil, (v+n/5)%n), 0)
	}
	m.Skin.SetSecond(skinning.TwistSwing, twist)
	frames, err := ofClip(&m, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	d := newInput(&Problem{Model: &m, Frames: frames, Operator: skinning.TwistSwing}, skinning.TwistSwing,
		&Options{Workers: 1, Recipe: Ours()})
	apart := 0.0
	one := m
	one.Skin.SetSecond(skinning.TwistSwing, nil)
	single, err := ofClip(&one, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	for f := range frames {
		want, first := frames[f].Positions(skinning.TwistSwing), single[f].Positions(skinning.TwistSwing)
		for v := range want {
			got := d.target(v)[f].Mul(1 / d.roots[f]).Add(d.middles[f])
			if off := got.Sub(want[v]).Len(); !(off <= 1e-12) {
				t.Fatalf("frame %d, vertex %d: the target is %g m off", f, v, off)
			}
			apart = max(apart, want[v].Sub(first[v]).Len())
		}
	}
	if !(apart > 1e-3) {
		t.Errorf("the second weight set moves the arm by %g m: the test shows nothing", apart)
	}
}

// TestBonesOfTwoSets: blend bones imitate a body whose twists have weights of their own. The tube's weights are those
// of its twists, and its swings follow the strongest joint alone: the two sets differ more than those of any fitted
// body. Four bones leave 20 % of EE, and 44 % where each has one set for both.
func TestBonesOfTwoSets(t *testing.T) {
	m := *assetstest.Open(t, "demo:tube")
	twists := m.Skin.Influences
	m.Skin.SetSecond(skinning.TwistSwing, &twists)
	m.Skin.Influences = skinning.Influences{}
	for _, b := range m.Skin.Second(skinning.TwistSwing).Bindings {
		m.Skin.Append([]skinning.Influence{{Joint: b.Joints[0], Weight: 1}}, 0)
	}
	clip, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	frames, err := ofClip(&m, clip, 6)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Solve(context.Background(), &Problem{&m, skinning.TwistSwing, frames}, Options{MaxBones: 4})
	if err != nil {
		t.Fatal(err)
	}
	if !(r.EE < 25) {
		t.Errorf("EE %.2f %%", r.EE)
	}
}
