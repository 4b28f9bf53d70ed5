package enveloping

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/fit/parallel"
	"skinlab/fit/simplex"
	"skinlab/skinning"
)

// reduction is how vertices and triangles depend on a few proxy bones (RTER section 5). Of fixed vertices it says nothing.
type reduction struct {
	fixed      []bool              // per vertex: in F, posed by its SSD weights
	weights    [][]skinning.Share  // α: per vertex, proxies; nil where fixed
	blend      [][]skinning.Share  // β: per triangle, key deformation gradients; nil for triangles of fixed vertices alone
	transforms [][]skinning.Affine // T_b^i: per proxy and example
	gradients  [][]skinning.Mat3   // D_ℓ^i: per key and example
	reach      [][]int             // per vertex: the proxies that it may depend on
	drivers    [][]int             // per key: the joints that it may be predicted from
	base       []int               // per key: the joint that binds its group most; −1 where nobody knows
}

// used tells the triangles that have a vertex to be posed by proxies.
func used(x *Examples, fixed []bool) []bool {
	use := make([]bool, len(x.Triangles))
	for k, t := range x.Triangles {
		use[k] = !fixed[t[0]] || !fixed[t[1]] || !fixed[t[2]]
	}
	return use
}

// newReduction starts from so many groups of a clustering.
func newReduction(x *Examples, fixed []bool, groups *clustering, count int) *reduction {
	of, transforms := groups.at(count)
	r := &reduction{fixed: slices.Clone(fixed), transforms: transforms, weights: make([][]skinning.Share, len(x.Rest)), blend: make([][]skinning.Share, len(x.Triangles))}
	r.findReach(x, of)
	r.findDrivers(x, of)
	r.gradients = make([][]skinning.Mat3, len(transforms))
	for l := range r.gradients {
		// Before the proxies learn to work together, and not fitted together themselves (section 5.2): one that only makes sense beside its
		// neighbours turns as nothing on the skin does, and cannot be predicted from a joint.
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
		r.solveTransforms(x)
	}
}

// findReach restricts each vertex to the groups of the triangles around it and those next to them (section 5.1, at the end).
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

// mostReach bounds how many proxies the weights of a vertex are chosen from; the nearest ones by their own error.
const mostReach = 10

// solver is one worker's scratch memory for weights over the simplex.
type solver struct {
	simplex simplex.Solver
	columns []mgl64.Vec3
	gram, w []float64
	choice  []int
	single  []float64
}

// sparse finds at most four weights of the candidates: append gives a candidate's offsets from the target in all examples.
func (s *solver) sparse(candidates []int, offsets func(dst []mgl64.Vec3, candidate int) []mgl64.Vec3) []skinning.Share {
	s.columns, s.single, s.choice = s.columns[:0], s.single[:0], append(s.choice[:0], candidates...)
	if len(candidates) > mostReach {
		for _, c := range candidates {
			s.columns = offsets(s.columns[:0], c)
			e := 0.0
			for _, d := range s.columns {
				e += d.Dot(d)
			}
			s.single = append(s.single, e)
		}
		slices.SortStableFunc(s.choice, func(a, b int) int {
			ea, eb := s.single[slices.Index(candidates, a)], s.single[slices.Index(candidates, b)]
			switch {
			case ea < eb:
				return -1
			case ea > eb:
				return 1
			}
			return 0
		})
		s.choice = s.choice[:mostReach]
	}
	s.columns = s.columns[:0]
	for _, c := range s.choice {
		s.columns = offsets(s.columns, c)
	}
	m := len(s.choice)
	s.gram = gramOf(s.gram[:0], s.columns, m)
	s.w = append(s.w[:0], make([]float64, m)...)
	s.simplex.MinimizeSparse(s.gram, m, mostInfluences, s.w)
	return shares(s.choice, s.w)
}

// solveWeights finds α, given the transformations (section 5.1, step 3).
func (r *reduction) solveWeights(x *Examples, workers int) {
	all := make([]solver, max(workers, 1))
	root := x.roots()
	n := len(x.Rest)
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			if r.fixed[v] || len(r.reach[v]) == 0 {
				continue
			}
			r.weights[v] = all[worker].sparse(r.reach[v], func(dst []mgl64.Vec3, b int) []mgl64.Vec3 {
				for i := range x.Pairs {
					dst = append(dst, r.transforms[b][i].Apply(x.Rest[v]).Sub(x.Pairs[i].Target[v]).Mul(root[i]))
				}
				return dst
			})
		}
	})
}

// ridge keeps what little data holds where it was, as a share of the mean of the diagonal.
const ridge = 0.1

// solveTransforms finds T_b^i by least squares, given α (step 4). All examples and all three rows share one matrix, 4P×4P.
func (r *reduction) solveTransforms(x *Examples) {
	p, n := len(r.transforms), len(x.Pairs)
	if p == 0 {
		return
	}
	a := mat.NewSymDense(4*p, nil)
	right := mat.NewDense(4*p, 3*n, nil)
	for v, w := range r.weights {
		h := [4]float64{x.Rest[v][0], x.Rest[v][1], x.Rest[v][2], 1}
		for _, s := range w {
			for k := range h {
				row := 4*int(s.Joint) + k
				for _, t := range w {
					for l := range h {
						if col := 4*int(t.Joint) + l; col >= row {
							a.SetSym(row, col, a.At(row, col)+s.Weight*h[k]*t.Weight*h[l])
						}
					}
				}
				out := right.RawRowView(row)
				for i := range x.Pairs {
					y := x.Pairs[i].Target[v]
					for c := range 3 {
						out[3*i+c] += s.Weight * h[k] * y[c]
					}
				}
			}
		}
	}
	hold(a, right, func(row, column int) float64 {
		return r.transforms[row/4][column/3][4*(column%3)+row%4]
	})
	var chol mat.Cholesky
	var t mat.Dense
	if !chol.Factorize(a) || chol.SolveTo(&t, right) != nil {
		return // the clusters' own transformations stay
	}
	for b := range r.transforms {
		for i := range x.Pairs {
			for c := range 3 {
				for k := range 4 {
					r.transforms[b][i][4*c+k] = t.At(4*b+k, 3*i+c)
				}
			}
		}
	}
}

// hold adds the ridge towards what is there.
func hold(a *mat.SymDense, right *mat.Dense, now func(row, column int) float64) {
	n, columns := right.Dims()
	trace := 0.0
	for i := range n {
		trace += a.At(i, i)
	}
	k := ridge*trace/float64(n) + 1e-300
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+k)
		row := right.RawRowView(i)
		for c := range columns {
			row[c] += k * now(i, c)
		}
	}
}

// edgesOf returns the two edges of a triangle that its gradient is fitted to, from its first corner.
func edgesOf(p []mgl64.Vec3, t [3]uint32) [2]mgl64.Vec3 {
	return [2]mgl64.Vec3{p[t[1]].Sub(p[t[0]]), p[t[2]].Sub(p[t[0]])}
}

// solveBlend finds β of each triangle, given the key gradients D (section 5.2).
func (r *reduction) solveBlend(x *Examples, workers int) {
	all := make([]solver, max(workers, 1))
	reach := make([][]int, max(workers, 1))
	root := x.roots()
	n := len(x.Triangles)
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
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
			r.blend[k] = all[worker].sparse(near, func(dst []mgl64.Vec3, l int) []mgl64.Vec3 {
				for i := range x.Pairs {
					posed := edgesOf(x.Pairs[i].Target, t)
					for j := range rest {
						dst = append(dst, r.gradients[l][i].Apply(rest[j]).Sub(posed[j]).Mul(root[i]))
					}
				}
				return dst
			})
		}
	})
}
