package export

import (
	"encoding/json"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// morphPlan is the plan for the morph targets of meshes whose skin has none after the fit. An example set has its
// shapes in morph targets. They correct the weights of the file: a player that had the fit too would apply them twice.
type morphPlan struct {
	meshOf map[int]int // by node, the mesh of each node that is fitted

	// Meshes whose targets go, with their weights and the channels that animate these.
	dropped map[int]bool
	// These are meshes of which other primitives need their targets. All primitives of a mesh must have the same number
	// of targets (glTF 2.0, section 3.7.2.2), so the fitted ones keep targets of zeros.
	zeroed map[int]bool
	// holder is the node of a joint that gets a constant channel in clips that contained only morph weights; −1 for
	// none. It has no matrix, since glTF does not allow a node with a matrix to be animated (section 3.11).
	holder int
}

// planMorphs decides which morph targets are removed, if the fit has left those of the skin out.
func (x *exporter) planMorphs() {
	x.morphs = morphPlan{meshOf: map[int]int{}, dropped: map[int]bool{}, zeroed: map[int]bool{}, holder: -1}
	if len(x.fitted.Skin.Morphs) > 0 || len(x.Model.Skin.Morphs) == 0 {
		return
	}
	hangs := func(j skinning.Joint) bool { return j.Parent >= 0 }
	if slices.ContainsFunc(x.Model.Skeleton.Joints, hangs) { // targets of a mesh without a skeleton are frames to learn
		x.warn("left out: %s, which correct the weights from before the fit",
			messages.Count(len(x.Model.Skin.Morphs), "morph target", "morph targets"))
	}
	for _, j := range x.Model.Skeleton.Joints {
		if x.Model.Skeleton.Nodes[j.Node].Matrix == nil {
			x.morphs.holder = j.Node
			break
		}
	}
	fitted := map[[2]int]bool{} // by mesh and primitive
	for _, p := range x.fitted.Skin.Parts {
		mesh := *x.Doc.Nodes[p.Node].Mesh
		x.morphs.meshOf[p.Node], fitted[[2]int{mesh, p.Primitive}] = mesh, true
	}
	for _, mesh := range x.morphs.meshOf {
		whole := x.morphs.holder >= 0
		for p := range x.Doc.Meshes[mesh].Primitives {
			whole = whole && fitted[[2]int{mesh, p}]
		}
		switch {
		case len(x.Doc.Meshes[mesh].Primitives[0].Targets) == 0:
		case whole:
			x.morphs.dropped[mesh] = true
		default:
			x.morphs.zeroed[mesh] = true
		}
	}
}

// dropTargets takes the morph targets from the fitted primitives of a mesh: the source's, or a copy of it.
func (x *exporter) dropTargets(source int, mesh *qgltf.Mesh, parts []skinning.Part) {
	switch {
	case x.morphs.dropped[source]:
		for _, p := range mesh.Primitives {
			p.Targets = nil
		}
		mesh.Weights = nil
		var extras map[string]json.RawMessage
		text, _ := mesh.Extras.(json.RawMessage)
		if json.Unmarshal(text, &extras) == nil {
			mesh.Extras = extras
			delete(extras, "targetNames")
			if len(extras) == 0 {
				mesh.Extras = nil
			}
		}
	case x.morphs.zeroed[source]:
		for i := range parts {
			zeros := x.out.zeros(qgltf.ComponentFloat, qgltf.AccessorVec3, parts[i].VertexCount, true)
			targets := mesh.Primitives[parts[i].Primitive].Targets
			for t := range targets {
				targets[t] = qgltf.PrimitiveAttributes{qgltf.POSITION: zeros}
			}
		}
	}
}

// dropChannels removes the channels that animate the weights of removed targets, the old channels of baked joints, and
// the samplers that no other channel uses.
func (x *exporter) dropChannels() {
	baked := map[int]bool{}
	for k := range x.bones {
		if x.bones[k].HasNode {
			baked[x.fitted.Skeleton.Joints[x.bones[k].Joint].Node] = true
		}
	}
	for _, a := range x.Doc.Animations {
		x.removeChannels(a, func(node int, path qgltf.TRSProperty) bool {
			if path == qgltf.TRSWeights {
				mesh, fitted := x.morphs.meshOf[node]
				return fitted && x.morphs.dropped[mesh]
			}
			return baked[node]
		})
	}
}

// fillEmptyClips adds a constant channel to animations that have lost all of their channels and move no free joint,
// because glTF does not allow an animation without channels. The clip keeps its index and its length.
func (x *exporter) fillEmptyClips() {
	for i, animation := range x.Doc.Animations {
		var times []float32
		for k := range x.fitted.Clips[i].Channels {
			times = append(times, x.fitted.Clips[i].Channels[k].Times...)
		}
		if len(x.morphs.dropped) == 0 || len(animation.Channels) > 0 || len(times) == 0 || x.movesFree(i) {
			continue
		}
		x.holdStill(animation, x.morphs.holder, x.Model.Skeleton.Nodes[x.morphs.holder].Rest.Translation, times)
	}
}

// fillStillClips does the same for clips that were to move free joints, if these have no keys because they do not move.
func (x *exporter) fillStillClips() {
	for k := range x.bones {
		if !x.fitted.Skeleton.Joints[x.bones[k].Joint].Free {
			continue
		}
		for i, animation := range x.Doc.Animations {
			if len(animation.Channels) == 0 && x.movesFree(i) {
				node := x.jointNode[k]
				x.holdStill(animation, node, x.Doc.Nodes[node].Translation, []float32{0, float32(x.fitted.Clips[i].Seconds)})
			}
		}
		return
	}
}

// holdStill adds a channel to an animation that keeps a node at rest, from the first of the given times to the last.
func (x *exporter) holdStill(animation *qgltf.Animation, node int, rest [3]float64, times []float32) {
	times = slices.Compact([]float32{slices.Min(times), slices.Max(times)})
	place := []float32{float32(rest[0]), float32(rest[1]), float32(rest[2])}
	x.out.channel(animation, node, &skinning.Channel{Path: skinning.PathTranslation, Times: times,
		Values: slices.Repeat(place, len(times))})
}
