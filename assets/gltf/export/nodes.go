package export

import (
	"fmt"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf/bake"
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
		node := newNode(name)
		node.Translation, node.Rotation, node.Scale = bone.Rest.Translation, bone.Rest.Outer, bone.Rest.Scale
		at := push(&x.Doc.Nodes, node)
		outer, x.boneNode = append(outer, at), append(x.boneNode, at)
		x.report.AddedNodes++
		if bone.Nested {
			node.Name = name + "-stretch"
			inner := newNode(name)
			inner.Rotation = bone.Rest.Inner
			x.boneNode[k] = push(&x.Doc.Nodes, inner)
			node.Children = []int{x.boneNode[k]}
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
		p := x.Doc.Nodes[parent]
		p.Children = append(p.Children, node)
		return
	}
	for _, scene := range x.Doc.Scenes {
		scene.Nodes = append(scene.Nodes, node)
	}
}

// bonePaths are what glTF calls the paths of an added bone.
var bonePaths = [bake.BonePaths]qgltf.TRSProperty{qgltf.TRSTranslation, qgltf.TRSRotation, qgltf.TRSScale,
	qgltf.TRSRotation, qgltf.TRSScale}

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
				interpolation := qgltf.InterpolationLinear
				if keys.Step {
					interpolation = qgltf.InterpolationStep
				}
				addChannel(x.Doc.Animations[i], node, bonePaths[path], interpolation,
					x.out.keyTimes(keys.Times), x.out.keyValues(keys, path))
			}
		}
	}
	x.out.flushKeys()
}
