//go:build sixthmethod

package shaders

import "embed"

//go:embed *.glsl sixth/*.glsl
var files embed.FS
