package skin

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/skinning"
)

// tangentSize is the number of bytes of a posed tangent.
const tangentSize = 16

// PoseTangents poses the tangents of g into a buffer that DrawArray reads, by the method that has posed the vertices.
// It follows Pose, whose inputs it reads. A model without tangents takes no time.
//
// A tangent is the difference of two points of the surface, so that a method moves it as it moves positions. It runs by
// transform feedback on all contexts.
func (p *Poser) PoseTangents(g *Model, b *Binding, method skinning.Method, t *passes.Timer) error {
	if g.Streams.tangents == nil {
		return nil
	}
	t.Begin(passes.Normals)
	defer t.End(passes.Normals)
	for i, part := range g.Streams.spans(g.Streams.All) {
		if part.count == 0 {
			continue
		}
		if i == 1 {
			method = skinning.LBS // of rigid meshes
		}
		second := b.ReadsSecond(method)
		program := &p.tangents[method][gpu.Bool(second)]
		if err := gpu.Compile(&p.owner, program, "tangents "+method.String(), gpu.Stages{
			Vertex:   InputFiles(method, second) + "attributes.glsl " + method.Shader() + " tangent.vert.glsl",
			Captured: "posedTangent"}); err != nil {
			return err
		}
		(*program).Use()
		BindStreams(b.PoseArray(method))
		gpu.Feedback{Buffer: g.Streams.PosedTangents.ID, Offset: part.first * tangentSize, Point: tangentSize}.Run(
			part.first, part.count, 1)
		gl.BindVertexArray(0)
	}
	return nil
}
