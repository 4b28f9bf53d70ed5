package enveloping

import (
	"errors"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning/geom"
)

// poisson pieces gradients of all triangles together into a mesh (RTER sections 4.1 and 4.2): what the reduced solve
// approximates and is held against. The matrix depends on the mesh and on F alone and is factored once.
type poisson struct {
	x      *Examples
	fixed  []bool
	row    []int // of each vertex in the system; −1 where fixed or without an edge
	factor mat.Cholesky
}

// newPoisson factors the system. Every connected part of the mesh needs a fixed vertex, or the system is not definite.
func newPoisson(x *Examples, fixed []bool) (*poisson, error) {
	p := &poisson{x: x, fixed: fixed, row: make([]int, len(x.Rest))}
	for v := range p.row {
		p.row[v] = -1
	}
	n := 0
	p.edges(func(a, b uint32, _ int, _ mgl64.Vec3) {
		for _, v := range [...]uint32{a, b} {
			if !fixed[v] && p.row[v] < 0 {
				p.row[v] = n
				n++
			}
		}
	})
	s := mat.NewSymDense(n, nil)
	add := func(i, j int, v float64) { s.SetSym(i, j, s.At(i, j)+v) }
	p.edges(func(a, b uint32, _ int, _ mgl64.Vec3) {
		i, j := p.row[a], p.row[b]
		if i >= 0 {
			add(i, i, 1)
		}
		if j >= 0 {
			add(j, j, 1)
		}
		if i >= 0 && j >= 0 {
			add(i, j, -1)
		}
	})
	if !p.factor.Factorize(s) {
		return nil, errors.New("the system is not definite")
	}
	return p, nil
}

// edges lists the edges of equation (1), from a to b, with their triangle and their rest vector. Edges of no length say
// nothing of gradients, but still hold their ends together.
func (p *poisson) edges(f func(a, b uint32, triangle int, rest mgl64.Vec3)) {
	for k, t := range p.x.Triangles {
		for j, rest := range edgesOf(p.x.Rest, t) {
			if t[0] != t[j+1] {
				f(t[0], t[j+1], k, rest)
			}
		}
	}
}

// solve returns all positions: the given ones of fixed vertices and of those without an edge, and for the rest the
// minimum of equation (2), for a gradient per triangle.
func (p *poisson) solve(gradients []geom.Mat3, given []mgl64.Vec3) []mgl64.Vec3 {
	n := 0
	for _, r := range p.row {
		n = max(n, r+1)
	}
	out := append([]mgl64.Vec3(nil), given...)
	right := make([]float64, n)
	for c := range 3 {
		clear(right)
		p.edges(func(a, b uint32, triangle int, rest mgl64.Vec3) {
			g := gradients[triangle][3*c : 3*c+3]
			want := g[0]*rest[0] + g[1]*rest[1] + g[2]*rest[2] // of b − a
			i, j := p.row[a], p.row[b]
			if i >= 0 {
				right[i] -= want
				if j < 0 {
					right[i] += given[b][c]
				}
			}
			if j >= 0 {
				right[j] += want
				if i < 0 {
					right[j] += given[a][c]
				}
			}
		})
		x := mat.NewVecDense(n, right)
		if err := p.factor.SolveVecTo(x, x); err != nil {
			panic(err)
		}
		for v, r := range p.row {
			if r >= 0 {
				out[v][c] = right[r]
			}
		}
	}
	return out
}
