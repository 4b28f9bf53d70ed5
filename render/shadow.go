package render

import (
	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// shadowSize is the width of the shadow map in texels. Its size does not depend on the driver: pictures stay comparable.
const shadowSize = 1024

// shadowMap is the depth of the model seen from the key light, read both as depths and compared.
type shadowMap struct {
	programs    *variants[int32] // the location of lightMatrix
	framebuffer uint32
	depth       *texture
	compare     uint32 // a sampler that compares
	plain       uint32 // a sampler that does not
	matrix      *mgl32.Mat4
}

func newShadowMap() (*shadowMap, error) {
	s := &shadowMap{matrix: new(mgl32.Mat4)}
	var err error
	lightMatrix := func(p *program) int32 { return p.Uniform("lightMatrix") }
	if s.programs, err = newVariants("shadow map", "depth.vert.glsl", "depth.frag.glsl", lightMatrix); err != nil {
		return nil, err
	}
	s.depth = newEmptyTexture(gl.DEPTH_COMPONENT32F, gl.DEPTH_COMPONENT, gl.FLOAT, shadowSize, shadowSize, gl.NEAREST)
	gl.GenFramebuffers(1, &s.framebuffer)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.framebuffer)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, s.depth.id, 0)
	gl.DrawBuffer(gl.NONE)
	gl.ReadBuffer(gl.NONE)
	s.plain, s.compare = newClampedSampler(gl.NEAREST), newClampedSampler(gl.LINEAR)
	gl.SamplerParameteri(s.compare, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
	gl.SamplerParameteri(s.compare, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL)
	if err := framebufferError("shadow map", shadowSize, shadowSize); err != nil {
		s.Delete()
		return nil, err
	}
	return s, nil
}

func newClampedSampler(filter int32) (id uint32) {
	gl.GenSamplers(1, &id)
	gl.SamplerParameteri(id, gl.TEXTURE_MIN_FILTER, filter)
	gl.SamplerParameteri(id, gl.TEXTURE_MAG_FILTER, filter)
	gl.SamplerParameteri(id, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.SamplerParameteri(id, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	return id
}

// Draw renders the posed model from the light. Both sides of triangles cast: skins are often open.
func (s *shadowMap) Draw(d *drawn, light mgl32.Mat4) {
	*s.matrix = light
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.framebuffer)
	gl.Viewport(0, 0, shadowSize, shadowSize)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthMask(true)
	gl.Disable(gl.CULL_FACE)
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	if d.shadowless {
		return
	}
	d.bind()
	for _, part := range d.parts() {
		gl.UniformMatrix4fv(s.programs.Use(part.source).at, 1, false, &s.matrix[0])
		d.triangles(part.firstIndex, part.indices)
	}
	gl.BindVertexArray(0)
}

// Bind binds the map to both its units.
func (s *shadowMap) Bind() {
	s.depth.Bind(unitShadowDepth)
	gl.BindSampler(unitShadowDepth, s.plain)
	s.depth.Bind(unitShadowCompare)
	gl.BindSampler(unitShadowCompare, s.compare)
}

// Unbind frees the units' samplers, which would override the textures of whoever draws next.
func (s *shadowMap) Unbind() {
	gl.BindSampler(unitShadowDepth, 0)
	gl.BindSampler(unitShadowCompare, 0)
}

// Delete is nil-safe and releases in reverse order.
func (s *shadowMap) Delete() {
	if s == nil {
		return
	}
	gl.DeleteSamplers(1, &s.compare)
	gl.DeleteSamplers(1, &s.plain)
	if s.framebuffer != 0 {
		gl.DeleteFramebuffers(1, &s.framebuffer)
		s.framebuffer = 0
	}
	s.depth.Delete()
	s.programs.Delete()
}
