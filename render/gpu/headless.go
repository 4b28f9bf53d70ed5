package gpu

/*
#cgo linux LDFLAGS: -ldl
#include <stdlib.h>
#include "egl.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// ErrHeadless reports that no headless context could be made; the error's text has the reason.
var ErrHeadless = errors.New("render: no headless OpenGL context")

// Headless is an OpenGL context without a window, a display or an X server: EGL on the surfaceless platform (Mesa),
// else on the first EGL device that gives a context (NVIDIA). libEGL is loaded when it is needed, so that programs
// start without it.
type Headless struct {
	context C.skinlab_egl
	open    bool
}

// NewHeadless makes a context of version 4.1 core or later and makes it current on the calling goroutine, which stays
// locked to its thread until Close. Errors wrap [ErrHeadless].
func NewHeadless() (*Headless, error) { return newHeadless(false) }

// NewHeadlessDebug is NewHeadless with a context that passes every OpenGL error to tell, within the call that causes
// it. Such a context may be slower. It is for tests.
func NewHeadlessDebug(tell func(string)) (*Headless, error) {
	h, err := newHeadless(true)
	if err == nil && !WatchErrors(tell) {
		h.Close()
		return nil, fmt.Errorf("%w: OpenGL 4.1 without KHR_debug reports no errors", ErrHeadless)
	}
	return h, err
}

func newHeadless(debug bool) (*Headless, error) {
	runtime.LockOSThread()
	h := &Headless{}
	var reason [512]C.char
	if C.skinlab_egl_open(&h.context, C.int(Bool(debug)), &reason[0], C.int(len(reason))) == 0 {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("%w: %s", ErrHeadless, C.GoString(&reason[0]))
	}
	h.open = true
	err := gl.InitWithProcAddrFunc(func(name string) unsafe.Pointer {
		s := C.CString(name)
		defer C.free(unsafe.Pointer(s))
		return C.skinlab_egl_address(&h.context, s)
	})
	if err != nil {
		h.Close()
		return nil, errors.Join(ErrHeadless, err)
	}
	return h, nil
}

// Close destroys the context and frees the goroutine's thread. It may be called twice, and on nil.
func (h *Headless) Close() {
	if h == nil || !h.open {
		return
	}
	h.open = false
	C.skinlab_egl_close(&h.context)
	runtime.UnlockOSThread()
}
