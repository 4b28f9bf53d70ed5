package skeleton

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/viewer/posing"
	"skinlab/skinning/geom"
)

// TestTurnedLocal holds a turn in the world under a parent with rotation and even scale, also a reflecting one, to the
// turned matrix.
func TestTurnedLocal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	random := func() geom.Quat {
		return geom.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
	}
	for k := range 200 {
		scale := []float64{1, 0.01, -1, 30}[k%4]
		p, d, local := random().Mat3(), random().Mat3(), random()
		for i := range p {
			p[i] *= scale
		}
		if k%8 == 4 { // a mirrored limb: one axis the other way
			p = p.Mul(geom.Mat3{-1, 0, 0, 0, 1, 0, 0, 0, 1})
		}
		got := p.Mul(posing.TurnedLocal(p, d, local).Mat3())
		want := d.Mul(p).Mul(local.Mat3())
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*math.Abs(scale)) {
				t.Fatalf("parent %v: %v, expected %v", p, got, want)
			}
		}
	}
	for _, c := range [...][2]float64{{31, 30}, {-38, -45}, {7, 0}, {179, 180}, {-97, -90}} {
		got := stepped(geom.AxisAngle(mgl64.Vec3{1, 2, -1}, c[0]*math.Pi/180), 15)
		if want := geom.AxisAngle(mgl64.Vec3{1, 2, -1}, c[1]*math.Pi/180); !(math.Abs(got.Dot(want)) >= 1-1e-14) {
			t.Errorf("%g° in steps of 15° is %v, expected %g°", c[0], got, c[1])
		}
	}
	flat := geom.Mat3{1, 0, 0, 0, 1, 0, 0, 0, 0}
	if q := posing.TurnedLocal(flat, random().Mat3(), geom.IdentityQuat()); q != geom.IdentityQuat() {
		t.Errorf("under a parent that is squashed flat the joint turns to %v, expected no turn", q)
	}
}
