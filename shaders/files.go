//go:build !sixthmethod

package shaders

import "embed"

//go:embed *.glsl
var files embed.FS
