package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
)

// vertexValues is what surfaces of numbers need of one model: a number per vertex, and for heat the skin as the
// reference poses it.
type vertexValues struct {
	Value     *gpu.Buffer[float32]         // of all vertices; below 0 on those behind the skin's
	Reference *gpu.Buffer[skin.RestVertex] // of the skin
	pairArray uint32                       // the posed skin beside the reference's
}

func newVertexValues(s *skin.Streams) (v *vertexValues, err error) {
	v = &vertexValues{}
	none := make([]float32, s.All)
	for i := range none {
		none[i] = -1
	}
	if v.Value, err = gpu.NewBuffer("vertex values", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, none); err != nil {
		return nil, err
	}
	if v.Reference, err = gpu.NewBuffer("reference", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY,
		make([]skin.RestVertex, s.SkinVertices)); err != nil {
		v.Delete()
		return nil, err
	}
	gl.GenVertexArrays(1, &v.pairArray)
	gl.BindVertexArray(v.pairArray)
	gpu.FloatAttribute(s.Posed.ID, 0, 3, skin.VertexSize, 0)
	gpu.FloatAttribute(v.Reference.ID, 1, 3, skin.VertexSize, 0)
	gl.BindVertexArray(0)
	return v, gpu.Error("vertex values")
}

// Delete is nil-safe.
func (v *vertexValues) Delete() {
	if v == nil {
		return
	}
	if v.pairArray != 0 {
		gl.DeleteVertexArrays(1, &v.pairArray)
		v.pairArray = 0
	}
	v.Reference.Delete()
	v.Value.Delete()
}

// valuePass computes a number per vertex into a buffer, and draws surfaces in the colours of numbers and of normals. It
// works on the posed buffer. Its programs compile when their surface is first drawn.
type valuePass struct {
	distance, weight, count *gpu.Program // fill the buffer by transform feedback
	joint                   int32
	numbers, normals        *valueProgram
	colors                  *gpu.Texture
}

// valueProgram draws a surface that is not lit.
type valueProgram struct {
	*gpu.Program
	baseColor, textured, alphaCutoff, valueScale, steps int32
}

func newValuePass() (*valuePass, error) {
	colors, err := newColormapTexture()
	return &valuePass{colors: colors}, err
}

// compile makes the programs of a surface that are not there yet.
func (p *valuePass) compile(s Surface) (err error) {
	fill := func(to **gpu.Program, label, file string) {
		if err == nil && *to == nil {
			*to, err = gpu.NewProgram(label, []string{file}, nil, "value")
		}
	}
	draw := func(to **valueProgram, label, file string) {
		if err == nil && *to == nil {
			*to, err = newValueProgram(label, file)
		}
	}
	switch s {
	case SurfaceHeat:
		fill(&p.distance, "distance", "distance.vert.glsl")
	case SurfaceInfluences:
		fill(&p.count, "influence count", "count.vert.glsl")
	case SurfaceWeights:
		if p.weight == nil {
			if fill(&p.weight, "joint weight", "weight.vert.glsl"); err == nil {
				p.joint = p.weight.Uniform("joint")
			}
		}
	case SurfaceNormals:
		draw(&p.normals, "normals", "normal.frag.glsl")
		return err
	}
	draw(&p.numbers, "values", "value.frag.glsl")
	return err
}

func newValueProgram(label, fragment string) (*valueProgram, error) {
	prog, err := gpu.NewProgram(label, []string{"value.vert.glsl"}, []string{fragment})
	if err != nil {
		return nil, err
	}
	u := prog.Uniform
	return &valueProgram{prog, u("baseColor"), u("textured"), u("alphaCutoff"), u("valueScale"), u("steps")}, nil
}

// Ready makes what a surface needs of a model.
func (p *valuePass) Ready(g *Model, s Surface) (err error) {
	if s.Lit() {
		return nil
	}
	if err := p.compile(s); err != nil {
		return err
	}
	if g.Values == nil && s.numeric() {
		g.Values, err = newVertexValues(g.Streams)
	}
	return err
}

// Fill computes the numbers of the scene's surface for the posed skin.
func (p *valuePass) Fill(g *Model, s *Scene) {
	b := g.Of(s.Frame.Model)
	switch s.Surface {
	case SurfaceHeat:
		gl.UseProgram(p.distance.ID)
		gl.BindVertexArray(g.Values.pairArray)
	case SurfaceWeights, SurfaceInfluences:
		if s.Surface == SurfaceWeights {
			gl.UseProgram(p.weight.ID)
			gl.Uniform1i(p.joint, b.Palette.EntryOf(s.Joint))
		} else {
			gl.UseProgram(p.count.ID)
		}
		b.Further.Bind(gpu.UnitExtra)
		gl.BindVertexArray(b.PoseArray)
		gl.VertexAttribI4ui(skin.AttributeExtra, 0, 0, 0, 0) // read where the model has no further influences
	}
	gpu.Feedback{Buffer: g.Values.Value.ID, Offset: 0, Point: 4}.Run(0, g.Streams.SkinVertices, 1)
	gl.BindVertexArray(0)
}

// Draw draws the model with a surface that is not lit. All parts are solid.
func (p *valuePass) Draw(d *Drawn, s *Scene) {
	prog := p.numbers
	if s.Surface == SurfaceNormals {
		prog = p.normals
	}
	gl.UseProgram(prog.ID)
	scale, steps := float32(1), float32(0)
	switch s.Surface {
	case SurfaceHeat:
		scale = 1 / max(s.Heat.Full, 1e-30)
	case SurfaceInfluences:
		steps = InfluenceSteps
	}
	gl.Uniform1f(prog.valueScale, scale)
	gl.Uniform1f(prog.steps, steps)
	p.colors.Bind(gpu.UnitColorMap)
	d.Bind()
	if s.Surface.numeric() {
		gpu.FloatAttribute(d.Values.Value.ID, skin.AttributeValue, 1, 4, 0)
	}
	mirrored := skin.SkinMirrored(d.frame)
	for i := range d.opaque {
		p.item(d, prog, &d.opaque[i], mirrored, d.materials[d.opaque[i].material].AlphaCutoff)
	}
	for i := range d.blended {
		p.item(d, prog, &d.blended[i], mirrored, 0)
	}
	gl.Disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
	gl.Disable(gl.CULL_FACE)
	gl.BindVertexArray(0)
}

// item draws one part, cut out where its material is.
func (p *valuePass) item(d *Drawn, prog *valueProgram, item *drawItem, mirrored bool, cutoff float32) {
	m := &d.materials[item.material]
	textured := cutoff > 0 && m.Texture >= 0 && m.Texture < len(d.textures)
	gl.Uniform4f(prog.baseColor, 1, 1, 1, m.BaseColor[3])
	gl.Uniform1i(prog.textured, gpu.Bool(textured))
	gl.Uniform1f(prog.alphaCutoff, cutoff)
	gpu.SetEnabled(gl.SAMPLE_ALPHA_TO_COVERAGE, cutoff > 0)
	if textured {
		d.textures[m.Texture].Bind(gpu.UnitBase)
	} else {
		p.colors.Bind(gpu.UnitBase) // read by nothing; some drivers want every sampler complete
	}
	d.sides(item, mirrored)
}

// Delete is nil-safe and releases in reverse order.
func (p *valuePass) Delete() {
	if p == nil {
		return
	}
	for _, v := range [...]*valueProgram{p.normals, p.numbers} {
		if v != nil {
			v.Delete()
		}
	}
	for _, q := range [...]*gpu.Program{p.count, p.weight, p.distance} {
		q.Delete()
	}
	p.colors.Delete()
}
