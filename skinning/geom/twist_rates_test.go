package geom

import (
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// The rates of the half twist are central differences to 1e-7, with steps of 1e-5 rad: their error is about 1e-9 times
// third derivatives, which are below 40 where the twist fades. Swings reach into the fading, from 150 degrees on.
func TestHalfTwistRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vector := func() mgl64.Vec3 { return mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	faded := 0
	for range 300 {
		axis := vector().Normalize()
		across := Perpendicular(axis)
		swing := rng.Float64() * 3.05
		r := AxisAngle(across, swing).Mul(AxisAngle(axis, (rng.Float64()-0.5)*5))
		if swing > 2.62 {
			faded++
		}
		half, turn, lean := HalfTwistRates(r, axis)
		if want := HalfTwist(r, axis); !(half-want < 1e-15 && want-half < 1e-15) {
			t.Fatalf("half twist %g, want %g", half, want)
		}
		const h = 1e-5
		d := vector().Normalize()
		after := func(by float64) Quat { return AxisAngle(d, by).Mul(r) }
		numeric := (HalfTwist(after(h), axis) - HalfTwist(after(-h), axis)) / (2 * h)
		if e := numeric - turn.Dot(d); !(e < 1e-7 && e > -1e-7) {
			t.Errorf("swing %g: by a turn %g, numerically %g", swing, turn.Dot(d), numeric)
		}
		numeric = (HalfTwist(r, axis.Add(d.Mul(h))) - HalfTwist(r, axis.Sub(d.Mul(h)))) / (2 * h)
		if e := numeric - lean.Dot(d); !(e < 1e-7 && e > -1e-7) {
			t.Errorf("swing %g: by the axis %g, numerically %g", swing, lean.Dot(d), numeric)
		}
	}
	if faded < 20 {
		t.Errorf("%d of the swings reach into the fading", faded)
	}
}
