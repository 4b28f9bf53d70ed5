package procrustes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

func correlation(source, target []mgl64.Vec3) (m geom.Mat3) {
	for n := range source {
		for i := range 3 {
			for j := range 3 {
				m[3*i+j] += target[n][i] * source[n][j]
			}
		}
	}
	return m
}

func gain(q geom.Quat, m geom.Mat3) (sum float64) {
	r := q.Mat3()
	for k := range r {
		sum += r[k] * m[k]
	}
	return sum
}

func randomVectors(r *rand.Rand, n int, scale mgl64.Vec3) []mgl64.Vec3 {
	v := make([]mgl64.Vec3, n)
	for i := range v {
		v[i] = mgl64.Vec3{scale[0] * r.NormFloat64(), scale[1] * r.NormFloat64(), scale[2] * r.NormFloat64()}
	}
	return v
}

func randomRotation(r *rand.Rand) geom.Quat {
	return geom.Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
}

// TestKnownRotation: a rotation of points in space, in a plane and, about an axis across them, on a line is found
// again.
func TestKnownRotation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		scale := []mgl64.Vec3{{1, 1, 1}, {1, 2, 0}, {1e-6, 2e-6, 3e-6}}[round%3]
		source := randomVectors(r, 8, scale)
		want := randomRotation(r)
		target := make([]mgl64.Vec3, len(source))
		for i, s := range source {
			target[i] = want.Rotate(s)
		}
		got := Rotation(correlation(source, target))
		for i := range source {
			// 1e-7 of the points' size: the eigenvector of two that lie near each other loses half the digits at worst.
			if d := got.Rotate(source[i]).Sub(target[i]).Len(); !(d <= 1e-7*scale[1]*10) {
				t.Fatalf("round %d: point %d is off by %g", round, i, d)
			}
		}
	}
}

// TestOptimum holds the answer against many rotations near it and far from it, on noise and on reflections, where no
// rotation fits.
func TestOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		source := randomVectors(r, 5, mgl64.Vec3{1, 1, 1})
		target := randomVectors(r, 5, mgl64.Vec3{1, 1, 1})
		if round%2 == 1 {
			for i, s := range source {
				target[i] = mgl64.Vec3{-s[0], s[1], s[2]}
			}
		}
		m := correlation(source, target)
		q := Rotation(m)
		if d := math.Abs(q.Dot(q) - 1); !(d <= 1e-12) {
			t.Fatalf("length off by %g", d)
		}
		best := gain(q, m)
		for k := range 200 {
			other := randomRotation(r)
			if k%2 == 0 {
				other = q.Mul(geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 0.01))
			}
			if g := gain(other, m); g > best+1e-9 {
				t.Fatalf("round %d: %g, but another rotation gains %g", round, best, g)
			}
		}
	}
}

// TestFreedom: what the data leave free stays as near to no rotation as it can.
func TestFreedom(t *testing.T) {
	if q := Rotation(geom.Mat3{}); math.Abs(q[3]) < 1-1e-12 {
		t.Errorf("nothing known: %v, expected no rotation", q)
	}
	// All sources along x, kept where they are: a turn about x is free and must not be made.
	if q := Rotation(geom.Mat3{5}); math.Abs(q[3]) < 1-1e-9 {
		t.Errorf("a line kept in place: %v, expected no rotation", q)
	}
	// x to y: the shortest turn is 90 degrees about z.
	q := Rotation(geom.Mat3{0, 0, 0, 5, 0, 0, 0, 0, 0})
	if d := q.Rotate(mgl64.Vec3{1, 0, 0}).Sub(mgl64.Vec3{0, 1, 0}).Len(); !(d <= 1e-9) {
		t.Errorf("x goes %g beside y", d)
	}
	if angle := 2 * math.Acos(math.Min(1, math.Abs(q[3]))); !(math.Abs(angle-math.Pi/2) <= 1e-6) {
		t.Errorf("x to y by %g rad, expected a quarter turn", angle)
	}
	// x to −x: half a turn about any axis across.
	q = Rotation(geom.Mat3{-5})
	if d := q.Rotate(mgl64.Vec3{1, 0, 0}).Sub(mgl64.Vec3{-1, 0, 0}).Len(); !(d <= 1e-9) {
		t.Errorf("x goes %g beside −x", d)
	}
}

// TestNearby: the same rotation as Rotation's, near the identity and far from it, for reflections, lines and zero.
func TestNearby(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range 2000 {
		angle := []float64{1e-6, 0.1, 1, 3}[i%4]
		turn := geom.AxisAngle(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize(), angle).Mat3()
		var spread geom.Mat3 // symmetric, of full rank
		for range 5 {
			v := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			for r := range 3 {
				for c := range 3 {
					spread[3*r+c] += v[r] * v[c]
				}
			}
		}
		m := turn.Mul(spread)
		if i%5 == 0 { // a reflection
			for c := range 3 {
				m[c] = -m[c]
			}
		}
		if i%7 == 0 { // on a line
			m = geom.Mat3{1, 2, 3, 2, 4, 6, 3, 6, 9}
		}
		if i%101 == 0 {
			m = geom.Mat3{}
		}
		want, got := Rotation(m).Mat3(), Nearby(m).Mat3()
		better, worse := 0.0, 0.0
		for k := range m {
			better += want[k] * m[k]
			worse += got[k] * m[k]
		}
		if !(worse >= better-1e-9*(1+math.Abs(better))) { // the square of the last step, 1e-10
			t.Fatalf("%v: reaches %g of %g", m, worse, better)
		}
	}
}
