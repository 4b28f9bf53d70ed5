package bodymodel

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning"
)

// shake moves every vertex by chance.
func shake(points []mgl64.Vec3, size float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for v := range points {
		points[v] = points[v].Add(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Mul(size))
	}
}

// leastSquares stacks the rows of both terms of Q for all scans, and solves for the vertices by QR.
func leastSquares(t *testing.T, f *solver) []mgl64.Vec3 {
	t.Helper()
	n, scans := len(f.body.Vertices), len(f.palettes)
	rows, right := mat.NewDense(scans*2*3*n, 3*n, nil), mat.NewVecDense(scans*2*3*n, nil)
	root := math.Sqrt(f.alpha)
	for i, p := range f.palettes {
		// add adds weight times the map of vertex v, and what is wanted of it, to the rows of vertex u.
		add := func(row, v int, weight float64) {
			m := p.Map(f.body.Swing[v], f.body.Twist[v])
			for c := range 3 {
				for k := range 3 {
					rows.Set(row+c, 3*v+k, rows.At(row+c, 3*v+k)+weight*m[4*c+k])
				}
				right.SetVec(row+c, right.AtVec(row+c)+weight*(f.scans.Shapes[i][v][c]-m[4*c+3]))
			}
		}
		for v, ring := range f.scans.Rings {
			add((i*n+v)*6, v, 1)
			add((i*n+v)*6+3, v, root)
			for _, u := range ring {
				add((i*n+v)*6+3, int(u), -root/float64(len(ring)))
			}
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(rows, right); err != nil {
		t.Fatal(err)
	}
	points := make([]mgl64.Vec3, n)
	for v := range points {
		points[v] = mgl64.Vec3{x.AtVec(3 * v), x.AtVec(3*v + 1), x.AtVec(3*v + 2)}
	}
	return points
}

// The vertices are those of a dense least squares solution, within 1e-5 of their move: the conjugate gradients end at a
// residual of 1e-6.
func TestVerticesAgainstDense(t *testing.T) {
	for _, alpha := range []float64{0, 1, 100} {
		b, s := tubeBody(1, 3, 2, 21)
		for i := range s.Shapes {
			shake(s.Shapes[i], 0.02, uint64(i))
		}
		f := newSolver(s, b, alpha, 2)
		want := leastSquares(t, f)
		before := append([]mgl64.Vec3(nil), b.Vertices...)
		if err := leastSquaresVertices(context.Background(), f); err != nil {
			t.Fatal(err)
		}
		worst, move := 0.0, 0.0
		for v := range want {
			worst, move = math.Max(worst, b.Vertices[v].Sub(want[v]).Len()), math.Max(move, want[v].Sub(before[v]).Len())
		}
		t.Logf("α %g: off by %g m of a move of %g m", alpha, worst, move)
		if !(worst < 1e-5*move) {
			t.Errorf("α %g: off by %g m of a move of %g m", alpha, worst, move)
		}
	}
}

// A known bind shape is found again, through bends and twists of several limbs.
func TestVerticesAreFoundAgain(t *testing.T) {
	b, s := tubeBody(4, 8, 2, 22)
	want := append([]mgl64.Vec3(nil), b.Vertices...)
	shake(b.Vertices, 0.05, 23)
	f := newSolver(s, b, 100, 2)
	if err := leastSquaresVertices(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	for v := range want {
		if d := b.Vertices[v].Sub(want[v]).Len(); !(d < 1e-5) {
			t.Fatalf("vertex %d is off by %g m", v, d)
		}
	}
}

// No solution raises Q, also where it is cancelled, and any number of workers gives the same bits.
func TestVerticesNeverRaiseQ(t *testing.T) {
	for _, alpha := range []float64{0, 1, 100} {
		for _, stop := range []int{0, 3, 1000} {
			var first *Body
			for _, workers := range []int{1, 2, 5} {
				b, s := tubeBody(5, 6, 2.5, 24)
				shake(b.Vertices, 0.05, 25)
				disturb(b, 0.5, 26)
				f := newSolver(s, b, alpha, workers)
				q := f.errors().Q
				for range 3 {
					if err := leastSquaresVertices(&stopAfter{context.Background(), stop}, f); err != nil {
						t.Fatal(err)
					}
					now := f.errors().Q
					if !(now <= q*(1+1e-12)) {
						t.Errorf("α %g: Q %g from %g", alpha, now, q)
					}
					q = now
				}
				if first == nil {
					first = b
				}
				if !reflect.DeepEqual(first, b) {
					t.Errorf("α %g: other vertices by %d workers", alpha, workers)
				}
			}
		}
	}
}

// A vertex that two limbs collapse to a plane in the only scan stays where it is across that plane; the others are
// fitted.
func TestUndeterminedVertices(t *testing.T) {
	b, s := tubeBody(2, 1, 0, 27)
	half := b.Poses[0]
	half.Turns = append(half.Turns[:0:0], half.Turns...)
	half.Turns[1][0], half.Turns[1][1], half.Turns[1][2], half.Turns[1][3] = 0, 0, 1, 0 // by 180 degrees about z
	b.Poses[0] = half
	s = newScans(posedShapes(b), s.Triangles)
	v := 12*8 + 3 // at the joint
	b.Swing[v] = []skinning.Share{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}}
	b.Twist[v] = []skinning.Share{{Joint: 0, Weight: 1}}
	shake(b.Vertices, 0.01, 28)
	before := b.Vertices[v]
	f := newSolver(s, b, 1, 1)
	if err := leastSquaresVertices(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	d := b.Vertices[v].Sub(before)
	if !(math.Abs(d[0]) < 1e-9 && math.Abs(d[1]) < 1e-9) || d[2] == 0 {
		t.Errorf("moved by %v m", d)
	}
	if e := f.errors(); !(e.RMS < 0.1) || !(b.Vertices[5].Len() < 10) {
		t.Errorf("RMS %g m, vertex 5 at %v", e.RMS, b.Vertices[5])
	}
}

// A scan that is not a number is an error that names the vertex, and no vertex moves.
func TestVerticesOfBadScans(t *testing.T) {
	b, s := tubeBody(2, 3, 1, 29)
	s.Shapes[1][7][2] = math.NaN()
	before := append([]mgl64.Vec3(nil), b.Vertices...)
	f := newSolver(s, b, 0, 1)
	err := leastSquaresVertices(context.Background(), f)
	if err == nil || !strings.Contains(err.Error(), "vertex 7") || !reflect.DeepEqual(before, b.Vertices) {
		t.Errorf("%v", err)
	}
}
