package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// meshPass shades the posed model, and draws its edges.
type meshPass struct {
	shaded, wire *variants
	white        *gpu.Texture // stands in for a missing texture
}

func newMeshPass(o *gpu.Owner) meshPass {
	return meshPass{newVariants(o, "mesh", "mesh.vert.glsl", "mesh.frag.glsl"),
		newVariants(o, "wireframe", "wire.vert.glsl", "wire.frag.glsl"), gpu.NewTexture(o, gl.RGBA8, 1, 1, gl.NEAREST)}
}

// use makes the program for a source of vertices current and sets the uniforms that all its parts share.
func (p *meshPass) use(d *Drawn, s VertexSource, blended bool) *gpu.Program {
	v := p.shaded.use(s)
	v.SetBool("painted", d.painted)
	v.SetBool("clay", d.clay)
	v.SetBool("blended", blended)
	v.Set("alphaCutoff", 0)
	return v
}

// Opaque draws all parts except the blended ones.
func (p *meshPass) Opaque(d *Drawn) {
	d.Bind()
	mirrored := d.frame.Mirrored()
	var v *gpu.Program
	for i := range d.opaque {
		item := &d.opaque[i]
		if i == 0 || d.source(item) != d.source(&d.opaque[i-1]) {
			v = p.use(d, d.source(item), false)
		}
		m := &d.materials[item.material]
		v.Set("alphaCutoff", m.AlphaCutoff)
		gpu.SetEnabled(gl.SAMPLE_ALPHA_TO_COVERAGE, m.AlphaCutoff > 0)
		gpu.SetEnabled(gl.SAMPLE_ALPHA_TO_ONE, m.AlphaCutoff > 0) // a covered sample is covered whole
		p.draw(d, v, item, mirrored)
	}
	gl.Disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
	gl.Disable(gl.SAMPLE_ALPHA_TO_ONE)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

// blended draws the transparent parts over the rest in the order of the file, back faces before front faces, without
// writing depth. The clay surface is solid, so it then draws nothing.
func (p *meshPass) blended(d *Drawn) {
	if len(d.blended) == 0 {
		return
	}
	d.Bind()
	if !d.clay {
		blend()
		gl.DepthMask(false)
	}
	mirrored := d.frame.Mirrored()
	var v *gpu.Program
	for i := range d.blended {
		item := &d.blended[i]
		if i == 0 || d.source(item) != d.source(&d.blended[i-1]) {
			v = p.use(d, d.source(item), !d.clay)
		}
		if item.bothSides && !d.clay {
			p.bindMaterial(d, v, item.material)
			gl.Enable(gl.CULL_FACE)
			gl.CullFace(gl.FRONT)
			d.triangles(item.firstIndex, item.indices)
			gl.CullFace(gl.BACK)
			d.triangles(item.firstIndex, item.indices)
			gl.Disable(gl.CULL_FACE)
			continue
		}
		p.draw(d, v, item, mirrored)
	}
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

// draw draws one part with its material.
func (p *meshPass) draw(d *Drawn, v *gpu.Program, item *drawItem, mirrored bool) {
	p.bindMaterial(d, v, item.material)
	d.sides(item, mirrored)
}

func (p *meshPass) bindMaterial(d *Drawn, v *gpu.Program, index int) {
	m := &d.materials[index]
	v.Set("baseColor", m.BaseColor[:]...)
	v.SetBool("unlit", m.Unlit)
	has := m.Texture >= 0 && m.Texture < len(d.textures)
	v.SetBool("textured", has)
	if has {
		d.textures[m.Texture].Bind(gpu.UnitBase)
	} else {
		p.white.Bind(gpu.UnitBase)
	}
}

// wireframe draws the edges of all triangles over the model.
func (p *meshPass) wireframe(d *Drawn) {
	blend()
	gl.DepthMask(false)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE)
	d.Bind()
	for _, part := range d.parts() {
		p.wire.use(part.source).Set("lineColor", 0.01, 0.012, 0.016, 0.45)
		d.triangles(part.firstIndex, part.indices)
	}
	gl.BindVertexArray(0)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}
