package helperbones

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

const (
	// mostFolds is the largest number of folds of cross validation.
	mostFolds = 5
	// lassoParents is the number of parents that the Lasso compares, those with the least error by ridge regression
	// (row 255).
	lassoParents = 3
	// hurriedLambda is λ for bones whose controllers are made after the fit was cancelled.
	hurriedLambda = 1e-2
)

// attempt is a helper bone's controller with one joint as its parent.
type attempt struct {
	parent     int
	local      local
	metric     rig.HelperMotion
	regression *regression
	square     float64 // cross-validated error of the skin, m²
}

// newBone makes the controller of helper bone h from its motions, with the parent of least cross-validated error
// (section 5.4). Moments are those of the bone with all bones.
func (c *controlling) newBone(ctx context.Context, h int, moments []linear.Moment) *bone {
	own := &moments[c.primaries+h]
	b := &bone{}
	b.features, b.x = c.featuresOf(c.inputsFor(h))
	sums := c.featureSums(b)
	parents := c.parentsFor(h)
	tries := make([]attempt, len(parents))
	parallel.For(c.opt.Workers, len(parents), func(_, i int) {
		tries[i] = c.attempt(h, b, sums, own, parents[i])
	})
	slices.SortStableFunc(tries, func(a, b attempt) int { return cmp.Compare(a.square, b.square) })
	tries = tries[:min(lassoParents, len(tries))]
	lambdas := make([]float64, len(tries))
	parallel.For(c.opt.Workers, len(tries), func(_, i int) {
		t := &tries[i]
		switch {
		case !math.IsNaN(c.opt.Lambda):
			lambdas[i] = c.opt.Lambda
			t.square = t.regression.errorAt(&t.metric, lambdas[i])
		case ctx.Err() != nil:
			lambdas[i] = hurriedLambda
		default:
			lambdas[i], t.square = t.regression.chooseLambda(&t.metric)
		}
	})
	best := 0
	for i := range tries {
		if tries[i].square < tries[best].square {
			best = i
		}
	}
	t := &tries[best]
	b.parent, b.local, b.metric, b.lambda = t.parent, t.local, t.metric, lambdas[best]
	all := t.regression.standardise(&t.regression.all, &t.metric)
	b.controller = all.at(&t.metric, b.lambda)
	b.ridge, _ = t.regression.chooseRidge(&t.metric, b.controller)
	if b.lambda == 0 || !c.opt.AsPublished { // without the Lasso's shrinking (row 257)
		b.controller = all.leastSquares(&t.metric, b.ridge, b.controller)
	}
	return b
}

// parentsFor lists the joints that are tried as parents of helper bone h. As published, these are all joints. But with
// few examples, a far joint that happens to turn like the bone may be chosen. So our fit tries only joints that move
// the skin under the bone (row 254), of which a file with many characters has few.
func (c *controlling) parentsFor(h int) []int {
	least := leastShare
	if c.opt.AsPublished {
		least = 0
	}
	return joined(c.solver.Reach(h), least)
}

// joined lists the joints that move at least a share of the skin under a bone, or as much as the one that moves most:
// a bone under hundreds of joints may have none above the share.
func joined(reached []float64, share float64) (joints []int) {
	least := min(share*floats.Sum(reached), slices.Max(reached))
	for j, r := range reached {
		if r >= least {
			joints = append(joints, j)
		}
	}
	return joints
}

// featureSums makes the sums of a bone's features, over all examples and over the folds: every fifth example is of one
// fold. High powers cost more than as published (row 256).
func (c *controlling) featureSums(b *bone) *regression {
	p := len(b.features)
	r := &regression{all: newFoldSums(p), folds: make([]foldSums, min(mostFolds, len(b.x)))}
	for f := range r.folds {
		r.folds[f] = newFoldSums(p)
	}
	for _, f := range b.features {
		penalty := 1.0
		if !c.opt.AsPublished {
			penalty = degreePenalty(degreeOf(f.powers))
		}
		r.penalty = append(r.penalty, penalty)
	}
	for n, x := range b.x {
		r.all.addFeatures(c.x.ImportanceOf(n), x)
		r.folds[n%len(r.folds)].addFeatures(c.x.ImportanceOf(n), x)
	}
	return r
}

// attempt makes the sums of a bone's motions in the frame of a parent (equation 9), and adds them to the sums of its
// features. As published, motions are about the parent's origin (section 5.1). By default they are about the bone's own
// place, about which a rotation moves the skin by less (row 258).
func (c *controlling) attempt(h int, b *bone, features *regression, own *linear.Moment, parent int) attempt {
	matrices, place := c.solver.Bones(), placeOf(own)
	if c.opt.AsPublished {
		place = c.skeleton.Joints[parent].Position.Sub(c.solver.Middle())
	}
	t := attempt{parent: parent, local: localOf(c.skeleton, parent, place), regression: features.withoutMotions()}
	locals, turns := make([]geom.Affine, len(b.x)), make([]geom.Quat, len(b.x))
	for n := range locals {
		inverse, _ := matrices[parent][n].Inverse() // of a parent that has collapsed, the identity
		locals[n] = inverse.Mul(matrices[c.primaries+h][n])
		turns[n] = t.local.rotation(&locals[n])
	}
	center, total := centerOf(turns), c.x.TotalImportance()
	for n := range locals {
		w := c.x.ImportanceOf(n)
		y := t.local.motion(&locals[n], center, c.opt.Scale)
		t.regression.all.addMotion(w, b.x[n], &y)
		t.regression.folds[n%len(t.regression.folds)].addMotion(w, b.x[n], &y)
		var tangents [motions]geom.Affine
		t.local.tangents(&matrices[parent][n], &y, &tangents)
		for k := range c.numbers() {
			t.metric[k] += w / total * linear.Inner(&tangents[k], &tangents[k], own)
		}
	}
	_, t.square = t.regression.chooseRidge(&t.metric, nil)
	return t
}

// numbers returns how many numbers of a motion are controlled.
func (c *controlling) numbers() int {
	if c.opt.Scale {
		return motions
	}
	return motions - 1
}
