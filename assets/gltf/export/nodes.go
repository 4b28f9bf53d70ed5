package export

import (
	"fmt"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf/bake"
)

// placeBones chooses the parent of each added joint: the node of the master that it moves with most, so that its keys
// are few and small. The fallback, for a master that is scaled unevenly, is the topmost common ancestor of the joints
// of all skins that use the bone (see sharedAncestor), or the root that was added above them. The joint of a
// [skinning.ChildRig] needs no fallback: whatever its parent's scale is, it has the same.
func (x *exporter) placeBones() {
	type place struct{ parent, under int }
	places := map[string]place{}
	for k := range x.bones {
		if bone := &x.bones[k]; bone.HasNode {
			bone.Parent = x.fitted.Skeleton.Joints[bone.Beside].Node
			bone.Fallback, x.parentOf = bone.Parent, append(x.parentOf, bone.Parent)
			continue
		}
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
			at.under = at.parent
			if at.parent < 0 {
				at.under = x.skinPlans[skins[0]].root
			}
			places[key] = at
		}
		bone := &x.bones[k]
		beside := x.fitted.Skeleton.Joints[bone.Beside].Node
		bone.Parent, bone.Fallback = at.parent, at.parent
		switch {
		case bone.Child:
			bone.Parent, bone.Fallback, at.under = beside, beside, beside
		case at.parent >= 0:
			bone.Parent = beside
		}
		x.parentOf = append(x.parentOf, at.under)
	}
}

// addNodes adds the nodes of the added joints at rest: one each, or two nested ones for a bone whose matrix shears. The
// outer nodes go into x.outerNode, the inner ones, which are the joints, into x.jointNode. A joint that is a node of
// the file already stays there.
func (x *exporter) addNodes() {
	for k := range x.bones {
		bone := &x.bones[k]
		if bone.HasNode {
			at := x.fitted.Skeleton.Joints[bone.Joint].Node
			node := x.Doc.Nodes[at]
			node.Matrix, node.Translation, node.Rotation, node.Scale = qgltf.DefaultMatrix, bone.Rest.Translation,
				bone.Rest.Outer, bone.Rest.Scale
			x.outerNode, x.jointNode = append(x.outerNode, at), append(x.jointNode, at)
			continue
		}
		name := x.fitted.Skeleton.Joints[bone.Joint].Name
		node := newNode(name)
		node.Translation, node.Rotation, node.Scale = bone.Rest.Translation, bone.Rest.Outer, bone.Rest.Scale
		at := push(&x.Doc.Nodes, node)
		x.outerNode, x.jointNode = append(x.outerNode, at), append(x.jointNode, at)
		x.report.AddedNodes++
		if bone.Nested {
			node.Name = name + "-stretch"
			inner := newNode(name)
			inner.Rotation = bone.Rest.Inner
			x.jointNode[k] = push(&x.Doc.Nodes, inner)
			node.Children = []int{x.jointNode[k]}
			x.report.AddedNodes++
		}
		if p := bone.Parent; p != bone.Fallback {
			x.parentOf[k] = p
		}
		x.attach(at, x.parentOf[k])
	}
}

// attach makes a new node a child of parent, or of −1 a root of every scene.
func (x *exporter) attach(node, parent int) {
	if parent >= 0 {
		p := x.Doc.Nodes[parent]
		p.Children = append(p.Children, node)
		return
	}
	for _, scene := range x.Doc.Scenes {
		scene.Nodes = append(scene.Nodes, node)
	}
}

// bonePaths are the glTF paths of the five paths of an added bone.
var bonePaths = [bake.BonePaths]qgltf.TRSProperty{qgltf.TRSTranslation, qgltf.TRSRotation, qgltf.TRSScale,
	qgltf.TRSRotation, qgltf.TRSScale}

// addKeys adds the keys of all clips on the added joints. A path that no clip moves has no keys. A path that any clip
// moves has keys in all clips, because a player that changes clips without a reset would otherwise leave it as it was.
func (x *exporter) addKeys(clips []bake.Clip) {
	for k := range x.bones {
		for path := range bake.BonePaths {
			moves := func(c bake.Clip) bool { return !c.Tracks[k][path].Rest }
			if !slices.ContainsFunc(clips, moves) {
				continue
			}
			node := x.outerNode[k]
			if path == bake.InnerPath || path == bake.EvenPath {
				node = x.jointNode[k]
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
