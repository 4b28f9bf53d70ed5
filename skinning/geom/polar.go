package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// PolarDecompose splits m = R·S into a rotation R (det +1) and a symmetric S. A reflected m (det < 0) keeps its
// reflection in S, which is then negative: R and S are both negated, the only choice that is continuous in m and needs
// no axis. A singular m has no unique R; the missing directions are completed deterministically.
//
// Errors are a few units of 1e-16 of |m|, also where singular values are small, which a root of mᵀm would not give.
func PolarDecompose(m Mat3) (r, s Mat3) {
	c := NewAffine(m, mgl64.Vec3{})
	PolarRotation(&r, &c)
	PolarScale(&s, &r, &c)
	return r, s
}

// PolarRotation writes the rotation of the linear part of c to r, see [PolarDecompose].
//
// R is a polynomial of C and its cofactor matrix in the invariants of S, i₁ = tr S, i₂ and i₃ = det S (after Hoger and
// Carlson, "Determination of the stretch and rotation in the polar decomposition of the deformation gradient", 1984).
// Cof C = R·adj S and C·CᵀC = R·S³, where Cayley and Hamilton give adj S = S² − i₁·S + i₂·I and S³ = i₁·S² − i₂·S +
// i₃·I, so that
//
//	(i₁·i₂ − i₃)·R = i₁·cof C + (i₁² − i₂)·C − C·CᵀC.
//
// With i₃ = det C and i₂ = (i₁² − |C|²)/2 there remains i₁, the largest root of (x² − |C|²)² − 8·det(C)·x − 4·|cof C|²,
// the characteristic polynomial of the matrix whose first eigenvector is R's quaternion (Bar-Itzhack, "New method for
// extracting the quaternion from a rotation matrix", 2000). Halley's method descends to it from √3·|C|, which is the
// root if S is a multiple of I.
//
// i₁·i₂ − i₃ is (σ₁+σ₂)(σ₂+σ₃)(σ₃+σ₁): If two singular values are small compared with the first, rounding grows with
// the inverse of this product. Then the singular value decomposition is used instead. It is also used if C is nearly
// singular, so that rounding may decide the sign of its determinant.
func PolarRotation(r *Mat3, c *Affine) {
	c0, c1, c2, c3, c4, c5, c6, c7, c8 := c[0], c[1], c[2], c[4], c[5], c[6], c[8], c[9], c[10]
	f0, f1, f2 := c4*c8-c5*c7, c5*c6-c3*c8, c3*c7-c4*c6
	det := c0*f0 + c1*f1 + c2*f2
	if det < 0 {
		det = -det
		c0, c1, c2, c3, c4, c5, c6, c7, c8 = -c0, -c1, -c2, -c3, -c4, -c5, -c6, -c7, -c8
	}
	// CᵀC
	a00, a11, a22 := c0*c0+c3*c3+c6*c6, c1*c1+c4*c4+c7*c7, c2*c2+c5*c5+c8*c8
	a01, a02, a12 := c0*c1+c3*c4+c6*c7, c0*c2+c3*c5+c6*c8, c1*c2+c4*c5+c7*c8
	if x, y, z := a00-1, a11-1, a22-1; x*x+y*y+z*z+a01*a01+a02*a02+a12*a12 < polarNear*polarNear {
		// R = C·(CᵀC)^(−½) by the series in E = CᵀC − I: most joints have no scale but the rounding of their inverse
		// bind matrices.
		u, v, w := 0.375*a01, 0.375*a02, 0.375*a12
		xx, yy, zz := -0.5*x+0.375*(x*x+a01*a01+a02*a02), -0.5*y+0.375*(a01*a01+y*y+a12*a12),
			-0.5*z+0.375*(a02*a02+a12*a12+z*z)
		xy, xz, yz := -0.5*a01+u*(x+y)+v*a12, -0.5*a02+v*(x+z)+u*a12, -0.5*a12+w*(y+z)+u*a02
		*r = Mat3{
			c0 + (c0*xx + c1*xy + c2*xz), c1 + (c0*xy + c1*yy + c2*yz), c2 + (c0*xz + c1*yz + c2*zz),
			c3 + (c3*xx + c4*xy + c5*xz), c4 + (c3*xy + c4*yy + c5*yz), c5 + (c3*xz + c4*yz + c5*zz),
			c6 + (c6*xx + c7*xy + c8*xz), c7 + (c6*xy + c7*yy + c8*yz), c8 + (c6*xz + c7*yz + c8*zz),
		}
		return
	}
	size2 := a00 + a11 + a22
	if !(size2 > 1e-90 && size2 < 1e90 && det*det > 1e-20*size2*size2*size2) { // in range, and the sign is certain
		*r = svdRotation(c.Linear())
		return
	}
	f3, f4, f5 := c2*c7-c1*c8, c0*c8-c2*c6, c1*c6-c0*c7
	f6, f7, f8 := c1*c5-c2*c4, c2*c3-c0*c5, c0*c4-c1*c3
	cof2 := f0*f0 + f1*f1 + f2*f2 + f3*f3 + f4*f4 + f5*f5 + f6*f6 + f7*f7 + f8*f8
	i1 := math.Sqrt(3 * size2)
	for range 20 {
		d := i1*i1 - size2
		value, slope := d*d-8*det*i1-4*cof2, 4*(i1*d-2*det)
		step := value * slope / (slope*slope - value*(2*d+4*i1*i1))
		i1 -= step
		if !(step > 1e-6*i1) { // the error is cubed
			break
		}
	}
	i2 := (i1*i1 - size2) / 2
	m := i1*i2 - det
	if !(m > polarUneven*i1*i1*i1) {
		*r = svdRotation(c.Linear())
		return
	}
	inverse := 1 / m
	p, q := i1*inverse, inverse
	b := i1*i1 - i2
	a00, a11, a22 = b-a00, b-a11, b-a22
	*r = Mat3{
		p*f0 + q*(c0*a00-c1*a01-c2*a02), p*f1 + q*(c1*a11-c0*a01-c2*a12), p*f2 + q*(c2*a22-c0*a02-c1*a12),
		p*f3 + q*(c3*a00-c4*a01-c5*a02), p*f4 + q*(c4*a11-c3*a01-c5*a12), p*f5 + q*(c5*a22-c3*a02-c4*a12),
		p*f6 + q*(c6*a00-c7*a01-c8*a02), p*f7 + q*(c7*a11-c6*a01-c8*a12), p*f8 + q*(c8*a22-c6*a02-c7*a12),
	}
}

// The series is used if CᵀC differs from the identity by at most polarNear. The first term that it leaves out, 5/16 of
// the cube, is then below rounding.
const polarNear = 1e-5

// polarUneven is the least (σ₁+σ₂)(σ₂+σ₃)(σ₃+σ₁) over the cube of σ₁+σ₂+σ₃ for which the closed form is taken. It is
// 8/27 of equal values.
const polarUneven = 0.15

// PolarScale sets s to RᵀC of the linear part of c, which the right R makes symmetric.
func PolarScale(s, r *Mat3, c *Affine) {
	r0, r1, r2, r3, r4, r5, r6, r7, r8 := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]
	xy := r0*c[1] + r3*c[5] + r6*c[9]
	xz := r0*c[2] + r3*c[6] + r6*c[10]
	yz := r1*c[2] + r4*c[6] + r7*c[10]
	*s = Mat3{
		r0*c[0] + r3*c[4] + r6*c[8], xy, xz,
		xy, r1*c[1] + r4*c[5] + r7*c[9], yz,
		xz, yz, r2*c[2] + r5*c[6] + r8*c[10],
	}
}

// svdRotation is [PolarRotation] of any matrix: of m = UΣVᵀ, by one-sided Jacobi (Hestenes), R = ±UVᵀ.
func svdRotation(m Mat3) Mat3 {
	u, _, v := svd3(m)
	r := u.Mul(v.Transpose())
	if r.Det() < 0 {
		for i := range r {
			r[i] = -r[i]
		}
	}
	return r
}

// svd3 returns m = U·diag(σ)·Vᵀ with σ ≥ 0 in no particular order, V a rotation, U orthogonal. Where σ is zero the
// columns of U are completed so that det U > 0.
func svd3(m Mat3) (u Mat3, sigma mgl64.Vec3, v Mat3) {
	v = Identity3()
	w := m // columns of w = m·v become orthogonal
	for range 30 {
		rotated := false
		for p := range 2 {
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
	for k := range 3 {
		sigma[k] = math.Sqrt(w[k]*w[k] + w[3+k]*w[3+k] + w[6+k]*w[6+k])
		most = math.Max(most, sigma[k])
	}
	if most == 0 {
		return v, mgl64.Vec3{}, v // R = identity
	}
	var done [3]bool
	for k := range 3 {
		if sigma[k] > 1e-14*most {
			for i := range 3 {
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

// SetRigidPart sets d to the rigid part of c = rigid·scale with the scale acting about a: rigid(x) = R(x − a) + c(a), a
// translation of (c − R)(a).
func (d *DualQuat) SetRigidPart(c *Affine, a *mgl64.Vec3) {
	var r Mat3
	PolarRotation(&r, c)
	d.Real.setRotation(&r)
	x, y, z := a[0], a[1], a[2]
	u := ((c[0]-r[0])*x + (c[1]-r[1])*y + (c[2]-r[2])*z + c[3]) / 2
	v := ((c[4]-r[3])*x + (c[5]-r[4])*y + (c[6]-r[5])*z + c[7]) / 2
	w := ((c[8]-r[6])*x + (c[9]-r[7])*y + (c[10]-r[8])*z + c[11]) / 2
	i, j, k, h := d.Real[0], d.Real[1], d.Real[2], d.Real[3]
	d.Dual = Quat{u*h + v*k - w*j, v*h + w*i - u*k, w*h + u*j - v*i, -u*i - v*j - w*k} // as NewDualQuat
}

// SetScalePart sets s to the scale of c, x -> a + S(x − a), for the rotation of its rigid part.
func (s *Affine) SetScalePart(c *Affine, rotation Quat, a *mgl64.Vec3) {
	r := rotation.Mat3()
	var l Mat3
	PolarScale(&l, &r, c)
	x, y, z := a[0], a[1], a[2]
	*s = Affine{
		l[0], l[1], l[2], x - (l[0]*x + l[1]*y + l[2]*z),
		l[3], l[4], l[5], y - (l[3]*x + l[4]*y + l[5]*z),
		l[6], l[7], l[8], z - (l[6]*x + l[7]*y + l[8]*z),
	}
}
