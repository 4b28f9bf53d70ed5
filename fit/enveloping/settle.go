package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// settlingRounds fix vertices that SSD turned out to predict better.
const settlingRounds = 4

// settle solves for the proxies, and again with those vertices fixed too that SSD predicts better than the solve does: on what the
// examples leave hard to predict, a fit is then no worse than what it is compared with. It returns the best of the rounds and its
// enveloping error, and nil where it was cancelled before the first.
func (r *run) settle(s *SSD, red *reduction, middle []mgl64.Vec3, keys []skinning.GradientKey) (best *Model, least float64, err error) {
	least = math.Inf(1)
	for range settlingRounds {
		if r.cancelled() {
			break
		}
		c, err := assemble(r.x, s, red, defaultHolds())
		if err != nil {
			return nil, 0, err
		}
		m := &Model{Fixed: slices.Clone(red.fixed), Weights: slices.Clone(red.weights), Rig: newRig(r.x.Parent, middle, c)}
		copy(m.Rig.Keys, keys)
		for v := range m.Weights {
			if m.Weights[v] == nil { // fixed, or out of reach of every triangle
				m.Fixed[v], m.Weights[v] = true, s.Weights[v]
			}
		}
		var driver skinning.EnvelopeDriver
		square := squares(r.x, func(i int) []mgl64.Vec3 { return m.Pose(&driver, r.x.Rest, r.x.Pairs[i].Matrices) })
		ee := r.ee(square)
		if ee < least {
			best, least = m, ee
		}
		r.found(m, ee)
		more := false
		for v, e := range square {
			if !red.fixed[v] && e > s.square[v] {
				red.fixed[v], red.weights[v], more = true, nil, true
			}
		}
		if !more {
			break
		}
		if !slices.ContainsFunc(red.weights, func(w []skinning.Share) bool { return w != nil }) {
			if ee := r.ee(s.square); ee < least { // nothing is left for proxies: so few of them are no better than trained weights anywhere
				best, least = bound(r.x, s.Weights), ee
			}
			break
		}
	}
	return best, least, nil
}

// newRig returns a rig over all joints without its keys.
func newRig(parents []int, middle []mgl64.Vec3, c *matrices) skinning.EnvelopeRig {
	rig := skinning.EnvelopeRig{Parents: parents, Middle: middle, C1: c.c1, C2: c.c2, Keys: make([]skinning.GradientKey, c.proxies)}
	for j := range parents {
		rig.Masters = append(rig.Masters, j)
	}
	for b := range c.proxies {
		rig.Proxies = append(rig.Proxies, len(parents)+b)
	}
	return rig
}

// fixedVertices returns F: the vertices that SSD predicts well, and those that no triangle with an area reaches.
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
