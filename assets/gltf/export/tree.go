package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/assets/gltf/bake"
)

// dict and items are a document as generic JSON, so that writing it again keeps what this package knows nothing of.
// Numbers stay json.Number: digits are kept.
type (
	dict  = map[string]any
	items = []any
)

// Component types of accessors: GL's enumeration.
const (
	kindUbyte  = 5121
	kindShort  = 5122
	kindUshort = 5123
	kindUint   = 5125
	kindFloat  = 5126
)

var (
	kindSize = map[int]int{kindUbyte: 1, kindShort: 2, kindUshort: 2, kindUint: 4, kindFloat: 4}
	widthOf  = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
)

// treeWriter is a glTF document under construction with one binary chunk.
type treeWriter struct {
	doc    dict
	bin    []byte
	shared map[string]int   // accessors by their contents, so that equal ones are written once
	keys   []byte           // of animations, on their way into one buffer view
	keyed  []dict           // the accessors of these
	free   map[string][]int // by list, the indices that the next elements take
}

func newTreeWriter() *treeWriter {
	return &treeWriter{doc: dict{"asset": dict{"version": "2.0", "generator": "skinlab"}}, shared: map[string]int{}}
}

// parseTree reads the JSON text of a document that has been checked.
func parseTree(text []byte) (*treeWriter, error) {
	decode := json.NewDecoder(bytes.NewReader(text))
	decode.UseNumber()
	w := newTreeWriter()
	w.doc = nil
	if err := decode.Decode(&w.doc); err != nil {
		return nil, fault.Malformed("the JSON is invalid: %v", err)
	}
	return w, nil
}

// list returns one of the document's lists, nil where there is none.
func (w *treeWriter) list(name string) items {
	l, _ := w.doc[name].(items)
	return l
}

// at returns an element of one of the document's lists.
func (w *treeWriter) at(name string, i int) dict { return w.list(name)[i].(dict) }

// push adds to one of the document's lists, at a free index or behind the last, and returns the index.
func (w *treeWriter) push(name string, item dict) int {
	l := w.list(name)
	if free := w.free[name]; len(free) > 0 {
		w.free[name] = free[1:]
		l[free[0]] = item
		return free[0]
	}
	w.doc[name] = append(l, item)
	return len(l)
}

// Targets of buffer views: GL's enumeration; 0 for data that no draw call reads.
const (
	targetNone     = 0
	targetVertices = 34962
	targetIndices  = 34963
)

// view appends bytes to the binary chunk, aligned to four, and returns the index of a buffer view of them.
func (w *treeWriter) view(data []byte, target int) int {
	w.bin = append(w.bin, make([]byte, -len(w.bin)&3)...)
	v := dict{"buffer": 0, "byteOffset": len(w.bin), "byteLength": len(data)}
	if target != targetNone {
		v["target"] = target
	}
	w.bin = append(w.bin, data...)
	return w.push("bufferViews", v)
}

// accessor writes elements laid out by shape and component; extra holds further properties (min, max, normalized).
// Equal contents share one accessor.
func (w *treeWriter) accessor(data []byte, component int, shape string, target int, extra dict) int {
	key := fmt.Sprint(component, shape, target, "\n") + string(data)
	if i, ok := w.shared[key]; ok {
		return i
	}
	size := widthOf[shape] * kindSize[component]
	a := dict{"bufferView": w.view(data, target), "componentType": component, "type": shape, "count": len(data) / size}
	for name, value := range extra {
		a[name] = value
	}
	w.shared[key] = w.push("accessors", a)
	return w.shared[key]
}

// floats writes an accessor of float32 numbers, with the bounds that glTF asks of positions and key times.
func (w *treeWriter) floats(values []float32, shape string, target int, bounds bool) int {
	data := floatBytes(values)
	if !bounds {
		return w.accessor(data, kindFloat, shape, target, nil)
	}
	width := widthOf[shape]
	lo, hi := make([]float64, width), make([]float64, width)
	for i, v := range values {
		k := i % width
		if i < width || float64(v) < lo[k] {
			lo[k] = float64(v)
		}
		if i < width || float64(v) > hi[k] {
			hi[k] = float64(v)
		}
	}
	return w.accessor(data, kindFloat, shape, target, dict{"min": lo, "max": hi})
}

// keyAccessor is accessor for the keys of animations: all of them share one buffer view, which flushKeys writes, since
// thousands of views would take more room than the keys.
func (w *treeWriter) keyAccessor(data []byte, component int, shape string, extra dict) int {
	key := fmt.Sprint(component, shape, "key\n") + string(data)
	if i, ok := w.shared[key]; ok {
		return i
	}
	size := widthOf[shape] * kindSize[component]
	w.keys = append(w.keys, make([]byte, -len(w.keys)&3)...)
	a := dict{"componentType": component, "type": shape, "count": len(data) / size}
	if len(w.keys) > 0 {
		a["byteOffset"] = len(w.keys)
	}
	for name, value := range extra {
		a[name] = value
	}
	w.keys, w.keyed = append(w.keys, data...), append(w.keyed, a)
	w.shared[key] = w.push("accessors", a)
	return w.shared[key]
}

// keyTimes writes rising key times.
func (w *treeWriter) keyTimes(times []float32) int {
	return w.keyAccessor(floatBytes(times), kindFloat, "SCALAR",
		dict{"min": items{float64(times[0])}, "max": items{float64(times[len(times)-1])}})
}

// keyValues writes the keys of a path.
func (w *treeWriter) keyValues(keys *bake.PathKeys, path int) int {
	var data []byte
	for i := range keys.Values {
		for _, v := range keys.Values[i][:bake.PathWidth[path]] {
			if keys.Short {
				data = binary.LittleEndian.AppendUint16(data, uint16(int16(math.Round(v*32767))))
			} else {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
			}
		}
	}
	if keys.Short {
		return w.keyAccessor(data, kindShort, pathShapes[path], dict{"normalized": true})
	}
	return w.keyAccessor(data, kindFloat, pathShapes[path], nil)
}

// flushKeys writes the buffer view of all keys so far.
func (w *treeWriter) flushKeys() {
	if len(w.keyed) == 0 {
		return
	}
	view := w.view(w.keys, targetNone)
	for _, a := range w.keyed {
		a["bufferView"] = view
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

// writeGLB writes the document and its binary chunk as a GLB.
func (w *treeWriter) writeGLB(out io.Writer) error {
	if len(w.bin) > 0 {
		w.doc["buffers"] = items{dict{"byteLength": len(w.bin)}}
	}
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(w.doc); err != nil {
		return fmt.Errorf("glTF: %w", err)
	}
	body := bytes.TrimRight(text.Bytes(), "\n")
	body = append(body, strings.Repeat(" ", -len(body)&3)...)
	bin := append(w.bin, make([]byte, -len(w.bin)&3)...)
	total := gltf.GlbHeaderSize + gltf.GlbChunkHead + len(body)
	if len(bin) > 0 {
		total += gltf.GlbChunkHead + len(bin)
	}
	if int64(total) > math.MaxUint32 {
		return fmt.Errorf("glTF: %d bytes do not fit a GLB", total)
	}
	var head []byte
	for _, x := range []uint32{gltf.GlbMagic, 2, uint32(total), uint32(len(body)), gltf.GlbChunkJSON} {
		head = binary.LittleEndian.AppendUint32(head, x)
	}
	parts := [][]byte{head, body}
	if len(bin) > 0 {
		head = binary.LittleEndian.AppendUint32(nil, uint32(len(bin)))
		parts = append(parts, binary.LittleEndian.AppendUint32(head, gltf.GlbChunkBIN), bin)
	}
	for _, p := range parts {
		if _, err := out.Write(p); err != nil {
			return err
		}
	}
	return nil
}
