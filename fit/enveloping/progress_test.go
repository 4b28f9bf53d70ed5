package enveloping

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// watched are options whose steps of progress have models: made lists these by their skinned models.
func watched(opt Options, made map[*skinning.Model]*Model) Options {
	opt.Skinned = func(m *Model) (*skinning.Model, error) {
		key := new(skinning.Model)
		made[key] = m
		return key, nil
	}
	return opt
}

// TestProgress: every model that a fit shows has the error that it is shown with, within 1e-9 of it (sums in another
// order); the best never gets worse; the history has more and more proxies, after the errors of the rig's and of
// trained weights; and whoever watches changes no bit of the last model.
func TestProgress(t *testing.T) {
	onlyNumbers(t)
	x := every(armExamples(t), 2)
	plain := fitted(t, x, Options{Proxies: 30})
	made := map[*skinning.Model]*Model{}
	check := func(s fit.Step) {
		t.Helper()
		m := made[s.Model()]
		if e := m.Measure(x); m.Proxies() != s.Added || !(math.Abs(e.EE-s.EE) <= 1e-9*s.EE) {
			t.Errorf("%d proxies, EE %.12g; the model has %d and EE %.12g", s.Added, s.EE, m.Proxies(), e.EE)
		}
	}
	var seen []fit.Progress
	r := fitted(t, x, watched(Options{Proxies: 30, History: true, Progress: func(p fit.Progress) { seen = append(seen, p) }}, made))
	if r.Fit != plain.Fit || !slices.Equal(r.Model.Rig.C1, plain.Model.Rig.C1) ||
		!slices.Equal(r.Model.Rig.C2, plain.Model.Rig.C2) || r.Reason != ProxyLimit {
		t.Errorf("watched: %+v, %v; not watched: %+v", r.Fit, r.Reason, plain.Fit)
	}
	last := fit.Step{EE: math.Inf(1)}
	for k, p := range seen {
		if p.Now.Model == nil {
			if last.Model != nil || p.Now.EE != 0 {
				t.Errorf("report %d (%s): no model, EE %g", k, p.Stage, p.Now.EE)
			}
			continue
		}
		if p.Now.Elapsed < last.Elapsed || p.Now.EE > last.EE {
			t.Errorf("report %d (%s): EE %g follows EE %g", k, p.Stage, p.Now.EE, last.EE)
		}
		if p.Now.EE < last.EE {
			check(p.Now)
		}
		last = p.Now
	}
	if n := len(r.Points); n != 6 || len(r.Last.Marks) != 2 || r.Last.Marks[0].EE != float64(r.Points[0].EE) ||
		float64(r.Points[n-1].EE) != r.Fit.EE {
		t.Errorf("points %+v, marks %+v", r.Points, r.Last.Marks)
	}
	var added []int
	for _, s := range r.Last.History {
		check(s)
		added = append(added, s.Added)
	}
	if !slices.Equal(added, []int{0, 5, 10, 20, 30}) {
		t.Errorf("history of %v proxies", added)
	}
}

// TestRoundingIsNoError: where every vertex follows one joint, what is told on the way is the 0 that the result has,
// and no ratio of roundings.
func TestRoundingIsNoError(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	x := every(armExamples(t), 5)
	x.Rigged = slices.Clone(x.Rigged)
	for v, own := range x.Rigged {
		x.Rigged[v] = []skinning.Share{{Joint: own[0].Joint, Weight: 1}}
		for i := range x.Targets {
			p := blend(x.Palettes[i], x.Rigged[v], x.Rest[v])
			x.Targets[i][v] = geom.Vec64(geom.Vec32(p)) // as in a file
		}
	}
	r := fitted(t, x, Options{Proxies: 5})
	for _, s := range r.Points {
		if s.EE != 0 {
			t.Errorf("%s: EE %g %%, the result has %g and %g", s.What, s.EE, r.SSD.EE, r.Fit.EE)
		}
	}
}

// TestCancelled: at whatever report a fit is cancelled, its result is no worse than the best model that it had
// reported, and has the error that it says; before there is one, an error says so.
func TestCancelled(t *testing.T) {
	onlyNumbers(t)
	x := every(armExamples(t), 6)
	for stop := 0; ; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		count := 0
		var at fit.Progress
		r, err := Fit(ctx, x, watched(Options{Proxies: 8, History: true, Progress: func(p fit.Progress) {
			if count <= stop {
				at = p
			}
			count++
			if count > stop {
				cancel()
			}
		}}, map[*skinning.Model]*Model{}))
		cancel()
		if count <= stop { // it ended before
			if stop < 8 {
				t.Errorf("only %d reports", count)
			}
			break
		}
		if stop == 0 { // nothing is measured yet
			if !errors.Is(err, fit.ErrNoModel) || !errors.Is(err, context.Canceled) || r != nil {
				t.Errorf("report %d: no model yet, result %v, error %v", stop, r, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("report %d (%s): %v", stop, at.Stage, err)
		}
		if e := r.Model.Measure(x); (r.Reason == fit.Cancelled) != (at.Stage != "errors") || e != r.Fit ||
			!(e.EE <= at.Now.EE*(1+1e-9)) || r.Trained == nil {
			t.Errorf("report %d (%s): %v, EE %g, measured %g, last reported %g", stop, at.Stage, r.Reason, r.Fit.EE, e.EE,
				at.Now.EE)
		}
	}
}

// TestTarget: a target that is said to be met is met by the whole model, with fewer proxies than the limit, and one
// fewer misses it; one that none meets is said to be missed. All numbers of proxies are fitted here to know.
func TestTarget(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	x := every(armExamples(t), 8)
	x.Rigged = nil // no prior poses: quick
	const most = 12
	ee := make([]float64, most+1) // by number of proxies
	for p := 1; p <= most; p++ {
		r := fitted(t, x, Options{Proxies: p})
		ee[0], ee[p] = r.SSD.EE, r.Fit.EE
	}
	for _, p := range []int{1, 3, most / 2, most} {
		target := 1.001 * ee[p]
		r := fitted(t, x, Options{Proxies: most, Target: target})
		n := r.Model.Proxies()
		if r.Reason != fit.TargetMet || !(r.Fit.EE < target) || n < 1 || n > most || r.Fit.EE != ee[n] || !(ee[n-1] >= target) {
			t.Errorf("target %g: %d proxies with EE %g, %v; these have %g, one fewer %g", target, n, r.Fit.EE, r.Reason, ee[n],
				ee[max(n, 1)-1])
		}
	}
	least := slices.Min(ee)
	if r := fitted(t, x, Options{Proxies: most, Target: 0.9 * least}); r.Reason != TargetMissed ||
		r.Fit.EE != ee[r.Model.Proxies()] || !(r.Fit.EE <= ee[most]) {
		t.Errorf("target %g: %d proxies with EE %g, %v", 0.9*least, r.Model.Proxies(), r.Fit.EE, r.Reason)
	}
	if r := fitted(t, x, Options{Proxies: most, Target: 1.001 * ee[0]}); r.Reason != fit.TargetMet || r.Model.Proxies() != 0 {
		t.Errorf("a target that trained weights meet: %d proxies, %v", r.Model.Proxies(), r.Reason)
	}
}
