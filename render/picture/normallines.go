package picture

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
)

// Colours of normals as lines, linear: amber for those that the method transformed, cyan for those of the posed
// surface.
var (
	transformedColor = [3]float32{1, 0.42, 0.06}
	recomputedColor  = [3]float32{0.08, 0.72, 0.95}
)

// lineArrays describe the normals of one model to the pass that draws them, one instance per vertex.
type lineArrays struct{ transformed, recomputed uint32 }

// newLineArray describes one set of normals over the posed positions.
func newLineArray(s *skin.Streams, normals uint32, stride int32, offset uintptr) (array uint32) {
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	gpu.FloatAttribute(s.Posed.ID, skin.AttributePosition, 3, skin.VertexSize, 0)
	gpu.FloatAttribute(normals, skin.AttributeNormal, 3, stride, offset)
	gl.VertexAttribDivisor(skin.AttributePosition, 1)
	gl.VertexAttribDivisor(skin.AttributeNormal, 1)
	gl.BindVertexArray(0)
	return array
}

// Delete may be called again.
func (a *lineArrays) Delete() {
	for _, id := range [...]*uint32{&a.recomputed, &a.transformed} {
		if *id != 0 {
			gl.DeleteVertexArrays(1, id)
			*id = 0
		}
	}
}

// linePass draws vertex normals as lines. It compiles when it is first used.
type linePass struct {
	program                  *gpu.Program
	lineLength, width, color int32
}

// Ready makes what is not there yet.
func (p *linePass) Ready(g *Model, recomputed bool) (err error) {
	if p.program == nil {
		if p.program, err = gpu.NewProgram("normals as lines", []string{"normalline.vert.glsl"},
			[]string{"normalline.frag.glsl"}); err != nil {
			return err
		}
		u := p.program.Uniform
		p.lineLength, p.width, p.color = u("lineLength"), u("lineWidth"), u("lineColor")
	}
	a := &g.lines
	if a.transformed == 0 {
		a.transformed = newLineArray(g.Streams, g.Streams.Posed.ID, skin.VertexSize,
			unsafe.Offsetof(skin.RestVertex{}.Normal))
	}
	if recomputed && a.recomputed == 0 {
		a.recomputed = newLineArray(g.Streams, g.Rings.Normals.ID, skin.NormalSize, 0)
	}
	return nil
}

// Draw draws the transformed normals, and with recomputed those of the posed surface beside them.
func (p *linePass) Draw(g *Model, s *Scene) {
	gl.UseProgram(p.program.ID)
	gl.Uniform1f(p.lineLength, s.NormalLines)
	gl.Uniform1f(p.width, max(1.1, float32(s.Height)/640))
	draw := func(array uint32, c *[3]float32) {
		gl.Uniform3f(p.color, c[0], c[1], c[2])
		gl.BindVertexArray(array)
		gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(g.Streams.All))
	}
	draw(g.lines.transformed, &transformedColor)
	if s.Recomputed {
		gl.Enable(gl.POLYGON_OFFSET_FILL)
		gl.PolygonOffset(-1, -2) // seen where both normals are one
		draw(g.lines.recomputed, &recomputedColor)
		gl.Disable(gl.POLYGON_OFFSET_FILL)
	}
	gl.BindVertexArray(0)
}

// Delete is nil-safe.
func (p *linePass) Delete() {
	if p != nil {
		p.program.Delete()
	}
}
