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
	metric rig.HelperMotion
	folds  []foldSums
	all    foldSums
}

// mostFolds is the largest number of folds of cross validation.
const mostFolds = 5

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

// add adds an example: its features and its motion.
func (s *foldSums) add(weight float64, x []float64, y *rig.HelperMotion) {
	p := len(x)
	s.weight += weight
	for k, v := range y {
		s.y[k] += weight * v
		s.yy[k] += weight * v * v
	}
	for j, a := range x {
		s.x[j] += weight * a
		floats.AddScaled(s.xx[j*p:(j+1)*p], weight*a, x)
		for k, v := range y {
			s.xy[j][k] += weight * a * v
		}
	}
}

// addAll adds all examples of other sums, times a factor.
func (s *foldSums) addAll(factor float64, o *foldSums) {
	s.weight += factor * o.weight
	floats.AddScaled(s.x, factor, o.x)
	floats.AddScaled(s.xx, factor, o.xx)
	floats.AddScaled(s.y[:], factor, o.y[:])
	floats.AddScaled(s.yy[:], factor, o.yy[:])
	for j := range s.xy {
		floats.AddScaled(s.xy[j][:], factor, o.xy[j][:])
	}
}

// newRegression makes the sums of a bone's features and of its motions in the examples: every fifth example is of one
// fold.
func (c *controlling) newRegression(features []feature, ys []rig.HelperMotion, metric rig.HelperMotion) *regression {
	p := len(features)
	r := &regression{metric: metric, all: newFoldSums(p), folds: make([]foldSums, min(mostFolds, len(ys)))}
	for f := range r.folds {
		r.folds[f] = newFoldSums(p)
	}
	x := make([]float64, p)
	for n := range ys {
		for j := range features {
			x[j] = features[j].values[n]
		}
		r.folds[n%len(r.folds)].add(c.x.Weight(n), x, &ys[n])
	}
	for f := range r.folds {
		r.all.addAll(1, &r.folds[f])
	}
	return r
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
	metric *rig.HelperMotion
	mean   []float64
	spread []float64   // standard deviations, 0 for a variable that is dropped
	b      [][]float64 // [number of a motion][variable], multiplied by the root of the metric
}

// A variable is dropped in a fold if its standard deviation there is below the share leastInFold of that in all
// examples.
const leastInFold = 1e-3

// standardise makes the problem of some examples.
func (r *regression) standardise(s *foldSums) *standard {
	p := len(s.x)
	out := &standard{lasso: lasso{make([]float64, p*p)}, sums: s, metric: &r.metric, mean: make([]float64, p),
		spread: make([]float64, p), b: make([][]float64, len(r.metric))}
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
	for k, m := range r.metric {
		out.b[k] = make([]float64, p)
		for j, a := range out.spread {
			if a > 0 {
				out.b[k][j] = math.Sqrt(m) * (s.xy[j][k] - out.mean[j]*s.y[k]) / s.weight / a
			}
		}
	}
	return out
}

// controller returns the controller of standardised coefficients, [number of a motion][variable].
func (s *standard) controller(theta [][]float64) *controller {
	c := &controller{theta: make([]rig.HelperMotion, len(s.mean))}
	for k, m := range s.metric {
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
func (s *standard) path(end float64, f func(step int, c *controller)) {
	p, most := len(s.mean), 0.0
	theta, gradient := make([][]float64, len(s.b)), make([]float64, p)
	for k := range theta {
		theta[k] = make([]float64, p)
		most = max(most, s.largest(s.b[k]))
	}
	for step := 0; ; step++ {
		share := max(pathShare(step), end)
		for k, m := range s.metric {
			if m > 0 && most > 0 {
				s.descend(s.b[k], most*share, theta[k], gradient)
			}
		}
		f(step, s.controller(theta))
		if share == end {
			return
		}
	}
}

// at returns the Lasso's controller for one λ; 0 is least squares.
func (s *standard) at(share float64) (out *controller) {
	if share == 0 {
		return s.leastSquares()
	}
	s.path(share, func(_ int, c *controller) { out = c })
	return out
}

// ridge is relative to a variable's mean square. It only suppresses singular values below 1e-4, so that the effect of
// collinear variables is divided between them.
const ridge = 1e-8

// leastSquares returns the controller with all terms.
func (s *standard) leastSquares() *controller {
	p := len(s.mean)
	factor := append([]float64(nil), s.gram...)
	for j, a := range s.spread {
		factor[j*p+j] += ridge
		if a == 0 {
			factor[j*p+j] = 1
		}
	}
	linear.Cholesky(factor, p, ridge/4)
	theta := make([][]float64, len(s.b))
	for k := range theta {
		theta[k] = append([]float64(nil), s.b[k]...)
		linear.Solve(factor, p, theta[k])
	}
	return s.controller(theta)
}

// chooseLambda returns the λ of least cross-validated error on the path, and that error.
func (r *regression) chooseLambda() (share, square float64) {
	var errors [pathSteps]float64
	r.eachFold(func(test *foldSums, s *standard) {
		s.path(pathShare(pathSteps-1), func(step int, c *controller) { errors[step] += test.squareError(c, &r.metric) })
	})
	best := floats.MinIdx(errors[:])
	return pathShare(best), errors[best]
}

// errorAt returns the cross-validated error of one λ.
func (r *regression) errorAt(share float64) (sum float64) {
	r.eachFold(func(test *foldSums, s *standard) { sum += test.squareError(s.at(share), &r.metric) })
	return sum
}

// eachFold calls f with every fold and the problem of all other examples. A single example has no other.
func (r *regression) eachFold(f func(test *foldSums, s *standard)) {
	if len(r.folds) < 2 {
		return
	}
	for i := range r.folds {
		others := newFoldSums(len(r.all.x))
		others.addAll(1, &r.all)
		others.addAll(-1, &r.folds[i])
		f(&r.folds[i], r.standardise(&others))
	}
}
