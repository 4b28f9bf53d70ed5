package assets

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Accessors of beam(), by what they are.
const (
	beamPosition = iota
	beamNormal
	beamUV
	beamJoints
	beamWeights
	beamJoints1
	beamWeights1
	beamIndices
	beamDense
	beamSparse
	beamFlag
	beamInverseBind
	beamTimes
	beamRotation
	beamTranslation
	beamScale
	beamMorph
)

const beamPrimitive = "meshes.0.primitives.0."

// TestMalformedNamesElement breaks one thing at a time. Every error must be of the right kind and name file, element
// and reason.
func TestMalformedNamesElement(t *testing.T) {
	nan := float64(math.Float32frombits(0x7fc00000))
	set := func(path string, value any) func(*builder) { return func(b *builder) { b.set(path, value) } }
	patch := func(accessor, element int, component int, values ...float64) func(*builder) {
		return func(b *builder) { b.patch(accessor, element, pack(component, values...)) }
	}
	for _, c := range []struct {
		name   string
		kind   error
		want   string // part of the error
		damage func(*builder)
	}{
		{"no asset", ErrMalformed, "no asset", set("asset", nil)},
		{"version 1", ErrUnsupported, "asset.version is 1.0", set("asset.version", "1.0")},
		{"version junk", ErrMalformed, "asset.version", set("asset.version", "two")},
		{"version number", ErrMalformed, "asset.version", set("asset.version", 2)},
		{"minimum version", ErrUnsupported, "asset.minVersion is 2.1", set("asset.minVersion", "2.1")},
		{"draco", ErrUnsupported, "KHR_draco_mesh_compression",
			set("extensionsRequired", list{"KHR_draco_mesh_compression"})},
		{"hidden draco", ErrUnsupported, "KHR_draco_mesh_compression", func(b *builder) {
			b.set("meshes.0.primitives.0.extensions", object{"KHR_draco_mesh_compression": object{}})
			b.set("accessors.0.bufferView", nil)
		}},

		{"buffer length negative", ErrMalformed, "buffer 0: byteLength is -1",
			set("buffers", list{object{"byteLength": -1}})},
		{"buffer length zero", ErrMalformed, "buffer 0: byteLength is 0", set("buffers", list{object{}})},
		{"buffer null", ErrMalformed, "buffer 0: byteLength is 0", set("buffers", list{nil})},
		{"buffer too short", ErrMalformed, "buffer 0: truncated", set("buffers", list{object{"byteLength": 1 << 40}})},
		{"second buffer without data", ErrMalformed, "buffer view 0: buffer 1 has no data", func(b *builder) {
			b.set("buffers", list{object{"byteLength": len(b.bin)}, object{"byteLength": 4}}).set("bufferViews.0.buffer", 1)
		}},
		{"buffer outside", ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "../x.bin"}})},
		{"buffer absolute", ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "/etc/passwd"}})},
		{"buffer escaped", ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "a/%2e%2e/%2E%2e/x"}})},
		{"buffer backslash", ErrUnsupported, "not a file in the model's folder", set("buffers", list{object{"byteLength": 4, "uri": `..\x.bin`}})},
		{"buffer drive", ErrUnsupported, "only data URIs", set("buffers", list{object{"byteLength": 4, "uri": `C:\x.bin`}})},
		{"buffer scheme", ErrUnsupported, "only data URIs",
			set("buffers", list{object{"byteLength": 4, "uri": "http://example.com/x.bin"}})},
		{"buffer without folder", ErrUnsupported, "no folder", set("buffers", list{object{"byteLength": 4, "uri": "x.bin"}})},
		{"data URI short", ErrMalformed, "buffer 0: truncated",
			set("buffers", list{object{"byteLength": 4, "uri": "data:;base64,AAAA"}})},
		{"data URI bad", ErrMalformed, "buffer 0: data URI",
			set("buffers", list{object{"byteLength": 4, "uri": "data:;base64,!!"}})},
		{"data URI no comma", ErrMalformed, "no comma", set("buffers", list{object{"byteLength": 4, "uri": "data:;base64"}})},

		{"view without buffer", ErrMalformed, "buffer view 0: no buffer", set("bufferViews.0.buffer", nil)},
		{"view of buffer -1", ErrMalformed, "buffer view 0: buffer -1", set("bufferViews.0.buffer", -1)},
		{"view past the end", ErrMalformed, "buffer view 0: byteOffset", set("bufferViews.0.byteOffset", 1<<30)},
		{"view offset negative", ErrMalformed, "buffer view 0: byteOffset -4", set("bufferViews.0.byteOffset", -4)},
		{"view overflowing", ErrMalformed, "buffer view 1: byteOffset", set("bufferViews.1.byteLength", 1<<53-1)},
		{"view empty", ErrMalformed, "buffer view 0: byteOffset 0 and byteLength 0", set("bufferViews.0.byteLength", 0)},
		{"stride 2", ErrMalformed, "buffer view 0: byteStride is 2", set("bufferViews.0.byteStride", 2)},
		{"stride 256", ErrMalformed, "byteStride is 256", set("bufferViews.0.byteStride", 256)},
		{"stride below element", ErrMalformed, "accessor 0: elements of 12 bytes", set("bufferViews.0.byteStride", 8)},
		{"stride past the end", ErrMalformed, "accessor 0: 8 elements of 12 bytes, 16 apart",
			set("bufferViews.0.byteStride", 16)},

		{"accessor count huge", ErrMalformed, "accessor 0: 9007199254740991 elements", set("accessors.0.count", 1<<53-1)},
		{"accessor count negative", ErrMalformed, "accessor 0: count is -1", set("accessors.0.count", -1)},
		{"accessor count missing", ErrMalformed, "accessor 0: count is 0", set("accessors.0.count", nil)},
		{"accessor without view, huge", ErrMalformed, "accessor 0: count is 2000000000 without a buffer view",
			func(b *builder) {
				b.set("accessors.0.bufferView", nil).set("accessors.0.count", 2_000_000_000)
			}},
		{"accessor offset negative", ErrMalformed, "accessor 0: byteOffset -1", set("accessors.0.byteOffset", -1)},
		{"accessor offset huge", ErrMalformed, "accessor 0: byteOffset", set("accessors.0.byteOffset", 1<<53-1)},
		{"accessor offset by one", ErrMalformed, "accessor 0: 8 elements", set("accessors.0.byteOffset", 4)},
		{"accessor type", ErrMalformed, `accessor 0: type is "VEC5"`, set("accessors.0.type", "VEC5")},
		{"accessor component", ErrMalformed, "accessor 0: componentType is 5124", set("accessors.0.componentType", 5124)},
		{"accessor view", ErrMalformed, "accessor 0: buffer view 999", set("accessors.0.bufferView", 999)},
		{"accessor count text", ErrMalformed, `accessors[0].count is "8", expected an integer`, set("accessors.0.count", "8")},
		{"accessor count fraction", ErrMalformed, "accessors[0].count is 8.5, expected an integer", set("accessors.0.count", 8.5)},
		{"sparse count", ErrMalformed, "accessor 9: sparse: count is 9", set("accessors.9.sparse.count", 9)},
		{"sparse component", ErrMalformed, "accessor 9: sparse: indices: componentType",
			set("accessors.9.sparse.indices.componentType", 5126)},
		{"sparse view", ErrMalformed, "accessor 9: sparse: values: buffer view -1",
			set("accessors.9.sparse.values.bufferView", -1)},
		{"sparse no view", ErrMalformed, "accessor 9: sparse: indices: no buffer view",
			set("accessors.9.sparse.indices.bufferView", nil)},
		{"sparse order", ErrMalformed, "sparse: index 1 is 1", func(b *builder) {
			at := b.doc["bufferViews"].(list)[b.doc["accessors"].(list)[beamSparse].(object)["sparse"].(object)["indices"].(object)["bufferView"].(int)].(object)["byteOffset"].(int)
			b.bin[at+1] = 1
		}},
		{"sparse range", ErrMalformed, "sparse: index 1 is 200", func(b *builder) {
			at := b.doc["bufferViews"].(list)[b.doc["accessors"].(list)[beamSparse].(object)["sparse"].(object)["indices"].(object)["bufferView"].(int)].(object)["byteOffset"].(int)
			b.bin[at+1] = 200
		}},

		{"node mesh", ErrMalformed, `node 0 "body": mesh 7`, set("nodes.0.mesh", 7)},
		{"node skin", ErrMalformed, `node 0 "body": skin 7`, set("nodes.0.skin", 7)},
		{"node child", ErrMalformed, `node 1 "root": children: node 70`, set("nodes.1.children", list{70})},
		{"node child null", ErrMalformed, "nodes[1].children is [null], expected an array of integers", set("nodes.1.children", list{nil})},
		{"node two parents", ErrMalformed, "node 2 is a child of node 0 and again of node 1",
			set("nodes.0.children", list{2})},
		{"node own parent", ErrMalformed, "node 0: the node hierarchy is a cycle", set("nodes.0.children", list{0})},
		{"node cycle", ErrMalformed, "cycle", set("nodes.5.children", list{1})},
		{"node matrix length", ErrMalformed, "matrix has 3 numbers", set("nodes.3.matrix", list{1, 2, 3})},
		{"node rotation zero", ErrMalformed, `node 2 "mid": rotation is a quaternion of length zero`, set("nodes.2.rotation", list{0, 0, 0, 0})},
		{"node translation huge", ErrMalformed, "translation has a number beyond float32: number 1 is 1e+300",
			set("nodes.2.translation", list{0, 1e300, 0})},
		{"node translation null", ErrMalformed, "nodes[2].translation is [0,null,0], expected an array of numbers", set("nodes.2.translation", list{0, nil, 0})},
		{"node scale chain", ErrMalformed, "global transform is beyond float32: number 0 is 1e+60", func(b *builder) {
			b.set("nodes.1.scale", list{1e30, 1, 1}).set("nodes.2.scale", list{1e30, 1, 1})
		}},
		{"scene", ErrMalformed, "scene 4", set("scene", 4)},
		{"scene node", ErrMalformed, "scene 0: node 99", set("scenes.0.nodes", list{99})},

		{"skin no joints", ErrMalformed, `skin 0 "rig": no joints`, set("skins.0.joints", list{})},
		{"skin joint range", ErrMalformed, `skin 0 "rig": joint 1: node 66`, set("skins.0.joints", list{1, 66, 3})},
		{"skin joint twice", ErrMalformed, "joint 2: node 1 is a joint of this skin already",
			set("skins.0.joints", list{1, 2, 1})},
		{"skin skeleton", ErrMalformed, "skeleton: node -2", set("skins.0.skeleton", -2)},
		{"skin matrices range", ErrMalformed, "inverseBindMatrices: accessor 99", set("skins.0.inverseBindMatrices", 99)},
		{"skin matrices shape", ErrMalformed, "inverseBindMatrices: accessor 0 is VEC3",
			set("skins.0.inverseBindMatrices", 0)},
		{"skin matrices count", ErrMalformed, "inverseBindMatrices: 2 matrices for 3 joints", set("accessors.11.count", 2)},
		{"skin matrix singular", ErrMalformed, `skin 0 "rig", joint 1: inverse bind matrix is singular`, patch(beamInverseBind, 1, componentFloat, make([]float64, 16)...)},
		{"skin matrix NaN", ErrMalformed, `skin 0 "rig", joint 2: inverse bind matrix is not finite`, patch(beamInverseBind, 2, componentFloat, nan)},

		{"mesh empty", ErrMalformed, `mesh 0 "beam": no primitives`, set("meshes.0.primitives", list{})},
		{"mode", ErrMalformed, `mesh 0 "beam", primitive 0: mode is 7`, set(beamPrimitive+"mode", 7)},
		{"material", ErrMalformed, `primitive 0: material 3`, set(beamPrimitive+"material", 3)},
		{"attribute", ErrMalformed, `primitive 0: NORMAL: accessor 100`, set(beamPrimitive+"attributes.NORMAL", 100)},
		{"attribute null", ErrMalformed, "meshes[0].primitives[0].attributes.POSITION is null, expected an integer", set(beamPrimitive+"attributes", object{"POSITION": nil})},
		{"indices", ErrMalformed, "indices: accessor -1", set(beamPrimitive+"indices", -1)},
		{"indices shape", ErrMalformed, "indices: accessor 0 is VEC3", set(beamPrimitive+"indices", 0)},
		{"index range", ErrMalformed, "indices: index 5 is 8, the primitive has 8 vertices",
			patch(beamIndices, 5, componentUshort, 8)},
		{"index restart", ErrMalformed, "indices: index 5 is 65535, the primitive restart value",
			patch(beamIndices, 5, componentUshort, 65535)},
		{"position shape", ErrMalformed, "POSITION: accessor 2 is VEC2", set(beamPrimitive+"attributes.POSITION", beamUV)},
		{"position NaN", ErrMalformed, "POSITION: vertex 3 is [NaN", patch(beamPosition, 3, componentFloat, nan)},
		{"position infinite", ErrMalformed, "POSITION: vertex 3 is [-Inf",
			patch(beamPosition, 3, componentFloat, math.Inf(-1))},
		{"normal NaN", ErrMalformed, "NORMAL: vertex 7 is", patch(beamNormal, 7, componentFloat, nan)},
		{"normal count", ErrMalformed, "NORMAL: accessor 1 has 7 elements, POSITION has 8", set("accessors.1.count", 7)},
		{"UV NaN", ErrMalformed, "TEXCOORD_0: vertex 0 is", patch(beamUV, 0, componentFloat, nan)},
		{"joints missing", ErrMalformed, "WEIGHTS_0 without JOINTS_0", set(beamPrimitive+"attributes.JOINTS_0", nil)},
		{"weights missing", ErrMalformed, "JOINTS_1 without WEIGHTS_1", set(beamPrimitive+"attributes.WEIGHTS_1", nil)},
		{"joints set skipped", ErrMalformed, "no JOINTS_1", func(b *builder) {
			b.set(beamPrimitive+"attributes.JOINTS_7", beamJoints1).set(beamPrimitive+"attributes.WEIGHTS_7", beamWeights1)
			b.set(beamPrimitive+"attributes.JOINTS_1", nil).set(beamPrimitive+"attributes.WEIGHTS_1", nil)
		}},
		{"joint range", ErrMalformed, "JOINTS_0: vertex 2: joint 3 does not exist, the skin has 3",
			patch(beamJoints, 2, componentUbyte, 3)},
		{"joint float", ErrMalformed, "JOINTS_0: component type is 5126",
			set(beamPrimitive+"attributes.JOINTS_0", beamWeights)},
		{"weight NaN", ErrMalformed, "WEIGHTS_1: vertex 4 is", patch(beamWeights1, 4, componentFloat, nan)},
		{"weight infinite", ErrMalformed, "WEIGHTS_0: vertex 4 is", patch(beamWeights, 4, componentFloat, math.Inf(1))},
		{"morph accessor", ErrMalformed, "morph target 1: POSITION: accessor 55",
			set(beamPrimitive+"targets", list{object{}, object{"POSITION": 55}})},
		{"morph count", ErrMalformed, "morph target 0: POSITION: accessor 10 has 4 elements",
			set(beamPrimitive+"targets.0.POSITION", beamFlag)},
		{"morph NaN", ErrMalformed, "morph target 0: POSITION: vertex 6", patch(beamDense, 6, componentFloat, nan)},
		{"morph targets differ", ErrMalformed, "primitive 1: 0 morph targets, primitive 0 has 2", func(b *builder) {
			mesh := b.doc["meshes"].(list)[0].(object)
			mesh["primitives"] = append(mesh["primitives"].(list), object{"attributes": object{"POSITION": beamPosition}})
		}},
		{"mesh weights", ErrMalformed, `mesh 0 "beam": weights are 1 numbers for 2 morph targets`, set("meshes.0.weights", list{1})},
		{"node weights", ErrMalformed, `node 0 "body": 3 weights for 2 morph targets`, set("nodes.0.weights", list{1, 2, 3})},

		{"sampler", ErrMalformed, `animation 0 "bend", channel 0: sampler: sampler 9`, set("animations.0.channels.0.sampler", 9)},
		{"no sampler", ErrMalformed, "channel 0: no sampler", set("animations.0.channels.0.sampler", nil)},
		{"target", ErrMalformed, `animation 0 "bend", channel 1: node 99`, set("animations.0.channels.1.target.node", 99)},
		{"input", ErrMalformed, "sampler 0: input: accessor 99", set("animations.0.samplers.0.input", 99)},
		{"output", ErrMalformed, "sampler 0: no output", set("animations.0.samplers.0.output", nil)},
		{"input shape", ErrMalformed, "channel 0: input: accessor 0 is VEC3", set("animations.0.samplers.0.input", 0)},
		{"output shape", ErrMalformed, "channel 0: output: accessor 14 is VEC3",
			set("animations.0.samplers.0.output", beamTranslation)},
		{"output count", ErrMalformed, "channel 0: output: 8 numbers for 2 CUBICSPLINE keys of 4 numbers, expected 24",
			set("animations.0.samplers.0.interpolation", "CUBICSPLINE")},
		{"interpolation", ErrMalformed, `interpolation is "SMOOTH"`, set("animations.0.samplers.0.interpolation", "SMOOTH")},
		{"times falling", ErrMalformed, "channel 0: input: key 1 at 0 s does not follow key 0 at 0 s",
			patch(beamTimes, 1, componentFloat, 0)},
		{"times negative", ErrMalformed, "input: key 0 is at -1 s", patch(beamTimes, 0, componentFloat, -1)},
		{"times NaN", ErrMalformed, "input: accessor 12: element 1 is [NaN]", patch(beamTimes, 1, componentFloat, nan)},
		{"values NaN", ErrMalformed, "channel 1: output: accessor 14: element 0",
			patch(beamTranslation, 0, componentFloat, nan)},
		{"rotation key zero", ErrMalformed, "output: rotation key 1 is a quaternion of length zero",
			patch(beamRotation, 1, componentFloat, 0, 0, 0, 0)},

		{"texture", ErrMalformed, `material 0 "cloth": baseColorTexture: texture index: texture 5`, set("materials.0.pbrMetallicRoughness.baseColorTexture.index", 5)},
		{"texture coordinates", ErrMalformed, "texCoord is -1",
			set("materials.0.pbrMetallicRoughness.baseColorTexture.texCoord", -1)},
		{"colour", ErrMalformed, "baseColorFactor has 3 numbers",
			set("materials.0.pbrMetallicRoughness.baseColorFactor", list{1, 1, 1})},
		{"image", ErrMalformed, "texture 0: image 1", set("textures.0.source", 1)},
		{"image view", ErrMalformed, "image 0: buffer view 99", set("images.0.bufferView", 99)},
		{"picture sampler", ErrMalformed, "texture 0: sampler 1", set("textures.0.sampler", 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := beam()
			c.damage(b)
			m, err := decodeBytes("beam.glb", b.glb(), nil)
			switch {
			case err == nil:
				t.Fatalf("loaded with %d vertices, warnings %q", len(m.Skin.Positions), m.Warnings)
			case !errors.Is(err, c.kind):
				t.Errorf("%v: not %v", err, c.kind)
			case !strings.HasPrefix(err.Error(), "beam.glb: ") || !strings.Contains(err.Error(), c.want):
				t.Errorf("%q does not say %q", err, c.want)
			}
		})
	}
}

// TestMalformedContainer breaks the GLB around the JSON.
func TestMalformedContainer(t *testing.T) {
	whole := beam().glb()
	edit := func(at int, v ...byte) []byte {
		out := append([]byte(nil), whole...)
		copy(out[at:], v)
		return out
	}
	for _, c := range []struct {
		name string
		kind error
		want string
		data []byte
	}{
		{"empty", ErrMalformed, "the file is empty", nil},
		{"magic", ErrMalformed, "neither a GLB header nor JSON", edit(0, 'X')},
		{"binary junk", ErrMalformed, "neither a GLB header nor JSON", []byte("\x7fELF\x02\x01")},
		{"blank", ErrMalformed, "invalid", []byte("   ")},
		{"version", ErrUnsupported, "GLB header: version 1, expected 2", edit(4, 1)},
		{"length over", ErrMalformed, "truncated", edit(8, 0xff, 0xff, 0xff, 0xff)},
		{"length zero", ErrMalformed, "no room", edit(8, 0, 0, 0, 0)},
		{"length cuts", ErrMalformed, "chunk 0", edit(8, 24, 0, 0, 0)},
		{"chunk over", ErrMalformed, "chunk 0", edit(12, 0xff, 0xff, 0xff, 0x7f)},
		{"chunk not JSON", ErrMalformed, "expected JSON", edit(16, 'B', 'I', 'N', 0)},
		{"JSON empty", ErrMalformed, "JSON is invalid", glb(nil, []byte{1, 2, 3, 4})},
		{"JSON array", ErrMalformed, "the whole is [1], expected an object", glb([]byte("[1]"), nil)},
		{"JSON cut", ErrMalformed, "JSON is invalid", glb([]byte(`{"asset":{"version":"2.0"`), nil)},
		{"JSON twice", ErrMalformed, "JSON is invalid", glb([]byte(`{"asset":{"version":"2.0"}}{}`), nil)},
		{"JSON deep", ErrMalformed, "JSON is invalid", []byte(`{"extras":` + strings.Repeat("[", 1<<20))},
		{"number huge", ErrMalformed, "nodes[0].scale is [1e999,1,1], expected an array of numbers", glb([]byte(`{"asset":{"version":"2.0"},"nodes":[{"scale":[1e999,1,1]}]}`), nil)},
		{"name twice", ErrMalformed, `the JSON is invalid at byte 71: an object has the name "mesh" again, expected it once`,
			[]byte(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"extras":["a","a"],"mesh":0}]}`)},
		{"sampler deep", ErrMalformed, `animations[1].channels[0].target.node is "7", expected an integer`,
			[]byte(`{"asset":{"version":"2.0"},"animations":[{},{"channels":[{"target":{"node":"7"}}]}]}`)},
		{"attribute", ErrMalformed, "meshes[0].primitives[0].attributes.NORMAL is null, expected an integer",
			[]byte(`{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"NORMAL":null,"POSITION":0}}]}]}`)},
		{"nodes object", ErrMalformed, "nodes is {}, expected an array", glb([]byte(`{"asset":{"version":"2.0"},"nodes":{}}`), nil)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decodeBytes("beam.glb", c.data, nil)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: expected %v saying %q", err, c.kind, c.want)
			}
		})
	}
	t.Run("every truncation", func(t *testing.T) {
		for n := range whole {
			if _, err := decode(whole[:n], nil, progress{}); !errors.Is(err, ErrMalformed) {
				t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
			}
		}
	})
}
