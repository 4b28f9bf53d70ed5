package bodymodel

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// mostInfluences is the largest number of limbs that a vertex may follow in each set.
const mostInfluences = 4

// bestWeights improves both sets of weights, vertex by vertex (section 4, coordinate descent). It finds the best
// weights of the swings by a quadratic program, and improves the weights of the twists by Gauss-Newton steps, where
// the paper compares slightly varied weights.
func bestWeights(ctx context.Context, f *solver) error {
	f.weights(ctx, bestMethods)
	return nil
}

var bestMethods = weightMethods{
	swing: func(s *weightScratch) { s.simplex.ImproveSparse(s.gram, len(s.limbs), mostInfluences, s.w) },
	twist: (*weightSearch).gaussNewtonTwist,
}

// weightMethods find the weights of a vertex in each set. They change w of the scratch, which has the present ones.
type weightMethods struct {
	swing func(s *weightScratch)                                 // of least wᵀ·gram·w
	twist func(w *weightSearch, s *weightScratch, at mgl64.Vec3) // of a vertex at this place at rest
}

// weights improves both sets of weights by coordinate descent: every vertex gets the weights that lower Q most while
// its neighbours keep theirs. It ends early where ctx is cancelled.
//
// A move e_i of a vertex v in scan i changes Q by Σ_i −2·e_iᵀ·(M·d_i)_v + M_vv·|e_i|². That is M_vv times the change of
// Σ_i |x_i − z_i|², where x_i is the present place of the vertex and z_i = x_i + (M·d_i)_v/M_vv its target. So each
// vertex is fitted to points, as if there were no Laplacian. Vertices whose common entry of M is 0 do not depend on
// each other. So vertices are divided into classes by a colouring, and those of a class are fitted in parallel.
func (f *solver) weights(ctx context.Context, methods weightMethods) {
	w := f.newWeightSearch(methods)
	w.chooseLimbs()
	for _, class := range w.classes {
		if ctx.Err() != nil {
			break
		}
		const run = 16 // vertices that a worker takes at a time
		parallel.For(f.workers, (len(class)+run-1)/run, func(worker, r int) {
			for _, v := range class[r*run : min((r+1)*run, len(class))] {
				w.improve(&w.scratch[worker], int(v))
			}
		})
	}
	for v := range f.body.Vertices {
		f.body.Swing[v], f.body.Twist[v] = w.swing[v], w.twist[v]
	}
	f.update()
}

// weightSearch is the state of one call of [solver.weights].
type weightSearch struct {
	*solver
	methods      weightMethods
	off          []mgl64.Vec3 // the solver's, [vertex][scan]
	swing, twist [][]skinning.Share
	near         [][]uint16 // of each limb: itself, its parent and its children
	limbs        [][]uint16 // that each vertex may follow in this round, ascending
	classes      [][]int32
	scratch      []weightScratch
}

// weightScratch is the memory of a worker. Lists of points have an entry for each scan.
type weightScratch struct {
	simplex simplex.Solver
	marked  []bool          // of limbs
	limbs   []uint16        // that the vertex may follow
	at      []mgl64.Vec3    // where the vertex stands
	target  []mgl64.Vec3    // its target in each scan
	turned  []mgl64.Vec3    // the vertex after its twist
	trial   []mgl64.Vec3    // its place in each scan by trial weights
	blend   []geom.Affine   // of the swings
	sums    []geom.DualQuat // of the twists
	columns []mgl64.Vec3    // of each of limbs and scan
	gram    []float64
	w       []float64 // of limbs
	shares  []skinning.Share
}

func (f *solver) newWeightSearch(methods weightMethods) *weightSearch {
	b := f.body
	scans, limbs := len(f.palettes), len(b.Joints)
	w := &weightSearch{solver: f, methods: methods, off: make([]mgl64.Vec3, len(b.Vertices)*scans)}
	for v := range b.Vertices {
		w.swing = append(w.swing, append(make([]skinning.Share, 0, mostInfluences), b.Swing[v]...))
		w.twist = append(w.twist, append(make([]skinning.Share, 0, mostInfluences), b.Twist[v]...))
		for i := range scans {
			w.off[v*scans+i] = f.off[i][v]
		}
	}
	w.near = make([][]uint16, limbs)
	for j, p := range b.Parents {
		w.near[j] = append(w.near[j], uint16(j))
		if p >= 0 {
			w.near[j] = append(w.near[j], uint16(p))
			w.near[p] = append(w.near[p], uint16(j))
		}
	}
	w.limbs = make([][]uint16, len(b.Vertices))
	w.classes = f.metric.classes()
	for range f.workers {
		points := func() []mgl64.Vec3 { return make([]mgl64.Vec3, scans) }
		w.scratch = append(w.scratch, weightScratch{marked: make([]bool, limbs), at: points(), target: points(),
			turned: points(), trial: points(), blend: make([]geom.Affine, scans),
			sums: make([]geom.DualQuat, scans)})
	}
	return w
}

// classes colours the vertices greedily. No two vertices of a class have a non-zero entry in the metric.
func (m *metric) classes() (classes [][]int32) {
	n := len(m.diagonal)
	color := make([]int, n)
	var taken []int // by which vertex a color was last seen, plus 1
	for v := range n {
		for _, u := range m.column[m.start[v]:m.start[v+1]] {
			if int(u) < v {
				taken[color[u]] = v + 1
			}
		}
		c := 0
		for c < len(taken) && taken[c] == v+1 {
			c++
		}
		if c == len(taken) {
			taken, classes = append(taken, 0), append(classes, nil)
		}
		color[v] = c
		classes[c] = append(classes[c], int32(v))
	}
	return classes
}

// improve fits both sets of weights of a vertex to its target. The squared distance from the target never grows.
func (w *weightSearch) improve(s *weightScratch, v int) {
	w.aim(s, v)
	s.limbs = w.limbs[v]
	w.fitSwing(s, v)
	if !w.body.Linear {
		w.fitTwist(s, v)
	}
	off := w.off[v*len(s.at):][:len(s.at)]
	for i, at := range s.at {
		off[i] = w.scans.Shapes[i][v].Sub(at)
	}
}

// aim finds the present place and the target of a vertex in each scan.
func (w *weightSearch) aim(s *weightScratch, v int) {
	n, m := len(s.at), w.metric
	clear(s.target)
	for k := m.start[v]; k < m.start[v+1]; k++ {
		a := m.value[k]
		for i, d := range w.off[int(m.column[k])*n:][:n] {
			t := &s.target[i]
			t[0] += a * d[0]
			t[1] += a * d[1]
			t[2] += a * d[2]
		}
	}
	for i, d := range w.off[v*n:][:n] {
		s.at[i] = w.scans.Shapes[i][v].Sub(d)
		s.target[i] = s.at[i].Add(s.target[i].Mul(1 / m.diagonal[v]))
	}
}

// chooseLimbs lists the limbs that each vertex may follow: those that it or a neighbour follows, and those next to
// them in the tree.
func (w *weightSearch) chooseLimbs() {
	n := len(w.limbs)
	parallel.For(w.workers, parallel.Chunks(n), func(worker, c int) {
		marked := w.scratch[worker].marked
		mark := func(v int) {
			for _, set := range [][]skinning.Share{w.swing[v], w.twist[v]} {
				for _, share := range set {
					for _, j := range w.near[share.Joint] {
						marked[j] = true
					}
				}
			}
		}
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			clear(marked)
			mark(v)
			for _, u := range w.scans.Rings[v] {
				mark(int(u))
			}
			w.limbs[v] = w.limbs[v][:0]
			for j, is := range marked {
				if is {
					w.limbs[v] = append(w.limbs[v], uint16(j))
				}
			}
		}
	})
}

// fitSwing finds the weights w of the swings: they lower Σ_i |Σ_j w_j·(P_ij·y_i − z_i)|², with y_i the vertex after its
// twist.
func (w *weightSearch) fitSwing(s *weightScratch, v int) {
	for i, p := range w.palettes {
		sum := p.twist(w.twist[v])
		m := sum.Affine()
		s.turned[i] = m.Apply(w.body.Vertices[v])
	}
	s.columns = s.columns[:0]
	for _, j := range s.limbs {
		for i, p := range w.palettes {
			s.columns = append(s.columns, p.Swings[j].Apply(s.turned[i]).Sub(s.target[i]))
		}
	}
	s.spread(w.swing[v])
	s.form()
	w.methods.swing(s)
	s.shares = s.sharesOf(s.shares[:0])
	for i, p := range w.palettes {
		m := p.swing(s.shares)
		s.trial[i] = m.Apply(s.turned[i])
	}
	w.swing[v] = s.take(w.swing[v])
}

// form computes the matrix of the quadratic form |Σ w_j·column_j|² over limbs.
func (s *weightScratch) form() {
	n, m := len(s.at), len(s.limbs)
	s.gram = linear.Resize(s.gram, m*m)
	for a := range m {
		for b := range a + 1 {
			s.gram[a*m+b] = dotPoints(s.columns[a*n:][:n], s.columns[b*n:][:n])
			s.gram[b*m+a] = s.gram[a*m+b]
		}
	}
}

// spread sets w to weights of the limbs.
func (s *weightScratch) spread(weights []skinning.Share) {
	s.w = linear.Resize(s.w, len(s.limbs))
	clear(s.w)
	for _, share := range weights {
		if k, found := slices.BinarySearch(s.limbs, share.Joint); found {
			s.w[k] += share.Weight
		}
	}
}

// sharesOf appends the weights w.
func (s *weightScratch) sharesOf(dst []skinning.Share) []skinning.Share {
	for k, x := range s.w {
		if x > 0 {
			dst = append(dst, skinning.Share{Joint: s.limbs[k], Weight: x})
		}
	}
	sortShares(dst)
	return dst
}

// take returns the new weights of a set, which move the vertex to trial, if they are better than the present ones in
// has, and otherwise has.
func (s *weightScratch) take(has []skinning.Share) []skinning.Share {
	if !(missed(s.trial, s.target) < missed(s.at, s.target)) {
		return has
	}
	s.at, s.trial = s.trial, s.at
	return append(has[:0], s.shares...)
}

// sortShares brings the largest share first, and among equals the lowest limb.
func sortShares(shares []skinning.Share) {
	slices.SortFunc(shares, func(a, b skinning.Share) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Joint, b.Joint))
	})
}

// fitTwist finds the weights of the twists.
func (w *weightSearch) fitTwist(s *weightScratch, v int) {
	at := w.body.Vertices[v]
	for i, p := range w.palettes {
		s.blend[i], s.sums[i] = p.swing(w.swing[v]), p.twist(w.twist[v])
	}
	s.spread(w.twist[v])
	w.methods.twist(w, s, at)
	s.shares = s.sharesOf(s.shares[:0])
	for i, p := range w.palettes {
		sum := p.twist(s.shares)
		m := sum.Affine()
		s.trial[i] = s.blend[i].Apply(m.Apply(at))
	}
	w.twist[v] = s.take(w.twist[v])
}

// gaussNewtonTwist takes a Gauss-Newton step of the weights of the twists. The vertex moves by B_i·DLB_i(w), with B_i
// the blend of the swings. DLB normalises the sum of dual quaternions, so a change of the sum's length alone moves
// nothing, and Σ_j w_j·J_j = 0 for the derivatives J_j by the weights. As the weights have the sum 1, the linear
// model of the distance from the target is Σ_j w_j·(x − z + J_j), which has the form of the quadratic program of the
// swings. Weights are held to the present ones by the squared distance that is left: scans that hardly twist a limb
// do not determine them.
func (w *weightSearch) gaussNewtonTwist(s *weightScratch, at mgl64.Vec3) {
	n := len(s.at)
	s.columns = slices.Grow(s.columns[:0], n*len(s.limbs))[:n*len(s.limbs)]
	for i, p := range w.palettes {
		rate := newTwistRate(&s.sums[i], at, &s.blend[i])
		miss := s.at[i].Sub(s.target[i])
		for a, j := range s.limbs {
			s.columns[a*n+i] = miss.Add(rate.by(&p.Twists[j]))
		}
	}
	s.form()
	simplex.Hold(s.gram, len(s.limbs), s.w, missed(s.at, s.target))
	s.simplex.ImproveSparse(s.gram, len(s.limbs), mostInfluences, s.w)
}

// twistRate is the derivative of B·y by the components of a dual quaternion: real x, y, z, w, then dual. B is a matrix,
// and y is a point after the dual quaternion has moved it.
type twistRate [3][8]float64

// newTwistRate returns the derivative for a point v. With q and w the vector and scalar of the real part r of d, e
// and h those of the dual part,
//
//	|r|²·y = (w² − |q|²)·v + 2·(q·v)·q + 2·w·q×v + 2·(w·e − h·q + q×e).
func newTwistRate(d *geom.DualQuat, v mgl64.Vec3, b *geom.Affine) (k twistRate) {
	q, w := mgl64.Vec3{d.Real[0], d.Real[1], d.Real[2]}, d.Real[3]
	e, h := mgl64.Vec3{d.Dual[0], d.Dual[1], d.Dual[2]}, d.Dual[3]
	scale := 2 / d.Real.Dot(d.Real)
	m := d.Affine()
	y := m.Apply(v)
	cross, qv := q.Cross(v), q.Dot(v)
	var g [3][8]float64
	for r := range 3 {
		for c := range 3 {
			g[r][c] = q[r]*v[c] - v[r]*q[c] - y[r]*q[c]
		}
		g[r][r] += qv - h
		g[r][3] = w*v[r] + cross[r] + e[r] - y[r]*w
		g[r][4+r] = w
		g[r][7] = -q[r]
	}
	// −[w·v + e]× by q, [q]× by e
	t := v.Mul(w).Add(e)
	g[0][1] += t[2]
	g[0][2] -= t[1]
	g[1][0] -= t[2]
	g[1][2] += t[0]
	g[2][0] += t[1]
	g[2][1] -= t[0]
	g[0][5] -= q[2]
	g[0][6] += q[1]
	g[1][4] += q[2]
	g[1][6] -= q[0]
	g[2][4] -= q[1]
	g[2][5] += q[0]
	for r := range 3 {
		x0, x1, x2 := scale*b[4*r], scale*b[4*r+1], scale*b[4*r+2]
		for c := range 8 {
			k[r][c] = x0*g[0][c] + x1*g[1][c] + x2*g[2][c]
		}
	}
	return k
}

// by returns the derivative in the direction of a dual quaternion d.
func (k *twistRate) by(d *geom.DualQuat) (rate mgl64.Vec3) {
	for c := range rate {
		r := &k[c]
		rate[c] = r[0]*d.Real[0] + r[1]*d.Real[1] + r[2]*d.Real[2] + r[3]*d.Real[3] +
			r[4]*d.Dual[0] + r[5]*d.Dual[1] + r[6]*d.Dual[2] + r[7]*d.Dual[3]
	}
	return rate
}

// missed returns the sum of squared distances.
func missed(a, b []mgl64.Vec3) (sum float64) {
	for i := range a {
		x, y, z := a[i][0]-b[i][0], a[i][1]-b[i][1], a[i][2]-b[i][2]
		sum += x*x + y*y + z*z
	}
	return sum
}

func dotPoints(a, b []mgl64.Vec3) (sum float64) {
	b = b[:len(a)]
	for i := range a {
		sum += a[i][0]*b[i][0] + a[i][1]*b[i][1] + a[i][2]*b[i][2]
	}
	return sum
}
