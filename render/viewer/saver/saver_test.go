package saver

import (
	"path/filepath"
	"testing"

	"skinlab/render/viewer/desk"
)

// TestPlace: a bare name goes into the model's folder unless another one was chosen, a path where it says. The chosen
// folder of the model's own file is no choice for other files.
func TestPlace(t *testing.T) {
	folder := filepath.Join("art", "fox")
	for _, c := range []struct{ chosen, model, name, want string }{
		{"", filepath.Join(folder, "fox.glb"), "fox-blend.glb", filepath.Join(folder, "fox-blend.glb")},
		{"", filepath.Join(folder, "fox.glb"), filepath.Join("out", "a.glb"), filepath.Join("out", "a.glb")},
		{"", "fox.glb", "a.glb", "a.glb"},
		{"", "", "demo-box-blend.glb", "demo-box-blend.glb"},
		{"out", filepath.Join(folder, "fox.glb"), "a.glb", filepath.Join("out", "a.glb")},
		{"out", "", "a.glb", filepath.Join("out", "a.glb")},
	} {
		s := New(&desk.Desk{}, nil, nil, func() string { return c.model })
		s.Folder = c.chosen
		if got := s.Place(c.name); got != c.want {
			t.Errorf("%+v goes to %q", c, got)
		}
		says := "to " + filepath.Dir(c.want)
		switch {
		case c.chosen != "" || filepath.Base(c.name) != c.name:
		case c.model == "":
			says = "to the working folder"
		default:
			says = "beside " + filepath.Base(c.model)
		}
		if got := s.Where(c.name); got != says {
			t.Errorf("%+v: the window says %q, expected %q", c, got, says)
		}
	}
	own, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := New(&desk.Desk{Wake: func() {}}, nil, nil, func() string { return filepath.Join(folder, "fox.glb") })
	for _, c := range [][2]string{{filepath.Dir(own), filepath.Dir(own)}, {own, ""}} {
		if s.Choose(c[0]); s.Folder != c[1] {
			t.Errorf("%s is chosen: %q", c[0], s.Folder)
		}
	}
}
