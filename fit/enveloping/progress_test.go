package enveloping

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"skinlab/fit"
	"skinlab/internal/longtest"
	"skinlab/skinning"
	"skinlab/skinning/cputime"
	"skinlab/skinning/geom"
)

// TestProgress: every model that a fit shows has the error that it is shown with, within 1e-9 of it (sums in another
// order); the best never gets worse; the error falls from the rig's weights over trained ones along more and more
// proxies; and whoever watches changes no bit of the last model.
func TestProgress(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	every := 2
	if testing.Short() {
		every = 6
	}
	x := armExamples(t).pick(func(i int) bool { return i%every == 0 })
	plain, err := Fit(context.Background(), x, Options{Proxies: 30})
	if err != nil {
		t.Fatal(err)
	}
	var seen []Progress
	r, err := Fit(context.Background(), x,
		Options{Proxies: 30, History: true, Progress: func(p Progress) { seen = append(seen, p) }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fit != plain.Fit || !slices.Equal(r.Model.Rig.C1, plain.Model.Rig.C1) ||
		!slices.Equal(r.Model.Rig.C2, plain.Model.Rig.C2) || r.Reason != ProxyLimit {
		t.Errorf("watched: %+v, %v; not watched: %+v", r.Fit, r.Reason, plain.Fit)
	}
	last := Progress{EE: math.Inf(1)}
	models := 0
	for k, p := range seen {
		if p.Model == nil {
			if last.Model != nil || p.EE != 0 {
				t.Errorf("report %d (%s): no model, EE %g", k, p.Stage, p.EE)
			}
			continue
		}
		if p.Elapsed < last.Elapsed || p.EE > last.EE || len(p.History) < len(last.History) {
			t.Errorf("report %d (%s): EE %g after %v follows EE %g after %v", k, p.Stage, p.EE, p.Elapsed, last.EE, last.Elapsed)
		}
		if p.Model != last.Model {
			models++
			if e := p.Model.Measure(x); p.Model.Proxies() != p.Proxies || !(math.Abs(e.EE-p.EE) <= 1e-9*p.EE) {
				t.Errorf("report %d (%s): %d proxies, EE %.12g; its model has %d and EE %.12g", k, p.Stage, p.Proxies, p.EE,
					p.Model.Proxies(), e.EE)
			}
		}
		last = p
	}
	if models < 5 {
		t.Errorf("%d models in %d reports", models, len(seen))
	}
	if n := len(r.History); n != 6 || r.History[n-1].EE != r.Fit.EE || r.History[1].EE != r.SSD.EE &&
		!(math.Abs(r.History[1].EE-r.SSD.EE) <= 1e-9*r.SSD.EE) {
		t.Errorf("history %+v of %+v", r.History, r)
	}
	for k, want := range []int{0, 0, 5, 10, 20, 30} {
		s := r.History[k]
		if s.Proxies != want || k > 0 && !(s.EE < r.History[k-1].EE) {
			t.Errorf("step %d: %+v, expected %d proxies and a smaller error than before", k, s, want)
		}
		if k == 0 {
			if s.Model != nil {
				t.Error("the weights that the rig came with are a model")
			}
		} else if e := s.Model.Measure(x); s.Model.Proxies() != want || !(math.Abs(e.EE-s.EE) <= 1e-9*s.EE) {
			t.Errorf("step %d: EE %.12g, its model of %d proxies has %.12g", k, s.EE, s.Model.Proxies(), e.EE)
		}
	}
}

// TestRoundingIsNoError: where every vertex follows one joint, what is told on the way is the 0 that the result has,
// and no ratio of roundings.
func TestRoundingIsNoError(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i%5 == 0 })
	x.Rigged = slices.Clone(x.Rigged)
	for v, own := range x.Rigged {
		x.Rigged[v] = []skinning.Share{{Joint: own[0].Joint, Weight: 1}}
		for i := range x.Pairs {
			p := blend(x.Pairs[i].Matrices, x.Rigged[v], x.Rest[v])
			x.Pairs[i].Target[v] = geom.Vec64(geom.Vec32(p)) // as in a file
		}
	}
	r, err := Fit(context.Background(), x, Options{Proxies: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.History {
		if s.EE != 0 {
			t.Errorf("%s: EE %g %%, the result has %g and %g", s.What, s.EE, r.SSD.EE, r.Fit.EE)
		}
	}
}

// TestCancelled: at whatever report a fit is cancelled, its result is no worse than the best model that it had
// reported, and has the error that it says; before there is one, an error says so. One that is only being measured is a
// whole one.
func TestCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	x := armExamples(t).pick(func(i int) bool { return i%6 == 0 })
	for _, history := range []bool{true, false} {
		if testing.Short() && !history {
			break // with one there is all that there is without
		}
		for stop := 0; ; stop++ {
			ctx, cancel := context.WithCancel(context.Background())
			count := 0
			var at Progress
			r, err := Fit(ctx, x, Options{Proxies: 8, rounds: 1, History: history, Progress: func(p Progress) {
				if count <= stop {
					at = p
				}
				if count++; count > stop {
					cancel()
				}
			}})
			cancel()
			if count <= stop { // it ended before
				if stop < 8 {
					t.Errorf("only %d reports", count)
				}
				break
			}
			if at.Model == nil {
				if !errors.Is(err, fit.ErrNoModel) || !errors.Is(err, context.Canceled) || r != nil {
					t.Errorf("report %d: no model yet, result %v, error %v", stop, r, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("report %d (%s): %v", stop, at.Stage, err)
			}
			if e := r.Model.Measure(x); (r.Reason == Cancelled) != (at.Stage != stageMeasure) || e != r.Fit ||
				!(e.EE <= at.EE*(1+1e-9)) || r.Trained == nil {
				t.Errorf("report %d (%s): %v, EE %g, measured %g, last reported %g", stop, at.Stage, r.Reason, r.Fit.EE, e.EE,
					at.EE)
			}
		}
	}
}

// TestCancelIsQuick: a fit of the human, cancelled as a stage begins, ends within half of the time that a whole one
// takes; that time, taken beside and like it of the processors, stands for how fast the machine is. What is left to do
// is the end of a step and the measuring of what there is.
func TestCancelIsQuick(t *testing.T) {
	longtest.Only(t)
	x := humanExamples(t)
	var err error
	whole := cputime.Of(func() { _, err = Fit(context.Background(), x, Options{}) })
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{stageSSD, stageCluster, stageReduce, stagePredict} {
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Duration
		r, err := Fit(ctx, x, Options{Progress: func(p Progress) {
			if p.Stage == stage && p.Model != nil && at == 0 {
				at = cputime.Used()
				cancel()
			}
		}})
		took := cputime.Used() - at
		cancel()
		if err != nil || r.Reason != Cancelled {
			t.Fatalf("%s: %v, %v", stage, r, err)
		}
		t.Logf("%s: ended %v after it was cancelled, a whole fit takes %v", stage, took, whole)
		if !(took <= whole/2) {
			t.Errorf("%s: ended %v after it was cancelled, a whole fit takes %v", stage, took, whole)
		}
	}
}

// TestTarget: a target that is said to be met is met by the whole model, with fewer proxies than the limit, and one
// fewer misses it; one that none meets is said to be missed. All numbers of proxies are fitted here to know.
func TestTarget(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i%8 == 0 })
	x.Rigged = nil // no prior poses: quick
	const most = 12
	fit := func(opt Options) *Result {
		t.Helper()
		opt.rounds = 1
		r, err := Fit(context.Background(), x, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ee := make([]float64, most+1) // by number of proxies
	for p := 1; p <= most; p++ {
		r := fit(Options{Proxies: p})
		ee[0], ee[p] = r.SSD.EE, r.Fit.EE
	}
	for _, p := range []int{1, 3, most / 2, most} {
		target := 1.001 * ee[p]
		r := fit(Options{Proxies: most, Target: target})
		n := r.Model.Proxies()
		if r.Reason != TargetMet || !(r.Fit.EE < target) || n < 1 || n > most || r.Fit.EE != ee[n] || !(ee[n-1] >= target) {
			t.Errorf("target %g: %d proxies with EE %g, %v; these have %g, one fewer %g", target, n, r.Fit.EE, r.Reason, ee[n],
				ee[max(n, 1)-1])
		}
	}
	least := slices.Min(ee)
	if r := fit(Options{Proxies: most, Target: 0.9 * least}); r.Reason != TargetMissed ||
		r.Fit.EE != ee[r.Model.Proxies()] || !(r.Fit.EE <= ee[most]) {
		t.Errorf("target %g: %d proxies with EE %g, %v", 0.9*least, r.Model.Proxies(), r.Fit.EE, r.Reason)
	}
	if r := fit(Options{Proxies: most, Target: 1.001 * ee[0]}); r.Reason != TargetMet || r.Model.Proxies() != 0 {
		t.Errorf("a target that trained weights meet: %d proxies, %v", r.Model.Proxies(), r.Reason)
	}
	if _, err := Fit(context.Background(), x, Options{Target: math.NaN()}); !errors.Is(err, errProblem) {
		t.Errorf("target NaN: %v", err)
	}
}

// TestRewind: groups had from the record of joins are those that a clustering that went no further has.
func TestRewind(t *testing.T) {
	onlyNumbers(t)
	x := armExamples(t).pick(func(i int) bool { return i%6 == 0 })
	never := func() bool { return false }
	use := used(x, make([]bool, len(x.Rest)))
	far := newClustering(x, use, 1<<20, 1)
	far.joinTo(1, never)
	for _, p := range []int{1, 2, 7, 40, 300, 1 << 20} {
		near := newClustering(x, use, p, 2)
		near.joinTo(p, never)
		of, transforms := near.at(p)
		again, same := far.at(p)
		if !slices.Equal(of, again) || len(same) != len(transforms) {
			t.Fatalf("%d groups: %d and %d", p, len(transforms), len(same))
		}
		for g := range same {
			if !slices.Equal(same[g], transforms[g]) {
				t.Fatalf("%d groups: group %d moves differently", p, g)
			}
		}
	}
}
