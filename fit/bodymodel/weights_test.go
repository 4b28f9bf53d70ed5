package bodymodel

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// dense returns weights by limb.
func dense(shares []skinning.Share, limbs int) []float64 {
	w := make([]float64, limbs)
	for _, s := range shares {
		w[s.Joint] += s.Weight
	}
	return w
}

// validWeights fails where weights are not 1 to 4 of different limbs, positive and of sum 1 within 1e-12.
func validWeights(t *testing.T, b *Body) {
	t.Helper()
	for _, set := range [][][]skinning.Share{b.Swing, b.Twist} {
		for v, shares := range set {
			sum, seen := 0.0, map[uint16]bool{}
			for _, s := range shares {
				if !(s.Weight > 0) || int(s.Joint) >= len(b.Joints) || seen[s.Joint] {
					t.Fatalf("vertex %d: %v", v, shares)
				}
				seen[s.Joint] = true
				sum += s.Weight
			}
			if len(shares) > mostInfluences || !(math.Abs(sum-1) <= 1e-12) {
				t.Fatalf("vertex %d: %d influences of sum %g", v, len(shares), sum)
			}
		}
	}
}

// disturb gives every vertex other weights: a share of up to most goes to the limb before or behind its strongest.
func disturb(b *Body, most float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, set := range [][][]skinning.Share{b.Swing, b.Twist} {
		for v, shares := range set {
			other := uint16(max(int(shares[0].Joint)-1, 0))
			if rng.IntN(2) == 0 {
				other = uint16(min(int(shares[0].Joint)+1, len(b.Joints)-1))
			}
			w := dense(shares, len(b.Joints))
			moved := most * rng.Float64() * w[shares[0].Joint]
			w[shares[0].Joint] -= moved
			w[other] += moved
			set[v] = nil
			for j, x := range w {
				if x > 0 {
					set[v] = append(set[v], skinning.Share{Joint: uint16(j), Weight: x})
				}
			}
		}
	}
}

// Both sets of a known body are found again from disturbed ones. Its scans are exact, so only the number of rounds
// limits how near they come.
func TestWeightsAreFoundAgain(t *testing.T) {
	for _, alpha := range []float64{0, 1} {
		b, s := tubeBody(4, 12, 1.5, 4)
		truth := [][][]skinning.Share{append([][]skinning.Share(nil), b.Swing...), append([][]skinning.Share(nil), b.Twist...)}
		disturb(b, 0.5, 5)
		f := newSolver(s, b, alpha, 2)
		before := f.errors()
		steps(t, f, 60, bestWeights)
		validWeights(t, b)
		worst := 0.0
		for k, set := range [][][]skinning.Share{b.Swing, b.Twist} {
			for v := range set {
				is, want := dense(set[v], len(b.Joints)), dense(truth[k][v], len(b.Joints))
				for j := range is {
					worst = math.Max(worst, math.Abs(is[j]-want[j]))
				}
			}
		}
		t.Logf("α %g: RMS %g mm from %g, weights off by %g", alpha, 1e3*f.errors().RMS, 1e3*before.RMS, worst)
		if !(worst < 1e-3) {
			t.Errorf("α %g: a weight is off by %g", alpha, worst)
		}
	}
}

// What a change of one vertex gains by its row of the metric is the change of Q by its definition, within the digits
// of Q.
func TestGainOfAVertex(t *testing.T) {
	b, s := tubeBody(4, 6, 2, 6)
	disturb(b, 0.5, 7)
	f := newSolver(s, b, 100, 1)
	w := f.newWeightSearch(bestMethods)
	w.chooseLimbs()
	for _, v := range []int{0, 13, 77, 200, len(b.Vertices) - 1} {
		sc, q := &w.scratch[0], f.errors().Q
		w.aim(sc, v)
		before := missed(sc.at, sc.target)
		w.improve(sc, v)
		gain := f.metric.diagonal[v] * (missed(sc.at, sc.target) - before)
		b.Swing[v], b.Twist[v] = w.swing[v], w.twist[v]
		f.update()
		if got := f.errors().Q - q; !(math.Abs(got-gain) < 1e-12*q) || !(gain < 0) {
			t.Errorf("vertex %d: Q changes by %g, by its row %g", v, got, gain)
		}
	}
}

// The swings' weights of a vertex are the best of all with as many influences: better than a hundred thousand others of
// the same limbs.
func TestSwingWeightsAreBest(t *testing.T) {
	b, s := tubeBody(3, 6, 2, 8) // as many limbs as a vertex may follow, and fewer
	disturb(b, 0.5, 9)
	f := newSolver(s, b, 10, 1)
	w := f.newWeightSearch(bestMethods)
	w.chooseLimbs()
	rng := rand.New(rand.NewPCG(10, 2))
	for _, v := range []int{20, 100, 130, 250} {
		sc := &w.scratch[0]
		w.aim(sc, v)
		sc.limbs = w.limbs[v]
		w.fitSwing(sc, v)
		left := missed(sc.at, sc.target)
		points := make([]mgl64.Vec3, len(s.Shapes))
		for range 100_000 {
			var trial []skinning.Share
			sum := 0.0
			for j := range b.Joints {
				x := math.Max(rng.NormFloat64(), 0)
				if near := dense(w.swing[v], len(b.Joints)); rng.IntN(2) == 0 {
					x = math.Max(near[j]+0.01*rng.NormFloat64(), 0)
				}
				sum += x
				trial = append(trial, skinning.Share{Joint: uint16(j), Weight: x})
			}
			if sum == 0 {
				continue
			}
			for k := range trial {
				trial[k].Weight /= sum
			}
			for i, p := range f.palettes {
				m := p.Map(trial, w.twist[v])
				points[i] = m.Apply(b.Vertices[v])
			}
			if got := missed(points, sc.target); !(got >= left*(1-1e-9)) {
				t.Fatalf("vertex %d: %v leaves %g, the solver %g", v, trial, got, left)
			}
		}
	}
}

// The derivative by the components of a dual quaternion is that of central differences, which have 1e-9.
func TestTwistRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	vector := func() (v mgl64.Vec3) {
		for c := range v {
			v[c] = rng.NormFloat64()
		}
		return v
	}
	for range 20 {
		d := geom.NewDualQuat(geom.AxisAngle(vector(), 3*rng.Float64()), vector()).Scale(0.5 + rng.Float64())
		d = d.Add(geom.NewDualQuat(geom.AxisAngle(vector(), rng.Float64()), vector()).Scale(0.3))
		v := vector()
		var b geom.Affine
		for c := range b {
			b[c] = rng.NormFloat64()
		}
		k := newTwistRate(&d, v, &b)
		for c := range 8 {
			at := func(step float64) mgl64.Vec3 {
				e := d
				if c < 4 {
					e.Real[c] += step
				} else {
					e.Dual[c-4] += step
				}
				m := e.Affine()
				return b.Apply(m.Apply(v))
			}
			want := at(1e-5).Sub(at(-1e-5)).Mul(0.5e5)
			for r := range 3 {
				if !(math.Abs(k[r][c]-want[r]) < 1e-7*(1+want.Len())) {
					t.Errorf("component %d: %g, by differences %g", c, k[r][c], want[r])
				}
			}
		}
	}
}

// stopAfter is a context that is cancelled once it has been asked so often.
type stopAfter struct {
	context.Context
	left int
}

func (c *stopAfter) Err() error {
	c.left--
	if c.left < 0 {
		return context.Canceled
	}
	return nil
}

// No round raises Q, also where it is cancelled, and any number of workers gives the same bits.
func TestWeightsNeverRaiseQ(t *testing.T) {
	for _, test := range []struct {
		alpha float64
		step  Step
		stop  int
	}{
		{0, bestWeights, 1000}, {1, bestWeights, 1000}, {100, bestWeights, 1000}, {100, bestWeights, 7}, {0, bestWeights, 0},
		{10, variedWeights, 1000},
	} {
		var first *Body
		for _, workers := range []int{1, 2, 5} {
			b, s := tubeBody(5, 6, 2.5, 12)
			disturb(b, 0.9, 13)
			f := newSolver(s, b, test.alpha, workers)
			q := f.errors().Q
			for range 3 {
				if err := test.step(&stopAfter{context.Background(), test.stop}, f); err != nil {
					t.Fatal(err)
				}
				validWeights(t, b)
				now := f.errors().Q
				if !(now <= q*(1+1e-12)) || test.stop > 0 && !(now < q) {
					t.Errorf("α %g: Q %g from %g", test.alpha, now, q)
				}
				q = now
			}
			if first == nil {
				first = b
			}
			if !reflect.DeepEqual(first, b) {
				t.Errorf("α %g: other weights by %d workers", test.alpha, workers)
			}
		}
	}
}

// The paper's descent ends where no step of 1/64 gains: within that of the best weights, where scans determine them.
func TestVariedWeights(t *testing.T) {
	b, s := tubeBody(3, 12, 1.5, 15)
	swing, twist := append([][]skinning.Share(nil), b.Swing...), append([][]skinning.Share(nil), b.Twist...)
	disturb(b, 0.5, 16)
	f := newSolver(s, b, 0, 2)
	steps(t, f, 20, variedWeights)
	for v := range swing {
		for _, set := range [][2][]skinning.Share{{swing[v], b.Swing[v]}, {twist[v], b.Twist[v]}} {
			is, want := dense(set[1], 3), dense(set[0], 3)
			for j := range is {
				if !(math.Abs(is[j]-want[j]) <= 1./32) { // each set has its step
					t.Fatalf("vertex %d: %v in place of %v", v, set[1], set[0])
				}
			}
		}
	}
}

// Vertices of a class have no entry of the metric with another, and each vertex is in one class.
func TestClasses(t *testing.T) {
	_, s := tubeBody(3, 1, 1, 14)
	m := newMetric(s, 100)
	class, seen := make([]int, len(s.Rings)), 0
	for c, members := range m.classes() {
		for _, v := range members {
			class[v] = c
			seen++
		}
	}
	for v := range class {
		for _, u := range m.column[m.start[v]:m.start[v+1]] {
			if int(u) != v && class[u] == class[v] {
				t.Errorf("vertices %d and %d are of class %d", v, u, class[v])
			}
		}
	}
	if seen != len(class) || len(newMetric(s, 0).classes()) != 1 {
		t.Errorf("%d of %d vertices; %d classes without Laplacian", seen, len(class), len(newMetric(s, 0).classes()))
	}
}
