package enveloping

import (
	"context"
	"errors"
	"math"
	"testing"

	"skinlab/fit/training"
	"skinlab/internal/longtest"
	"skinlab/internal/ssdrtest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// realArm is the set of the real arm.
func realArm(t testing.TB) *training.Examples {
	t.Helper()
	return ownExamples(t, "examples/arm_examples.glb", skinning.ExampleClip)
}

// TestRealSets holds the fit against trained SSD on real sets, on the poses of the training and on examples left out of
// it, every fifth (RTER figure 11): both the error and its deviation over the vertices must be far below SSD's.
// Measured on those left out: arm 22.9 % against 70.8 %, human 15.5 % against 62.1 %.
func TestRealSets(t *testing.T) {
	onlyNumbers(t)
	for name, c := range map[string]struct {
		examples func(testing.TB) *training.Examples
		proxies  int
	}{
		"human": {ssdrtest.Human, 80},
		"arm":   {realArm, 30},
	} {
		t.Run(name, func(t *testing.T) {
			x := c.examples(t)
			seen, unseen := only(x, func(i int) bool { return i%5 != 3 }), only(x, func(i int) bool { return i%5 == 3 })
			r, err := Fit(context.Background(), seen, Options{Proxies: c.proxies})
			if err != nil {
				t.Fatal(err)
			}
			base, got := r.Trained.Measure(unseen), r.Model.Measure(unseen)
			t.Logf("training: SSD %.1f %% ± %.1f, fit %.1f %% ± %.1f", r.SSD.EE, r.SSD.Dev, r.Fit.EE, r.Fit.Dev)
			t.Logf("unseen: SSD %.1f %% ± %.1f, fit %.1f %% ± %.1f", base.EE, base.Dev, got.EE, got.Dev)
			if !(r.Fit.EE < 0.35*r.SSD.EE) || !(r.Fit.Dev < r.SSD.Dev) {
				t.Errorf("training: EE %.1f %% ± %.1f, trained SSD %.1f %% ± %.1f", r.Fit.EE, r.Fit.Dev, r.SSD.EE, r.SSD.Dev)
			}
			if !(got.EE < 0.45*base.EE) || !(got.Dev < base.Dev) {
				t.Errorf("unseen: EE %.1f %% ± %.1f, trained SSD %.1f %% ± %.1f", got.EE, got.Dev, base.EE, base.Dev)
			}
		})
	}
}

// TestLeaveOneOutCancelled: what was predicted before the context ended is measured, over those examples alone: one
// worker goes through them in order. Without any there is an error.
func TestLeaveOneOutCancelled(t *testing.T) {
	onlyNumbers(t)
	x := only(armExamples(t), func(i int) bool { return i%4 == 1 })
	opt := Options{Proxies: 8, Workers: 1}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	g, err := LeaveOneOut(ctx, x, opt, func(done, _ int) {
		if done == 2 {
			cancel()
		}
	})
	if err != nil || g.Done < 2 || g.Done == len(x.Targets) {
		t.Fatalf("%+v, %v: expected the errors over the first of %d examples", g, err, len(x.Targets))
	}
	sum := 0.0
	for i := range g.Done {
		r, err := Fit(context.Background(), x.Without(i), opt)
		if err != nil {
			t.Fatal(err)
		}
		for v, p := range r.Trained.Pose(x.Rest, x.Palettes[i]) {
			d := p.Sub(x.Targets[i][v])
			sum += d.Dot(d)
		}
	}
	// another order of summation
	if want := math.Sqrt(sum / float64(g.Done*len(x.Rest))); !(math.Abs(g.SSD.RMS-want) <= 1e-12*want) {
		t.Errorf("RMS %g m over %d examples, by hand %g m", g.SSD.RMS, g.Done, want)
	}
	if g, err := LeaveOneOut(ctx, x, opt, nil); !errors.Is(err, context.Canceled) || g != nil {
		t.Errorf("cancelled before it began: %+v, %v", g, err)
	}
}

// TestLeaveOneOut: each example is predicted by a model that has not seen it. Held against the folds done by hand, to
// the bit.
func TestLeaveOneOut(t *testing.T) {
	longtest.Only(t)
	onlyNumbers(t)
	x := only(armExamples(t), func(i int) bool { return i%5 == 1 })
	opt := Options{Proxies: 8}
	done := 0
	g, err := LeaveOneOut(context.Background(), x, opt, func(k, _ int) { done = k })
	if err != nil || done != len(x.Targets) {
		t.Fatalf("%d of %d examples: %v", done, len(x.Targets), err)
	}
	var driver rig.EnvelopingDriver
	sum := 0.0
	for i := range x.Targets {
		r, err := Fit(context.Background(), x.Without(i), opt)
		if err != nil {
			t.Fatal(err)
		}
		for v, p := range r.Model.Pose(&driver, x.Rest, x.Palettes[i]) {
			d := p.Sub(x.Targets[i][v])
			sum += d.Dot(d)
		}
	}
	// another order of summation
	if want := math.Sqrt(sum / float64(len(x.Targets)*len(x.Rest))); !(math.Abs(g.Fit.RMS-want) <= 1e-12*want) {
		t.Errorf("RMS %g m, by hand %g m", g.Fit.RMS, want)
	}
	if !(g.Fit.EE < g.SSD.EE) {
		t.Errorf("EE %.1f %%, SSD %.1f %%", g.Fit.EE, g.SSD.EE)
	}
	for _, workers := range []int{1, 3} {
		again := opt
		again.Workers = workers
		if h, err := LeaveOneOut(context.Background(), x, again, nil); err != nil || *h != *g {
			t.Errorf("%d workers: %+v, %v; expected %+v", workers, h, err, g)
		}
	}
	if _, err := LeaveOneOut(context.Background(), only(x, func(i int) bool { return i == 0 }), opt, nil); err == nil {
		t.Error("one example can be left out")
	}
}

// TestOtherMotion: what was learnt from one motion is better than trained SSD on another one, in which joints turn that
// did not, or not by themselves.
func TestOtherMotion(t *testing.T) {
	onlyNumbers(t)
	for _, clips := range [][2]string{{"walk", "twist"}, {"exercise", "twist"}, {"exercise", "walk"}} {
		r := fitted(t, taught(t, "demo:figure", clips[0], 12, skinning.DQS), Options{})
		other := taught(t, "demo:figure", clips[1], 15, skinning.DQS)
		base, got := r.Trained.Measure(other), r.Model.Measure(other)
		t.Logf("%s to %s: training: SSD %.1f %%, fit %.1f %%; unseen: SSD %.1f %%, fit %.1f %%", clips[0], clips[1], r.SSD.EE,
			r.Fit.EE, base.EE, got.EE)
		if !(got.EE < base.EE) || !(r.Fit.EE < 0.7*r.SSD.EE) {
			t.Errorf("%s to %s: training: EE %.1f %%, trained SSD %.1f %%; unseen: EE %.1f %%, trained SSD %.1f %%", clips[0],
				clips[1], r.Fit.EE, r.SSD.EE, got.EE, base.EE)
		}
	}
}

// TestNoVertexWorse: on its examples no vertex is further from its targets than trained SSD's, and the whole is nearer,
// also where meshes are coarse, rigs flat and examples few. 1e-16 of the size, squared, is rounding of positions.
func TestNoVertexWorse(t *testing.T) {
	for _, c := range []struct {
		model, clip string
		examples    int
		method      skinning.Method
	}{
		{"RiggedSimple.glb", "0", 6, skinning.DQS},
		{"SimpleSkin.gltf", "0", 5, skinning.DQS},
		{"Fox.glb", "Survey", 12, skinning.DIB},
		{"Fox.glb", "Run", 2, skinning.DQS},
		{"GenericHand.glb", "", 12, skinning.DQS},
	} {
		x := taught(t, c.model, c.clip, c.examples, c.method)
		r := fitted(t, x, Options{Proxies: 20})
		if !(r.Fit.EE < r.SSD.EE) {
			t.Errorf("%s %s: EE %g %%, of trained weights %g %%", c.model, c.clip, r.Fit.EE, r.SSD.EE)
		}
		base := residualsOf(x, 1, x.Palettes, r.Trained.Weights).square
		for v, e := range r.Model.residuals(x, 1).square {
			if !(e <= base[v]+1e-16*x.Diagonal()*x.Diagonal()) {
				t.Errorf("%s %s, vertex %d: squared error %g, of trained weights %g", c.model, c.clip, v, e, base[v])
			}
		}
	}
}
