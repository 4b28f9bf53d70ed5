package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// drawCommand is what glDrawElementsIndirect reads.
type drawCommand struct {
	indices, instances, firstIndex uint32
	baseVertex                     int32
	baseInstance                   uint32
}

// crowdBuffers are what a crowd needs on the GPU.
type crowdBuffers struct {
	palettes *textureBuffer[[4]float32]
	inputs   *textureBuffer[[4]float32] // of proxy bones; nil until some are solved for
	lists    *textureBuffer[[4]uint32]
	posed    *buffer[restVertex] // instances × vertices
	read     *texture            // of posed
	indirect uint32
	command  *drawCommand

	sent    *Crowd // whose palettes are there
	version uint64
}

func newCrowdBuffers() (c *crowdBuffers, err error) {
	c = &crowdBuffers{command: new(drawCommand)}
	if c.palettes, err = newTextureBuffer[[4]float32]("crowd palettes", gl.RGBA32F, gl.STREAM_DRAW, nil); err != nil {
		return nil, err
	}
	if c.lists, err = newTextureBuffer[[4]uint32]("crowd morphs", gl.RGBA32UI, gl.STREAM_DRAW, nil); err != nil {
		c.Delete()
		return nil, err
	}
	if c.posed, err = newBuffer[restVertex]("posed crowd", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, nil); err != nil {
		c.Delete()
		return nil, err
	}
	c.read = &texture{target: gl.TEXTURE_BUFFER}
	gl.GenTextures(1, &c.read.id)
	c.read.Bind(unitPosedCrowd)
	gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGB32F, c.posed.id)
	gl.GenBuffers(1, &c.indirect)
	if err = glError("buffers of a crowd"); err != nil {
		c.Delete()
		return nil, err
	}
	return c, nil
}

// reserve makes room for posed vertices.
func (c *crowdBuffers) reserve(vertices int) error {
	if c.posed.len >= vertices {
		return nil
	}
	drainErrors()
	gl.BindBuffer(c.posed.target, c.posed.id)
	gl.BufferData(c.posed.target, vertices*int(vertexSize), nil, c.posed.usage)
	if err := glError("%d posed vertices of a crowd", vertices); err != nil {
		c.posed.len = 0
		return err
	}
	c.posed.len = vertices
	return nil
}

// send uploads a crowd's palettes where that has not happened since they were computed, and reports whether it did.
func (c *crowdBuffers) send(crowd *Crowd) (sent bool, err error) {
	if crowd.solved && c.inputs == nil {
		if c.inputs, err = newTextureBuffer[[4]float32]("crowd d and q", gl.RGBA32F, gl.STREAM_DRAW, nil); err != nil {
			return false, err
		}
	}
	if c.sent != crowd || c.version != crowd.version {
		if crowd.solved {
			c.palettes.buffer.SetPart(crowd.palettes, len(crowd.palettes)+crowd.instances*proxyTexels*len(crowd.layout.proxies))
			c.inputs.buffer.Set(crowd.inputs)
		} else {
			c.palettes.buffer.Set(crowd.palettes)
		}
		if crowd.morphed {
			c.lists.buffer.Set(crowd.lists)
		}
		c.sent, c.version, sent = crowd, crowd.version, true
	}
	return sent, nil
}

// draw draws a range of the index buffer for all instances with the program in use. The range goes by way of an
// indirect command: the plain call takes its offset as a pointer, which Go's stack must not hold.
func (c *crowdBuffers) draw(firstIndex, indices int, instances int32) {
	*c.command = drawCommand{indices: uint32(indices), instances: uint32(instances), firstIndex: uint32(firstIndex)}
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, c.indirect)
	gl.BufferData(gl.DRAW_INDIRECT_BUFFER, int(unsafe.Sizeof(*c.command)), unsafe.Pointer(c.command), gl.STREAM_DRAW)
	gl.DrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_INT, nil)
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, 0)
}

// Delete is nil-safe and releases in reverse order.
func (c *crowdBuffers) Delete() {
	if c == nil {
		return
	}
	if c.indirect != 0 {
		gl.DeleteBuffers(1, &c.indirect)
		c.indirect = 0
	}
	c.read.Delete()
	c.posed.Delete()
	c.lists.Delete()
	c.inputs.Delete()
	c.palettes.Delete()
}
