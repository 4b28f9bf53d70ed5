package bodymodel

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Published is the paper's recipe: limbs that are found in the scans (section 3), skinning weights by coordinate
// descent, vertices by least squares, and joints by Gauss-Newton, at one weight of the Laplacian and until
// convergence (section 4). The list differs says where it still goes its own way.
func Published() *Recipe {
	r := Ours()
	r.Skeleton, r.Alphas = false, nil
	r.Weights = variedWeights
	r.JointTurn, r.Stall = 0, 1e-4
	return r
}

// differs is what the fit as published still does its own way: [fit.Method.Differs].
var differs = []string{
	"Section 3: limbs are pieces of the surface that are split and merged, each connected, in place of k-means clustering.",
	"Section 3: the first bind shape is that of the first scan, or of --scan, and not of one at random.",
	"Section 3: axes are computed from the joints, and not optimised beside them.",
	"Section 4, weights: a vertex may follow four limbs in each of its two sets of weights, and those alone that it or a " +
		"neighbour follows, and those next to them in the tree.",
	"Section 4, weights: in a round every vertex is improved once, while the paper repeats this until convergence. A " +
		"vertex's own moves are repeated until the smallest step, a 64th, lowers Q no more.",
	"Section 4, vertices: conjugate gradients in place of a direct solver.",
	"Section 4, joints: the matrix of a step is summed over a part of the rows of Q where there are more than 2,400 vertices, " +
		"and a round takes one step.",
	"Section 4: rounds end where one lowers Q by less than a ten thousandth. The paper does not say when they have converged.",
}

// variedWeights is the paper's step of the skinning weights: it compares slightly varied weights of each vertex.
func variedWeights(ctx context.Context, f *solver) error {
	f.weights(ctx, weightMethods{
		swing: func(s *weightScratch) { s.vary(s.formCost) },
		twist: func(w *weightSearch, s *weightScratch, at mgl64.Vec3) {
			s.vary(func() float64 { return w.twistCost(s, at) })
		},
	})
	return nil
}

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
