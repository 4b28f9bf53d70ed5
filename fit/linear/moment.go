package linear

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Moment is the symmetric 4×4 matrix Σ w·x̂·x̂ᵀ of weighted points x̂ = [x, 1], and Form is the matrix F of a quadratic
// form x̂ᵀ·F·x̂. Both hold the upper triangle, row by row: xx, xy, xz, x1, yy, yz, y1, zz, z1, 11. A form holds the
// entries off the diagonal doubled, so that its sum over points is a dot product of ten numbers.
//
// An affine A takes x to A·x̂, whose squared length is x̂ᵀ(AᵀA)x̂. So least squares over points need only their moment,
// and least squares over transformations only their form.
type (
	Moment [10]float64
	Form   [10]float64
)

// Add adds the point x with a weight.
func (m *Moment) Add(w float64, x mgl64.Vec3) {
	a, b, c := w*x[0], w*x[1], w*x[2]
	m[0] += a * x[0]
	m[1] += a * x[1]
	m[2] += a * x[2]
	m[3] += a
	m[4] += b * x[1]
	m[5] += b * x[2]
	m[6] += b
	m[7] += c * x[2]
	m[8] += c
	m[9] += w
}

// AddAll adds the points of another moment.
func (m *Moment) AddAll(o *Moment) {
	for k := range m {
		m[k] += o[k]
	}
}

// Mean returns the weighted mean of the points; zero where no point has a weight.
func (m *Moment) Mean() mgl64.Vec3 {
	if !(m[9] > 0) {
		return mgl64.Vec3{}
	}
	return mgl64.Vec3{m[3], m[6], m[8]}.Mul(1 / m[9])
}

// Sum returns Σ w·x̂ᵀ·F·x̂ over the points.
func (f *Form) Sum(m *Moment) float64 {
	return (f[0]*m[0] + f[1]*m[1] + f[2]*m[2] + f[3]*m[3] + f[4]*m[4]) +
		(f[5]*m[5] + f[6]*m[6] + f[7]*m[7] + f[8]*m[8] + f[9]*m[9])
}

// At returns x̂ᵀ·F·x̂.
func (f *Form) At(x *mgl64.Vec3) float64 {
	a, b, c := x[0], x[1], x[2]
	return a*(f[0]*a+f[1]*b+f[2]*c+f[3]) + b*(f[4]*b+f[5]*c+f[6]) + c*(f[7]*c+f[8]) + f[9]
}

// FormOf returns the form of Σ_f (A_f·x̂)·(B_f·x̂), whose matrix is the symmetric part of Σ_f A_fᵀ·B_f.
func FormOf(a, b []geom.Affine) (m Form) {
	for f := range a {
		p, q := &a[f], &b[f]
		for r := 0; r < 12; r += 4 {
			m[0] += p[r] * q[r]
			m[1] += p[r]*q[r+1] + p[r+1]*q[r]
			m[2] += p[r]*q[r+2] + p[r+2]*q[r]
			m[3] += p[r]*q[r+3] + p[r+3]*q[r]
			m[4] += p[r+1] * q[r+1]
			m[5] += p[r+1]*q[r+2] + p[r+2]*q[r+1]
			m[6] += p[r+1]*q[r+3] + p[r+3]*q[r+1]
			m[7] += p[r+2] * q[r+2]
			m[8] += p[r+2]*q[r+3] + p[r+3]*q[r+2]
			m[9] += p[r+3] * q[r+3]
		}
	}
	return m
}
