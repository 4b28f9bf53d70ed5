package enveloping

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

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

// ssdTraining finds the weights of each vertex by least squares over the simplex: the non-negative least squares of
// James and Twigg with the sum kept exactly. Vertices that solve has not reached yet have the rig's own weights or,
// without a rig, the one joint that predicts them best. So a cancelled fit has a model.
//
// Joints that hardly move relative to each other in the examples, such as the fingers of a flat hand, predict a vertex
// equally well, and many joints far away fit noise. Only the rig tells which ones the vertex belongs to (row 69). So the
// weights are held to the rig's: they also learn prior poses, in which the skin is that of the rig's weights.
type ssdTraining struct {
	x       *Examples
	workers int
	s       *SSD

	best    []bestJoint // of the examples with the prior poses
	tree    []int       // the root above each joint; nil for a model whose joints are all candidates for every vertex
	scratch []pricing
	roots   []float64 // of the weights of these
	next    int       // chunk
}

// newSSDTraining finds the weights that each vertex begins with, and their error.
func newSSDTraining(x *Examples, workers int) *ssdTraining {
	n := len(x.Rest)
	held := x.heldToRig()
	t := &ssdTraining{x: x, workers: workers, best: newBestJoint(held, workers), scratch: make([]pricing, max(workers, 1)),
		roots: held.roots()}
	if len(x.Parent) > mostPriced {
		t.tree = rootsAbove(x.Parent)
	}
	t.s = &SSD{make([][]skinning.Share, n), make([]float64, n), rigidErrors(x.withoutMorphed(), workers)}
	parallel.For(workers, parallel.Chunks(n), func(worker, c int) {
		b := &t.best[worker]
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			if x.Rigged != nil {
				t.s.Weights[v], t.s.square[v] = x.Rigged[v], x.errorOf(v, x.Rigged[v])
				continue
			}
			joint, e := b.find(v)
			t.s.Weights[v], t.s.square[v] = []skinning.Share{{Joint: uint16(joint), Weight: 1}}, e
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

// solveVertex finds the weights of a vertex.
func (t *ssdTraining) solveVertex(worker, v int) {
	p := t.pricing(worker, v)
	p.sparsen(p.minimize(), mostInfluences)
	t.s.Weights[v] = skinning.AppendShares(nil, p.chosen(), p.w)
	t.s.square[v] = t.x.errorOf(v, t.s.Weights[v])
}

// mostPriced is the largest number of joints of a model in which every joint is a candidate for every vertex. In a larger
// model, such as a crowd, a vertex has the joints of those skeletons as candidates that it follows. Pricing all joints
// of 121 skeletons took ten minutes.
const mostPriced = 256

// rootsAbove returns the root above each joint.
func rootsAbove(parents []int) []int {
	roots := make([]int, len(parents))
	for j := range roots {
		for roots[j] = j; parents[roots[j]] >= 0; {
			roots[j] = parents[roots[j]]
		}
	}
	return roots
}

// pricing returns the least squares of a vertex, which begin with its weights.
func (t *ssdTraining) pricing(worker, v int) *pricing {
	b, p := &t.best[worker], &t.scratch[worker]
	p.begin(3 * len(t.roots))
	b.read(v)
	begin := t.s.Weights[v]
	for j := range t.x.Parent {
		if t.tree == nil || slices.ContainsFunc(begin, func(s skinning.Share) bool { return t.tree[s.Joint] == t.tree[j] }) {
			p.candidates = append(p.candidates, j)
			p.offsets = b.offsets(p.offsets, v, j, t.roots)
		}
	}
	for _, share := range begin {
		p.add(slices.Index(p.candidates, int(share.Joint)), share.Weight)
	}
	return p
}
