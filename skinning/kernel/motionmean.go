package kernel

import (
	"math"

	"skinlab/skinning/geom"
)

// MostMotions is the most motions of a [MotionMean].
const MostMotions = 4

// MotionMean finds the intrinsic mean of a few motions in float64, as [Iterative] does in float32. It finds the
// rotation first, by Newton's method without a logarithm. Given the rotation, the equation for the dual part is linear.
// The formulas are those of intrinsicMean.
type MotionMean struct {
	count   int
	motions [MostMotions]geom.DualQuat // in one hemisphere
	weights [MostMotions]float64
	kappa   [MostMotions]float64 // w·κ and w·γ at b
	gamma   [MostMotions]float64

	b      geom.Quat
	mean   [3]float64
	matrix geom.Symmetric
}

// Add adds a motion with a positive weight, or the motion's opposite: all are to be in one hemisphere.
func (m *MotionMean) Add(motion *geom.DualQuat, weight float64, opposite bool) {
	m.motions[m.count], m.weights[m.count] = *motion, weight
	if opposite {
		m.motions[m.count] = motion.Scale(-1)
	}
	m.count++
}

// Solve replaces d, the sum of the weighted motions, by their mean. It reports false and leaves d as it is where the
// motions are too far apart for the Newton step. The mean of one motion is d itself.
func (m *MotionMean) Solve(d *geom.DualQuat) bool {
	if m.count == 1 {
		return true
	}
	n2 := d.Real.Dot(d.Real)
	if !(n2 > 1e-30) {
		return false
	}
	m.b = d.Real.Scale(1 / math.Sqrt(n2))
	for range blendSteps {
		if !m.sum() {
			return false
		}
		x, y, z := m.mean[0], m.mean[1], m.mean[2]
		inverse, det := m.matrix.Cofactor()
		if !(det > blendRegular) {
			return false
		}
		if x*x+y*y+z*z <= blendTolerance*blendTolerance {
			m.finish(d, &inverse, det)
			return true
		}
		if !m.step(&inverse, det) {
			return false
		}
	}
	return false
}

// sum sums the mean and its derivative at b.
func (m *MotionMean) sum() bool {
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	var mx, my, mz, xx, yy, zz, xy, xz, yz, diagonal float64
	for k := range min(m.count, MostMotions) {
		d := &m.motions[k].Real
		i, j, l, h := d[0], d[1], d[2], d[3]
		x := r*i - a*h - b*l + c*j
		y := r*j + a*l - b*h - c*i
		z := r*l - a*j + b*i - c*h
		cos := a*i + b*j + c*l + r*h
		// κ and γ of logarithmRatio, within 1.7e-13 and 2.4e-12.
		t := 1 - cos
		if !(t <= blendReach) {
			return false
		}
		t2 := t * t
		t4 := t2 * t2
		kappa, gamma := blendKappa(t, t2, t4), blendGamma(t, t2, t4)
		w := m.weights[k]
		kappa, gamma = w*kappa, w*gamma
		m.kappa[k], m.gamma[k] = kappa, gamma
		mx += kappa * x
		my += kappa * y
		mz += kappa * z
		ex, ey, ez := gamma*x, gamma*y, gamma*z
		diagonal += kappa * cos
		xx += ex * x
		yy += ey * y
		zz += ez * z
		xy += ex * y
		xz += ex * z
		yz += ey * z
	}
	m.mean = [3]float64{mx, my, mz}
	m.matrix = geom.Symmetric{diagonal + xx, diagonal + yy, diagonal + zz, xy, xz, yz}
	return true
}

// step moves b to b·exp(δ), M·δ = mean, and reports false where that is farther than half a radian.
func (m *MotionMean) step(inverse *geom.Symmetric, det float64) bool {
	delta := inverse.Apply(m.mean)
	s := 1 / det
	x, y, z := s*delta[0], s*delta[1], s*delta[2]
	h2 := x*x + y*y + z*z
	if h2 > 0.25 {
		return false
	}
	// This computes sine over angle and cosine. A step for the inverse root normalises them within 1e-12 without a
	// division.
	sine, n := 1-h2*(1./6-h2*(1./120)), 1-h2*(1./2-h2*(1./24-h2*(1./720)))
	unit := 1.5 - 0.5*(n*n+sine*sine*h2)
	n *= unit
	sine *= unit
	x, y, z = sine*x, sine*y, sine*z
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	m.b = geom.Quat{n*a + r*x + b*z - c*y, n*b + r*y + c*x - a*z, n*c + r*z + a*y - b*x, n*r - a*x - b*y - c*z}
	return true
}

// finish writes b and its dual part.
func (m *MotionMean) finish(d *geom.DualQuat, inverse *geom.Symmetric, det float64) {
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	var i, j, k, h float64 // Σ w·(κ·e − γ·(b·e)·d)
	for n := range m.count {
		real, dual := &m.motions[n].Real, &m.motions[n].Dual
		w, g := m.kappa[n], m.gamma[n]*(a*dual[0]+b*dual[1]+c*dual[2]+r*dual[3])
		i += w*dual[0] - g*real[0]
		j += w*dual[1] - g*real[1]
		k += w*dual[2] - g*real[2]
		h += w*dual[3] - g*real[3]
	}
	tau := inverse.Apply([3]float64{r*i - a*h - b*k + c*j, r*j + a*k - b*h - c*i, r*k - a*j + b*i - c*h})
	s := 1 / det
	x, y, z := s*tau[0], s*tau[1], s*tau[2]
	d.Real = m.b
	d.Dual = geom.Quat{r*x + b*z - c*y, r*y + c*x - a*z, r*z + a*y - b*x, -a*x - b*y - c*z}
}
