package metrics

import (
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// LeastHalfTurn is the angle in degrees beyond which two joints that share vertices count as half a turn apart.
// Methods that blend rotations take the shorter way between the two, which changes side at 180 degrees: vertices with
// nearly equal weights jump from one side to the other and the skin tears. A reference that does so is no truth.
const LeastHalfTurn = 170

// halfTurnRounding is by how many degrees a pose that is keyed at [LeastHalfTurn] may exceed it: keys are float32.
const halfTurnRounding = 0.01

// leastShare is the weight of a vertex that each of two joints must have for the two to share it. Below it a change of
// side turns the vertex by less than 4·atan(1/9) = 25 degrees, and bends the skin rather than tearing it. Painted weights
// have traces of far joints: in a captured figure a single vertex of a left finger follows the right hand by a
// hundredth.
const leastShare = 0.1

// HalfTurn is two joints that share vertices, and the angle between their rigid parts relative to rest.
type HalfTurn struct {
	Joints  [2]int
	Degrees float64 // above [LeastHalfTurn], at most 180
}

// Text names the joints and the angle.
func (h *HalfTurn) Text(m *skinning.Model) string {
	name := func(k int) string { return messages.Printable(m.Skeleton.Joints[h.Joints[k]].Name) }
	return fmt.Sprintf("%s and %s, %.0f°", name(0), name(1), h.Degrees)
}

// HalfTurnNote says in a sentence that some poses are half turns, and what that means for methods. Joints are the text of
// the pose in which they are farthest apart.
func HalfTurnNote(some, poses int, joints string) string {
	return fmt.Sprintf("%d of %s: joints that share vertices are more than %d degrees apart (%s at most), where methods change "+
		"sides and the reference may be torn.", some, messages.Count(poses, "pose", "poses"), LeastHalfTurn, joints)
}

// HalfTurns finds the poses of a model in which joints that share vertices are half a turn apart. It is the one rule of
// the program for that: such poses are reported apart, and fits to a method do not learn from them.
type HalfTurns struct{ pairs [][2]uint16 }

// NewHalfTurns lists the pairs of joints that share vertices. In the place of a joint that a fit has added, its masters
// count.
func NewHalfTurns(m *skinning.Model) *HalfTurns {
	joints := len(m.Skeleton.Joints)
	masters := make([][]uint16, joints)
	for _, a := range m.Added() {
		masters[a.Joint] = a.Masters
	}
	shares := make(map[[2]uint16]bool)
	var own []uint16
	for _, all := range m.Skin.All() {
		own = own[:0]
		for _, in := range all {
			switch {
			case in.Weight < leastShare:
			case masters[in.Joint] != nil:
				own = append(own, masters[in.Joint]...)
			default:
				own = append(own, in.Joint)
			}
		}
		for i, a := range own {
			for _, b := range own[:i] {
				if a != b {
					shares[[2]uint16{min(a, b), max(a, b)}] = true
				}
			}
		}
	}
	h := &HalfTurns{}
	for p := range shares {
		h.pairs = append(h.pairs, p)
	}
	slices.SortFunc(h.pairs, func(a, b [2]uint16) int { return slices.Compare(a[:], b[:]) })
	return h
}

// Pairs are the joints that share vertices, in order. Callers must not change them.
func (h *HalfTurns) Pairs() [][2]uint16 { return h.pairs }

// Of returns the pair of joints that is farthest apart in a pose, and whether that is half a turn. An unrolled frame
// has none: its rotations go the way round that the clip made, which changes no side at 180 degrees.
func (h *HalfTurns) Of(f *skinning.Frame) (farthest HalfTurn, found bool) {
	if f.Unrolled || len(h.pairs) == 0 {
		return farthest, false
	}
	rigid, least := f.Rigid(), math.Cos((LeastHalfTurn+halfTurnRounding)*math.Pi/360) // cosines of half the angle
	for _, p := range h.pairs {
		if c := math.Abs(rigid[p[0]].Real.Dot(rigid[p[1]].Real)); c < least {
			least, found = c, true
			farthest = HalfTurn{[2]int{int(p[0]), int(p[1])}, 360 / math.Pi * math.Acos(c)}
		}
	}
	return farthest, found
}
