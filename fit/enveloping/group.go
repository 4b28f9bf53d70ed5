package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning/geom"
)

// group is a set of triangles that move together, with sums over their vertices. The sums alone determine the
// least-squares transformation of the vertices, and the error under any other transformation. With h = [ŷ, 1], and y
// and T scaled by the roots of the pairs' weights,
//
//	M = Σ h·hᵀ,  X^i = Σ y^i·hᵀ,  s = Σ_i Σ ‖y^i‖²,  F = Σ_i T^iᵀ·T^i,
//	E(T) = Σ_i Σ ‖T^i·h − y^i‖² = s − 2·Σ_i ⟨X^i, T^i⟩ + ⟨M, F⟩.
type group struct {
	*sums      // nil for a group of one triangle: see [clustering.complete]
	neighbours []neighbour
}

// sums are those over a group's vertices, and its transformation. They are most of a clustering's memory.
type sums struct {
	moment    linear.Moment // M
	form      linear.Form   // F of its own transformation
	square    float64       // s
	cross     []float64     // X^i, twelve numbers for each pair
	transform []float64     // T^i, likewise
}

func newSums(pairs int) *sums {
	both := make([]float64, 24*pairs)
	return &sums{cross: both[: 12*pairs : 12*pairs], transform: both[12*pairs:]}
}

// neighbour is another group that shares an edge, with the cost of joining it: the error of the group under the
// neighbour's transformation.
type neighbour struct {
	group int32
	error float64
}

// set makes the sums those of one triangle.
func (s *sums) set(x *training.Examples, t [3]uint32, roots []float64) {
	p, q, r := x.Rest[t[0]], x.Rest[t[1]], x.Rest[t[2]]
	s.moment, s.square = linear.Moment{}, 0
	for _, corner := range [...]mgl64.Vec3{p, q, r} {
		s.moment.Add(1, corner)
	}
	inverse, ok := invert(frame(p, q, r))
	restMiddle := p.Add(q).Add(r).Mul(1. / 3)
	for i, root := range roots {
		y := x.Targets[i]
		a, b, c := y[t[0]].Mul(root), y[t[1]].Mul(root), y[t[2]].Mul(root)
		s.square += a.Dot(a) + b.Dot(b) + c.Dot(c)
		cross := s.cross[12*i : 12*i+12]
		for row := range 3 {
			u, v, w := a[row], b[row], c[row]
			cross[4*row] = u*p[0] + v*q[0] + w*r[0]
			cross[4*row+1] = u*p[1] + v*q[1] + w*r[1]
			cross[4*row+2] = u*p[2] + v*q[2] + w*r[2]
			cross[4*row+3] = u + v + w
		}
		d := geom.Mat3{root, 0, 0, 0, root, 0, 0, 0, root}
		if ok { // the normal in a frame is as long as an edge, so that scaled corners give a scaled frame
			d = frame(a, b, c).Mul(inverse)
		}
		affine := geom.NewAffine(d, a.Add(b).Add(c).Mul(1./3).Sub(d.Apply(restMiddle)))
		copy(s.transform[12*i:], affine[:])
	}
	s.findForm()
}

// frame returns a matrix whose columns are two edges of a triangle and its normal, which is as long as the root of
// twice the area. The frame of a posed triangle times the inverse of the one at rest is the deformation gradient
// (Sumner and Popović 2004).
func frame(a, b, c mgl64.Vec3) geom.Mat3 {
	u, v := b.Sub(a), c.Sub(a)
	n := u.Cross(v)
	if l := n.Len(); l > 0 {
		n = n.Mul(1 / math.Sqrt(l))
	}
	return geom.Mat3{u[0], v[0], n[0], u[1], v[1], n[1], u[2], v[2], n[2]}
}

// invert returns m⁻¹, and false for a matrix that is singular to rounding: a triangle without area.
func invert(m geom.Mat3) (geom.Mat3, bool) {
	det, size := m.Det(), floats.Norm(m[:], math.Inf(1))
	if !(math.Abs(det) > 1e-9*size*size*size) {
		return geom.Mat3{}, false
	}
	inverse := m.Cofactor().Transpose()
	floats.Scale(1/det, inverse[:])
	return inverse, true
}

func (s *sums) findForm() {
	var aa, ab, ac, ad, bb, bc, bd, cc, cd, dd float64
	for k := 0; k+4 <= len(s.transform); k += 4 {
		row := s.transform[k : k+4 : k+4]
		a, b, c, d := row[0], row[1], row[2], row[3]
		aa, ab, ac, ad = aa+a*a, ab+a*b, ac+a*c, ad+a*d
		bb, bc, bd = bb+b*b, bc+b*c, bd+b*d
		cc, cd, dd = cc+c*c, cd+c*d, dd+d*d
	}
	s.form = linear.Form{aa, 2 * ab, 2 * ac, 2 * ad, bb, 2 * bc, 2 * bd, cc, 2 * cd, dd}
}

// errorOf returns E under another group's transformation.
func (s *sums) errorOf(o *sums) float64 {
	e := s.square - 2*floats.Dot(s.cross, o.transform)
	for k, m := range s.moment {
		e += m * o.form[k]
	}
	if !(e <= math.MaxFloat64) { // the queue cannot order NaN
		return math.MaxFloat64
	}
	return math.Max(e, 0)
}

// flatRidge keeps a group's transformation as it was in directions in which its vertices hardly spread, such as the
// normal of a flat patch. It is a share of the sum of the spread's diagonal.
const flatRidge = 1e-3

// add adds another group's triangles.
func (s *sums) add(o *sums) {
	s.moment.AddAll(&o.moment)
	floats.Add(s.cross, o.cross)
	s.square += o.square
}

// fit fits the transformations to the group's vertices.
func (s *sums) fit() {
	// Least squares about the mean of the vertices, which separates the linear part from the translation.
	m := &s.moment
	n := m[9]
	mean := mgl64.Vec3{m[3] / n, m[6] / n, m[8] / n}
	spread := geom.Mat3{
		m[0] - n*mean[0]*mean[0], m[1] - n*mean[0]*mean[1], m[2] - n*mean[0]*mean[2],
		m[1] - n*mean[0]*mean[1], m[4] - n*mean[1]*mean[1], m[5] - n*mean[1]*mean[2],
		m[2] - n*mean[0]*mean[2], m[5] - n*mean[1]*mean[2], m[7] - n*mean[2]*mean[2],
	}
	ridge := flatRidge * (spread[0] + spread[4] + spread[8])
	if !(ridge > 0) {
		return
	}
	for k := 0; k < 9; k += 4 {
		spread[k] += ridge
	}
	inverse, ok := invert(spread)
	if !ok {
		return
	}
	for k := 0; k+4 <= len(s.transform); k += 4 { // every row of every T^i by itself
		t, x := s.transform[k:k+4:k+4], s.cross[k:k+4:k+4]
		to := x[3] / n
		c := mgl64.Vec3{
			x[0] - n*to*mean[0] + ridge*t[0],
			x[1] - n*to*mean[1] + ridge*t[1],
			x[2] - n*to*mean[2] + ridge*t[2],
		}
		for col := range 3 {
			t[col] = c[0]*inverse[col] + c[1]*inverse[3+col] + c[2]*inverse[6+col]
		}
		t[3] = to - (t[0]*mean[0] + t[1]*mean[1] + t[2]*mean[2])
	}
	s.findForm()
}

// to returns the place of another group among the neighbours, −1 where it is not a neighbour.
func (g *group) to(other int32) int {
	for k := range g.neighbours {
		if g.neighbours[k].group == other {
			return k
		}
	}
	return -1
}

// meet makes another group a neighbour, and reports whether it is a new one.
func (g *group) meet(other int32) bool {
	if g.to(other) >= 0 {
		return false
	}
	g.neighbours = append(g.neighbours, neighbour{group: other})
	return true
}

func (g *group) forget(other int32) {
	k, last := g.to(other), len(g.neighbours)-1
	g.neighbours[k] = g.neighbours[last]
	g.neighbours = g.neighbours[:last]
}

// cheapest returns the neighbour that costs least, the first group among equals; an infinite error where there is none.
func (g *group) cheapest() neighbour {
	best := neighbour{-1, math.Inf(1)}
	for _, n := range g.neighbours {
		if n.error < best.error || n.error == best.error && n.group < best.group {
			best = n
		}
	}
	return best
}
