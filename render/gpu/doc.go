// Package gpu has the OpenGL objects that posing and drawing are made of: [Buffer] and [TextureBuffer], [Block] for
// uniform blocks, [Texture], [Program] from the files of package shaders, and transform [Feedback]; and a [Headless]
// context. An object is made from data and a label, which names it in errors; its owner calls Delete, which is nil-safe.
//
// Texture units and bindings of blocks are the same in all programs: linking fixes them by name. Every function belongs
// to the goroutine whose context is current.
package gpu
