package rig

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// JointRotations has the joint rotations of a pose that rotational regression reads (RTER section 3.2.1). The rotation
// of joint b relative to its parent, J_b = Q_pᵀ·Q_b, lives in the joint's frame, which turns with the parent. A root
// has no frame to turn in: its own rotation moves the whole character and explains no deformation, so it counts as
// unturned relative to itself.
type JointRotations struct {
	Q     []geom.Quat  // Q_b, the rotation in C_b: relative to the rest pose and to nothing else
	Theta []mgl64.Vec3 // axis times angle of J_b; radians
	// A rotation has many vectors, and no choice of one among them is continuous over all rotations. At a joint's cut,
	// Theta jumps from one vector to another. Near the cut, Other is the vector on the far side, and Share is its
	// weight, from 0 to ½. Predictions are blended from those of both vectors. Other and Share are nil if vectors were
	// chosen by other means.
	Other []mgl64.Vec3
	Share []float64

	only []bool // the joints whose vectors somebody reads, nil for all
}

// frameOf returns the joint in whose frame joint b turns.
func frameOf(parents []int, b int) int {
	if parents[b] < 0 {
		return b
	}
	return parents[b]
}

// Set takes the rotations of the joints' skinning matrices. One rotation has several rotation vectors: θ and θ − 2π
// about the same axis. Set keeps the one nearest to middle, so that a joint that turned from 0 to 200 degrees in the
// examples continues past 180. If middle is nil, Set takes the shortest vector only. It allocates only at the first
// call.
func (t *JointRotations) Set(parents []int, middle []mgl64.Vec3, q []geom.Quat) {
	t.Q, t.Theta = append(t.Q[:0], q...), t.Theta[:0]
	t.Other, t.Share = t.Other[:0], t.Share[:0]
	for b := range parents {
		if t.only != nil && !t.only[b] {
			t.Theta, t.Other, t.Share = append(t.Theta, mgl64.Vec3{}), append(t.Other, mgl64.Vec3{}), append(t.Share, 0)
			continue
		}
		v := geom.RotationVector(t.Q[frameOf(parents, b)].Conjugate().Mul(t.Q[b]))
		switch {
		case middle != nil && v.Len()+middle[b].Len() < fadeAngle: // as nearAndFar has it, and sooner
			t.Other, t.Share = append(t.Other, v), append(t.Share, 0)
		case middle != nil:
			near, far, share := nearAndFar(v, middle[b])
			v, t.Other, t.Share = near, append(t.Other, far), append(t.Share, share)
		}
		t.Theta = append(t.Theta, v)
	}
}

// InFrame returns a rotation of the world as the frame of joint b sees it: Q_pᵀ·r.
func (t *JointRotations) InFrame(parents []int, b int, r geom.Quat) geom.Quat {
	return t.Q[frameOf(parents, b)].Conjugate().Mul(r)
}

// NearestRotationVector returns the rotation vector of the same rotation as v that is nearest to another vector.
func NearestRotationVector(v, to mgl64.Vec3) mgl64.Vec3 {
	near, _, _ := nearAndFar(v, to)
	return near
}

// fadeAngle is the distance from the middle, radians along its axis, up to which only one rotation vector is used. The
// cut is at π, where the vector jumps to the other one of the same rotation. There the prediction of a surface that
// turns half as far as its joint would jump by half a turn. Between fadeAngle and π the prediction is blended from one
// to the other. A wider range is smoother, but loses more good predictions. With 30 degrees, errors over clips that
// cross cuts are from 4 percent below to 5 percent above those with a jump.
const fadeAngle = 165 * math.Pi / 180

// nearAndFar returns the two rotation vectors of the same rotation as v that are nearest to another vector, to, and the
// share of the second: 0 up to fadeAngle, rising to ½ where both are as near. The identity has no axis, so its second
// vector would be arbitrary. It has no share, because the fade starts beyond the length of to, and does not start at
// all if to is longer than π.
func nearAndFar(v, to mgl64.Vec3) (near, far mgl64.Vec3, share float64) {
	l := v.Len()
	if l < 1e-9 {
		// The rotation is the identity or, by rounding, a full turn. It has no axis, and takes that of the other
		// vector.
		if turns := math.Round(to.Len() / (2 * math.Pi)); turns != 0 {
			v = to.Normalize().Mul(2 * math.Pi * turns).Add(v)
		}
		return v, v, 0
	}
	axis := v.Mul(1 / l)
	ahead := to.Dot(axis) - l
	turns := math.Round(ahead / (2 * math.Pi))
	near = v.Add(axis.Mul(2 * math.Pi * turns))
	ahead -= 2 * math.Pi * turns
	far = near.Add(axis.Mul(math.Copysign(2*math.Pi, ahead)))
	start := math.Max(fadeAngle, to.Len())
	if x := (math.Abs(ahead) - start) / (2 * (math.Pi - start)); start < math.Pi && x > 0 {
		share = x * x * (3 - 2*x)
	}
	return near, far, share
}

// RotationTerm is rotational regression on one joint (RTER section 3.2.1): ρ̃ = u·W·θ̃_b. In the joint's frame the
// surface turns u times as far as the joint, about an axis that W turns from the joint's.
type RotationTerm struct {
	Joint int
	U     float64
	W     geom.Quat
}

// Turn returns the rotation of a term in a pose. If the term carries its joint's frame along, it is Q_p·exp(u·W·θ). A
// second term rotates the result of the first, so it is conjugated back into the world.
func (t *RotationTerm) Turn(parents []int, p *JointRotations, carries bool) geom.Quat {
	return t.turn(parents, p, p.Theta[t.Joint], carries)
}

// turn is Turn by a given θ of its joint.
func (t *RotationTerm) turn(parents []int, p *JointRotations, theta mgl64.Vec3, carries bool) geom.Quat {
	q := p.Q[frameOf(parents, t.Joint)]
	v := t.W.Rotate(theta).Mul(t.U)
	turn := q.Mul(geom.AxisAngle(v, v.Len()))
	if !carries {
		turn = turn.Mul(q.Conjugate())
	}
	return turn
}
