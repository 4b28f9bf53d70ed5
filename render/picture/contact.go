package picture

import (
	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
)

// contactSize is the width of the contact map in texels.
const contactSize = 128

// Widths of the two blurs, as fractions of the model's diagonal. One darkens the floor around touching points, the
// other under the whole body.
const (
	touchBlur = 0.010
	bodyBlur  = 0.045
)

// contactMap holds how much of the room's light the model keeps from each point of the floor. It is the model's height
// above the floor, seen from below and blurred.
type contactMap struct {
	height *variants
	blur   *gpu.Program
	maps   [2]gpu.Target
}

func newContactMap(o *gpu.Owner) *contactMap {
	c := &contactMap{height: newVariants(o, "contact map", "contact.vert.glsl", "contact.frag.glsl")}
	o.Fail(gpu.Compile(o, &c.blur, "contact blur",
		gpu.Stages{Vertex: "fullscreen.vert.glsl", Fragment: "blur.frag.glsl"}))
	for i := range c.maps {
		c.maps[i] = gpu.NewTarget(o, "contact map", gl.RG16F, contactSize, contactSize, gl.LINEAR)
	}
	return c
}

// Draw fills the map for the posed model. The scene's uniform block must be bound; contact is its member of that name.
func (c *contactMap) Draw(d *Drawn, contact mgl32.Vec4, emptyArray uint32) {
	gl.Viewport(0, 0, contactSize, contactSize)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.maps[0].Framebuffer)
	gl.ClearColor(0, 0, 0, 0)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if d.shadowless {
		return
	}
	gl.Enable(gl.BLEND)
	gl.BlendEquation(gl.MAX)
	d.cast(c.height, func(*gpu.Program) {})
	gl.BlendEquation(gl.FUNC_ADD)
	gl.Disable(gl.BLEND)

	texels := d.Diagonal * contactSize / contact[2]
	c.blur.Use()
	c.blur.Set("deviations", max(touchBlur*texels, 0.5), max(bodyBlur*texels, 0.5))
	gl.BindVertexArray(emptyArray)
	for pass := range 2 {
		gl.BindFramebuffer(gl.FRAMEBUFFER, c.maps[1-pass].Framebuffer)
		c.maps[pass].Texture.Bind(gpu.UnitContact)
		c.blur.Set("direction", float32(1-pass)/contactSize, float32(pass)/contactSize)
		gl.DrawArrays(gl.TRIANGLES, 0, 3)
	}
	gl.BindVertexArray(0)
}

// bind binds the finished map.
func (c *contactMap) bind() { c.maps[0].Texture.Bind(gpu.UnitContact) }
