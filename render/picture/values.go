package picture

import (
	"slices"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// vertexValues are one model's buffers for surfaces that show numbers: a number per vertex, and for SurfaceHeat the
// skin posed by the reference.
type vertexValues struct {
	Value     *gpu.Buffer[float32]     // per vertex; negative on rigid meshes
	Reference *gpu.Buffer[skin.Vertex] // the skin posed by the reference
	pairArray uint32                   // vertex array of the posed skin and the reference
}

func newVertexValues(g *Model) (*vertexValues, error) {
	s, o := g.Streams, &gpu.Owner{}
	none := slices.Repeat([]float32{-1}, s.All)
	v := &vertexValues{Value: gpu.NewBuffer(o, "vertex values", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, none)}
	v.Reference = gpu.NewBuffer(o, "reference", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]skin.Vertex, s.SkinVertices))
	v.pairArray = o.Array(func() {
		gpu.FloatAttribute(s.Posed.ID, 0, 3, skin.VertexSize, 0)
		gpu.FloatAttribute(v.Reference.ID, 1, 3, skin.VertexSize, 0)
	})
	o.Fail(gpu.Error("vertex values"))
	g.owner.Own(o.Delete)
	return gpu.Made(v, o)
}

// valuePass computes a number per vertex from the posed buffer. It then draws the surface in the colours of numbers or
// of normals. Its programs compile when their surface is first drawn.
type valuePass struct {
	owner            *gpu.Owner
	fills            [SurfaceNormals]*gpu.Program // by surface: write the numbers by transform feedback
	numbers, normals *gpu.Program
	colors           *gpu.Texture
}

func newValuePass(o *gpu.Owner) valuePass {
	return valuePass{owner: o, colors: newColormapTexture(o)}
}

// fillers are the vertex shaders that compute a surface's numbers.
var fillers = [SurfaceNormals]string{SurfaceHeat: "distance.vert.glsl", SurfaceInfluences: "count.vert.glsl",
	SurfaceWeights: "weight.vert.glsl"}

// compile compiles the programs of a surface unless they are compiled already.
func (p *valuePass) compile(s Surface) error {
	into, fragment := &p.numbers, "value.frag.glsl"
	if s == SurfaceNormals {
		into, fragment = &p.normals, "normal.frag.glsl"
	}
	if err := gpu.Compile(p.owner, into, fragment,
		gpu.Stages{Vertex: "value.vert.glsl", Fragment: fragment}); err != nil || !s.numeric() {
		return err
	}
	return gpu.Compile(p.owner, &p.fills[s], fillers[s],
		gpu.Stages{Vertex: fillers[s], Captured: "value"})
}

// Ready makes the programs and buffers for showing a surface on a model.
func (p *valuePass) Ready(g *Model, s Surface) (err error) {
	if s.Lit() {
		return nil
	}
	if err := p.compile(s); err != nil {
		return err
	}
	if g.Values == nil && s.numeric() {
		g.Values, err = newVertexValues(g)
	}
	return err
}

// Fill computes the numbers of the scene's surface from the posed skin.
func (p *valuePass) Fill(g *Model, s *Scene) {
	if s.Surface == SurfaceHeat && s.Heat.Distances != nil {
		g.Values.Value.SetFirst(s.Heat.Distances)
		return
	}
	b := g.Of(s.Frame.Model)
	p.fills[s.Surface].Use()
	gl.BindVertexArray(g.Values.pairArray)
	if s.Surface != SurfaceHeat {
		p.fills[s.Surface].SetInt("joint", b.EntryOf(s.Joint))
		b.Further.Bind(gpu.UnitExtra)
		skin.BindStreams(b.PoseArray(skinning.LBS))
	}
	gpu.Feedback{Buffer: g.Values.Value.ID, Offset: 0, Point: 4}.Run(0, g.Streams.SkinVertices, 1)
	gl.BindVertexArray(0)
}

// Draw draws the model with a surface without the studio's lights. All parts are opaque.
func (p *valuePass) Draw(d *Drawn, s *Scene) {
	prog := p.numbers
	if s.Surface == SurfaceNormals {
		prog = p.normals
	}
	prog.Use()
	scale, steps, contours := float32(1), float32(0), float32(0)
	switch s.Surface {
	case SurfaceHeat:
		scale, contours = 1/max(s.Heat.Full, 1e-30), float32(s.Heat.Contours)
	case SurfaceInfluences:
		steps = InfluenceSteps
	}
	prog.Set("valueScale", scale)
	prog.Set("steps", steps)
	prog.Set("contours", contours)
	p.colors.Bind(gpu.UnitColorMap)
	d.Bind()
	if s.Surface.numeric() {
		gpu.FloatAttribute(d.Values.Value.ID, skin.AttributeValue, 1, 4, 0)
	}
	mirrored := d.frame.Mirrored()
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

// item draws one part. An alpha-tested material keeps its holes.
func (p *valuePass) item(d *Drawn, prog *gpu.Program, item *drawItem, mirrored bool, cutoff float32) {
	m := &d.materials[item.material]
	textured := cutoff > 0 && m.Texture >= 0 && m.Texture < len(d.textures)
	prog.Set("baseColor", 1, 1, 1, m.BaseColor[3])
	prog.SetBool("textured", textured)
	prog.Set("alphaCutoff", cutoff)
	gpu.SetEnabled(gl.SAMPLE_ALPHA_TO_COVERAGE, cutoff > 0)
	if textured {
		d.textures[m.Texture].Bind(gpu.UnitBase)
	} else {
		p.colors.Bind(gpu.UnitBase) // not read, but some drivers want every sampler to have a complete texture
	}
	d.sides(item, mirrored)
}
