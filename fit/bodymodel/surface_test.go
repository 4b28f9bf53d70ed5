package bodymodel

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// disturbedBody is a tube whose weights and vertices are not those of its scans.
func disturbedBody(limbs int) (b *Body, s *scans) {
	b, s = tubeBody(limbs, 10, 1.5, 31)
	disturb(b, 0.5, 32)
	for _, set := range [][][]skinning.Share{b.Swing, b.Twist} {
		for _, shares := range set {
			sortShares(shares)
		}
	}
	shake(b.Vertices, 0.02, 33)
	return b, s
}

// The right side of the equations is −½ of the derivative of Q plus the tie by every unknown of some vertices. Central
// differences with steps of 1e-6 have it to rounding: 1e-16 of Q, about 500 m², over the step.
func TestSurfaceGradient(t *testing.T) {
	b, s := disturbedBody(3)
	f := newSolver(s, b, 100, 1)
	counts := make([]int, len(b.Vertices))
	for v := range counts {
		counts[v] = len(b.Swing[v]) - 1 + len(b.Twist[v]) - 1 + 3
	}
	f.tie = 0.01
	e := f.newEquations(counts, f.fillSurface)
	for v := range counts {
		f.tieWeights(e, v)
	}
	at := *b
	checked := 0
	for _, v := range []int{5, 95, 100, 190, 200} {
		for k := range counts[v] {
			q := func(step float64) float64 {
				moves := make([]float64, counts[v])
				moves[k] = step
				swings := len(at.Swing[v]) - 1
				move := func(shares []skinning.Share, moves []float64) []skinning.Share {
					out := append([]skinning.Share(nil), shares...)
					for i := range shares[1:] {
						out[0].Weight -= moves[i]
						out[i+1].Weight += moves[i]
					}
					return out
				}
				b.Swing[v], b.Twist[v] = move(at.Swing[v], moves), move(at.Twist[v], moves[swings:])
				b.Vertices[v] = b.Vertices[v].Add(mgl64.Vec3(moves[counts[v]-3:]))
				f.update()
				return f.errors().Q + f.tied()
			}
			b.Swing, b.Twist = append([][]skinning.Share(nil), at.Swing...), append([][]skinning.Share(nil), at.Twist...)
			b.Vertices = append([]mgl64.Vec3(nil), at.Vertices...)
			up := q(1e-6)
			b.Vertices = append([]mgl64.Vec3(nil), at.Vertices...)
			down := q(-1e-6)
			b.Vertices = append([]mgl64.Vec3(nil), at.Vertices...)
			want, got := (up-down)/-4e-6, e.right[e.first[v]+k]
			if !(math.Abs(got-want) < 1e-6*(1+math.Abs(want))) {
				t.Errorf("vertex %d, unknown %d: %g, by differences %g", v, k, got, want)
			}
			checked++
		}
		b.Swing[v], b.Twist[v] = at.Swing[v], at.Twist[v]
	}
	if checked < 20 {
		t.Errorf("only %d unknowns", checked)
	}
}

// Weights and vertices that are disturbed at once come back in a few steps, also with the Laplacian: Q falls to a
// billionth. Rounds of weights and vertices alone are slower.
func TestSurfaceFindsABody(t *testing.T) {
	run := func(phase func(f *solver) error) float64 {
		b, s := disturbedBody(4)
		f := newSolver(s, b, 100, 2)
		q := f.errors().Q
		for range 8 {
			f.weights(context.Background(), 1)
			if err := phase(f); err != nil {
				t.Fatal(err)
			}
		}
		validWeights(t, b)
		return f.errors().Q / q
	}
	both := run(func(f *solver) error { return f.surface(context.Background()) })
	turns := run(func(f *solver) error { return f.vertices(context.Background()) })
	t.Logf("Q falls to %g, in turns to %g", both, turns)
	if !(both < 1e-9 && both < turns) {
		t.Errorf("Q falls to %g, in turns to %g", both, turns)
	}
}

// No step raises Q, also where it is cancelled, and any number of workers gives the same bits.
func TestSurfaceNeverRaisesQ(t *testing.T) {
	for _, tie := range []float64{-1, 0, 1e-3} { // −1: a body of linear blending
		for _, stop := range []int{0, 3, 1000} {
			var first *Body
			for _, workers := range []int{1, 2, 5} {
				b, s := disturbedBody(5)
				b.Linear = tie < 0
				b.setAxes()
				f := newSolver(s, b, 100, workers)
				f.tie = math.Max(tie, 0)
				q := f.errors().Q
				for range 3 {
					if err := f.surface(&stopAfter{context.Background(), stop}); err != nil {
						t.Fatal(err)
					}
					validWeights(t, b)
					now := f.errors().Q
					if !(now <= q*(1+1e-12)) || stop > 0 && !(now < q) {
						t.Errorf("Q %g from %g", now, q)
					}
					q = now
				}
				if first == nil {
					first = b
				}
				if !reflect.DeepEqual(first, b) {
					t.Errorf("another body by %d workers", workers)
				}
			}
		}
	}
}
