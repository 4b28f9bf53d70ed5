package helperbones

import (
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// doubt estimates in which poses controllers are least certain (active learning, section 7). A Gaussian process stands
// for the controller of each bone. Its predictive variance is weighed by how much skin the bone moves and how far. A
// process is a sum of functions of one joint's rotation each, as a controller is (equation 10), but the functions may
// have any shape. The variance of polynomials would put all examples at the ends of the range, where they say nothing
// of motions between that are no polynomials: 81 examples of demo:leg chosen so gave 3.98 mm in unseen poses, where 36
// by these processes give 3.35.
//
// Its inputs are the rotations of all joints that the candidates turn, and they are not clamped. So a pose is in doubt
// if it turns a joint further than any example does, or a joint that no example turns.
type doubt struct {
	bones []doubted
}

// doubted is what a bone's examples leave open.
type doubted struct {
	variance   float64       // of the skin's motion against the parent, Σ over vertices, m²
	covariance *mat.SymDense // between the candidates, as shares of the variance
}

const (
	// doubtNoise is the variance of an example's motion that has nothing to do with the pose, as a share of the
	// motion's.
	doubtNoise = 1e-2
	// doubtReach is the standard deviation of the kernel, radians: the distance over which one rotation of a joint
	// informs about another.
	doubtReach = 1.0
	// doubtExamples is how many examples, evenly spread, are looked at.
	doubtExamples = 512
)

// newDoubt makes the doubts of controllers that were learnt from examples, about candidates: palettes of the primary
// joints' skinning matrices. Its time and memory are quadratic in the candidates, of which a thousand are many.
func newDoubt(x *training.Examples, c *Controlled, candidates [][]geom.Affine) *doubt {
	all := slices.Clone(candidates)
	for n, every := 0, 1+(len(x.Palettes)-1)/doubtExamples; n < len(x.Palettes); n += every {
		all = append(all, x.Palettes[n])
	}
	inputs := inputsOf(&x.Model.Skeleton, all)
	motions := Motions(x, c.Rig)
	d := &doubt{bones: make([]doubted, len(c.Rig.Bones))}
	parallel.For(runtime.GOMAXPROCS(0), len(d.bones), func(_, h int) {
		b := &d.bones[h]
		b.variance = motionVariance(x, c, h, motions[h])
		b.covariance = covarianceOf(inputs, jointsNear(x.Model.Skeleton.Joints, inputs,
			reach(x, c.Weights, h)), len(all))
		for n := len(all) - 1; n >= len(candidates); n-- { // the known examples, from the end
			b.learn(n)
			b.covariance = b.covariance.SliceSym(0, n).(*mat.SymDense)
		}
	})
	return d
}

// covarianceOf returns the covariance of all poses before any is known: a constant, and a squared exponential of each
// joint's rotation vector.
func covarianceOf(inputs []input, near []int, poses int) *mat.SymDense {
	a := mat.NewSymDense(poses, nil)
	for i := range poses {
		for j := i; j < poses; j++ {
			sum := 1.0
			for _, k := range near {
				square := 0.0
				for axis := range 3 {
					e := inputs[k].values[i][axis] - inputs[k].values[j][axis]
					square += e * e
				}
				sum += math.Exp(-square / (2 * doubtReach * doubtReach))
			}
			a.SetSym(i, j, sum/float64(1+len(near)))
		}
	}
	return a
}

// motionVariance returns Σ w²·|L_n·v − L̄·v|² over the vertices of a helper bone, in the mean over the examples, with
// L̄ the mean of L.
func motionVariance(x *training.Examples, c *Controlled, h int, motion []geom.Affine) (sum float64) {
	var moment linear.Moment
	for v, shares := range c.Weights {
		for _, s := range shares {
			if int(s.Joint) == x.Primaries()+h {
				moment.Add(s.Weight*s.Weight, x.Rest[v])
			}
		}
	}
	var mean geom.Affine
	locals := make([]geom.Affine, len(motion))
	for n := range motion {
		inverse, _ := x.Palettes[n][c.Rig.Bones[h].Parent].Inverse()
		locals[n] = inverse.Mul(motion[n])
		for k, e := range locals[n] {
			mean[k] += e / float64(len(motion))
		}
	}
	for n := range locals {
		for k, e := range mean {
			locals[n][k] -= e
		}
		sum += linear.Inner(&locals[n], &locals[n], &moment) / float64(len(motion))
	}
	return max(sum, 0)
}

// learn counts a pose as known.
func (b *doubted) learn(n int) {
	column := mat.NewVecDense(b.covariance.SymmetricDim(), nil)
	for i := range column.Len() {
		column.SetVec(i, b.covariance.At(i, n))
	}
	b.covariance.SymRankOne(b.covariance, -1/(column.AtVec(n)+doubtNoise), column)
}

// choose returns the candidate whose shape, once known, lowers the mean of the squared doubts about all candidates by
// most, and counts it as known. It returns −1 where none does.
func (d *doubt) choose() int {
	if len(d.bones) == 0 {
		return -1
	}
	gains := make([]float64, d.bones[0].covariance.SymmetricDim())
	parallel.Runs(len(gains), func(lo, hi int) {
		for n := lo; n < hi; n++ {
			for h := range d.bones {
				b, square := &d.bones[h], 0.0
				for i := range gains {
					v := b.covariance.At(i, n)
					square += v * v
				}
				gains[n] += b.variance * square / (b.covariance.At(n, n) + doubtNoise)
			}
		}
	})
	best := floats.MaxIdx(gains)
	if !(gains[best] > 0) {
		return -1
	}
	for h := range d.bones {
		d.bones[h].learn(best)
	}
	return best
}
