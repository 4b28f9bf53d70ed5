package export

import (
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// envelopedTrip gives the file that a builder makes proxies, exports, reads and compares it.
func envelopedTrip(t *testing.T, b *gltftest.Builder) (fitted, again *skinning.Model, doc dict) {
	t.Helper()
	data := b.Glb()
	m := decoded(t, "built.glb", data)
	fitted = gltftest.Enveloped(t, m, 2)
	again, _, out := export(t, fitted, data, nil, Options{})
	if gltftest.EnvelopeOf(again) == nil {
		t.Fatalf("no rig, warnings %q", again.Warnings)
	}
	samePlay(t, fitted, again)
	return fitted, again, treeOf(t, out)
}

func primitiveOf(doc dict, mesh, primitive int) dict {
	return doc["meshes"].(items)[mesh].(dict)["primitives"].(items)[primitive].(dict)
}

// TestExportDropsMorphs: the morph targets of a skin with proxies go, with all that refers to them and with nothing
// else.
func TestExportDropsMorphs(t *testing.T) {
	b := gltftest.Beam()
	b.Set("nodes.0.weights", list{0.5, 0.25}).Set("meshes.0.extras.mine", 1)
	_, again, doc := envelopedTrip(t, b)
	mesh := doc["meshes"].(items)[0].(dict)
	if len(again.MorphSlots) != 0 || mesh["weights"] != nil || primitiveOf(doc, 0, 0)["targets"] != nil ||
		doc["nodes"].(items)[0].(dict)["weights"] != nil {
		t.Errorf("%d slots are left of mesh %v", len(again.MorphSlots), mesh)
	}
	if extras := mesh["extras"].(dict); extras["mine"] != 1.0 || extras["targetNames"] != nil {
		t.Errorf("extras of the mesh: %v", extras)
	}
	for _, c := range doc["animations"].(items)[0].(dict)["channels"].(items) {
		if c.(dict)["target"].(dict)["path"] == "weights" {
			t.Error("a channel animates weights")
		}
	}
	// Three of the source's four samplers are left, in order, and nothing that the export adds is shared with them.
	if s := doc["animations"].(items)[0].(dict)["samplers"].(items); s[1].(dict)["interpolation"] != "STEP" ||
		s[2].(dict)["interpolation"] != "CUBICSPLINE" || s[3].(dict)["interpolation"] != nil {
		t.Errorf("samplers %v", s[:4])
	}
}

// TestExportHoldsMorphClip: a clip that did nothing but morph stays, as long as it was, and moves nothing.
func TestExportHoldsMorphClip(t *testing.T) {
	b := gltftest.Beam()
	a := b.Doc["animations"].(list)[0].(object)
	only := b.Accessor(gltftest.Float, "SCALAR", 0.5, 3)
	b.Push("animations", object{"name": "smile",
		"samplers": list{object{"input": only, "output": a["samplers"].(list)[3].(object)["output"]}},
		"channels": list{object{"sampler": 0, "target": object{"node": 0, "path": "weights"}}}})
	_, again, _ := envelopedTrip(t, b)
	if len(again.Clips) != 2 || again.Clips[1].Name != "smile" || again.Clips[1].Seconds != 3 {
		t.Fatalf("clips %+v", again.Clips)
	}
	for _, c := range again.Clips[1].Channels {
		for i, v := range c.Values {
			if v != c.Values[i%c.Width] {
				t.Errorf("node %d moves: %+v", c.Node, c)
				break
			}
		}
	}
}

// TestExportTrainedWeights: a fit of weights alone (SSD) leaves the morph targets out too, and adds no joint. A clip
// that did nothing but morph is held by a joint.
func TestExportTrainedWeights(t *testing.T) {
	b := gltftest.Beam()
	a := b.Doc["animations"].(list)[0].(object)
	b.Push("animations", object{"name": "smile", "samplers": list{a["samplers"].(list)[3]},
		"channels": list{object{"sampler": 0, "target": object{"node": 0, "path": "weights"}}}})
	data := b.Set("skins.0.extras", 7).Glb()
	m := decoded(t, "beam.glb", data)
	fitted := *m
	fitted.Skin.Morphs, fitted.Skin.Influences = nil, skinning.Influences{}
	for range m.Skin.Positions {
		fitted.Skin.Append([]skinning.Influence{{Joint: 1, Weight: 0.75}, {Joint: 2, Weight: 0.25}}, 0)
	}
	again, report, out := export(t, &fitted, data, nil, Options{})
	samePlay(t, &fitted, again)
	if report.Bones != 0 || len(again.MorphSlots) != 0 || len(again.Skeleton.Nodes) != len(m.Skeleton.Nodes) ||
		primitiveOf(treeOf(t, out), 0, 0)["targets"] != nil {
		t.Errorf("%d bones, %d slots, %d nodes", report.Bones, len(again.MorphSlots), len(again.Skeleton.Nodes))
	}
	if extras := treeOf(t, out)["skins"].(items)[0].(dict)["extras"]; extras != 7.0 {
		t.Errorf("the skin's extras, none of ours, became %v", extras)
	}
	if len(again.Clips) != 2 || again.Clips[1].Seconds != m.Clips[1].Seconds {
		t.Errorf("clips %+v", again.Clips)
	}
}

// TestExportMorphsBeside: a mesh of which one primitive is skinned and another is not. The other keeps its targets, and
// so the skinned one has as many, of zeros.
func TestExportMorphsBeside(t *testing.T) {
	b := gltftest.Beam()
	first := b.Doc["meshes"].(list)[0].(object)["primitives"].(list)[0].(object)
	attributes := first["attributes"].(object)
	rigid := object{"attributes": object{"POSITION": attributes["POSITION"], "NORMAL": attributes["NORMAL"]},
		"indices": first["indices"], "targets": first["targets"]}
	b.Set("meshes.0.primitives", list{first, rigid})
	fitted, again, doc := envelopedTrip(t, b)
	targets := primitiveOf(doc, 0, 0)["targets"].(items)
	if len(targets) != 2 || len(again.MorphSlots) != 2 {
		t.Fatalf("%d targets, %d slots, expected two", len(targets), len(again.MorphSlots))
	}
	for i := range again.Skin.Morphs {
		for v, d := range again.Skin.Morphs[i].Positions {
			if d != (again.Skin.Morphs[i].Positions[0]) || d.Len() != 0 {
				t.Fatalf("target %d moves vertex %d of the skin by %v", i, v, d)
			}
		}
	}
	morphs := func(m *skinning.Model) (n int) {
		for i := range m.Rigid {
			n += len(m.Rigid[i].Morphs)
		}
		return n
	}
	if morphs(again) != morphs(fitted) || morphs(again) == 0 {
		t.Errorf("%d morphs of rigid meshes, expected %d", morphs(again), morphs(fitted))
	}
}

// TestExportMorphsShared: a mesh that another node shows without the skin keeps its targets there.
func TestExportMorphsShared(t *testing.T) {
	b := gltftest.Beam()
	b.Push("nodes", object{"name": "statue", "mesh": 0})
	b.Set("scenes.0.nodes", list{0, 1, 6})
	_, again, doc := envelopedTrip(t, b)
	if len(primitiveOf(doc, 0, 0)["targets"].(items)) != 2 || len(again.MorphSlots) != 2 ||
		again.MorphSlots[0].Node != 6 || len(again.Skin.Morphs) != 0 {
		t.Errorf("slots %+v, %d morphs of the skin", again.MorphSlots, len(again.Skin.Morphs))
	}
	if mesh := int(doc["nodes"].(items)[0].(dict)["mesh"].(float64)); mesh == 0 ||
		primitiveOf(doc, mesh, 0)["targets"] != nil {
		t.Errorf("node 0 has mesh %d", mesh)
	}
}
