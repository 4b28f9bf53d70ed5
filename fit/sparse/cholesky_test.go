package sparse

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// grid returns the Laplacian of a w×h grid with a little on its diagonal, in a shuffled order of rows.
func grid(w, h int, seed uint64) (*Symmetric, [][]float64) {
	n := w * h
	place := rand.New(rand.NewPCG(seed, 1)).Perm(n)
	s := NewSymmetric(n)
	dense := make([][]float64, n)
	for i := range dense {
		dense[i] = make([]float64, n)
	}
	add := func(i, j int, v float64) {
		s.Add(i, j, v)
		dense[i][j] += v
		if i != j {
			dense[j][i] += v
		}
	}
	for y := range h {
		for x := range w {
			a := place[y*w+x]
			add(a, a, 0.01)
			for _, q := range [][2]int{{x + 1, y}, {x, y + 1}, {x + 1, y + 1}} {
				if q[0] < w && q[1] < h {
					b := place[q[1]*w+q[0]]
					add(a, a, 1)
					add(b, b, 1)
					add(a, b, -1)
				}
			}
		}
	}
	return s, dense
}

// TestSolve multiplies the answer back by the dense matrix: residual within 1e-11 of the right side, whose condition is
// 1e3.
func TestSolve(t *testing.T) {
	for seed := range uint64(4) {
		s, dense := grid(9, 13, seed)
		c, err := s.Factor()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 2))
		b := make([]float64, len(dense))
		for i := range b {
			b[i] = r.NormFloat64()
		}
		x, scratch := append([]float64(nil), b...), make([]float64, len(b))
		c.Solve(x, scratch)
		for i, row := range dense {
			sum := -b[i]
			for j, v := range row {
				sum += v * x[j]
			}
			if !(math.Abs(sum) <= 1e-11) {
				t.Fatalf("seed %d: row %d is off by %g", seed, i, sum)
			}
		}
	}
}

// TestOrder: of a grid of w×h, the factor of a good order has at most about min(w, h) entries a row, whatever order the
// rows came in.
func TestOrder(t *testing.T) {
	s, _ := grid(8, 60, 7)
	c, err := s.Factor()
	if err != nil {
		t.Fatal(err)
	}
	if most := 480 * 12; c.NonZeros() > most {
		t.Errorf("%d entries, expected %d at most", c.NonZeros(), most)
	}
}

func TestNotDefinite(t *testing.T) {
	s := NewSymmetric(3)
	s.Add(0, 0, 1)
	s.Add(1, 1, 1)
	s.Add(0, 1, 1) // rows 0 and 1 are the same
	s.Add(2, 2, 1)
	if _, err := s.Factor(); !errors.Is(err, ErrNotDefinite) {
		t.Errorf("error %v, expected %v", err, ErrNotDefinite)
	}
	if _, err := NewSymmetric(2).Factor(); !errors.Is(err, ErrNotDefinite) {
		t.Errorf("the zero matrix: error %v, expected %v", err, ErrNotDefinite)
	}
}
