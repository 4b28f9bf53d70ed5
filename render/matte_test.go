package render

import (
	"image/color"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/skinning"
)

// Every pixel of a surface that shows numbers has a colour of the legend: no light, shadow or reflection changes it.
// The picture has 8 bits a channel and half a level of noise, and the map's texture 256 colours: 3 levels.
func TestNumbersHaveTheLegendsColours(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:figure")
	setModel(t, r, m)
	s := newTestScene(m, 1, 160, 160)
	s.Method, s.Grid = skinning.LBS, false
	s.Heat = &picture.Heat{Frame: s.Frame, Reference: skinning.DQS, Full: 0.01}
	s.Surface = picture.SurfaceClay
	clay := pictureOf(t, r, s)
	legend := map[color.NRGBA]bool{}
	for i := range 1024 {
		c := picture.Colormap(float32(i) / 1023)
		legend[color.NRGBA{c[0], c[1], c[2], 255}] = true
	}
	near := func(a, b uint8) bool { return int(a)-int(b) <= 3 && int(b)-int(a) <= 3 }
	for _, s.Surface = range []picture.Surface{picture.SurfaceHeat, picture.SurfaceWeights} {
		img := pictureOf(t, r, s)
		inside, off := 0, 0
		colors := map[color.NRGBA]bool{}
		for y := 1; y < 159; y++ {
			for x := 1; x < 159; x++ {
				model := true // and not at its outline, where the background shines through
				for k := range 9 {
					at := [2]int{x + k%3 - 1, y + k/3 - 1}
					model = model && clay.NRGBAAt(at[0], at[1]).R > 100 && img.NRGBAAt(at[0], at[1]) != clay.NRGBAAt(at[0], at[1])
				}
				if !model {
					continue
				}
				inside++
				c := img.NRGBAAt(x, y)
				colors[c] = true
				found := false
				for want := range legend {
					found = near(c.R, want.R) && near(c.G, want.G) && near(c.B, want.B)
					if found {
						break
					}
				}
				if !found {
					off++
				}
			}
		}
		t.Logf("surface %d: %d pixels, %d colours, %d off the legend", s.Surface, inside, len(colors), off)
		// Where a near part hides a far one, samples of both are mixed in a pixel.
		if inside < 1000 || len(colors) < 20 || off > inside/50 {
			t.Errorf("surface %d: %d of %d pixels, in %d colours, have none of the legend's", s.Surface, off, inside, len(colors))
		}
	}
}
