package render

import "errors"

// ErrHeadless reports that no headless context could be made; the text says why.
var ErrHeadless = errors.New("render: no headless OpenGL context")
