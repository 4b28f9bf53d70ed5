package render

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// meshPass shades the posed model, and draws its edges.
type meshPass struct {
	shaded, wire                                                          *program
	baseColor, textured, unlit, clay, painted, alphaCutoff, blended, line int32
	white                                                                 *texture // bound where a material has no texture
}

func newMeshPass() (*meshPass, error) {
	p := &meshPass{}
	var err error
	if p.shaded, err = newProgram("mesh", []string{"mesh.vert.glsl"}, []string{"mesh.frag.glsl"}); err != nil {
		return nil, err
	}
	if p.wire, err = newProgram("wireframe", []string{"wire.vert.glsl"}, []string{"wire.frag.glsl"}); err != nil {
		p.Delete()
		return nil, err
	}
	u := p.shaded.Uniform
	p.baseColor, p.textured, p.unlit = u("baseColor"), u("textured"), u("unlit")
	p.clay, p.painted, p.alphaCutoff, p.blended = u("clay"), u("painted"), u("alphaCutoff"), u("blended")
	p.line = p.wire.Uniform("lineColor")
	p.white = newEmptyTexture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 1, 1, gl.NEAREST)
	return p, nil
}

// Opaque draws all but the blended parts, with a lit surface.
func (p *meshPass) Opaque(g *gpuModel, f *skinning.Frame, surface Surface) {
	painted := surface == SurfacePaint
	if painted {
		g.streams.setTint(g.of(f.Model).tint)
	}
	gl.UseProgram(p.shaded.id)
	gl.Uniform1i(p.painted, boolean(painted))
	gl.Uniform1i(p.clay, boolean(surface != SurfaceMaterial))
	gl.Uniform1i(p.blended, 0)
	gl.BindVertexArray(g.streams.drawArray)
	mirrored := skinMirrored(f)
	for i := range g.opaque {
		m := &g.materials[g.opaque[i].material]
		gl.Uniform1f(p.alphaCutoff, m.AlphaCutoff)
		setEnabled(gl.SAMPLE_ALPHA_TO_COVERAGE, m.AlphaCutoff > 0)
		p.draw(g, f, &g.opaque[i], mirrored)
	}
	gl.Disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

// Blended draws the transparent parts over the rest in file order, inner faces before outer ones, without writing depth. In clay
// there is nothing transparent: they are solid.
func (p *meshPass) Blended(g *gpuModel, f *skinning.Frame, clay bool) {
	if len(g.blended) == 0 {
		return
	}
	gl.UseProgram(p.shaded.id)
	gl.Uniform1i(p.clay, boolean(clay))
	gl.Uniform1i(p.blended, boolean(!clay))
	gl.Uniform1f(p.alphaCutoff, 0)
	gl.BindVertexArray(g.streams.drawArray)
	if !clay {
		gl.Enable(gl.BLEND)
		gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
		gl.DepthMask(false)
	}
	mirrored := skinMirrored(f)
	for i := range g.blended {
		item := &g.blended[i]
		if g.materials[item.material].DoubleSided && !clay {
			p.bindMaterial(g, item.material)
			gl.Enable(gl.CULL_FACE)
			gl.CullFace(gl.FRONT)
			drawRange(item)
			gl.CullFace(gl.BACK)
			drawRange(item)
			gl.Disable(gl.CULL_FACE)
			continue
		}
		p.draw(g, f, item, mirrored)
	}
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

func (p *meshPass) draw(g *gpuModel, f *skinning.Frame, item *drawItem, mirrored bool) {
	p.bindMaterial(g, item.material)
	drawSides(g, f, item, mirrored)
}

// drawSides draws one part with the program in use. Single-sided parts hide their back faces, as glTF asks; a mirrored node turns
// the winding round, and a skin with a mirrored joint is drawn whole, since its triangles face both ways.
func drawSides(g *gpuModel, f *skinning.Frame, item *drawItem, mirrored bool) {
	cull := !g.materials[item.material].DoubleSided
	winding := uint32(gl.CCW)
	if item.rigid < 0 {
		cull = cull && !mirrored
	} else if f.Globals[g.own.palette.rigid[item.rigid]].Linear().Det() < 0 {
		winding = gl.CW
	}
	setEnabled(gl.CULL_FACE, cull)
	gl.FrontFace(winding)
	drawRange(item)
	gl.FrontFace(gl.CCW)
}

func drawRange(item *drawItem) {
	gl.DrawElementsWithOffset(gl.TRIANGLES, int32(item.indices), gl.UNSIGNED_INT, uintptr(4*item.firstIndex))
}

func (p *meshPass) bindMaterial(g *gpuModel, index int) {
	m := &g.materials[index]
	gl.Uniform4f(p.baseColor, m.BaseColor[0], m.BaseColor[1], m.BaseColor[2], m.BaseColor[3])
	gl.Uniform1i(p.unlit, boolean(m.Unlit))
	has := m.Texture >= 0 && m.Texture < len(g.textures)
	gl.Uniform1i(p.textured, boolean(has))
	if has {
		g.textures[m.Texture].Bind(unitBase)
	} else {
		p.white.Bind(unitBase)
	}
}

// Wireframe draws the edges of all triangles over the model.
func (p *meshPass) Wireframe(g *gpuModel) {
	gl.UseProgram(p.wire.id)
	gl.Uniform4f(p.line, 0.01, 0.012, 0.016, 0.45)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(false)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE)
	g.DrawAll()
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

// skinMirrored reports whether a joint of the pose is mirrored.
func skinMirrored(f *skinning.Frame) bool {
	for j := range f.Matrices {
		if f.Matrices[j].Linear().Det() < 0 {
			return true
		}
	}
	return false
}

func boolean(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func setEnabled(capability uint32, on bool) {
	if on {
		gl.Enable(capability)
	} else {
		gl.Disable(capability)
	}
}
