package export

import "slices"

// The joints of a skin must have a common root (glTF 2.0, section 3.7.3.2). A fit lets a skin use joints of other
// skins, which may stand under other roots. Such skins get a root above all of theirs.

// shareRoots adds a root above each group of tied skins that has none, where the scenes allow it.
func (x *exporter) shareRoots() {
	for _, skins := range x.tiedSkins() {
		if x.sharedAncestor(skins) >= 0 {
			continue
		}
		root := x.addRoot(skins)
		for _, i := range skins {
			x.skinPlans[i].root = root
		}
	}
}

// tiedSkins returns the groups of skins that must share a root. A skin is tied to the skins whose joints or bones it
// uses, and to those under whose joints its bones stand. Groups without an added joint are left out. Skins rise in a
// group, and groups by their first skin.
func (x *exporter) tiedSkins() (groups [][]int) {
	tie := make([]int, len(x.Skins)) // a skin of the same group, of a lower index or itself
	for i := range tie {
		tie[i] = i
	}
	first := func(i int) int {
		for tie[i] != i {
			i = tie[i]
		}
		return i
	}
	for i, p := range x.skinPlans {
		with := func(joint int) {
			a, b := first(i), first(x.fitted.Skeleton.Joints[joint].Skin)
			tie[max(a, b)] = min(a, b)
		}
		for _, j := range p.foreign {
			with(j)
		}
		for _, k := range p.bones {
			with(x.bones[k].Joint)
			with(x.bones[k].Beside)
		}
	}
	byFirst := make([][]int, len(tie))
	for i := range tie {
		if x.skinPlans[i] != nil {
			byFirst[first(i)] = append(byFirst[first(i)], i)
		}
	}
	for _, skins := range byFirst {
		if slices.ContainsFunc(skins, func(i int) bool { return len(x.skinPlans[i].foreign)+len(x.skinPlans[i].bones) > 0 }) {
			groups = append(groups, skins)
		}
	}
	return groups
}

// addRoot adds a node without a transform above the roots of all joints of the skins and returns it. If a scene
// contains some but not all of these roots, it returns −1, and the added joints become roots of the scenes. Skins
// without a joint, which are new, get a root in every scene.
func (x *exporter) addRoot(skins []int) int {
	nodes := x.Model.Skeleton.Nodes
	root := make([]int, len(nodes))
	for _, n := range x.Model.Skeleton.Order {
		root[n] = n
		if nodes[n].Parent >= 0 {
			root[n] = root[nodes[n].Parent]
		}
	}
	var roots []int
	for _, i := range skins {
		for _, joint := range x.Doc.Skins[i].Joints {
			roots = append(roots, root[joint])
		}
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	shows := func(scene int) (n int) {
		for _, r := range roots {
			if slices.Contains(x.Doc.Scenes[scene].Nodes, r) {
				n++
			}
		}
		return n
	}
	for i := range x.Doc.Scenes {
		if n := shows(i); n != 0 && n != len(roots) {
			x.warn("the joints of a skin share no root, and cannot: its added bones are roots of the scene")
			return -1
		}
	}
	node := newNode("root")
	node.Children = roots
	at := push(&x.Doc.Nodes, node)
	if len(roots) == 0 {
		x.attach(at, -1)
		return at
	}
	for i, scene := range x.Doc.Scenes {
		if shows(i) > 0 {
			others := slices.DeleteFunc(scene.Nodes, func(n int) bool { return slices.Contains(roots, n) })
			scene.Nodes = slices.Insert(others, 0, at)
		}
	}
	return at
}

// sharedAncestor returns the topmost node that is above all joints of the skins, but not above a node that one of the
// skins names as its skeleton; −1 where there is none. Time is linear in the nodes, whatever the depth.
func (x *exporter) sharedAncestor(skins []int) int {
	nodes := x.Model.Skeleton.Nodes
	if len(x.Doc.Skins[skins[0]].Joints) == 0 {
		return -1 // a new skin, see [gltf.Source.BindRigid]
	}
	place := make([]int, len(nodes)) // on the way up from the first joint, counted from 1
	seen := make([]bool, len(nodes))
	var chain []int
	for n := x.Doc.Skins[skins[0]].Joints[0]; n >= 0; n = nodes[n].Parent {
		chain = append(chain, n)
		place[n] = len(chain)
	}
	low, top := 0, len(chain)-1
	for _, i := range skins {
		for _, joint := range x.Doc.Skins[i].Joints {
			n := joint
			for n >= 0 && place[n] == 0 && !seen[n] {
				seen[n] = true
				n = nodes[n].Parent
			}
			switch {
			case n < 0:
				return -1
			case place[n] > 0:
				low = max(low, place[n]-1)
			}
		}
	}
	for _, i := range skins {
		if s := x.Doc.Skins[i].Skeleton; s != nil && place[*s]-1 >= low {
			top = min(top, place[*s]-1)
		}
	}
	return chain[top]
}

// dropSkeleton removes a skin's skeleton, an optional hint, where that node is not above all joints that the skin has
// gained.
func (x *exporter) dropSkeleton(i int, p *skinPlan) {
	named := x.Doc.Skins[i].Skeleton
	if named == nil {
		return
	}
	nodes := x.Model.Skeleton.Nodes
	below := func(node int) bool {
		for node >= 0 && node < len(nodes) && node != *named { // behind them are roots that were added
			node = nodes[node].Parent
		}
		return node == *named
	}
	stray := func(k int) bool { return !below(x.parentOf[k]) }
	far := func(joint int) bool { return !below(x.fitted.Skeleton.Joints[joint].Node) }
	if slices.ContainsFunc(p.bones, stray) || slices.ContainsFunc(p.foreign, far) {
		x.Doc.Skins[i].Skeleton = nil
	}
}
