package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// refiningRounds is how often c₁ and c₂ and the final weights are fitted in turn (rows 47, 48).
const refiningRounds = 2

// refine makes the model of a reduction. It assembles c₁ and c₂ from the Poisson equations, then fits in turn c₁ and
// c₂ (row 46) and the weights of the vertices within reach of a proxy (row 57) to the positions of the examples. A
// vertex that trained SSD predicts better keeps its SSD weights (row 49), so that the training error of a fit is never
// above trained SSD's. It returns the model and its enveloping error, or nil where it was cancelled.
func (r *run) refine(
	s *SSD, red *reduction, middle []mgl64.Vec3, l *lesson, keys []rig.GradientKey,
) (*Model, float64, error) {
	if r.cancelled() {
		return nil, 0, nil
	}
	c, err := assemble(r.x, s, red, r.holds())
	if err != nil {
		return nil, 0, err
	}
	f := r.forecast(red, l, keys, c)
	weights := red.behind(s, len(r.x.Parent))
	for range refiningRounds {
		if !r.paper.positions {
			r.adjust(red, c, weights, f)
		}
		if !r.paper.weights {
			weights = r.mixedWeights(s, red, f)
		}
	}
	if r.cancelled() {
		return nil, 0, nil
	}
	all, _ := f.both(r.y)
	square := missesOf(r.x, r.opt.Workers, all, weights).square
	for v, e := range square {
		if r.paper.weights {
			break
		}
		if !(e < s.square[v]) {
			weights[v], square[v] = s.Weights[v], s.square[v]
		}
	}
	ee := r.ee(square)
	m := bound(r.x, weights)
	if slices.ContainsFunc(m.Weights, func(w []skinning.Share) bool { return !m.fixed(w) }) {
		m.Rig = newRig(r.x.Parent, middle, c)
		copy(m.Rig.Keys, keys)
		m.pruneProxies()
	}
	r.found(m, ee)
	return m, ee, nil
}

// behind returns the weights of all vertices: those of trained SSD for fixed vertices, and for the others those of the
// reduction over proxies, which are numbered behind the joints.
func (r *reduction) behind(s *SSD, joints int) [][]skinning.Share {
	out := slices.Clone(s.Weights)
	for v, w := range r.weights {
		if w != nil {
			out[v] = slices.Clone(w)
			for k := range w {
				out[v][k].Joint += uint16(joints)
			}
		}
	}
	return out
}

// newRig returns a rig whose masters are all joints. Its keys are empty.
func newRig(parents []int, middle []mgl64.Vec3, c *matrices) rig.Enveloping {
	envelope := rig.Enveloping{Parents: parents, Middle: middle, C1: c.c1, C2: c.c2,
		Keys: make([]rig.GradientKey, c.proxies)}
	for j := range parents {
		envelope.Masters = append(envelope.Masters, j)
	}
	for b := range c.proxies {
		envelope.Proxies = append(envelope.Proxies, len(parents)+b)
	}
	return envelope
}

// fixedVertices returns the set F of section 4.2 as a flag per vertex: the vertices whose SSD error is below the given
// share of the mean, and those that belong to no triangle with an area.
func fixedVertices(x *Examples, s *SSD, share float64) []bool {
	fixed := make([]bool, len(x.Rest))
	mean := 0.0
	for _, e := range s.square {
		mean += math.Sqrt(e) / float64(len(s.square))
	}
	reached := make([]bool, len(x.Rest))
	for _, t := range x.Triangles {
		if _, ok := invert(frame(x.Rest[t[0]], x.Rest[t[1]], x.Rest[t[2]])); ok {
			reached[t[0]], reached[t[1]], reached[t[2]] = true, true, true
		}
	}
	for v, e := range s.square {
		fixed[v] = !reached[v] || math.Sqrt(e) < share*mean
	}
	return fixed
}
