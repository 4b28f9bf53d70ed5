package rig

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// Measured from an origin, a rig makes of matrices that act on positions measured from there what the rig itself makes
// of them as they are, and the negative origin gives it back: to 1e-8, tens of roundings of products of up to a
// million.
func TestRigAbout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()*2 - 1
		}
		return x
	}
	const masters, keys, proxies = 3, 4, 2
	r := &Enveloping{Masters: make([]int, masters), Keys: make([]GradientKey, keys), Proxies: make([]int, proxies),
		C1: random(12 * proxies * keys), C2: random(16 * proxies * masters)}
	origin := mgl64.Vec3{1000, -20, 300}
	d, q := random(9*keys), random(12*masters)
	moved := append([]float64(nil), q...) // C(origin) in place of C(0)
	for at := 0; at < len(q); at += 4 {
		for k, o := range origin {
			moved[at+3] += o * q[at+k]
		}
	}
	plain, about := make([]float64, 12*proxies), make([]float64, 12*proxies)
	system := r.Linear()
	system.Solve(plain, d, q)
	c1, c2 := r.about(origin)
	system.C1, system.C2 = c1, c2
	system.Solve(about, d, moved)
	for at := 0; at < len(plain); at += 4 {
		want := plain[at+3]
		for k, o := range origin {
			want += o * plain[at+k]
			if !(math.Abs(about[at+k]-plain[at+k]) <= 1e-8) {
				t.Errorf("number %d is %g, expected %g", at+k, about[at+k], plain[at+k])
			}
		}
		if !(math.Abs(about[at+3]-want) <= 1e-8) {
			t.Errorf("number %d is %g, expected %g", at+3, about[at+3], want)
		}
	}
	other := *r
	other.C1, other.C2 = c1, c2
	back1, back2 := other.about(origin.Mul(-1))
	for _, c := range [...]struct{ got, want []float64 }{{back1, r.C1}, {back2, r.C2}} {
		for i, v := range c.want {
			if !(math.Abs(c.got[i]-v) <= 1e-8) {
				t.Errorf("there and back number %d is %g, was %g", i, c.got[i], v)
			}
		}
	}
}
