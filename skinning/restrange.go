package skinning

import "github.com/go-gl/mathgl/mgl32"

// RestRange writes vertices first, first+1, … of the unposed mesh into dst with its morph targets applied at the given
// weights, one per morph slot: what a [Stream] takes as its rest. It allocates nothing.
func (m *Mesh) RestRange(dst []mgl32.Vec3, first int, weights []float64) {
	copy(dst, m.Positions[first:first+len(dst)])
	for i := range m.Morphs {
		t := &m.Morphs[i]
		w := float32(weights[t.Slot])
		from := max(first, t.FirstVertex)
		to := min(first+len(dst), t.FirstVertex+len(t.Positions))
		if w != 0 && from < to {
			addScaled(dst[from-first:to-first], t.Positions[from-t.FirstVertex:to-t.FirstVertex], w)
		}
	}
}
