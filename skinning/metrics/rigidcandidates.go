package metrics

import "skinlab/skinning"

// MostPairs bounds the pairs of a vertex and a joint that are tried for the best rigid predictions. If a skin has more
// pairs, only the joints that each vertex follows are tried. It bounds the sums that [Errors] keeps, eight bytes for
// each vertex and joint, 128 MiB in all, and with them the work of a frame. 100,000 vertices with 160 joints are below.
// Without a bound a file of 50 kB, whose 250 skins share one mesh, took 450 MB and ten seconds.
const MostPairs = 1 << 24

// RigidCandidates are the joints among which EE takes the best rigid prediction of a vertex: a model's own joints.
// Joints that its rigs drive are left out, so that EE of a fitted model is a share of the same distance as that of the
// model that it was made from.
type RigidCandidates struct {
	All    []int // of every vertex; nil where that would be more than [MostPairs]
	skin   *skinning.Influences
	driven []bool
}

// NewRigidCandidates lists those of a model.
func NewRigidCandidates(m *skinning.Model) RigidCandidates {
	c := RigidCandidates{skin: &m.Skin.Influences, driven: m.DrivenJoints()}
	for j, driven := range c.driven {
		if !driven {
			c.All = append(c.All, j)
		}
	}
	if len(c.All)*len(m.Skin.Positions) > MostPairs {
		c.All = nil
	}
	return c
}

// Near appends the candidates that a vertex follows. The best one is likely among them. If All is nil, a vertex that
// follows only joints of rigs has these as its candidates.
func (c *RigidCandidates) Near(dst []int, v int) []int {
	var buf [8]skinning.Influence
	all, n := c.skin.Of(buf[:0], v), len(dst)
	for _, in := range all {
		if !c.driven[in.Joint] {
			dst = append(dst, int(in.Joint))
		}
	}
	if len(dst) == n && c.All == nil {
		for _, in := range all {
			dst = append(dst, int(in.Joint))
		}
	}
	return dst
}
