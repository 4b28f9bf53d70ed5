package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// TestCrossMoment holds the products of matrices and moments against sums over the points, to rounding of 20 terms.
func TestCrossMoment(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	random := func() (a geom.Affine) {
		for k := range a {
			a[k] = r.NormFloat64()
		}
		return a
	}
	a, b := random(), random()
	var m Moment
	var c CrossMoment
	inner, left := 0.0, 0.0
	for range 20 {
		w, x := r.Float64(), mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		y := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		m.Add(w, x)
		for row := range 3 {
			for column, v := range [4]float64{x[0], x[1], x[2], 1} {
				c[4*row+column] += w * y[row] * v
			}
		}
		inner += w * a.Apply(x).Dot(b.Apply(x))
		left += w * a.Apply(x).Dot(y.Sub(b.Apply(x)))
	}
	if got := Inner(&a, &b, &m); !(math.Abs(got-inner) <= 1e-12*math.Abs(inner)+1e-12) {
		t.Errorf("inner product %g, expected %g", got, inner)
	}
	c.Subtract(&b, &m)
	if got := c.Dot(&a); !(math.Abs(got-left) <= 1e-12*math.Abs(left)+1e-12) {
		t.Errorf("what is left has %g with A, expected %g", got, left)
	}
}
