package skinning

import "testing"

// TestInputsFitTheStream: a method reads at most one weight set and valuesPerVertex numbers of a vertex, since a stream
// and a shader have room for no more.
func TestInputsFitTheStream(t *testing.T) {
	for _, m := range Methods() {
		sets, numbers := 0, 0
		for _, in := range m.Inputs() {
			if in.Components == 0 {
				sets++
			}
			numbers += in.Components
		}
		if sets > 1 || numbers > valuesPerVertex {
			t.Errorf("%v reads %d weight sets and %d numbers", m, sets, numbers)
		}
	}
}
