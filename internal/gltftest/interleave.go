package gltftest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	qgltf "github.com/qmuntal/gltf"
)

// Interleave writes a GLB anew with the attributes of every primitive in one buffer view, vertex after vertex, as
// many tools write them. The weights come first, and all other data stay where they are. Accessors that are sparse or
// without bytes stay too.
func Interleave(t testing.TB, data []byte) []byte {
	t.Helper()
	doc := new(qgltf.Document)
	if err := qgltf.NewDecoder(bytes.NewReader(data)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	bin := doc.Buffers[0].Data
	for _, mesh := range doc.Meshes {
		for _, p := range mesh.Primitives {
			type column struct{ accessor, from, step, size, at int }
			var columns []column
			stride, count := 0, 0
			names := slices.Sorted(maps.Keys(p.Attributes))
			slices.Reverse(names) // WEIGHTS_0 first, JOINTS_0 after TEXCOORD_0 and POSITION
			for _, name := range names {
				a := doc.Accessors[p.Attributes[name]]
				if a.BufferView == nil || a.Sparse != nil {
					continue
				}
				view, size := doc.BufferViews[*a.BufferView], qgltf.SizeOfElement(a.ComponentType, a.Type)
				columns = append(columns, column{p.Attributes[name], view.ByteOffset + a.ByteOffset, max(view.ByteStride, size),
					size, stride})
				stride, count = stride+(size+3)&^3, a.Count
			}
			bin = append(bin, make([]byte, -len(bin)&3)...)
			first := len(bin)
			bin = append(bin, make([]byte, count*stride)...)
			doc.BufferViews = append(doc.BufferViews, &qgltf.BufferView{ByteOffset: first, ByteLength: count * stride,
				ByteStride: stride, Target: qgltf.TargetArrayBuffer})
			for _, c := range columns {
				for v := range count {
					copy(bin[first+v*stride+c.at:][:c.size], bin[c.from+v*c.step:])
				}
				a := *doc.Accessors[c.accessor] // another primitive may have the old one too
				a.BufferView, a.ByteOffset = qgltf.Index(len(doc.BufferViews)-1), c.at
				doc.Accessors = append(doc.Accessors, &a)
				for name, accessor := range p.Attributes {
					if accessor == c.accessor {
						p.Attributes[name] = len(doc.Accessors) - 1
					}
				}
			}
		}
	}
	doc.Buffers[0].Data, doc.Buffers[0].ByteLength = bin, len(bin)
	var out bytes.Buffer
	encoder := qgltf.NewEncoder(&out)
	encoder.AsBinary = true
	if err := encoder.Encode(doc); err != nil {
		t.Fatal(fmt.Errorf("interleaved: %w", err))
	}
	return out.Bytes()
}
