package picture

import (
	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
)

// contactSize is the width of the contact map in texels.
const contactSize = 128

// Widths of the two blurs, fractions of the model's diagonal: around touching points, and under the body.
const (
	touchBlur = 0.010
	bodyBlur  = 0.045
)

// contactMap holds how much of the room's light the model shuts out of the floor: its height above the floor, seen from
// below, then blurred.
type contactMap struct {
	height                *variants[struct{}]
	blur                  *gpu.Program
	direction, deviations int32
	framebuffers          [2]uint32
	maps                  [2]*gpu.Texture
}

func newContactMap() (*contactMap, error) {
	c := &contactMap{}
	var err error
	if c.height, err = newVariants("contact map", "contact.vert.glsl", "contact.frag.glsl",
		func(*gpu.Program) (none struct{}) { return }); err != nil {
		return nil, err
	}
	if c.blur, err = gpu.NewProgram("contact blur", []string{"fullscreen.vert.glsl"},
		[]string{"blur.frag.glsl"}); err != nil {
		c.Delete()
		return nil, err
	}
	c.direction, c.deviations = c.blur.Uniform("direction"), c.blur.Uniform("deviations")
	for i := range c.maps {
		if c.framebuffers[i], c.maps[i],
			err = gpu.NewTextureTarget("contact map", gl.RG16F, contactSize, contactSize, gl.LINEAR); err != nil {
			c.Delete()
			return nil, err
		}
	}
	return c, nil
}

// Draw fills the map for the posed model. The scene's block must be bound; contact is its member of that name.
func (c *contactMap) Draw(d *Drawn, contact mgl32.Vec4, emptyArray uint32) {
	gl.Viewport(0, 0, contactSize, contactSize)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.framebuffers[0])
	gl.ClearColor(0, 0, 0, 0)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if d.shadowless {
		return
	}
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.MAX)
	d.Bind()
	for _, part := range d.parts() {
		c.height.Use(part.source)
		d.triangles(part.firstIndex, part.indices)
	}
	gl.BlendEquation(gl.FUNC_ADD)
	gl.Disable(gl.BLEND)

	texels := d.Diagonal * contactSize / contact[2]
	gl.UseProgram(c.blur.ID)
	gl.Uniform2f(c.deviations, max(touchBlur*texels, 0.5), max(bodyBlur*texels, 0.5))
	gl.BindVertexArray(emptyArray)
	for pass := range 2 {
		gl.BindFramebuffer(gl.FRAMEBUFFER, c.framebuffers[1-pass])
		c.maps[pass].Bind(gpu.UnitContact)
		gl.Uniform2f(c.direction, float32(1-pass)/contactSize, float32(pass)/contactSize)
		gl.DrawArrays(gl.TRIANGLES, 0, 3)
	}
	gl.BindVertexArray(0)
}

// Bind binds the finished map.
func (c *contactMap) Bind() { c.maps[0].Bind(gpu.UnitContact) }

// Delete is nil-safe and releases in reverse order.
func (c *contactMap) Delete() {
	if c == nil {
		return
	}
	for i := len(c.maps) - 1; i >= 0; i-- {
		if c.framebuffers[i] != 0 {
			gl.DeleteFramebuffers(1, &c.framebuffers[i])
			c.framebuffers[i] = 0
		}
		c.maps[i].Delete()
	}
	c.blur.Delete()
	c.height.Delete()
}
