// Package render draws skinned models with OpenGL 4.1 core or later: GL objects, the ways to skin on the GPU, the
// studio picture, the camera, timers of passes and a headless context. It knows no window and no file format.
//
// # A frame
//
//  1. Upload the palette (skinning.Frame) in one buffer and the scene's uniform block in another. Both are orphaned, so
//     the driver never waits for the last frame. The static streams never move, and nothing is read back.
//  2. Solve for proxy bones where the model has an envelope rig (RTER section 6, first pass): t = c₁·d + c₂·q, written
//     into the palette. A crowd's are one product of matrices.
//  3. Pose into a buffer: a compute stage from OpenGL 4.3, else transform feedback without rasterisation. Every vertex
//     is posed once, however many passes and triangles use it. Rigid meshes go through the same pass with one matrix
//     each. With [InShader] there is no such pass: the vertex stages of the passes below pose for themselves. Enveloped
//     skins, and scenes that want it, then sum the normals of the posed surface.
//  4. Shadow map from the key light, and a contact map: the model's height seen from under the floor, blurred.
//  5. Picture: backdrop, opaque meshes, floor, transparent meshes, wireframe; linear half floats, 4 samples a pixel.
//  6. Resolve, then encode once to sRGB into the target framebuffer.
//
// # Where vertices come from
//
// One file of GLSL per method defines skinVertex, which reads the palette and the influences of the current vertex.
// skin.glsl adds morph targets before it and a crowd's place behind it. A stage gets the streams from attributes.glsl
// or storage.glsl and calls that, and a pass that draws calls readVertex, which frombuffer.glsl, fromcrowd.glsl and
// frommethod.glsl define: a pass does not know where its vertices are posed. Programs of a method compile when they are
// first needed ([variants] and [poser]).
//
// A [Crowd] is the same with one palette per instance in one buffer, and gl_InstanceID to step through it.
//
// # Rules
//
// One goroutine, locked to its thread, owns the context and calls everything here except the camera. [Renderer.Draw]
// allocates nothing once warm: what C reads lies in pointer-free blocks that the renderer owns.
package render
