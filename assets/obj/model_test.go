package obj

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/assets/gltf/gltftest"
)

// TestOpenModel: a file of a quad and a triangle is one rigid mesh of three triangles; without faces, and with a vertex
// that float32 does not hold, it is refused by its name.
func TestOpenModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mesh.OBJ")
	open := func(text string) error {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := OpenModel(path)
		if err == nil {
			gltftest.CheckModel(t, m)
			if n := len(m.Rigid[0].Triangles); n != 3 || len(m.Rigid[0].Positions) != 5 || m.Name != "mesh.OBJ" {
				t.Errorf("%s: %d triangles", m.Name, n)
			}
		}
		return err
	}
	vertices := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\n"
	if err := open(vertices + "f 1 2 3 4\nf 4 3 5\n"); err != nil || !Is(path) || Is("mesh.glb") {
		t.Error(err)
	}
	for _, text := range []string{vertices, vertices + "v 1e60 0 0\nf 1 2 6\n"} {
		if err := open(text); !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}
