package gpu

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// errorName names a glGetError code.
func errorName(code uint32) string {
	switch code {
	case gl.INVALID_ENUM:
		return "invalid enum"
	case gl.INVALID_VALUE:
		return "invalid value"
	case gl.INVALID_OPERATION:
		return "invalid operation"
	case gl.INVALID_FRAMEBUFFER_OPERATION:
		return "invalid framebuffer operation"
	case gl.OUT_OF_MEMORY:
		return "out of memory"
	}
	return fmt.Sprintf("error 0x%x", code)
}

// DrainErrors forgets errors that others left behind, so that the next [Error] is about our own calls. Bounded,
// because a lost context reports errors for ever.
func DrainErrors() {
	for i := 0; i < 16 && gl.GetError() != gl.NO_ERROR; i++ {
	}
}

// Error returns the pending GL error, nil for none.
func Error(format string, args ...any) error {
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("render: "+format+": %s", append(args, errorName(code))...)
	}
	return nil
}

// debugMessages are the kinds of message that a debug context is asked for: what a program does wrong. What a driver
// says about its own speed is not among them.
var debugMessages = [...]uint32{gl.DEBUG_TYPE_ERROR, gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR}

// WatchErrors lets tell know of every error of the current context, in the very call that makes it, and reports whether
// that is possible: it takes OpenGL 4.3 or KHR_debug.
func WatchErrors(tell func(string)) bool {
	if !HasVersion(4, 3) && !hasExtension("GL_KHR_debug") {
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
