package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// TestMoment: a form is Σ_f (A_f·x̂)·(B_f·x̂) at a point, and its product with a moment the weighted sum of that over
// the points, to 1e-13 of the sum of the sizes: a few hundred roundings.
func TestMoment(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	affines := func() []geom.Affine {
		out := make([]geom.Affine, 3)
		for f := range out {
			for k := range out[f] {
				out[f][k] = r.NormFloat64()
			}
		}
		return out
	}
	a, b := affines(), affines()
	form := FormOf(a, b)
	var one, two Moment
	want, size := 0.0, 0.0
	for i := range 20 {
		w, x := r.Float64(), mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		at, sizes := 0.0, 0.0
		for f := range a {
			p, q := a[f].Apply(x), b[f].Apply(x)
			at += p.Dot(q)
			sizes += p.Len() * q.Len()
		}
		if got := form.At(&x); !(math.Abs(got-at) <= 1e-13*sizes) {
			t.Errorf("at %v: %g, expected %g", x, got, at)
		}
		if i%2 == 0 {
			one.Add(w, x)
		} else {
			two.Add(w, x)
		}
		want, size = want+w*at, size+w*sizes
	}
	one.AddAll(&two)
	if got := form.Sum(&one); !(math.Abs(got-want) <= 1e-13*size) {
		t.Errorf("summed %g, expected %g", got, want)
	}
}
