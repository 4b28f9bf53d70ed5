package render

import (
	"fmt"

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

// drainErrors forgets errors that others left behind, so that the next [glError] is about our own calls. Bounded,
// because a lost context reports errors for ever.
func drainErrors() {
	for i := 0; i < 16 && gl.GetError() != gl.NO_ERROR; i++ {
	}
}

// glError returns the pending GL error, nil for none.
func glError(format string, args ...any) error {
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("render: "+format+": %s", append(args, errorName(code))...)
	}
	return nil
}
