package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// DualQuat is Real + ε·Dual. A unit dual quaternion (|Real| = 1, Real·Dual = 0) is a rigid motion; d and −d are the
// same.
type DualQuat struct{ Real, Dual Quat }

// DualQuat32 is a [DualQuat] rounded to float32: real x, y, z, w, then dual x, y, z, w. It is two vec4 on the GPU.
type DualQuat32 [8]float32

// NewDualQuat returns the motion that rotates by the unit quaternion r, then translates by t.
func NewDualQuat(r Quat, t mgl64.Vec3) DualQuat {
	return DualQuat{r, Quat{t[0], t[1], t[2], 0}.Mul(r).Scale(0.5)}
}

// Float32 rounds.
func (d DualQuat) Float32() DualQuat32 {
	var o DualQuat32
	for k := range 4 {
		o[k], o[4+k] = float32(d.Real[k]), float32(d.Dual[k])
	}
	return o
}

// Mul returns the product a·b: as motions, b acts first.
func (a DualQuat) Mul(b DualQuat) DualQuat {
	return DualQuat{a.Real.Mul(b.Real), a.Real.Mul(b.Dual).Add(a.Dual.Mul(b.Real))}
}

// Conjugate returns the inverse of a unit dual quaternion.
func (a DualQuat) Conjugate() DualQuat { return DualQuat{a.Real.Conjugate(), a.Dual.Conjugate()} }

// Scale returns s·a.
func (a DualQuat) Scale(s float64) DualQuat { return DualQuat{a.Real.Scale(s), a.Dual.Scale(s)} }

// Add returns a + b.
func (a DualQuat) Add(b DualQuat) DualQuat { return DualQuat{a.Real.Add(b.Real), a.Dual.Add(b.Dual)} }

// Normalize divides by the dual norm: the nearest unit dual quaternion. A zero real part gives the identity.
func (a DualQuat) Normalize() DualQuat {
	n2 := a.Real.Dot(a.Real)
	if !(n2 > 1e-300) {
		return DualQuat{Real: IdentityQuat()}
	}
	n := 1 / math.Sqrt(n2)
	a = a.Scale(n)
	a.Dual = a.Dual.Add(a.Real.Scale(-a.Real.Dot(a.Dual)))
	return a
}

// Affine returns M(a)/|a₀|², the matrix of a dual quaternion of any non-zero length (ALNS appendix A). The scalar part
// of a translation that is not a pure motion is dropped, as the conversion of Kavan et al. 2008 does.
func (a DualQuat) Affine() (m Affine) {
	a.AffineTo(&m)
	return m
}

// AffineTo writes [DualQuat.Affine] to m, without a copy.
func (a *DualQuat) AffineTo(m *Affine) {
	x, y, z, w := a.Real[0], a.Real[1], a.Real[2], a.Real[3]
	n2 := x*x + y*y + z*z + w*w
	if !(n2 > 1e-300) {
		*m = IdentityAffine()
		return
	}
	s := 2 / n2
	d, e, f, h := a.Dual[0], a.Dual[1], a.Dual[2], a.Dual[3]
	*m = Affine{
		1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y), s * (w*d - h*x + f*y - e*z),
		s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x), s * (w*e - h*y + d*z - f*x),
		s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y), s * (w*f - h*z + e*x - d*y),
	}
}

// Log returns the screw of a unit dual quaternion as two vectors: half the rotation vector and its dual part, so that
// Exp(Log(a)) = a for every a, also with a negative scalar part (angles to 360 degrees).
func (a DualQuat) Log() (real, dual mgl64.Vec3) {
	v := mgl64.Vec3{a.Real[0], a.Real[1], a.Real[2]}
	d := mgl64.Vec3{a.Dual[0], a.Dual[1], a.Dual[2]}
	s, w, w0 := v.Len(), a.Real[3], a.Dual[3]
	if s < 1e-12 {
		return v, d.Mul(math.Copysign(1, w))
	}
	// a = (sin h·n, cos h) + ε(sin h·m + p·cos h·n, −p·sin h) with half angle h, axis n, half pitch p and moment m: the
	// logarithm is h·n + ε(h·m + p·n).
	// With m put in, that is k·v + ε(k·d + p/s·(1 − k·w)·v), k = h/s.
	k := math.Atan2(s, w) / s
	return v.Mul(k), d.Mul(k).Add(v.Mul(-w0 / (s * s) * (1 - k*w)))
}

// ExpDual is the inverse of [DualQuat.Log].
func ExpDual(real, dual mgl64.Vec3) DualQuat {
	h := real.Len()
	if h < 1e-12 {
		return DualQuat{Quat{real[0], real[1], real[2], 1}, Quat{dual[0], dual[1], dual[2], -real.Dot(dual)}}.Normalize()
	}
	n := real.Mul(1 / h)
	p := n.Dot(dual)
	m := dual.Sub(n.Mul(p)).Mul(1 / h)
	s, c := math.Sincos(h)
	v, d := n.Mul(s), m.Mul(s).Add(n.Mul(p*c))
	return DualQuat{Quat{v[0], v[1], v[2], c}, Quat{d[0], d[1], d[2], -p * s}}
}
