package enveloping

import (
	"math"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"

	"github.com/go-gl/mathgl/mgl64"
)

// c₁ (4P×3P) and c₂ (4P×4J) are stored row by row: t = c₁·d + c₂·q for each of x, y and z (equation 6). The three
// coordinates share them, since weights and rest positions are scalars to them: a coordinate of t holds that row of
// every proxy's matrix (four numbers), of d that row of every key gradient (three), and of q that row of every joint's
// matrix (four).

// term is one entry of a sparse row.
type term struct {
	at    int
	value float64
}

// fitKeys makes the predictors of the key gradients, and what they predict in every pair.
func (s *solution) fitKeys(cancelled func() bool) {
	poses := posesOf(s.x)
	envelope := &s.model.Rig
	envelope.Middle, envelope.Keys = poses.middle, make([]rig.GradientKey, s.proxies())
	for b := range s.proxies() {
		envelope.Proxies = append(envelope.Proxies, s.joints()+b)
	}
	parallel.For(s.workers, s.proxies(), func(_, l int) {
		if !cancelled() {
			envelope.Keys[l], s.drivers[l] = poses.fitKey(s.recipe, s.drivers[l], s.gradients[l])
			if s.base[l] < 0 {
				s.base[l] = s.drivers[l][0]
			}
		}
	})
	if cancelled() {
		return
	}
	s.predicted = make([][]geom.Mat3, len(s.x.Targets))
	for i := range s.predicted {
		for l := range envelope.Keys {
			s.predicted[i] = append(s.predicted[i], envelope.Keys[l].At(s.x.Parents, &poses.live[i]))
		}
	}
}

// followBase makes each proxy move as the joint that binds its group most: where the regression of c₁ and c₂ starts.
func followBase(s *solution) error {
	p, j := s.proxies(), s.joints()
	s.model.Rig.C1, s.model.Rig.C2 = make([]float64, 12*p*p), make([]float64, 16*p*j)
	for b := range p {
		for k := range 4 {
			s.model.Rig.C2[(4*b+k)*4*j+4*s.base[b]+k] = 1
		}
	}
	return nil
}

// drive computes the proxies' matrices in every pair by c₁ and c₂.
func (s *solution) drive() {
	parallel.For(s.workers, len(s.x.Targets), func(_, i int) {
		q := s.x.Palettes[i]
		for b := range s.proxies() {
			t := &s.palettes[i][s.joints()+b]
			for k := range 4 {
				c1, c2 := s.row(4*b + k)
				for axis := range 3 {
					sum := 0.0
					for l := range s.predicted[i] {
						d := s.predicted[i][l][3*axis : 3*axis+3]
						sum += c1[3*l]*d[0] + c1[3*l+1]*d[1] + c1[3*l+2]*d[2]
					}
					for j := range q {
						m := q[j][4*axis : 4*axis+4]
						sum += c2[4*j]*m[0] + c2[4*j+1]*m[1] + c2[4*j+2]*m[2] + c2[4*j+3]*m[3]
					}
					t[4*axis+k] = sum
				}
			}
		}
	})
}

// row returns a row of c₁ and of c₂.
func (s *solution) row(n int) (c1, c2 []float64) {
	wide, tall := 3*s.proxies(), 4*s.joints()
	return s.model.Rig.C1[n*wide : (n+1)*wide], s.model.Rig.C2[n*tall : (n+1)*tall]
}

// fitMatrices fits c₁ and c₂ to the positions of the examples. In each pair, each proxy's matrix is changed so that its
// vertices come nearest to their targets. Ridge regression then predicts these changes from features that are linear in
// d and q, so that t = c₁·d + c₂·q keeps its form.
func (s *solution) fitMatrices() {
	places := s.places()
	changes := s.changes(places)
	parallel.For(s.workers, s.proxies(), func(_, b int) {
		features := featuresOf(b, s.base[b], s.drivers[b], places[b].center)
		coefficients := s.regress(features, changes[b])
		for n, by := range coefficients {
			var row geom.Affine
			places[b].add(&row, 0, by)
			for k := range 4 {
				c1, c2 := s.row(4*b + k)
				for _, t := range features[n].d {
					c1[t.at] += row[k] * t.value
				}
				for _, t := range features[n].q {
					c2[t.at] += row[k] * t.value
				}
			}
		}
	})
	s.drive()
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

// mostDrivers bounds how many joints a change may depend on, those that predict the key gradient best.
const mostDrivers = 4

// featuresOf lists what the changes of proxy b may depend on: the linear part of its base; the key gradient minus
// that part; and, for each driver joint, its linear part and the place to which it takes the proxy's center, both
// minus those of the base. A translation of the whole character does not change the features, and a rotation rotates
// them, as it rotates t.
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
		var place []term
		for e := range 3 {
			out = append(out, feature{q: []term{{4*j + e, 1}, {4*base + e, -1}}})
			place = append(place, term{4*j + e, center[e]}, term{4*base + e, -center[e]})
		}
		out = append(out, feature{q: append(place, term{4*j + 3, 1}, term{4*base + 3, -1})})
	}
	return out
}

// regress returns the coefficients that predict the changes of a proxy from features, by ridge regression. The ridge is
// multiplied by the number of examples, in units in which a rotation by one radian has square 1.
func (s *solution) regress(features []feature, changes [][3]change) []change {
	m, n := len(features), 3*len(s.x.Targets)
	values := make([]float64, m*n) // by coordinate of a pair and feature
	for k := range n {
		for f := range features {
			values[k*m+f] = features[f].at(s.predicted[k/3], s.x.Palettes[k/3], k%3)
		}
	}
	s.scalePlaces(features, values)
	a, right := make([]float64, m*m), make([][4]float64, m)
	for k := range n {
		row, to := values[k*m:(k+1)*m], &changes[k/3][k%3]
		for r, v := range row {
			v *= s.x.Weight(k / 3)
			for c, u := range row[:r+1] {
				a[r*m+c] += v * u
			}
			for e := range to {
				right[r][e] += v * to[e]
			}
		}
	}
	ridge := s.recipe.Ridge * float64(s.x.Given())
	for r := range m {
		a[r*m+r] += ridge
	}
	linear.Cholesky(a, m, 1e-3*ridge) // rounding can make a pivot smaller than the ridge
	out, column := make([]change, m), make([]float64, m)
	for e := range len(change{}) {
		for r := range column {
			column[r] = right[r][e]
		}
		linear.Solve(a, m, column)
		for r, v := range column {
			out[r][e] = v
		}
	}
	return out
}

// scalePlaces scales a feature that is a place to the mean square of the rotation features of the same joint, so that
// one ridge serves both. The arm between a joint and the proxy is taken to be no shorter than the least radius, because
// a joint at the proxy's center moves it by rounding errors only.
func (s *solution) scalePlaces(features []feature, values []float64) {
	m, least := len(features), leastRadius*s.x.Diagonal()
	for f := firstDriver; f < m; f += 4 {
		turn, way := 0.0, 0.0
		for k := 0; k*m < len(values); k++ {
			v, w := values[k*m+f:k*m+f+4], s.x.Weight(k/3)
			turn += w * (v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) / 3
			way += w * v[3] * v[3]
		}
		scale := 0.0
		if way > 0 {
			scale = math.Sqrt(turn / math.Max(way, turn*least*least))
		}
		for t := range features[f+3].q {
			features[f+3].q[t].value *= scale
		}
		for k := 0; k*m < len(values); k++ {
			values[k*m+f+3] *= scale
		}
	}
}
