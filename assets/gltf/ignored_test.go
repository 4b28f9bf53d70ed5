package gltf

import (
	"slices"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// What the file holds and the model does not is listed; of a file that is read whole there is nothing to list.
func TestIgnored(t *testing.T) {
	if m := mustDecode(t, gltftest.Beam().Glb()); len(m.Ignored) != 0 {
		t.Errorf("of a file that is read whole: %q", m.Ignored)
	}
	two := gltftest.Beam()
	attributes := two.Doc["meshes"].(list)[0].(object)["primitives"].(list)[0].(object)["attributes"].(object)
	two.Set(beamPrimitive+"attributes."+SetOf(&skinning.TwistWeights).Joints(0), attributes["JOINTS_0"])
	two.Set(beamPrimitive+"attributes."+SetOf(&skinning.TwistWeights).Weights(0), attributes["WEIGHTS_0"])
	if m := mustDecode(t, two.Glb()); m.Skin.Second(skinning.TwistSwing) == nil || len(m.Ignored) != 0 {
		t.Errorf("of a file with a second weight set: %q", m.Ignored)
	}
	b := gltftest.Beam()
	attributes = b.Doc["meshes"].(list)[0].(object)["primitives"].(list)[0].(object)["attributes"].(object)
	b.Push("cameras", object{"type": "perspective", "perspective": object{"yfov": 1, "znear": 0.1}})
	b.Push("materials", object{"name": "nobody's", "normalTexture": object{"index": 9}})
	b.Push("meshes", b.Doc["meshes"].(list)[0].(object))
	b.Push("textures", object{})
	b.Set("extensionsUsed", list{"KHR_lights_punctual", "KHR_texture_transform", "ACME_fur"})
	b.Set("extensions", object{"KHR_lights_punctual": object{"lights": list{object{"type": "point"}, object{"type": "spot"}}}})
	b.Set(beamPrimitive+"attributes.COLOR_1", attributes["POSITION"])
	m := mustDecode(t, b.Glb())
	want := []string{"extensions ACME_fur, KHR_lights_punctual", "1 camera", "2 lights", "vertex attributes COLOR_1",
		"material textures normalTexture", "1 unused mesh", "1 unused material", "1 unused texture"}
	if !slices.Equal(m.Ignored, want) {
		t.Errorf("%q, expected %q", m.Ignored, want)
	}
}
