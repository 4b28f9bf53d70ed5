package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// TestExportSharedMesh: a mesh on nodes with two skins, without a skin, and outside the scene keeps working on each.
func TestExportSharedMesh(t *testing.T) {
	b := gltftest.Beam()
	for len(b.Doc["nodes"].(list)) < 9 {
		b.Push("nodes", object{"name": "more"})
	}
	// A second skeleton, elsewhere and larger, a second skin over it, and three more nodes with the same mesh.
	b.Set("nodes.6", object{"name": "root2", "translation": list{5, 0, 0}, "scale": list{2, 2, 2}, "children": list{7}})
	b.Set("nodes.7", object{"name": "tip2", "translation": list{0, 0.5, 0}, "children": list{8}})
	inverse := b.Doc["skins"].(list)[0].(object)["inverseBindMatrices"]
	b.Push("skins", object{"joints": list{6, 7, 8}, "inverseBindMatrices": inverse})
	b.Push("nodes", object{"name": "other skin", "mesh": 0, "skin": 1})
	b.Push("nodes", object{"name": "same skin", "mesh": 0, "skin": 0})
	b.Push("nodes", object{"name": "not shown", "mesh": 0, "skin": 1})
	b.Push("nodes", object{"name": "no skin", "mesh": 0})
	b.Set("scenes.0.nodes", list{0, 1, 6, 9, 10, 12})
	data := b.Glb()
	m := decoded(t, "shared.glb", data)
	fitted := fit(t, m)
	for _, part := range m.Skin.Parts {
		if part.Node == 9 { // a fit of its own
			for v := part.FirstVertex; v < part.FirstVertex+part.VertexCount; v++ {
				fitted.Skin.Bindings[v] = skinning.Binding{Joints: [4]uint16{4, 6}, Weights: [4]float32{0.75, 0.25}}
			}
		}
	}
	again, _, out := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	doc := treeOf(t, out)
	meshOf := func(node int) int { return int(doc["nodes"].(items)[node].(dict)["mesh"].(float64)) }
	if meshOf(0) != meshOf(10) {
		t.Errorf("nodes 0 and 10 have the same mesh, skin and weights, but meshes %d and %d", meshOf(0), meshOf(10))
	}
	if meshOf(9) == meshOf(0) || meshOf(11) == meshOf(9) || meshOf(12) != 0 || meshOf(11) != 0 {
		t.Errorf("meshes %d, %d, %d, %d on nodes 0, 9, 11, 12", meshOf(0), meshOf(9), meshOf(11), meshOf(12))
	}
	if n := len(doc["meshes"].(items)); n != 4 {
		t.Errorf("%d meshes, expected the two of the source and a copy for each skin", n)
	}
}

// TestExportJointOfTwoSkins: a vertex that follows one node through two skins that bind it alike, as a fit over all
// joints may have it, names it once.
func TestExportJointOfTwoSkins(t *testing.T) {
	b := gltftest.Beam()
	b.Push("skins", object{"joints": list{1, 2, 3},
		"inverseBindMatrices": b.Doc["skins"].(list)[0].(object)["inverseBindMatrices"]})
	b.Set("scenes.0.nodes", list{0, 1, b.Push("nodes", object{"name": "clothes", "mesh": 0, "skin": 1})})
	data := b.Glb()
	m := decoded(t, "clothes.glb", data)
	fitted := fit(t, m)
	for v := range fitted.Skin.Bindings { // joints 1 and 4 are one node, 6 is the blend bone
		fitted.Skin.Bindings[v] = skinning.Binding{Joints: [4]uint16{1, 0, 4, 6},
			Weights: [4]float32{0.375, 0.25, 0.25, 0.125}}
	}
	again, _, out := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	d := sourceOf(t, out)
	read := 0
	for _, node := range d.Doc.Nodes {
		if node.Skin == nil {
			continue
		}
		attributes := d.Doc.Meshes[*node.Mesh].Primitives[0].Attributes
		joints, err := d.Read(int(attributes["JOINTS_0"]))
		if err != nil {
			t.Fatal(err)
		}
		weights, err := d.Read(int(attributes["WEIGHTS_0"]))
		if err != nil {
			t.Fatal(err)
		}
		var j, w [4]float64
		for v := range joints.Count {
			joints.Value(j[:])
			weights.Value(w[:])
			seen := map[float64]bool{}
			for k := range j {
				if w[k] > 0 && seen[j[k]] {
					t.Fatalf("node %q, vertex %d: joints %v, weights %v", node.Name, v, j, w)
				}
				seen[j[k]] = seen[j[k]] || w[k] > 0
			}
			if len(seen) != 3 || w[0] != 0.625 {
				t.Fatalf("node %q, vertex %d: joints %v, weights %v; expected three of 0.625, 0.25 and 0.125", node.Name, v, j, w)
			}
			read++
		}
	}
	if read != 16 {
		t.Errorf("%d vertices read", read)
	}
}

// TestExportRoots: where added joints hang.
func TestExportRoots(t *testing.T) {
	parentOf := func(doc dict, child int) int {
		for i, n := range doc["nodes"].(items) {
			children, _ := n.(dict)["children"].(items)
			for _, c := range children {
				if int(c.(float64)) == child {
					return i
				}
			}
		}
		return -1
	}
	added := func(doc dict) int {
		joints := doc["skins"].(items)[0].(dict)["joints"].(items)
		n := int(joints[len(joints)-1].(float64))
		if name, _ := doc["nodes"].(items)[n].(dict)["name"].(string); !strings.HasPrefix(name, "blend-bone") {
			t.Fatalf("the last joint is node %d %q", n, name)
		}
		for p := parentOf(doc, n); p >= 6; p = parentOf(doc, n) { // the outer of two nodes
			if !strings.HasPrefix(doc["nodes"].(items)[p].(dict)["name"].(string), "blend-bone") {
				break
			}
			n = p
		}
		return n
	}
	// Node 2 is the bone's heavier master.
	uneven := func() *gltftest.Builder { return gltftest.Beam().Set("nodes.2.scale", list{1, 1.5, 1}) }
	under := func(b *gltftest.Builder, armature object) *gltftest.Builder { // node 6
		armature["name"], armature["children"] = "armature", list{1}
		return b.Set("scenes.0.nodes", list{0, b.Push("nodes", armature)})
	}
	for name, c := range map[string]struct {
		b    *gltftest.Builder
		want int // −1 for a root
	}{
		"under its master": {gltftest.Beam(), 2},
		"under the topmost": {under(uneven(), object{"scale": list{0.01, 0.01, 0.01}, "rotation": list{0.5, 0.5, 0.5, 0.5}}).
			Set("skins.0.skeleton", nil), 6},
		"not above the skeleton": {under(uneven(), object{}), 1},
		"two roots in two scenes": {uneven().Set("nodes.1.children", nil).Set("skins.0.skeleton", nil).
			Set("scenes", list{object{"nodes": list{0, 1, 2}}, object{"nodes": list{1}}}), -1},
	} {
		t.Run(name, func(t *testing.T) {
			_, doc := roundTrip(t, c.b)
			if p := parentOf(doc, added(doc)); p != c.want {
				t.Errorf("hangs on node %d, expected %d", p, c.want)
			}
		})
	}
	t.Run("two roots get one", func(t *testing.T) {
		b := uneven()
		b.Set("nodes.1.children", nil).Set("scenes.0.nodes", list{0, 1, 2}).Set("skins.0.skeleton", nil)
		b.Push("scenes", object{"nodes": list{4}})
		b.Set("nodes.3.children", list{5})
		_, doc := roundTrip(t, b)
		p := parentOf(doc, added(doc))
		if p < 6 || parentOf(doc, 1) != p || parentOf(doc, 2) != p {
			t.Errorf("hangs on node %d, its masters on %d and %d", p, parentOf(doc, 1), parentOf(doc, 2))
		}
	})
}

// TestExportForeignJoints: weights and masters that reach into another skin, over the same node bound elsewhere as
// well.
func TestExportForeignJoints(t *testing.T) {
	b := gltftest.Beam()
	moved := b.Accessor(gltftest.Float, "MAT4", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0,
		0, 1, 0, 0.25, -0.5, 0, 1)
	b.Push("skins", object{"joints": list{1, 2}, "inverseBindMatrices": moved})
	attributes := object{"POSITION": 0, "NORMAL": 1, "JOINTS_0": 3, "WEIGHTS_0": 4}
	b.Push("meshes", object{"primitives": list{object{"attributes": attributes}}})
	b.Push("nodes", object{"name": "second", "mesh": 2, "skin": 1})
	b.Set("scenes.0.nodes", list{0, 1, 6})
	data := b.Glb()
	m := decoded(t, "foreign.glb", data)
	var weights skinning.Influences
	for v := range m.Skin.Bindings { // both skins' vertices follow joints 1 of both, and the bone
		weights.Append([]skinning.Influence{{Joint: 1, Weight: 0.25}, {Joint: 4, Weight: 0.25},
			{Joint: 2, Weight: 0.125 * float32(v%3)}, {Joint: 5, Weight: 0.25}}, 0)
	}
	bones := []rig.BlendBone{{Masters: []uint16{2, 4}, Weights: []float64{0.5, 0.5}}}
	fitted, err := rig.WithBlendBones(m, skinning.DQS, bones, weights)
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	if blendOf(again) == nil || len(blendOf(again).Bones) != 2 {
		t.Errorf("blend rig %+v, expected the bone once in each skin", blendOf(again))
	}
}

// TestExportEverySharedModel: every file with a skin, the hostile and unusual ones that load included, exports with
// blend bones and plays; small ones with proxies too.
func TestExportEverySharedModel(t *testing.T) {
	const small = 1 << 18 // bytes
	dir := gltftest.SharedModels(t)
	count := 0
	for _, pattern := range []string{"*.gl*", "conformance/*.glb", "examples/*.glb", "sequences/*.glb", "hostile/*.glb"} {
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, err := assets.Open(path)
			if err != nil || len(m.Skin.Positions) == 0 || testing.Short() && len(data) > small {
				continue
			}
			count++
			t.Run(filepath.Base(path), func(t *testing.T) {
				plays := func(fitted *skinning.Model) *skinning.Model {
					again, _, _ := export(t, fitted, data, os.DirFS(filepath.Dir(path)), Options{RMS: 1e-4})
					samePlay(t, fitted, again)
					return again
				}
				plays(fit(t, m))
				if len(data) > small {
					return
				}
				if again := plays(gltftest.Enveloped(t, m, 8)); gltftest.EnvelopeOf(again) == nil {
					t.Errorf("no rig, warnings %q", again.Warnings)
				}
			})
		}
	}
	if count < 10 {
		t.Errorf("%d files", count)
	}
}
