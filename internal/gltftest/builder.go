// Package gltftest makes glTF files, poses and fits for the tests of the packages that read and write them. It shares
// no code with the reader.
package gltftest

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

// Component types as they stand in a file.
const (
	Byte, Ubyte, Short, Ushort = 5120, 5121, 5122, 5123
	Uint, Float                = 5125, 5126
)

// Numbers of the format, written here once more: the reader's own are under test.
const (
	clampToEdge, mirroredRepeat = 33071, 33648
	nearest, triangleFan        = 9728, 6
	magic, chunkJSON, chunkBIN  = 0x46546C67, 0x4E4F534A, 0x004E4942
)

// object and list are JSON under construction.
type (
	Object = map[string]any
	List   = []any
)

// Builder makes glTF files for tests.
type Builder struct {
	Doc Object
	Bin []byte
}

func NewBuilder() *Builder {
	return &Builder{Doc: Object{"asset": Object{"version": "2.0"}}}
}

// Push appends to one of the document's lists and returns the index.
func (b *Builder) Push(name string, item Object) int {
	all, _ := b.Doc[name].(List)
	b.Doc[name] = append(all, item)
	return len(all)
}

// View appends bytes to the binary chunk, aligned to four.
func (b *Builder) View(data []byte) int {
	for len(b.Bin)%4 != 0 {
		b.Bin = append(b.Bin, 0)
	}
	at := len(b.Bin)
	b.Bin = append(b.Bin, data...)
	return b.Push("bufferViews", Object{"buffer": 0, "byteOffset": at, "byteLength": len(data)})
}

// widthOf returns how many numbers an element of a shape has.
func widthOf(shape string) int {
	return map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[shape]
}

// Pack lays numbers out as components of a type; normalised integers are for the caller to scale.
func Pack(component int, values ...float64) []byte {
	var out []byte
	for _, v := range values {
		switch component {
		case Float:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		case Uint:
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		case Short, Ushort:
			out = binary.LittleEndian.AppendUint16(out, uint16(int64(v)))
		default:
			out = append(out, byte(int64(v)))
		}
	}
	return out
}

func (b *Builder) Accessor(component int, shape string, values ...float64) int {
	width := widthOf(shape)
	return b.Push("accessors", Object{"bufferView": b.View(Pack(component, values...)),
		"componentType": component, "type": shape, "count": len(values) / width})
}

// Text returns the JSON with the buffer declared.
func (b *Builder) Text() []byte {
	if len(b.Bin) > 0 && b.Doc["buffers"] == nil {
		b.Doc["buffers"] = List{Object{"byteLength": len(b.Bin)}}
	}
	text, err := json.Marshal(b.Doc)
	if err != nil {
		panic(err)
	}
	return text
}

func (b *Builder) Glb() []byte { return GLB(b.Text(), b.Bin) }

// GLB wraps JSON and a binary chunk.
func GLB(text, bin []byte) []byte {
	text = append(bytes.Clone(text), strings.Repeat(" ", -len(text)&3)...)
	bin = append(bytes.Clone(bin), make([]byte, -len(bin)&3)...)
	chunk := func(out []byte, kind uint32, body []byte) []byte {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
		out = binary.LittleEndian.AppendUint32(out, kind)
		return append(out, body...)
	}
	body := chunk(nil, chunkJSON, text)
	if len(bin) > 0 {
		body = chunk(body, chunkBIN, bin)
	}
	out := binary.LittleEndian.AppendUint32(nil, magic)
	out = binary.LittleEndian.AppendUint32(out, 2)
	out = binary.LittleEndian.AppendUint32(out, uint32(12+len(body)))
	return append(out, body...)
}

// SplitGLB is the inverse of glb, for files that are as they should be.
func SplitGLB(data []byte) (text, bin []byte) {
	length := binary.LittleEndian.Uint32(data[12:])
	text, data = data[20:20+length], data[20+length:]
	if len(data) > 0 {
		bin = data[8:]
	}
	return text, bin
}

// Beam returns a small file that uses nearly everything that the reader supports: a skinned beam of 8 vertices with
// indices, normals, texture, two morph targets (one sparse) and two sets of influences, a rigid fan below a joint, a
// matrix node with a shear, and a clip with every path and interpolation.
func Beam() *Builder {
	b := NewBuilder()
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
	attributes := Object{
		"POSITION":   b.Accessor(Float, "VEC3", positions...),
		"NORMAL":     b.Accessor(Float, "VEC3", normals...),
		"TEXCOORD_0": b.Accessor(Float, "VEC2", uvs...),
		"JOINTS_0":   b.Accessor(Ubyte, "VEC4", joints...),
		"WEIGHTS_0":  b.Accessor(Float, "VEC4", weights...),
		"JOINTS_1":   b.Accessor(Ushort, "VEC4", joints1...),
		"WEIGHTS_1":  b.Accessor(Float, "VEC4", weights1...),
	}
	indices := b.Accessor(Ushort, "SCALAR",
		0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7)
	dense := b.Accessor(Float, "VEC3", make([]float64, 24)...)
	sparse := b.Push("accessors", Object{"componentType": Float, "type": "VEC3", "count": 8, "sparse": Object{
		"count":   2,
		"indices": Object{"bufferView": b.View(Pack(Ubyte, 1, 6)), "componentType": Ubyte},
		"values":  Object{"bufferView": b.View(Pack(Float, 0.1, 0, 0, 0, 0.2, 0))},
	}})
	b.Push("samplers", Object{"wrapS": clampToEdge, "wrapT": mirroredRepeat, "magFilter": nearest})
	b.Push("images", Object{"bufferView": b.View(PNG(4, 2)), "mimeType": "image/png"})
	b.Push("textures", Object{"source": 0, "sampler": 0})
	b.Push("materials", Object{"name": "cloth", "pbrMetallicRoughness": Object{
		"baseColorFactor": List{0.5, 0.25, 1, 1}, "baseColorTexture": Object{"index": 0, "texCoord": 0,
			"extensions": Object{"KHR_texture_transform": Object{"offset": List{0.5, 0}, "scale": List{2, 1},
				"rotation": math.Pi / 2}}},
	}, "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true})
	b.Push("meshes", Object{"name": "beam", "weights": List{0, 0.5},
		"extras": Object{"targetNames": List{"flat", "bulge"}},
		"primitives": List{Object{"attributes": attributes, "indices": indices, "material": 0, "mode": 4, "targets": List{
			Object{"POSITION": dense, "NORMAL": dense}, Object{"POSITION": sparse}}}}})
	b.Push("meshes", Object{"name": "flag", "primitives": List{Object{"mode": triangleFan, "attributes": Object{
		"POSITION": b.Accessor(Float, "VEC3", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0)}}}})
	inverse := func(y float64) []float64 { return []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1} }
	ibm := b.Accessor(Float, "MAT4", append(append(inverse(0), inverse(0.5)...), inverse(1)...)...)
	b.Push("skins", Object{"name": "rig", "joints": List{1, 2, 3}, "inverseBindMatrices": ibm, "skeleton": 1})
	b.Push("nodes", Object{"name": "body", "mesh": 0, "skin": 0})
	b.Push("nodes", Object{"name": "root", "children": List{2}})
	b.Push("nodes", Object{"name": "mid", "children": List{3}, "translation": List{0, 0.5, 0},
		"rotation": List{0, 0, 0, 1}, "scale": List{1, 1, 1}})
	b.Push("nodes", Object{"name": "tip", "children": List{4, 5},
		"matrix": List{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1}})
	b.Push("nodes", Object{"name": "flag", "mesh": 1})
	b.Push("nodes", Object{"name": "shear", "matrix": List{1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}})
	b.Push("scenes", Object{"nodes": List{0, 1}})
	b.Doc["scene"] = 0
	times := b.Accessor(Float, "SCALAR", 0, 1)
	s := math.Sqrt(0.5)
	b.Push("animations", Object{"name": "bend", "samplers": List{
		Object{"input": times, "output": b.Accessor(Float, "VEC4", 0, 0, 0, 1, 0, 0, s, s),
			"interpolation": "LINEAR"},
		Object{"input": times, "output": b.Accessor(Float, "VEC3", 0, 0, 0, 0, 1, 0), "interpolation": "STEP"},
		Object{"input": times, "output": b.Accessor(Float, "VEC3", 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0,
			0), "interpolation": "CUBICSPLINE"},
		Object{"input": times, "output": b.Accessor(Float, "SCALAR", 0, 0, 1, 1)},
	}, "channels": List{
		Object{"sampler": 0, "target": Object{"node": 2, "path": "rotation"}},
		Object{"sampler": 1, "target": Object{"node": 1, "path": "translation"}},
		Object{"sampler": 2, "target": Object{"node": 3, "path": "scale"}},
		Object{"sampler": 3, "target": Object{"node": 0, "path": "weights"}},
	}})
	return b
}

// Twisted gives the beam's primitive a second weight set over its three joints, one of the lower half of the beam
// (weights 3/5 and 2/5 of joints 0 and 1) and one of the upper half (1/5, 1/5 and 3/5), and says so in the extras of
// its skin. It returns the accessors of joints and weights.
func (b *Builder) Twisted() (joints, weights int) {
	var j, w []float64
	for i := range 8 {
		j = append(j, 0, 1, 2, 0)
		if i < 4 {
			w = append(w, 153, 102, 0, 0)
		} else {
			w = append(w, 51, 51, 153, 0)
		}
	}
	joints, weights = b.Accessor(Ushort, "VEC4", j...), b.Accessor(Ubyte, "VEC4", w...)
	b.Doc["accessors"].(List)[weights].(Object)["normalized"] = true
	b.Set("meshes.0.primitives.0.attributes._TWIST_JOINTS_0", joints)
	b.Set("meshes.0.primitives.0.attributes._TWIST_WEIGHTS_0", weights)
	b.Set("skins.0.extras", Object{"skinlab": Object{"version": 1, "twistSwing": Object{}}})
	return joints, weights
}

// Unbound gives the beam's skin a fourth joint, which no vertex follows. It stands at 0 2 0, and its inverse bind
// matrix is zero.
func (b *Builder) Unbound() *Builder {
	unbound := b.Push("nodes", Object{"name": "unbound", "translation": List{0, 1.5, 0}})
	b.Set("nodes.2.children", List{3, unbound}).Set("skins.0.joints", List{1, 2, 3, unbound})
	var binds []float64
	for _, y := range []float64{0, 0.5, 1} {
		binds = append(binds, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1)
	}
	binds = append(binds, make([]float64, 16)...)
	return b.Set("skins.0.inverseBindMatrices", b.Accessor(Float, "MAT4", binds...))
}

// PNG returns a picture with a different colour in every pixel.
func PNG(width, height int) []byte {
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

// Set changes one value of the JSON, at a path like "accessors.0.count". A nil value removes it.
func (b *Builder) Set(path string, value any) *Builder {
	steps := strings.Split(path, ".")
	var at any = b.Doc
	for i, step := range steps {
		last := i == len(steps)-1
		switch v := at.(type) {
		case Object:
			switch {
			case last && value == nil:
				delete(v, step)
			case last:
				v[step] = value
			default:
				at = v[step]
			}
		case List:
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

// Patch overwrites bytes of the binary chunk at an element of an accessor.
func (b *Builder) Patch(accessor, element int, data []byte) *Builder {
	a := b.Doc["accessors"].(List)[accessor].(Object)
	view := b.Doc["bufferViews"].(List)[a["bufferView"].(int)].(Object)
	size := widthOf(a["type"].(string)) * len(Pack(a["componentType"].(int), 0))
	copy(b.Bin[view["byteOffset"].(int)+element*size:], data)
	return b
}
