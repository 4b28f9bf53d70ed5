// Package poisson finds the vertex positions of a mesh whose triangles have given deformation gradients, by one sparse
// linear system (RTER sections 4.1 and 4.2).
package poisson

import (
	"errors"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
)

// errSingular reports a system that cannot be solved: part of a mesh without a fixed vertex and without a hold.
var errSingular = errors.New("poisson: the system is singular")

// System is the linear system of a mesh with a set F of fixed vertices (RTER sections 4.1 and 4.2). Its matrix depends
// on the mesh and on F only and is factored once. The reduced solve of package enveloping approximates it.
type System struct {
	triangles [][3]uint32
	hold      float64
	row       []int // of each vertex in the system; −1 where fixed or without an edge
	unknowns  int
	factor    *linear.SparseCholesky
}

// New factors the system. Hold is the weight, as a share of an edge's, with which vertices are held to given positions.
// Every connected part of the mesh needs a fixed vertex or a hold above 0.
func New(triangles [][3]uint32, fixed []bool, hold float64) (*System, error) {
	p := &System{triangles: triangles, hold: hold, row: make([]int, len(fixed))}
	for v := range p.row {
		p.row[v] = -1
	}
	var entries []linear.Entry
	p.edges(func(_, _ int, ends [2]uint32) {
		for _, v := range ends {
			if !fixed[v] && p.row[v] < 0 {
				p.row[v] = p.unknowns
				p.unknowns++
				entries = append(entries, linear.Entry{Row: p.row[v], Column: p.row[v], Value: hold})
			}
		}
		i, j := p.row[ends[0]], p.row[ends[1]]
		if i >= 0 {
			entries = append(entries, linear.Entry{Row: i, Column: i, Value: 1})
		}
		if j >= 0 {
			entries = append(entries, linear.Entry{Row: j, Column: j, Value: 1})
		}
		if i >= 0 && j >= 0 {
			entries = append(entries, linear.Entry{Row: i, Column: j, Value: -1})
		}
	})
	var definite bool
	p.factor, definite = linear.NewSparseCholesky(p.unknowns, entries)
	if !definite {
		return nil, errSingular
	}
	return p, nil
}

// edges calls f for the edges of equation (1), the two at the first corner of each triangle, with the number of the
// triangle, the number of the edge, and its ends.
func (p *System) edges(f func(triangle, edge int, ends [2]uint32)) {
	for k, t := range p.triangles {
		for j := range 2 {
			if t[0] != t[j+1] {
				f(k, j, [2]uint32{t[0], t[j+1]})
			}
		}
	}
}

// Solve returns the positions that minimise equation (2), for one gradient per triangle. Fixed vertices and vertices
// without an edge have their given positions.
func (p *System) Solve(rest []mgl64.Vec3, gradients []geom.Mat3, given []mgl64.Vec3) []mgl64.Vec3 {
	out := append([]mgl64.Vec3(nil), given...)
	right, scratch := make([]float64, p.unknowns), make([]float64, p.unknowns)
	for c := range 3 {
		for v, i := range p.row {
			if i >= 0 {
				right[i] = p.hold * given[v][c]
			}
		}
		p.edges(func(triangle, edge int, ends [2]uint32) {
			t, g := p.triangles[triangle], gradients[triangle][3*c:3*c+3]
			e := rest[t[edge+1]].Sub(rest[t[0]])
			want := g[0]*e[0] + g[1]*e[1] + g[2]*e[2]
			for end, sign := range [...]float64{-1, 1} {
				if i := p.row[ends[end]]; i >= 0 {
					right[i] += sign * want
					if other := ends[1-end]; p.row[other] < 0 {
						right[i] += given[other][c]
					}
				}
			}
		})
		p.factor.Solve(right, scratch)
		for v, i := range p.row {
			if i >= 0 {
				out[v][c] = right[i]
			}
		}
	}
	return out
}
