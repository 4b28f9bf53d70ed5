package geom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// maxDiff returns the largest difference of two lists, and NaN where there is one.
func maxDiff(a, b []float64) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

func TestPolarDecompose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cases := map[string]Mat3{
		"identity":  Identity3(),
		"zero":      {},
		"rank one":  {1, 2, 3, 2, 4, 6, 3, 6, 9},
		"rank two":  {1, 0, 0, 0, 2, 0, 0, 0, 0},
		"mirror":    {-1, 0, 0, 0, 1, 0, 0, 0, 1},
		"near flat": {1, 0, 0, 0, 1, 0, 0, 0, 1e-9},
		"uneven":    {1e-6, 0, 0, 0, 1, 0, 0, 0, 1e6},
	}
	for name, m := range cases {
		checkPolar(t, name, m)
	}
	for range 2000 {
		var m Mat3
		for i := range m {
			m[i] = rng.NormFloat64()
		}
		checkPolar(t, "random", m)
	}
}

// The closed form of the rotation is that of the singular values, and the fall-back is taken where it must: for scales
// of a few times each other within 1e-14, for all within what a polar decomposition loses, the rounding of |C| over σ₂
// + σ₃.
func TestPolarRotationMatchesSVD(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	axis := func() mgl64.Vec3 { return mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	for _, size := range []float64{1, 1e-3, 1e-40, 1e40, 1e-60, 1e60} {
		for _, spread := range []float64{0, 1e-12, 1e-7, 1e-3, 0.1, 0.5, 1, 2, 5, 20} { // σ from e^−spread to e^spread
			for round := range 300 {
				sigma := mgl64.Vec3{}
				for k := range sigma {
					sigma[k] = size * math.Exp(spread*(2*rng.Float64()-1))
				}
				if round%3 == 2 {
					sigma[round/3%3] *= -1
				}
				v := AxisAngle(axis(), math.Pi*rng.Float64()).Mat3()
				c := AxisAngle(axis(), math.Pi*rng.Float64()).Mat3()
				for i := range c {
					c[i] *= sigma[i%3]
				}
				c = c.Mul(v.Transpose())
				a := NewAffine(c, mgl64.Vec3{})
				var got Mat3
				PolarRotation(&got, &a)
				want := svdRotation(c)
				for k := range sigma {
					sigma[k] = math.Abs(sigma[k]) / size
				}
				slices.Sort(sigma[:])
				limit := 1e-15 * (4 + 2*sigma[2]/(sigma[0]+sigma[1]))
				if d := maxDiff(got[:], want[:]); !(d <= limit) {
					t.Fatalf("size %g, singular values %v: off by %g, limit %g", size, sigma, d, limit)
				}
			}
		}
	}
}

func checkPolar(t *testing.T, name string, m Mat3) {
	t.Helper()
	r, s := PolarDecompose(m)
	back, eye := r.Mul(s), r.Mul(r.Transpose())
	size := 0.0
	for _, x := range m {
		size = math.Max(size, math.Abs(x))
	}
	// 1e-13 of the size: float64 rounding through some thirty rotations.
	if d := maxDiff(back[:], m[:]); !(d <= 1e-13*size) {
		t.Errorf("%s: R·S differs from %v by %g", name, m, d)
	}
	id := Identity3()
	if d := maxDiff(eye[:], id[:]); !(d <= 1e-13) {
		t.Errorf("%s: R·Rᵀ differs from 1 by %g for %v", name, d, m)
	}
	if !(math.Abs(r.Det()-1) <= 1e-12) {
		t.Errorf("%s: det R = %g for %v", name, r.Det(), m)
	}
	st := s.Transpose()
	if d := maxDiff(s[:], st[:]); !(d <= 1e-13*size) {
		t.Errorf("%s: S is not symmetric by %g", name, d)
	}
}

// S must be positive definite without a reflection and negative definite with one.
func TestPolarKeepsReflectionInScale(t *testing.T) {
	m := AxisAngle(mgl64.Vec3{1, 2, 3}, 0.7).Mat3()
	for _, sign := range []float64{1, -1} {
		n := m
		for i := 0; i < 9; i += 3 {
			n[i] *= sign
		}
		_, s := PolarDecompose(n)
		v := Identity3()
		Diagonalize(s[:], v[:], 3, 1e-17)
		for k := range 3 {
			if l := s[4*k]; !(math.Abs(l-sign) <= 1e-12) {
				t.Errorf("sign %g: eigenvalue %d of S is %g", sign, k, l)
			}
		}
	}
}

func TestDecomposeAffine(t *testing.T) {
	want := Transform{mgl64.Vec3{1, 2, 3}, AxisAngle(mgl64.Vec3{0.2, 1, -1}, 2), mgl64.Vec3{0.5, 2, 3}}
	got, exact := DecomposeAffine(want.Affine())
	a, b := got.Affine(), want.Affine()
	if d := maxDiff(a[:], b[:]); !exact || !(d <= 1e-12) {
		t.Errorf("exact %v, off by %g", exact, d)
	}
	sheared := want.Affine().Mul(Affine{1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0})
	if _, exact := DecomposeAffine(sheared); exact {
		t.Error("a sheared matrix is called exact")
	}
}

func TestDualQuaternionLogExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		angle := 2 * math.Pi * (2*rng.Float64() - 1) * 0.999
		d := NewDualQuat(AxisAngle(axis, angle), mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), 3})
		back := ExpDual(d.Log())
		// 1e-9: near a full turn the sine in the denominator is 3e-3.
		if e := math.Max(maxDiff(back.Real[:], d.Real[:]), maxDiff(back.Dual[:], d.Dual[:])); !(e <= 1e-9) {
			t.Fatalf("angle %g: exp(log) off by %g", angle, e)
		}
	}
	for _, angle := range []float64{0, 1e-14, 1e-9, 1e-4} {
		d := NewDualQuat(AxisAngle(mgl64.Vec3{0, 1, 0}, angle), mgl64.Vec3{1, 2, 3})
		back := ExpDual(d.Log())
		if e := math.Max(maxDiff(back.Real[:], d.Real[:]), maxDiff(back.Dual[:], d.Dual[:])); !(e <= 1e-11) {
			t.Errorf("angle %g: exp(log) off by %g", angle, e)
		}
	}
}

func TestDualQuaternionMatrix(t *testing.T) {
	q, move := AxisAngle(mgl64.Vec3{1, -1, 0.5}, 3.1), mgl64.Vec3{4, -5, 6}
	want := NewAffine(q.Mat3(), move)
	for _, length := range []float64{1, -1, 0.01, 30} { // any length and sign is the same motion
		got := NewDualQuat(q, move).Scale(length).Affine()
		if d := maxDiff(got[:], want[:]); !(d <= 1e-13) {
			t.Errorf("length %g: off by %g", length, d)
		}
	}
}

func TestQuaternionFromMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		angle := math.Pi * rng.Float64()
		if i%4 == 0 {
			angle = math.Pi // the hard case
		}
		q := AxisAngle(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, angle)
		p := QuatFromMat3(q.Mat3())
		if d := 1 - math.Abs(p.Dot(q)); !(d <= 1e-14) {
			t.Fatalf("angle %g: 1 − |p·q| = %g", angle, d)
		}
	}
}

func TestSlerp(t *testing.T) {
	p, axis := AxisAngle(mgl64.Vec3{0, 0, 1}, 0.3), mgl64.Vec3{1, 0.2, 0}
	for _, angle := range []float64{0, 1e-8, 1e-4, 0.1, 1, 3, 3.14} {
		q := AxisAngle(axis, angle).Mul(p)
		for _, u := range []float64{0, 0.25, 0.5, 1} {
			want := AxisAngle(axis, u*angle).Mul(p)
			for _, sign := range []float64{1, -1} {
				if d := 1 - math.Abs(Slerp(p, q.Scale(sign), u).Dot(want)); !(d <= 1e-14) {
					t.Errorf("angle %g, u %g: 1 − |dot| = %g", angle, u, d)
				}
			}
		}
	}
}
