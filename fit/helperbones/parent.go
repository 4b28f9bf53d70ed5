package helperbones

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// bone is a helper bone with its controller.
type bone struct {
	parent   int
	local    local            // its place is relative to [ssdr.Solver.Middle]
	metric   rig.HelperMotion // Σ w²·|motion|² over the points it moves, m², by a unit of each number; 0: not controlled
	features []feature
	lambda   float64
	*controller
}

// controller is F_h of equation (10).
type controller struct {
	constant rig.HelperMotion
	theta    []rig.HelperMotion // one per feature
}

// motion returns the bone's motion in an example.
func (b *bone) motion(n int) rig.HelperMotion {
	m := b.constant
	for j := range b.features {
		x := b.features[j].values[n]
		for k, t := range b.theta[j] {
			m[k] += t * x
		}
	}
	return m
}

// hurriedLambda is λ for bones whose controllers are made after the fit was cancelled.
const hurriedLambda = 1e-2

// newBone makes the controller of helper bone h from its motions, with the parent of least cross-validated error
// (section 5.4). Own is the moment of its points.
func (c *controlling) newBone(ctx context.Context, h int, own *linear.Moment) *bone {
	reached := reach(c.x, c.solver.Weights(), h)
	features := c.featuresOf(c.opt.Recipe.Inputs(c.skeleton.Joints, c.inputs, reached))
	parents := c.opt.Recipe.Parents(reached)
	tries, squares := make([]*bone, len(parents)), make([]float64, len(parents))
	parallel.For(c.opt.Workers, len(parents), func(_, i int) {
		tries[i], squares[i] = c.attempt(ctx, h, features, own, parents[i])
	})
	best := 0
	for i := range tries {
		if squares[i] < squares[best] {
			best = i
		}
	}
	return tries[best]
}

// attempt makes the controller of a bone with one joint as its parent (equations 9 and 11), and returns its
// cross-validated error of the skin, m².
func (c *controlling) attempt(ctx context.Context, h int, features []feature, own *linear.Moment,
	parent int) (b *bone, square float64) {
	matrices := c.solver.Bones()
	b = &bone{parent: parent, features: features,
		local: local{c.opt.Recipe.Place(c, parent, own), rig.BindFrame(&c.skeleton.Joints[parent])}}
	locals, turns := make([]geom.Affine, len(c.x.Targets)), make([]geom.Quat, len(c.x.Targets))
	for n := range locals {
		inverse, _ := matrices[parent][n].Inverse() // of a parent that has collapsed, the identity
		locals[n] = inverse.Mul(matrices[c.primaries+h][n])
		turns[n] = b.local.rotation(&locals[n])
	}
	center, total := centerOf(turns), c.x.TotalWeight()
	ys := make([]rig.HelperMotion, len(locals))
	for n := range locals {
		ys[n] = b.local.motion(&locals[n], center, c.opt.Scale)
		var tangents [motions]geom.Affine
		b.local.tangents(&matrices[parent][n], &ys[n], &tangents)
		for k := range c.numbers() {
			b.metric[k] += c.x.Weight(n) / total * linear.Inner(&tangents[k], &tangents[k], own)
		}
	}
	r := c.newRegression(features, ys, b.metric)
	switch {
	case !math.IsNaN(c.opt.Lambda):
		b.lambda, square = c.opt.Lambda, r.errorAt(c.opt.Lambda)
	case ctx.Err() != nil:
		b.lambda, square = hurriedLambda, r.errorAt(hurriedLambda)
	default:
		b.lambda, square = r.chooseLambda()
	}
	b.controller = r.standardise(&r.all).at(b.lambda)
	return b, square
}

// ownPlace is the mean of the points under a bone, weighted by their squared weights. A rotation about this place moves
// the points least.
func ownPlace(_ *controlling, _ int, own *linear.Moment) mgl64.Vec3 {
	if !(own[9] > ssdr.LeastMass) {
		return mgl64.Vec3{}
	}
	return own.Mean()
}

// numbers returns how many numbers of a motion are controlled.
func (c *controlling) numbers() int {
	if c.opt.Scale {
		return motions
	}
	return motions - 1
}

// reach returns how much of the skin under helper bone h each primary joint moves: Σ over vertices of the bone's weight
// times the joint's, by the rig's weights where there are any.
func reach(x *training.Examples, weights [][]skinning.Share, h int) []float64 {
	joints := x.Primaries()
	reached := make([]float64, joints)
	for v, shares := range weights {
		for _, own := range shares {
			if int(own.Joint) != joints+h {
				continue
			}
			from := shares
			if x.Rigged != nil {
				from = x.Rigged[v]
			}
			for _, s := range from {
				if int(s.Joint) < joints {
					reached[s.Joint] += own.Weight * s.Weight
				}
			}
		}
	}
	return reached
}
