package export

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf/bake"
	"skinlab/skinning"
	"skinlab/skinning/geom"
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
		bone.Parent, bone.Fallback = at.parent, at.parent
		if at.parent >= 0 {
			bone.Parent = x.fitted.Skeleton.Joints[bone.Beside].Node
		}
		x.hangOn = append(x.hangOn, at.hang)
	}
}

// addNodes writes the nodes of the added joints at rest: one each, or two where there is shear. It returns the outer
// ones; x.boneNode has the inner ones, which are the joints.
func (x *exporter) addNodes() (outer []int) {
	for k := range x.bones {
		bone := &x.bones[k]
		name := x.fitted.Skeleton.Joints[bone.Joint].Name
		node := transformed(name, &bone.Rest)
		at := x.out.push("nodes", node)
		outer, x.boneNode = append(outer, at), append(x.boneNode, at)
		x.report.AddedNodes++
		if bone.Nested {
			node["name"] = name + "-stretch"
			inner := dict{"name": name}
			if bone.Rest.Inner != geom.IdentityQuat() {
				inner["rotation"] = numbersOf(bone.Rest.Inner[:])
			}
			x.boneNode[k] = x.out.push("nodes", inner)
			node["children"] = items{x.boneNode[k]}
			x.report.AddedNodes++
		}
		if p := bone.Parent; p != bone.Fallback {
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

func transformed(name string, key *bake.Key) dict {
	node := dict{"name": name, "translation": numbersOf(key.Translation[:])}
	if key.Outer != geom.IdentityQuat() {
		node["rotation"] = numbersOf(key.Outer[:])
	}
	if key.Scale != (mgl64.Vec3{1, 1, 1}) {
		node["scale"] = numbersOf(key.Scale[:])
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

// pathNames and pathShapes are what glTF calls the paths of an added bone, and the types of their values.
var (
	pathNames  = [bake.BonePaths]string{"translation", "rotation", "scale", "rotation", "scale"}
	pathShapes = [bake.BonePaths]string{"VEC3", "VEC4", "VEC3", "VEC4", "VEC3"}
)

// addKeys writes the keys of all clips on the added joints. A path that no clip moves is left to the node. One that a
// clip moves has a key in every clip: players that change clips without a reset would leave it where it was.
func (x *exporter) addKeys(clips []bake.Clip, outer []int) {
	for k := range x.bones {
		for path := range bake.BonePaths {
			moves := func(c bake.Clip) bool { return !c.Tracks[k][path].Rest }
			if !slices.ContainsFunc(clips, moves) {
				continue
			}
			node := outer[k]
			if path == bake.InnerPath || path == bake.EvenPath {
				node = x.boneNode[k]
			}
			for i := range clips {
				keys := &clips[i].Tracks[k][path]
				interpolation := "LINEAR"
				if keys.Step {
					interpolation = "STEP"
				}
				addChannel(x.out.at("animations", i), node, pathNames[path], interpolation,
					x.out.keyTimes(keys.Times), x.out.keyValues(keys, path))
			}
		}
	}
	x.out.flushKeys()
}

// addChannel appends a channel to an animation.
func addChannel(animation dict, node int, path, interpolation string, input, output int) {
	samplers, _ := animation["samplers"].(items)
	channels, _ := animation["channels"].(items)
	animation["channels"] = append(channels, dict{"sampler": len(samplers), "target": dict{"node": node, "path": path}})
	sampler := dict{"input": input, "output": output}
	if interpolation != "LINEAR" { // which is what a file says that says nothing
		sampler["interpolation"] = interpolation
	}
	animation["samplers"] = append(samplers, sampler)
}

// masterModel returns a fitted model without what the fit added.
func masterModel(fitted *skinning.Model) *skinning.Model {
	m := *fitted
	if len(m.Rigs) == 0 {
		return &m
	}
	added := addedJoints(&m)
	s := &m.Skeleton
	s.Joints = s.Joints[:len(s.Joints)-added]
	s.Nodes = s.Nodes[:len(s.Nodes)-added]
	s.Order = slices.DeleteFunc(slices.Clone(s.Order), func(i int) bool { return i >= len(s.Nodes) })
	m.Rigs = nil
	m.Skin.Influences = skinning.Influences{} // the fit's own come later
	return &m
}
