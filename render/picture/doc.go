// Package picture draws what package skin has posed. A [Scene] says what: a frame of a [Model], a [Camera], what the
// [Surface] shows, and what is laid over it. A [Painter] draws it in passes: shadow map, contact map, backdrop, the
// model, the floor, overlays, all as linear half floats, and then the sRGB picture in the viewport of a framebuffer.
//
// # Where vertices come from
//
// One file of GLSL per method defines skinVertex, which reads the palette and the influences of the current vertex.
// skin.glsl adds morph targets before it and a crowd's place behind it. A stage gets the streams from attributes.glsl
// or storage.glsl and calls that, and a pass that draws calls readVertex, which frombuffer.glsl, fromcrowd.glsl and
// frommethod.glsl define: a pass does not know where its vertices are posed. Programs of a method compile when they are
// first needed.
package picture
