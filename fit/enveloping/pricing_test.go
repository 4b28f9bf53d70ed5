package enveloping

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/simplex"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const crowd = 40 // joints

// crowded returns examples of a strip whose joints all turn about their own places, with a skin that moves by itself: any
// joint may be of use to any vertex, and the best one alone says little.
func crowded(joints, vertices, pairs int) *Examples {
	rng := rand.New(rand.NewPCG(3, 8))
	at := func(size float64) mgl64.Vec3 {
		return mgl64.Vec3{size * rng.NormFloat64(), size * rng.NormFloat64(), size * rng.NormFloat64()}
	}
	x := &Examples{}
	for v := range vertices {
		x.Rest = append(x.Rest, at(0.5))
		w := rng.Float64()
		x.Rigged = append(x.Rigged, []skinning.Share{{Joint: uint16(v % joints), Weight: w},
			{Joint: uint16((v + 1) % joints), Weight: 1 - w}})
	}
	for v := range vertices - 2 {
		x.Triangles = append(x.Triangles, [3]uint32{uint32(v), uint32(v + 1), uint32(v + 2)})
	}
	for j := range joints {
		x.Parent = append(x.Parent, j-1)
	}
	for range pairs {
		e := Example{}
		for range joints {
			v := at(0.3)
			e.Matrices = append(e.Matrices, geom.NewAffine(geom.AxisAngle(v, v.Len()).Mat3(), at(0.1)))
		}
		for v, p := range x.Rest {
			e.Target = append(e.Target, blend(e.Matrices, x.Rigged[v], p).Add(at(0.05)))
		}
		x.Pairs = append(x.Pairs, e)
	}
	return x
}

// quadratic returns wᵀ·q·w.
func quadratic(q, w []float64) (sum float64) {
	for a, x := range w {
		for b, y := range w {
			sum += x * y * q[a*len(w)+b]
		}
	}
	return sum
}

// allJoints returns the matrix of a vertex over all joints. Its products are of this function's own.
func allJoints(x *Examples, v int) []float64 {
	n := len(x.Parent)
	q, off := make([]float64, n*n), make([]mgl64.Vec3, n)
	root := x.roots()
	for i, e := range x.Pairs {
		for j := range off {
			off[j] = e.Matrices[j].Apply(x.Rest[v]).Sub(e.Target[v]).Mul(root[i])
		}
		for a := range n {
			for b := range n {
				q[a*n+b] += off[a].Dot(off[b])
			}
		}
	}
	return q
}

// TestSSDIsTheOptimum: of every vertex, weights without a limit of their number are the minimum over all joints, held to
// the rig and not. They are on the simplex, to 1e-9. No joint has a reduced cost (Qw)_j − f below −1e-6·f: as f is convex,
// the least is then at least (1 − 2e-6)·f. A solve over all joints at once ends at the same f, to 1e-6 of it. At most four
// weights are as good in the sum over the vertices as those that a solve over all joints at once ends at, to 1e-6 of it.
// All are up to a rounding of 1e-11 of Q. Without a hold they are no worse than the rig's.
func TestSSDIsTheOptimum(t *testing.T) {
	check := func(t *testing.T, x *Examples, hold bool) {
		if !hold {
			rigged := x.Rigged
			x = x.withoutRig()
			defer func() {
				own, trained, limited := 0.0, 0.0, newSSDTraining(x, 1)
				for v := range x.Rest {
					limited.solveVertex(0, v)
					own, trained = own+x.errorOf(v, rigged[v]), trained+limited.s.square[v]
				}
				if !(trained <= own) {
					t.Errorf("the squared errors sum to %g m², with the rig's weights to %g", trained, own)
				}
			}()
		}
		whole, limited := newSSDTraining(x, 1), newSSDTraining(x, 1)
		held, n := x.heldToRig(), len(x.Parent)
		most, four, priced := 0, 0.0, 0.0
		for v := 0; v < len(x.Rest); v += 1 + len(x.Rest)/500 {
			q := allJoints(held, v)
			rounding := 1e-11 * slices.Max(q)
			p := whole.pricing(0, v)
			p.minimize()
			w, total, count := make([]float64, n), 0.0, 0
			for a, j := range p.joints {
				w[j], total = p.w[a], total+p.w[a]
				if p.w[a] > 0 {
					count++
				}
			}
			most = max(most, count)
			f := quadratic(q, w)
			if !(math.Abs(total-1) <= 1e-9) || !(slices.Min(w) >= 0) {
				t.Fatalf("vertex %d: weights %v", v, w)
			}
			for j := range n {
				price := 0.0
				for b, y := range w {
					price += q[j*n+b] * y
				}
				if !(price-f >= -1e-6*f-rounding) {
					t.Fatalf("vertex %d: joint %d of weight %g has the reduced cost %g at f = %g m²", v, j, w[j], price-f, f)
				}
			}
			var all simplex.Solver
			atOnce := make([]float64, n)
			if least := all.Minimize(q, n, atOnce); !(math.Abs(f-least) <= 1e-6*least+rounding) {
				t.Fatalf("vertex %d: f = %g m², over all joints at once %g", v, f, least)
			}
			clear(atOnce)
			four += all.MinimizeSparse(q, n, mostInfluences, atOnce) + rounding
			limited.solveVertex(0, v)
			clear(w)
			if len(limited.s.Weights[v]) > mostInfluences {
				t.Fatalf("vertex %d: weights %v", v, limited.s.Weights[v])
			}
			for _, s := range limited.s.Weights[v] {
				w[s.Joint] = s.Weight
			}
			priced += quadratic(q, w)
		}
		t.Logf("%d joints, %d of them at most with weight; four weights: %g m², over all joints at once %g", n, most, priced, four)
		if !(priced <= four*(1+1e-6)) {
			t.Errorf("four weights: %g m², over all joints at once %g", priced, four)
		}
		if n == crowd && most <= mostInfluences {
			t.Errorf("%d weights at most: the crowd is to need more than %d", most, mostInfluences)
		}
	}
	both := func(t *testing.T, x *Examples) {
		check(t, x, true)
		check(t, x, false)
	}
	t.Run("crowd", func(t *testing.T) { both(t, crowded(crowd, 60, 12)) })
	publishedSets(t, both)
}

// TestSSDStaysTheRigs: where the examples show nothing, trained weights are the rig's, to 1e-5, within which package
// simplex ends: here in the rest pose alone, in which all joints predict a vertex equally well.
func TestSSDStaysTheRigs(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	still := skinning.NewFrame(m, nil)
	x, err := NewExamples(m, []*skinning.Frame{still}, [][]mgl64.Vec3{geom.Vecs64(m.Skin.Positions)})
	if err != nil {
		t.Fatal(err)
	}
	s := trainSSD(x, 2)
	for v, w := range s.Weights {
		own := make([]float64, len(x.Parent))
		for _, share := range x.Rigged[v] {
			own[share.Joint] += share.Weight
		}
		for _, share := range w {
			own[share.Joint] -= share.Weight
		}
		for j, d := range own {
			if !(math.Abs(d) <= 1e-5) {
				t.Fatalf("vertex %d: its weight of joint %d is %g off the rig's", v, j, d)
			}
		}
	}
}
