package skinning

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// About returns c₁ and c₂ between matrices that act on rest positions measured from an origin, which are C·x + C(origin)
// where C·x + C(0) acts on positions as they are. About what is driven they are as small as it is; far from there the
// translations that they give are small differences of large numbers, of which float32 leaves nothing. A rig of them and
// the negative of the origin gives c₁ and c₂ back, to rounding.
func (r *EnvelopeRig) About(origin mgl64.Vec3) (c1, c2 []float64) {
	c1, c2 = slices.Clone(r.C1), slices.Clone(r.C2)
	wide, tall := keyTerms*len(r.Keys), masterTerms*len(r.Masters)
	// What is driven: its place is that of the origin.
	for b := range r.Proxies {
		for _, m := range [...]struct {
			c     []float64
			width int
		}{{c1, wide}, {c2, tall}} {
			rows := m.c[4*b*m.width : 4*(b+1)*m.width]
			for k, o := range origin {
				for i, v := range rows[k*m.width : (k+1)*m.width] {
					rows[3*m.width+i] += o * v
				}
			}
		}
	}
	// What drives: the linear part that its place is given by is no longer to be added.
	for at := 0; at < len(c2); at += masterTerms {
		for k, o := range origin {
			c2[at+k] -= o * c2[at+3]
		}
	}
	return c1, c2
}
