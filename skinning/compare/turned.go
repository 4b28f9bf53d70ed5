package compare

import (
	"math"

	"skinlab/skinning"
)

// TurnedMost returns the joint that likely causes an error at a vertex: the joint that moves the vertex and has the
// largest rotation relative to its parent at a time of a clip. Between equal rotations the larger weight decides. It is
// −1 where no joint moves the vertex.
func TurnedMost(m *skinning.Model, clip int, seconds float64, vertex int) int {
	frame := Pose(m, clip, true).At(seconds)
	joint, most := -1, 0.0
	for _, influence := range m.Skin.Of(nil, vertex) {
		j := int(influence.Joint)
		turn := frame.Rigid()[j].Real
		if p := m.Skeleton.Joints[j].Parent; p >= 0 {
			turn = frame.Rigid()[p].Real.Conjugate().Mul(turn)
		}
		// The real part is the cosine of half the angle. A quaternion and its negative are the same rotation.
		if angle := 2 * math.Acos(math.Min(math.Abs(turn[3]), 1)); joint < 0 || angle > most+1e-6 {
			joint, most = j, angle
		}
	}
	return joint
}
