package viewer

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

type FrameRate struct {
	Frames, Width, Height int     // of the framebuffer, pixels
	Seconds               float64 // of all frames, wall time to glFinish
	Renderer, Version     string  // of OpenGL
	Software              bool    // the CPU draws
}

// framesUnmeasured are drawn before a measurement: programs are compiled then, and fonts are made.
const framesUnmeasured = 10

// measureFrames draws frames of the playing clip as fast as they can be drawn, until the window is closed. Without the
// interface the pictures have the place and size that they have beside it.
func (a *app) measureFrames(count int) (FrameRate, error) {
	glfw.SwapInterval(0)
	info := a.gpu.Info()
	rate := FrameRate{Width: a.win.PixelsX, Height: a.win.PixelsY, Renderer: info.Renderer, Version: info.Version,
		Software: info.Software}
	var start time.Time
	for i := range framesUnmeasured + count {
		if i == framesUnmeasured {
			gl.Finish()
			start = time.Now()
			a.loop.bare = a.opt.NoInterface
		}
		if err := a.turn(); err != nil {
			return rate, err
		}
		glfw.PollEvents()
		a.collect()
		if a.ctx.Err() != nil || a.win.ShouldClose() {
			break
		}
		if i >= framesUnmeasured {
			rate.Frames++
		}
	}
	gl.Finish()
	if rate.Frames > 0 {
		rate.Seconds = time.Since(start).Seconds()
	}
	return rate, nil
}
