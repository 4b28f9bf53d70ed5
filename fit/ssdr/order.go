package ssdr

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/skinning/parallel"
)

// removalCosts returns, for every helper bone, the rise of the objective if it were removed and the weights solved
// again.
func (p *problem) removalCosts() []float64 {
	n := len(p.rest)
	parts := make([][]float64, parallel.Chunks(n))
	parallel.For(p.workers, len(parts), func(worker, c int) {
		parts[c] = make([]float64, p.helpers())
		s := &p.scratch[worker]
		lo, hi := parallel.Chunk(c, n)
		for k := lo; k < hi; k++ {
			for _, share := range p.weights[k] {
				if h := int(share.Joint) - p.primaries; h >= 0 {
					parts[c][h] += p.points.copies[k] * (p.without(s, k, int(share.Joint)) - p.errors[k] - p.held[k])
				}
			}
		}
	})
	out := make([]float64, p.helpers())
	for _, part := range parts {
		floats.Add(out, part)
	}
	return out
}

// leastUseful returns the helper bone whose removal costs least, and that cost. There must be one.
func (p *problem) leastUseful() (h int, cost float64) {
	costs := p.removalCosts()
	cost = slices.Min(costs)
	return slices.Index(costs, cost), cost
}

// removeUseless removes helper bones that lower the error by no more than rounding, and returns their number.
func (p *problem) removeUseless() (removed int) {
	for p.helpers() > 0 && len(p.bones) > 1 {
		h, cost := p.leastUseful()
		if cost > p.rounding*float64(len(p.x.Rest)) {
			break
		}
		p.dropWeights(p.primaries + h)
		p.removeHelper(p.primaries + h)
		p.solveWeights(true)
		removed++
	}
	return removed
}

// without returns the objective of a point that must not follow a bone.
func (p *problem) without(s *scratch, k, bone int) float64 {
	s.bones = s.bones[:0]
	for _, j := range p.candidates[k] {
		s.bones = append(s.bones, int(j))
	}
	for b := p.primaries; b < len(p.bones); b++ {
		if b != bone {
			s.bones = append(s.bones, b)
		}
	}
	if len(s.bones) == 0 {
		return p.square[k]
	}
	s.gram(k)
	s.begin(p.weights[k], bone)
	return s.simplex.ImproveSparse(s.q, len(s.bones), p.limit, s.w)
}

// sortHelpers orders the helper bones for levels of detail, so that the first ones lower the error most. The last bone
// is the one whose removal costs least, the one before it has the least cost of the rest, and so on. Weights stay the
// same.
func (p *problem) sortHelpers() {
	before, bones := p.save(nil), slices.Clone(p.bones[p.primaries:])
	left := make([]int, p.helpers()) // the bones that are left
	for h := range left {
		left[h] = h
	}
	place := make([]int, len(left)) // of each bone in the order
	for len(left) > 0 && len(p.bones) > 1 {
		least, _ := p.leastUseful()
		place[left[least]] = len(left) - 1
		left = slices.Delete(left, least, least+1)
		p.dropWeights(p.primaries + least)
		p.removeHelper(p.primaries + least)
		p.solveWeights(false)
	}
	p.restore(before)
	for len(p.bones) < p.primaries+len(place) {
		p.addHelper(nil)
	}
	for h, at := range place {
		p.bones[p.primaries+at] = bones[h]
	}
	for _, shares := range p.weights {
		for i, s := range shares {
			if h := int(s.Joint) - p.primaries; h >= 0 {
				shares[i].Joint = uint16(p.primaries + place[h])
			}
		}
	}
	p.sumBones(p.primaries)
}
