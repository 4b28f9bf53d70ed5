package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// bestJoint finds the joint that predicts a vertex best when the vertex follows one joint with weight 1. It holds
// scratch memory, so that each worker has its own.
type bestJoint struct {
	x        *Examples
	among    []int         // the joints that are tried
	matrices []geom.Affine // joint after joint, in every example: read in order
	target   []mgl64.Vec3  // of the vertex, in every example
}

// newBestJoint returns one per worker.
func newBestJoint(x *Examples, workers int) []bestJoint {
	matrices := make([]geom.Affine, 0, len(x.Parent)*len(x.Pairs))
	for j := range x.Parent {
		for i := range x.Pairs {
			matrices = append(matrices, x.Pairs[i].Matrices[j])
		}
	}
	all, among := make([]bestJoint, max(workers, 1)), make([]int, len(x.Parent))
	for j := range among {
		among[j] = j
	}
	for w := range all {
		all[w] = bestJoint{x: x, among: among, matrices: matrices, target: make([]mgl64.Vec3, len(x.Pairs))}
	}
	return all
}

// read takes the targets of a vertex.
func (a *bestJoint) read(v int) {
	for i := range a.target {
		a.target[i] = a.x.Pairs[i].Target[v]
	}
}

// offsets appends how far a joint misses the targets of a vertex that has been read, x, y and z of every example, times a
// number for each example.
func (a *bestJoint) offsets(dst []float64, v, joint int, times []float64) []float64 {
	p := a.x.Rest[v]
	n := len(a.target)
	all := a.matrices[joint*n : (joint+1)*n]
	for i := range all {
		m, y, by := &all[i], &a.target[i], times[i]
		dst = append(dst,
			by*(m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3]-y[0]),
			by*(m[4]*p[0]+m[5]*p[1]+m[6]*p[2]+m[7]-y[1]),
			by*(m[8]*p[0]+m[9]*p[1]+m[10]*p[2]+m[11]-y[2]))
	}
	return dst
}

// find returns the best joint of a vertex, the lower one among equals, and its Σ_i ‖C_j^i·ŷ − y^i‖². The sum of a joint
// is given up as soon as it exceeds the least so far. Most joints are far away, and one example is enough for them.
func (a *bestJoint) find(v int) (joint int, least float64) {
	a.read(v)
	p := a.x.Rest[v]
	n := len(a.target)
	joint, least = -1, math.Inf(1)
	for _, j := range a.among {
		e := 0.0
		all := a.matrices[j*n : (j+1)*n]
		for i := range all {
			if m, y := &all[i], &a.target[i]; e < least {
				x := m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3] - y[0]
				z := m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7] - y[1]
				w := m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11] - y[2]
				e += x*x + z*z + w*w
			}
		}
		if e < least || joint < 0 {
			joint, least = j, e
		}
	}
	return joint, least
}

// errorOf returns Σ_i ‖Σ w·C^i·ŷ − y^i‖² of a vertex with given weights.
func (x *Examples) errorOf(v int, weights []skinning.Share) (sum float64) {
	for i := range x.Pairs {
		e := &x.Pairs[i]
		d := blend(e.Matrices, weights, x.Rest[v]).Sub(e.Target[v])
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
	all, own := newBestJoint(x, workers), x.ownJoints()
	for w := range all {
		all[w].among = own
	}
	parallel.For(workers, parallel.Chunks(len(out)), func(worker, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		for v := lo; v < hi; v++ {
			_, out[v] = all[worker].find(v)
		}
	})
	return out
}
