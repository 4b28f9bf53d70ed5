package blendbones

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// neighbours are the joints above and below each joint, mostly one above. Joints that are equal in all poses must not
// drive one bone together, so that all are named as the first of them ([remodel.JointPairs]).
type neighbours struct{ parents, children [][]uint16 }

func newNeighbours(s *skinning.Skeleton) *neighbours {
	n := &neighbours{make([][]uint16, len(s.Joints)), make([][]uint16, len(s.Joints))}
	for _, pair := range remodel.JointPairs(s) {
		n.parents[pair.Joint] = append(n.parents[pair.Joint], uint16(pair.Parent))
		n.children[pair.Parent] = append(n.children[pair.Parent], uint16(pair.Joint))
	}
	return n
}

// of returns the children and parents of joints that are not among these.
func (n *neighbours) of(joints []uint16) []uint16 {
	all := slices.Concat(next(n.children, joints), next(n.parents, joints))
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(j uint16) bool { return slices.Contains(joints, j) })
}

// A vertex may follow at most mostMasters masters, and joints up to stepsDown steps below its own. A joint far below
// has a long lever, and what it does is known only where a given pose turns it.
const (
	mostMasters = 24
	stepsDown   = 2
)

// lineage returns the ancestors of joints and the joints below them, the nearest first. The paper has none beside the
// joints themselves (section 4.2). Joints above and below them move in ways that imitate the bulge of the nonlinear
// method. Joints of other limbs do so by chance, in a few poses.
func lineage(n *neighbours, joints []uint16) (near []uint16) {
	up, down := joints, joints
	for step := 0; len(up)+len(down) > 0; step++ {
		up, down = next(n.parents, up), next(n.children, down)
		if step >= stepsDown {
			down = nil
		}
		for _, j := range slices.Concat(up, down) {
			if len(near)+len(joints) < mostMasters && !slices.Contains(near, j) && !slices.Contains(joints, j) {
				near = append(near, j)
			}
		}
	}
	return near
}

// next lists the joints a step on from some, each once.
func next(steps [][]uint16, from []uint16) (to []uint16) {
	for _, j := range from {
		for _, k := range steps[j] {
			if !slices.Contains(to, k) {
				to = append(to, k)
			}
		}
	}
	return to
}

// shareJoint reports whether two lists have a joint in common.
func shareJoint(a, b []uint16) bool {
	return slices.ContainsFunc(a, func(j uint16) bool { return slices.Contains(b, j) })
}
