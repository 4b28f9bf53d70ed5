package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Mat34 is a 3×4 affine matrix in float32, row-major: m[4*r+c], the translation in column 3. Palettes consist of these.
// One row is one vec4 on the GPU.
type Mat34 [12]float32

// Affine is a 3×4 affine matrix in float64, row-major like [Mat34]. All transforms are computed in it and rounded once.
type Affine [12]float64

// Mat3 is a 3×3 matrix in float64, row-major.
type Mat3 [9]float64

// IdentityAffine returns the identity.
func IdentityAffine() Affine { return Affine{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0} }

// AffineFromColumns reads a 4×4 column-major matrix, as glTF stores it, ignoring its last row.
func AffineFromColumns(m [16]float64) Affine {
	return Affine{m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]}
}

// NewAffine joins a linear part and a translation.
func NewAffine(l Mat3, t mgl64.Vec3) Affine {
	return Affine{l[0], l[1], l[2], t[0], l[3], l[4], l[5], t[1], l[6], l[7], l[8], t[2]}
}

// Mul returns a·b: b acts first.
func (a Affine) Mul(b Affine) (c Affine) {
	c.SetProduct(&a, &b)
	return c
}

// SetProduct sets c to a·b, which must be other matrices than c.
func (c *Affine) SetProduct(a, b *Affine) {
	b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
		b[11]
	for r := 0; r < 12; r += 4 {
		x, y, z := a[r], a[r+1], a[r+2]
		c[r] = x*b0 + y*b4 + z*b8
		c[r+1] = x*b1 + y*b5 + z*b9
		c[r+2] = x*b2 + y*b6 + z*ba
		c[r+3] = x*b3 + y*b7 + z*bb + a[r+3]
	}
}

// Apply transforms a point.
func (a Affine) Apply(p mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{
		a[0]*p[0] + a[1]*p[1] + a[2]*p[2] + a[3],
		a[4]*p[0] + a[5]*p[1] + a[6]*p[2] + a[7],
		a[8]*p[0] + a[9]*p[1] + a[10]*p[2] + a[11],
	}
}

// Linear returns the 3×3 part.
func (a Affine) Linear() Mat3 {
	return Mat3{a[0], a[1], a[2], a[4], a[5], a[6], a[8], a[9], a[10]}
}

// Translation returns column 3.
func (a Affine) Translation() mgl64.Vec3 { return mgl64.Vec3{a[3], a[7], a[11]} }

// Inverse returns a⁻¹ and whether it exists. A matrix counts as singular when its determinant is below 1e-12 of the
// product of its row norms, or one of these below 1e-12 of another: past that the inverse has no correct digit in
// float32 data. Rows of very different length alone, such as of a scale by 1e6 along one axis, do not make it so.
func (a Affine) Inverse() (Affine, bool) {
	l := a.Linear()
	inv, ok := l.Inverse()
	if !ok {
		return IdentityAffine(), false
	}
	return NewAffine(inv, inv.Apply(a.Translation()).Mul(-1)), true
}

// Float32 rounds to a palette matrix.
func (a Affine) Float32() Mat34 {
	var m Mat34
	for i, x := range a {
		m[i] = float32(x)
	}
	return m
}

// Float32To writes [Affine.Float32] to m, without a copy.
func (a *Affine) Float32To(m *Mat34) {
	for i := range m {
		m[i] = float32(a[i])
	}
}

// IsFinite reports whether no entry is NaN or infinite.
func (a Affine) IsFinite() bool {
	return IsFinite(a[:]...)
}

// Identity3 returns the 3×3 identity.
func Identity3() Mat3 { return Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// Mul returns a·b.
func (a Mat3) Mul(b Mat3) Mat3 {
	var c Mat3
	for r := 0; r < 9; r += 3 {
		for k := range 3 {
			c[r+k] = a[r]*b[k] + a[r+1]*b[3+k] + a[r+2]*b[6+k]
		}
	}
	return c
}

// Apply returns a·v.
func (a Mat3) Apply(v mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{
		a[0]*v[0] + a[1]*v[1] + a[2]*v[2],
		a[3]*v[0] + a[4]*v[1] + a[5]*v[2],
		a[6]*v[0] + a[7]*v[1] + a[8]*v[2],
	}
}

// Transpose returns aᵀ.
func (a Mat3) Transpose() Mat3 {
	return Mat3{a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]}
}

// Det returns the determinant.
func (a Mat3) Det() float64 {
	return a[0]*(a[4]*a[8]-a[5]*a[7]) - a[1]*(a[3]*a[8]-a[5]*a[6]) + a[2]*(a[3]*a[7]-a[4]*a[6])
}

// Cofactor returns det(a)·a⁻ᵀ, which exists for singular matrices too. It maps area vectors, and so normals up to the
// sign of the determinant.
func (a Mat3) Cofactor() Mat3 {
	return Mat3{
		a[4]*a[8] - a[5]*a[7], a[5]*a[6] - a[3]*a[8], a[3]*a[7] - a[4]*a[6],
		a[2]*a[7] - a[1]*a[8], a[0]*a[8] - a[2]*a[6], a[1]*a[6] - a[0]*a[7],
		a[1]*a[5] - a[2]*a[4], a[2]*a[3] - a[0]*a[5], a[0]*a[4] - a[1]*a[3],
	}
}

// Inverse returns a⁻¹ and whether it exists, with the threshold of [Affine.Inverse].
func (a Mat3) Inverse() (Mat3, bool) {
	u, v, w := mgl64.Vec3(a[:3]).Len(), mgl64.Vec3(a[3:6]).Len(), mgl64.Vec3(a[6:]).Len()
	det := a.Det()
	if !(math.Abs(det) > 1e-12*u*v*w && min(u, v, w) > 1e-12*max(u, v, w)) {
		return Identity3(), false
	}
	inv := a.Cofactor().Transpose()
	for i := range inv {
		inv[i] /= det
	}
	return inv, true
}

// NormalMatrix returns sign(det)·cofactor: it maps normals like the inverse transpose does (ALNS section 3), up to a
// positive factor, and survives singular matrices.
func (a Mat3) NormalMatrix() Mat3 {
	c := a.Cofactor()
	if a.Det() < 0 {
		for i := range c {
			c[i] = -c[i]
		}
	}
	return c
}
