package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// The Poisson solve integrates predicted gradients. On a coarse mesh their errors add up along the surface to more than
// the error of trained SSD. But positions are the aim, and the examples give them. So c₁ and c₂ are corrected. In each
// example, each proxy's matrix is changed so that its vertices come nearest to their targets. Ridge regression then
// predicts these changes from the inputs of the proxy. The prediction is linear in d and q, so that t = c₁·d + c₂·q
// keeps its form.

// leastReach bounds from below the radius of a proxy and the arm by which a joint moves it, as a fraction of the
// diagonal (rows 44, 45). It keeps rounding from being scaled up.
const leastReach = 1e-3

// place says where a proxy's vertices are at rest.
type place struct {
	center mgl64.Vec3
	radius float64
}

// placesOf finds the places of the proxies, which are numbered behind the joints. Least is the smallest radius, metres.
func placesOf(rest []mgl64.Vec3, weights [][]skinning.Share, joints, proxies int, least float64) []place {
	out, total := make([]place, proxies), make([]float64, proxies)
	each := func(f func(b int, w float64, p mgl64.Vec3)) {
		for v, shares := range weights {
			for _, s := range shares {
				if b := int(s.Joint) - joints; b >= 0 {
					f(b, s.Weight, rest[v])
				}
			}
		}
	}
	each(func(b int, w float64, p mgl64.Vec3) {
		out[b].center = out[b].center.Add(p.Mul(w))
		total[b] += w
	})
	for b := range out {
		if total[b] > 0 {
			out[b].center = out[b].center.Mul(1 / total[b])
		}
	}
	each(func(b int, w float64, p mgl64.Vec3) {
		d := p.Sub(out[b].center)
		out[b].radius += w * d.Dot(d) / total[b]
	})
	for b := range out {
		out[b].radius = math.Max(math.Sqrt(out[b].radius), least)
	}
	return out
}

// change is a change of one coordinate (a row) of a proxy's matrix in metres: three numbers for the linear part, times
// the radius, and one for the position of the center.
type change [4]float64

// towards returns c + way·(to − c).
func (c change) towards(to change, way float64) change {
	for e := range c {
		c[e] += way * (to[e] - c[e])
	}
	return c
}

// between returns the change of a coordinate from one matrix to another.
func (p *place) between(from, to *geom.Affine, coordinate int) (c change) {
	for e := range c {
		c[e] = to[4*coordinate+e] - from[4*coordinate+e]
	}
	for e, at := range p.center {
		c[3] += c[e] * at
		c[e] *= p.radius
	}
	return c
}

// sees returns how far a unit of each number of a change moves a vertex that follows the proxy with this weight.
func (p *place) sees(vertex mgl64.Vec3, weight float64) change {
	d := vertex.Sub(p.center).Mul(weight / p.radius)
	return change{d[0], d[1], d[2], weight}
}

// add changes a coordinate of a matrix.
func (p *place) add(t *geom.Affine, coordinate int, by change) {
	row := t[4*coordinate : 4*coordinate+4]
	row[3] += by[3]
	for e, at := range p.center {
		row[e] += by[e] / p.radius
		row[3] -= by[e] / p.radius * at
	}
}

// wantedRidge is the ridge in the least squares of [wanted]. It keeps a proxy unchanged in directions that its vertices
// do not determine. It is a share of the mean of the matrix's diagonal (rows 39 to 41).
const wantedRidge = 0.05

// wanted returns per proxy and pose the changes of its three coordinates that, together with those of all other
// proxies, bring the vertices nearest to their targets.
func wanted(x *Examples, at []place, weights [][]skinning.Share, palettes [][]geom.Affine) [][][3]change {
	p, n, joints := len(at), len(x.Pairs), len(x.Parent)
	a, right := mat.NewSymDense(4*p, nil), mat.NewDense(4*p, 3*n, nil)
	raw := a.RawSymmetric()
	var row []term
	left := make([]float64, 3*n)
	for v, shares := range weights {
		row = row[:0]
		for _, s := range shares {
			if b := int(s.Joint) - joints; b >= 0 {
				for k, by := range at[b].sees(x.Rest[v], s.Weight) {
					row = append(row, term{4*b + k, by})
				}
			}
		}
		if len(row) == 0 {
			continue
		}
		for i := range x.Pairs {
			e := x.Pairs[i].Target[v].Sub(blend(palettes[i], shares, x.Rest[v]))
			left[3*i], left[3*i+1], left[3*i+2] = e[0], e[1], e[2]
		}
		for _, s := range row {
			for _, t := range row {
				if t.at >= s.at {
					raw.Data[s.at*raw.Stride+t.at] += s.value * t.value
				}
			}
			out := right.RawRowView(s.at)
			for k, e := range left {
				out[k] += s.value * e
			}
		}
	}
	for b := range at {
		mean := 0.0
		for k := range 4 {
			mean += a.At(4*b+k, 4*b+k) / 4
		}
		for k := range 4 {
			a.SetSym(4*b+k, 4*b+k, a.At(4*b+k, 4*b+k)+wantedRidge*mean+1e-9) // 1e-9: proxies that no vertex chose
		}
	}
	out := make([][][3]change, p)
	for b := range out {
		out[b] = make([][3]change, n)
	}
	var factor mat.Cholesky
	var t mat.Dense
	if !factor.Factorize(a) || factor.SolveTo(&t, right) != nil {
		return out // nothing is wanted
	}
	for b := range out {
		for k := range 4 {
			for col, v := range t.RawRowView(4*b + k) {
				out[b][col/3][col%3][k] = v
			}
		}
	}
	return out
}

// feature is a linear function of d and q, which has one value for each coordinate of a pose.
type feature struct{ d, q []term }

func (f *feature) at(d []geom.Mat3, q []geom.Affine, coordinate int) (sum float64) {
	for _, t := range f.d {
		sum += t.value * d[t.at/3][3*coordinate+t.at%3]
	}
	for _, t := range f.q {
		sum += t.value * q[t.at/4][4*coordinate+t.at%4]
	}
	return sum
}

// firstDriver is where the drivers' features begin, four for each.
const firstDriver = 6

// mostDrivers bounds how many joints a change may depend on, those that predict the key gradient best (rows 42, 43).
const mostDrivers = 8

// featuresOf lists what the changes of proxy b may depend on. The base is the joint that binds the proxy most. The
// features are the linear part of the base; the key gradient minus that part; and, for each driver joint, its linear
// part and the place to which it takes the proxy's center, both minus those of the base. A translation of the whole
// character does not change the features, and a rotation rotates them, as it rotates t.
func featuresOf(b, base int, drivers []int, center mgl64.Vec3) []feature {
	var out []feature
	for e := range 3 {
		out = append(out, feature{q: []term{{4*base + e, 1}}})
	}
	for e := range 3 {
		out = append(out, feature{[]term{{3*b + e, 1}}, []term{{4*base + e, -1}}})
	}
	for _, j := range drivers[:min(mostDrivers, len(drivers))] {
		if j == base {
			continue
		}
		var way []term
		for e := range 3 {
			out = append(out, feature{q: []term{{4*j + e, 1}, {4*base + e, -1}}})
			way = append(way, term{4*j + e, center[e]}, term{4*base + e, -center[e]})
		}
		out = append(out, feature{q: append(way, term{4*j + 3, 1}, term{4*base + 3, -1})})
	}
	return out
}

// adjustRidges are the ridges to choose from, each multiplied by the number of examples, in units in which a rotation
// by one radian has square 1. Below the first, coefficients grow so large that c₁·d + c₂·q loses digits in float32. The
// ridge with the smallest error on held-out poses is taken (rows 37, 38, 154). With a single ridge, a hand that is
// learnt from random poses is worse on other poses than trained SSD. With three, so is the figure that learns a twist,
// on its walk (TestPriorTurns).
var adjustRidges = [...]float64{1e-4, 1e-3, 1e-2, 1e-1, 1}

// adjust fits c₁ and c₂ to the positions of the examples, and changes the forecast accordingly. The ridge of each proxy
// is chosen on held-out poses.
func (r *run) adjust(red *reduction, c *matrices, weights [][]skinning.Share, f *forecast) {
	x := r.y
	least := leastReach * r.diagonal
	at := placesOf(x.Rest, weights, c.joints, c.proxies, least)
	all, _ := f.both(x)
	want := wanted(x, at, weights, all)
	parallel.For(r.opt.Workers, c.proxies, func(_, b int) {
		if r.cancelled() {
			return
		}
		base := red.base[b]
		if base < 0 {
			base = red.drivers[b][0]
		}
		features := featuresOf(b, base, red.drivers[b], at[b].center)
		a := newAdjustment(x, f, features, least)
		for i, to := range want[b] {
			for k := range 3 {
				a.samples[3*i+k].want = to[k]
				if i < x.given() {
					target := f.transforms[i][b]
					at[b].add(&target, k, to[k])
					a.held[3*i+k].want = at[b].between(&f.heldTransforms[i][b], &target, k)
				}
			}
		}
		if !a.solve(f.folds, x.given()) {
			return
		}
		for s := range a.samples {
			at[b].add(&f.transforms[s/3][b], s%3, a.samples[s].times(a.coefficients))
		}
		for s := range a.held {
			at[b].add(&f.heldTransforms[s/3][b], s%3, a.predicted[s])
		}
		wide, tall := 3*c.proxies, 4*c.joints
		for n := range features {
			var by geom.Affine
			at[b].add(&by, 0, a.coefficients[n])
			for k := range 4 {
				for _, t := range features[n].d {
					c.c1[(4*b+k)*wide+t.at] += by[k] * t.value
				}
				for _, t := range features[n].q {
					c.c2[(4*b+k)*tall+t.at] += by[k] * t.value
				}
			}
		}
	})
}

// sample is a coordinate of a pose.
type sample struct {
	features []float64
	want     change
	weight   float64
}

func (s *sample) times(coefficients []change) (out change) {
	for n, v := range s.features {
		for e := range out {
			out[e] += v * coefficients[n][e]
		}
	}
	return out
}

// less returns the difference of two samples.
func (s *sample) less(o *sample) sample {
	d := *s
	d.features = slices.Clone(s.features)
	floats.Sub(d.features, o.features)
	floats.Sub(d.want[:], o.want[:])
	return d
}

// adjustment is ridge regression of a proxy's changes.
type adjustment struct {
	samples, held []sample // of all poses; of the given ones, by predictors that have not seen them
	coefficients  []change
	predicted     []change   // per held sample
	turns         priorTurns // poses of small rotations
}

// newAdjustment evaluates the features in all poses. A feature that is a position is scaled to the mean square of the
// rotation features of the same joint, so that one ridge serves both. The arm between a joint and the proxy is taken to
// be no shorter than least metres, because a joint at the proxy's center moves it by rounding errors only.
func newAdjustment(x *Examples, f *forecast, features []feature, least float64) *adjustment {
	a := &adjustment{samples: make([]sample, 3*len(x.Pairs)), held: make([]sample, 3*x.given()), turns: x.turns}
	omega := x.weights()
	m := len(features)
	memory := make([]float64, m*(len(a.samples)+len(a.held)))
	fill := func(s *sample, i, k int, gradients []geom.Mat3) {
		s.weight, s.features, memory = omega[i], memory[:m:m], memory[m:]
		for n := range features {
			s.features[n] = features[n].at(gradients, x.Pairs[i].Matrices, k)
		}
	}
	for s := range a.samples {
		i, k := s/3, s%3
		fill(&a.samples[s], i, k, f.gradients[i])
		if i < x.given() {
			fill(&a.held[s], i, k, f.heldGradients[i])
		}
	}
	for n := firstDriver; n < m; n += 4 {
		turn, way := 0.0, 0.0
		for s := range a.samples {
			v, w := a.samples[s].features[n:n+4], a.samples[s].weight
			turn += w * (v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) / 3
			way += w * v[3] * v[3]
		}
		scale := 0.0
		if way > 0 {
			scale = math.Sqrt(turn / math.Max(way, turn*least*least))
		}
		for t := range features[n+3].q {
			features[n+3].q[t].value *= scale
		}
		for _, all := range [...][]sample{a.samples, a.held} {
			for s := range all {
				all[s].features[n+3] *= scale
			}
		}
	}
	return a
}

// normal returns the normal equations of all samples.
func (a *adjustment) normal() *normal {
	all := newNormal(len(a.samples[0].features))
	for s := range a.samples {
		if !a.turns.has(s / 3) {
			all.add(&a.samples[s], 1)
			continue
		}
		d := a.samples[s].less(&a.samples[3*a.turns.rest+s%3])
		d.weight = a.turns.weight()
		all.add(&d, 1)
	}
	return all
}

// solve finds the coefficients, and reports whether they predict held-out poses better than no change would. Where no
// pose is held out (see foldsOf), it takes the lightest ridge and always reports true.
func (a *adjustment) solve(folds [][]int, given int) bool {
	all := a.normal()
	parts := make([]*normal, len(folds))
	for n, fold := range folds {
		parts[n] = all.clone()
		for _, i := range fold {
			for k := range 3 {
				parts[n].add(&a.samples[3*i+k], -1)
			}
		}
	}
	least := 0.0
	for s := range a.held {
		for _, v := range a.held[s].want {
			least += v * v
		}
	}
	found := false
	now := make([]change, len(a.held))
	a.predicted = make([]change, len(a.held))
	for _, ridge := range adjustRidges {
		missed, whole := 0.0, all.solve(ridge*float64(given))
		for n, fold := range folds {
			coefficients := parts[n].solve(ridge * float64(given-len(fold)))
			for c := range coefficients {
				coefficients[c] = coefficients[c].towards(whole[c], 1-heldShare)
			}
			for _, i := range fold {
				for k := range 3 {
					s := &a.held[3*i+k]
					now[3*i+k] = s.times(coefficients)
					for e, v := range now[3*i+k] {
						missed += (v - s.want[e]) * (v - s.want[e])
					}
				}
			}
		}
		if missed < least {
			found, least = true, missed
			a.coefficients = whole
			a.predicted, now = now, a.predicted
		}
	}
	if !found {
		return false
	}
	if len(folds) == 0 {
		for s := range a.held {
			a.predicted[s] = a.held[s].times(a.coefficients)
		}
	}
	return true
}

// normal is the normal equations of a regression on m features, row by row, their lower half.
type normal struct {
	a     []float64
	right []change
}

func newNormal(m int) *normal { return &normal{make([]float64, m*m), make([]change, m)} }

func (n *normal) clone() *normal {
	return &normal{append([]float64(nil), n.a...), append([]change(nil), n.right...)}
}

// add adds a sample with a factor.
func (n *normal) add(s *sample, times float64) {
	m := len(n.right)
	for r, v := range s.features {
		v *= times * s.weight
		row := n.a[r*m : r*m+r+1]
		for c, u := range s.features[:r+1] {
			row[c] += v * u
		}
		for e, w := range s.want {
			n.right[r][e] += v * w
		}
	}
}

// solve returns the coefficients with a ridge, which makes the matrix definite.
func (n *normal) solve(ridge float64) []change {
	m := len(n.right)
	l, x := append([]float64(nil), n.a...), make([]change, m)
	for i := range m {
		l[i*m+i] += ridge
	}
	linear.Cholesky(l, m, 1e-3*ridge) // rounding can make a pivot smaller than the ridge
	column := make([]float64, m)
	for e := range len(change{}) {
		for i := range column {
			column[i] = n.right[i][e]
		}
		linear.Solve(l, m, column)
		for i, v := range column {
			x[i][e] = v
		}
	}
	return x
}
