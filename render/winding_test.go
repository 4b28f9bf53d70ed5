package render

import (
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
)

// TestTrianglesAgainstNormals: a skin of which every third triangle winds against its normals looks like one that winds
// the right way, in every surface. Values that are interpolated from another corner are rounded otherwise, which at the
// silhouette changes the side that a pixel sees: a value in a thousand may differ by more than three of 255. Hidden
// triangles change a tenth of them.
func TestTrianglesAgainstNormals(t *testing.T) {
	r := newTestRenderer(t)
	good := assetstest.Open(t, "demo:tube")
	bad := *good
	bad.Skin.Triangles = slices.Clone(good.Skin.Triangles)
	for i := range bad.Skin.Triangles {
		if c := &bad.Skin.Triangles[i]; i%3 == 0 {
			c[1], c[2] = c[2], c[1]
		}
	}
	for _, surface := range []picture.Surface{picture.SurfaceMaterial, picture.SurfaceClay, picture.SurfaceNormals} {
		a, b := newTestScene(good, 1, 128, 128), newTestScene(&bad, 1, 128, 128)
		a.Surface, b.Surface = surface, surface
		setModel(t, r, good)
		want := pictureOf(t, r, a)
		setModel(t, r, &bad)
		got := pictureOf(t, r, b)
		off := 0
		for i := range want.Pix {
			d := int(want.Pix[i]) - int(got.Pix[i])
			d = max(d, -d)
			if d > 3 {
				off++
			}
		}
		if off > len(want.Pix)/1000 {
			t.Errorf("surface %v: %d of %d values differ", surface, off, len(want.Pix))
		}
	}
}
