package geom

import "github.com/go-gl/mathgl/mgl64"

// Symmetric is a symmetric 3×3 matrix: its diagonal, then xy, xz, yz.
type Symmetric [6]float64

// Cofactor returns det(m)·m⁻¹ and det(m).
func (m *Symmetric) Cofactor() (Symmetric, float64) {
	c := Symmetric{
		m[1]*m[2] - m[5]*m[5], m[0]*m[2] - m[4]*m[4], m[0]*m[1] - m[3]*m[3],
		m[4]*m[5] - m[3]*m[2], m[3]*m[5] - m[4]*m[1], m[3]*m[4] - m[0]*m[5],
	}
	return c, m[0]*c[0] + m[3]*c[3] + m[4]*c[4]
}

// Apply returns m·v.
func (m *Symmetric) Apply(v mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{m[0]*v[0] + m[3]*v[1] + m[4]*v[2], m[3]*v[0] + m[1]*v[1] + m[5]*v[2],
		m[4]*v[0] + m[5]*v[1] + m[2]*v[2]}
}
