package picture

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
)

// studio draws the backdrop behind the model and the floor under it, and presents the finished picture.
type studio struct{ backdrop, floor, present *gpu.Program }

func newStudio(o *gpu.Owner) (s studio) {
	compile := func(into **gpu.Program, label, vertex, fragment string) {
		o.Fail(gpu.Compile(o, into, label, gpu.Stages{Vertex: vertex, Fragment: fragment}))
	}
	compile(&s.backdrop, "backdrop", "fullscreen.vert.glsl", "background.frag.glsl")
	compile(&s.floor, "floor", "floor.vert.glsl", "floor.frag.glsl")
	compile(&s.present, "present", "fullscreen.vert.glsl", "present.frag.glsl")
	return s
}

// Background is the colour of the back wall.
type Background uint8

// The backgrounds.
const (
	Dark Background = iota
	Grey
	Light
	Backgrounds // their number
)

// looks are the linear colours of the back wall, far from the model and behind it, and the uniforms of floor.frag.glsl.
var looks = [Backgrounds]struct {
	wall, pool  [3]float32
	paint, line float32
}{
	Dark:  {[3]float32{0.0105, 0.0112, 0.0125}, [3]float32{0.044, 0.0465, 0.051}, 1, 1},
	Grey:  {[3]float32{0.12, 0.125, 0.13}, [3]float32{0.23, 0.235, 0.24}, 2, 0.7},
	Light: {[3]float32{0.62, 0.63, 0.64}, [3]float32{0.85, 0.855, 0.86}, 6, -0.3},
}

// Backdrop fills the picture with a part of the back wall: its corner and its size are shares of the whole.
func (s *studio) Backdrop(b Background, x, y, width, height float32) {
	gl.Disable(gl.DEPTH_TEST)
	s.backdrop.Use()
	s.backdrop.Set("part", x, y, width, height)
	s.backdrop.Set("wall", looks[b].wall[:]...)
	s.backdrop.Set("pool", looks[b].pool[:]...)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	gl.Enable(gl.DEPTH_TEST)
}

// Floor blends the floor over the backdrop. Surfaces in front hide it. It writes no depth.
func (s *studio) Floor(b Background) {
	blend()
	gl.DepthMask(false)
	s.floor.Use()
	s.floor.Set("paint", looks[b].paint)
	s.floor.Set("line", looks[b].line)
	gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
	gl.DepthMask(true)
	gl.Disable(gl.BLEND)
}

// Present encodes the mean of the resolved pictures as sRGB into the viewport of the bound framebuffer. The viewport's
// lower left corner is x, y. In a transparent picture alpha is the covered share of each pixel; in any other it is 1.
func (s *studio) Present(t *pictureTarget, x, y int, transparent bool) {
	s.present.Use()
	s.present.SetBool("transparent", transparent)
	s.present.Set("origin", float32(x), float32(y))
	s.present.Set("size", float32(t.used[0]), float32(t.used[1]))
	s.present.SetInt("side", int32(t.side))
	t.resolved.Texture.Bind(gpu.UnitPicture)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

// blend sets blending by alpha. The picture's own alpha is the covered share of a pixel, so its colours are multiplied
// by it.
func blend() {
	gl.Enable(gl.BLEND)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
}
