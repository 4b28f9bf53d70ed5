package skin

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Storage buffer bindings of storage.glsl, pose.comp.glsl and normals.comp.glsl.
const (
	storageRest = iota
	storageBinding
	storageExtra
	storageCenter
	storagePosed
	storageSecond
	storageSecondExtra
	storageValues
	storages
)

// computeGroup is the number of vertices of a work group: local_size_x of these stages. computeMost is the number of
// vertices of one dispatch: every driver allows 65,535 groups.
const (
	computeGroup = 64
	computeMost  = 65535 * computeGroup
)

// span is a range of a model's vertices.
type span struct{ first, count int }

// spans divides the first vertices of a model into those of the skin and those of rigid meshes, which follow the skins
// of all instances.
func (s *Streams) spans(vertices int) [2]span {
	skin := min(s.SkinVertices, vertices)
	return [2]span{{0, skin}, {skin, vertices - skin}}
}

// run poses the first vertices of g into a buffer. They start with the skin. The inputs must have been sent.
func (p *Poser) run(g *Model, b *Binding, method skinning.Method, s Way, into *gpu.Buffer[Vertex], vertices int) error {
	for i, part := range g.Streams.spans(vertices) {
		if part.count == 0 {
			continue
		}
		if i == 1 {
			method = skinning.LBS // of rigid meshes
		}
		var err error
		if s == InBufferCompute {
			err = p.runCompute(g, b, method, into, part)
		} else {
			err = p.runFeedback(b, method, into, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runFeedback poses a range of vertices by transform feedback.
func (p *Poser) runFeedback(b *Binding, method skinning.Method, into *gpu.Buffer[Vertex], part span) error {
	program := &p.feedback[method][gpu.Bool(b.ReadsSecond(method))]
	if *program == nil {
		if err := gpu.Compile(&p.owner, program, "pose "+method.String(), gpu.Stages{
			Vertex:   InputFiles(method, b.ReadsSecond(method)) + "attributes.glsl " + method.Shader() + " pose.vert.glsl",
			Captured: "posedPosition posedNormal"}); err != nil {
			return err
		}
	}
	instances := int(p.block.Data.instances)
	(*program).Use()
	BindStreams(b.PoseArray(method))
	gpu.Feedback{Buffer: into.ID, Offset: part.first * instances * int(VertexSize), Point: int(VertexSize)}.Run(
		part.first, part.count, instances)
	gl.BindVertexArray(0)
	return nil
}

// idOr returns the name of a buffer, or another one where it is nil.
func idOr[T any](b *gpu.Buffer[T], other uint32) uint32 {
	if b == nil {
		return other
	}
	return b.ID
}

// runCompute poses a range of vertices by a compute stage.
func (p *Poser) runCompute(g *Model, b *Binding, method skinning.Method, into *gpu.Buffer[Vertex], part span) error {
	in := b.inputs[method]
	made := &p.compute[method][gpu.Bool(b.ReadsSecond(method))]
	if *made == nil {
		if err := gpu.Compile(&p.owner, made, "pose compute "+method.String(), gpu.Stages{
			Compute: InputFiles(method, b.ReadsSecond(method)) + "storage.glsl " + method.Shader() + " pose.comp.glsl"}); err != nil {
			return err
		}
	}
	program := *made
	program.Use()
	program.SetBool("extras", b.extra != nil)
	program.SetBool("centers", b.center != nil)
	program.SetBool("secondExtras", in.secondExtra != nil)
	// A missing stream is replaced by another one so that no binding is empty. The stage does not read it.
	other := b.binding.ID
	p.dispatch(program, part, &[storages]uint32{storageRest: g.Streams.rest.ID, storageBinding: b.binding.ID,
		storageExtra: idOr(b.extra, other), storageCenter: idOr(b.center, other), storagePosed: into.ID,
		storageSecond: idOr(in.second, other), storageSecondExtra: idOr(in.secondExtra, other),
		storageValues: idOr(in.values, other)})
	return nil
}

// dispatch runs the compute program in use over a range of vertices of all instances, with these storage buffers.
func (p *Poser) dispatch(program *gpu.Program, part span, streams *[storages]uint32) {
	instances := int(p.block.Data.instances)
	for i, id := range streams {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(i), id)
	}
	for done := 0; done < part.count; done += computeMost {
		n := min(part.count-done, computeMost)
		program.SetInts("span", [4]int32{int32(part.first + done), int32(n), int32(part.first*instances + done),
			int32(part.count)})
		gl.DispatchCompute(uint32((n+computeGroup-1)/computeGroup), uint32(instances), 1)
	}
	gl.MemoryBarrier(gl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT | gl.TEXTURE_FETCH_BARRIER_BIT |
		gl.TRANSFORM_FEEDBACK_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	for i := range streams {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(i), 0)
	}
}
