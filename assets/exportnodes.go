package assets

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// placeBones finds the node that each added joint hangs on: the node of the master that it moves with most, beside
// which little is left to bake. Where that master is scaled unevenly it is the topmost node that is above all joints of
// all skins that use the bone, but not above a node that one of them names as its skeleton; where there is none, the
// root that was added over them.
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
				at.hang = x.skinPlans[skins[0]].root
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

// addNodes writes the nodes of the added joints at rest: one each, or two where there is shear. It returns the outer
// ones; x.boneNode has the inner ones, which are the joints.
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
		slack := slacksOf(x.fitted.Diagonal(), track.unit)
		paths := []bakedPath{
			{outer[k], "translation", "VEC3", slack.translation, func(b *boneKey) []float64 { return b.translation[:] }},
			{outer[k], "rotation", "VEC4", slack.turn, func(b *boneKey) []float64 { return b.outer[:] }},
			{outer[k], "scale", "VEC3", slack.scale, func(b *boneKey) []float64 { return b.scale[:] }},
		}
		if x.bones[k].nested {
			paths = append(paths, bakedPath{x.boneNode[k], "rotation", "VEC4", slack.turn,
				func(b *boneKey) []float64 { return b.inner[:] }})
		}
		for _, p := range paths {
			moves := slices.ContainsFunc(track.keys,
				func(key boneKey) bool { return !alike(p.of(&key), p.of(&rest[k]), p.slack) })
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
