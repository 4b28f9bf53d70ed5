package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// pictureTarget is the render target of a picture: linear half floats, multisampled, and the resolved picture as a
// texture. A supersampled picture is drawn several times, and the texture has the resolved pictures side by side and
// below each other. It grows with the pictures. It shrinks only if it is more than mostExcess times too large, so that
// panes of nearly the same size share it.
type pictureTarget struct {
	owner         gpu.Owner
	most          int32 // samples per pixel at most; with 1, passes draw into the resolved picture itself
	side          int   // pictures along each side of the texture
	width, height int   // allocated size of one in pixels
	used          [2]int
	drawn         uint32     // framebuffer that the passes draw into; 0 until the first Resize
	resolved      gpu.Target // resolved picture
}

// The target shrinks if it has more than mostExcess times the pixels of the picture.
const mostExcess = 4

// resize makes the target large enough for side × side pictures.
func (t *pictureTarget) resize(width, height, side int) error {
	t.used = [2]int{width, height}
	if t.drawn != 0 && t.side == side && t.width >= width && t.height >= height && t.width*t.height <= mostExcess*width*height {
		return nil
	}
	t.Delete()
	gpu.DrainErrors()
	t.width, t.height, t.side = width, height, side
	t.allocate(int32(width), int32(height))
	_, err := gpu.Made(t, &t.owner)
	if err != nil {
		t.drawn = 0
	}
	return err
}

func (t *pictureTarget) allocate(w, h int32) {
	o := &t.owner
	t.resolved = gpu.NewTarget(o, "resolved picture", gl.RGBA16F, t.side*t.width, t.side*t.height, gl.NEAREST)
	var samples int32 // 0 means not multisampled
	t.drawn = t.resolved.Framebuffer
	if t.most > 1 {
		gl.GetIntegerv(gl.MAX_SAMPLES, &samples)
		samples = min(t.most, samples)
		t.drawn = o.Name(gl.GenFramebuffers, gl.DeleteFramebuffers)
		gl.BindFramebuffer(gl.FRAMEBUFFER, t.drawn)
	}
	attach := func(format, attachment uint32) {
		id := o.Name(gl.GenRenderbuffers, gl.DeleteRenderbuffers)
		gl.BindRenderbuffer(gl.RENDERBUFFER, id)
		gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, w, h)
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, id)
	}
	if samples > 0 {
		attach(gl.RGBA16F, gl.COLOR_ATTACHMENT0)
	}
	attach(gl.DEPTH_COMPONENT32F, gl.DEPTH_ATTACHMENT)
	o.Fail(gpu.FramebufferError("picture", t.width, t.height))
}

// Resolve averages the samples into picture k of the texture.
func (t *pictureTarget) Resolve(k int) {
	if t.drawn == t.resolved.Framebuffer {
		return
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.drawn)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, t.resolved.Framebuffer)
	w, h := int32(t.used[0]), int32(t.used[1])
	x, y := int32(k%t.side)*w, int32(k/t.side)*h
	gl.BlitFramebuffer(0, 0, w, h, x, y, x+w, y+h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// Delete may be called again. Resize can make the target anew.
func (t *pictureTarget) Delete() {
	t.owner.Delete()
	t.drawn = 0
}
