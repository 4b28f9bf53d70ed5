package bodymodel

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Weights are varied by moving a step of weight from one limb to another. The paper gives no step sizes. The last step
// is four times the resolution of weights that are stored as bytes.
const (
	firstStep = 1. / 4
	lastStep  = 1. / 64
)

// vary is the paper's descent for one set of weights of a vertex, w. It tries every move of a step from one limb to
// another, and makes the move of least cost. When no move lowers the cost, the step is halved. Cost returns the cost of
// w.
func (s *weightScratch) vary(cost func() float64) {
	least := cost()
	for step := firstStep; step >= lastStep; {
		influences := 0
		for _, x := range s.w {
			if x > 0 {
				influences++
			}
		}
		from, to := -1, -1
		for a, x := range s.w {
			part := math.Min(step, x)
			for b, y := range s.w {
				if x == 0 || a == b || y == 0 && part < x && influences == mostInfluences {
					continue
				}
				s.w[a], s.w[b] = x-part, y+part
				if c := cost(); c < least {
					least, from, to = c, a, b
				}
				s.w[a], s.w[b] = x, y
			}
		}
		if from < 0 {
			step /= 2
			continue
		}
		part := math.Min(step, s.w[from])
		s.w[from], s.w[to] = s.w[from]-part, s.w[to]+part
	}
}

// formCost returns wᵀ·gram·w.
func (s *weightScratch) formCost() (cost float64) {
	n := len(s.w)
	for a, x := range s.w {
		if x == 0 {
			continue
		}
		for b, y := range s.w {
			cost += x * y * s.gram[a*n+b]
		}
	}
	return cost
}

// twistCost returns the sum of squared distances from the target if w were the weights of the twists. It is infinite if
// the blend of the twists is too short.
func (w *weightSearch) twistCost(s *weightScratch, at mgl64.Vec3) (cost float64) {
	for i, p := range w.palettes {
		var sum geom.DualQuat
		for a, x := range s.w {
			if x == 0 {
				continue
			}
			t := &p.Twists[s.limbs[a]]
			for c := range 4 {
				sum.Real[c] += x * t.Real[c]
				sum.Dual[c] += x * t.Dual[c]
			}
		}
		if sum.Real.Dot(sum.Real) < shortTwist*shortTwist {
			return math.Inf(1)
		}
		var m geom.Affine
		sum.AffineTo(&m)
		d := s.blend[i].Apply(m.Apply(at)).Sub(s.target[i])
		cost += d.Dot(d)
	}
	return cost
}
