package skinning

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// PolarDecompose splits m = R·S into a rotation R (det +1) and a symmetric S. A reflected m (det < 0) keeps its reflection
// in S, which is then negative: R and S are both negated, the only choice that is continuous in m and needs no axis. A
// singular m has no unique R; the missing directions are completed deterministically.
//
// Source: m = UΣVᵀ by one-sided Jacobi (Hestenes), R = UVᵀ, S = VΣVᵀ. Errors are a few units of 1e-16 of |m|, also where
// singular values are small, which a root of mᵀm would not give.
func PolarDecompose(m Mat3) (r, s Mat3) {
	u, sigma, v := svd3(m)
	r = u.Mul(v.Transpose())
	for i := 0; i < 3; i++ {
		for j := 0; j < 3; j++ {
			for k := 0; k < 3; k++ {
				s[3*i+j] += v[3*i+k] * sigma[k] * v[3*j+k]
			}
		}
	}
	if r.Det() < 0 {
		for i := range r {
			r[i], s[i] = -r[i], -s[i]
		}
	}
	return r, s
}

// svd3 returns m = U·diag(σ)·Vᵀ with σ ≥ 0 in no particular order, V a rotation, U orthogonal. Where σ is zero the columns
// of U are completed so that det U > 0.
func svd3(m Mat3) (u Mat3, sigma mgl64.Vec3, v Mat3) {
	v = Identity3()
	w := m // columns of w = m·v become orthogonal
	for sweep := 0; sweep < 30; sweep++ {
		rotated := false
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				a := w[p]*w[p] + w[3+p]*w[3+p] + w[6+p]*w[6+p]
				b := w[q]*w[q] + w[3+q]*w[3+q] + w[6+q]*w[6+q]
				c := w[p]*w[q] + w[3+p]*w[3+q] + w[6+p]*w[6+q]
				if !(math.Abs(c) > 1e-17*math.Sqrt(a*b)) || c == 0 {
					continue
				}
				rotated = true
				zeta := (b - a) / (2 * c)
				t := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Sqrt(1+zeta*zeta))
				cs := 1 / math.Sqrt(1+t*t)
				sn := cs * t
				for k := 0; k < 9; k += 3 {
					w[k+p], w[k+q] = cs*w[k+p]-sn*w[k+q], sn*w[k+p]+cs*w[k+q]
					v[k+p], v[k+q] = cs*v[k+p]-sn*v[k+q], sn*v[k+p]+cs*v[k+q]
				}
			}
		}
		if !rotated {
			break
		}
	}
	most := 0.0
	for k := 0; k < 3; k++ {
		sigma[k] = math.Sqrt(w[k]*w[k] + w[3+k]*w[3+k] + w[6+k]*w[6+k])
		most = math.Max(most, sigma[k])
	}
	if most == 0 {
		return v, mgl64.Vec3{}, v // R = identity
	}
	var done [3]bool
	for k := 0; k < 3; k++ {
		if sigma[k] > 1e-14*most {
			for i := 0; i < 3; i++ {
				u[3*i+k] = w[3*i+k] / sigma[k]
			}
			done[k] = true
		} else {
			sigma[k] = 0
		}
	}
	completeBasis(&u, v, done)
	return u, sigma, v
}

// completeBasis fills the columns of u that are not done with unit vectors orthogonal to the others. The first missing
// column is taken close to its column of v, so that R = UVᵀ moves it as little as it can; the last by a cross product.
func completeBasis(u *Mat3, v Mat3, done [3]bool) {
	column := func(m *Mat3, k int) mgl64.Vec3 { return mgl64.Vec3{m[k], m[3+k], m[6+k]} }
	set := func(k int, c mgl64.Vec3) { u[k], u[3+k], u[6+k], done[k] = c[0], c[1], c[2], true }
	for missing := 3; missing > 0; {
		missing = 0
		first := -1
		for k := range done {
			if !done[k] {
				missing++
				if first < 0 {
					first = k
				}
			}
		}
		switch missing {
		case 0:
			return
		case 1:
			set(first, column(u, (first+1)%3).Cross(column(u, (first+2)%3)))
			return
		default: // two missing: one column is there
			have := 3 - first - lastMissing(done)
			axis := column(u, have)
			best, bestLen := mgl64.Vec3{}, -1.0
			for _, c := range []mgl64.Vec3{column(&v, first), column(&v, lastMissing(done))} {
				c = c.Sub(axis.Mul(axis.Dot(c)))
				if l := c.Len(); l > bestLen {
					best, bestLen = c.Mul(1/l), l
				}
			}
			set(first, best)
		}
	}
}

func lastMissing(done [3]bool) int {
	for k := 2; k >= 0; k-- {
		if !done[k] {
			return k
		}
	}
	return -1
}

// DecomposeAffine splits m into translation, rotation and scale along the rotated axes. Exact reports whether the parts
// compose to m again within 1e-9 of its size; a matrix with shear does not.
func DecomposeAffine(m Affine) (t Transform, exact bool) {
	r, s := PolarDecompose(m.Linear())
	t = Transform{Translation: m.Translation(), Rotation: QuatFromMat3(r), Scale: mgl64.Vec3{s[0], s[4], s[8]}}
	size, diff := 0.0, 0.0
	for i, x := range t.Affine() {
		size = math.Max(size, math.Abs(m[i]))
		diff = math.Max(diff, math.Abs(x-m[i]))
	}
	return t, diff <= 1e-9*size
}

// symmetricEigen returns the eigenvalues of a symmetric 3×3 matrix and its eigenvectors as columns, by cyclic Jacobi.
func symmetricEigen(a Mat3) (lambda mgl64.Vec3, v Mat3) {
	v = Identity3()
	for sweep := 0; sweep < 30; sweep++ {
		off := a[1]*a[1] + a[2]*a[2] + a[5]*a[5]
		if !(off > 1e-34*(a[0]*a[0]+a[4]*a[4]+a[8]*a[8])) {
			break
		}
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				apq := a[3*p+q]
				if apq == 0 {
					continue
				}
				theta := (a[4*q] - a[4*p]) / (2 * apq)
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
				c := 1 / math.Sqrt(1+t*t)
				s := c * t
				for k := 0; k < 3; k++ { // a <- a·J
					a[3*k+p], a[3*k+q] = c*a[3*k+p]-s*a[3*k+q], s*a[3*k+p]+c*a[3*k+q]
					v[3*k+p], v[3*k+q] = c*v[3*k+p]-s*v[3*k+q], s*v[3*k+p]+c*v[3*k+q]
				}
				for k := 0; k < 3; k++ { // a <- Jᵀ·a
					a[3*p+k], a[3*q+k] = c*a[3*p+k]-s*a[3*q+k], s*a[3*p+k]+c*a[3*q+k]
				}
			}
		}
	}
	return mgl64.Vec3{a[0], a[4], a[8]}, v
}
