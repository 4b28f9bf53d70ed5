package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func randomUnit(r *rand.Rand) mgl64.Vec3 {
	return mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
}

// A rotation made of a swing after a twist has that twist, whichever of its two quaternions is given, and the sine and
// the cosine are those of the half twist, for rotations relative to any other. Beyond a swing of 150 degrees the twist
// fades by the smoothstep of the window.
func TestHalfTwist(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		axis := randomUnit(r)
		twist, swing := math.Pi*(2*r.Float64()-1)*0.999, math.Pi*r.Float64()
		q := AxisAngle(randomUnit(r).Cross(axis), swing).Mul(AxisAngle(axis, twist))
		want := twist / 2
		if c := math.Cos(swing / 2); swing > 150*math.Pi/180 {
			u := c / math.Sin(15*math.Pi/180)
			want *= u * u * (3 - 2*u)
		}
		limit := 1e-14 / math.Cos(swing/2) // the half twist is an angle in a plane of that radius
		base := AxisAngle(randomUnit(r), 6*r.Float64())
		for _, sign := range []float64{1, -1} {
			if got := HalfTwist(q.Scale(sign), axis); !(math.Abs(got-want) <= limit) {
				t.Fatalf("twist %g, swing %g, sign %g: half twist %g, expected %g", twist, swing, sign, got, want)
			}
			other := base.Mul(q).Scale(sign)
			sin, cos, opposite := SincosHalfTwist(&base, &other, &axis)
			if !(math.Hypot(sin-math.Sin(want), cos-math.Cos(want)) <= 10*limit) || opposite != (sign*q[3] < 0) {
				t.Fatalf("twist %g, swing %g, sign %g: %g, %g, opposite %t of %g", twist, swing, sign, sin, cos, opposite, want)
			}
		}
	}
}

// The window begins at 150 degrees without a step or a kink, and nothing is left at 180. Steps are of 1e-6 radians.
func TestTwistFades(t *testing.T) {
	x, z := mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, 1}
	const h = 1e-6
	at := func(swing float64) float64 { return HalfTwist(AxisAngle(z, swing).Mul(AxisAngle(x, 1)), x) }
	begin := 150 * math.Pi / 180
	if a, b := at(begin-h), at(begin+h); !(math.Abs(a-0.5) <= 1e-12) || !(math.Abs(a-b) <= 1e-10) {
		t.Errorf("half twists %g and %g beside 150 degrees", a, b)
	}
	if left := at(math.Pi); !(math.Abs(left) <= 1e-12) {
		t.Errorf("half a twist of %g is left at 180 degrees", left)
	}
	if slope := (at(math.Pi-h) - at(math.Pi)) / h; !(math.Abs(slope) <= 1e-4) {
		t.Errorf("the half twist falls by %g per radian at 180 degrees", slope)
	}
}

// Half a turn about the axis is positive however rounding falls, no axis has no twist, and what is not a number has
// none either.
func TestHalfTurns(t *testing.T) {
	x := mgl64.Vec3{1, 0, 0}
	for _, w := range []float64{1e-9, 0, -1e-9} {
		for _, sign := range []float64{1, -1} {
			q := Quat{sign, 0, 0, sign * w}
			if got := HalfTwist(q, x); !(math.Abs(got-math.Pi/2) <= 1e-8) {
				t.Errorf("%v has half twist %g", q, got)
			}
		}
	}
	if got := HalfTwist(AxisAngle(mgl64.Vec3{1, 2, 3}, 2), mgl64.Vec3{}); got != 0 {
		t.Errorf("half twist %g about no axis", got)
	}
	nan, one := Quat{math.NaN(), 0, 0, 0}, IdentityQuat()
	if sin, cos, _ := SincosHalfTwist(&one, &nan, &x); sin != 0 || cos != 1 {
		t.Errorf("what is not a number has twist %g, %g", sin, cos)
	}
}

// The products that are written out are those of the general functions, within rounding.
func TestTwistProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		axis, at := randomUnit(r), randomUnit(r).Mul(3)
		p := NewDualQuat(AxisAngle(randomUnit(r), 6*r.Float64()), randomUnit(r))
		angle := 6 * r.Float64()
		turn := AxisAngle(axis, angle)
		want := p.Mul(NewDualQuat(turn, at.Sub(turn.Rotate(at))))
		var got DualQuat
		moment := at.Cross(axis)
		got.SetTwisted(&p, &axis, &moment, math.Sin(angle/2), math.Cos(angle/2))
		if d := got.Add(want.Scale(-1)); !(math.Sqrt(d.Real.Dot(d.Real)+d.Dual.Dot(d.Dual)) <= 1e-14) {
			t.Fatalf("twisted %v, expected %v", got, want)
		}
		var c, m Affine
		for k := range c {
			c[k] = r.NormFloat64()
		}
		m.SetWithout(&c, &want)
		back := m.Mul(want.Affine())
		for k := range c {
			if !(math.Abs(back[k]-c[k]) <= 1e-13) {
				t.Fatalf("matrix %v without the motion, and with it again, is %v", c, back)
			}
		}
	}
}
