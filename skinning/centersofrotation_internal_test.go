package skinning

import (
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// The grid of a pair of many triangles gives the centres that these give, within 1e-7 of their extent.
func TestSpreadShares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 3 {
		c := NewCentersOfRotation(&Mesh{})
		p := &pairSum{}
		for range 20000 {
			a := r.Float64()
			b := (1 - a) * (1 - 0.3*r.Float64()*r.Float64())
			area := a * b * (0.5 + r.Float64())
			p.shares = append(p.shares, pairShare{[2]float64{a, b}, area,
				mgl64.Vec3{a + 0.1*r.Float64(), r.Float64(), b * r.Float64()}.Mul(area)})
			p.area += area
		}
		p.nodes = spread(p.shares)
		if n := len(p.nodes); n == 0 || n > 5000 {
			t.Fatalf("%d nodes", n)
		}
		c.pairs[jointPair{2, 5}] = p
		for range 200 {
			a := r.Float64()
			shares := []Share{{2, a}, {5, (1 - a) * (0.2 + 0.8*r.Float64())}}
			got, _ := c.Center(shares)
			nodes := p.nodes
			p.nodes = nil
			want, _ := c.Center(shares)
			p.nodes = nodes
			if d := got.Sub(want).Len(); !(d <= 1e-7) {
				t.Fatalf("at %v the centre is off by %g", shares, d)
			}
		}
	}
}
