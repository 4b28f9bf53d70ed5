package ui

// #cgo noescape skManipulate
// #include "cimguizmo.h"
import "C"

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Gizmo is a handle in the picture that turns or moves something. Lengths are in units of the camera's distance from
// its target, because the library has absolute tolerances, which would fit no other size of model.
type Gizmo struct {
	View, Projection mgl32.Mat4
	Ortho            bool       // the projection has no perspective
	Axes             mgl64.Mat3 // unit columns; the second is perpendicular to the others, as it is in gimbals
	At               mgl64.Vec3 // its position
	Move             bool       // it moves the thing instead of turning it; then all axes are perpendicular
	Snap             float64    // step in degrees if it turns, a length if it moves; 0 for no steps
	Radius           float32    // of the rings, logical pixels
	Tip              string
}

// GizmoMotion is what the mouse does to a gizmo in a frame.
type GizmoMotion struct {
	Over, Held bool       // the mouse is over a handle; the mouse holds one
	Ring       int        // axis of the held ring; 0 for the circle that faces the eye too
	Changed    bool       // Turn or Shift is not zero
	Turn       mgl64.Mat3 // rotation about the gizmo's position, world axes
	Shift      mgl64.Vec3 // world axes
}

// gizmoState passes a gizmo between Go and the library. It is kept so that no frame allocates it.
type gizmoState struct{ c C.skGuizmo }

// gizmoWidths are the default line widths of the library, by which checkGizmo recognises its version.
var gizmoWidths = [...]float32{3, 6, 2, 3, 3, 6, 6, 6}

// checkGizmo refuses a library whose style has other defaults than cimguizmo.h was written for, and sets colours.
func (c *Context) checkGizmo() error {
	C.ImGuizmo_Enable(false) // releases a handle that another window held
	C.ImGuizmo_Enable(true)
	s := C.ImGuizmo_GetStyle()
	got := [...]float32{float32(s.translation_line), float32(s.translation_arrow), float32(s.rotation_line),
		float32(s.rotation_outer_line),
		float32(s.scale_line), float32(s.scale_circle), float32(s.hatched_line), float32(s.center)}
	if got != gizmoWidths {
		return fmt.Errorf("ui: ImGuizmo's style is %v, expected %v", got, gizmoWidths)
	}
	for k, ink := range AxisColors {
		s.colors[k] = gizmoColor(ink)
		s.colors[3+k] = gizmoColor(ink.Alpha(0.38))
	}
	s.colors[6] = gizmoColor(ColorWhite)               // under the mouse
	s.colors[10] = gizmoColor(ColorPicked)             // edge of the sector that has been turned
	s.colors[11] = gizmoColor(ColorPicked.Alpha(0.35)) // inside of that sector
	s.colors[12] = gizmoColor(ColorBlack.Alpha(0))     // hatched negative axes
	for k := 13; k <= 14; k++ {                        // its own text, whose units mean nothing here, and the text's shadow
		s.colors[k] = gizmoColor(ColorWhite.Alpha(0))
	}
	C.ImGuizmo_AllowAxisFlip(false)
	return nil
}

// scaleGizmo sets the line widths for the interface's scale; 0 restores the library's own.
func scaleGizmo(scale float32) {
	s := C.ImGuizmo_GetStyle()
	w := gizmoWidths
	if scale > 0 {
		for k := range w {
			w[k] *= scale
		}
		w[2], w[3] = 1.5*w[2], w[3]*0.67 // the axes wider, the ring that faces the eye narrower
	}
	s.translation_line, s.translation_arrow, s.rotation_line = C.float(w[0]), C.float(w[1]), C.float(w[2])
	s.rotation_outer_line, s.center = C.float(w[3]), C.float(w[7])
}

// AxisColors are the usual colours of x, y and z, light enough for a dark picture.
var AxisColors = [3]Color{rgb(0xf0615a), rgb(0x7cc452), rgb(0x4f93f2)}

func gizmoColor(k Color) C.ImVec4 {
	v := vec4(k)
	return C.ImVec4{x: C.float(v.X), y: C.float(v.Y), z: C.float(v.Z), w: C.float(v.W)}
}

// Gizmo draws a gizmo over the camera's picture in r, in the current panel, and returns what the mouse does to it. The
// caller feeds it presses of the left button; held is true while the button is down.
func (c *Context) Gizmo(r Rect, g *Gizmo, held bool) (out GizmoMotion) {
	q := &c.gizmo.c
	clip := g.Projection.Mul4(g.View).Mul4x1(mgl32.Vec4{float32(g.At[0]), float32(g.At[1]), float32(g.At[2]), 1})
	// If the gizmo is behind the camera, the library returns without removing its clip rectangle.
	if r.W <= 0 || r.H <= 0 || !g.Ortho && !(clip[2] > 0.002) {
		return out
	}
	for i := range 16 {
		q.view[i], q.projection[i] = C.float(g.View[i]), C.float(g.Projection[i])
		q.delta[i] = 0
	}
	x, y, z := g.Axes.Col(0), g.Axes.Col(1), g.Axes.Col(2)
	for k, axes := range [...][4]mgl64.Vec3{{x, y, x.Cross(y), g.At}, {y.Cross(z), y, z, g.At}, {y.Cross(z), y, z, g.At}} {
		for col, v := range axes {
			for row := range 3 {
				q.matrix[k][4*col+row] = C.float(v[row])
			}
			q.matrix[k][4*col+3] = 0
		}
		q.matrix[k][15] = 1
		q.snap[k] = C.float(g.Snap)
	}
	q.snaps, q.ortho = C.bool(g.Snap > 0), C.bool(g.Ortho)
	q.x, q.y, q.w, q.h = C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H)
	// The library's size is a share of half the longer side, and its rings are 1.2 times as large.
	q.size = C.float(g.Radius / (1.2 * max(r.W, r.H) / 2))
	q.moves = C.bool(g.Move)
	C.skManipulate(q, c.dl, c.fonts[Small.font], C.float(c.size(Small)), C.bool(held))
	if bool(q.over) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorHand))
		c.explain(r, g.Tip)
	}
	out = GizmoMotion{Over: bool(q.over), Held: bool(q.used), Ring: int(q.ring), Changed: bool(q.changed)}
	for col := range 3 {
		for row := range 3 {
			out.Turn[3*col+row] = float64(q.delta[4*col+row])
		}
		out.Shift[col] = float64(q.delta[12+col])
	}
	return out
}
