package render

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/skin"
)

// A cube whose faces are drawn in the colours of their normals: each axis view has that of its own face in the middle,
// with and without perspective.
func TestAxisViewsShowTheirFace(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 0, 64, 64)
	s.Surface = picture.SurfaceNormals
	for name, want := range map[string][3]uint8{"right": {255, 128, 128}, "left": {0, 128, 128}, "top": {128, 255, 128},
		"bottom": {128, 0, 128}, "front": {128, 128, 255}, "back": {128, 128, 0}} {
		d, err := picture.ParseDirection(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s.Camera.Ortho = range []bool{false, true} {
			s.Camera.Look(d)
			s.Camera.Frame(skin.Posed(s.Frame), 1, picture.Whole)
			img := pictureOf(t, r, s)
			c := img.NRGBAAt(32, 32)
			for k, got := range [3]uint8{c.R, c.G, c.B} {
				if d := int(got) - int(want[k]); d < -24 || d > 24 { // its normals are rounded towards its edges
					t.Errorf("%s, ortho %t: the middle is %v, expected %v", name, s.Camera.Ortho, c, want)
					break
				}
			}
		}
	}
}
