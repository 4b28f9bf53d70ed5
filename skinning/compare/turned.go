package compare

import (
	"math"

	"skinlab/skinning"
)

// TurnedMost returns the joint to blame for an error at a vertex: of the joints that move it, the one that is turned
// farthest against its parent at a time of a clip; the strongest influence among equals. −1 where nothing moves the
// vertex.
func TurnedMost(m *skinning.Model, clip int, seconds float64, vertex int) int {
	frame := Pose(m, clip, true).At(seconds)
	joint, most := -1, 0.0
	for _, influence := range m.Skin.Of(nil, vertex) {
		j := int(influence.Joint)
		turn := frame.Rigid()[j].Real
		if p := m.Skeleton.Joints[j].Parent; p >= 0 {
			turn = frame.Rigid()[p].Real.Conjugate().Mul(turn)
		}
		// The half angle's cosine is the real part: the sign of a quaternion does not matter.
		if angle := 2 * math.Acos(math.Min(math.Abs(turn[3]), 1)); joint < 0 || angle > most+1e-6 {
			joint, most = j, angle
		}
	}
	return joint
}
