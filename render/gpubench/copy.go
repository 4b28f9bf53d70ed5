package gpubench

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render"
	"skinlab/render/gpu"
)

// mostCopied bounds the bytes of a copy, which takes as much of the GPU's memory. A copy that is so much larger than
// every cache is as fast as a larger one.
const mostCopied = 1 << 30

// copier measures how fast the GPU copies from buffer to buffer: the limit of a pass that poses vertices from memory to
// memory.
type copier struct {
	r        *render.Renderer
	owner    gpu.Owner
	from, to *gpu.Buffer[byte]
	program  *gpu.Program // nil where the driver copies
}

func newCopier(r *render.Renderer) *copier {
	c := &copier{r: r}
	c.from = gpu.NewBuffer[byte](&c.owner, "copied from", gl.COPY_READ_BUFFER, gl.STATIC_COPY, nil)
	c.to = gpu.NewBuffer[byte](&c.owner, "copied to", gl.COPY_WRITE_BUFFER, gl.STATIC_COPY, nil)
	return c
}

// rate returns the bytes per second of copying for about a round. Half of bytes is read, the other half written.
func (c *copier) rate(bytes int, round time.Duration) (float64, error) {
	half := (min(bytes, mostCopied)/2 + 15) / 16 * 16
	for _, b := range []*gpu.Buffer[byte]{c.from, c.to} {
		if err := b.Reserve(half); err != nil {
			return 0, err
		}
	}
	gl.BindBuffer(gl.COPY_READ_BUFFER, c.from.ID)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, c.to.ID)
	once := func(int) error {
		gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, half)
		return nil
	}
	// A GPU may give buffer copies to a unit of its own: an H200's moves 0.18 TB/s, a compute stage 3.5.
	if gpu.HasVersion(4, 3) && !c.r.Info().Software {
		if err := gpu.Compile(&c.owner, &c.program, "copy", gpu.Stages{Compute: "copy.comp.glsl"}); err != nil {
			return 0, err
		}
		once = func(int) error {
			c.program.Use()
			c.program.SetInt("count", int32(half/16))
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, c.from.ID)
			gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, c.to.ID)
			gl.DispatchCompute(uint32(min(half/16/256+1, 65535)), 1, 1)
			gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
			return nil
		}
	}
	seconds, err := c.r.Seconds(1, once)
	if err != nil {
		return 0, err
	}
	seconds, err = c.r.Seconds(max(1, int(round.Seconds()/max(seconds, 1e-9))), once)
	return float64(2*half) / seconds, err
}
