package clients_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	qgltf "github.com/qmuntal/gltf"

	"skinlab/internal/clients"
	"skinlab/internal/longtest"
	"skinlab/skinning/geom"
)

// sixDigits is what the six digits of assimp's text may add, as a fraction of the rest diagonal: a chain of some ten
// matrices, each off by 5e-6 of what it holds.
const sixDigits = 5e-5

// assimpScene is what `assimp export -fassjson` writes of a scene. Matrices are row by row.
type assimpScene struct {
	Root   assimpNode `json:"rootnode"`
	Meshes []struct {
		Vertices []float64 `json:"vertices"`
		Bones    []struct {
			Name    string       `json:"name"`
			Offset  [16]float64  `json:"offsetmatrix"`
			Weights [][2]float64 `json:"weights"` // vertex and weight
		} `json:"bones"`
	} `json:"meshes"`
	Animations []struct{} `json:"animations"`
}

type assimpNode struct {
	Name      string       `json:"name"`
	Transform [16]float64  `json:"transformation"`
	Children  []assimpNode `json:"children"`
}

// globals adds the global transforms of a node and of all below it, by name.
func (n *assimpNode) globals(above geom.Affine, to map[string]geom.Affine) {
	own := above.Mul(geom.Affine(n.Transform[:12]))
	to[n.Name] = own
	for i := range n.Children {
		n.Children[i].globals(own, to)
	}
}

// TestAssimp: assimp opens originals and exports, of interleaved files too, with all their skinned vertices, joints and
// clips, and has the skin where it should be in the static pose. It plays no clips.
func TestAssimp(t *testing.T) {
	longtest.Only(t)
	if _, err := exec.LookPath("assimp"); err != nil {
		t.Skipf("exports are not held against assimp: %v", err)
	}
	var files []*shownFile
	for _, path := range characters(t, models[:1]) {
		files = append(files, exports(t, path, 1)...)
	}
	for _, f := range files {
		scene := openInAssimp(t, f.path)
		if scene == nil {
			continue
		}
		doc, err := qgltf.Open(f.path)
		if err != nil {
			t.Fatal(err)
		}
		if len(scene.Animations) != len(doc.Animations) {
			t.Errorf("%s, %s: %d clips in assimp, expected %d", f.model.Name, f.fit, len(scene.Animations), len(doc.Animations))
		}
		first := make([]int, len(doc.Meshes)+1) // assimp's mesh of the first primitive of each mesh
		for i, m := range doc.Meshes {
			first[i+1] = first[i] + len(m.Primitives)
		}
		nodes := map[string]geom.Affine{}
		scene.Root.globals(geom.IdentityAffine(), nodes)
		want, worst := f.baked[clients.Pose{Clip: -1}], 0.0
		for _, part := range f.model.Skin.Parts {
			node := doc.Nodes[part.Node]
			mesh := &scene.Meshes[first[*node.Mesh]+part.Primitive]
			if joints := len(doc.Skins[*node.Skin].Joints); len(mesh.Bones) != joints || len(mesh.Vertices) != 3*part.VertexCount {
				t.Fatalf("%s, %s: %d bones and %d vertices in assimp, expected %d and %d", f.model.Name, f.fit, len(mesh.Bones),
					len(mesh.Vertices)/3, joints, part.VertexCount)
			}
			posed := make([]mgl64.Vec3, part.VertexCount)
			for _, bone := range mesh.Bones {
				matrix := nodes[bone.Name].Mul(geom.Affine(bone.Offset[:12]))
				for _, w := range bone.Weights {
					v := int(w[0])
					posed[v] = posed[v].Add(matrix.Apply(mgl64.Vec3(mesh.Vertices[3*v : 3*v+3])).Mul(w[1]))
				}
			}
			for v, p := range posed {
				worst = math.Max(worst, p.Sub(want[part.FirstVertex+v]).Len()/f.diagonal)
			}
		}
		t.Logf("%-28s %-13s %.1e of the diagonal in the static pose", f.model.Name, f.fit, worst)
		if !(worst <= sixDigits) {
			t.Errorf("%s, %s: %.2g of the diagonal off in the static pose, expected %.2g", f.model.Name, f.fit, worst, sixDigits)
		}
	}
}

// openInAssimp returns the scene that assimp has of a file, nil with an error of the test where it refuses the file.
func openInAssimp(t *testing.T, path string) *assimpScene {
	t.Helper()
	to := filepath.Join(t.TempDir(), "scene.json")
	out, err := exec.CommandContext(t.Context(), "assimp", "export", path, to, "-fassjson").CombinedOutput()
	text, unread := os.ReadFile(to)
	if err != nil || unread != nil { // its exit status is 0 for some files that it refuses
		t.Errorf("assimp does not open %s: %v, %v: %s", path, err, unread, out[max(0, len(out)-500):])
		return nil
	}
	scene := new(assimpScene)
	if err := json.Unmarshal(text, scene); err != nil {
		t.Fatal(err)
	}
	return scene
}
