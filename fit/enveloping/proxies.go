package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// solution is a model in the making: how vertices and triangles depend on a few proxy bones (RTER section 5), and how
// these follow the joints.
type solution struct {
	x       *training.Examples // with priors
	recipe  *Recipe
	trained *SSD
	workers int

	fixed     []bool             // per vertex: in F, posed by its trained weights
	group     []int32            // per triangle: its group, that of a proxy and of a key; −1 for triangles of fixed vertices alone
	reach     [][]int            // per vertex: the proxies that it may depend on
	drivers   [][]int            // per key: the joints that it may be predicted from, the best one first once keys are fitted
	base      []int              // per key: the joint that binds its group most
	gradients [][]geom.Mat3      // D_ℓ^i: per key and pair
	palettes  [][]geom.Affine    // per pair: the joints and, behind them, the proxies T_b^i
	predicted [][]geom.Mat3      // d(q): per pair and key
	blend     [][]skinning.Share // β: per triangle, key gradients; nil where they are not fitted together
	model     Model              // its rig is complete once [Recipe.Matrices] is done
}

// newSolution starts from groups of triangles and their transformations.
func newSolution(x *training.Examples, recipe *Recipe, trained *SSD, fixed []bool, group []int32,
	transforms [][]geom.Affine, workers int) *solution {
	s := &solution{x: x, recipe: recipe, trained: trained, workers: workers, fixed: fixed, group: group}
	s.model = *newModel(x, trained.Weights)
	s.gradients = make([][]geom.Mat3, len(transforms))
	for i := range x.Targets {
		s.palettes = append(s.palettes, slices.Clone(x.Palettes[i]))
		for b := range transforms {
			s.palettes[i] = append(s.palettes[i], transforms[b][i])
			s.gradients[b] = append(s.gradients[b], transforms[b][i].Linear())
		}
	}
	s.findReach()
	s.drivers, s.base = recipe.Drivers(x, group, len(transforms))
	return s
}

// joints and proxies return J and P.
func (s *solution) joints() int  { return len(s.x.Parents) }
func (s *solution) proxies() int { return len(s.gradients) }

// findReach finds the proxies that each vertex may depend on: the groups of the triangles around it, and the groups
// that share a vertex with these (section 5.1, at the end).
func (s *solution) findReach() {
	own := make([][]int, len(s.x.Rest))
	for k, t := range s.x.Triangles {
		if g := int(s.group[k]); g >= 0 {
			for _, v := range t {
				if !slices.Contains(own[v], g) {
					own[v] = append(own[v], g)
				}
			}
		}
	}
	next := make([][]int, s.proxies()) // groups that share a vertex with each, itself too
	for _, groups := range own {
		for _, a := range groups {
			for _, b := range groups {
				if !slices.Contains(next[a], b) {
					next[a] = append(next[a], b)
				}
			}
		}
	}
	s.reach = make([][]int, len(s.x.Rest))
	for v, groups := range own {
		for _, g := range groups {
			s.reach[v] = append(s.reach[v], next[g]...)
		}
		slices.Sort(s.reach[v])
		s.reach[v] = slices.Compact(s.reach[v])
	}
}

// fitProxies fits α and T to the examples, in rounds of coordinate descent (section 5.1, steps 3 and 4).
func (s *solution) fitProxies(cancelled func() bool) {
	for range s.recipe.Rounds {
		if cancelled() {
			return
		}
		s.solveWeights(false)
		places := s.places()
		for b, all := range s.changes(places) {
			for i, to := range all {
				for k := range 3 {
					places[b].add(&s.palettes[i][s.joints()+b], k, to[k])
				}
			}
		}
	}
}

// solveWeights finds the weights of the vertices within reach of a proxy, given the palettes. With joints, a vertex
// chooses among these proxies and the joints that trained SSD binds it to, and so does a fixed vertex around the free
// ones; otherwise there would be a step between the two. Without, fixed vertices keep their trained weights, and the
// others have weights of proxies alone (section 5.1, step 3).
func (s *solution) solveWeights(joints bool) {
	all, n := newWeighers(s.x, s.palettes, s.workers), len(s.x.Rest)
	parallel.For(s.workers, parallel.Chunks(n), func(worker, c int) {
		w := &all[worker]
		lo, hi := parallel.Chunk(c, n)
		var reach []int
		for v := lo; v < hi; v++ {
			if len(s.reach[v]) == 0 || s.fixed[v] && !joints {
				continue
			}
			reach = reach[:0]
			for _, b := range s.reach[v] {
				reach = append(reach, s.joints()+b)
			}
			var start []skinning.Share
			if joints {
				start = s.trained.Weights[v]
			}
			for _, share := range start {
				reach = append(reach, int(share.Joint))
			}
			w.read(v)
			w.among(reach, start)
			s.model.Weights[v] = w.solve(start)
		}
	})
}

// place says where a proxy's vertices are at rest.
type place struct {
	center mgl64.Vec3
	radius float64
}

// leastRadius bounds from below the radius of a proxy and the arm by which a joint moves it, as a share of the
// diagonal. It keeps rounding from being scaled up.
const leastRadius = 1e-3

// places returns those of the proxies.
func (s *solution) places() []place {
	out, total := make([]place, s.proxies()), make([]float64, s.proxies())
	each := func(f func(b int, w float64, p mgl64.Vec3)) {
		for v, shares := range s.model.Weights {
			for _, share := range shares {
				if b := int(share.Joint) - s.joints(); b >= 0 {
					f(b, share.Weight, s.x.Rest[v])
				}
			}
		}
	}
	each(func(b int, w float64, p mgl64.Vec3) {
		out[b].center = out[b].center.Add(p.Mul(w))
		total[b] += w
	})
	for b := range out {
		out[b].center = out[b].center.Mul(1 / math.Max(total[b], 1e-300))
	}
	each(func(b int, w float64, p mgl64.Vec3) {
		d := p.Sub(out[b].center)
		out[b].radius += w * d.Dot(d) / total[b]
	})
	least := leastRadius * s.x.Diagonal()
	for b := range out {
		out[b].radius = math.Max(math.Sqrt(out[b].radius), least)
	}
	return out
}

// change is a change of one coordinate (a row) of a proxy's matrix in metres: three numbers for the linear part, times
// the radius, and one for the position of the center. So a ridge depends neither on the unit of length nor on the
// origin.
type change [4]float64

// effect returns how far a unit of each number of a change moves a vertex that follows the proxy with this weight.
func (p *place) effect(vertex mgl64.Vec3, weight float64) change {
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

// changeRidge keeps a proxy unchanged in directions that its vertices do not determine. It is a share of the mean of
// its diagonal in the normal equations.
const changeRidge = 0.05

// changes returns per proxy and pair the changes of its three coordinates that, together with those of all other
// proxies, bring the vertices nearest to their targets, by least squares given the weights (section 5.1, step 4). All
// pairs and all three coordinates share one matrix, 4P×4P.
func (s *solution) changes(places []place) [][][3]change {
	p, n := s.proxies(), len(s.x.Targets)
	a, right := mat.NewSymDense(4*p, nil), mat.NewDense(4*p, 3*n, nil)
	var row []term
	missed := make([]float64, 3*n)
	for v, shares := range s.model.Weights {
		row = row[:0]
		for _, share := range shares {
			if b := int(share.Joint) - s.joints(); b >= 0 {
				for k, by := range places[b].effect(s.x.Rest[v], share.Weight) {
					row = append(row, term{4*b + k, by})
				}
			}
		}
		if len(row) == 0 {
			continue
		}
		for i := range s.x.Targets {
			e := s.x.Targets[i][v].Sub(blend(s.palettes[i], shares, s.x.Rest[v]))
			copy(missed[3*i:], e[:])
		}
		addRow(a, right, row, missed)
	}
	out := make([][][3]change, p)
	solved := solveRidge(a, right, 4, changeRidge)
	for b := range out {
		out[b] = make([][3]change, n)
		for k := 0; k < 4 && solved != nil; k++ {
			for column, v := range solved.RawRowView(4*b + k) {
				out[b][column/3][column%3][k] = v
			}
		}
	}
	return out
}

// addRow adds a row of least squares to the normal equations: its products with itself, and with what is missed. It has
// each place once.
func addRow(a *mat.SymDense, right *mat.Dense, row []term, missed []float64) {
	raw := a.RawSymmetric()
	for _, t := range row {
		for _, u := range row {
			if u.at >= t.at {
				raw.Data[t.at*raw.Stride+u.at] += t.value * u.value
			}
		}
		out := right.RawRowView(t.at)
		for k, e := range missed {
			out[k] += t.value * e
		}
	}
}

// solveRidge solves dense normal equations with a ridge: a share of the mean diagonal of each block of unknowns. It
// returns nil where that is singular. Unknowns that nothing determines become 0.
func solveRidge(a *mat.SymDense, right *mat.Dense, block int, share float64) *mat.Dense {
	n := a.SymmetricDim()
	least := 1e-9 * mat.Trace(a) / float64(max(n, 1))
	for first := 0; first < n; first += block {
		mean := 0.0
		for k := first; k < first+block; k++ {
			mean += a.At(k, k) / float64(block)
		}
		for k := first; k < first+block; k++ {
			a.SetSym(k, k, a.At(k, k)+share*mean+least)
		}
	}
	var factor mat.Cholesky
	var out mat.Dense
	if n == 0 || !factor.Factorize(a) || factor.SolveTo(&out, right) != nil {
		return nil
	}
	return &out
}
