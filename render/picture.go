package render

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/skinning"
)

// MaxPicture bounds a picture's side: past it drivers refuse framebuffers, and the floor of OpenGL 4.1 is 16,384.
const MaxPicture = 16384

// pictureOutput is the framebuffer that pictures are read back from.
type pictureOutput struct {
	owner  gpu.Owner
	target gpu.Target
	size   image.Point
}

// resize makes the framebuffer as large as a picture; 0 is none.
func (o *pictureOutput) resize(width, height int) (framebuffer uint32, err error) {
	if size := image.Pt(width, height); o.size != size {
		o.owner.Delete()
		o.target, o.size = gpu.NewTarget(&o.owner, "picture output", gl.RGBA8, width, height, gl.NEAREST), size
		if _, err = gpu.Made(o, &o.owner); err != nil {
			o.size = image.Point{}
		}
	}
	return o.target.Framebuffer, err
}

// PartSide is the longest side that is drawn at once. A larger picture is drawn in parts, so that its samples fit into
// the memory of small GPUs, and framebuffers into the limits of drivers.
const PartSide = 2048

// Picture draws the scene offscreen and reads it back: sRGB, opaque unless the scene is transparent, row 0 on top. The
// scene's X, Y and Quality are ignored: it is [picture.Saved]. Pictures of more than 2,048 pixels a side are drawn in
// parts.
func (r *Renderer) Picture(s *picture.Scene) (*image.NRGBA, error) {
	return r.parts(context.Background(), s, PartSide, nil)
}

// Large is [Renderer.Picture] for pictures that take long: it calls tell with the number of drawn parts, and ends with
// ctx's error before the next part once ctx is done. Tell may be nil.
func (r *Renderer) Large(ctx context.Context, s *picture.Scene, tell func(done, of int)) (*image.NRGBA, error) {
	return r.parts(ctx, s, PartSide, tell)
}

// parts draws a picture in parts of at most side pixels a side.
func (r *Renderer) parts(ctx context.Context, s *picture.Scene, side int, tell func(done, of int)) (*image.NRGBA, error) {
	if s.Width <= 0 || s.Height <= 0 || s.Width > MaxPicture || s.Height > MaxPicture {
		return nil, fmt.Errorf("render: a picture of %d×%d pixels: each side must be 1 to %d", s.Width, s.Height, MaxPicture)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Width <= side && s.Height <= side {
		return r.part(s)
	}
	whole := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Height))
	across, down := (s.Width+side-1)/side, (s.Height+side-1)/side
	for i := range across * down {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tell != nil {
			tell(i, across*down)
		}
		part := *s
		part.Whole, part.Part = image.Pt(s.Width, s.Height), image.Pt(i%across*side, i/across*side)
		part.Width, part.Height = min(side, s.Width-part.Part.X), min(side, s.Height-part.Part.Y)
		img, err := r.part(&part)
		if err != nil {
			return nil, err
		}
		top := s.Height - part.Part.Y - part.Height
		draw.Draw(whole, img.Rect.Add(image.Pt(part.Part.X, top)), img, image.Point{}, draw.Src)
	}
	return whole, nil
}

// part draws a picture, or a part of one, at once.
func (r *Renderer) part(s *picture.Scene) (*image.NRGBA, error) {
	framebuffer, err := r.out.resize(s.Width, s.Height)
	if err != nil {
		return nil, err
	}
	at := *s
	at.X, at.Y, at.Quality = 0, 0, picture.Saved
	if err := r.Draw(&at, framebuffer); err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Height))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.ReadPixels(0, 0, int32(s.Width), int32(s.Height), gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&img.Pix[0]))
	if err := gpu.Error("picture of %d×%d pixels", s.Width, s.Height); err != nil {
		return nil, err
	}
	flip(img)
	return img, nil
}

// flip turns GL's rows, bottom first, into an image's.
func flip(img *image.NRGBA) {
	row := make([]uint8, img.Stride)
	for top, bottom := 0, img.Rect.Dy()-1; top < bottom; top, bottom = top+1, bottom-1 {
		a, b := img.Pix[top*img.Stride:][:img.Stride], img.Pix[bottom*img.Stride:][:img.Stride]
		copy(row, a)
		copy(a, b)
		copy(b, row)
	}
}

// DrawOffscreen draws the scene into a framebuffer of its size that is not shown.
func (r *Renderer) DrawOffscreen(s *picture.Scene) error {
	framebuffer, err := r.out.resize(s.Width, s.Height)
	if err != nil {
		return err
	}
	return r.Draw(s, framebuffer)
}

// WithHeadless runs f with a renderer in a headless context of its own.
func WithHeadless(f func(*Renderer) error) error {
	headless, err := gpu.NewHeadless()
	if err != nil {
		return err
	}
	defer headless.Close()
	r, err := NewRenderer()
	if err != nil {
		return err
	}
	defer r.Delete()
	return f(r)
}

// Series makes a headless context and draws pictures of a model, one after the other: set fills in the scene of each
// before it is drawn, and keep is handed the picture. It ends with the error of either, or with ctx's.
func Series(ctx context.Context, m *skinning.Model, pictures int, set func(k int, s *picture.Scene),
	tell func(done, of int), keep func(k int, img *image.NRGBA) error) error {
	return WithHeadless(func(r *Renderer) error {
		if err := r.SetModel(m); err != nil {
			return err
		}
		for k := range pictures {
			var scene picture.Scene
			set(k, &scene)
			img, err := r.Large(ctx, &scene, tell)
			if err == nil {
				err = keep(k, img)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
