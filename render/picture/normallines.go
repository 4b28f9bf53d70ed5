package picture

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
)

// Colours of the lines that show normals, linear RGB: amber and cyan.
var (
	transformedColor = [3]float32{1, 0.42, 0.06}
	recomputedColor  = [3]float32{0.08, 0.72, 0.95}
)

// lineArrays hold the vertex arrays for one model's normals. The pass draws one instance per vertex.
type lineArrays struct{ transformed, recomputed uint32 }

// newLineArray makes the array of one set of normals over the posed positions; drawLines points it at them.
func newLineArray(g *Model) uint32 {
	return g.owner.Array(func() {
		gl.VertexAttribDivisor(skin.AttributePosition, 1)
		gl.VertexAttribDivisor(skin.AttributeNormal, 1)
	})
}

// readyLines makes the program and arrays for drawing normals as lines.
func (p *Painter) readyLines(g *Model, recomputed bool) error {
	if g.lines.transformed == 0 {
		g.lines.transformed = newLineArray(g)
	}
	if recomputed && g.lines.recomputed == 0 {
		g.lines.recomputed = newLineArray(g)
	}
	return gpu.Compile(&p.owner, &p.lines, "normals as lines",
		gpu.Stages{Vertex: "normalline.vert.glsl", Fragment: "normalline.frag.glsl"})
}

// drawLines draws the normals that the method transformed. If the scene asks for recomputed normals, it draws those of
// the posed surface too.
func (p *Painter) drawLines(g *Model, s *Scene) {
	p.lines.Use()
	p.lines.Set("lineLength", s.NormalLines)
	p.lines.Set("lineWidth", max(1.1, float32(s.Height)/640))
	draw := func(array uint32, from *gpu.Buffer[skin.Vertex], c *[3]float32) {
		p.lines.Set("lineColor", c[:]...)
		gl.BindVertexArray(array)
		for i := range g.runs { // the first instance of a call cannot be chosen before OpenGL 4.2
			r := &g.runs[i]
			first := uintptr(r.firstVertex) * uintptr(skin.VertexSize)
			gpu.FloatAttribute(from.ID, skin.AttributePosition, 3, skin.VertexSize, first)
			gpu.FloatAttribute(from.ID, skin.AttributeNormal, 3, skin.VertexSize, first+unsafe.Offsetof(skin.Vertex{}.Normal))
			gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(r.vertices))
		}
	}
	draw(g.lines.transformed, g.Streams.Posed, &transformedColor)
	if s.Recomputed {
		gl.Enable(gl.POLYGON_OFFSET_FILL)
		gl.PolygonOffset(-1, -2) // pull the cyan lines in front where both normals coincide
		draw(g.lines.recomputed, g.Rings.Shaded, &recomputedColor)
		gl.Disable(gl.POLYGON_OFFSET_FILL)
	}
	gl.BindVertexArray(0)
}
