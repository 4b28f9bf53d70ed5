package stress

import (
	"slices"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// rig is the skeleton as the clips see it: one bone per node that is a joint.
type rig struct {
	model  *skinning.Model
	mirror *anatomy.Mirror
	bones  []bone // parents first
	flat   bool   // the nodes do not link the bones, names do
	pairs  []sharing
}

// bone is one joint node.
type bone struct {
	node, joint int // joint: the first one of the node
	parent      int // bone, −1 for none
	children    []int
	global      geom.Quat // rotation of the node in the static pose
	other       int       // the bone on the other side, −1 for none, itself in the middle
	mass        float64   // weight of the vertices that follow it or bones below it
	moves       bool      // it moves one part of the model against another
	digit       bool      // of a finger or toe
	collar, arm bool      // by its name
	metacarpal  bool      // by its name: a bone of the palm
}

func newRig(m *skinning.Model) *rig {
	r := &rig{model: linked(m), mirror: anatomy.NewMirror(m)}
	r.flat = r.model != m
	m = r.model
	s := &m.Skeleton
	joint := make([]int, len(s.Nodes))
	for j := len(s.Joints) - 1; j >= 0; j-- {
		joint[s.Joints[j].Node] = j + 1
	}
	for j, driven := range m.DrivenJoints() { // by the others
		if driven {
			joint[s.Joints[j].Node] = 0
		}
	}
	of := slices.Repeat([]int{-1}, len(s.Nodes)) // the bone that a node follows
	for _, n := range r.order() {
		if p := s.Nodes[n].Parent; p >= 0 {
			of[n] = of[p]
		}
		j := joint[n] - 1
		if j < 0 {
			continue
		}
		parent := of[n]
		if q := s.Joints[j].Parent; r.flat && q >= 0 {
			parent = of[s.Joints[q].Node]
		}
		of[n] = len(r.bones)
		r.bones = append(r.bones, bone{node: n, joint: j, parent: parent, other: -1,
			collar: says(s.Nodes[n].Name, "clav", "collar", "scapula", "shoulder"), arm: says(s.Nodes[n].Name, "arm"),
			metacarpal: says(s.Nodes[n].Name, "metacarp")})
		if parent >= 0 {
			r.bones[parent].children = append(r.bones[parent].children, of[n])
		}
	}
	r.weigh(of)
	r.pairUp(of)
	r.findDigits()
	r.findSharing()
	return r
}

// order returns the nodes in an order in which the parents of bones come first.
func (r *rig) order() []int {
	s := &r.model.Skeleton
	if !r.flat {
		return s.Order
	}
	byJoints := skinning.Skeleton{Nodes: append([]skinning.Node(nil), s.Nodes...)}
	for _, j := range s.Joints {
		if j.Parent >= 0 {
			byJoints.Nodes[j.Node].Parent = s.Joints[j.Parent].Node
		}
	}
	if err := byJoints.SortNodes(); err != nil {
		panic(err) // the joints of a flat hand are linked as a tree
	}
	return byJoints.Order
}

// says reports whether a name has one of the parts in it.
func says(name string, parts ...string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// weigh sums the weights of the vertices that follow each bone, including vertices of rigid meshes, and finds the bones
// that move vertices.
func (r *rig) weigh(of []int) {
	m := r.model
	bind := make([]int, len(m.Skeleton.Joints))
	for j := range bind {
		bind[j] = of[m.Skeleton.Joints[j].Node]
	}
	total := 0.0
	add := func(bone int, w float64) {
		total += w
		if bone >= 0 {
			r.bones[bone].mass += w
		}
	}
	for _, buf := range m.Skin.All() {
		for _, in := range buf {
			add(bind[in.Joint], float64(in.Weight))
		}
	}
	for i := range m.Rigid {
		for _, p := range m.Rigid[i].Parts {
			add(of[p.Node], float64(p.VertexCount))
		}
	}
	for b := len(r.bones) - 1; b >= 0; b-- {
		if p := r.bones[b].parent; p >= 0 {
			r.bones[p].mass += r.bones[b].mass
		}
	}
	for b := range r.bones {
		// A vertex's weights sum to 1 within 1e-4. A bone that moves less than a thousandth of a vertex is ignored.
		r.bones[b].moves = r.bones[b].mass > 1e-3 && r.bones[b].mass < total-1e-3
	}
}

func (r *rig) pairUp(of []int) {
	for b := range r.bones {
		if k := r.mirror.Pair[r.bones[b].node]; k >= 0 && of[k] >= 0 && r.bones[of[k]].node == k {
			r.bones[b].other = of[k]
		}
	}
}

// paired reports whether bone b has another one on the other side.
func (r *rig) paired(b int) bool { return r.bones[b].other >= 0 && r.bones[b].other != b }

// findDigits marks the bones of fingers and toes. These are unbranched chains that are not mirror images of each other
// and have a common parent: at least two chains on a bone of a limb, or at least three on any bone.
func (r *rig) findDigits() {
	for b := range r.bones {
		var chains []int
		for _, c := range r.bones[b].children {
			if r.bones[c].moves && r.unbranched(c) && !(r.paired(c) && r.bones[r.bones[c].other].parent == b) {
				chains = append(chains, c)
			}
		}
		if len(chains) < 2 || len(chains) < 3 && !r.paired(b) {
			continue
		}
		for _, c := range chains {
			for c >= 0 {
				r.bones[c].digit = true
				c = r.only(c)
			}
		}
	}
}

// only returns the one moving child of bone b, −1 for none or several.
func (r *rig) only(b int) int {
	found := -1
	for _, c := range r.bones[b].children {
		if r.bones[c].moves {
			if found >= 0 {
				return -1
			}
			found = c
		}
	}
	return found
}

// unbranched reports whether no bone below b has two moving children.
func (r *rig) unbranched(b int) bool {
	for {
		moving := 0
		for _, c := range r.bones[b].children {
			if r.bones[c].moves {
				moving++
			}
		}
		if moving != 1 {
			return moving == 0
		}
		b = r.only(b)
	}
}

// name returns what notes call a bone: for one of a pair, both.
func (r *rig) name(b int) string {
	if !r.paired(b) {
		return messages.Printable(r.model.Skeleton.Nodes[r.bones[b].node].Name)
	}
	first := r.model.Skeleton.Nodes[r.bones[min(b, r.bones[b].other)].node].Name
	if both := anatomy.WithoutSide(first); both != "" {
		first = both
	}
	return messages.Printable(first) + " L+R" // a clip names several on the timeline
}
