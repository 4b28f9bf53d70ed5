package render

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
)

// A picture that is drawn in parts is the one that is drawn at once, so that no seam shows. The last bit has noise that
// depends on the pixel: half a step of 255 on average. Rounding moves one of the 16 samples of a few pixels at edges to
// the other side: 16 steps.
func TestPartsMakeTheWhole(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	for _, s := range []*picture.Scene{newTestScene(m, 0.4, 150, 110), newTestScene(m, 0.4, 110, 150)} {
		whole := pictureOf(t, r, s)
		told := 0
		parts, err := r.parts(t.Context(), s, 64, func(done, of int) {
			told++
			if of != 6 || done != told-1 {
				t.Errorf("%d of %d parts", done, of)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if parts.Rect != whole.Rect || told != 6 {
			t.Fatalf("%v in %d parts, expected %v", parts.Rect, told, whole.Rect)
		}
		if d := compareImages(whole, parts); !(d.mean <= 0.5 && d.share <= 0.001) || d.most > 16 {
			t.Errorf("%v apart", d)
		}
	}
}

// A picture is left between its parts.
func TestPictureIsCancelled(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	img, err := r.parts(ctx, newTestScene(m, 0.4, 150, 110), 64, func(done, of int) {
		told++
		if told == 3 {
			cancel()
		}
	})
	if img != nil || !errors.Is(err, context.Canceled) || told != 3 {
		t.Errorf("cancelled in part 3, told of %d: %v", told, err)
	}
}

// A transparent picture has the model's pixels as they are on the studio's wall, none where nothing is, and shares of
// them at edges, in colours that are not mixed with black.
func TestTransparentPicture(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	s := newTestScene(m, 0.4, 160, 120)
	s.Grid, s.Surface = false, picture.SurfaceClay
	opaque := pictureOf(t, r, s)
	s.Transparent = true
	clear := pictureOf(t, r, s)
	s.Grid = true
	if d := compareImages(clear, pictureOf(t, r, s)); d.most != 0 {
		t.Errorf("the floor shows: %v", d)
	}
	var none, all, some int
	for i := 0; i < len(clear.Pix); i += 4 {
		if opaque.Pix[i+3] != 255 {
			t.Fatalf("an opaque picture has alpha %d", opaque.Pix[i+3])
		}
		switch alpha := clear.Pix[i+3]; alpha {
		case 0:
			none++
		case 255:
			all++
			for k := range 3 {
				if d := int(clear.Pix[i+k]) - int(opaque.Pix[i+k]); d < -1 || d > 1 { // half floats are rounded once more
					t.Fatalf("pixel %d: %v, opaque %v", i/4, clear.Pix[i:i+4], opaque.Pix[i:i+4])
				}
			}
		default:
			some++
			if brightness := int(clear.Pix[i]) + int(clear.Pix[i+1]) + int(clear.Pix[i+2]); brightness < 60 {
				t.Errorf("pixel %d at an edge is dark: %v", i/4, clear.Pix[i:i+4])
			}
		}
	}
	if none < 5000 || all < 1000 || some < 50 || clear.NRGBAAt(0, 0).A != 0 {
		t.Errorf("%d pixels without, %d with, %d with some of the model", none, all, some)
	}
}

// Saved pictures are supersampled: edges have more shades than the 4 samples of a still view, and thin lines have the
// same width.
func TestSupersampled(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	const size = 128
	framebuffer := newFramebuffer(t, size, size)
	draw := func(s *picture.Scene) *image.NRGBA {
		s.Quality = picture.Still
		if err := r.Draw(s, framebuffer); err != nil {
			t.Fatal(err)
		}
		img := image.NewNRGBA(image.Rect(0, 0, size, size))
		gl.ReadPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(img.Pix))
		flip(img)
		return img
	}
	s := newTestScene(m, 1.5, size, size)
	s.Transparent = true
	shades := func(img *image.NRGBA) int {
		seen := map[uint8]bool{}
		for i := 3; i < len(img.Pix); i += 4 {
			seen[img.Pix[i]] = true
		}
		return len(seen)
	}
	if still, saved := shades(draw(s)), shades(pictureOf(t, r, s)); still > 5 || saved < 12 {
		t.Errorf("%d shades of coverage in a still view, %d in a picture, expected at most 5, and nearly 17", still, saved)
	}
	mean := func(img *image.NRGBA) (mean float64) {
		for _, c := range img.Pix {
			mean += float64(c) / float64(len(img.Pix))
		}
		return mean
	}
	s.Transparent = false
	bare := mean(draw(s))
	s.Wireframe = true
	// A shift of the surface by half a pixel changes the mean too, but by less than a third of what lines do.
	if still, saved := mean(draw(s)), mean(pictureOf(t, r, s)); !(math.Abs(saved-still) <= 0.3*(bare-still)) {
		t.Errorf("mean %.2f without lines, %.2f with them, %.2f in a picture", bare, still, saved)
	}
}
