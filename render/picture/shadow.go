package picture

import (
	"math"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/skin"
)

// shadowSize is the width of the shadow map in texels. It is the same on every driver so that pictures can be compared.
const shadowSize = 1024

// shadowMap is the depth of the model seen from the key light. Shaders read it both as plain depths and as depth
// comparisons.
type shadowMap struct {
	programs *variants
	depth    gpu.Target
	compare  uint32 // sampler that returns depth comparisons
	plain    uint32 // sampler that returns plain depths
	matrix   *mgl32.Mat4
}

func newShadowMap(o *gpu.Owner) *shadowMap {
	s := &shadowMap{programs: newVariants(o, "shadow map", "depth.vert.glsl", "depth.frag.glsl"), matrix: new(mgl32.Mat4),
		depth: gpu.NewTarget(o, "shadow map", gl.DEPTH_COMPONENT32F, shadowSize, shadowSize, gl.NEAREST),
		plain: newClampedSampler(o, gl.NEAREST), compare: newClampedSampler(o, gl.LINEAR)}
	gl.SamplerParameteri(s.compare, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
	gl.SamplerParameteri(s.compare, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL)
	return s
}

func newClampedSampler(o *gpu.Owner, filter int32) uint32 {
	id := o.Name(gl.GenSamplers, gl.DeleteSamplers)
	gl.SamplerParameteri(id, gl.TEXTURE_MIN_FILTER, filter)
	gl.SamplerParameteri(id, gl.TEXTURE_MAG_FILTER, filter)
	gl.SamplerParameteri(id, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.SamplerParameteri(id, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	return id
}

// Draw renders the posed model from the light. Both sides of every triangle cast shadows, because skins often have
// openings.
func (s *shadowMap) Draw(d *Drawn, light mgl32.Mat4) {
	*s.matrix = light
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.depth.Framebuffer)
	gl.Viewport(0, 0, shadowSize, shadowSize)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthMask(true)
	gl.Disable(gl.CULL_FACE)
	gl.Clear(gl.DEPTH_BUFFER_BIT)
	if d.shadowless {
		return
	}
	d.cast(s.programs, func(p *gpu.Program) { p.SetMatrix("lightMatrix", s.matrix) })
	gl.BindVertexArray(0)
}

// bind binds the map to two texture units, one per sampler. It stays there as long as a program may be current that
// compares depths: NVIDIA's driver checks the units at any command, not only where it draws.
func (s *shadowMap) bind() {
	s.depth.Texture.Bind(gpu.UnitShadowDepth)
	gl.BindSampler(gpu.UnitShadowDepth, s.plain)
	s.depth.Texture.Bind(gpu.UnitShadowCompare)
	gl.BindSampler(gpu.UnitShadowCompare, s.compare)
}

// shadowCamera returns an orthographic view along the key light. It holds the model and the floor under its shadow. Its
// size changes in steps of 15 % and its position in whole texels, so that shadow edges do not flicker as the model
// moves. It also returns the world sizes of a texel, of the depth range and of the map's width.
func shadowCamera(posed skin.Box, g *skin.Model, key mgl32.Vec3) (m mgl32.Mat4, texel, depth, width float32) {
	right := mgl32.Vec3{0, 1, 0}.Cross(key).Normalize()
	up := key.Cross(right)
	// The area also holds the shadows that the corners of the box cast on the floor.
	area := posed
	for i := range 8 {
		p := posed.Corner(i)
		if h := p[1] - g.Floor; h > 0 {
			area.Add(p.Sub(key.Mul(h / key[1])))
		}
	}
	lo, hi := skin.EmptyBox().Lo, skin.EmptyBox().Hi
	for i := range 8 {
		p := area.Corner(i)
		for k, axis := range []mgl32.Vec3{right, up, key} {
			d := p.Dot(axis)
			lo[k], hi[k] = min(lo[k], d), max(hi[k], d)
		}
	}
	step := func(x float32) float32 { // rounds up to a power of 1.15
		return float32(math.Pow(1.15, math.Ceil(math.Log(float64(max(x, skin.LeastSize)))/math.Log(1.15))))
	}
	width = step(1.08 * max(hi[0]-lo[0], hi[1]-lo[1], 0.05*g.Diagonal))
	depth = step(1.08 * max(hi[2]-lo[2], 0.05*g.Diagonal))
	texel = width / shadowSize
	snap := func(x float32) float32 { return float32(math.Round(float64(x/texel))) * texel }
	cx, cy, cz := snap((lo[0]+hi[0])/2), snap((lo[1]+hi[1])/2), (lo[2]+hi[2])/2
	sx, sz := 2/width, 2/depth
	return mgl32.Mat4{
		right[0] * sx, up[0] * sx, -key[0] * sz, 0,
		right[1] * sx, up[1] * sx, -key[1] * sz, 0,
		right[2] * sx, up[2] * sx, -key[2] * sz, 0,
		-cx * sx, -cy * sx, cz * sz, 1,
	}, texel, depth, width
}
