package export

import (
	"bytes"
	"testing"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestInterleaved: views of interleaved attributes keep a whole stride for each vertex when the weights have left them.
// Three.js and assimp read count times the stride. The weights are the first attribute of a vertex and the joints an
// inner one, so that the last byte in use is not the stride's, whichever they are.
func TestInterleaved(t *testing.T) {
	plain := encoded(t, assetstest.Open(t, "demo:bar"))
	data := gltftest.Interleave(t, plain)
	m := decoded(t, "interleaved.glb", data)
	_, _, out := export(t, gltftest.HalfWay(t, m, skinning.DQS, 4), data, nil, Options{RMS: 0.003})
	doc := new(qgltf.Document)
	if err := qgltf.NewDecoder(bytes.NewReader(out)).Decode(doc); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i, a := range doc.Accessors {
		if a.BufferView == nil || doc.BufferViews[*a.BufferView].ByteStride == 0 {
			continue
		}
		seen++
		v := doc.BufferViews[*a.BufferView]
		if need := a.Count * v.ByteStride; v.ByteLength < need || v.ByteOffset+v.ByteLength > doc.Buffers[0].ByteLength {
			t.Errorf("accessor %d: %d bytes from %d of %d, expected %d times %d", i, v.ByteLength, v.ByteOffset,
				doc.Buffers[0].ByteLength, a.Count, v.ByteStride)
		}
	}
	if seen < 2 {
		t.Errorf("%d interleaved accessors, expected positions and normals at least", seen)
	}
}
