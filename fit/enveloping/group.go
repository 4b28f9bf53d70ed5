package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
)

// group is a set of triangles that move together, with sums over their vertices. The sums alone determine the
// least-squares transformation of the vertices, and the error under any other transformation. With h = [ŷ, 1], and y
// and T scaled by the roots of the pairs' weights (see scaledTargets),
//
//	M = Σ h·hᵀ,  X^i = Σ y^i·hᵀ,  s = Σ_i Σ ‖y^i‖²,  F = Σ_i T^iᵀ·T^i,
//	E(T) = Σ_i Σ ‖T^i·h − y^i‖² = s − 2·Σ_i ⟨X^i, T^i⟩ + ⟨M, F⟩.
type group struct {
	moment       linear.Moment // M
	form         linear.Form   // F of its own transformation
	square       float64       // s
	pairMatrices               // nil for a group of one triangle: see [clustering.complete]
	neighbours   []neighbour
}

// pairMatrices are those of a group's numbers that are as many as the pairs.
type pairMatrices struct {
	cross     []float64 // X^i, twelve numbers for each pair
	transform []float64 // T^i, likewise
}

func newPairMatrices(pairs int) pairMatrices {
	both := make([]float64, 24*pairs)
	return pairMatrices{both[: 12*pairs : 12*pairs], both[12*pairs:]}
}

// neighbour is another group that shares an edge, with the cost of joining it: the error of the group under the
// neighbour's transformation.
type neighbour struct {
	group int32
	error float64
}

// init makes the group of one triangle, whose matrices have been set.
func (g *group) init(rest []mgl64.Vec3, t [3]uint32, s *scaledTargets) {
	for _, v := range t {
		y := s.of(int(v))
		g.moment.Add(1, rest[v])
		g.square += floats.Dot(y, y)
	}
	g.findForm()
}

// set computes the matrices of one triangle.
func (m *pairMatrices) set(rest []mgl64.Vec3, t [3]uint32, s *scaledTargets) {
	corner := [3][]float64{s.of(int(t[0])), s.of(int(t[1])), s.of(int(t[2]))}
	p, q, r := rest[t[0]], rest[t[1]], rest[t[2]]
	inverse, ok := invert(frame(p, q, r))
	restMiddle := p.Add(q).Add(r).Mul(1. / 3)
	for i, root := range s.root {
		at := 3 * i
		a, b, c := mgl64.Vec3(corner[0][at:at+3]), mgl64.Vec3(corner[1][at:at+3]), mgl64.Vec3(corner[2][at:at+3])
		x := m.cross[12*i : 12*i+12]
		for row := range 3 {
			u, v, w := a[row], b[row], c[row]
			x[4*row] = u*p[0] + v*q[0] + w*r[0]
			x[4*row+1] = u*p[1] + v*q[1] + w*r[1]
			x[4*row+2] = u*p[2] + v*q[2] + w*r[2]
			x[4*row+3] = u + v + w
		}
		d := geom.Mat3{root, 0, 0, 0, root, 0, 0, 0, root}
		if ok { // the normal in a frame is as long as an edge, so that scaled corners give a scaled frame
			d = frame(a, b, c).Mul(inverse)
		}
		affine := geom.NewAffine(d, a.Add(b).Add(c).Mul(1./3).Sub(d.Apply(restMiddle)))
		copy(m.transform[12*i:], affine[:])
	}
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

func (g *group) findForm() {
	var aa, ab, ac, ad, bb, bc, bd, cc, cd, dd float64
	for k := 0; k+4 <= len(g.transform); k += 4 {
		row := g.transform[k : k+4 : k+4]
		a, b, c, d := row[0], row[1], row[2], row[3]
		aa, ab, ac, ad = aa+a*a, ab+a*b, ac+a*c, ad+a*d
		bb, bc, bd = bb+b*b, bc+b*c, bd+b*d
		cc, cd, dd = cc+c*c, cd+c*d, dd+d*d
	}
	g.form = linear.Form{aa, 2 * ab, 2 * ac, 2 * ad, bb, 2 * bc, 2 * bd, cc, 2 * cd, dd}
}

// errorOf returns E under another group's transformation.
func (g *group) errorOf(o *group) float64 {
	e := g.square - 2*floats.Dot(g.cross, o.transform)
	for k, m := range g.moment {
		e += m * o.form[k]
	}
	if !(e <= math.MaxFloat64) { // the queue cannot order NaN
		return math.MaxFloat64
	}
	return math.Max(e, 0)
}

// flatRidge keeps a group's transformation as it was in directions in which its vertices hardly spread, such as the
// normal of a flat patch. It is a share of the sum of the spread's diagonal (rows 63, 64).
const flatRidge = 1e-3

// take adds another group's triangles.
func (g *group) take(o *group) {
	g.moment.AddAll(&o.moment)
	floats.Add(g.cross, o.cross)
	g.square += o.square
}

// fit fits the transformations to the group's vertices.
func (g *group) fit() {
	// Least squares about the mean of the vertices, which separates the linear part from the translation.
	m := &g.moment
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
	for k := 0; k+4 <= len(g.transform); k += 4 { // every row of every T^i by itself
		t, x := g.transform[k:k+4:k+4], g.cross[k:k+4:k+4]
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
	g.findForm()
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
