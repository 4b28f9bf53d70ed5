// Package ui is the look of skinlab's window: theme, fonts, the widgets of its panels and the timeline, drawn with Dear
// ImGui and, for curves, ImPlot. It is the only package that imports cimgui-go, and it knows nothing of models, methods
// or OpenGL resources: widgets take numbers and text and report what was clicked or dragged.
//
// # No allocation while it runs
//
// The wrappers of cimgui-go copy every string and allocate for every vector that they return, so only set-up goes
// through them ([New]). What runs every frame calls the same C library through the few functions of cimgui.h, which
// take text as pointer and length and return structs by value. The library's version and the layout of its structs are
// checked in New.
//
// # Coordinates
//
// Positions and sizes are logical pixels, as the window system reports the mouse; [Context.Px] gives the size in them
// of a length in design pixels (what a length is at 96 dpi). Y points down.
package ui
