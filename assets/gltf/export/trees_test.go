package export

import (
	"slices"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// checkTrees fails the test where the document breaks what glTF 2.0 (sections 3.5.1, 3.7.3.2) asks of trees: a node has
// one parent, scenes name roots, the joints of a skin share a root, its skeleton is above them all, and they are in
// every scene that shows the skin.
func checkTrees(t *testing.T, doc dict) {
	t.Helper()
	nodes := doc["nodes"].(items)
	parent := slices.Repeat([]int{-1}, len(nodes))
	numbers := func(of any) (out []int) {
		list, _ := of.(items)
		for _, n := range list {
			out = append(out, int(n.(float64)))
		}
		return out
	}
	for i, n := range nodes {
		for _, c := range numbers(n.(dict)["children"]) {
			if parent[c] >= 0 {
				t.Errorf("node %d is a child of nodes %d and %d", c, parent[c], i)
			}
			parent[c] = i
		}
	}
	above := func(node int) (chain []int) { // from the node up
		for ; node >= 0; node = parent[node] {
			chain = append(chain, node)
		}
		return chain
	}
	rootOf := func(node int) int { chain := above(node); return chain[len(chain)-1] }
	skins := doc["skins"].(items)
	for i, s := range skins {
		joints := numbers(s.(dict)["joints"])
		for _, j := range joints {
			if rootOf(j) != rootOf(joints[0]) {
				t.Errorf("skin %d: joints %d and %d share no root", i, joints[0], j)
			}
			if at, ok := s.(dict)["skeleton"].(float64); ok && !slices.Contains(above(j), int(at)) {
				t.Errorf("skin %d: joint %d is not below the skeleton, node %g", i, j, at)
			}
		}
	}
	for i, s := range doc["scenes"].(items) {
		roots := numbers(s.(dict)["nodes"])
		for _, r := range roots {
			if parent[r] >= 0 {
				t.Errorf("scene %d: node %d is no root", i, r)
			}
		}
		for k, n := range nodes {
			skin, ok := n.(dict)["skin"].(float64)
			if !ok || !slices.Contains(roots, rootOf(k)) {
				continue
			}
			for _, j := range numbers(skins[int(skin)].(dict)["joints"]) {
				if !slices.Contains(roots, rootOf(j)) {
					t.Errorf("scene %d shows node %d but not its joint %d", i, k, j)
				}
			}
		}
	}
}

// herd is three beams, each with a skeleton and a skin of its own: joints 0 to 2, 3 to 5 and 6 to 8.
func herd() *gltftest.Builder {
	b := gltftest.Beam()
	inverse := b.Doc["skins"].(list)[0].(object)["inverseBindMatrices"]
	scene := list{0, 1}
	for range 2 {
		tip := b.Push("nodes", object{"name": "tip", "translation": list{0, 0.5, 0}})
		mid := b.Push("nodes", object{"name": "mid", "translation": list{0, 0.5, 0}, "children": list{tip}})
		root := b.Push("nodes", object{"name": "root", "children": list{mid}})
		skin := b.Push("skins", object{"joints": list{root, mid, tip}, "inverseBindMatrices": inverse, "skeleton": root})
		scene = append(scene, root, b.Push("nodes", object{"name": "body", "mesh": 0, "skin": skin}))
	}
	return b.Set("scenes.0.nodes", scene)
}

// TestExportOverSkeletons: a fit over all joints ties skins together that share no root.
func TestExportOverSkeletons(t *testing.T) {
	for _, c := range []struct {
		name  string
		bones []rig.BlendBone
		// What the vertices of each skin follow beside their own.
		reach [3]uint16
	}{
		{"joints of others", nil, [3]uint16{4, 0, 7}},
		{"a bone of two, twice", []rig.BlendBone{
			{Masters: []uint16{1, 4}, Weights: []float64{0.5, 0.5}}, {Masters: []uint16{4, 7}, Weights: []float64{0.5, 0.5}},
		}, [3]uint16{9, 10, 10}},
		{"two of three", nil, [3]uint16{4, 4, 7}},
		{"a bone of each", []rig.BlendBone{
			{Masters: []uint16{0, 1}, Weights: []float64{0.5, 0.5}}, {Masters: []uint16{6, 7}, Weights: []float64{0.5, 0.5}},
		}, [3]uint16{9, 4, 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := herd().Glb()
			m := decoded(t, "herd.glb", data)
			var weights skinning.Influences
			for _, part := range m.Skin.Parts {
				skin := 0
				if n := part.Node; n > 0 {
					skin = (n-6)/4 + 1 // nodes of the second and third: 6 to 9, 10 to 13
				}
				for range part.VertexCount {
					weights.Append([]skinning.Influence{{Joint: uint16(3*skin + 1), Weight: 0.75},
						{Joint: c.reach[skin], Weight: 0.25}}, 0)
				}
			}
			fitted := *m
			fitted.Skin.Influences = weights
			if c.bones != nil {
				with, err := rig.WithBlendBones(m, skinning.DQS, c.bones, weights)
				if err != nil {
					t.Fatal(err)
				}
				fitted = *with
			}
			again, _, out := export(t, &fitted, data, nil, Options{})
			samePlay(t, &fitted, again)
			checkTrees(t, treeOf(t, out))
		})
	}
}
