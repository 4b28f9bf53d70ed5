// Package render draws skinned models with OpenGL 4.1 core or later. A [Renderer] is given models and then scenes: a
// frame of a model, a method and a camera go in, a picture in a framebuffer comes out. It knows no window and no file
// format.
//
//	gpu            OpenGL objects, and a context without a window
//	passes         what a frame consists of, and the timer of its passes
//	skin           a model on the GPU, and posing it: x' = Σ w·M·x and the other methods, for one model or a crowd
//	picture        drawing what was posed: camera, materials, light, shadows, surfaces of numbers, overlays
//	render         the renderer, which has models, a poser of package skin and a painter of package picture
//	contactsheet   comparisons: pictures of several methods in one sheet
//	gpubench       what posing and pictures cost
//
// Imports point up this list. ui and viewer, the window, are other packages and import these.
//
// # A frame
//
//  1. Upload the palette (skinning.Frame) in one buffer and the scene's uniform block in another. Both are orphaned, so
//     the driver never waits for the last frame. The static streams never move, and nothing is read back.
//  2. Solve for proxy bones where the model has an envelope rig (RTER section 6, first pass): t = c₁·d + c₂·q, written
//     into the palette. A crowd's are one product of matrices.
//  3. Pose into a buffer: a compute stage from OpenGL 4.3, else transform feedback without rasterisation. Every vertex
//     is posed once, however many passes and triangles use it. Rigid meshes go through the same pass with one matrix
//     each. With skin.InShader there is no such pass: the vertex stages of the passes below pose for themselves.
//     Enveloped skins, and scenes that want it, then sum the normals of the posed surface.
//  4. Shadow map from the key light, and a contact map: the model's height seen from under the floor, blurred.
//  5. Picture: backdrop, opaque meshes, floor, transparent meshes, wireframe; linear half floats, 4 samples a pixel.
//  6. Resolve, then encode once to sRGB into the target framebuffer.
//
// # Rules
//
// One goroutine, locked to its thread, owns the context and calls everything here except the camera. [Renderer.Draw]
// allocates nothing once warm: what C reads lies in pointer-free blocks that the renderer owns.
package render
