package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// mixing finds the final weights of all vertices, over joints and proxies.
type mixing struct {
	x       *Examples
	trained [][]skinning.Share // of SSD
	reach   [][]int            // per vertex: proxies
	near    [][]int32          // per vertex: its 1-ring
	held    [][]geom.Affine    // per pose, of joints and, behind them, of proxies
	root    []float64          // of each pose's weight
	weights [][]skinning.Share // so far
	// off is the error of each vertex with the present weights: x, y and z in every pose, times the root of the pose's
	// weight. It is nil before the first round, and for vertices that have no neighbour whose weights are chosen.
	off [][]float64
}

// mixer is one worker's scratch memory.
type mixer struct {
	solver
	start  []float64 // the weights of SSD
	around []float64 // the mean by which the neighbours miss their targets; empty in the first round
	cross  []float64 // its products with the columns
}

// If weights were chosen for each vertex by its own error only, the errors of neighbours would differ, and the surface
// would have dents. So after a first round the weights are chosen again, by the error of the vertex and by its
// difference from the mean error of the neighbours (rows 51 to 56). Of weights with nearly the same error, those that
// leave the surface smooth are taken.
const (
	mixingRounds = 3
	// the weight of the squared difference between the error of a vertex and the mean of its neighbours'; the squared
	// error itself has 1
	smoothness = 2
)

// mixedWeights finds the final weights. Each vertex with proxies within its reach gets at most four, over these proxies
// and the joints that trained SSD binds it to. That includes the fixed vertices around the free ones; otherwise there
// would be a step between the two. In the given pairs the matrices of the proxies are held forecasts (stacked
// generalization: Wolpert 1992, Breiman 1996), so that a vertex follows proxies only as far as these predict it better
// on new poses.
func (r *run) mixedWeights(s *SSD, red *reduction, f *forecast) [][]skinning.Share {
	m := r.newMixing(s, red, f)
	all := make([]mixer, max(r.opt.Workers, 1))
	for range mixingRounds {
		m.round(all, r.cancelled)
	}
	return m.weights
}

func (r *run) newMixing(s *SSD, red *reduction, f *forecast) *mixing {
	x := r.y
	_, held := f.both(x)
	m := &mixing{x: x, trained: s.Weights, reach: red.reach, near: neighboursOf(x.Triangles, len(x.Rest)), held: held,
		root: x.roots()}
	m.weights = slices.Clone(s.Weights)
	return m
}

// round chooses the weights of all vertices, with one worker for each scratch memory. The errors of neighbours are
// those after the round before.
func (m *mixing) round(all []mixer, cancelled func() bool) {
	n := len(m.x.Rest)
	each := func(do func(w *mixer, v int)) {
		parallel.For(len(all), parallel.Chunks(n), func(worker, c int) {
			lo, hi := parallel.Chunk(c, n)
			for v := lo; v < hi && !cancelled(); v++ {
				do(&all[worker], v)
			}
		})
	}
	each(func(w *mixer, v int) {
		if len(m.reach[v]) > 0 {
			m.weights[v] = m.choose(w, v)
		}
	})
	if m.off == nil {
		m.off = make([][]float64, n)
	}
	each(func(_ *mixer, v int) {
		if m.chosen(v) && (m.off[v] == nil || len(m.reach[v]) > 0) {
			m.off[v] = m.misses(m.off[v][:0], v)
		}
	})
}

// chosen reports whether the weights of a vertex or of one next to it are chosen.
func (m *mixing) chosen(v int) bool {
	return len(m.reach[v]) > 0 || slices.ContainsFunc(m.near[v], func(u int32) bool { return len(m.reach[u]) > 0 })
}

// misses appends the errors of a vertex: x, y and z in every pose, times the root of the pose's weight.
func (m *mixing) misses(dst []float64, v int) []float64 {
	for i, root := range m.root {
		d := blend(m.held[i], m.weights[v], m.x.Rest[v]).Sub(m.x.Pairs[i].Target[v]).Mul(root)
		dst = append(dst, d[0], d[1], d[2])
	}
	return dst
}

// choose returns the weights of a vertex.
func (m *mixing) choose(w *mixer, v int) []skinning.Share {
	x, trained := m.x, m.trained[v]
	m.candidates(w, v)
	w.columns = w.columns[:0]
	for _, b := range w.choice {
		for i, root := range m.root {
			d := m.held[i][b].Apply(x.Rest[v]).Sub(x.Pairs[i].Target[v]).Mul(root)
			w.columns = append(w.columns, d[0], d[1], d[2])
		}
	}
	n := len(w.choice)
	w.gram = gramOf(w.gram[:0], w.columns, n)
	m.lookAround(w, v)
	w.countAround()
	w.start = append(w.start[:0], make([]float64, n)...)
	for _, share := range trained {
		w.start[slices.Index(w.choice, int(share.Joint))] = share.Weight
	}
	w.w = append(w.w[:0], w.start...)
	w.simplex.MinimizeSparse(w.gram, n, mostInfluences, w.w)
	if !w.gains(x.given(), len(x.Pairs)) {
		return trained
	}
	return skinning.AppendShares(nil, w.choice, w.w)
}

// lookAround fills around with the mean error of the 1-ring, weighted by one over the distance.
func (m *mixing) lookAround(w *mixer, v int) {
	w.around = w.around[:0]
	if m.off == nil {
		return
	}
	w.around = append(w.around, make([]float64, 3*len(m.root))...)
	total := 0.0
	for _, u := range m.near[v] {
		// Welded vertices lie apart, unless a triangle is a line.
		by := 1 / math.Max(m.x.Rest[u].Sub(m.x.Rest[v]).Len(), 1e-100)
		floats.AddScaled(w.around, by, m.off[u])
		total += by
	}
	floats.Scale(1/math.Max(total, 1e-100), w.around)
}

// countAround adds the squared difference of the vertex's error from the mean of its neighbours' to the quadratic.
// Since weights sum to 1, that difference is a weighted sum of the columns after the mean has been subtracted from
// each.
func (w *mixer) countAround() {
	width, n := len(w.around), len(w.choice)
	if width == 0 {
		return
	}
	w.cross = w.cross[:0]
	for a := range n {
		w.cross = append(w.cross, floats.Dot(w.around, w.columns[a*width:(a+1)*width]))
	}
	square := floats.Dot(w.around, w.around)
	for a := range n {
		for b := range n {
			w.gram[a*n+b] += smoothness * (w.gram[a*n+b] - w.cross[a] - w.cross[b] + square)
		}
	}
}

// candidates fills choice with the proxies within reach that predict the vertex best in the given pairs, and with the
// joints that trained SSD binds it to.
func (m *mixing) candidates(w *mixer, v int) {
	x := m.x
	w.nearest(m.reach[v], func(b int) (sum float64) {
		for i := range x.given() {
			d := m.held[i][len(x.Parent)+b].Apply(x.Rest[v]).Sub(x.Pairs[i].Target[v])
			sum += d.Dot(d)
		}
		return sum
	})
	for k := range w.choice {
		w.choice[k] += len(x.Parent)
	}
	for _, share := range m.trained[v] {
		w.choice = append(w.choice, int(share.Joint))
	}
}

// gains reports whether the new weights have a smaller sum of squared errors over the given pairs than those of SSD,
// both with and without the term of the neighbours.
func (w *mixer) gains(given, pairs int) bool {
	own, sum := 0.0, 0.0
	for i := range given {
		var before, after mgl64.Vec3
		for k := range w.choice {
			d := mgl64.Vec3(w.columns[3*(k*pairs+i) : 3*(k*pairs+i+1)])
			before, after = before.Add(d.Mul(w.start[k])), after.Add(d.Mul(w.w[k]))
		}
		gain := before.Dot(before) - after.Dot(after)
		own, sum = own+gain, sum+gain
		if len(w.around) > 0 {
			around := mgl64.Vec3(w.around[3*i : 3*i+3])
			before, after = before.Sub(around), after.Sub(around)
			sum += smoothness * (before.Dot(before) - after.Dot(after))
		}
	}
	return own > 0 && sum > 0
}

// neighboursOf returns the 1-ring of each of n vertices: those at the other ends of its triangles' edges, ascending.
func neighboursOf(triangles [][3]uint32, n int) [][]int32 {
	out := make([][]int32, n)
	for _, t := range triangles {
		for k, v := range t {
			for _, u := range [...]uint32{t[(k+1)%3], t[(k+2)%3]} {
				if u != v {
					out[v] = append(out[v], int32(u))
				}
			}
		}
	}
	for v := range out {
		slices.Sort(out[v])
		out[v] = slices.Compact(out[v])
	}
	return out
}
