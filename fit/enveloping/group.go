package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// group is a set of triangles that move together, with sums from which the least-squares transformation of its vertices and the error of
// any other follow without a look at the vertices: with h = [ŷ, 1],
//
//	M = Σ h·hᵀ,  X^i = Σ y^i·hᵀ,  s = Σ_i ω_i Σ ‖y^i‖².
type group struct {
	moment     [10]float64 // M: xx xy xz x1 yy yz y1 zz z1 11
	cross      []skinning.Affine
	square     float64
	transform  []skinning.Affine // T^i
	triangles  []int32
	neighbours map[int32]struct{}
	version    int
	weights    []float64 // of the pairs
}

func newGroup(x *Examples, weights []float64, k int32) *group {
	g := &group{weights: weights, triangles: []int32{k}, neighbours: map[int32]struct{}{}, cross: make([]skinning.Affine, len(x.Pairs)), transform: make([]skinning.Affine, len(x.Pairs))}
	t := x.Triangles[k]
	for _, v := range t {
		p := x.Rest[v]
		g.addMoment(p)
		for i := range x.Pairs {
			y := x.Pairs[i].Target[v]
			g.square += weights[i] * y.Dot(y)
			addCross(&g.cross[i], y, p)
		}
	}
	rest := frame(x.Rest[t[0]], x.Rest[t[1]], x.Rest[t[2]])
	inverse, ok := invert(rest)
	for i := range x.Pairs {
		y := x.Pairs[i].Target
		a, b, c := y[t[0]], y[t[1]], y[t[2]]
		d := skinning.Identity3()
		if ok {
			d = frame(a, b, c).Mul(inverse)
		}
		middle, restMiddle := a.Add(b).Add(c).Mul(1./3), x.Rest[t[0]].Add(x.Rest[t[1]]).Add(x.Rest[t[2]]).Mul(1./3)
		g.transform[i] = skinning.NewAffine(d, middle.Sub(d.Apply(restMiddle)))
	}
	return g
}

// frame returns two edges of a triangle and its normal, as long as the root of twice the area, as columns (Sumner and Popović 2004):
// what makes a deformation gradient of a triangle whole.
func frame(a, b, c mgl64.Vec3) skinning.Mat3 {
	u, v := b.Sub(a), c.Sub(a)
	n := u.Cross(v)
	if l := n.Len(); l > 0 {
		n = n.Mul(1 / math.Sqrt(l))
	}
	return skinning.Mat3{u[0], v[0], n[0], u[1], v[1], n[1], u[2], v[2], n[2]}
}

// invert returns m⁻¹, and false for a matrix that is singular to rounding: a triangle without area.
func invert(m skinning.Mat3) (skinning.Mat3, bool) {
	det := m.Det()
	size := 0.0
	for _, v := range m {
		size = math.Max(size, math.Abs(v))
	}
	if !(math.Abs(det) > 1e-9*size*size*size) {
		return skinning.Mat3{}, false
	}
	k := 1 / det
	return skinning.Mat3{
		k * (m[4]*m[8] - m[5]*m[7]), k * (m[2]*m[7] - m[1]*m[8]), k * (m[1]*m[5] - m[2]*m[4]),
		k * (m[5]*m[6] - m[3]*m[8]), k * (m[0]*m[8] - m[2]*m[6]), k * (m[2]*m[3] - m[0]*m[5]),
		k * (m[3]*m[7] - m[4]*m[6]), k * (m[1]*m[6] - m[0]*m[7]), k * (m[0]*m[4] - m[1]*m[3]),
	}, true
}

func (g *group) addMoment(p mgl64.Vec3) {
	m := &g.moment
	m[0] += p[0] * p[0]
	m[1] += p[0] * p[1]
	m[2] += p[0] * p[2]
	m[3] += p[0]
	m[4] += p[1] * p[1]
	m[5] += p[1] * p[2]
	m[6] += p[1]
	m[7] += p[2] * p[2]
	m[8] += p[2]
	m[9]++
}

func addCross(x *skinning.Affine, y, p mgl64.Vec3) {
	for r := range 3 {
		x[4*r] += y[r] * p[0]
		x[4*r+1] += y[r] * p[1]
		x[4*r+2] += y[r] * p[2]
		x[4*r+3] += y[r]
	}
}

// full returns M.
func (g *group) full() [4][4]float64 {
	m := &g.moment
	return [4][4]float64{{m[0], m[1], m[2], m[3]}, {m[1], m[4], m[5], m[6]}, {m[2], m[5], m[7], m[8]}, {m[3], m[6], m[8], m[9]}}
}

// errorOf returns Σ_i ω_i Σ ‖T^i·h − y^i‖² over the group's vertices for any transformations.
func (g *group) errorOf(transform []skinning.Affine) float64 {
	m := g.full()
	e := g.square
	for i := range transform {
		t, x, w := &transform[i], &g.cross[i], g.weights[i]
		for r := 0; r < 12; r += 4 {
			a, b, c, d := t[r], t[r+1], t[r+2], t[r+3]
			e -= 2 * w * (a*x[r] + b*x[r+1] + c*x[r+2] + d*x[r+3])
			e += w * (a*(a*m[0][0]+2*(b*m[0][1]+c*m[0][2]+d*m[0][3])) + b*(b*m[1][1]+2*(c*m[1][2]+d*m[1][3])) + c*(c*m[2][2]+2*d*m[2][3]) + d*d*m[3][3])
		}
	}
	return math.Max(e, 0)
}

// flatRidge holds a group's transformation to what it was in directions that its vertices hardly reach: a flat patch says nothing of
// what is off its plane. It is a share of the patch's spread.
const flatRidge = 1e-3

// take adds another group's triangles, and fits the transformation anew.
func (g *group) take(o *group) {
	for k := range g.moment {
		g.moment[k] += o.moment[k]
	}
	for i := range g.cross {
		for k := range g.cross[i] {
			g.cross[i][k] += o.cross[i][k]
		}
	}
	g.square += o.square
	g.triangles = append(g.triangles, o.triangles...)
	g.version++

	// Least squares about the mean of the vertices, where positions and directions part.
	m := &g.moment
	n := m[9]
	mean := mgl64.Vec3{m[3] / n, m[6] / n, m[8] / n}
	spread := skinning.Mat3{
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
	for i := range g.transform {
		old, x := g.transform[i].Linear(), &g.cross[i]
		to := mgl64.Vec3{x[3] / n, x[7] / n, x[11] / n}
		var c skinning.Mat3
		for r := range 3 {
			for k := range 3 {
				c[3*r+k] = x[4*r+k] - n*to[r]*mean[k] + ridge*old[3*r+k]
			}
		}
		l := c.Mul(inverse)
		g.transform[i] = skinning.NewAffine(l, to.Sub(l.Apply(mean)))
	}
}

// middle returns the mean of the group's vertices at rest.
func (g *group) middle() mgl64.Vec3 {
	return mgl64.Vec3{g.moment[3], g.moment[6], g.moment[8]}.Mul(1 / g.moment[9])
}
