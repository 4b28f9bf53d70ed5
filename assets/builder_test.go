package assets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// object and list are JSON under construction.
type (
	object = map[string]any
	list   = []any
)

// builder makes glTF files for tests.
type builder struct {
	doc object
	bin []byte
}

func newBuilder() *builder {
	return &builder{doc: object{"asset": object{"version": "2.0"}}}
}

// push appends to one of the document's lists and returns the index.
func (b *builder) push(name string, item object) int {
	all, _ := b.doc[name].(list)
	b.doc[name] = append(all, item)
	return len(all)
}

// view appends bytes to the binary chunk, aligned to four.
func (b *builder) view(data []byte) int {
	for len(b.bin)%4 != 0 {
		b.bin = append(b.bin, 0)
	}
	at := len(b.bin)
	b.bin = append(b.bin, data...)
	return b.push("bufferViews", object{"buffer": 0, "byteOffset": at, "byteLength": len(data)})
}

// pack lays numbers out as components of a type; normalised integers are for the caller to scale.
func pack(component int, values ...float64) []byte {
	var out []byte
	for _, v := range values {
		switch component {
		case componentFloat:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		case componentUint:
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		case componentShort, componentUshort:
			out = binary.LittleEndian.AppendUint16(out, uint16(int64(v)))
		default:
			out = append(out, byte(int64(v)))
		}
	}
	return out
}

func (b *builder) accessor(component int, shape string, values ...float64) int {
	width, _ := elementLayout(shape, 1)
	return b.push("accessors", object{"bufferView": b.view(pack(component, values...)),
		"componentType": component, "type": shape, "count": len(values) / width})
}

// text returns the JSON with the buffer declared.
func (b *builder) text() []byte {
	if len(b.bin) > 0 && b.doc["buffers"] == nil {
		b.doc["buffers"] = list{object{"byteLength": len(b.bin)}}
	}
	text, err := json.Marshal(b.doc)
	if err != nil {
		panic(err)
	}
	return text
}

func (b *builder) glb() []byte { return glb(b.text(), b.bin) }

// glb wraps JSON and a binary chunk.
func glb(text, bin []byte) []byte {
	text = append(bytes.Clone(text), strings.Repeat(" ", -len(text)&3)...)
	bin = append(bytes.Clone(bin), make([]byte, -len(bin)&3)...)
	chunk := func(out []byte, kind uint32, body []byte) []byte {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
		out = binary.LittleEndian.AppendUint32(out, kind)
		return append(out, body...)
	}
	body := chunk(nil, glbChunkJSON, text)
	if len(bin) > 0 {
		body = chunk(body, glbChunkBIN, bin)
	}
	out := binary.LittleEndian.AppendUint32(nil, glbMagic)
	out = binary.LittleEndian.AppendUint32(out, 2)
	out = binary.LittleEndian.AppendUint32(out, uint32(glbHeaderSize+len(body)))
	return append(out, body...)
}

// beam returns a small file that uses nearly everything the reader knows: a skinned beam of 8 vertices with indices,
// normals, texture, two morph targets (one sparse) and two sets of influences, a rigid fan below a joint, a matrix node
// with a shear, and a clip with every path and interpolation.
func beam() *builder {
	b := newBuilder()
	var positions, normals, uvs, joints, weights, joints1, weights1 []float64
	for i := range 8 {
		x, y, z := float64(i&1)-0.5, float64(i>>2), float64(i>>1&1)-0.5
		positions = append(positions, x, y, z)
		n := mgl64.Vec3{x, 0, z}.Normalize()
		normals = append(normals, n[:]...)
		uvs = append(uvs, float64(i&1), y)
		joints = append(joints, 0, 1, 0, 0)
		weights = append(weights, 1-0.75*y, 0.5*y, 0, 0)
		joints1 = append(joints1, 2, 0, 0, 0)
		weights1 = append(weights1, 0.25*y, 0, 0, 0)
	}
	attributes := object{
		"POSITION":   b.accessor(componentFloat, "VEC3", positions...),
		"NORMAL":     b.accessor(componentFloat, "VEC3", normals...),
		"TEXCOORD_0": b.accessor(componentFloat, "VEC2", uvs...),
		"JOINTS_0":   b.accessor(componentUbyte, "VEC4", joints...),
		"WEIGHTS_0":  b.accessor(componentFloat, "VEC4", weights...),
		"JOINTS_1":   b.accessor(componentUshort, "VEC4", joints1...),
		"WEIGHTS_1":  b.accessor(componentFloat, "VEC4", weights1...),
	}
	indices := b.accessor(componentUshort, "SCALAR",
		0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7)
	dense := b.accessor(componentFloat, "VEC3", make([]float64, 24)...)
	sparse := b.push("accessors", object{"componentType": componentFloat, "type": "VEC3", "count": 8, "sparse": object{
		"count":   2,
		"indices": object{"bufferView": b.view(pack(componentUbyte, 1, 6)), "componentType": componentUbyte},
		"values":  object{"bufferView": b.view(pack(componentFloat, 0.1, 0, 0, 0, 0.2, 0))},
	}})
	b.push("samplers", object{"wrapS": wrapClamp, "wrapT": wrapMirror, "magFilter": filterNearest})
	b.push("images", object{"bufferView": b.view(testPNG(4, 2)), "mimeType": "image/png"})
	b.push("textures", object{"source": 0, "sampler": 0})
	b.push("materials", object{"name": "cloth", "pbrMetallicRoughness": object{
		"baseColorFactor": list{0.5, 0.25, 1, 1}, "baseColorTexture": object{"index": 0, "texCoord": 0,
			"extensions": object{"KHR_texture_transform": object{"offset": list{0.5, 0}, "scale": list{2, 1},
				"rotation": math.Pi / 2}}},
	}, "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true})
	b.push("meshes", object{"name": "beam", "weights": list{0, 0.5},
		"extras": object{"targetNames": list{"flat", "bulge"}},
		"primitives": list{object{"attributes": attributes, "indices": indices, "material": 0, "mode": 4, "targets": list{
			object{"POSITION": dense, "NORMAL": dense}, object{"POSITION": sparse}}}}})
	b.push("meshes", object{"name": "flag", "primitives": list{object{"mode": modeTriangleFan, "attributes": object{
		"POSITION": b.accessor(componentFloat, "VEC3", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0)}}}})
	inverse := func(y float64) []float64 { return []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1} }
	ibm := b.accessor(componentFloat, "MAT4", append(append(inverse(0), inverse(0.5)...), inverse(1)...)...)
	b.push("skins", object{"name": "rig", "joints": list{1, 2, 3}, "inverseBindMatrices": ibm, "skeleton": 1})
	b.push("nodes", object{"name": "body", "mesh": 0, "skin": 0})
	b.push("nodes", object{"name": "root", "children": list{2}})
	b.push("nodes", object{"name": "mid", "children": list{3}, "translation": list{0, 0.5, 0},
		"rotation": list{0, 0, 0, 1}, "scale": list{1, 1, 1}})
	b.push("nodes", object{"name": "tip", "children": list{4, 5},
		"matrix": list{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1}})
	b.push("nodes", object{"name": "flag", "mesh": 1})
	b.push("nodes", object{"name": "shear", "matrix": list{1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}})
	b.push("scenes", object{"nodes": list{0, 1}})
	b.doc["scene"] = 0
	times := b.accessor(componentFloat, "SCALAR", 0, 1)
	s := math.Sqrt(0.5)
	b.push("animations", object{"name": "bend", "samplers": list{
		object{"input": times, "output": b.accessor(componentFloat, "VEC4", 0, 0, 0, 1, 0, 0, s, s),
			"interpolation": "LINEAR"},
		object{"input": times, "output": b.accessor(componentFloat, "VEC3", 0, 0, 0, 0, 1, 0), "interpolation": "STEP"},
		object{"input": times, "output": b.accessor(componentFloat, "VEC3", 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0,
			0), "interpolation": "CUBICSPLINE"},
		object{"input": times, "output": b.accessor(componentFloat, "SCALAR", 0, 0, 1, 1)},
	}, "channels": list{
		object{"sampler": 0, "target": object{"node": 2, "path": "rotation"}},
		object{"sampler": 1, "target": object{"node": 1, "path": "translation"}},
		object{"sampler": 2, "target": object{"node": 3, "path": "scale"}},
		object{"sampler": 3, "target": object{"node": 0, "path": "weights"}},
	}})
	return b
}

// testPNG returns a picture with a different colour in every pixel.
func testPNG(width, height int) []byte {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			im.SetNRGBA(x, y, color.NRGBA{uint8(40 * x), uint8(90 * y), 7, uint8(255 - x)})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, im); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// set changes one value of the JSON, at a path like "accessors.0.count". A nil value removes it.
func (b *builder) set(path string, value any) *builder {
	steps := strings.Split(path, ".")
	var at any = b.doc
	for i, step := range steps {
		last := i == len(steps)-1
		switch v := at.(type) {
		case object:
			switch {
			case last && value == nil:
				delete(v, step)
			case last:
				v[step] = value
			default:
				at = v[step]
			}
		case list:
			k, err := strconv.Atoi(step)
			if err != nil || k >= len(v) {
				panic("no " + step + " in " + path)
			}
			if last {
				v[k] = value
			} else {
				at = v[k]
			}
		default:
			panic("no " + step + " in " + path)
		}
	}
	return b
}

// patch overwrites bytes of the binary chunk at an element of an accessor.
func (b *builder) patch(accessor, element int, data []byte) *builder {
	a := b.doc["accessors"].(list)[accessor].(object)
	view := b.doc["bufferViews"].(list)[a["bufferView"].(int)].(object)
	_, size := elementLayout(a["type"].(string), componentSize(a["componentType"].(int)))
	copy(b.bin[view["byteOffset"].(int)+element*size:], data)
	return b
}
