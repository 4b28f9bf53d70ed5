package gltf

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// rich returns the beam with a material that has everything, a second set of texture coordinates, colours and tangents.
func rich() *gltftest.Builder {
	b := gltftest.Beam()
	var uvs, colors, tangents []float64
	for v := range 8 {
		uvs = append(uvs, float64(v), 1)
		colors = append(colors, 0.5, 0.25, float64(v)/7)
		tangents = append(tangents, 0, 2, 0, float64(2*(v&1)-1))
	}
	b.Set(beamPrimitive+"attributes.TEXCOORD_1", b.Accessor(gltftest.Float, "VEC2", uvs...))
	b.Set(beamPrimitive+"attributes.COLOR_0", b.Accessor(gltftest.Float, "VEC3", colors...))
	b.Set(beamPrimitive+"attributes.TANGENT", b.Accessor(gltftest.Float, "VEC4", tangents...))
	moved := object{"KHR_texture_transform": object{"offset": list{0, 1}, "texCoord": 1}}
	b.Set("materials.0.pbrMetallicRoughness.metallicFactor", 0.75)
	b.Set("materials.0.pbrMetallicRoughness.roughnessFactor", 0.25)
	b.Set("materials.0.pbrMetallicRoughness.metallicRoughnessTexture", object{"index": 0, "extensions": moved})
	b.Set("materials.0.occlusionTexture", object{"index": 0, "extensions": moved, "strength": 0.5})
	b.Set("materials.0.normalTexture", object{"index": 0, "extensions": moved, "scale": 2})
	b.Set("materials.0.emissiveTexture", object{"index": 0, "extensions": moved})
	b.Set("materials.0.emissiveFactor", list{1, 0.5, 0})
	return b.Set("materials.0.extensions", object{
		"KHR_materials_emissive_strength": object{"emissiveStrength": 8},
		"KHR_materials_ior":               object{"ior": 2},
		"KHR_materials_specular":          object{"specularFactor": 0.5, "specularColorFactor": list{1, 2, 0}}})
}

// TestMaterial: every property of a material, and what it reads of vertices.
func TestMaterial(t *testing.T) {
	m := mustDecode(t, rich().Glb())
	if len(m.Warnings) != 0 || len(m.Ignored) != 0 {
		t.Errorf("warnings %q, ignored %q", m.Warnings, m.Ignored)
	}
	got := &m.Materials[0]
	if got.Metallic != 0.75 || got.Roughness != 0.25 || got.Emissive != [3]float32{8, 4, 0} || got.Grazing != 0.5 {
		t.Errorf("metallic %g, roughness %g, emissive %g, grazing %g", got.Metallic, got.Roughness, got.Emissive, got.Grazing)
	}
	// An index of 2 reflects ((2−1)/(2+1))² = 1/9, times the colour of the layer, times its factor of a half.
	for k, want := range []float64{1. / 18, 2. / 18, 0} {
		if !(math.Abs(float64(got.Reflectance[k])-want) <= 1e-7) {
			t.Errorf("reflectance %g, component %d is to be %g", got.Reflectance, k, want)
		}
	}
	strengths := map[skinning.MapKind]float32{skinning.RoughnessMap: 1, skinning.NormalMap: 2, skinning.OcclusionMap: 0.5,
		skinning.EmissiveMap: 1}
	for kind, strength := range strengths {
		to := got.Map(kind)
		if to == nil || !to.Second || to.Strength != strength {
			t.Fatalf("map %d: %+v, expected the second coordinates and strength %g", kind, to, strength)
		}
		if linear := kind != skinning.EmissiveMap; m.Textures[to.Texture].Linear != linear {
			t.Errorf("map %d: linear is %v", kind, !linear)
		}
	}
	if len(m.Textures) != 2 || m.Textures[got.Texture].Linear {
		t.Errorf("%d textures, expected the picture as colours and as numbers", len(m.Textures))
	}
	s := &m.Skin
	if s.SecondUVs[3] != (mgl32.Vec2{3, 2}) || s.Colors[7] != (skinning.Color{32768, 16384, 65535, 65535}) ||
		s.Tangents[0] != (mgl32.Vec4{0, 1, 0, -1}) || s.Tangents[1] != (mgl32.Vec4{0, 1, 0, 1}) {
		t.Errorf("second coordinates %v, colour %v, tangents %v %v", s.SecondUVs[3], s.Colors[7], s.Tangents[0], s.Tangents[1])
	}
}

// TestMorphTangents: deltas of tangents are in proportion to unit tangents; without a normal map nothing reads them.
func TestMorphTangents(t *testing.T) {
	b := rich() // whose tangents are 2 long
	b.Set(beamPrimitive+"targets.0.TANGENT", b.Accessor(gltftest.Float, "VEC3", slices.Repeat([]float64{1, 0, 0}, 8)...))
	m := mustDecode(t, b.Glb())
	if d := m.Skin.Morphs[0].Tangents; len(m.Warnings) != 0 || len(d) != 8 || d[3] != (mgl32.Vec3{0.5, 0, 0}) {
		t.Errorf("deltas %v, warnings %q", d, m.Warnings)
	}
	if d := mustDecode(t, b.Set("materials.0.normalTexture", nil).Glb()).Skin.Morphs[0].Tangents; d != nil {
		t.Errorf("without a normal map: %v", d)
	}
}

// TestMaterialDefaults: glTF's defaults are a full metal without polish, and no mesh has lists that nothing reads.
func TestMaterialDefaults(t *testing.T) {
	b := gltftest.Beam().Set("materials.0", object{})
	b.Set(beamPrimitive+"attributes.TANGENT", b.Accessor(gltftest.Float, "VEC4", make([]float64, 32)...))
	m := mustDecode(t, b.Glb())
	if got := &m.Materials[0]; got.Metallic != 1 || got.Roughness != 1 || got.Emissive != [3]float32{} ||
		!(math.Abs(float64(got.Reflectance[0])-0.04) <= 1e-8) || got.Grazing != 1 || got.Maps != nil {
		t.Errorf("%+v", got)
	}
	if s := m.Skin.Surface; s.UVs != nil || s.SecondUVs != nil || s.Colors != nil || s.Tangents != nil {
		t.Errorf("surface %+v", s)
	}
}

// TestHostileMaterials: values that no material may have are clamped or left out, and said; the shape is right anyway.
func TestHostileMaterials(t *testing.T) {
	const pbr = "materials.0.pbrMetallicRoughness."
	for _, c := range []struct {
		path  string
		value any
		want  string // part of a warning, or of an error that begins with !
	}{
		{pbr + "roughnessFactor", -1, `material 0 "cloth": roughnessFactor -1 is clamped to 0..1`},
		{pbr + "metallicFactor", 1e300, "metallicFactor 1e+300 is clamped to 0..1"},
		{pbr + "metallicRoughnessTexture.index", 9, "metallicRoughnessTexture: texture 9"},
		{"materials.0.normalTexture.extensions", object{"KHR_texture_transform": object{"texCoord": -3}},
			"normalTexture: texCoord is -3"},
		{"materials.0.normalTexture", object{"index": 0, "texCoord": 7}, "normalTexture has a third kind of texture coordinates"},
		{"materials.0.normalTexture.scale", -2e9, "normalTexture's strength -2e+09 is clamped to -10000..10000"},
		{"materials.0.occlusionTexture.strength", 7, "occlusionTexture's strength 7 is clamped to 0..1"},
		{"materials.0.emissiveFactor", list{-1, 0, 0}, "emissiveFactor -1 is clamped"},
		{"materials.0.extensions.KHR_materials_emissive_strength", object{"emissiveStrength": "NaN"}, "emissiveStrength"},
		{"materials.0.extensions.KHR_materials_emissive_strength", object{"emissiveStrength": 1e30}, "clamped to 0..10000"},
		{"materials.0.extensions.KHR_materials_specular", object{"specularColorFactor": list{1}}, "specularColorFactor"},
		{beamPrimitive + "attributes.TEXCOORD_1", nil, "its texture needs TEXCOORD_1"},
		{beamPrimitive + "attributes.COLOR_0", 0, ""},
		{beamPrimitive + "attributes.COLOR_0", 2, "!COLOR_0: accessor 2 is VEC2"},
		{beamPrimitive + "attributes.TANGENT", 0, "!TANGENT: accessor 0 is VEC3, expected VEC4"},
	} {
		m, err := Decode("beam.glb", rich().Set(c.path, c.value).Glb(), nil)
		if want, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %v: error %v, expected %q", c.path, c.value, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", c.path, c.value, err)
			continue
		}
		gltftest.CheckModel(t, m)
		if !slices.ContainsFunc(m.Warnings, func(w string) bool { return strings.Contains(w, c.want) }) {
			t.Errorf("%s %v: warnings %q, expected %q", c.path, c.value, m.Warnings, c.want)
		}
	}
	b := rich()
	colors := b.Accessor(gltftest.Float, "VEC3", append([]float64{2, -1, 0, math.NaN()}, make([]float64, 20)...)...)
	if _, err := Decode("beam.glb", b.Set(beamPrimitive+"attributes.COLOR_0", colors).Glb(), nil); err == nil ||
		!strings.Contains(err.Error(), "COLOR_0: vertex 1 is [NaN 0 0]") {
		t.Errorf("a colour that is no number: %v", err)
	}
}
