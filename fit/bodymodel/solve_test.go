package bodymodel

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
)

// twistedTube is the scans of a tube of three limbs.
func twistedTube(scans int) *scans {
	_, s := tubeBody(3, scans, 1.2, 4)
	return s
}

func mustSolve(t *testing.T, s *scans, opt options) *solution {
	t.Helper()
	out, err := solve(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// usual are the options of tests: few rounds.
func usual() options {
	return options{Start: startOptions{Limbs: 3, Bind: 1}, Alpha: 100, Recipe: Ours(), Rounds: 6}
}

// Scans that twist-swing itself has made are met within 0.3 mm, and joints within a hundredth of the tube's length of
// 3 m. The bind shape stays where the first scan is, since it starts there.
func TestSolveMeetsItsOwnScans(t *testing.T) {
	b, s := tubeBody(3, 12, 1.2, 4)
	opt := usual()
	opt.Rounds = 40
	out := mustSolve(t, s, opt)
	t.Logf("RMS %.3f mm after %d phases: %s", 1e3*out.RMS, len(out.History), out.Reason)
	if !(out.RMS < 0.3e-3) {
		t.Errorf("RMS %g m", out.RMS)
	}
	for j := 1; j < 3; j++ {
		near := math.Inf(1)
		for k, at := range out.Joints {
			if out.Parents[k] >= 0 {
				near = min(near, at.Sub(b.Joints[j]).Len())
			}
		}
		if !(near < 0.03) {
			t.Errorf("no joint within 30 mm of %v: %v", b.Joints[j], out.Joints)
		}
	}
}

// Q never rises at one α, but for rounding, and what the solution reports is what its body has. No number of workers
// changes a bit. As published, too.
func TestSolveDescends(t *testing.T) {
	s := twistedTube(6)
	published := usual()
	published.Recipe = Published()
	for name, opt := range map[string]options{"ours": usual(), "as published": published} {
		told := 0
		opt.Progress = func(Phase, *solution) { told++ }
		out := mustSolve(t, s, opt)
		for i, p := range out.History {
			if i > 0 && p.Alpha == out.History[i-1].Alpha && !(p.Q <= out.History[i-1].Q*(1+1e-12)) {
				t.Errorf("%s: %s of round %d at α = %g raises Q from %g to %g", name, p.Name, p.Round, p.Alpha,
					out.History[i-1].Q, p.Q)
			}
		}
		if told != len(out.History) || out.Reason == fit.Cancelled || !(out.Q < out.History[0].Q) {
			t.Errorf("%s: %d reports of %d phases, %s, Q %g", name, told, len(out.History), out.Reason, out.Q)
		}
		if e := newSolver(s, out.Body.Clone(), 100, 1).errors(); !(math.Abs(e.Q-out.Q) <= 1e-9*e.Q) || e.RMS != out.RMS {
			t.Errorf("%s: %+v reported, its body has %+v", name, out.Errors, e)
		}
		for _, workers := range []int{1, 3} {
			opt.Workers = workers
			if again := mustSolve(t, s, opt); !reflect.DeepEqual(again.Body, out.Body) {
				t.Errorf("%s: %d workers make another body", name, workers)
			}
		}
	}
}

// A fit that is cancelled is a body that can be used; one that is cancelled at once is not.
func TestSolveCancelled(t *testing.T) {
	s := twistedTube(6)
	ctx, cancel := context.WithCancel(context.Background())
	opt := usual()
	opt.Progress = func(p Phase, _ *solution) {
		if p.Alpha == 100 {
			cancel()
		}
	}
	out, err := solve(ctx, s, opt)
	if err != nil || out.Reason != fit.Cancelled || !(out.RMS < 0.05) || !(out.Q > 0) {
		t.Errorf("%v %+v, %v", out.Reason, out.Errors, err)
	}
	_, err = solve(ctx, s, opt)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the start: %v", err)
	}
}

// Joints that move, and weights of the Laplacian in steps, each lower the error.
func TestWhatPhasesBuy(t *testing.T) {
	s := twistedTube(8)
	all := mustSolve(t, s, usual())
	fixed := usual()
	fixed.FixedJoints = true
	if f := mustSolve(t, s, fixed); !(all.Q < 0.9*f.Q) || !reflect.DeepEqual(f.Joints, f.First.Joints) {
		t.Errorf("Q %g, with fixed joints %g", all.Q, f.Q)
	}
	linear := usual()
	linear.Linear = true
	if f := mustSolve(t, s, linear); !(all.Q < f.Q) || f.Axes[0] != (mgl64.Vec3{}) {
		t.Errorf("Q %g, by linear blending %g", all.Q, f.Q)
	}
	if e := newSolver(s, all.Body.linear(), 0, 0).errors(); !(e.RMS > all.RMS) {
		t.Errorf("RMS %g, played by linear blending %g", all.RMS, e.RMS)
	}
}

// The poses of a body that scans were made of are found again, to 10 micrometres.
func TestFitPoses(t *testing.T) {
	b, s := tubeBody(4, 6, 1, 8)
	out, e := fitPoses(context.Background(), b, s, 0)
	if !(e.RMS < 1e-5) || len(out.Poses) != 6 || !reflect.DeepEqual(out.Joints, b.Joints) {
		t.Errorf("RMS %g m", e.RMS)
	}
}

// As published, the fit goes on until convergence (EBM section 4): it ends with the first round that lowers Q by at
// most a ten thousandth, and no round before that did.
func TestPublishedConverges(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	opt := usual()
	opt.Recipe, opt.Rounds = Published(), 1000
	out := mustSolve(t, twistedTube(6), opt)
	if out.Reason != fit.Converged {
		t.Fatalf("%s after %d rounds", out.Reason, opt.Rounds)
	}
	last := out.History[len(out.History)-1].Round
	before := out.History[0].Q
	for _, p := range out.History {
		if p.Name != "joints" { // the end of a round
			continue
		}
		if share := (before - p.Q) / before; (share <= 1e-4) != (p.Round == last) {
			t.Errorf("round %d of %d lowers Q by a share of %g", p.Round, last, share)
		}
		before = p.Q
	}
}
