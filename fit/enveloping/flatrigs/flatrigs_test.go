package flatrigs

import (
	"slices"
	"testing"

	"skinlab/skinning"
)

// TestConnect: a flat rig becomes a tree along the weights that its joints share, trees hang by their roots,
// and what shares no vertex stays apart.
func TestConnect(t *testing.T) {
	share := func(a, b int, w float64) []skinning.Share {
		return []skinning.Share{{Joint: uint16(a), Weight: w}, {Joint: uint16(b), Weight: 1 - w}}
	}
	for name, c := range map[string]struct {
		parent, want []int
		weights      [][]skinning.Share
	}{
		"flat": {[]int{-1, -1, -1, -1}, []int{-1, 2, 0, 2},
			[][]skinning.Share{share(0, 2, 0.5), share(2, 1, 0.5), share(1, 0, 0.95), share(2, 3, 0.6)}},
		"two trees":    {[]int{-1, 0, -1, 2}, []int{-1, 0, 1, 2}, [][]skinning.Share{share(1, 3, 0.5), share(0, 3, 0.9)}},
		"apart":        {[]int{-1, 0, -1, 2}, []int{-1, 0, -1, 2}, [][]skinning.Share{share(0, 1, 0.5), share(2, 3, 0.5)}},
		"one root":     {[]int{-1, 0, 1}, []int{-1, 0, 1}, [][]skinning.Share{share(0, 2, 0.5)}},
		"second first": {[]int{2, -1, -1}, []int{2, -1, 1}, [][]skinning.Share{share(0, 1, 0.5)}},
		"no weights":   {[]int{-1, -1}, []int{-1, -1}, nil},
	} {
		got := slices.Clone(c.parent)
		Connect(got, c.weights)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: parents %v, expected %v", name, got, c.want)
		}
	}
}

// TestManyRoots: a flat rig of as many joints as a file may have is no more work than its pairs of joints that
// share a vertex; a table of all pairs would fill the memory of any machine. Nor is a chain of them.
func TestManyRoots(t *testing.T) {
	const n = 60_000
	flat, chain := make([]int, n), make([]int, n)
	var weights [][]skinning.Share
	for j := range n {
		flat[j], chain[j] = -1, j-1
		if j > 0 {
			weights = append(weights, []skinning.Share{{Joint: uint16(j - 1), Weight: 0.5}, {Joint: uint16(j), Weight: 0.5}})
		}
	}
	want := slices.Clone(chain)
	for _, parent := range [][]int{flat, chain} {
		if Connect(parent, weights); !slices.Equal(parent, want) {
			t.Error("not the chain that the weights make")
		}
	}
}
