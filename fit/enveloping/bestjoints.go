package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// bestJoints finds the joints that predict a vertex best when the vertex follows one joint with weight 1. It holds
// scratch memory, so that each worker has its own.
type bestJoints struct {
	x        *Examples
	among    []int         // the joints that are tried
	matrices []geom.Affine // joint after joint, in every example: read in order
	target   []mgl64.Vec3  // of the vertex, in every example
	joints   []int         // the best, at most as many as asked for, the lower joint first among equals
	errors   []float64     // their Σ_i ‖C_j^i·ŷ − y^i‖²
}

// newBestJoints returns one per worker.
func newBestJoints(x *Examples, workers int) []bestJoints {
	matrices := make([]geom.Affine, 0, len(x.Parent)*len(x.Pairs))
	for j := range x.Parent {
		for i := range x.Pairs {
			matrices = append(matrices, x.Pairs[i].Matrices[j])
		}
	}
	all, among := make([]bestJoints, max(workers, 1)), make([]int, len(x.Parent))
	for j := range among {
		among[j] = j
	}
	for w := range all {
		all[w] = bestJoints{x: x, among: among, matrices: matrices, target: make([]mgl64.Vec3, len(x.Pairs))}
	}
	return all
}

// read takes the targets of a vertex.
func (a *bestJoints) read(v int) {
	for i := range a.target {
		a.target[i] = a.x.Pairs[i].Target[v]
	}
}

// offsets appends how far a joint misses the targets of a vertex that has been read, x, y and z of every example.
func (a *bestJoints) offsets(dst []float64, v, joint int) []float64 {
	p := a.x.Rest[v]
	n := len(a.target)
	all := a.matrices[joint*n : (joint+1)*n]
	for i := range all {
		m, y := &all[i], &a.target[i]
		dst = append(dst,
			m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3]-y[0],
			m[4]*p[0]+m[5]*p[1]+m[6]*p[2]+m[7]-y[1],
			m[8]*p[0]+m[9]*p[1]+m[10]*p[2]+m[11]-y[2])
	}
	return dst
}

// find fills joints and errors with the best count joints of a vertex. The sum of a joint is given up as soon as it
// exceeds the sum of the worst joint that is kept. Most joints are far away, and one example is enough for them.
func (a *bestJoints) find(v, count int) {
	a.read(v)
	p := a.x.Rest[v]
	n := len(a.target)
	a.joints, a.errors = a.joints[:0], a.errors[:0]
	for _, j := range a.among {
		limit, full := math.Inf(1), len(a.joints) == count
		if full {
			limit = a.errors[count-1]
		}
		e := 0.0
		all := a.matrices[j*n : (j+1)*n]
		for i := range all {
			if m, y := &all[i], &a.target[i]; e < limit {
				x := m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3] - y[0]
				z := m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7] - y[1]
				w := m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11] - y[2]
				e += x*x + z*z + w*w
			}
		}
		if full && !(e < limit) {
			continue
		}
		if !full {
			a.joints, a.errors = append(a.joints, 0), append(a.errors, 0)
		}
		k := len(a.joints) - 1
		for ; k > 0 && e < a.errors[k-1]; k-- {
			a.joints[k], a.errors[k] = a.joints[k-1], a.errors[k-1]
		}
		a.joints[k], a.errors[k] = j, e
	}
}

// errorOf returns Σ_i ‖Σ w·C^i·ŷ − y^i‖² of a vertex with given weights.
func (a *bestJoints) errorOf(v int, weights []skinning.Share) (sum float64) {
	for i := range a.x.Pairs {
		e := &a.x.Pairs[i]
		d := blend(e.Matrices, weights, a.x.Rest[v]).Sub(e.Target[v])
		sum += d.Dot(d)
	}
	return sum
}

// ownJoints are the joints that no rig of the model drives, the candidates of EE (see [metrics.RigidCandidates]).
func (x *Examples) ownJoints() (own []int) {
	driven := make([]bool, len(x.Parent))
	if x.model != nil {
		driven = x.model.DrivenJoints()
	}
	for j := range driven {
		if !driven[j] {
			own = append(own, j)
		}
	}
	return own
}

// rigidErrors returns per vertex the squared error of the one own joint that predicts it best: the measure of EE.
func rigidErrors(x *Examples, workers int) []float64 {
	if x.hasMorphed() {
		return morphedRigidErrors(x, workers)
	}
	out := make([]float64, len(x.Rest))
	all, own := newBestJoints(x, workers), x.ownJoints()
	for w := range all {
		all[w].among = own
	}
	parallel.For(workers, parallel.Chunks(len(out)), func(worker, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		for v := lo; v < hi; v++ {
			all[worker].find(v, 1)
			out[v] = all[worker].errors[0]
		}
	})
	return out
}
