package enveloping

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// reduction says how vertices that are not fixed, and triangles, depend on a few proxy bones (RTER section 5).
type reduction struct {
	fixed      []bool             // per vertex: in F, posed by its SSD weights
	weights    [][]skinning.Share // α: per vertex, proxies; nil where fixed
	blend      [][]skinning.Share // β: per triangle, key deformation gradients; nil for triangles of fixed vertices alone
	transforms [][]geom.Affine    // T_b^i: per proxy and example
	gradients  [][]geom.Mat3      // D_ℓ^i: per key and example
	reach      [][]int            // per vertex: the proxies that it may depend on
	drivers    [][]int            // per key: the joints that it may be predicted from
	base       []int              // per key: the joint that binds its group most; −1 where there are no weights of a rig
	roots      []float64          // of the examples' weights
}

// used reports for each triangle whether one of its vertices is not fixed.
func used(x *Examples, fixed []bool) []bool {
	use := make([]bool, len(x.Triangles))
	for k, t := range x.Triangles {
		use[k] = !fixed[t[0]] || !fixed[t[1]] || !fixed[t[2]]
	}
	return use
}

// newReduction starts from count groups of a clustering.
func newReduction(x *Examples, fixed []bool, groups *clustering, count int) *reduction {
	of, transforms := groups.at(count)
	r := &reduction{fixed: slices.Clone(fixed), roots: groups.roots, transforms: transforms,
		weights: make([][]skinning.Share, len(x.Rest)), blend: make([][]skinning.Share, len(x.Triangles))}
	r.findReach(x, of)
	r.findDrivers(x, of)
	r.gradients = make([][]geom.Mat3, len(transforms))
	for l := range r.gradients {
		// The key gradients are taken before the proxies are fitted together, and are not fitted together themselves as
		// in section 5.2. A key that is fitted together with its neighbours turns unlike any part of the skin, and
		// cannot be predicted from a joint.
		for i := range x.Pairs {
			r.gradients[l] = append(r.gradients[l], r.transforms[l][i].Linear())
		}
	}
	return r
}

// fitProxies fits α and T in rounds of coordinate descent.
func (r *reduction) fitProxies(x *Examples, rounds, workers int, cancelled func() bool) {
	for range rounds {
		if cancelled() {
			return
		}
		r.solveWeights(x, workers)
		r.solveTransforms(x, workers)
	}
}

// findReach finds the proxies that each vertex may depend on: the groups of the triangles around it, and the groups
// that share a vertex with these (section 5.1, at the end).
func (r *reduction) findReach(x *Examples, of []int32) {
	next := make([]map[int]bool, len(r.transforms))
	for g := range next {
		next[g] = map[int]bool{g: true}
	}
	own := make([][]int, len(x.Rest))
	for k, t := range x.Triangles {
		if g := int(of[k]); g >= 0 {
			for _, v := range t {
				if !slices.Contains(own[v], g) {
					own[v] = append(own[v], g)
				}
			}
		}
	}
	for _, groups := range own {
		for _, a := range groups {
			for _, b := range groups {
				next[a][b] = true
			}
		}
	}
	r.reach = make([][]int, len(x.Rest))
	for v, groups := range own {
		for _, a := range groups {
			for b := range next[a] {
				if !slices.Contains(r.reach[v], b) {
					r.reach[v] = append(r.reach[v], b)
				}
			}
		}
		slices.Sort(r.reach[v])
	}
}

// mostReach bounds the proxies from which the weights of a vertex are chosen: those with the least error when the
// vertex follows one of them only (rows 58, 59).
const mostReach = 10

// solver is one worker's scratch memory for weights over the simplex.
type solver struct {
	simplex simplex.Solver
	target  []float64 // of a vertex: three numbers for each example, times the root of its weight
	columns []float64 // of the candidates: see gramOf
	gram, w []float64
	single  []float64
	choice  []int
	sum     []float64 // of products of rest and posed edges: see solveBlend
}

// nearest puts the candidates into s.choice. Where there are more than mostReach, it keeps those of the least error
// when used alone, in the order of these errors. Among equals the first comes first.
func (s *solver) nearest(candidates []int, single func(candidate int) float64) {
	s.choice = append(s.choice[:0], candidates...)
	if len(candidates) <= mostReach {
		return
	}
	s.single = s.single[:0]
	for _, c := range candidates {
		s.single = append(s.single, single(c))
	}
	slices.SortStableFunc(s.choice, func(a, b int) int {
		return cmp.Compare(s.single[slices.Index(candidates, a)], s.single[slices.Index(candidates, b)])
	})
	s.choice = s.choice[:mostReach]
}

// sparse finds at most four weights of the choice, whose matrix of products is in s.gram.
func (s *solver) sparse() []skinning.Share {
	m := len(s.choice)
	s.w = append(s.w[:0], make([]float64, m)...)
	s.simplex.MinimizeSparse(s.gram, m, mostInfluences, s.w)
	return skinning.AppendShares(nil, s.choice, s.w)
}

// all finds weights of the whole choice. It starts from the given ones.
func (s *solver) all(from []skinning.Share) []skinning.Share {
	s.w = append(s.w[:0], make([]float64, len(s.choice))...)
	for _, share := range from {
		s.w[slices.Index(s.choice, int(share.Joint))] = share.Weight
	}
	s.simplex.Minimize(s.gram, len(s.choice), s.w)
	return skinning.AppendShares(nil, s.choice, s.w)
}

// solveWeights finds α, given the transformations (section 5.1, step 3).
func (r *reduction) solveWeights(x *Examples, workers int) {
	all := make([]solver, max(workers, 1))
	n, pairs := len(x.Rest), len(x.Pairs)
	scaled := make([]float64, 0, 12*pairs*len(r.transforms)) // times the root of each example's weight
	for b := range r.transforms {
		for i, m := range r.transforms[b] {
			for _, v := range m {
				scaled = append(scaled, r.roots[i]*v)
			}
		}
	}
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		s := &all[worker]
		for v := lo; v < hi; v++ {
			if r.fixed[v] || len(r.reach[v]) == 0 {
				continue
			}
			p := x.Rest[v]
			s.target = s.target[:0]
			for i, root := range r.roots {
				y := x.Pairs[i].Target[v].Mul(root)
				s.target = append(s.target, y[0], y[1], y[2])
			}
			offsets := func(b int) { // a candidate's offsets from the target in all examples
				rows := scaled[12*pairs*b : 12*pairs*(b+1)]
				for k, y := range s.target {
					m := rows[4*k : 4*k+4 : 4*k+4]
					s.columns = append(s.columns, m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3]-y)
				}
			}
			s.nearest(r.reach[v], func(b int) float64 {
				s.columns = s.columns[:0]
				offsets(b)
				return floats.Dot(s.columns, s.columns)
			})
			s.columns = s.columns[:0]
			for _, b := range s.choice {
				offsets(b)
			}
			s.gram = gramOf(s.gram[:0], s.columns, len(s.choice))
			r.weights[v] = s.sparse()
		}
	})
}

// ridge keeps transformations as they are where few vertices determine them. It is a share of the mean of the diagonal
// (rows 60 to 62).
const ridge = 0.1

// solveTransforms finds T_b^i by least squares, given α (step 4). The unknowns are changes of the transformations
// about the middle of each proxy's vertices, in units of their spread, so that the ridge does not depend on the unit
// of length or the place. All examples and all three rows share one matrix, 4P×4P.
func (r *reduction) solveTransforms(x *Examples, workers int) {
	p, n := len(r.transforms), len(x.Pairs)
	if p == 0 {
		return
	}
	at := placesOf(x.Rest, r.weights, 0, p, 1e-3*x.diagonal())
	seen := make([][]change, len(x.Rest)) // per vertex, as each of its proxies sees it
	for v, w := range r.weights {
		for _, s := range w {
			seen[v] = append(seen[v], at[s.Joint].sees(x.Rest[v], s.Weight))
		}
	}
	a, right := mat.NewSymDense(4*p, nil), mat.NewDense(4*p, 3*n, nil)
	parallel.For(workers, n+1, func(_, i int) {
		if i == n { // the matrix, beside the right sides of all pairs
			r.addProducts(a, seen)
		} else {
			r.addMisses(right, seen, x, i)
		}
	})
	mean := 0.0
	for k := range 4 * p {
		mean += a.At(k, k) / float64(4*p)
	}
	for k := range 4 * p {
		a.SetSym(k, k, a.At(k, k)+ridge*mean+1e-300)
	}
	var chol mat.Cholesky
	var t mat.Dense
	if !chol.Factorize(a) || chol.SolveTo(&t, right) != nil {
		return // the clusters' own transformations stay
	}
	for b := range r.transforms {
		for i := range x.Pairs {
			for c := range 3 {
				col := 3*i + c
				at[b].add(&r.transforms[b][i], c, change{t.At(4*b, col), t.At(4*b+1, col), t.At(4*b+2, col), t.At(4*b+3, col)})
			}
		}
	}
}

// addProducts adds the matrix of the normal equations to the upper half of a: the products of each vertex's entries in
// seen.
func (r *reduction) addProducts(a *mat.SymDense, seen [][]change) {
	upper := a.RawSymmetric()
	for v, w := range r.weights {
		for m, s := range w {
			for n, t := range w {
				if t.Joint < s.Joint {
					continue // below the diagonal
				}
				for k, left := range seen[v][m] {
					row := upper.Data[(4*int(s.Joint)+k)*upper.Stride+4*int(t.Joint):]
					for l, other := range seen[v][n] {
						if t.Joint > s.Joint || l >= k {
							row[l] += left * other
						}
					}
				}
			}
		}
	}
}

// addMisses adds the right sides of one pair to its columns of right: the products of each vertex's entries in seen and
// its error.
func (r *reduction) addMisses(right *mat.Dense, seen [][]change, x *Examples, pair int) {
	palette := make([]geom.Affine, len(r.transforms))
	for b := range palette {
		palette[b] = r.transforms[b][pair]
	}
	sum := make([][4]mgl64.Vec3, len(palette))
	for v, w := range r.weights {
		if len(w) == 0 {
			continue
		}
		e := x.Pairs[pair].Target[v].Sub(blend(palette, w, x.Rest[v]))
		for m, s := range w {
			to := &sum[s.Joint]
			for k, y := range seen[v][m] {
				to[k] = to[k].Add(e.Mul(y))
			}
		}
	}
	for b := range sum {
		for k, v := range sum[b] {
			copy(right.RawRowView(4*b + k)[3*pair:], v[:])
		}
	}
}

// edgesOf returns the two edges of a triangle that its gradient is fitted to, from its first corner.
func edgesOf(p []mgl64.Vec3, t [3]uint32) [2]mgl64.Vec3 {
	return [2]mgl64.Vec3{p[t[1]].Sub(p[t[0]]), p[t[2]].Sub(p[t[0]])}
}

// solveBlend finds β of each triangle, given the key gradients D (section 5.2). With the rest edges e_j and the posed
// ones p_j^i, the products of the offsets D_ℓ^i·e_j − p_j^i of two keys over all examples are
//
//	Σ_j e_jᵀ·(Σ_i D_ℓ^iᵀ·D_m^i)·e_j − ⟨D_ℓ, K⟩ − ⟨D_m, K⟩ + s,  K^i = Σ_j p_j^i·e_jᵀ,  s = Σ_ij ‖p_j^i‖²,
//
// where the sum in the middle is the same for all triangles.
func (r *reduction) solveBlend(x *Examples, workers int) { r.solveBlends(x, workers, mostInfluences) }

// solveBlends finds β over at most most keys. Where most is 0 it starts from the present β and goes over all keys
// within reach.
func (r *reduction) solveBlends(x *Examples, workers, most int) {
	all := make([]solver, max(workers, 1))
	reach := make([][]int, max(workers, 1))
	n, width := len(x.Triangles), 3*len(x.Pairs)
	// Column c of every key's gradients in a run, three numbers a pair; and the products of all of them.
	columns := make([]float64, 3*width*len(r.gradients))
	for l := range r.gradients {
		for i, d := range r.gradients[l] {
			for c := range 3 {
				for q := range 3 {
					columns[(3*l+c)*width+3*i+q] = r.roots[i] * d[3*q+c]
				}
			}
		}
	}
	products := mat.NewSymDense(3*len(r.gradients), nil)
	if len(columns) > 0 {
		products.SymOuterK(1, mat.NewDense(3*len(r.gradients), width, columns))
	}
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		s := &all[worker]
		s.sum = append(s.sum[:0], make([]float64, 3*width)...)
		for k := lo; k < hi; k++ {
			t := x.Triangles[k]
			near := reach[worker][:0]
			for _, v := range t {
				for _, b := range r.reach[v] {
					if !r.fixed[v] && !slices.Contains(near, b) {
						near = append(near, b)
					}
				}
			}
			if reach[worker] = near; len(near) == 0 {
				continue
			}
			rest := edgesOf(x.Rest, t)
			square := s.edgeSums(x, r.roots, t, rest)
			product := func(l, m int) (sum float64) { // without the terms that do not depend on both
				for _, e := range rest {
					for a := range 3 {
						row := 3*min(l, m) + a
						for b := range 3 {
							sum += e[a] * e[b] * at(products, row, 3*max(l, m)+b)
						}
					}
				}
				return sum
			}
			cross := func(l int) float64 { return floats.Dot(columns[3*width*l:3*width*(l+1)], s.sum) }
			if most == 0 {
				s.choice = append(s.choice[:0], near...)
			} else {
				s.nearest(near, func(l int) float64 { return product(l, l) - 2*cross(l) + square })
			}
			m := len(s.choice)
			s.single = s.single[:0]
			for _, l := range s.choice {
				s.single = append(s.single, cross(l))
			}
			s.gram = append(s.gram[:0], make([]float64, m*m)...)
			for a := range m {
				for b := range a + 1 {
					v := product(s.choice[a], s.choice[b]) - s.single[a] - s.single[b] + square
					s.gram[a*m+b], s.gram[b*m+a] = v, v
				}
				// Rounding of the sums must not make a key that fits look better than it is.
				s.gram[a*m+a] = math.Max(s.gram[a*m+a], 0) + gramRounding*square
			}
			if most > 0 {
				r.blend[k] = s.sparse()
			} else {
				r.blend[k] = s.all(r.blend[k])
			}
		}
	})
}

// gramRounding is added to the diagonal as a share of s: a product of offsets is a difference of sums as large as s, of
// which rounding to float64 loses up to 1e-16 a term, for some hundred terms.
const gramRounding = 3e-14

// edgeSums puts K of a triangle into s.sum, column after column, and returns s.
func (s *solver) edgeSums(x *Examples, roots []float64, t [3]uint32, rest [2]mgl64.Vec3) (square float64) {
	n := 3 * len(roots)
	e, f := rest[0], rest[1]
	for i, root := range roots {
		posed := edgesOf(x.Pairs[i].Target, t)
		for k := range 3 {
			p, q := root*posed[0][k], root*posed[1][k]
			for c := range 3 {
				s.sum[c*n+3*i+k] = e[c]*p + f[c]*q
			}
			square += p*p + q*q
		}
	}
	return square
}

// at returns an entry on or above the diagonal of a symmetric matrix.
func at(m *mat.SymDense, row, column int) float64 {
	raw := m.RawSymmetric()
	if column < row {
		row, column = column, row
	}
	return raw.Data[row*raw.Stride+column]
}
