package viewer

import (
	"strings"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// debugMessages are the kinds of message that a debug context is asked for: what a program does wrong. What a driver says about
// its own speed is not among them.
var debugMessages = [...]uint32{gl.DEBUG_TYPE_ERROR, gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR}

// watchGL lets tell know of every error of the current context, in the very call that makes it, and reports whether that is possible:
// it takes OpenGL 4.3 or KHR_debug.
func watchGL(tell func(string)) bool {
	var major, minor int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	if major*10+minor < 43 && !hasExtension("GL_KHR_debug") {
		return false
	}
	gl.Enable(gl.DEBUG_OUTPUT)
	gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DONT_CARE, 0, nil, false)
	for _, kind := range debugMessages {
		gl.DebugMessageControl(gl.DONT_CARE, kind, gl.DONT_CARE, 0, nil, true)
	}
	gl.DebugMessageCallback(func(_, _, _, _ uint32, _ int32, message string, _ unsafe.Pointer) { tell(message) }, nil)
	return true
}

func hasExtension(name string) bool {
	var n int32
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &n)
	for i := range uint32(n) {
		if strings.EqualFold(gl.GoStr(gl.GetStringi(gl.EXTENSIONS, i)), name) {
			return true
		}
	}
	return false
}
