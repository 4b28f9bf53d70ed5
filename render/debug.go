package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// debugMessages are the kinds of message that a debug context is asked for: what a program does wrong. What a driver
// says about its own speed is not among them.
var debugMessages = [...]uint32{gl.DEBUG_TYPE_ERROR, gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR}

// WatchErrors lets tell know of every error of the current context, in the very call that makes it, and reports whether
// that is possible: it takes OpenGL 4.3 or KHR_debug.
func WatchErrors(tell func(string)) bool {
	if !hasVersion(4, 3) && !hasExtension("GL_KHR_debug") {
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
