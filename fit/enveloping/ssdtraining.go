package enveloping

import (
	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// ssdJoints is how many joints a vertex chooses its weights from: those that predict it best alone.
const ssdJoints = 12

// ssdTraining finds the weights of each vertex by least squares over the simplex: the non-negative least squares of
// James and Twigg with the sum kept exactly. Between calls of solve, vertices whose turn is still to come have the
// rig's own weights, or where there are none, the one joint that predicts them best: what there is can be used.
type ssdTraining struct {
	x          *Examples
	workers    int
	s          *SSD
	candidates [][]int

	best    []bestJoints
	scratch []ssdScratch
	hold    float64
	next    int // chunk
}

type ssdScratch struct {
	solver  simplex.Solver
	columns []float64 // per candidate, the offsets from the target in all examples
	gram, w []float64
	held    []float64 // gram, held to the rig's weights
}

// newSSDTraining finds each vertex's candidates and the error that it begins with.
func newSSDTraining(x *Examples, workers int) *ssdTraining {
	n := len(x.Rest)
	t := &ssdTraining{x: x, workers: workers, candidates: make([][]int, n), best: newBestJoints(x, workers),
		scratch: make([]ssdScratch, max(workers, 1))}
	t.s = &SSD{make([][]skinning.Share, n), make([]float64, n), make([]float64, n)}
	t.hold = likeRig * x.diagonal()
	t.hold *= t.hold * float64(len(x.Pairs))
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		b := &t.best[worker]
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			b.find(v, ssdJoints)
			t.s.rigid[v] = b.errors[0]
			t.candidates[v] = x.withRigged(b.joints, v)
			t.s.Weights[v], t.s.square[v] = []skinning.Share{{Joint: uint16(b.joints[0]), Weight: 1}}, b.errors[0]
			if x.Rigged != nil {
				t.s.Weights[v], t.s.square[v] = x.Rigged[v], b.errorOf(v, x.Rigged[v])
			}
		}
	})
	return t
}

// ssdChunks is how many chunks of vertices a call of solve trains at least.
const ssdChunks = 8

// solve trains some more vertices and reports whether any are left.
func (t *ssdTraining) solve() bool {
	n := len(t.x.Rest)
	first := t.next
	t.next = min(first+max(ssdChunks, 2*t.workers), parallel.Chunks(n))
	parallel.For(t.workers, t.next-first, func(worker, c int) {
		lo, hi := parallel.Chunk(first+c, n)
		for v := lo; v < hi; v++ {
			t.solveVertex(worker, v)
		}
	})
	return t.next < parallel.Chunks(n)
}

func (t *ssdTraining) solveVertex(worker, v int) {
	w := &t.scratch[worker]
	candidates := t.candidates[v]
	w.columns = w.columns[:0]
	b := &t.best[worker]
	b.read(v)
	for _, j := range candidates {
		w.columns = b.offsets(w.columns, v, j)
	}
	w.gram = gramOf(w.gram[:0], w.columns, len(candidates))
	w.w = append(w.w[:0], make([]float64, len(candidates))...)
	w.held = append(w.held[:0], w.gram...)
	t.x.holdRigged(w.held, candidates, v, t.hold)
	w.solver.MinimizeSparse(w.held, len(candidates), mostInfluences, w.w)
	t.s.square[v] = quadratic(w.gram, w.w)
	t.s.Weights[v] = shares(candidates, w.w)
}

// trainSSD trains all vertices.
func trainSSD(x *Examples, workers int) *SSD {
	t := newSSDTraining(x, workers)
	for t.solve() {
	}
	return t.s
}
