package render

import (
	"fmt"

	"github.com/go-gl/gl/all-core/gl"
)

// pictureTarget is what a picture is drawn into: half floats, linear, with samples; and the resolved picture as a texture.
type pictureTarget struct {
	width, height   int
	samples         int32
	drawn, resolved uint32 // framebuffers; drawn is 0 until the first Resize
	color, depth    uint32 // renderbuffers of drawn
	picture         *texture
}

// Resize makes the target fit; it does nothing at the same size.
func (t *pictureTarget) Resize(width, height int) error {
	if t.drawn != 0 && t.width == width && t.height == height {
		return nil
	}
	t.Delete()
	drainErrors()
	var most int32
	gl.GetIntegerv(gl.MAX_SAMPLES, &most)
	t.samples = min(4, most)
	t.width, t.height = width, height
	w, h := int32(width), int32(height)

	gl.GenFramebuffers(1, &t.drawn)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.drawn)
	storage := func(id *uint32, format, attachment uint32) {
		gl.GenRenderbuffers(1, id)
		gl.BindRenderbuffer(gl.RENDERBUFFER, *id)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, t.samples, format, w, h)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, *id)
	}
	storage(&t.color, gl.RGBA16F, gl.COLOR_ATTACHMENT0)
	storage(&t.depth, gl.DEPTH_COMPONENT32F, gl.DEPTH_ATTACHMENT)
	err := framebufferError("picture", width, height)
	if err == nil {
		t.resolved, t.picture, err = newTextureTarget("resolved picture", gl.RGBA16F, width, height, gl.NEAREST)
	}
	if err != nil {
		t.Delete()
	}
	return err
}

// Resolve averages the samples into t.picture.
func (t *pictureTarget) Resolve() {
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.drawn)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, t.resolved)
	w, h := int32(t.width), int32(t.height)
	gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// Delete may be called again; the next Resize starts anew.
func (t *pictureTarget) Delete() {
	t.picture.Delete()
	if t.resolved != 0 {
		gl.DeleteFramebuffers(1, &t.resolved)
	}
	if t.drawn != 0 {
		gl.DeleteRenderbuffers(1, &t.depth)
		gl.DeleteRenderbuffers(1, &t.color)
		gl.DeleteFramebuffers(1, &t.drawn)
	}
	*t = pictureTarget{}
}

// newTextureTarget makes a framebuffer with one colour texture, clamped at its edges.
func newTextureTarget(label string, format uint32, width, height int, filter int32) (framebuffer uint32, tex *texture, err error) {
	tex = newEmptyTexture(format, gl.RGBA, gl.FLOAT, width, height, filter)
	gl.GenFramebuffers(1, &framebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, tex.id, 0)
	if err = framebufferError(label, width, height); err != nil {
		gl.DeleteFramebuffers(1, &framebuffer)
		tex.Delete()
		return 0, nil, err
	}
	return framebuffer, tex, nil
}

func newEmptyTexture(format, layout, kind uint32, width, height int, filter int32) *texture {
	tex := &texture{target: gl.TEXTURE_2D}
	gl.GenTextures(1, &tex.id)
	gl.BindTexture(gl.TEXTURE_2D, tex.id)
	gl.TexImage2D(gl.TEXTURE_2D, 0, int32(format), int32(width), int32(height), 0, layout, kind, nil)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	return tex
}

// framebufferError reports an incomplete framebuffer or a pending error.
func framebufferError(label string, width, height int) error {
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("render: framebuffer %q, %dx%d, is incomplete: status 0x%x", label, width, height, s)
	}
	return glError("framebuffer %q, %dx%d", label, width, height)
}
