package linear

import "skinlab/skinning/geom"

// CrossMoment is the 3×4 matrix Σ w·y·x̂ᵀ of weighted points x̂ = [x, 1] and places y, row by row. With the points'
// moment M, Σ w·|A·x̂ − y|² of an affine A is tr(A·M·Aᵀ) − 2·tr(A·Cᵀ) + Σ w·|y|².
type CrossMoment [12]float64

// Subtract subtracts A·M. The result is the cross moment of the residuals, the places minus A·x̂.
func (c *CrossMoment) Subtract(x *geom.Affine, s *Moment) {
	if s[9] == 0 { // no points
		return
	}
	for r := 0; r < 12; r += 4 {
		a, b, d, e := x[r], x[r+1], x[r+2], x[r+3]
		c[r] -= a*s[0] + b*s[1] + d*s[2] + e*s[3]
		c[r+1] -= a*s[1] + b*s[4] + d*s[5] + e*s[6]
		c[r+2] -= a*s[2] + b*s[5] + d*s[7] + e*s[8]
		c[r+3] -= a*s[3] + b*s[6] + d*s[8] + e*s[9]
	}
}

// Dot returns tr(A·Cᵀ) = Σ w·(A·x̂)·y.
func (c *CrossMoment) Dot(a *geom.Affine) (sum float64) {
	for k, v := range c {
		sum += v * a[k]
	}
	return sum
}

// Times returns A·M: the cross moment of points with the places to which A takes them.
func Times(a *geom.Affine, m *Moment) (out CrossMoment) {
	out.Subtract(a, m)
	for k := range out {
		out[k] = -out[k]
	}
	return out
}

// Inner returns tr(A·M·Bᵀ) = Σ w·(A·x̂)·(B·x̂).
func Inner(a, b *geom.Affine, m *Moment) float64 {
	c := Times(a, m)
	return c.Dot(b)
}
