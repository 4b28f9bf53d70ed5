package enveloping

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// TestConnectFlatRigs: a flat rig becomes a tree along the weights that its joints share, trees hang by their roots,
// and what shares no vertex stays apart.
func TestConnectFlatRigs(t *testing.T) {
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
		connectFlatRigs(got, c.weights)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: parents %v, expected %v", name, got, c.want)
		}
	}
}

// TestHangManyRoots: a flat rig of as many joints as a file may have is no more work than its pairs of joints that
// share a vertex; a table of all pairs would fill the memory of any machine. Nor is a chain of them.
func TestHangManyRoots(t *testing.T) {
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
		if connectFlatRigs(parent, weights); !slices.Equal(parent, want) {
			t.Error("not the chain that the weights make")
		}
	}
}

// TestHand: the joints of a hand of virtual reality are all roots; in the examples those that move a vertex are one
// tree.
func TestHand(t *testing.T) {
	m := openModel(t, "GenericHand.glb")
	x, err := NewExamples(m, []*skinning.Frame{skinning.NewFrame(m, nil)},
		[][]mgl64.Vec3{make([]mgl64.Vec3, len(m.Skin.Positions))})
	if err != nil {
		t.Fatal(err)
	}
	moves := make([]bool, len(x.Parent))
	for _, w := range x.Rigged {
		for _, s := range w {
			moves[s.Joint] = true
		}
	}
	flat, roots := 0, 0
	for j, joint := range m.Skeleton.Joints {
		if moves[j] && joint.Parent < 0 {
			flat++
		}
		if moves[j] && x.Parent[j] < 0 {
			roots++
		}
	}
	if flat < 15 || roots != 1 {
		t.Errorf("of the joints that move a vertex, %d are roots in the file and %d in the examples", flat, roots)
	}
}
