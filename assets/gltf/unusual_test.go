package gltf

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestWarnings changes one thing that is unusual but can be shown. The model loads, says so, and looks as stated.
func TestWarnings(t *testing.T) {
	set := func(path string, value any) func(*gltftest.Builder) {
		return func(b *gltftest.Builder) { b.Set(path, value) }
	}
	for _, c := range []struct {
		name  string
		want  string // part of a warning
		edit  func(*gltftest.Builder)
		check func(*skinning.Model) bool
	}{
		{"required extension of looks", "KHR_materials_clearcoat is ignored",
			set("extensionsRequired", list{"KHR_materials_clearcoat", "KHR_mesh_quantization"}), nil},
		{"skin of a mesh without joints", "node 0 has a skin, but the primitive has no JOINTS_0", func(b *gltftest.Builder) {
			for _, name := range []string{"JOINTS_0", "JOINTS_1", "WEIGHTS_0", "WEIGHTS_1"} {
				b.Set(beamPrimitive+"attributes."+name, nil)
			}
		}, func(m *skinning.Model) bool {
			return len(m.Rigid) == 2 && len(m.Skin.Positions) == 0 && len(m.Skeleton.Joints) == 0 && len(m.Rigid[0].Morphs) == 2
		}},
		{"skin that nothing uses", `skin 0 "rig": no drawn mesh uses it`, set("nodes.0.skin", nil),
			func(m *skinning.Model) bool { return len(m.Rigid) == 2 && m.Rigid[0].Bindings == nil }},
		{"weights that sum to 2", "8 vertices have weights that do not sum to 1", func(b *gltftest.Builder) {
			for v := range 8 {
				b.Patch(beamWeights, v, gltftest.Pack(gltftest.Float, 1, 1, 0, 0)).Patch(beamWeights1, v,
					gltftest.Pack(gltftest.Float, 0, 0, 0, 0))
			}
		}, func(m *skinning.Model) bool { return m.Skin.Bindings[0].Weights == [4]float32{0.5, 0.5} }},
		{"negative weight", "weights below 0",
			func(b *gltftest.Builder) { b.Patch(beamWeights, 0, gltftest.Pack(gltftest.Float, -1, 0.5, 0, 0)) },
			func(m *skinning.Model) bool {
				return m.Skin.Bindings[0].Joints[0] == 1 && m.Skin.Bindings[0].Weights[0] == 1
			}},
		{"weights near the end of float32", "do not sum to 1",
			func(b *gltftest.Builder) { b.Patch(beamWeights, 0, gltftest.Pack(gltftest.Float, 3e38, 3e38, 0, 0)) },
			func(m *skinning.Model) bool { return m.Skin.Bindings[0].Weights == [4]float32{0.5, 0.5} }},
		{"weights of zero", "1 vertices have no weight above 0 (first: mesh 0 \"beam\", primitive 0, vertex 2)",
			func(b *gltftest.Builder) {
				b.Patch(beamWeights, 2, make([]byte, 16))
				b.Patch(beamWeights1, 2, make([]byte, 16)).Patch(beamJoints, 2, gltftest.Pack(gltftest.Ubyte, 2, 2, 2, 2))
			}, func(m *skinning.Model) bool { return m.Skin.Bindings[2] == skinning.Binding{Weights: [4]float32{1}} }},
		{"joint out of range with weight 0", "1 influences of weight 0 name a joint",
			func(b *gltftest.Builder) { b.Patch(beamJoints, 2, gltftest.Pack(gltftest.Ubyte, 0, 1, 99, 0)) }, nil},
		{"singular inverse bind matrix of an unused joint", `skin 0 "rig": 1 joints that no vertex follows have a singular`,
			func(b *gltftest.Builder) { b.Unbound() },
			func(m *skinning.Model) bool { return m.Skeleton.Joints[3].Position == mgl64.Vec3{0, 2, 0} }},
		{"triangles against their normals", "triangles wind against their normals", func(b *gltftest.Builder) {
			for v := range 8 {
				b.Patch(beamNormal, v, gltftest.Pack(gltftest.Float, 0, 0, 1))
			}
		}, nil},
		{"normal of zero", "1 vertices have a normal of length zero",
			func(b *gltftest.Builder) { b.Patch(beamNormal, 3, make([]byte, 12)) },
			func(m *skinning.Model) bool { return m.Skin.Normals[3].Dot(m.Skin.Positions[3]) > 0 }},
		{"texture coordinates missing", "its texture needs TEXCOORD_0", set(beamPrimitive+"attributes.TEXCOORD_0", nil),
			func(m *skinning.Model) bool { return m.Skin.UVs == nil }},
		{"bad picture", `image 0: bad PNG`,
			func(b *gltftest.Builder) { b.Set("images.0.bufferView", b.View([]byte("\x89PNG\r\n\x1a\nnothing"))) },
			func(m *skinning.Model) bool { return m.Materials[0].Texture == -1 && len(m.Textures) == 0 }},
		{"picture of another kind", "neither PNG, JPEG nor WebP",
			func(b *gltftest.Builder) { b.Set("images.0.bufferView", b.View([]byte("RIFF....WAVE"))) }, nil},
		{"bad WebP", `image 0: bad WebP`,
			func(b *gltftest.Builder) { b.Set("images.0.bufferView", b.View([]byte("RIFF....WEBPnothing"))) }, nil},
		{"texture without a source", "it has no picture that is read", set("textures.0", object{}), nil},
		{"KTX2", "KHR_texture_basisu, which is not read (gltf-transform ktxdecompress in.glb out.glb", set("textures.0",
			object{"extensions": object{"KHR_texture_basisu": object{"source": 0}}}), nil},
		{"AVIF", "EXT_texture_avif, which is not read (gltf-transform png in.glb out.glb", set("textures.0",
			object{"extensions": object{"EXT_texture_avif": object{"source": 0}}}), nil},
		{"picture outside", "not a file in the model's folder", set("images.0", object{"uri": "../secret.png"}), nil},
		{"wrap mode", "samplers[0].wrapS is 7, expected 10497, 33071 or 33648; it is left out", set("samplers.0.wrapS", 7), nil},
		{"alpha mode", `materials[0].alphaMode is "GLASS", expected BLEND, MASK or OPAQUE; it is left out`,
			set("materials.0.alphaMode", "GLASS"), nil},
		{"colour above 1", "baseColorFactor 7 is clamped",
			set("materials.0.pbrMetallicRoughness.baseColorFactor", list{7, 0, 0, 1}),
			func(m *skinning.Model) bool { return m.Materials[0].BaseColor == [4]float32{1, 0, 0, 1} }},
		{"rotation not of unit length", "its rotation has length 2", set("nodes.2.rotation", list{0, 0, 0, 2}), nil},
		{"matrix and translation", "the matrix is used", set("nodes.3.translation", list{5, 5, 5}), nil},
		{"unknown animation path", `channel 0: animates "colour"`, set("animations.0.channels.0.target.path", "colour"),
			func(m *skinning.Model) bool { return len(m.Clips[0].Channels) == 3 }},
		{"required extensions that change no shape", "VRMC_vrm is ignored",
			set("extensionsRequired", list{"VRM", "VRMC_vrm", "MOZ_hubs_components", "FB_geometry_metadata"}), nil},
		{"skin lists a node twice", "node 2 is a joint of this skin already", set("skins.0.joints.2", 2),
			func(m *skinning.Model) bool {
				j := m.Skeleton.Joints
				return j[1].Node == 2 && j[2].Node == 2 && j[1].Parent == 0 && j[2].Parent == 0
			}},
		{"instanced mesh", "EXT_mesh_gpu_instancing shows a skinned mesh, which is drawn once",
			set("nodes.0.extensions", object{"EXT_mesh_gpu_instancing": object{"attributes": object{"TRANSLATION": 0}}}),
			func(m *skinning.Model) bool { return len(m.Skin.Positions) > 0 }},
		{"hidden mesh", "KHR_node_visibility hides 1 mesh node",
			set("nodes.0.extensions", object{"KHR_node_visibility": object{"visible": false}}),
			func(m *skinning.Model) bool { return len(m.Skin.Positions) == 0 && len(m.Rigid) == 1 }},
		{"weights of a node without a mesh", "node 1 has no morph targets", set("animations.0.channels.3.target.node", 1),
			nil},
		{"two channels for one target", "animates rotation of node 2 a second time", func(b *gltftest.Builder) {
			one := b.Doc["animations"].(list)[0].(object)
			one["channels"] = append(one["channels"].(list),
				object{"sampler": 0, "target": object{"node": 2, "path": "rotation"}})
		}, func(m *skinning.Model) bool { return len(m.Clips[0].Channels) == 4 }},
		{"node outside the scene", "scene 0 shows 1 of 2 mesh nodes", set("scenes.0.nodes", list{0}),
			func(m *skinning.Model) bool { return len(m.Rigid) == 0 }},
		{"bytes after the end", "bytes after the end", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			if c.edit != nil {
				c.edit(b)
			}
			data := b.Glb()
			if c.edit == nil {
				data = append(data, "junk"...)
			}
			m := mustDecode(t, data)
			if !gltftest.HasWarning(m, c.want) {
				t.Errorf("warnings %q, expected %q", m.Warnings, c.want)
			}
			if c.check != nil && !c.check(m) {
				t.Errorf("not as stated: skin %+v, rigid %+v", m.Skin, m.Rigid)
			}
		})
	}
}

// TestQuietVariants changes what glTF allows. The model loads without a warning.
func TestQuietVariants(t *testing.T) {
	set := func(path string, value any) func(*gltftest.Builder) {
		return func(b *gltftest.Builder) { b.Set(path, value) }
	}
	for _, c := range []struct {
		name  string
		edit  func(*gltftest.Builder)
		check func(*skinning.Model) bool
	}{
		{"integers written as floats", func(b *gltftest.Builder) {
			b.Set("accessors.0.count", json.RawMessage("8.0")).Set("nodes.1.children", list{json.RawMessage("0.2e1")})
		}, nil},
		{"scene without a mesh shows all", set("scenes.0.nodes", list{5}),
			func(m *skinning.Model) bool { return len(m.Rigid) == 1 && len(m.Skin.Positions) == 8 }},
		{"no scene shows all", func(b *gltftest.Builder) { b.Set("scenes", nil).Set("scene", nil) },
			func(m *skinning.Model) bool { return len(m.Rigid) == 1 }},
		{"first scene without a default", set("scene", nil), func(m *skinning.Model) bool { return len(m.Rigid) == 1 }},
		{"no normals", set(beamPrimitive+"attributes.NORMAL", nil),
			func(m *skinning.Model) bool { return m.Skin.Morphs[0].Normals == nil }},
		{"no indices", func(b *gltftest.Builder) {
			// Normals would wind the other way than some triangles of a strip of these vertices.
			b.Set(beamPrimitive+"indices", nil).Set(beamPrimitive+"mode", 5).Set(beamPrimitive+"attributes.NORMAL", nil)
		},
			func(m *skinning.Model) bool { return len(m.Skin.Triangles) == 6 }},
		{"minor version", func(b *gltftest.Builder) { b.Set("asset.version", "2.3").Set("asset.minVersion", "2.0") }, nil},
		{"unnamed clip", set("animations.0.name", nil), func(m *skinning.Model) bool { return m.Clips[0].Name == "Clip 1" }},
		{"channel without a node", set("animations.0.channels.0.target.node", nil),
			func(m *skinning.Model) bool { return len(m.Clips[0].Channels) == 3 }},
		{"base64 for URLs and a bare percent sign", func(*gltftest.Builder) {}, func(*skinning.Model) bool {
			data, err := decodeDataURI(";base64,-_-_")
			name, err2 := localPath("100%.bin")
			return err == nil && err2 == nil && string(data) == "\xfb\xff\xbf" && name == "100%.bin"
		}},
		{"normalised rotation keys", func(b *gltftest.Builder) {
			b.Set("animations.0.samplers.0.output", b.Accessor(gltftest.Short, "VEC4", 0, 0, 0, 32767, 0, 0, 23170, 23170))
			b.Doc["accessors"].(list)[len(b.Doc["accessors"].(list))-1].(object)["normalized"] = true
		}, func(m *skinning.Model) bool {
			return m.Clips[0].Channels[0].Values[7] == float32(23170./32767)
		}},
		{"extras of any form", func(b *gltftest.Builder) { b.Set("meshes.0.extras", list{"targetNames"}).Set("extras", 7) },
			func(m *skinning.Model) bool { return m.MorphSlots[1].Name == "Morph target 2" }},
		{"target without an effect", set(beamPrimitive+"targets.0", object{}),
			func(m *skinning.Model) bool { return len(m.MorphSlots) == 2 && len(m.Skin.Morphs) == 1 }},
		{"diffuse colour of specular-glossiness", func(b *gltftest.Builder) {
			b.Set("materials.0.pbrMetallicRoughness", nil)
			b.Set("materials.0.extensions", object{"KHR_materials_pbrSpecularGlossiness": object{
				"diffuseFactor": list{0, 1, 0, 1}, "diffuseTexture": object{"index": 0}}})
		}, func(m *skinning.Model) bool {
			return m.Materials[0].BaseColor == [4]float32{0, 1, 0, 1} && m.Materials[0].Texture == 0 &&
				m.Skin.UVs[7] == mgl32.Vec2{1, 1}
		}},
		{"unlit", set("materials.0.extensions", object{"KHR_materials_unlit": object{}}),
			func(m *skinning.Model) bool { return m.Materials[0].Unlit }},
		{"blend", set("materials.0.alphaMode", "BLEND"),
			func(m *skinning.Model) bool { return m.Materials[0].Blend && m.Materials[0].AlphaCutoff == 0 }},
		{"weights as normalised shorts", func(b *gltftest.Builder) {
			for n, at := range []string{"attributes.WEIGHTS_0", "attributes.WEIGHTS_1"} {
				w := make([]float64, 32)
				for v := range 8 {
					w[4*v] = float64(65535 * (1 - n))
				}
				i := b.Accessor(gltftest.Ushort, "VEC4", w...)
				b.Doc["accessors"].(list)[i].(object)["normalized"] = true
				b.Set(beamPrimitive+at, i)
			}
			// All joints still move something.
			for v := range 8 {
				b.Patch(beamJoints, v, gltftest.Pack(gltftest.Ubyte, float64(v%3), 0, 0, 0))
			}
		}, func(m *skinning.Model) bool {
			return m.Skin.Bindings[4] == skinning.Binding{Joints: [4]uint16{1}, Weights: [4]float32{1}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			c.edit(b)
			m := mustDecode(t, b.Glb())
			if len(m.Warnings) != 0 {
				t.Errorf("warnings %q", m.Warnings)
			}
			if c.check != nil && !c.check(m) {
				t.Errorf("not as stated: %+v", m.Skin)
			}
		})
	}
}

// TestSeveralSkins: joints of the used skins follow one another by skin index; a skin that two nodes share appears
// once; parts come by node index.
func TestSeveralSkins(t *testing.T) {
	b := gltftest.Beam()
	b.Push("skins", object{"joints": list{3, 2}, "inverseBindMatrices": beamInverseBind})
	for v := range 8 { // the second skin has two joints
		b.Patch(beamJoints1, v, gltftest.Pack(gltftest.Ushort, 1, 0, 0, 0))
	}
	b.Push("nodes", object{"mesh": 0, "skin": 1})
	b.Push("nodes", object{"mesh": 0, "skin": 0, "weights": list{1, 1}})
	b.Set("scenes.0.nodes", list{7, 0, 6, 1})
	m := mustDecode(t, b.Glb())
	if got := len(m.Skeleton.Joints); got != 5 {
		t.Fatalf("%d joints, expected 3 and 2", got)
	}
	parents := []int{-1, 0, 1, 4, -1}
	for j, want := range parents {
		if got := m.Skeleton.Joints[j]; got.Parent != want || got.Skin != j/3 {
			t.Errorf("joint %d: %+v, expected parent %d", j, got, want)
		}
	}
	var nodes []int
	for _, p := range m.Skin.Parts {
		nodes = append(nodes, p.Node)
	}
	if !slices.Equal(nodes, []int{0, 6, 7}) || len(m.Skin.Positions) != 24 || len(m.MorphSlots) != 6 {
		t.Errorf("parts of nodes %v, %d vertices, %d slots", nodes, len(m.Skin.Positions), len(m.MorphSlots))
	}
	if m.MorphSlots[4].Default != 1 || m.Skin.Morphs[5].FirstVertex != 16 || m.Skin.Morphs[5].Slot != 5 {
		t.Errorf("slots %+v", m.MorphSlots)
	}
	if m.Skin.Bindings[8].Joints[0] != 3 || m.Skin.Triangles[12][0] != 8+m.Skin.Triangles[0][0] {
		t.Errorf("second part: %+v, %v", m.Skin.Bindings[8], m.Skin.Triangles[12])
	}
}

// TestMorphedNormals: rest normals and their deltas go through one linear map, so that morphing before and after it
// gives the same direction, also where it scales unevenly. Tolerance: float32 rounding of both, 1e-6.
func TestMorphedNormals(t *testing.T) {
	b := gltftest.Beam()
	b.Set("nodes.1.scale", list{1, 3, 0.5})
	delta := []float64{0.3, 0.4, -0.2}
	b.Set(beamPrimitive+"targets.0.NORMAL", b.Accessor(gltftest.Float, "VEC3", slices.Repeat(delta, 8)...))
	m := mustDecode(t, b.Glb())
	k := m.Skin.Morphs[0]
	for v := range 8 {
		i := float64(v&1) - 0.5
		n := mgl32.Vec3{float32(i), 0, float32(v>>1&1) - 0.5}.Normalize()
		n = n.Add(mgl32.Vec3{0.3, 0.4, -0.2})
		want := mgl32.Vec3{n[0], n[1] / 3, n[2] * 2}.Normalize() // the inverse transpose
		if got := m.Skin.Normals[v].Add(k.Normals[v]).Normalize(); !near(got, want) {
			t.Errorf("vertex %d: %v, expected %v", v, got, want)
		}
	}
}

// TestNotesAreBounded: a file with a fault in every one of its thousand nodes gives a readable number of warnings.
func TestNotesAreBounded(t *testing.T) {
	b := gltftest.Beam()
	for i := range 1000 {
		b.Push("nodes", object{"name": fmt.Sprint(i), "rotation": list{0, 0, 0, 2}})
	}
	m := mustDecode(t, b.Glb())
	if n := len(m.Warnings); n != fault.MaxNotes+1 || m.Warnings[n-1] != fmt.Sprintf("%d more warnings", 1000-fault.MaxNotes) {
		t.Errorf("%d warnings, the last %q", n, m.Warnings[n-1])
	}
}

// TestWebP: a texture of EXT_texture_webp is its picture, here two pixels without loss.
func TestWebP(t *testing.T) {
	b := gltftest.Beam()
	b.Set("textures.0", object{"extensions": object{"EXT_texture_webp": object{"source": 0}}})
	b.Set("images.0", object{"uri": "data:image/webp;base64,UklGRh4AAABXRUJQVlA4TBEAAAAvAQAAAA8Q87//8x8OMqL/AQA="})
	m := mustDecode(t, b.Glb())
	if want := []uint8{255, 0, 0, 255, 0, 0, 255, 255}; len(m.Textures) != 1 || !slices.Equal(m.Textures[0].Image.Pix, want) {
		t.Errorf("textures %+v, expected one of the pixels %v", m.Textures, want)
	}
}

// TestUVTransform: KHR_texture_transform turns counter-clockwise as seen in the picture, whose v points down.
func TestUVTransform(t *testing.T) {
	u := texTransform{Rotation: math.Pi / 2, Offset: [2]float64{0.25, 0.5}}
	if got := u.matrix().apply([2]float64{1, 0}); !(math.Hypot(got[0]-0.25, got[1]+0.5) <= 1e-15) {
		t.Errorf("(1, 0) goes to %v, expected (0.25, -0.5): up", got)
	}
}
