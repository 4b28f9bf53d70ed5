package gpu

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// errorNames names the codes of glGetError.
var errorNames = map[uint32]string{
	gl.INVALID_ENUM: "invalid enum", gl.INVALID_VALUE: "invalid value", gl.INVALID_OPERATION: "invalid operation",
	gl.INVALID_FRAMEBUFFER_OPERATION: "invalid framebuffer operation", gl.OUT_OF_MEMORY: "out of memory",
}

// DrainErrors forgets errors that others left behind, so that the next [Error] is about our own calls. Bounded,
// because a lost context reports errors for ever.
func DrainErrors() {
	for i := 0; i < 16 && gl.GetError() != gl.NO_ERROR; i++ {
	}
}

// Error returns the pending GL error, nil for none.
func Error(format string, args ...any) error {
	code := gl.GetError()
	if code == gl.NO_ERROR {
		return nil
	}
	name, ok := errorNames[code]
	if !ok {
		name = fmt.Sprintf("error 0x%x", code)
	}
	return fmt.Errorf("render: "+format+": %s", append(args, name)...)
}

// WatchErrors makes the current context call tell for every error, within the call that causes it. It reports whether
// the context supports that, which takes OpenGL 4.3 or KHR_debug.
func WatchErrors(tell func(string)) bool {
	if !HasVersion(4, 3) && !hasExtension("GL_KHR_debug") {
		return false
	}
	gl.Enable(gl.DEBUG_OUTPUT)
	gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DONT_CARE, 0, nil, false)
	// What a program does wrong; not what a driver says about its own speed.
	for _, kind := range [...]uint32{gl.DEBUG_TYPE_ERROR, gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR} {
		gl.DebugMessageControl(gl.DONT_CARE, kind, gl.DONT_CARE, 0, nil, true)
	}
	gl.DebugMessageCallback(func(_, _, _, _ uint32, _ int32, message string, _ unsafe.Pointer) { tell(message) }, nil)
	return true
}
