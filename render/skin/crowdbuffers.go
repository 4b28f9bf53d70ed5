package skin

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// drawCommand is what glDrawElementsIndirect reads.
type drawCommand struct {
	indices, instances, firstIndex uint32
	baseVertex                     int32
	baseInstance                   uint32
}

// CrowdBuffers are what a crowd needs on the GPU.
type CrowdBuffers struct {
	palettes *gpu.TextureBuffer[[4]float32]
	inputs   *gpu.TextureBuffer[[4]float32] // of proxy bones; nil until some are solved for
	lists    *gpu.TextureBuffer[[4]uint32]
	posed    *gpu.Buffer[RestVertex] // instances × vertices
	read     *gpu.Texture            // of posed
	indirect uint32
	command  *drawCommand

	sent    *Crowd // whose palettes are there
	version uint64
}

func newCrowdBuffers() (c *CrowdBuffers, err error) {
	c = &CrowdBuffers{command: new(drawCommand)}
	if c.palettes, err = gpu.NewTextureBuffer[[4]float32]("crowd palettes", gl.RGBA32F, gl.STREAM_DRAW, nil); err != nil {
		return nil, err
	}
	if c.lists, err = gpu.NewTextureBuffer[[4]uint32]("crowd morphs", gl.RGBA32UI, gl.STREAM_DRAW, nil); err != nil {
		c.Delete()
		return nil, err
	}
	if c.posed, err = gpu.NewBuffer[RestVertex]("posed crowd", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, nil); err != nil {
		c.Delete()
		return nil, err
	}
	c.read = &gpu.Texture{Target: gl.TEXTURE_BUFFER}
	gl.GenTextures(1, &c.read.ID)
	c.read.Bind(gpu.UnitPosedCrowd)
	gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGB32F, c.posed.ID)
	gl.GenBuffers(1, &c.indirect)
	if err = gpu.Error("buffers of a crowd"); err != nil {
		c.Delete()
		return nil, err
	}
	return c, nil
}

// reserve makes room for posed vertices.
func (c *CrowdBuffers) reserve(vertices int) error {
	if c.posed.Len >= vertices {
		return nil
	}
	gpu.DrainErrors()
	gl.BindBuffer(c.posed.Target, c.posed.ID)
	gl.BufferData(c.posed.Target, vertices*int(VertexSize), nil, c.posed.Usage)
	if err := gpu.Error("%d posed vertices of a crowd", vertices); err != nil {
		c.posed.Len = 0
		return err
	}
	c.posed.Len = vertices
	return nil
}

// send uploads a crowd's palettes where that has not happened since they were computed, and reports whether it did.
func (c *CrowdBuffers) send(crowd *Crowd) (sent bool, err error) {
	if crowd.Solved && c.inputs == nil {
		if c.inputs, err = gpu.NewTextureBuffer[[4]float32]("crowd d and q", gl.RGBA32F, gl.STREAM_DRAW, nil); err != nil {
			return false, err
		}
	}
	if c.sent != crowd || c.version != crowd.version {
		if crowd.Solved {
			c.palettes.Buffer.SetPart(crowd.palettes, len(crowd.palettes)+crowd.instances*proxyTexels*len(crowd.layout.proxies))
			c.inputs.Buffer.Set(crowd.inputs)
		} else {
			c.palettes.Buffer.Set(crowd.palettes)
		}
		if crowd.morphed {
			c.lists.Buffer.Set(crowd.lists)
		}
		c.sent, c.version, sent = crowd, crowd.version, true
	}
	return sent, nil
}

// Draw draws a range of the index buffer for all instances with the program in use. The range goes by way of an
// indirect command: the plain call takes its offset as a pointer, which Go's stack must not hold.
func (c *CrowdBuffers) Draw(firstIndex, indices int, instances int32) {
	*c.command = drawCommand{indices: uint32(indices), instances: uint32(instances), firstIndex: uint32(firstIndex)}
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, c.indirect)
	gl.BufferData(gl.DRAW_INDIRECT_BUFFER, int(unsafe.Sizeof(*c.command)), unsafe.Pointer(c.command), gl.STREAM_DRAW)
	gl.DrawElementsIndirect(gl.TRIANGLES, gl.UNSIGNED_INT, nil)
	gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, 0)
}

// Delete is nil-safe and releases in reverse order.
func (c *CrowdBuffers) Delete() {
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
