package render

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// poser holds one program per method that poses the streams by transform feedback.
type poser struct {
	programs []poseProgram // by skinning.Method
}

type poseProgram struct {
	*program
	centerBase, unrolled, morphCount int32 // uniform locations
}

func newPoser() (*poser, error) {
	p := &poser{}
	for _, m := range skinning.Methods() {
		prog, err := newProgram("pose "+m.String(), []string{m.String() + ".glsl", "pose.vert.glsl"}, nil, "posedPosition", "posedNormal")
		if err != nil {
			p.Delete()
			return nil, err
		}
		p.programs = append(p.programs, poseProgram{
			prog, prog.Uniform("centerBase"), prog.Uniform("unrolled"), prog.Uniform("morphCount"),
		})
	}
	return p, nil
}

// Pose poses all vertices of g into g.posed: the skin by the method, rigid meshes by their own matrix.
func (p *poser) Pose(g *gpuModel, f *skinning.Frame, method skinning.Method, t *Timer) error {
	return p.pose(g, f, method, g.streams.posed, g.streams.all, t)
}

// PoseSkin poses the skin alone into another buffer.
func (p *poser) PoseSkin(g *gpuModel, f *skinning.Frame, method skinning.Method, into *buffer[restVertex]) error {
	return p.pose(g, f, method, into, g.streams.skinVertices, nil)
}

// pose poses the first vertices of g, the skin and what follows it.
func (p *poser) pose(g *gpuModel, f *skinning.Frame, method skinning.Method, into *buffer[restVertex], vertices int, t *Timer) error {
	if int(method) >= len(p.programs) {
		return fmt.Errorf("render: %v has no GPU program", method)
	}
	b := g.of(f.Model)
	if b.center == nil && method != skinning.LBS {
		return fmt.Errorf("render: a fitted skin is posed by linear blending, not by %v", method)
	}
	if method == skinning.SBS {
		f.SolveCenters()
	}
	t.Begin(PassUpload)
	b.palette.Upload(f)
	g.morphs.Upload(f.Morphs, g.streams.rest)
	t.End(PassUpload)
	t.Begin(PassSkin)
	defer t.End(PassSkin)
	b.palette.texels.Bind(unitPalette)
	b.further.Bind(unitExtra)
	g.morphs.deltas.Bind(unitMorphDeltas)
	g.morphs.active.Bind(unitMorphActive)
	gl.BindVertexArray(b.poseArray)
	gl.VertexAttribI4ui(attributeExtra, 0, 0, 0, 0) // read where the model has no further influences
	gl.Enable(gl.RASTERIZER_DISCARD)
	p.run(g, b, f, method, into, 0, g.streams.skinVertices)
	p.run(g, b, f, skinning.LBS, into, g.streams.skinVertices, vertices-g.streams.skinVertices)
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
	gl.BindVertexArray(0)
	return nil
}

func (p *poser) run(g *gpuModel, b *bound, f *skinning.Frame, method skinning.Method, into *buffer[restVertex], first, count int) {
	if count == 0 {
		return
	}
	const vertex = int(unsafe.Sizeof(restVertex{}))
	prog := &p.programs[method]
	gl.UseProgram(prog.id)
	gl.Uniform1i(prog.centerBase, int32(b.palette.centerBase()))
	gl.Uniform1i(prog.morphCount, g.morphs.count)
	unrolled := int32(0)
	if f.Unrolled {
		unrolled = 1
	}
	gl.Uniform1i(prog.unrolled, unrolled)
	gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, into.id, first*vertex, count*vertex)
	gl.BeginTransformFeedback(gl.POINTS)
	gl.DrawArrays(gl.POINTS, int32(first), int32(count))
	gl.EndTransformFeedback()
}

// Delete is nil-safe.
func (p *poser) Delete() {
	if p == nil {
		return
	}
	for i := len(p.programs) - 1; i >= 0; i-- {
		p.programs[i].Delete()
	}
}
