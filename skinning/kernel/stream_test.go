package kernel_test

import (
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/kernel"
)

// A stream's traffic is what its layout says: 24 bytes of bindings, 12 each of rest position, rest normal, position and
// normal, 4 of a centre set; of a vertex with more than four influences 4 bytes of where the others are, and 8 for
// each.
func TestBytesMoved(t *testing.T) {
	for _, c := range []struct {
		influences int
		normals    bool
		method     skinning.Method
		bytes      int
	}{
		{4, true, skinning.LBS, 72}, {1, true, skinning.DQS, 72}, {4, false, skinning.LBS, 48}, {4, true, skinning.SBS, 76},
		{6, true, skinning.LBS, 72 + 4 + 2*8},
	} {
		const vertices = 100
		m := skinningtest.RandomModel(vertices, 10, c.influences, 1)
		f := skinning.NewFrame(m, nil)
		out := skinning.NewOutput(m)
		rest := m.Skin.Normals
		if !c.normals {
			out.Normals, rest = nil, nil
		}
		s := kernel.NewStream(out.Positions, out.Normals, m.Skin.Positions, rest, &m.Skin.Influences, nil)
		if c.method.Reads()&skinning.Centers != 0 {
			s.Sets = f.Centers.OfVertex
		}
		expected := vertices * c.bytes
		if c.influences > 4 {
			expected += 4 // one more start than vertices
		}
		if got := s.BytesMoved(); got != expected {
			t.Errorf("%v, %d influences, normals %v: %d bytes for %d vertices, expected %d", c.method, c.influences, c.normals,
				got, vertices, expected)
		}
	}
}
