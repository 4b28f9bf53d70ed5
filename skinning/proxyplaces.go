package skinning

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// ProxyPlaces follows a point on each proxy bone of an envelope rig without the matrices of the bones: where these are
// left to the GPU ([Frame.LazyProxies]), that is a quarter of the work. A point on a bone is linear in the bone's
// matrix, and so in d(q) and q: the four rows of c₁ and c₂ that make a bone come down to one.
type ProxyPlaces struct{ c1, c2, at []float64 }

// NewProxyPlaces prepares for points, one per proxy bone of r in their order, metres, rest space.
func NewProxyPlaces(r *EnvelopeRig, points []mgl64.Vec3) *ProxyPlaces {
	if len(points) != len(r.Proxies) {
		panic(fmt.Sprintf("skinning: NewProxyPlaces: %d points for %d proxy bones", len(points), len(r.Proxies)))
	}
	n, q := 3*len(r.Keys), 4*len(r.Masters)
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

// At writes where the points are in a frame of the rig's model, world space, whether or not its proxy bones have been
// solved for. The frame must not be baked. It allocates nothing.
func (p *ProxyPlaces) At(dst []mgl64.Vec3, f *Frame) {
	driven(p.at, p.c1, p.c2, f.envelope.d, f.envelope.q)
	for b := range dst {
		for c := range 3 {
			dst[b][c] = p.at[len(dst)*c+b]
		}
	}
}
