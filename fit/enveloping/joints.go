package enveloping

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// jointPose is one skeletal pose as rotations: RTER's θ_b. The rotation of joint b relative to its parent, J_b = Q_pᵀ·Q_b, lives in the
// joint frame (section 3.2.1), which turns with the parent. A root has no frame to turn in: its own rotation moves the whole character
// and explains no deformation, so it counts as unturned relative to itself.
type jointPose struct {
	q     []skinning.Quat // Q_b, of the rotation in C_b, relative to the rest pose and to nothing else
	theta []mgl64.Vec3    // axis times angle of J_b, the branch as [branches] say
}

// branches say which of the rotation vectors of one rotation is meant, θ or θ − 2π about the same axis: the one nearer to the middle of
// those that were seen. A joint that was seen turning from 0 to 200 degrees then turns on past 180 at run time too.
type branches []mgl64.Vec3

// frameOf returns the joint in whose frame joint b turns.
func frameOf(parent []int, b int) int {
	if parent[b] < 0 {
		return b
	}
	return parent[b]
}

// rotations returns Q_b of every joint.
func rotations(dst []skinning.Quat, matrices []skinning.Affine) []skinning.Quat {
	dst = dst[:0]
	for j := range matrices {
		r, _ := skinning.PolarDecompose(matrices[j].Linear())
		dst = append(dst, skinning.QuatFromMat3(r))
	}
	return dst
}

// rotationVector returns axis times angle, the angle from 0 to π.
func rotationVector(q skinning.Quat) mgl64.Vec3 {
	if q[3] < 0 {
		q = q.Scale(-1)
	}
	return q.Log().Mul(2)
}

// nearest returns the rotation vector of the same rotation that is nearest to another vector.
func nearest(v, to mgl64.Vec3) mgl64.Vec3 {
	l := v.Len()
	if l < 1e-9 {
		// No rotation, or by rounding a full turn: any axis will do, so that of the other vector.
		turns := math.Round(to.Len() / (2 * math.Pi))
		if turns == 0 {
			return v
		}
		return to.Normalize().Mul(2 * math.Pi * turns).Add(v)
	}
	axis := v.Mul(1 / l)
	return v.Add(axis.Mul(2 * math.Pi * math.Round((to.Dot(axis)-l)/(2*math.Pi))))
}

// continuous makes a sequence of rotation vectors continuous: each is the one nearest to that before it.
func continuous(sequence []mgl64.Vec3) {
	for i := 1; i < len(sequence); i++ {
		sequence[i] = nearest(sequence[i], sequence[i-1])
	}
}

// expVector is the inverse of rotationVector.
func expVector(v mgl64.Vec3) skinning.Quat { return skinning.AxisAngle(v, v.Len()) }

// newBranches reads the poses of the examples in their order, and poses makes them rotation vectors.
func newBranches(parent []int, pairs []Example) (branches, []jointPose) {
	poses := make([]jointPose, len(pairs))
	for i := range pairs {
		poses[i].q = rotations(nil, pairs[i].Matrices)
		poses[i].theta = make([]mgl64.Vec3, len(parent))
	}
	mid := make(branches, len(parent))
	sequence := make([]mgl64.Vec3, len(pairs))
	for b := range parent {
		for i := range poses {
			sequence[i] = rotationVector(poses[i].q[frameOf(parent, b)].Conjugate().Mul(poses[i].q[b]))
		}
		continuous(sequence)
		lo, hi := sequence[0], sequence[0]
		for i, v := range sequence {
			poses[i].theta[b] = v
			for k := range v {
				lo[k], hi[k] = math.Min(lo[k], v[k]), math.Max(hi[k], v[k])
			}
		}
		mid[b] = lo.Add(hi).Mul(0.5)
	}
	return mid, poses
}

// set reads a pose at run time. It allocates nothing once the slices are there.
func (p *jointPose) set(parent []int, mid branches, matrices []skinning.Affine) {
	p.q = rotations(p.q, matrices)
	if cap(p.theta) < len(parent) {
		p.theta = make([]mgl64.Vec3, len(parent))
	}
	p.theta = p.theta[:len(parent)]
	for b := range parent {
		p.theta[b] = nearest(rotationVector(p.q[frameOf(parent, b)].Conjugate().Mul(p.q[b])), mid[b])
	}
}
