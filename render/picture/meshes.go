package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
)

// meshPass shades the posed model, and draws its edges.
type meshPass struct {
	shaded *variants[meshUniforms]
	wire   *variants[int32] // the location of lineColor
	white  *gpu.Texture     // bound where a material has no texture
}

// meshUniforms are the locations of one program.
type meshUniforms struct {
	baseColor, textured, unlit, clay, painted, alphaCutoff, blended int32
}

func locateMesh(p *gpu.Program) meshUniforms {
	u := p.Uniform
	return meshUniforms{
		baseColor: u("baseColor"), textured: u("textured"), unlit: u("unlit"), clay: u("clay"), painted: u("painted"),
		alphaCutoff: u("alphaCutoff"), blended: u("blended"),
	}
}

func newMeshPass() (*meshPass, error) {
	p := &meshPass{}
	var err error
	if p.shaded, err = newVariants("mesh", "mesh.vert.glsl", "mesh.frag.glsl", locateMesh); err != nil {
		return nil, err
	}
	if p.wire, err = newVariants("wireframe", "wire.vert.glsl", "wire.frag.glsl",
		func(p *gpu.Program) int32 { return p.Uniform("lineColor") }); err != nil {
		p.Delete()
		return nil, err
	}
	p.white = gpu.NewEmptyTexture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 1, 1, gl.NEAREST)
	return p, nil
}

// use makes the program current that draws a source's vertices, with what all its parts have in common.
func (p *meshPass) use(d *Drawn, s VertexSource, blended bool) *variant[meshUniforms] {
	v := p.shaded.Use(s)
	gl.Uniform1i(v.at.painted, gpu.Bool(d.painted))
	gl.Uniform1i(v.at.clay, gpu.Bool(d.clay))
	gl.Uniform1i(v.at.blended, gpu.Bool(blended))
	gl.Uniform1f(v.at.alphaCutoff, 0)
	return v
}

// Opaque draws all but the blended parts.
func (p *meshPass) Opaque(d *Drawn) {
	d.Bind()
	mirrored := skin.SkinMirrored(d.frame)
	var v *variant[meshUniforms]
	for i := range d.opaque {
		item := &d.opaque[i]
		if i == 0 || d.source(item) != d.source(&d.opaque[i-1]) {
			v = p.use(d, d.source(item), false)
		}
		m := &d.materials[item.material]
		gl.Uniform1f(v.at.alphaCutoff, m.AlphaCutoff)
		gpu.SetEnabled(gl.SAMPLE_ALPHA_TO_COVERAGE, m.AlphaCutoff > 0)
		p.draw(d, v, item, mirrored)
	}
	gl.Disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

// Blended draws the transparent parts over the rest in file order, inner faces before outer ones, without writing
// depth. In clay there is nothing transparent: they are solid.
func (p *meshPass) Blended(d *Drawn) {
	if len(d.blended) == 0 {
		return
	}
	d.Bind()
	if !d.clay {
		gl.Enable(gl.BLEND)
		gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
		gl.DepthMask(false)
	}
	mirrored := skin.SkinMirrored(d.frame)
	var v *variant[meshUniforms]
	for i := range d.blended {
		item := &d.blended[i]
		if i == 0 || d.source(item) != d.source(&d.blended[i-1]) {
			v = p.use(d, d.source(item), !d.clay)
		}
		if d.materials[item.material].DoubleSided && !d.clay {
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
func (p *meshPass) draw(d *Drawn, v *variant[meshUniforms], item *drawItem, mirrored bool) {
	p.bindMaterial(d, v, item.material)
	d.sides(item, mirrored)
}

func (p *meshPass) bindMaterial(d *Drawn, v *variant[meshUniforms], index int) {
	m := &d.materials[index]
	gl.Uniform4f(v.at.baseColor, m.BaseColor[0], m.BaseColor[1], m.BaseColor[2], m.BaseColor[3])
	gl.Uniform1i(v.at.unlit, gpu.Bool(m.Unlit))
	has := m.Texture >= 0 && m.Texture < len(d.textures)
	gl.Uniform1i(v.at.textured, gpu.Bool(has))
	if has {
		d.textures[m.Texture].Bind(gpu.UnitBase)
	} else {
		p.white.Bind(gpu.UnitBase)
	}
}

// Wireframe draws the edges of all triangles over the model.
func (p *meshPass) Wireframe(d *Drawn) {
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(false)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE)
	d.Bind()
	for _, part := range d.parts() {
		gl.Uniform4f(p.wire.Use(part.source).at, 0.01, 0.012, 0.016, 0.45)
		d.triangles(part.firstIndex, part.indices)
	}
	gl.BindVertexArray(0)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}

// Delete is nil-safe and releases in reverse order.
func (p *meshPass) Delete() {
	if p != nil {
		p.white.Delete()
		p.wire.Delete()
		p.shaded.Delete()
	}
}
