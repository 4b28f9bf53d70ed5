package skinning

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// ProxyPlaces follows a point on each joint of a [LinearRig] without the matrices of the joints: where these are
// left to the GPU ([Frame.LazyProxies]), that is a quarter of the work. A point on a joint is linear in its
// matrix, and so in d and q: the four rows of c₁ and c₂ that make a joint come down to one.
type ProxyPlaces struct{ c1, c2, at []float64 }

// NewProxyPlaces prepares for points, one per driven joint of r in their order, metres, rest space.
func NewProxyPlaces(r LinearSystem, points []mgl64.Vec3) *ProxyPlaces {
	if len(points) != len(r.Joints) {
		panic(fmt.Sprintf("skinning: NewProxyPlaces: %d points for %d joints", len(points), len(r.Joints)))
	}
	n, q := 3*r.Gradients, 4*len(r.Masters)
	p := &ProxyPlaces{c1: make([]float64, len(points)*n), c2: make([]float64, len(points)*q),
		at: make([]float64, 3*len(points))}
	for b, at := range points {
		for k, x := range [4]float64{at[0], at[1], at[2], 1} {
			row := 4*b + k
			for i, v := range r.C1[row*n : (row+1)*n] {
				p.c1[b*n+i] += x * v
			}
			for i, v := range r.C2[row*q : (row+1)*q] {
				p.c2[b*q+i] += x * v
			}
		}
	}
	return p
}

// At writes where the points are in a frame of a model whose SolvedRig the points are of, world space, whether or not
// that has been solved for. The frame must not be baked. It allocates nothing.
func (p *ProxyPlaces) At(dst []mgl64.Vec3, f *Frame) {
	d, q := f.linear.Known()
	driven(p.at, p.c1, p.c2, d, q)
	for b := range dst {
		for c := range 3 {
			dst[b][c] = p.at[len(dst)*c+b]
		}
	}
}
