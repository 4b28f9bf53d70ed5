package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/assets/gltf/bake"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// writer adds elements to a document. Their data go into one more buffer.
type writer struct {
	doc    *qgltf.Document
	bin    []byte
	shared map[string]int    // accessors by their contents, so that equal ones are written once
	keys   []byte            // of animations; flushKeys puts them into one buffer view
	keyed  []*qgltf.Accessor // the accessors of keys
	buffer int               // the index that bin will have, behind the buffers of the document
}

func newWriter(doc *qgltf.Document) *writer {
	return &writer{doc: doc, shared: map[string]int{}, buffer: len(doc.Buffers)}
}

// push adds to one of the document's lists and returns the index.
func push[T any](list *[]*T, item *T) int {
	*list = append(*list, item)
	return len(*list) - 1
}

// view appends bytes to the buffer, aligned to four, and returns the index of a buffer view of them.
func (w *writer) view(data []byte, target qgltf.Target) *int {
	w.bin = append(w.bin, make([]byte, -len(w.bin)&3)...)
	v := &qgltf.BufferView{Buffer: w.buffer, ByteOffset: len(w.bin), ByteLength: len(data), Target: target}
	w.bin = append(w.bin, data...)
	return qgltf.Index(push(&w.doc.BufferViews, v))
}

// accessor adds an accessor with the properties of a, and its data in a buffer view of their own. Equal contents share
// one accessor.
func (w *writer) accessor(data []byte, a qgltf.Accessor, target qgltf.Target) int {
	return w.once(data, a, target.String(), func(a *qgltf.Accessor) { a.BufferView = w.view(data, target) })
}

// keyAccessor is accessor for the keys of animations. All of them share one buffer view, see flushKeys: thousands of
// views would take more room than the keys.
func (w *writer) keyAccessor(data []byte, a qgltf.Accessor) int {
	return w.once(data, a, "key", func(a *qgltf.Accessor) {
		w.keys = append(w.keys, make([]byte, -len(w.keys)&3)...)
		a.ByteOffset = len(w.keys)
		w.keys, w.keyed = append(w.keys, data...), append(w.keyed, a)
	})
}

// once adds an accessor unless there is an equal one for the same use. Place stores its data.
func (w *writer) once(data []byte, a qgltf.Accessor, use string, place func(*qgltf.Accessor)) int {
	key := fmt.Sprintln(a.ComponentType, a.Type, use) + string(data)
	i, ok := w.shared[key]
	if !ok {
		_, size := gltf.ElementLayout(a.Type, a.ComponentType)
		a.Count = len(data) / size
		place(&a)
		i = push(&w.doc.Accessors, &a)
		w.shared[key] = i
	}
	return i
}

// floats adds an accessor of float32 numbers, with the bounds that glTF asks of positions and key times.
func (w *writer) floats(values []float32, shape qgltf.AccessorType, target qgltf.Target, bounds bool) int {
	a := qgltf.Accessor{Type: shape}
	if bounds {
		width := shape.Components()
		a.Min, a.Max = make([]float64, width), make([]float64, width)
		for i, v := range values {
			k := i % width
			if i < width || float64(v) < a.Min[k] {
				a.Min[k] = float64(v)
			}
			if i < width || float64(v) > a.Max[k] {
				a.Max[k] = float64(v)
			}
		}
	}
	return w.accessor(floatBytes(values), a, target)
}

// values adds the numbers of a part's vertices in an input of a method. ToRest maps the space of the part's mesh to rest
// space.
func (w *writer) values(in *skinning.InputData, part *skinning.Part, toRest geom.Affine) int {
	values := in.ValuesOf(part)
	if back, ok := toRest.Inverse(); ok && in.Place {
		values = slices.Clone(values)
		for at := values; len(at) > 0; at = at[3:] {
			p := back.Apply(mgl64.Vec3{float64(at[0]), float64(at[1]), float64(at[2])})
			at[0], at[1], at[2] = float32(p[0]), float32(p[1]), float32(p[2])
		}
	}
	return w.floats(values, gltf.ShapeOf(in.Input), qgltf.TargetArrayBuffer, false)
}

// zeros adds an accessor of zeros, which takes no bytes.
func (w *writer) zeros(component qgltf.ComponentType, shape qgltf.AccessorType, count int, bounds bool) int {
	a := &qgltf.Accessor{ComponentType: component, Type: shape, Count: count}
	if bounds {
		a.Min, a.Max = make([]float64, shape.Components()), make([]float64, shape.Components())
	}
	return push(&w.doc.Accessors, a)
}

// keyTimes adds rising key times.
func (w *writer) keyTimes(times []float32) int {
	return w.keyAccessor(floatBytes(times),
		qgltf.Accessor{Min: []float64{float64(times[0])}, Max: []float64{float64(times[len(times)-1])}})
}

// keyValues adds the keys of a path.
func (w *writer) keyValues(keys *bake.PathKeys, path int) int {
	a := qgltf.Accessor{Type: gltf.PathShapes[bonePaths[path]]}
	var data []byte
	for i := range keys.Values {
		for _, v := range keys.Values[i][:bake.PathWidth[path]] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		}
	}
	return w.keyAccessor(data, a)
}

// flushKeys writes the buffer view of all keys so far.
func (w *writer) flushKeys() {
	if len(w.keyed) == 0 {
		return
	}
	view := w.view(w.keys, qgltf.TargetNone)
	for _, a := range w.keyed {
		a.BufferView = qgltf.Index(*view)
	}
	w.keys, w.keyed = nil, nil
}

func floatBytes(values []float32) []byte {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// newNode returns a node without a transform.
func newNode(name string) *qgltf.Node {
	return &qgltf.Node{Name: name, Matrix: qgltf.DefaultMatrix, Rotation: qgltf.DefaultRotation, Scale: qgltf.DefaultScale}
}

// channel appends a channel that moves a node to an animation, with the keys of c.
func (w *writer) channel(a *qgltf.Animation, node int, c *skinning.Channel) {
	path := qgltf.TRSProperty(slices.Index(gltf.Paths[:], c.Path))
	addChannel(a, node, path, qgltf.Interpolation(slices.Index(gltf.Interpolations[:], c.Interpolation)),
		w.floats(c.Times, qgltf.AccessorScalar, qgltf.TargetNone, true),
		w.floats(c.Values, gltf.PathShapes[path], qgltf.TargetNone, false))
}

// addChannel appends a channel to an animation.
func addChannel(a *qgltf.Animation, node int, path qgltf.TRSProperty, interpolation qgltf.Interpolation,
	input, output int) {
	a.Channels = append(a.Channels, &qgltf.AnimationChannel{Sampler: len(a.Samplers),
		Target: qgltf.AnimationChannelTarget{Node: &node, Path: path}})
	a.Samplers = append(a.Samplers, &qgltf.AnimationSampler{Input: input, Output: output, Interpolation: interpolation})
}
