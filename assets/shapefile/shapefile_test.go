package shapefile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
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
			if n := len(m.Rigid[0].Triangles); n != 3 || len(m.Rigid[0].Positions) != 5 || m.Name != filepath.Base(path) {
				t.Errorf("%s: %d triangles", m.Name, n)
			}
		}
		return err
	}
	vertices := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\n"
	if err := open(vertices + "f 1 2 3 4\nf 4 3 5\n"); err != nil || !Is(path) || Is("mesh.glb") || !Is("a.PLY") {
		t.Error(err)
	}
	ply := "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n" +
		"element face 2\nproperty list uchar int vertex_indices\nend_header\n" +
		"0 0 0 1 0 0 1 1 0 0 1 0 0 2 0 4 0 1 2 3 3 3 2 4\n"
	path = filepath.Join(filepath.Dir(path), "mesh.ply")
	if err := open(ply); err != nil {
		t.Error(err)
	}
	path = filepath.Join(filepath.Dir(path), "mesh.OBJ")
	for _, text := range []string{vertices, vertices + "v 1e60 0 0\nf 1 2 6\n"} {
		if err := open(text); !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}

// TestNumberedShapes: files are in the order in which people number them, with or without leading zeros.
func TestNumberedShapes(t *testing.T) {
	folder := t.TempDir()
	want := []string{"a.obj", "pose.obj", "pose.ply", "pose0.obj", "pose1.obj", "pose2.obj", "pose02b.OBJ", "pose003.obj",
		"pose10.obj",
		"pose11-9.obj", "pose11-10.obj", "pose99999999999999999998.obj", "pose99999999999999999999.obj", "poser.obj"}
	for _, name := range append([]string{"notes.txt"}, want...) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Folder(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}
