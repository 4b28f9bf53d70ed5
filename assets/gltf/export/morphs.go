package export

import (
	"encoding/json"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/skinning"
)

// morphPlan is what happens to morph targets that a fitted skin no longer has: an example set keeps its shapes in them,
// and a file that kept them would show every shape twice. Keys are meshes of the document.
type morphPlan struct {
	dropped map[int]bool // all targets go, with their weights and the channels that animate these
	zeroed  map[int]bool // other primitives of the mesh need theirs, and all must have as many (glTF 2.0, section 3.7.2.2): zeros
	// Per animation and channel or sampler, whether it goes.
	channels, samplers [][]bool
	// holder is a joint's node that may be animated, which a node with a matrix may not (glTF 2.0, section 3.11); −1 for
	// none. It stands in for a clip that did nothing but morph.
	holder int
}

// planMorphs decides what goes: that of a model whose fit has left the skin's morph targets out.
func (x *exporter) planMorphs() {
	x.morphs = morphPlan{dropped: map[int]bool{}, zeroed: map[int]bool{}, holder: -1}
	if len(x.fitted.Skin.Morphs) > 0 || len(x.Model.Skin.Morphs) == 0 {
		return
	}
	for _, j := range x.Model.Skeleton.Joints {
		if x.Model.Skeleton.Nodes[j.Node].Matrix == nil {
			x.morphs.holder = j.Node
			break
		}
	}
	fitted := map[[2]int]bool{} // mesh and primitive
	nodes := map[int]int{}      // fitted nodes and their meshes
	for _, p := range x.fitted.Skin.Parts {
		nodes[p.Node] = *x.Doc.Nodes[p.Node].Mesh
		fitted[[2]int{nodes[p.Node], p.Primitive}] = true
	}
	for _, mesh := range nodes {
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
	if len(x.morphs.dropped) == 0 {
		return
	}
	for i := range x.Doc.Animations {
		a := x.Doc.Animations[i]
		channels, samplers, needed := make([]bool, len(a.Channels)), make([]bool, len(a.Samplers)),
			make([]bool, len(a.Samplers))
		for k := range a.Channels {
			c := a.Channels[k]
			if c.Target.Node != nil && c.Target.Path == qgltf.TRSWeights {
				mesh, ok := nodes[*c.Target.Node]
				channels[k] = ok && x.morphs.dropped[mesh]
			}
			if channels[k] {
				samplers[c.Sampler] = true
			} else {
				needed[c.Sampler] = true
			}
		}
		for k := range samplers {
			samplers[k] = samplers[k] && !needed[k]
		}
		x.morphs.channels, x.morphs.samplers = append(x.morphs.channels, channels), append(x.morphs.samplers, samplers)
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
			if delete(extras, "targetNames"); len(extras) == 0 {
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

// dropWeightChannels takes out the channels that animate what is dropped, and the samplers that only they use.
func (x *exporter) dropWeightChannels() {
	for i, gone := range x.morphs.channels {
		if !slices.Contains(gone, true) {
			continue
		}
		animation := x.Doc.Animations[i]
		moved := make([]int, len(animation.Samplers))
		samplers, channels := []*qgltf.AnimationSampler{}, []*qgltf.AnimationChannel{}
		for k, s := range animation.Samplers {
			if moved[k] = len(samplers); !x.morphs.samplers[i][k] {
				samplers = append(samplers, s)
			}
		}
		for k, c := range animation.Channels {
			if !gone[k] {
				c.Sampler = moved[c.Sampler]
				channels = append(channels, c)
			}
		}
		animation.Samplers, animation.Channels = samplers, channels
	}
}

// holdClips gives animations that have lost all their channels one that moves nothing, since they must have one: a clip
// keeps its place and its length.
func (x *exporter) holdClips() {
	for i := range x.morphs.channels {
		animation := x.Doc.Animations[i]
		var times []float32
		for k := range x.fitted.Clips[i].Channels {
			times = append(times, x.fitted.Clips[i].Channels[k].Times...)
		}
		if len(animation.Channels) > 0 || len(times) == 0 {
			continue
		}
		times = []float32{slices.Min(times), slices.Max(times)}
		if times[0] == times[1] {
			times = times[:1]
		}
		var values []float32
		for range times {
			for _, v := range x.Model.Skeleton.Nodes[x.morphs.holder].Rest.Translation {
				values = append(values, float32(v))
			}
		}
		addChannel(animation, x.morphs.holder, qgltf.TRSTranslation, qgltf.InterpolationLinear,
			x.out.floats(times, qgltf.AccessorScalar, qgltf.TargetNone, true),
			x.out.floats(values, qgltf.AccessorVec3, qgltf.TargetNone, false))
	}
}
