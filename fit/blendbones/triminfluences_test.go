package blendbones

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// The most influences of groups become fewer, and EE rises by no more than it may, by the matrices themselves.
func TestTrimInfluences(t *testing.T) {
	r := grown(t, problem(t, "demo:tube", 6, skinning.DQS), 5)
	r.solveWeights(r.everyVertex(), fine, true)
	before, was := math.Sqrt(r.recomputed()), r.meanMost()
	had := make([]int, len(r.w))
	for v := range r.w {
		had[v] = r.w[v].count
	}
	r.trimInfluences()
	after, is := math.Sqrt(r.recomputed()), r.meanMost()
	t.Logf("%.3f influences in a group at most, then %.3f; error up by %.3f %%", was, is, 100*(after/before-1))
	// 1e-9: rounding of moments against matrices. 0.88: measured 0.850 of the influences.
	if !(after <= before*(1+trimRise+1e-9)) || !(is < 0.88*was) {
		t.Errorf("influences from %.3f to %.3f in a group, error from %.9g to %.9g", was, is, before, after)
	}
	if e := r.recomputed(); !(math.Abs(e-r.total()) <= 1e-9*e) {
		t.Errorf("error %.12g, the solver says %.12g", e, r.total())
	}
	for v := range r.w {
		w, sum := &r.w[v], 0.0
		for _, x := range w.weight[:w.count] {
			sum += x
		}
		if w.count < 1 || w.count > had[v] || !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("vertex %d: %d influences of %d, sum %g", v, w.count, had[v], sum)
		}
	}
}

// meanMost returns the mean over the groups of the largest number of influences.
func (s *solver) meanMost() float64 {
	groups := (len(s.w) + simd.Group - 1) / simd.Group
	sum := 0
	for g := range groups {
		sum += s.most(g)
	}
	return float64(sum) / float64(groups)
}

// One, two and three influences against every set of as many.
func TestFewerAgainstEverySubset(t *testing.T) {
	r := grown(t, problem(t, "demo:tube", 6, skinning.DQS), 5)
	var qp simplex.Solver
	var ours, best [maxJoints - 1]float64
	for v := 0; v < len(r.w); v += 7 {
		if r.w[v].count < maxJoints {
			continue
		}
		set := &r.sets[r.set[v]]
		n := len(set.ids)
		off := make([][]mgl64.Vec3, n)
		for i, id := range set.ids {
			for f := range r.frames {
				off[i] = append(off[i], r.matrix(int(id), f).Apply(r.rest[v]).Sub(r.target(v)[f]))
			}
		}
		least := [maxJoints - 1]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
		for mask := range 1 << n {
			var sub []int
			for i := range n {
				if mask>>i&1 == 1 {
					sub = append(sub, i)
				}
			}
			k := len(sub)
			if k < 1 || k >= maxJoints {
				continue
			}
			q, x := make([]float64, 0, k*k), make([]float64, k)
			for _, a := range sub {
				for _, b := range sub {
					q = append(q, inner(off[a], off[b]))
				}
			}
			least[k-1] = math.Min(least[k-1], qp.Minimize(q, k, x))
		}
		for k, w := range r.fewer(&r.scratch[0], v) {
			// 1e-12 m²: rounding of moments of positions of about a metre.
			if w.count < 1 || w.count > k+1 || !(w.err >= least[k]-1e-12) {
				t.Fatalf("vertex %d: %d influences where %d may be, error %g, the least of all sets %g", v, w.count, k+1, w.err,
					least[k])
			}
			ours[k] += w.err
			best[k] += least[k]
		}
	}
	for k := range ours {
		t.Logf("%d influences: squared error %.2f %% above the best sets'", k+1, 100*(ours[k]/best[k]-1))
		// One is searched for among all: rounding alone. Pairs and threes are not: 10 % of the squared error is 5 % of EE.
		if allowed := []float64{1e-9, 0.1, 0.1}[k]; best[k] == 0 || !(ours[k] <= best[k]*(1+allowed)) {
			t.Errorf("%d influences: squared error %.6g, with the best sets %.6g", k+1, ours[k], best[k])
		}
	}
}
