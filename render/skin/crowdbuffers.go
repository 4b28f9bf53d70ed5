package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// drawCommand is the command that glDrawElementsIndirect reads.
type drawCommand struct {
	indices, instances, firstIndex uint32
	baseVertex                     int32
	baseInstance                   uint32
}

// CrowdBuffers are the GPU buffers of a crowd.
type CrowdBuffers struct {
	uploadBuffers
	lists      *gpu.TextureBuffer[[4]uint32]
	posed      *gpu.Buffer[Vertex]        // instances × vertices
	read       *gpu.TextureBuffer[Vertex] // reads posed
	shaded     *gpu.Buffer[Vertex]        // posed, with normals of the posed surface; empty until they are needed
	readShaded *gpu.TextureBuffer[Vertex]
	indirect   uint32
	command    *drawCommand

	sent    *Crowd // the crowd whose palettes were sent last
	version uint64
}

func newCrowdBuffers(o *gpu.Owner) (*CrowdBuffers, error) {
	var own gpu.Owner
	c := &CrowdBuffers{command: new(drawCommand), uploadBuffers: newUploadBuffers(&own)}
	c.lists = gpu.NewTextureBuffer[[4]uint32](&own, "crowd morphs", gl.RGBA32UI, gl.STREAM_DRAW, nil)
	c.posed = gpu.NewBuffer[Vertex](&own, "posed crowd", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, nil)
	c.read = gpu.TextureBufferOf(&own, gl.RGB32F, c.posed)
	c.shaded = gpu.NewBuffer[Vertex](&own, "crowd with surface normals", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, nil)
	c.readShaded = gpu.TextureBufferOf(&own, gl.RGB32F, c.shaded)
	c.indirect = own.Name(gl.GenBuffers, gl.DeleteBuffers)
	o.Own(own.Delete)
	return gpu.Made(c, &own)
}

// send uploads a crowd's palettes if they have changed since they were last sent. It reports whether they had.
func (c *CrowdBuffers) send(crowd *Crowd) bool {
	if c.sent == crowd && c.version == crowd.version {
		return false
	}
	c.set(&crowd.upload)
	if crowd.morphed {
		c.lists.Set(crowd.lists)
	}
	c.sent, c.version = crowd, crowd.version
	return true
}

// Draw draws a range of the index buffer for all instances with the current program. An indirect command holds the
// range: the plain call takes its offset as a pointer, and Go's stack must not hold such a value.
func (c *CrowdBuffers) Draw(firstIndex, indices int, instances int32) {
	*c.command = drawCommand{indices: uint32(indices), instances: uint32(instances), firstIndex: uint32(firstIndex)}
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, c.indirect)
	gl.BufferData(gl.DRAW_INDIRECT_BUFFER, int(unsafe.Sizeof(*c.command)), unsafe.Pointer(c.command), gl.STREAM_DRAW)
	gl.DrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_INT, nil)
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, 0)
}
