package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// pictureTarget is what a picture is drawn into: half floats, linear, with samples; and the resolved picture as a
// texture. It grows with the pictures and shrinks only when most of it is idle, so that panes of nearly the same size
// share it.
type pictureTarget struct {
	most            int32 // samples at most; 1 draws into the picture itself
	width, height   int   // of the store
	used            [2]int
	drawn, resolved uint32 // framebuffers; drawn is 0 until the first Resize
	color, depth    uint32 // renderbuffers of drawn
	picture         *gpu.Texture
}

// idle is how many times larger than a picture the store may be.
const idle = 4

// Resize makes the target hold a picture; it does nothing where it does.
func (t *pictureTarget) Resize(width, height int) error {
	t.used = [2]int{width, height}
	if t.drawn != 0 && t.width >= width && t.height >= height && t.width*t.height <= idle*width*height {
		return nil
	}
	t.Delete()
	gpu.DrainErrors()
	t.width, t.height, t.used = width, height, [2]int{width, height}
	err := t.allocate(int32(width), int32(height))
	if err != nil {
		t.Delete()
	}
	return err
}

func (t *pictureTarget) allocate(w, h int32) (err error) {
	if t.resolved, t.picture, err = gpu.NewTextureTarget("resolved picture", gl.RGBA16F, t.width, t.height,
		gl.NEAREST); err != nil {
		return err
	}
	if t.most <= 1 {
		t.drawn = t.resolved
		gl.BindFramebuffer(gl.FRAMEBUFFER, t.drawn)
		gl.GenRenderbuffers(1, &t.depth)
		gl.BindRenderbuffer(gl.RENDERBUFFER, t.depth)
		gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT32F, w, h)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, t.depth)
		return gpu.FramebufferError("picture", t.width, t.height)
	}
	var limit int32
	gl.GetIntegerv(gl.MAX_SAMPLES, &limit)
	gl.GenFramebuffers(1, &t.drawn)
	gl.BindFramebuffer(gl.FRAMEBUFFER, t.drawn)
	storage := func(id *uint32, format, attachment uint32) {
		gl.GenRenderbuffers(1, id)
		gl.BindRenderbuffer(gl.RENDERBUFFER, *id)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, min(t.most, limit), format, w, h)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, *id)
	}
	storage(&t.color, gl.RGBA16F, gl.COLOR_ATTACHMENT0)
	storage(&t.depth, gl.DEPTH_COMPONENT32F, gl.DEPTH_ATTACHMENT)
	return gpu.FramebufferError("picture", t.width, t.height)
}

// Resolve averages the samples into t.picture.
func (t *pictureTarget) Resolve() {
	if t.drawn == t.resolved {
		return
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.drawn)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, t.resolved)
	w, h := int32(t.used[0]), int32(t.used[1])
	gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// Delete may be called again; the next Resize starts anew.
func (t *pictureTarget) Delete() {
	if t.drawn != 0 && t.drawn != t.resolved {
		gl.DeleteFramebuffers(1, &t.drawn)
	}
	if t.depth != 0 {
		gl.DeleteRenderbuffers(1, &t.depth)
	}
	if t.color != 0 {
		gl.DeleteRenderbuffers(1, &t.color)
	}
	t.picture.Delete()
	if t.resolved != 0 {
		gl.DeleteFramebuffers(1, &t.resolved)
	}
	*t = pictureTarget{most: t.most}
}
