package loader

import (
	"path/filepath"
	"testing"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/models"
)

// TestExportBesideTheModel: a bare name goes into the model's folder, a path where it says.
func TestExportBesideTheModel(t *testing.T) {
	folder := filepath.Join("art", "fox")
	for _, c := range []struct{ model, name, want string }{
		{filepath.Join(folder, "fox.glb"), "fox-blend.glb", filepath.Join(folder, "fox-blend.glb")},
		{filepath.Join(folder, "fox.glb"), filepath.Join(".", "out", "a.glb"), filepath.Join("out", "a.glb")},
		{"fox.glb", "a.glb", "a.glb"},
		{"demo:box", "demo-box-blend.glb", "demo-box-blend.glb"},
		{"", "a.glb", "a.glb"},
	} {
		shown := &models.Shown{File: &models.File{Origin: files.Source{Path: c.model}}}
		l := New(&desk.Desk{}, shown, nil, nil, Options{BuiltIn: []string{"demo:box"}})
		if got := l.InFolder(c.name); got != c.want {
			t.Errorf("%q of the model %q goes to %q, expected %q", c.name, c.model, got, c.want)
		}
	}
}
