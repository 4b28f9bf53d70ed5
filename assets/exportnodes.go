package assets

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// placeBones finds the node that each added joint hangs on: the node of the master that it moves with most, beside
// which little is left to bake. Where that master is scaled unevenly it is the topmost node that is above all joints of all
// skins that use the bone, but not above a node that one of them names as its skeleton. In both places the joints of a skin
// share a root, as they must (glTF 2.0, section 3.7.3.2). Joints that share none get one, where the scenes allow.
func (x *exporter) placeBones() {
	type place struct{ parent, hang int }
	places := map[string]place{}
	for k := range x.bones {
		var skins []int
		for i, p := range x.skinPlans {
			if slices.Contains(p.bones, k) {
				skins = append(skins, i)
			}
		}
		slices.Sort(skins)
		key := fmt.Sprint(skins)
		at, ok := places[key]
		if !ok {
			at.parent = x.sharedAncestor(skins)
			if at.hang = at.parent; at.parent < 0 {
				at.hang = x.addRoot(skins)
			}
			places[key] = at
		}
		bone := &x.bones[k]
		bone.parent, bone.fallback = at.parent, at.parent
		if at.parent >= 0 {
			bone.parent = x.fitted.Skeleton.Joints[bone.beside].Node
		}
		x.hangOn = append(x.hangOn, at.hang)
	}
}

// addRoot adds a node without a transform above the roots of all joints of the skins and returns it. It returns −1, and the
// added joints become roots of the scenes, where a scene shows some of the roots and not others.
func (x *exporter) addRoot(skins []int) int {
	nodes := x.model.Skeleton.Nodes
	root := make([]int, len(nodes))
	for _, n := range x.model.Skeleton.Order {
		if root[n] = n; nodes[n].Parent >= 0 {
			root[n] = root[nodes[n].Parent]
		}
	}
	var roots []int
	for _, i := range skins {
		for _, joint := range x.doc.Skins[i].Joints {
			roots = append(roots, root[joint])
		}
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	shows := func(scene int) (n int) {
		for _, r := range roots {
			if slices.Contains(x.doc.Scenes[scene].Nodes, r) {
				n++
			}
		}
		return n
	}
	for i := range x.doc.Scenes {
		if n := shows(i); n != 0 && n != len(roots) {
			x.report.Warnings = append(x.report.Warnings, "the joints of a skin share no root, and cannot: its added bones are roots of the scene")
			return -1
		}
	}
	children := items{}
	for _, r := range roots {
		children = append(children, r)
	}
	at := x.out.push("nodes", dict{"name": "root", "children": children})
	for i := range x.doc.Scenes {
		if shows(i) == 0 {
			continue
		}
		kept := items{at}
		for _, n := range x.doc.Scenes[i].Nodes {
			if !slices.Contains(roots, n) {
				kept = append(kept, n)
			}
		}
		x.out.at("scenes", i)["nodes"] = kept
		x.doc.Scenes[i].Nodes = nil // its roots hang elsewhere now
	}
	return at
}

// sharedAncestor returns the node for placeBones, −1 where there is none. Time is linear in the nodes, whatever the depth.
func (x *exporter) sharedAncestor(skins []int) int {
	nodes := x.model.Skeleton.Nodes
	place := make([]int, len(nodes)) // on the way up from the first joint, counted from 1
	seen := make([]bool, len(nodes))
	var chain []int
	for n := int(x.doc.Skins[skins[0]].Joints[0]); n >= 0; n = nodes[n].Parent {
		chain = append(chain, n)
		place[n] = len(chain)
	}
	low, top := 0, len(chain)-1
	for _, i := range skins {
		for _, joint := range x.doc.Skins[i].Joints {
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
		if s := x.doc.Skins[i].Skeleton; s != nil && place[*s]-1 >= low {
			top = min(top, place[*s]-1)
		}
	}
	return chain[top]
}

// addNodes writes the nodes of the added joints at rest: one each, or two where there is shear. It returns the outer ones;
// x.boneNode has the inner ones, which are the joints.
func (x *exporter) addNodes(rest []boneKey) (outer []int) {
	first := len(x.fitted.Skeleton.Joints) - len(x.bones)
	for k := range x.bones {
		name := x.fitted.Skeleton.Joints[first+k].Name
		node := transformed(name, &rest[k])
		at := x.out.push("nodes", node)
		outer, x.boneNode = append(outer, at), append(x.boneNode, at)
		x.report.AddedNodes++
		if x.bones[k].nested {
			node["name"] = name + "-stretch"
			x.boneNode[k] = x.out.push("nodes", dict{"name": name, "rotation": numbersOf(rest[k].inner[:])})
			node["children"] = items{x.boneNode[k]}
			x.report.AddedNodes++
		}
		if p := x.bones[k].parent; p != x.bones[k].fallback {
			x.hangOn[k] = p
		}
		x.hang(at, x.hangOn[k])
	}
	return outer
}

// hang makes a new node a child of parent; −1 makes it a root of every scene.
func (x *exporter) hang(node, parent int) {
	if parent >= 0 {
		p := x.out.at("nodes", parent)
		children, _ := p["children"].(items)
		p["children"] = append(children, node)
		return
	}
	for i := range x.out.list("scenes") {
		scene := x.out.at("scenes", i)
		roots, _ := scene["nodes"].(items)
		scene["nodes"] = append(roots, node)
	}
}

func transformed(name string, key *boneKey) dict {
	node := dict{"name": name, "translation": numbersOf(key.translation[:]), "rotation": numbersOf(key.outer[:])}
	if key.scale != (mgl64.Vec3{1, 1, 1}) {
		node["scale"] = numbersOf(key.scale[:])
	}
	return node
}

func numbersOf(v []float64) items {
	out := make(items, len(v))
	for i := range v {
		out[i] = v[i]
	}
	return out
}

// addKeys appends a clip's keys on the added joints to its animation.
func (x *exporter) addKeys(animation dict, c *bakedClip, rest []boneKey, outer []int) {
	for k := range c.tracks {
		track := &c.tracks[k]
		input := -1
		paths := []bakedPath{
			{outer[k], "translation", "VEC3", 1e-7 * x.fitted.Diagonal(), func(b *boneKey) []float64 { return b.translation[:] }},
			{outer[k], "rotation", "VEC4", turnSlack, func(b *boneKey) []float64 { return b.outer[:] }},
			{outer[k], "scale", "VEC3", scaleSlack, func(b *boneKey) []float64 { return b.scale[:] }},
		}
		if x.bones[k].nested {
			paths = append(paths, bakedPath{x.boneNode[k], "rotation", "VEC4", turnSlack, func(b *boneKey) []float64 { return b.inner[:] }})
		}
		for _, p := range paths {
			moves := slices.ContainsFunc(track.keys, func(key boneKey) bool { return !alike(p.of(&key), p.of(&rest[k]), p.slack) })
			if !moves {
				continue // players leave the node at rest
			}
			if input < 0 {
				input = x.out.floats(track.times, "SCALAR", targetNone, true)
			}
			var values []float32
			for i := range track.keys {
				for _, v := range p.of(&track.keys[i]) {
					values = append(values, float32(v))
				}
			}
			addChannel(animation, p.node, p.path, "LINEAR", input, x.out.floats(values, p.shape, targetNone, false))
		}
	}
}

// bakedPath is one animated property of a node.
type bakedPath struct {
	node  int
	path  string
	shape string
	slack float64
	of    func(*boneKey) []float64
}

func alike(a, b []float64, slack float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= slack) {
			return false
		}
	}
	return true
}

// addChannel appends a channel to an animation.
func addChannel(animation dict, node int, path, interpolation string, input, output int) {
	samplers, _ := animation["samplers"].(items)
	channels, _ := animation["channels"].(items)
	animation["channels"] = append(channels, dict{"sampler": len(samplers), "target": dict{"node": node, "path": path}})
	animation["samplers"] = append(samplers, dict{"input": input, "output": output, "interpolation": interpolation})
}

// masterModel returns a fitted model without what the fit added.
func masterModel(fitted *skinning.Model) *skinning.Model {
	m := *fitted
	if m.Blend == nil && m.Envelope == nil {
		return &m
	}
	added := addedJoints(&m)
	s := &m.Skeleton
	s.Joints = s.Joints[:len(s.Joints)-added]
	s.Nodes = s.Nodes[:len(s.Nodes)-added]
	s.Order = slices.DeleteFunc(slices.Clone(s.Order), func(i int) bool { return i >= len(s.Nodes) })
	m.Blend, m.Envelope = nil, nil
	m.Skin.Influences = skinning.Influences{} // the fit's own come later
	return &m
}
