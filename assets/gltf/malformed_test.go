package gltf

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
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
	for _, c := range []struct {
		name   string
		kind   error
		want   string // part of the error
		damage func(*gltftest.Builder)
	}{
		{"no asset", fault.ErrMalformed, "no asset", set("asset", nil)},
		{"version 1", fault.ErrUnsupported, "asset.version is 1.0", set("asset.version", "1.0")},
		{"version junk", fault.ErrMalformed, "asset.version", set("asset.version", "two")},
		{"version number", fault.ErrMalformed, "asset.version", set("asset.version", 2)},
		{"minimum version", fault.ErrUnsupported, "asset.minVersion is 2.1", set("asset.minVersion", "2.1")},
		{"draco", fault.ErrUnsupported, `"KHR_draco_mesh_compression" is not read: gltf-transform copy in.glb out.glb`,
			set("extensionsRequired", list{"KHR_draco_mesh_compression"})},
		{"draco of a mesh", fault.ErrUnsupported, `is not read, and mesh 0 "beam" has it: gltf-transform copy`, func(b *gltftest.Builder) {
			b.Set("extensionsRequired", list{"KHR_draco_mesh_compression"})
			b.Set("meshes.0.primitives.0.extensions", object{"KHR_draco_mesh_compression": object{}})
		}},
		{"hidden draco", fault.ErrUnsupported, "KHR_draco_mesh_compression", func(b *gltftest.Builder) {
			b.Set("meshes.0.primitives.0.extensions", object{"KHR_draco_mesh_compression": object{}})
			b.Set("accessors.0.bufferView", nil)
		}},

		{"meshopt mode", fault.ErrMalformed, `buffer view 0: EXT_meshopt_compression: meshopt: bad data: mode "ZIP"`,
			compressed(object{"buffer": 0, "byteLength": 4, "byteStride": 4, "count": 3, "mode": "ZIP"})},
		{"meshopt outside", fault.ErrMalformed, "buffer view 0: EXT_meshopt_compression: byteOffset 0 and byteLength",
			compressed(object{"buffer": 0, "byteLength": 1 << 40, "byteStride": 4, "count": 3, "mode": "ATTRIBUTES"})},
		{"meshopt of itself", fault.ErrMalformed, "buffer view 0: EXT_meshopt_compression: byteOffset 0 and byteLength",
			compressed(object{"buffer": 1, "byteLength": 4, "byteStride": 4, "count": 3, "mode": "ATTRIBUTES"})},
		{"meshopt count", fault.ErrMalformed, "elements of 4 bytes for a view of",
			compressed(object{"buffer": 0, "byteLength": 4, "byteStride": 4, "count": 3, "mode": "ATTRIBUTES"})},
		{"meshopt data", fault.ErrMalformed, "buffer view 0: EXT_meshopt_compression: meshopt: bad data",
			func(b *gltftest.Builder) {
				compressed(object{"buffer": 0, "byteLength": 40, "byteStride": 4, "count": 4, "mode": "ATTRIBUTES"})(b)
				b.Set("bufferViews.0.byteLength", 16)
			}},
		{"meshopt buffer", fault.ErrMalformed, "buffer of EXT_meshopt_compression", compressed(object{"buffer": 7, "byteLength": 4,
			"byteStride": 4, "count": 3, "mode": "ATTRIBUTES"})},

		{"buffer length negative", fault.ErrMalformed, "buffer 0: byteLength is -1",
			set("buffers", list{object{"byteLength": -1}})},
		{"buffer length zero", fault.ErrMalformed, "buffer 0: byteLength is 0", set("buffers", list{object{"byteLength": 0}})},
		{"no buffer length", fault.ErrMalformed, "buffers[0] has no byteLength", set("buffers", list{object{}})},
		{"buffer null", fault.ErrMalformed, "buffers[0] is null, expected an object", set("buffers", list{nil})},
		{"buffer too short", fault.ErrMalformed, "buffer 0: truncated", set("buffers", list{object{"byteLength": 1 << 40}})},
		{"second buffer without data", fault.ErrMalformed, "buffer view 0: buffer 1 has no data", func(b *gltftest.Builder) {
			b.Set("buffers", list{object{"byteLength": len(b.Bin)}, object{"byteLength": 4}}).Set("bufferViews.0.buffer", 1)
		}},
		{"buffer outside", fault.ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "../x.bin"}})},
		{"buffer absolute", fault.ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "/etc/passwd"}})},
		{"buffer escaped", fault.ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": "a/%2e%2e/%2E%2e/x"}})},
		{"buffer backslash", fault.ErrUnsupported, "not a file in the model's folder",
			set("buffers", list{object{"byteLength": 4, "uri": `..\x.bin`}})},
		{"buffer drive", fault.ErrUnsupported, "only data URIs", set("buffers", list{object{"byteLength": 4, "uri": `C:\x.bin`}})},
		{"buffer scheme", fault.ErrUnsupported, "only data URIs",
			set("buffers", list{object{"byteLength": 4, "uri": "http://example.com/x.bin"}})},
		{"buffer without folder", fault.ErrUnsupported, "no folder", set("buffers", list{object{"byteLength": 4, "uri": "x.bin"}})},
		{"data URI short", fault.ErrMalformed, "buffer 0: truncated",
			set("buffers", list{object{"byteLength": 4, "uri": "data:;base64,AAAA"}})},
		{"data URI bad", fault.ErrMalformed, "buffer 0: data URI",
			set("buffers", list{object{"byteLength": 4, "uri": "data:;base64,!!"}})},
		{"data URI no comma", fault.ErrMalformed, "no comma", set("buffers", list{object{"byteLength": 4, "uri": "data:;base64"}})},

		{"view without buffer", fault.ErrMalformed, "bufferViews[0] has no buffer", set("bufferViews.0.buffer", nil)},
		{"view of buffer -1", fault.ErrMalformed, "buffer view 0: buffer -1", set("bufferViews.0.buffer", -1)},
		{"view past the end", fault.ErrMalformed, "buffer view 0: byteOffset", set("bufferViews.0.byteOffset", 1<<30)},
		{"view offset negative", fault.ErrMalformed, "buffer view 0: byteOffset -4", set("bufferViews.0.byteOffset", -4)},
		{"view overflowing", fault.ErrMalformed, "buffer view 1: byteOffset", set("bufferViews.1.byteLength", 1<<53-1)},
		{"view empty", fault.ErrMalformed, "buffer view 0: byteOffset 0 and byteLength 0", set("bufferViews.0.byteLength", 0)},
		{"stride 2", fault.ErrMalformed, "buffer view 0: byteStride is 2", set("bufferViews.0.byteStride", 2)},
		{"stride 256", fault.ErrMalformed, "byteStride is 256", set("bufferViews.0.byteStride", 256)},
		{"stride below element", fault.ErrMalformed, "accessor 0: elements of 12 bytes", set("bufferViews.0.byteStride", 8)},
		{"stride past the end", fault.ErrMalformed, "accessor 0: 8 elements of 12 bytes, 16 apart",
			set("bufferViews.0.byteStride", 16)},

		{"accessor count huge", fault.ErrMalformed, "accessor 0: 9007199254740991 elements", set("accessors.0.count", 1<<53-1)},
		{"accessor count negative", fault.ErrMalformed, "accessor 0: count is -1", set("accessors.0.count", -1)},
		{"accessor count zero", fault.ErrMalformed, "accessor 0: count is 0", set("accessors.0.count", 0)},
		{"accessor count missing", fault.ErrMalformed, "accessors[0] has no count", set("accessors.0.count", nil)},
		{"accessor without view, huge", fault.ErrMalformed, "accessor 0: count is 2000000000 without a buffer view",
			func(b *gltftest.Builder) {
				b.Set("accessors.0.bufferView", nil).Set("accessors.0.count", 2_000_000_000)
			}},
		{"accessor offset negative", fault.ErrMalformed, "accessor 0: byteOffset -1", set("accessors.0.byteOffset", -1)},
		{"accessor offset huge", fault.ErrMalformed, "accessor 0: byteOffset", set("accessors.0.byteOffset", 1<<53-1)},
		{"accessor offset by one", fault.ErrMalformed, "accessor 0: 8 elements", set("accessors.0.byteOffset", 4)},
		{"accessor type", fault.ErrMalformed,
			`accessors[0].type is "VEC5", expected MAT2, MAT3, MAT4, SCALAR, VEC2, VEC3 or VEC4`, set("accessors.0.type", "VEC5")},
		{"accessor component", fault.ErrMalformed,
			"accessors[0].componentType is 5124, expected 5120, 5121, 5122, 5123, 5125 or 5126", set("accessors.0.componentType", 5124)},
		{"accessor view", fault.ErrMalformed, "accessor 0: buffer view 999", set("accessors.0.bufferView", 999)},
		{"accessor count text", fault.ErrMalformed, `accessors[0].count is "8", expected an integer`, set("accessors.0.count", "8")},
		{"accessor count fraction", fault.ErrMalformed, "accessors[0].count is 8.5, expected an integer",
			set("accessors.0.count", 8.5)},
		{"sparse count", fault.ErrMalformed, "accessor 9: sparse: count is 9", set("accessors.9.sparse.count", 9)},
		{"sparse component", fault.ErrMalformed, "accessor 9: sparse: indices: componentType",
			set("accessors.9.sparse.indices.componentType", 5126)},
		{"sparse view", fault.ErrMalformed, "accessor 9: sparse: values: buffer view -1",
			set("accessors.9.sparse.values.bufferView", -1)},
		{"sparse no view", fault.ErrMalformed, "accessors[9].sparse.indices has no bufferView",
			set("accessors.9.sparse.indices.bufferView", nil)},
		{"sparse order", fault.ErrMalformed, "sparse: index 1 is 1", func(b *gltftest.Builder) {
			at := b.Doc["bufferViews"].(list)[b.Doc["accessors"].(list)[beamSparse].(object)["sparse"].(object)["indices"].(object)["bufferView"].(int)].(object)["byteOffset"].(int)
			b.Bin[at+1] = 1
		}},
		{"sparse range", fault.ErrMalformed, "sparse: index 1 is 200", func(b *gltftest.Builder) {
			at := b.Doc["bufferViews"].(list)[b.Doc["accessors"].(list)[beamSparse].(object)["sparse"].(object)["indices"].(object)["bufferView"].(int)].(object)["byteOffset"].(int)
			b.Bin[at+1] = 200
		}},

		{"null node", fault.ErrMalformed, "nodes[1] is null, expected an object", set("nodes.1", json.RawMessage("null"))},
		{"node of another case", fault.ErrMalformed, "nodes[1].Mesh is a name, expected mesh", set("nodes.1.Mesh", 0)},
		{"node mesh", fault.ErrMalformed, `node 0 "body": mesh 7`, set("nodes.0.mesh", 7)},
		{"node skin", fault.ErrMalformed, `node 0 "body": skin 7`, set("nodes.0.skin", 7)},
		{"node child", fault.ErrMalformed, `node 1 "root": children: node 70`, set("nodes.1.children", list{70})},
		{"node child null", fault.ErrMalformed, "nodes[1].children is [null], expected an array of integers",
			set("nodes.1.children", list{nil})},
		{"node two parents", fault.ErrMalformed, "node 2 is a child of node 0 and again of node 1",
			set("nodes.0.children", list{2})},
		{"node own parent", fault.ErrMalformed, "node 0: the node hierarchy is a cycle", set("nodes.0.children", list{0})},
		{"node cycle", fault.ErrMalformed, "cycle", set("nodes.5.children", list{1})},
		{"node matrix length", fault.ErrMalformed, "matrix has 3 numbers", set("nodes.3.matrix", list{1, 2, 3})},
		{"node rotation zero", fault.ErrMalformed, `node 2 "mid": rotation is a quaternion of length zero`,
			set("nodes.2.rotation", list{0, 0, 0, 0})},
		{"node translation huge", fault.ErrMalformed, "translation has a number beyond float32: number 1 is 1e+300",
			set("nodes.2.translation", list{0, 1e300, 0})},
		{"node translation null", fault.ErrMalformed, "nodes[2].translation is [0,null,0], expected an array of numbers",
			set("nodes.2.translation", list{0, nil, 0})},
		{"node scale chain", fault.ErrMalformed, "global transform is beyond float32: number 0 is 1e+60", func(b *gltftest.Builder) {
			b.Set("nodes.1.scale", list{1e30, 1, 1}).Set("nodes.2.scale", list{1e30, 1, 1})
		}},
		{"scene", fault.ErrMalformed, "scene 4", set("scene", 4)},
		{"scene node", fault.ErrMalformed, "scene 0: node 99", set("scenes.0.nodes", list{99})},

		{"skin no joints", fault.ErrMalformed, `skin 0 "rig": no joints`, set("skins.0.joints", list{})},
		{"skin joint range", fault.ErrMalformed, `skin 0 "rig": joint 1: node 66`, set("skins.0.joints", list{1, 66, 3})},
		{"skin skeleton", fault.ErrMalformed, "skeleton: node -2", set("skins.0.skeleton", -2)},
		{"skin matrices range", fault.ErrMalformed, "inverseBindMatrices: accessor 99", set("skins.0.inverseBindMatrices", 99)},
		{"skin matrices shape", fault.ErrMalformed, "inverseBindMatrices: accessor 0 is VEC3",
			set("skins.0.inverseBindMatrices", 0)},
		{"skin matrices count", fault.ErrMalformed, "inverseBindMatrices: 2 matrices for 3 joints", set("accessors.11.count", 2)},
		{"skin matrix singular", fault.ErrMalformed, `skin 0 "rig", joint 1: inverse bind matrix is singular`,
			patch(beamInverseBind, 1, gltftest.Float, make([]float64, 16)...)},
		{"skin matrix NaN", fault.ErrMalformed, `skin 0 "rig", joint 2: inverse bind matrix is not finite`,
			patch(beamInverseBind, 2, gltftest.Float, nan)},

		{"mesh empty", fault.ErrMalformed, `mesh 0 "beam": no primitives`, set("meshes.0.primitives", list{})},
		{"mode", fault.ErrMalformed, "meshes[0].primitives[0].mode is 7, expected 0, 1, 2, 3, 4, 5 or 6",
			set(beamPrimitive+"mode", 7)},
		{"material", fault.ErrMalformed, `primitive 0: material 3`, set(beamPrimitive+"material", 3)},
		{"attribute", fault.ErrMalformed, `primitive 0: NORMAL: accessor 100`, set(beamPrimitive+"attributes.NORMAL", 100)},
		{"attribute null", fault.ErrMalformed, "meshes[0].primitives[0].attributes.POSITION is null, expected an integer",
			set(beamPrimitive+"attributes", object{"POSITION": nil})},
		{"indices", fault.ErrMalformed, "indices: accessor -1", set(beamPrimitive+"indices", -1)},
		{"indices shape", fault.ErrMalformed, "indices: accessor 0 is VEC3", set(beamPrimitive+"indices", 0)},
		{"index range", fault.ErrMalformed, "indices: index 5 is 8, the primitive has 8 vertices",
			patch(beamIndices, 5, gltftest.Ushort, 8)},
		{"index restart", fault.ErrMalformed, "indices: index 5 is 65535, the primitive restart value",
			patch(beamIndices, 5, gltftest.Ushort, 65535)},
		{"position shape", fault.ErrMalformed, "POSITION: accessor 2 is VEC2", set(beamPrimitive+"attributes.POSITION", beamUV)},
		{"position NaN", fault.ErrMalformed, "POSITION: vertex 3 is [NaN", patch(beamPosition, 3, gltftest.Float, nan)},
		{"position infinite", fault.ErrMalformed, "POSITION: vertex 3 is [-Inf",
			patch(beamPosition, 3, gltftest.Float, math.Inf(-1))},
		{"normal NaN", fault.ErrMalformed, "NORMAL: vertex 7 is", patch(beamNormal, 7, gltftest.Float, nan)},
		{"normal count", fault.ErrMalformed, "NORMAL: accessor 1 has 7 elements, POSITION has 8", set("accessors.1.count", 7)},
		{"UV NaN", fault.ErrMalformed, "TEXCOORD_0: vertex 0 is", patch(beamUV, 0, gltftest.Float, nan)},
		{"joints missing", fault.ErrMalformed, "WEIGHTS_0 without JOINTS_0", set(beamPrimitive+"attributes.JOINTS_0", nil)},
		{"weights missing", fault.ErrMalformed, "JOINTS_1 without WEIGHTS_1", set(beamPrimitive+"attributes.WEIGHTS_1", nil)},
		{"joints set skipped", fault.ErrMalformed, "no JOINTS_1", func(b *gltftest.Builder) {
			b.Set(beamPrimitive+"attributes.JOINTS_7", beamJoints1).Set(beamPrimitive+"attributes.WEIGHTS_7", beamWeights1)
			b.Set(beamPrimitive+"attributes.JOINTS_1", nil).Set(beamPrimitive+"attributes.WEIGHTS_1", nil)
		}},
		{"joint range", fault.ErrMalformed, "JOINTS_0: vertex 2: joint 3 does not exist, the skin has 3",
			patch(beamJoints, 2, gltftest.Ubyte, 3)},
		{"joint float", fault.ErrMalformed, "JOINTS_0: component type is FLOAT, expected UNSIGNED_BYTE or UNSIGNED_SHORT",
			set(beamPrimitive+"attributes.JOINTS_0", beamWeights)},
		{"weight NaN", fault.ErrMalformed, "WEIGHTS_1: vertex 4 is", patch(beamWeights1, 4, gltftest.Float, nan)},
		{"weight infinite", fault.ErrMalformed, "WEIGHTS_0: vertex 4 is", patch(beamWeights, 4, gltftest.Float, math.Inf(1))},
		{"morph accessor", fault.ErrMalformed, "morph target 1: POSITION: accessor 55",
			set(beamPrimitive+"targets", list{object{}, object{"POSITION": 55}})},
		{"morph count", fault.ErrMalformed, "morph target 0: POSITION: accessor 10 has 4 elements",
			set(beamPrimitive+"targets.0.POSITION", beamFlag)},
		{"morph NaN", fault.ErrMalformed, "morph target 0: POSITION: vertex 6", patch(beamDense, 6, gltftest.Float, nan)},
		{"morph targets differ", fault.ErrMalformed, "primitive 1: 0 morph targets, primitive 0 has 2", func(b *gltftest.Builder) {
			mesh := b.Doc["meshes"].(list)[0].(object)
			mesh["primitives"] = append(mesh["primitives"].(list), object{"attributes": object{"POSITION": beamPosition}})
		}},
		{"mesh weights", fault.ErrMalformed, `mesh 0 "beam": weights are 1 numbers for 2 morph targets`,
			set("meshes.0.weights", list{1})},
		{"node weights", fault.ErrMalformed, `node 0 "body": 3 weights for 2 morph targets`, set("nodes.0.weights", list{1, 2, 3})},

		{"sampler", fault.ErrMalformed, `animation 0 "bend", channel 0: sampler: sampler 9`,
			set("animations.0.channels.0.sampler", 9)},
		{"no sampler", fault.ErrMalformed, "animations[0].channels[0] has no sampler", set("animations.0.channels.0.sampler", nil)},
		{"target", fault.ErrMalformed, `animation 0 "bend", channel 1: node 99`, set("animations.0.channels.1.target.node", 99)},
		{"input", fault.ErrMalformed, "sampler 0: input: accessor 99", set("animations.0.samplers.0.input", 99)},
		{"output", fault.ErrMalformed, "animations[0].samplers[0] has no output", set("animations.0.samplers.0.output", nil)},
		{"interpolation", fault.ErrMalformed, `interpolation is "SMOOTH"`, set("animations.0.samplers.0.interpolation", "SMOOTH")},

		{"texture", fault.ErrMalformed, `material 0 "cloth": baseColorTexture: texture 5`,
			set("materials.0.pbrMetallicRoughness.baseColorTexture.index", 5)},
		{"texture coordinates", fault.ErrMalformed, "texCoord is -1",
			set("materials.0.pbrMetallicRoughness.baseColorTexture.texCoord", -1)},
		{"colour", fault.ErrMalformed, "baseColorFactor has 3 numbers",
			set("materials.0.pbrMetallicRoughness.baseColorFactor", list{1, 1, 1})},
		{"image", fault.ErrMalformed, "texture 0: image 1", set("textures.0.source", 1)},
		{"image view", fault.ErrMalformed, "image 0: buffer view 99", set("images.0.bufferView", 99)},
		{"picture sampler", fault.ErrMalformed, "texture 0: sampler 1", set("textures.0.sampler", 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			c.damage(b)
			m, err := Decode("beam.glb", b.Glb(), nil)
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
	whole := gltftest.Beam().Glb()
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
		{"empty", fault.ErrMalformed, "the file is empty", nil},
		{"magic", fault.ErrMalformed, "neither a GLB header nor JSON", edit(0, 'X')},
		{"binary junk", fault.ErrMalformed, "neither a GLB header nor JSON", []byte("\x7fELF\x02\x01")},
		{"blank", fault.ErrMalformed, "invalid", []byte("   ")},
		{"version", fault.ErrUnsupported, "GLB header: version 1, expected 2", edit(4, 1)},
		{"length over", fault.ErrMalformed, "truncated", edit(8, 0xff, 0xff, 0xff, 0xff)},
		{"length zero", fault.ErrMalformed, "no room", edit(8, 0, 0, 0, 0)},
		{"length cuts", fault.ErrMalformed, "chunk 0", edit(8, 24, 0, 0, 0)},
		{"chunk over", fault.ErrMalformed, "chunk 0", edit(12, 0xff, 0xff, 0xff, 0x7f)},
		{"chunk not JSON", fault.ErrMalformed, "expected JSON", edit(16, 'B', 'I', 'N', 0)},
		{"JSON empty", fault.ErrMalformed, "JSON is invalid", gltftest.GLB(nil, []byte{1, 2, 3, 4})},
		{"JSON array", fault.ErrMalformed, "the whole is [1], expected an object", gltftest.GLB([]byte("[1]"), nil)},
		{"JSON cut", fault.ErrMalformed, "JSON is invalid", gltftest.GLB([]byte(`{"asset":{"version":"2.0"`), nil)},
		{"JSON twice", fault.ErrMalformed, "JSON is invalid", gltftest.GLB([]byte(`{"asset":{"version":"2.0"}}{}`), nil)},
		{"JSON deep", fault.ErrMalformed, "JSON is invalid", []byte(`{"extras":` + strings.Repeat("[", 1<<20))},
		{"number huge", fault.ErrMalformed, "nodes[0].scale is [1e999,1,1], expected an array of numbers",
			gltftest.GLB([]byte(`{"asset":{"version":"2.0"},"nodes":[{"scale":[1e999,1,1]}]}`), nil)},
		{"name twice", fault.ErrMalformed, `the JSON is invalid at byte 71: an object has the name "mesh" again, expected it once`,
			[]byte(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"extras":["a","a"],"mesh":0}]}`)},
		{"sampler deep", fault.ErrMalformed, `animations[1].channels[0].target.node is "7", expected an integer`,
			[]byte(`{"asset":{"version":"2.0"},"animations":[{},{"channels":[{"target":{"node":"7"}}]}]}`)},
		{"attribute", fault.ErrMalformed, "meshes[0].primitives[0].attributes.NORMAL is null, expected an integer",
			[]byte(`{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"NORMAL":null,"POSITION":0}}]}]}`)},
		{"nodes object", fault.ErrMalformed, "nodes is {}, expected an array",
			gltftest.GLB([]byte(`{"asset":{"version":"2.0"},"nodes":{}}`), nil)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode("beam.glb", c.data, nil)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: expected %v saying %q", err, c.kind, c.want)
			}
		})
	}
	t.Run("every truncation", func(t *testing.T) {
		for n := range whole {
			if _, err := decode(whole[:n], nil, "", progress{}); !errors.Is(err, fault.ErrMalformed) {
				t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
			}
		}
	})
}

// set and patch are changes to a beam.
// compressed makes the first buffer view one of a placeholder, compressed as an extension says.
func compressed(e object) func(*gltftest.Builder) {
	return func(b *gltftest.Builder) {
		b.Set("buffers", list{object{"byteLength": len(b.Bin)},
			object{"byteLength": len(b.Bin), "extensions": object{"EXT_meshopt_compression": object{"fallback": true}}}})
		b.Set("bufferViews.0.buffer", 1).Set("bufferViews.0.extensions", object{"EXT_meshopt_compression": e})
	}
}

func set(path string, value any) func(*gltftest.Builder) {
	return func(b *gltftest.Builder) { b.Set(path, value) }
}

func patch(accessor, element int, component int, values ...float64) func(*gltftest.Builder) {
	return func(b *gltftest.Builder) { b.Patch(accessor, element, gltftest.Pack(component, values...)) }
}

// What of an animation cannot be played is left out, with a warning that names its place; the rest plays.
func TestUnsoundKeys(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		damage func(b *gltftest.Builder)
		want   string
		lost   int
		times  []float32 // of the first channel that is left
	}{
		{"input shape", set("animations.0.samplers.0.input", 0), "channel 0: input: accessor 0 is VEC3", 1, []float32{0, 1}},
		{"output shape", set("animations.0.samplers.0.output", beamTranslation), "channel 0: output: accessor 14 is VEC3", 1,
			[]float32{0, 1}},
		{"output count", set("animations.0.samplers.0.interpolation", "CUBICSPLINE"),
			"channel 0: output: 8 numbers for 2 CUBICSPLINE keys of 4 numbers, expected 24", 1, []float32{0, 1}},
		{"times equal", patch(beamTimes, 1, gltftest.Float, 0), "channel 0: input: keys 0 and 1 are both at 0 s", 0,
			[]float32{0, math.SmallestNonzeroFloat32}},
		{"times falling", patch(beamTimes, 1, gltftest.Float, -1), "input: key 1 at -1 s does not follow key 0 at 0 s", 0,
			[]float32{0}},
		{"times NaN", patch(beamTimes, 1, gltftest.Float, nan), "input: key 1 is at NaN s", 0, []float32{0}},
		{"values NaN", patch(beamTranslation, 0, gltftest.Float, nan), "channel 1: output: the key at 0 s is not finite", 0,
			[]float32{0, 1}},
		{"rotation key zero", patch(beamRotation, 1, gltftest.Float, 0, 0, 0, 0),
			"output: the key at 1 s is a quaternion of length zero", 0, []float32{0}},
		{"no rotation", func(b *gltftest.Builder) {
			patch(beamRotation, 0, gltftest.Float, 0, 0, 0, 0)(b)
			patch(beamRotation, 1, gltftest.Float, 0, 0, 0, 0)(b)
		}, "and so are 1 more; it is left out", 1, []float32{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gltftest.Beam()
			c.damage(b)
			m, err := Decode("beam.glb", b.Glb(), nil)
			if err != nil {
				t.Fatal(err)
			}
			clip := &m.Clips[0]
			if !slices.ContainsFunc(m.Warnings, func(w string) bool { return strings.Contains(w, c.want) }) {
				t.Errorf("warnings %q do not say %q", m.Warnings, c.want)
			}
			if clip.Lost != c.lost || len(clip.Channels) != 4-c.lost || !slices.Equal(clip.Channels[0].Times, c.times) {
				t.Errorf("%d channels left out, %d there, keys at %v", clip.Lost, len(clip.Channels), clip.Channels[0].Times)
			}
			for k := range clip.Channels {
				if err := clip.Channels[k].Validate(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Channels of KHR_animation_pointer play as those that name a node, and one that moves anything else is left out.
func TestAnimationPointer(t *testing.T) {
	plain, err := Decode("beam.glb", gltftest.Beam().Glb(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pointing := func(pointers ...string) *skinning.Model {
		b := gltftest.Beam()
		for k, pointer := range pointers {
			b.Set(fmt.Sprintf("animations.0.channels.%d.target", k), object{"path": "pointer",
				"extensions": object{animationPointer: object{"pointer": pointer}}})
		}
		m, err := Decode("beam.glb", b.Glb(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	var pointers []string
	for _, c := range plain.Clips[0].Channels {
		name := map[skinning.Path]string{skinning.PathTranslation: "translation", skinning.PathRotation: "rotation",
			skinning.PathScale: "scale", skinning.PathWeights: "weights"}[c.Path]
		pointers = append(pointers, fmt.Sprintf("/nodes/%d/%s", c.Node, name))
	}
	if got := pointing(pointers...); !reflect.DeepEqual(got.Clips, plain.Clips) {
		t.Errorf("by pointers %+v, expected %+v", got.Clips, plain.Clips)
	}
	for _, bad := range []string{"/materials/0/emissiveFactor", "/nodes/99/rotation", "/nodes/x/rotation", "/nodes/0", "",
		"/nodes/0/rotation/1", "/meshes/0/rotation", "/nodes/0/weights/-1", "/nodes/-1/rotation", "/meshes/99/weights",
		"/nodes/0/extensions/KHR_node_visibility/visible"} {
		got := pointing(bad)
		if hides := gltftest.HasWarning(got, "visibility is not animated"); hides != strings.HasSuffix(bad, "/visible") {
			t.Errorf("%q: warnings %q", bad, got.Warnings)
		}
		if c := &got.Clips[0]; c.Lost != 1 || len(c.Channels) != len(plain.Clips[0].Channels)-1 || len(got.Warnings) != 2 {
			t.Errorf("%q: %d channels left out, %d there, warnings %q", bad, c.Lost, len(c.Channels), got.Warnings)
		}
	}
}
