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
}

func newCopier(r *render.Renderer) *copier {
	c := &copier{r: r}
	c.from = gpu.NewBuffer[byte](&c.owner, "copied from", gl.COPY_READ_BUFFER, gl.STATIC_COPY, nil)
	c.to = gpu.NewBuffer[byte](&c.owner, "copied to", gl.COPY_WRITE_BUFFER, gl.STATIC_COPY, nil)
	return c
}

// rate returns the bytes per second of copying for about a round. Half of bytes is read, the other half written.
func (c *copier) rate(bytes int, round time.Duration) (float64, error) {
	half := min(bytes, mostCopied) / 2
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
	seconds, err := c.r.Seconds(1, once)
	if err != nil {
		return 0, err
	}
	seconds, err = c.r.Seconds(max(1, int(round.Seconds()/max(seconds, 1e-9))), once)
	return float64(2*half) / seconds, err
}
