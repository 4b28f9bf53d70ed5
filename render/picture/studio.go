package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// studio draws what surrounds the model: the backdrop behind it and the floor under it; and it presents the finished
// picture.
type studio struct {
	backdrop, floor, present *gpu.Program
	origin                   int32
}

func newStudio() (*studio, error) {
	s := &studio{}
	var err error
	if s.backdrop, err = gpu.NewProgram("backdrop", []string{"fullscreen.vert.glsl"},
		[]string{"background.frag.glsl"}); err == nil {
		s.floor, err = gpu.NewProgram("floor", []string{"floor.vert.glsl"}, []string{"floor.frag.glsl"})
	}
	if err == nil {
		s.present, err = gpu.NewProgram("present", []string{"fullscreen.vert.glsl"}, []string{"present.frag.glsl"})
	}
	if err != nil {
		s.Delete()
		return nil, err
	}
	s.origin = s.present.Uniform("origin")
	return s, nil
}

// Backdrop fills the picture.
func (s *studio) Backdrop() {
	gl.Disable(gl.DEPTH_TEST)
	gl.UseProgram(s.backdrop.ID)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	gl.Enable(gl.DEPTH_TEST)
}

// Floor lays the floor over the backdrop, behind what is in front of it. It writes no depth.
func (s *studio) Floor() {
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthMask(false)
	gl.UseProgram(s.floor.ID)
	gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}

// Present encodes the resolved picture into the viewport of the bound framebuffer, whose lower left corner is x, y.
func (s *studio) Present(picture *gpu.Texture, x, y int) {
	gl.UseProgram(s.present.ID)
	gl.Uniform2f(s.origin, float32(x), float32(y))
	picture.Bind(gpu.UnitPicture)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

// Delete is nil-safe and releases in reverse order.
func (s *studio) Delete() {
	if s != nil {
		s.present.Delete()
		s.floor.Delete()
		s.backdrop.Delete()
	}
}
