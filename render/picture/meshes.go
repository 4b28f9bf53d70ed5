package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// meshPass shades the posed model, and draws its edges.
type meshPass struct {
	shaded, material, wire *variants    // in clay, in the file's materials, as edges
	white                  *gpu.Texture // stands in for a missing texture
}

func newMeshPass(o *gpu.Owner) meshPass {
	return meshPass{newVariants(o, "mesh", "mesh.vert.glsl", "mesh.frag.glsl"),
		newVariants(o, "material", "material.vert.glsl", "material.frag.glsl"),
		newVariants(o, "wireframe", "wire.vert.glsl", "wire.frag.glsl"), gpu.NewTexture(o, gl.RGBA8, 1, 1, gl.NEAREST)}
}

// use makes the program for a source of vertices current and sets the uniforms that all its parts share.
func (p *meshPass) use(d *Drawn, s VertexSource, blended bool) *gpu.Program {
	pass := p.shaded
	if !d.clay {
		pass = p.material
	}
	v := pass.use(s)
	v.SetBool("painted", d.painted)
	v.Set("lastLevel", d.lastLevel)
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

// blended draws the transparent parts over the rest in their order, back faces before front faces, without writing
// depth. The clay surface is solid, so it then draws nothing.
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

// bindMaterial sets the uniforms and the textures of a material. Clay reads the base colour where it is cut out.
func (p *meshPass) bindMaterial(d *Drawn, v *gpu.Program, index int) {
	m := &d.materials[index]
	v.Set("baseColor", m.BaseColor[:]...)
	v.SetBool("textured", p.bindTexture(d, m.Texture, gpu.UnitBase))
	if d.clay {
		return
	}
	v.SetBool("unlit", m.Unlit)
	v.Set("metallic", m.Metallic)
	v.Set("roughness", m.Roughness)
	v.Set("reflectance", m.Reflectance[0], m.Reflectance[1], m.Reflectance[2], m.Grazing)
	v.Set("emission", m.Emissive[:]...)
	bits := int32(0)
	for kind := range skinning.MapKinds {
		to := m.Map(kind)
		texture := -1
		if to != nil {
			texture = to.Texture
		}
		if !p.bindTexture(d, texture, gpu.UnitMaps+uint32(kind)) {
			continue
		}
		bits |= 1 << kind
		if to.Second {
			bits |= 16 << kind
		}
		switch kind {
		case skinning.NormalMap:
			v.Set("normalScale", to.Strength)
		case skinning.OcclusionMap:
			v.Set("occlusionStrength", to.Strength)
		}
	}
	v.SetInt("maps", bits)
	v.SetBool("bumped", bits&(1<<skinning.NormalMap) != 0)
}

// bindTexture binds a texture of the model, or white where there is none.
func (p *meshPass) bindTexture(d *Drawn, texture int, unit uint32) (has bool) {
	if texture < 0 || texture >= len(d.textures) {
		p.white.Bind(unit)
		return false
	}
	d.textures[texture].Bind(unit)
	return true
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
