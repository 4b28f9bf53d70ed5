package enveloping

import (
	"math"
	"slices"

	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// forecast is the predictions of every pose of the examples: the key gradients d(q), and the proxies' matrices t(q).
// The held forecast of a pose comes from predictors that were fitted without the pose, so its error is that of new
// poses. Because c₁, c₂ and the final weights are chosen by held forecasts, they stay near trained SSD where prediction
// fails. A hand that is learnt from random poses is then no worse than trained SSD on other poses (row 137).
type forecast struct {
	folds                      [][]int         // the given poses, in parts
	gradients, heldGradients   [][]geom.Mat3   // per pose, per key
	transforms, heldTransforms [][]geom.Affine // per pose, per proxy
}

// mostFolds is the number of parts into which the examples are divided. Each part is predicted from the others (rows
// 142, 143). 5 is usual in cross validation (Hastie, Tibshirani, Friedman 2009, section 7.10).
const mostFolds = 5

// fewPoses is the largest number of different poses at which no pose is held out (rows 30, 31), because each of few
// poses shows something that no other does. With 5 instead of 8, the figure that learns the 6 poses of its jumping
// jacks has an EE of 40.6 % instead of 16.2 % on its walk.
const fewPoses = 8

// A held forecast is a weighted mean of two predictions. The predictor that was fitted without the pose has the weight
// heldShare, and the predictor that was fitted to all poses has the rest (rows 140, 141). The reason is that a
// predictor without a fifth of the examples is worse than the model's, which is fitted to all. Efron's .632 estimator
// mixes the two for the same reason (1983, Estimating the error rate of a prediction rule).
const heldShare = 0.8

// foldsOf divides the given examples into parts, see mostFolds. With few poses it returns nil, see fewPoses.
// Neighbouring poses of a clip go into different parts. Examples of one pose go into the same part, or the pose would
// be predicted from itself. Examples of the rest pose are in no part (row 175), because a model is always given its
// rest pose.
func foldsOf(x *Examples) [][]int {
	given, size := x.Pairs[:x.given()], x.diagonal()
	pose := make([]int, len(given)) // of each example
	var first []int                 // example of each pose
	for i := range given {
		k := slices.IndexFunc(first, func(j int) bool { return samePose(given[i].Matrices, given[j].Matrices, size) })
		if k < 0 {
			k, first = len(first), append(first, i)
		}
		pose[i] = k
	}
	if len(first) <= fewPoses {
		return nil
	}
	out := make([][]int, mostFolds)
	for i, k := range pose {
		if !atRest(given[i].Matrices, size) {
			out[k%mostFolds] = append(out[k%mostFolds], i)
		}
	}
	return out
}

// Two examples have the same pose where their matrices differ by at most poseTolerance, in each entry of a linear part
// and, as a share of the diagonal, of a translation. It exceeds the rounding of a chain of joints in float32, and it is
// too small to see.
const poseTolerance = 1e-5

// samePose reports whether two poses of a model of such a diagonal are one.
func samePose(a, b []geom.Affine, diagonal float64) bool {
	for j := range a {
		if !sameMatrix(&a[j], &b[j], diagonal) {
			return false
		}
	}
	return true
}

// atRest reports whether a pose is the rest pose but for a motion of the whole character: all matrices are the same.
func atRest(a []geom.Affine, diagonal float64) bool {
	for j := range a {
		if !sameMatrix(&a[j], &a[0], diagonal) {
			return false
		}
	}
	return true
}

// sameMatrix reports whether two matrices differ by at most poseTolerance.
func sameMatrix(a, b *geom.Affine, diagonal float64) bool {
	for e, v := range a {
		most := poseTolerance
		if e%4 == 3 {
			most *= diagonal
		}
		if !(math.Abs(v-b[e]) <= most) {
			return false
		}
	}
	return true
}

// forecast predicts every pose.
func (r *run) forecast(red *reduction, l *lesson, keys []rig.GradientKey, c *matrices) *forecast {
	n, given := len(r.y.Pairs), r.y.given()
	f := &forecast{
		folds:     foldsOf(r.y),
		gradients: make([][]geom.Mat3, n), heldGradients: make([][]geom.Mat3, given),
		transforms: make([][]geom.Affine, n), heldTransforms: make([][]geom.Affine, given),
	}
	for i := range n {
		f.gradients[i] = make([]geom.Mat3, len(keys))
		for k := range keys {
			f.gradients[i][k] = keys[k].At(l.parent, &l.live[i])
		}
		if i < given {
			f.heldGradients[i] = slices.Clone(f.gradients[i])
		}
	}
	if r.paper.positions && r.paper.weights {
		f.folds = nil // nothing is decided by them
	}
	parallel.For(r.opt.Workers, len(f.folds)*len(keys), func(_, at int) {
		if r.cancelled() {
			return
		}
		fold, k := f.folds[at/len(keys)], at%len(keys)
		key, _ := l.without(fold).fitKey(red.drivers[k][:1], red.gradients[k])
		for _, i := range fold {
			held, fitted := key.At(l.parent, &l.live[i]), &f.gradients[i][k]
			for e := range held {
				held[e] += (1 - heldShare) * (fitted[e] - held[e])
			}
			f.heldGradients[i][k] = held
		}
	})
	parallel.For(r.opt.Workers, n, func(_, i int) {
		f.transforms[i] = c.transformsOf(f.gradients[i], r.y.Pairs[i].Matrices)
		if i < given {
			f.heldTransforms[i] = c.transformsOf(f.heldGradients[i], r.y.Pairs[i].Matrices)
		}
	})
	return f
}

// transformsOf returns t = c₁·d + c₂·q.
func (m *matrices) transformsOf(d []geom.Mat3, q []geom.Affine) []geom.Affine {
	out := make([]geom.Affine, m.proxies)
	wide, tall := 3*m.proxies, 4*m.joints
	for b := range out {
		for k := range 4 {
			row := 4*b + k
			c1, c2 := m.c1[row*wide:(row+1)*wide], m.c2[row*tall:(row+1)*tall]
			var x, y, z float64
			for l := range d {
				g, v := &d[l], c1[3*l:3*l+3]
				x += v[0]*g[0] + v[1]*g[1] + v[2]*g[2]
				y += v[0]*g[3] + v[1]*g[4] + v[2]*g[5]
				z += v[0]*g[6] + v[1]*g[7] + v[2]*g[8]
			}
			for j := range q {
				g, v := &q[j], c2[4*j:4*j+4]
				x += v[0]*g[0] + v[1]*g[1] + v[2]*g[2] + v[3]*g[3]
				y += v[0]*g[4] + v[1]*g[5] + v[2]*g[6] + v[3]*g[7]
				z += v[0]*g[8] + v[1]*g[9] + v[2]*g[10] + v[3]*g[11]
			}
			out[b][k], out[b][4+k], out[b][8+k] = x, y, z
		}
	}
	return out
}

// at returns the matrices of the joints in a pose with the forecast ones of the proxies behind them. Held is the same
// with held forecasts; prior poses have none, so that both are equal there.
func (f *forecast) at(x *Examples, i int) (all, held []geom.Affine) {
	all = slices.Concat(x.Pairs[i].Matrices, f.transforms[i])
	if i >= x.given() {
		return all, all
	}
	return all, slices.Concat(x.Pairs[i].Matrices, f.heldTransforms[i])
}

// both returns what at does for every pose.
func (f *forecast) both(x *Examples) (all, held [][]geom.Affine) {
	for i := range x.Pairs {
		a, h := f.at(x, i)
		all, held = append(all, a), append(held, h)
	}
	return all, held
}
