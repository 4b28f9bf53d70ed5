// Package render draws skinned models with OpenGL 4.1 core: GL objects, the GPU skinning pass, the studio picture, the camera
// and a headless context. It knows no window and no file format.
//
// # A frame
//
//  1. Upload the palette (skinning.Frame) in one buffer and the scene's uniform block in another. Both are orphaned, so the
//     driver never waits for the last frame. The static streams never move, and nothing is read back.
//  2. Pose: one vertex shader per method, transform feedback, no rasterisation. Every vertex is posed once, however many
//     passes and triangles use it. Rigid meshes go through the same pass with one matrix each.
//  3. Shadow map from the key light, and a contact map: the model's height seen from under the floor, blurred.
//  4. Picture: backdrop, opaque meshes, floor, transparent meshes, wireframe; linear half floats, 4 samples a pixel.
//  5. Resolve, then encode once to sRGB into the target framebuffer.
//
// # Rules
//
// One goroutine, locked to its thread, owns the context and calls everything here except the camera. [Renderer.Draw] allocates
// nothing once warm: what C reads lies in pointer-free blocks that the renderer owns.
package render
