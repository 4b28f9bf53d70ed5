package simplex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns Q = AᵀA for a rows×n matrix A.
func random(rng *rand.Rand, rows, n int) []float64 {
	a := make([]float64, rows*n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	q := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for r := range rows {
				q[i*n+j] += a[r*n+i] * a[r*n+j]
			}
		}
	}
	return q
}

func objective(q []float64, n int, x []float64) (f float64) {
	for i := range n {
		for j := range n {
			f += x[i] * q[i*n+j] * x[j]
		}
	}
	return f
}

func feasible(t *testing.T, x []float64) (nonZero int) {
	t.Helper()
	sum := 0.0
	for i, v := range x {
		if !(v >= 0) {
			t.Fatalf("x[%d] = %g", i, v)
		}
		if v > 0 {
			nonZero++
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= 1e-12) {
		t.Fatalf("Σx = %g", sum)
	}
	return nonZero
}

// byGradient is the independent solver: projected gradient with small steps, slow and simple.
func byGradient(q []float64, n int) float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	trace := 0.0
	for i := range n {
		trace += q[i*n+i]
	}
	g := make([]float64, n)
	for range 6_000 {
		for i := range n {
			g[i] = x[i]
			for j := range n {
				g[i] -= q[i*n+j] * x[j] / trace
			}
		}
		project(g)
		copy(x, g)
	}
	return objective(q, n, x)
}

// project moves v to the nearest point of the simplex, by bisection of the shift.
func project(v []float64) {
	lo, hi := -10.0, 10.0
	for range 60 {
		mid, sum := (lo+hi)/2, 0.0
		for _, a := range v {
			sum += math.Max(a-mid, 0)
		}
		if sum > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	for i := range v {
		v[i] = math.Max(v[i]-lo, 0)
	}
}

func TestMinimizeAgainstProjectedGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var s Solver
	for range 60 {
		n := 1 + rng.IntN(8)
		rows := 1 + rng.IntN(12) // fewer rows than unknowns: singular
		q, x := random(rng, rows, n), make([]float64, n)
		f := s.Minimize(q, n, x)
		feasible(t, x)
		if g := objective(q, n, x); !(math.Abs(f-g) <= 1e-9*(1+g)) {
			t.Fatalf("says %g, is %g", f, g)
		}
		if want := byGradient(q, n); !(f <= want+1e-6*(1+want)) {
			t.Fatalf("n = %d, %d rows: %g, projected gradient reaches %g", n, rows, f, want)
		}
		// The optimality condition itself: no vertex's gradient lies below the objective.
		for j := range n {
			g := 0.0
			for k := range n {
				g += q[j*n+k] * x[k]
			}
			if !(g >= f-1e-6*(1+f)) {
				t.Fatalf("gradient %d is %g below the objective %g", j, g, f)
			}
		}
	}
}

func TestWarmStartGivesTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var s Solver
	for range 100 {
		n := 2 + rng.IntN(7)
		q := random(rng, 20, n)
		cold, warm := make([]float64, n), make([]float64, n)
		warm[rng.IntN(n)] = 0.5
		warm[rng.IntN(n)] += 0.5
		f, g := s.Minimize(q, n, cold), s.Minimize(q, n, warm)
		if !(math.Abs(f-g) <= 1e-8*(1+f)) {
			t.Fatalf("cold %g, warm %g", f, g)
		}
	}
}

// Against every subset: the sparse answer is at most 2 % above the best one and never above the paper's rule.
func TestSparseAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var s Solver
	exact := 0
	const rounds = 60
	for range rounds {
		const n, limit = 8, 3
		q, x := random(rng, 12, n), make([]float64, n)
		f := s.MinimizeSparse(q, n, limit, x)
		if c := feasible(t, x); c > limit {
			t.Fatalf("%d non-zeros", c)
		}
		if g := objective(q, n, x); !(math.Abs(f-g) <= 1e-9*(1+g)) {
			t.Fatalf("says %g, is %g", f, g)
		}
		best := math.Inf(1)
		for mask := range 1 << n {
			sub, k := []float64{}, []int{}
			for i := range n {
				if mask>>i&1 == 1 {
					k = append(k, i)
				}
			}
			if len(k) != limit {
				continue
			}
			for _, i := range k {
				for _, j := range k {
					sub = append(sub, q[i*n+j])
				}
			}
			y := make([]float64, limit)
			best = math.Min(best, s.Minimize(sub, limit, y))
		}
		if f <= best*(1+1e-6) {
			exact++
		}
		if rule := smallestDropped(&s, q, n, limit); !(f <= rule*(1+1e-9)) {
			t.Errorf("%g, the paper's rule reaches %g", f, rule)
		}
	}
	if exact < rounds*3/4 {
		t.Errorf("the best subset is found %d times of %d", exact, rounds)
	}
}

// smallestDropped is ALNS section 4.2: discard the smallest weights and solve over the rest.
func smallestDropped(s *Solver, q []float64, n, limit int) float64 {
	x := make([]float64, n)
	s.Minimize(q, n, x)
	var keep []int
	for range limit {
		best := -1
		for i, v := range x {
			if v > 0 && (best < 0 || v > x[best]) {
				best = i
			}
		}
		if best >= 0 {
			keep = append(keep, best)
			x[best] = 0
		}
	}
	sub := []float64{}
	for _, i := range keep {
		for _, j := range keep {
			sub = append(sub, q[i*n+j])
		}
	}
	return s.Minimize(sub, len(keep), make([]float64, len(keep)))
}

func TestDegenerate(t *testing.T) {
	var s Solver
	for name, q := range map[string][]float64{
		"zero":       {0, 0, 0, 0},
		"same bones": {2, 2, 2, 2},
		"one is 0":   {0, 0, 0, 5},
	} {
		x := []float64{0, 0}
		f := s.Minimize(q, 2, x)
		feasible(t, x)
		if want := math.Min(q[0], q[3]); !(math.Abs(f-want) <= 1e-9) {
			t.Errorf("%s: %g, want %g at %v", name, f, want, x)
		}
	}
}

// TestSparseWhereMuchLeaves: a loss may push others out with it, here all but one bone at the only place without error,
// of four at once. The matrix is that of a vertex of a model in centimetres, singular but for rounding.
func TestSparseWhereMuchLeaves(t *testing.T) {
	q := []float64{
		0.9512962888911716, 20.20160005706566, -5.658883310388774e-05, 21.195798158369143,
		20.20160005706566, 541.6641195655975, -0.0012104609340894967, 414.71632771459554,
		-5.658883310388774e-05, -0.0012104609340894967, 3.346940502524376e-09, -0.0012613992294063792,
		21.195798158369143, 414.71632771459554, -0.0012613992294063792, 594.5915407205393,
	}
	var s Solver
	for limit := 1; limit <= 4; limit++ {
		x := []float64{5.697647721824315e-05, 8.694395208600219e-08, 0.9999429069648308, 2.9613998887112487e-08}
		f := s.MinimizeSparse(q, 4, limit, x)
		if n := feasible(t, x); n < 1 || n > limit {
			t.Errorf("limit %d: %d non-zeros: %g", limit, n, x)
		}
		if !(f <= q[10]) { // the third alone
			t.Errorf("limit %d: %g, of one bone alone %g", limit, f, q[10])
		}
	}
}

// TestImproveSparse: from any feasible x with few enough non-zeros, the objective falls to what it says, and where the
// start is the answer of MinimizeSparse for a Q that differs little, it is as good as solving again, to a tenth.
func TestImproveSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var s Solver
	const n, limit = 8, 3
	again, improved := 0.0, 0.0
	for range 100 {
		q, x := random(rng, 12, n), make([]float64, n)
		for k := range limit {
			x[(k*3+rng.IntN(2))%n] += 1. / limit
		}
		before := objective(q, n, x)
		f := s.ImproveSparse(q, n, limit, x)
		if c := feasible(t, x); c > limit {
			t.Fatalf("%d non-zeros", c)
		}
		if g := objective(q, n, x); !(math.Abs(f-g) <= 1e-9*(1+g)) || !(f <= before*(1+1e-12)) {
			t.Fatalf("says %g, is %g, was %g", f, g, before)
		}
		s.MinimizeSparse(q, n, limit, x)
		for i := range n {
			q[i*n+i] += 0.1 * rng.Float64()
		}
		improved += s.ImproveSparse(q, n, limit, x)
		again += s.MinimizeSparse(q, n, limit, make([]float64, n))
	}
	t.Logf("improved %g, solved again %g", improved, again)
	if !(improved <= 1.1*again) {
		t.Errorf("improved %g, solved again %g", improved, again)
	}
	defer func() {
		if recover() == nil {
			t.Error("more non-zeros than the limit do not panic")
		}
	}()
	s.ImproveSparse(random(rng, 12, n), n, limit, []float64{.25, .25, .25, .25, 0, 0, 0, 0})
}

// TestFill: with rows that are filled when they are asked for, and NaN in others, answers are the same bits.
func TestFill(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const n, limit = 12, 4
	filled := 0
	for range 50 {
		q := random(rng, 14, n)
		part, x, y := make([]float64, n*n), make([]float64, n), make([]float64, n)
		x[3], y[3] = 1, 1
		var whole, lazy Solver
		lazy.Fill = func(i int) {
			if math.IsNaN(part[i*n+(i+1)%n]) {
				filled++
			}
			copy(part[i*n:(i+1)*n], q[i*n:(i+1)*n])
		}
		for _, solve := range []func(*Solver, []float64, []float64) float64{
			func(s *Solver, q, x []float64) float64 { return s.ImproveSparse(q, n, limit, x) },
			func(s *Solver, q, x []float64) float64 { return s.MinimizeSparse(q, n, limit, x) },
		} {
			for k := range part {
				part[k] = math.NaN()
				if k%(n+1) == 0 {
					part[k] = q[k]
				}
			}
			if f, g := solve(&whole, q, x), solve(&lazy, part, y); f != g || !slices.Equal(x, y) {
				t.Fatalf("%g at %g, expected %g at %g", g, y, f, x)
			}
		}
	}
	t.Logf("%d rows of %d were filled", filled, 100*n)
	if filled >= 100*n {
		t.Error("all rows were filled")
	}
}

// TestHold: the quadratic that holds x to a place has hold times its squared distance besides, on the simplex.
func TestHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	place := func(n int) []float64 {
		x, sum := make([]float64, n), 0.
		for i := range x {
			x[i] = rng.Float64()
			sum += x[i]
		}
		for i := range x {
			x[i] /= sum
		}
		return x
	}
	for range 20 {
		n := 1 + rng.IntN(6)
		q, x, to := random(rng, 5, n), place(n), place(n)
		want, hold := objective(q, n, x), rng.Float64()
		for i := range x {
			want += hold * (x[i] - to[i]) * (x[i] - to[i])
		}
		Hold(q, n, to, hold)
		if got := objective(q, n, x); !(math.Abs(got-want) < 1e-12*(1+want)) {
			t.Errorf("%g, want %g", got, want)
		}
	}
}
