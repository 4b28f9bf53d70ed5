package skin

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Storage buffer bindings of storage.glsl and pose.comp.glsl.
const (
	storageRest = iota
	storageBinding
	storageExtra
	storageCenter
	storagePosed
)

// computeGroup is the number of vertices of a work group: local_size_x of pose.comp.glsl. One dispatch takes
// computeMost vertices: any driver has 65,535 groups.
const (
	computeGroup = 64
	computeMost  = 65535 * computeGroup
)

type computeProgram struct {
	*gpu.Program
	extras, centers, span int32 // uniform locations
}

func newComputePose(method skinning.Method) (*computeProgram, error) {
	p, err := gpu.NewComputeProgram("pose compute "+method.String(), "storage.glsl", method.Shader(), "pose.comp.glsl")
	if err != nil {
		return nil, err
	}
	return &computeProgram{p, p.Uniform("extras"), p.Uniform("centers"), p.Uniform("span")}, nil
}

// runCompute poses a range of vertices by a compute stage.
func (p *Poser) runCompute(g *Model, b *Binding, method skinning.Method, into *gpu.Buffer[RestVertex], first,
	count int) (err error) {
	if count == 0 {
		return nil
	}
	if p.compute[method] == nil {
		if p.compute[method], err = newComputePose(method); err != nil {
			return err
		}
	}
	prog, instances := p.compute[method], int(p.block.Data.instances)
	gl.UseProgram(prog.ID)
	gl.Uniform1i(prog.extras, gpu.Bool(b.extra != nil))
	gl.Uniform1i(prog.centers, gpu.Bool(b.center != nil))
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, storageRest, g.Streams.rest.ID)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, storageBinding, b.binding.ID)
	// Where a stream is not there another stands for it, so that no binding is empty; it is not read.
	extra, center := b.binding.ID, b.binding.ID
	if b.extra != nil {
		extra = b.extra.ID
	}
	if b.center != nil {
		center = b.center.ID
	}
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, storageExtra, extra)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, storageCenter, center)
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, storagePosed, into.ID)
	for done := 0; done < count; done += computeMost {
		n := min(count-done, computeMost)
		gl.Uniform4i(prog.span, int32(first+done), int32(n), int32(first*instances+done), int32(count))
		gl.DispatchCompute(uint32((n+computeGroup-1)/computeGroup), uint32(instances), 1)
	}
	gl.MemoryBarrier(gl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT | gl.TEXTURE_FETCH_BARRIER_BIT |
		gl.TRANSFORM_FEEDBACK_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	for i := range uint32(storagePosed + 1) {
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, i, 0)
	}
	return nil
}

// Delete is nil-safe and may be called again.
func (p *computeProgram) Delete() {
	if p != nil {
		p.Program.Delete()
	}
}
