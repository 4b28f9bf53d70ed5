package gpu

import (
	"fmt"
	"image"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// Texture is a GL texture of any target.
type Texture struct{ id, target uint32 }

// NewImageTexture uploads a picture with mipmaps, of sRGB colours or of numbers. A picture larger than the driver's limit is halved until it
// fits.
func NewImageTexture(o *Owner, t *skinning.Texture) *Texture {
	var most int32
	gl.GetIntegerv(gl.MAX_TEXTURE_SIZE, &most)
	img := t.Image
	for img.Rect.Dx() > int(most) || img.Rect.Dy() > int(most) {
		img = halve(img)
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	DrainErrors()
	tex := newTexture2D(o)
	var pixels unsafe.Pointer
	if w > 0 && h > 0 {
		pixels = unsafe.Pointer(&img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y)])
	}
	format := int32(gl.SRGB8_ALPHA8)
	if t.Linear {
		format = gl.RGBA8
	}
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, int32(img.Stride/4))
	gl.TexImage2D(gl.TEXTURE_2D, 0, format, int32(w), int32(h), 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapMode(t.WrapU))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapMode(t.WrapV))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	if t.Nearest {
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	} else {
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	}
	// On llvmpipe the number of samples grows with the texels of an anisotropic footprint: a picture of a joint that is
	// stretched a million times took a minute.
	if hasExtension("GL_EXT_texture_filter_anisotropic") && !ReadInfo().Software {
		gl.TexParameterf(gl.TEXTURE_2D, gl.TEXTURE_MAX_ANISOTROPY, 8)
	}
	gl.GenerateMipmap(gl.TEXTURE_2D)
	o.Fail(Error("texture %q: %dx%d", t.Name, w, h))
	return tex
}

// newTexture2D makes one that is bound.
func newTexture2D(o *Owner) *Texture {
	t := &Texture{o.Name(gl.GenTextures, gl.DeleteTextures), gl.TEXTURE_2D}
	gl.BindTexture(gl.TEXTURE_2D, t.id)
	return t
}

// Bind binds it to a texture unit.
func (t *Texture) Bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	gl.BindTexture(t.target, t.id)
}

func wrapMode(w skinning.Wrap) int32 {
	switch w {
	case skinning.WrapMirror:
		return gl.MIRRORED_REPEAT
	case skinning.WrapClamp:
		return gl.CLAMP_TO_EDGE
	}
	return gl.REPEAT
}

// halve returns every second pixel of every second row: only ever seen on pictures past 16,384 pixels, where mipmaps
// average.
func halve(in *image.NRGBA) *image.NRGBA {
	w, h := max(in.Rect.Dx()/2, 1), max(in.Rect.Dy()/2, 1)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			out.SetNRGBA(x, y, in.NRGBAAt(in.Rect.Min.X+2*x, in.Rect.Min.Y+2*y))
		}
	}
	return out
}

// NewTexture makes a texture without mipmaps, clamped at its edges, whose pixels are not set yet.
func NewTexture(o *Owner, format uint32, width, height int, filter int32) *Texture {
	t := newTexture2D(o)
	layout := uint32(gl.RGBA) // of the pixels that are not there: OpenGL wants one of the format's kind
	if format == gl.DEPTH_COMPONENT32F {
		layout = gl.DEPTH_COMPONENT
	}
	gl.TexImage2D(gl.TEXTURE_2D, 0, int32(format), int32(width), int32(height), 0, layout, gl.FLOAT, nil)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	return t
}

// NewCubeTexture uploads a cube map of linear RGB: its levels, and the six faces of each, of half the size of the level
// before. Filters go across the edges of faces.
func NewCubeTexture(o *Owner, label string, size int, levels [][6][]mgl32.Vec3) *Texture {
	DrainErrors()
	t := &Texture{o.Name(gl.GenTextures, gl.DeleteTextures), gl.TEXTURE_CUBE_MAP}
	gl.BindTexture(t.target, t.id)
	for level := range levels {
		for face, pixels := range levels[level] {
			side := int32(size >> level)
			gl.TexImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X+uint32(face), int32(level), gl.RGB16F, side, side, 0, gl.RGB, gl.FLOAT,
				pointer(pixels))
		}
	}
	gl.TexParameteri(t.target, gl.TEXTURE_MAX_LEVEL, int32(len(levels)-1))
	gl.TexParameteri(t.target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	gl.TexParameteri(t.target, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.Enable(gl.TEXTURE_CUBE_MAP_SEAMLESS)
	o.Fail(Error("cube map %q: %d", label, size))
	return t
}

// SetPairs sets a texture of two components.
func (t *Texture) SetPairs(width, height int, pixels [][2]float32) {
	gl.BindTexture(t.target, t.id)
	gl.TexSubImage2D(t.target, 0, 0, 0, int32(width), int32(height), gl.RG, gl.FLOAT, pointer(pixels))
}

// SetRow sets a texture that is one pixel high.
func (t *Texture) SetRow(pixels [][4]uint8) {
	gl.BindTexture(t.target, t.id)
	gl.TexSubImage2D(t.target, 0, 0, 0, int32(len(pixels)), 1, gl.RGBA, gl.UNSIGNED_BYTE, pointer(pixels))
}

// Target is a framebuffer that draws into one texture: colours, or depths alone.
type Target struct {
	Framebuffer uint32
	Texture     *Texture
}

// NewTarget makes a target, see [NewTexture]. It stays bound.
func NewTarget(o *Owner, label string, format uint32, width, height int, filter int32) Target {
	t := Target{o.Name(gl.GenFramebuffers, gl.DeleteFramebuffers), NewTexture(o, format, width, height, filter)}
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.Framebuffer)
	if format == gl.DEPTH_COMPONENT32F {
		gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, t.Texture.id, 0)
		gl.DrawBuffer(gl.NONE)
		gl.ReadBuffer(gl.NONE)
	} else {
		gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t.Texture.id, 0)
	}
	o.Fail(FramebufferError(label, width, height))
	return t
}

// FramebufferError reports that the bound framebuffer is incomplete, or a pending error.
func FramebufferError(label string, width, height int) error {
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("render: framebuffer %q, %dx%d, is incomplete: status 0x%x", label, width, height, s)
	}
	return Error("framebuffer %q, %dx%d", label, width, height)
}
