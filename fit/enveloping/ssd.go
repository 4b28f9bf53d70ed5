package enveloping

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// mostInfluences caps the non-zero weights of a vertex, of joints and of proxies (RTER section 7; James and Twigg
// 2005).
const mostInfluences = 4

// SSD is skeletal subspace deformation, linear blending, trained on examples: per vertex at most four weights that are
// not negative and sum to 1 (James and Twigg 2005; RTER section 7).
type SSD struct {
	Weights [][]skinning.Share // per vertex, the largest first
	square  []float64          // per vertex: Σ_i ‖Ψ_a·q^i − y_a^i‖²
	rigid   []float64          // and of the one joint that predicts it best, the measure of EE
}

// pose returns the skin in a pose.
func (s *SSD) pose(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		out[v] = blend(matrices, s.Weights[v], p)
	}
	return out
}

// Measure measures the weights on examples, those they were trained on or others.
func (s *SSD) Measure(x *Examples) Errors {
	workers := runtime.GOMAXPROCS(0)
	return s.measure(x, rigidErrors(x, workers), workers)
}

func (s *SSD) measure(x *Examples, rigid []float64, workers int) Errors {
	palettes := make([][]geom.Affine, len(x.Pairs))
	for i := range palettes {
		palettes[i] = x.Pairs[i].Matrices
	}
	m := missesOf(x, workers, palettes, s.Weights)
	return m.measure(x, rigid)
}

// With returns the skinned model with these weights over its own joints. It must be the model that the examples were
// made from; morph targets of its skin are left out, since examples keep their shapes in them.
func (s *SSD) With(of *skinning.Model) (*skinning.Model, error) {
	out := *of
	out.Skin.SetWeights(skinning.Influences{})
	out.Skin.Morphs = nil
	var raw []skinning.Influence
	for _, w := range s.Weights {
		raw = raw[:0]
		for _, share := range w {
			raw = append(raw, skinning.Influence{Joint: share.Joint, Weight: float32(share.Weight)})
		}
		out.Skin.Append(raw, 0)
	}
	if n := len(out.Skin.Bindings); n != len(of.Skin.Positions) {
		return nil, fmt.Errorf("%w: weights of %d vertices, %s has %d", errProblem, n, of.Name, len(of.Skin.Positions))
	}
	return &out, out.Skin.Influences.Validate(len(of.Skeleton.Joints))
}

// likeRig is the strength with which weights are held to the rig's: weights at distance 1 from the rig's must lower the
// root mean square error by at least this share of the diagonal. Joints that never move relative to each other in the
// examples, such as the fingers of a flat hand, predict a vertex equally well. Only the rig tells which one the vertex
// belongs to (rows 69 to 71).
const likeRig = 2e-4

// withRigged returns the joints with those that the rig binds a vertex to, in a slice of their own.
func (x *Examples) withRigged(joints []int, v int) []int {
	all := slices.Clone(joints)
	if x.Rigged == nil {
		return all
	}
	for _, s := range x.Rigged[v] {
		if !slices.Contains(all, int(s.Joint)) {
			all = append(all, int(s.Joint))
		}
	}
	return all
}

// holdTo adds hold·‖w − w₀‖² to a quadratic of the weights of candidates, see [simplex.Hold].
func holdTo(q []float64, candidates []int, to []skinning.Share, hold float64) {
	own := make([]float64, len(candidates))
	for _, s := range to {
		own[slices.Index(candidates, int(s.Joint))] = s.Weight
	}
	simplex.Hold(q, len(own), own, hold)
}

// quadratic returns wᵀ·q·w, at least 0.
func quadratic(q, w []float64) (sum float64) {
	for a, x := range w {
		if x != 0 {
			for b, y := range w {
				sum += x * y * q[a*len(w)+b]
			}
		}
	}
	return max(sum, 0)
}

// gramOf appends the matrix of the dot products of m columns, one after another.
func gramOf(q []float64, columns []float64, m int) []float64 {
	n := len(columns) / m
	first := len(q)
	q = append(q, make([]float64, m*m)...)
	for a := range m {
		for b := range a + 1 {
			sum := floats.Dot(columns[a*n:(a+1)*n], columns[b*n:(b+1)*n])
			q[first+a*m+b], q[first+b*m+a] = sum, sum
		}
	}
	return q
}

// blend returns Σ w·M·p.
func blend(matrices []geom.Affine, weights []skinning.Share, p mgl64.Vec3) (out mgl64.Vec3) {
	for _, s := range weights {
		m, w := &matrices[s.Joint], s.Weight
		out[0] += w * (m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3])
		out[1] += w * (m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7])
		out[2] += w * (m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11])
	}
	return out
}

// ssdJoints is the number of candidate joints of a vertex: those with the least error when the vertex follows one joint
// only (rows 72, 73).
const ssdJoints = 12

// ssdTraining finds the weights of each vertex by least squares over the simplex: the non-negative least squares of
// James and Twigg with the sum kept exactly. Vertices that solve has not reached yet have the rig's own weights or,
// without a rig, the one joint that predicts them best. So a cancelled fit has a model.
type ssdTraining struct {
	x          *Examples
	workers    int
	s          *SSD
	candidates [][]int

	best    []bestJoints
	scratch []ssdScratch
	hold    float64
	roots   []float64 // of the weights of the examples; nil where these are 1
	next    int       // chunk
}

type ssdScratch struct {
	solver
	held []float64 // the gram of weighted examples, held to the rig's weights
}

// newSSDTraining finds each vertex's candidates and the error that it begins with.
func newSSDTraining(x *Examples, workers int) *ssdTraining {
	n := len(x.Rest)
	t := &ssdTraining{x: x, workers: workers, candidates: make([][]int, n), best: newBestJoints(x, workers),
		scratch: make([]ssdScratch, max(workers, 1))}
	t.s = &SSD{make([][]skinning.Share, n), make([]float64, n), rigidErrors(x.withoutMorphed(), workers)}
	if x.Weights != nil {
		t.roots = x.roots()
	}
	t.hold = likeRig * x.diagonal()
	t.hold *= t.hold * float64(len(x.Pairs))
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		b := &t.best[worker]
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			b.find(v, ssdJoints)
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
	if t.roots != nil {
		for i := range w.columns {
			w.columns[i] *= t.roots[i/3%len(t.roots)]
		}
		w.held = gramOf(w.held[:0], w.columns, len(candidates))
	}
	if t.x.Rigged != nil {
		holdTo(w.held, candidates, t.x.Rigged[v], t.hold)
	}
	w.simplex.MinimizeSparse(w.held, len(candidates), mostInfluences, w.w)
	t.s.square[v] = quadratic(w.gram, w.w)
	t.s.Weights[v] = skinning.AppendShares(nil, candidates, w.w)
}
