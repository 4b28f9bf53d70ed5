package kernel

import (
	"math"

	"skinlab/skinning/geom"
)

// The intrinsic mean of rigid motions d̂_k with weights w_k is the b̂ with Σ w_k·log(b̂*·d̂_k) = 0 (DIB, Kavan et al.
// 2008, section 4). The fast kernels solve for it in the following form, without a logarithm and in two halves: first
// the rotation b, then the dual part.
//
// Let r_k = b*·d_k = (v_k, c_k), where c_k = b·d_k is the cosine of half the angle between b and d_k, and let κ(c) =
// acos(c)/√(1−c²). The logarithm of r_k is κ(c_k)·v_k, so that b solves Σ w_k·κ(c_k)·v_k = 0. With γ(c) = −dκ/dc, a
// Newton step δ solves M·δ = Σ w_k·κ_k·v_k with
//
//	M = Σ w_k·(κ_k·c_k·I + γ_k·v_k·v_kᵀ),
//
// which is the inverse left Jacobian of the rotation group without its odd part: that part vanishes at the mean. From
// the linear blend one step is nearly always enough.
//
// The same holds over dual numbers (the principle of transference). Once b is known, the equation for the dual part is
// linear. Write b̂ = b + ε·b·(τ, 0) and d̂_k = d_k + ε·e_k. The dual part of "Σ w_k·κ(ĉ_k)·d̂_k is parallel to b̂" is
// M·τ = vec(b*·Σ w_k·(κ_k·e_k − γ_k·(b·e_k)·d_k)), with the M of the last step.
type intrinsicMean struct {
	b      [4]float32 // the rotation, unit
	mean   [3]float32 // Σ w_k·κ_k·v_k
	matrix [6]float32 // M: its diagonal, then xy, xz, yz
	rest   [4]float32 // Σ w_k·(κ_k·e_k − γ_k·(b·e_k)·d_k)
}

// solveMean replaces d, the linear blend of vertex v's motions, by their intrinsic mean.
func (s *Stream) solveMean(d *geom.DualQuat32, v int, bind *Binding, rigid []geom.DualQuat32, unrolled bool) {
	var m intrinsicMean
	m.start(d)
	pivot, extra := &rigid[bind.Joints[0]], s.extraOf(v)
	for range intrinsicLimit {
		m.mean, m.matrix, m.rest = [3]float32{}, [6]float32{}, [4]float32{}
		for k, w := range bind.Weights {
			if w == 0 {
				break
			}
			m.add(pivot, &rigid[bind.Joints[k]], w, unrolled)
		}
		for _, in := range extra {
			m.add(pivot, &rigid[in.Joint], in.Weight, unrolled)
		}
		if x, y, z := m.mean[0], m.mean[1], m.mean[2]; !(x*x+y*y+z*z > intrinsicTolerance*intrinsicTolerance) {
			break
		}
		m.step()
	}
	m.finish(d)
}

// start takes the direction of the linear blend; a blend of no length has none and starts at the identity.
func (m *intrinsicMean) start(d *geom.DualQuat32) {
	n2 := d[0]*d[0] + d[1]*d[1] + d[2]*d[2] + d[3]*d[3]
	if !(n2 > 1e-30) {
		m.b = [4]float32{3: 1}
		return
	}
	n := 1 / sqrt32(n2)
	m.b = [4]float32{n * d[0], n * d[1], n * d[2], n * d[3]}
}

// add sums one motion's share, flipped to the pivot's hemisphere unless unrolled. A flip is the sign of the weight of
// the quantities that are odd in d; the even ones keep the weight w.
func (m *intrinsicMean) add(pivot, d *geom.DualQuat32, w float32, unrolled bool) {
	signed := w
	if !unrolled {
		signed = withSignOf(w, pivot[0]*d[0]+pivot[1]*d[1]+pivot[2]*d[2]+pivot[3]*d[3]-HemisphereTie)
	}
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	i, j, k, h := d[0], d[1], d[2], d[3]
	x := r*i - a*h - b*k + c*j
	y := r*j + a*k - b*h - c*i
	z := r*k - a*j + b*i - c*h
	cos := withSignOf(1, signed) * (a*i + b*j + c*k + r*h)
	kappa, gamma := logarithmRatio(cos, x*x+y*y+z*z)
	odd, even, slope := signed*kappa, w*gamma, w*kappa*cos
	m.mean[0] += odd * x
	m.mean[1] += odd * y
	m.mean[2] += odd * z
	ex, ey, ez := even*x, even*y, even*z
	m.matrix[0] += slope + ex*x
	m.matrix[1] += slope + ey*y
	m.matrix[2] += slope + ez*z
	m.matrix[3] += ex * y
	m.matrix[4] += ex * z
	m.matrix[5] += ey * z
	g := even * (a*d[4] + b*d[5] + c*d[6] + r*d[7])
	m.rest[0] += odd*d[4] - g*i
	m.rest[1] += odd*d[5] - g*j
	m.rest[2] += odd*d[6] - g*k
	m.rest[3] += odd*d[7] - g*h
}

// logarithmRatio returns κ = acos(c)/√(1−c²), which makes a unit quaternion (v, c) into its logarithm κ·v, and γ =
// −dκ/dc. Square is |v|².
//
// Both are power series in 1 − c with positive coefficients that converge to a half turn of the half angle. Up to 60
// degrees of it, which motions that are blended seldom exceed, polynomials of least relative error, found by Remez's
// exchange, are within 6.2e-9 and 9.1e-7; longer ones, up to a right angle, within 1.2e-8 and 1.1e-6. Past that, κ(c) =
// π/√(1−c²) − κ(−c).
func logarithmRatio(c, square float32) (kappa, gamma float32) {
	y := 1 - abs32(c)
	if c >= nearCosine {
		return nearKappa(y), nearGamma(y)
	}
	kappa = wideKappa(y)
	if c >= 0 {
		return kappa, wideGamma(y)
	}
	r := 1 / sqrt32(max(square, leastAxis))
	kappa = math.Pi*r - kappa
	return kappa, (1 - kappa*c) * r * r
}

// step moves b to b·exp(δ), M·δ = mean. Where motions are so far apart that M is near singular, δ is the mean itself:
// the iteration of Kavan et al.
func (m *intrinsicMean) step() {
	delta := m.mean
	if inverse, det := m.inverse(); det > intrinsicSingular {
		delta = inverse.times(delta, 1/det)
	}
	x, y, z := delta[0], delta[1], delta[2]
	h2 := x*x + y*y + z*z
	t := 1 + h2*(1./3+h2*(2./15+h2*(17./315))) // tan h / h: steps of more than 45 degrees fall short
	x, y, z = t*x, t*y, t*z
	n := 1 / sqrt32(1+x*x+y*y+z*z)
	x, y, z = n*x, n*y, n*z
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	m.b = [4]float32{n*a + r*x + b*z - c*y, n*b + r*y + c*x - a*z, n*c + r*z + a*y - b*x, n*r - a*x - b*y - c*z}
}

// finish writes b and its dual part.
func (m *intrinsicMean) finish(d *geom.DualQuat32) {
	a, b, c, r := m.b[0], m.b[1], m.b[2], m.b[3]
	i, j, k, h := m.rest[0], m.rest[1], m.rest[2], m.rest[3]
	tau := [3]float32{r*i - a*h - b*k + c*j, r*j + a*k - b*h - c*i, r*k - a*j + b*i - c*h}
	if inverse, det := m.inverse(); abs32(det) > intrinsicFlat {
		tau = inverse.times(tau, 1/det)
	}
	x, y, z := tau[0], tau[1], tau[2]
	*d = geom.DualQuat32{a, b, c, r, r*x + b*z - c*y, r*y + c*x - a*z, r*z + a*y - b*x, -a*x - b*y - c*z}
}

type symmetric32 [6]float32 // as [geom.Symmetric]

// inverse returns the cofactors of M and its determinant.
func (m *intrinsicMean) inverse() (symmetric32, float32) {
	a := &m.matrix
	c := symmetric32{
		a[1]*a[2] - a[5]*a[5], a[0]*a[2] - a[4]*a[4], a[0]*a[1] - a[3]*a[3],
		a[4]*a[5] - a[3]*a[2], a[3]*a[5] - a[4]*a[1], a[3]*a[4] - a[0]*a[5],
	}
	return c, a[0]*c[0] + a[3]*c[3] + a[4]*c[4]
}

func (m *symmetric32) times(v [3]float32, s float32) [3]float32 {
	return [3]float32{
		s * (m[0]*v[0] + m[3]*v[1] + m[4]*v[2]),
		s * (m[3]*v[0] + m[1]*v[1] + m[5]*v[2]),
		s * (m[4]*v[0] + m[5]*v[1] + m[2]*v[2]),
	}
}

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
