package helperbones

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/rig"
)

// regression is equation (11) of one helper bone with one parent, in sums over the examples of each fold. The error of
// each number of the motion is multiplied by a metric, the motion of the skin that the number causes. So translations,
// rotations and scale are compared in metres, and one λ serves all.
type regression struct {
	penalty []float64 // one per feature
	folds   []foldSums
	all     foldSums
}

// foldSums are sums over some examples: of their weights, features x and motions y.
type foldSums struct {
	weight float64
	x      []float64 // p
	xx     []float64 // p×p
	y, yy  rig.HelperMotion
	xy     []rig.HelperMotion // p
}

func newFoldSums(p int) foldSums {
	return foldSums{x: make([]float64, p), xx: make([]float64, p*p), xy: make([]rig.HelperMotion, p)}
}

// addFeatures adds an example's features.
func (s *foldSums) addFeatures(weight float64, x []float64) {
	p := len(x)
	s.weight += weight
	for j, a := range x {
		s.x[j] += weight * a
		row := s.xx[j*p : (j+1)*p]
		for k, b := range x {
			row[k] += weight * a * b
		}
	}
}

// addMotion adds an example's motion.
func (s *foldSums) addMotion(weight float64, x []float64, y *rig.HelperMotion) {
	for k, v := range y {
		s.y[k] += weight * v
		s.yy[k] += weight * v * v
	}
	for j, a := range x {
		for k, v := range y {
			s.xy[j][k] += weight * a * v
		}
	}
}

// withoutMotions returns a copy that shares the sums of features.
func (r *regression) withoutMotions() *regression {
	bare := func(s *foldSums) foldSums {
		return foldSums{weight: s.weight, x: s.x, xx: s.xx, xy: make([]rig.HelperMotion, len(s.x))}
	}
	out := &regression{penalty: r.penalty, all: bare(&r.all)}
	for f := range r.folds {
		out.folds = append(out.folds, bare(&r.folds[f]))
	}
	return out
}

// without returns the sums over the examples of s that are not in o.
func (s *foldSums) without(o *foldSums) *foldSums {
	out := newFoldSums(len(s.x))
	out.weight = s.weight - o.weight
	for j := range out.x {
		out.x[j] = s.x[j] - o.x[j]
		for k := range out.y {
			out.xy[j][k] = s.xy[j][k] - o.xy[j][k]
		}
	}
	for j := range out.xx {
		out.xx[j] = s.xx[j] - o.xx[j]
	}
	for k := range out.y {
		out.y[k], out.yy[k] = s.y[k]-o.y[k], s.yy[k]-o.yy[k]
	}
	return &out
}

// squareError returns Σ metric·(y − F·x)² over the examples of s.
func (s *foldSums) squareError(c *controller, metric *rig.HelperMotion) (sum float64) {
	p := len(s.x)
	for k, m := range metric {
		if m == 0 {
			continue
		}
		at := c.constant[k]
		e := s.yy[k] - 2*at*s.y[k] + at*at*s.weight
		for j := range c.theta {
			t := c.theta[j][k]
			if t == 0 {
				continue
			}
			e += 2 * t * (at*s.x[j] - s.xy[j][k])
			for i, g := range s.xx[j*p : (j+1)*p] {
				e += t * g * c.theta[i][k]
			}
		}
		sum += m * max(e, 0)
	}
	return sum
}

// standard has the sums in standardised variables. These have mean 0 and mean square 1, or are 0 if the variable is
// dropped.
type standard struct {
	lasso
	sums   *foldSums
	mean   []float64
	spread []float64   // standard deviations, 0 for a variable that is dropped
	b      [][]float64 // [number of a motion][variable], multiplied by the root of the metric
}

// A variable is dropped in a fold if its standard deviation there is below the share leastInFold of that in all
// examples.
const leastInFold = 1e-3

// standardise makes the problem of some examples.
func (r *regression) standardise(s *foldSums, metric *rig.HelperMotion) *standard {
	p := len(s.x)
	out := &standard{lasso: lasso{make([]float64, p*p), r.penalty}, sums: s, mean: make([]float64, p),
		spread: make([]float64, p), b: make([][]float64, len(metric))}
	for j := range out.mean {
		out.mean[j] = s.x[j] / s.weight
		mean := r.all.x[j] / r.all.weight
		least := leastInFold * leastInFold * (r.all.xx[j*p+j]/r.all.weight - mean*mean)
		if v := s.xx[j*p+j]/s.weight - out.mean[j]*out.mean[j]; v > least {
			out.spread[j] = math.Sqrt(v)
		}
	}
	for j, a := range out.spread {
		for i, b := range out.spread {
			if a > 0 && b > 0 {
				out.gram[j*p+i] = (s.xx[j*p+i]/s.weight - out.mean[j]*out.mean[i]) / (a * b)
			}
		}
	}
	for k, m := range metric {
		out.b[k] = make([]float64, p)
		for j, a := range out.spread {
			if a > 0 {
				out.b[k][j] = math.Sqrt(m) * (s.xy[j][k] - out.mean[j]*s.y[k]) / s.weight / a
			}
		}
	}
	return out
}

// largest returns the least λ at which all coefficients of the motion are 0.
func (s *standard) largest() (most float64) {
	for _, b := range s.b {
		most = max(most, s.lasso.largest(b))
	}
	return most
}

// controller returns the controller of standardised coefficients, [number of a motion][variable].
func (s *standard) controller(theta [][]float64, metric *rig.HelperMotion) *controller {
	c := &controller{theta: make([]rig.HelperMotion, len(s.mean))}
	for k, m := range metric {
		if m == 0 {
			continue
		}
		c.constant[k] = s.sums.y[k] / s.sums.weight
		for j, a := range s.spread {
			if a > 0 {
				c.theta[j][k] = theta[k][j] / (a * math.Sqrt(m))
				c.constant[k] -= c.theta[j][k] * s.mean[j]
			}
		}
	}
	return c
}

// The path of λ, as shares of the least λ at which all coefficients are 0.
const (
	pathSteps = 20
	pathEnd   = 1e-3
)

func pathShare(step int) float64 { return math.Pow(pathEnd, float64(step)/(pathSteps-1)) }

// path calls f with the controller of each λ of the path that is above end, from large to small, and of end.
func (s *standard) path(metric *rig.HelperMotion, end float64, f func(step int, c *controller)) {
	p := len(s.mean)
	theta, gradient := make([][]float64, len(metric)), make([]float64, p)
	for k := range theta {
		theta[k] = make([]float64, p)
	}
	most := s.largest()
	for step := 0; ; step++ {
		share := max(pathShare(step), end)
		for k, m := range metric {
			if m > 0 && most > 0 {
				s.descend(s.b[k], most*share, theta[k], gradient)
			}
		}
		f(step, s.controller(theta, metric))
		if share == end {
			return
		}
	}
}

// at returns the Lasso's controller for one λ; 0 is least squares.
func (s *standard) at(metric *rig.HelperMotion, share float64) (out *controller) {
	if share == 0 {
		return s.leastSquares(metric, ridges[0], nil)
	}
	s.path(metric, share, func(_ int, c *controller) { out = c })
	return out
}

// leastSquares returns the controller by ridge regression. If support is not nil, coefficients that are 0 in it stay 0.
func (s *standard) leastSquares(metric *rig.HelperMotion, ridge float64, support *controller) *controller {
	p := len(s.mean)
	theta, factor := make([][]float64, len(metric)), make([]float64, p*p)
	factored := false
	for k, m := range metric {
		theta[k] = append([]float64(nil), s.b[k]...)
		if m == 0 {
			continue
		}
		out := func(j int) bool { return s.spread[j] == 0 || support != nil && support.theta[j][k] == 0 }
		if !factored || support != nil {
			copy(factor, s.gram)
			for j := range p {
				factor[j*p+j] += ridge * s.penalty[j] * s.penalty[j]
				if out(j) {
					for i := range p {
						factor[j*p+i], factor[i*p+j] = 0, 0
					}
					factor[j*p+j] = 1
				}
			}
			linear.Cholesky(factor, p, ridges[0]/4)
			factored = true
		}
		for j := range p {
			if out(j) {
				theta[k][j] = 0
			}
		}
		linear.Solve(factor, p, theta[k])
	}
	return s.controller(theta, metric)
}

// ridges are the ridges that cross validation chooses from (row 262), relative to a variable's mean square. The first
// only suppresses singular values below 1e-4, so that the effect of collinear variables is divided between them.
var ridges = [...]float64{1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}

// chooseRidge returns the ridge of least cross-validated error, and that error. Where support is not nil, coefficients
// that it has at 0 stay 0.
func (r *regression) chooseRidge(metric *rig.HelperMotion, support *controller) (ridge, least float64) {
	var errors [len(ridges)]float64
	r.eachFold(metric, func(test *foldSums, s *standard) {
		for i, ridge := range ridges {
			errors[i] += test.squareError(s.leastSquares(metric, ridge, support), metric)
		}
	})
	best := floats.MinIdx(errors[:])
	return ridges[best], errors[best]
}

// Least squares with all terms is chosen instead of the Lasso only if its cross-validated error is below the share
// allBetter of the Lasso's. That is so if examples follow polynomials exactly, where every term that the Lasso leaves
// out is an error. With a half instead, one of the arm's eight bones got all terms of a shoulder that few examples
// turn, and the error of two unseen poses rose from 2 to 4.3 mm (rows 259 to 261).
const allBetter = 0.01

// chooseLambda returns the λ of least cross-validated error on the path or 0, and that error.
func (r *regression) chooseLambda(metric *rig.HelperMotion) (share, square float64) {
	var errors [pathSteps]float64
	r.eachFold(metric, func(test *foldSums, s *standard) {
		s.path(metric, pathShare(pathSteps-1), func(step int, c *controller) {
			errors[step] += test.squareError(c, metric)
		})
	})
	best := floats.MinIdx(errors[:])
	if _, all := r.chooseRidge(metric, nil); all < allBetter*errors[best] {
		return 0, all
	}
	return pathShare(best), errors[best]
}

// errorAt returns the cross-validated error of one λ.
func (r *regression) errorAt(metric *rig.HelperMotion, share float64) (sum float64) {
	if share == 0 {
		_, sum = r.chooseRidge(metric, nil)
		return sum
	}
	r.eachFold(metric, func(test *foldSums, s *standard) { sum += test.squareError(s.at(metric, share), metric) })
	return sum
}

// eachFold calls f with every fold and the problem of all other examples. A single example has no other.
func (r *regression) eachFold(metric *rig.HelperMotion, f func(test *foldSums, s *standard)) {
	if len(r.folds) < 2 {
		return
	}
	for i := range r.folds {
		f(&r.folds[i], r.standardise(r.all.without(&r.folds[i]), metric))
	}
}
