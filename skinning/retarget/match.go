package retarget

import (
	"fmt"
	"slices"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/messages"
)

// By says why a joint of the motion is the one that a joint of the character follows.
type By uint8

// The reasons, the strongest first.
const (
	ByMap  By = iota // a map of joints says so
	ByName           // the names are equal
	ByLike           // the names are equal but for prefix, case, separators and the word for the side
	ByPart           // they move the same part of a body
	reasons
)

// String is what a message says of joints that are matched so.
func (b By) String() string {
	return [reasons]string{"by the map", "by name", "by similar name", "by the part of the body"}[b]
}

// Pair is a joint of the character and the joint that it follows.
type Pair struct {
	Node   int // of the character
	Source int // node of the motion
	By     By
}

// Matches are the joints of a character that follow a motion's, and those that do not.
type Matches struct {
	Pairs  []Pair // in the character's order, parents first
	Rest   []int  // nodes of the character's joints that stay at rest
	Unused []int  // nodes that clips of the motion move, and that no joint follows

	character, motion *skinning.Model
	body, source      anatomy.Body
}

// NewMatches finds which joint of a character follows which of a motion. Fixed, which may be nil, says it for some
// nodes of the character: a node of the motion, or −1 for a joint that stays at rest. Others are matched by their names,
// and then by the part of the body that they move, see [anatomy.Humanoid]. A joint of the motion may move several.
func NewMatches(character, motion *skinning.Model, fixed map[int]int) *Matches {
	m := &Matches{character: character, motion: motion}
	joints := jointNodes(character)
	from := sourceNodes(motion)
	m.body, m.source = anatomy.Humanoid(&character.Skeleton, joints), anatomy.Humanoid(&motion.Skeleton, from)
	pairs := make(map[int]Pair, len(joints))
	for node, source := range fixed {
		pairs[node] = Pair{node, source, ByMap}
	}
	add := func(node, source int, by By) {
		if _, ok := pairs[node]; !ok {
			pairs[node] = Pair{node, source, by}
		}
	}
	names := func(s *skinning.Skeleton, nodes []int) (all []string) {
		for _, i := range nodes {
			all = append(all, s.Nodes[i].Name)
		}
		return all
	}
	// Nodes above the joints may carry the whole character. They need the same name: "Armature" is in many files.
	above := slices.Concat(joints, ancestors(&character.Skeleton, joints))
	equalNames(above, names(&character.Skeleton, above), from, names(&motion.Skeleton, from),
		func(node, source int) { add(node, source, ByName) })
	equalNames(joints, anatomy.LikeNames(names(&character.Skeleton, joints)), from,
		anatomy.LikeNames(names(&motion.Skeleton, from)), func(node, source int) { add(node, source, ByLike) })
	for part, nodes := range m.body {
		for k, node := range nodes {
			// A chain of another number of joints is matched from its end: the chest bears the arms.
			if n := len(m.source[part]); n > 0 {
				at := max((2*(k+1)*n+len(nodes))/(2*len(nodes))-1, 0)
				add(node, m.source[part][at], ByPart)
			}
		}
	}
	m.sort(pairs, joints)
	return m
}

// Models returns the character and the model whose motion it follows.
func (m *Matches) Models() (character, motion *skinning.Model) { return m.character, m.motion }

// sort lists what is matched and what is not.
func (m *Matches) sort(pairs map[int]Pair, joints []int) {
	used, isJoint := make([]bool, len(m.motion.Skeleton.Nodes)), make([]bool, len(m.character.Skeleton.Nodes))
	for _, i := range joints {
		isJoint[i] = true
	}
	for _, i := range m.character.Skeleton.Order {
		p, ok := pairs[i]
		switch {
		case ok && p.Source >= 0:
			m.Pairs = append(m.Pairs, p)
			used[p.Source] = true
		case isJoint[i]:
			m.Rest = append(m.Rest, i)
		}
	}
	for c := range m.motion.Clips {
		for k := range m.motion.Clips[c].Channels {
			ch := &m.motion.Clips[c].Channels[k]
			if ch.Path != skinning.PathWeights && !used[ch.Node] {
				used[ch.Node] = true
				m.Unused = append(m.Unused, ch.Node)
			}
		}
	}
	slices.Sort(m.Unused)
}

// equalNames pairs nodes of equal names, the first with the first where several have a name.
func equalNames(nodes []int, names []string, from []int, sources []string, pair func(node, source int)) {
	of := map[string][]int{}
	for k, name := range sources {
		of[name] = append(of[name], from[k])
	}
	seen := map[string]int{}
	for k, name := range names {
		if all := of[name]; name != "" && len(all) > 0 {
			pair(nodes[k], all[min(seen[name], len(all)-1)])
			seen[name]++
		}
	}
}

// jointNodes returns the nodes of a model's own joints, each once, and of a model without joints all nodes. Joints that
// fits have added follow the others by themselves.
func jointNodes(m *skinning.Model) (nodes []int) {
	added := make([]bool, len(m.Skeleton.Joints))
	for _, a := range m.Added() {
		added[a.Joint] = true
	}
	seen := make([]bool, len(m.Skeleton.Nodes))
	for j := range m.Skeleton.Joints {
		if n := m.Skeleton.Joints[j].Node; !added[j] && !m.Skeleton.Joints[j].Free && !seen[n] {
			seen[n] = true
			nodes = append(nodes, n)
		}
	}
	if len(m.Skeleton.Joints) == 0 {
		for i := range m.Skeleton.Nodes {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// sourceNodes returns the nodes of a motion that may be followed: its joints, then all others, of which clips may move
// some.
func sourceNodes(m *skinning.Model) []int {
	nodes := jointNodes(m)
	seen := make([]bool, len(m.Skeleton.Nodes))
	for _, i := range nodes {
		seen[i] = true
	}
	for _, a := range m.Added() {
		seen[m.Skeleton.Joints[a.Joint].Node] = true
	}
	for i := range m.Skeleton.Nodes {
		if !seen[i] {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// ancestors returns the nodes above some, without these.
func ancestors(s *skinning.Skeleton, nodes []int) (above []int) {
	seen := make([]bool, len(s.Nodes))
	for _, i := range nodes {
		seen[i] = true
	}
	for _, i := range nodes {
		for p := s.Nodes[i].Parent; p >= 0 && !seen[p]; p = s.Nodes[p].Parent {
			seen[p] = true
			above = append(above, p)
		}
	}
	return above
}

// Counts says in words how many joints follow the motion, and why: "19 of 41 joints follow it: 2 by name, 17 by the part
// of the body".
func (m *Matches) Counts() string {
	var by [reasons]int
	for _, p := range m.Pairs {
		by[p.By]++
	}
	text := fmt.Sprintf("%d of %s of %s follow %s", len(m.Pairs),
		messages.Count(len(m.Pairs)+len(m.Rest), "joint", "joints"), m.character.Name, m.motion.Name)
	var why []string
	for b, n := range by {
		if n > 0 {
			why = append(why, fmt.Sprintf("%d %v", n, By(b)))
		}
	}
	if why == nil {
		return text
	}
	return text + ": " + strings.Join(why, ", ")
}

// Missing says which joints stay at rest, and which joints of the motion nothing follows; a line for each, none where
// there are none.
func (m *Matches) Missing() (lines []string) {
	for _, of := range []struct {
		s    *skinning.Skeleton
		all  []int
		what string
	}{{&m.character.Skeleton, m.Rest, "at rest"}, {&m.motion.Skeleton, m.Unused, "moved in " + m.motion.Name + ", followed by none"}} {
		if len(of.all) == 0 {
			continue
		}
		names := make([]string, len(of.all))
		for k, i := range of.all {
			names[k] = skinning.Named(of.s.Nodes[i].Name, "Node", i)
		}
		list, count := messages.List(names)
		if count < len(names) {
			list = fmt.Sprintf("%d, among them %s", len(names), list)
		}
		lines = append(lines, of.what+": "+list)
	}
	return lines
}
