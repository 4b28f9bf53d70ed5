package gpu

import (
	"strings"

	"github.com/go-gl/gl/all-core/gl"
)

// Info says what draws.
type Info struct {
	Vendor, Renderer, Version string
	// Software is true where the CPU rasterises (llvmpipe and the like): times are then never GPU times.
	Software bool
}

// ReadInfo asks the current context.
func ReadInfo() Info {
	i := Info{Vendor: gl.GoStr(gl.GetString(gl.VENDOR)), Renderer: gl.GoStr(gl.GetString(gl.RENDERER)),
		Version: gl.GoStr(gl.GetString(gl.VERSION))}
	for _, name := range []string{"llvmpipe", "softpipe", "swrast", "software", "swiftshader"} {
		i.Software = i.Software || strings.Contains(strings.ToLower(i.Renderer), name)
	}
	return i
}

// HasVersion reports whether the current context's version is at least major.minor.
func HasVersion(major, minor int32) bool {
	var haveMajor, haveMinor int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &haveMajor)
	gl.GetIntegerv(gl.MINOR_VERSION, &haveMinor)
	return haveMajor > major || haveMajor == major && haveMinor >= minor
}

func hasExtension(name string) bool {
	var n int32
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &n)
	for i := range uint32(n) {
		if gl.GoStr(gl.GetStringi(gl.EXTENSIONS, i)) == name {
			return true
		}
	}
	return false
}

// SetEnabled switches a capability of OpenGL on or off.
func SetEnabled(capability uint32, on bool) {
	if on {
		gl.Enable(capability)
	} else {
		gl.Disable(capability)
	}
}

// ResetState sets the state that passes rely on, which other code, such as an interface library, may have changed.
func ResetState() {
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.Disable(gl.FRAMEBUFFER_SRGB) // present.frag.glsl encodes
	gl.Enable(gl.MULTISAMPLE)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.DepthFunc(gl.LESS)
	gl.ClearDepth(1)
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BlendEquation(gl.FUNC_ADD)
	for unit := range unitCount {
		gl.BindSampler(unit, 0)
	}
}
