package skinning

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// screw is the logarithm of a rigid motion: half the rotation vector and its dual part.
type screw struct{ real, dual mgl64.Vec3 }

// newton sums what a Newton step of the intrinsic mean needs: the weighted mean of the logarithms φ_k (as half rotation
// vectors with their dual parts), and how it changes with b. That is −Σ w_k·J⁻¹(φ_k) with the inverse left Jacobian of
// the rotation group,
//
//	J⁻¹(φ) = I − [φ]/2 + g(θ)·[φ]²,  g(θ) = (1 − θ/2·cot(θ/2))/θ²,
//
// whose odd part vanishes with the mean, taken over dual numbers: the principle of transference.
type newton struct {
	mean       screw
	real, dual geom.Symmetric // Σ w_k·(I + g·[φ_k]²)
}

func (n *newton) add(real, dual *mgl64.Vec3, weight float64) {
	x, y, z := real[0], real[1], real[2]
	u, v, w := dual[0], dual[1], dual[2]
	n.mean.real[0] += weight * x
	n.mean.real[1] += weight * y
	n.mean.real[2] += weight * z
	n.mean.dual[0] += weight * u
	n.mean.dual[1] += weight * v
	n.mean.dual[2] += weight * w
	h2, hd := x*x+y*y+z*z, x*u+y*v+z*w
	// φ is twice the half rotation vector h: 4·g = (1 − h·cot h)/h² and its dual part, each as a series.
	g := weight * (1./3 + h2*(1./45+h2*(2./945+h2*(1./4725+h2*(2./93555)))))
	slope := weight * 2 * hd * (1./45 + h2*(4./945+h2*(3./4725+h2*(8./93555))))
	m := &n.real
	m[0] += weight + g*(x*x-h2)
	m[1] += weight + g*(y*y-h2)
	m[2] += weight + g*(z*z-h2)
	m[3] += g * x * y
	m[4] += g * x * z
	m[5] += g * y * z
	m = &n.dual
	m[0] += 2*g*(x*u-hd) + slope*(x*x-h2)
	m[1] += 2*g*(y*v-hd) + slope*(y*y-h2)
	m[2] += 2*g*(z*w-hd) + slope*(z*z-h2)
	m[3] += g*(x*v+y*u) + slope*x*y
	m[4] += g*(x*w+z*u) + slope*x*z
	m[5] += g*(y*w+z*v) + slope*y*z
}

// step solves for the step, by the cofactors of a matrix near the identity. Motions so far apart that it is near
// singular take the mean itself.
func (n *newton) step() screw {
	inverse, det := n.real.Cofactor()
	if !(det > 0.05) {
		return n.mean
	}
	real := inverse.Apply(n.mean.real).Mul(1 / det)
	return screw{real, inverse.Apply(n.mean.dual.Sub(n.dual.Apply(real))).Mul(1 / det)}
}
