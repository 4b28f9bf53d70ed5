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
// its target, which keeps the library's absolute tolerances right for a model of any size.
type Gizmo struct {
	View, Projection mgl32.Mat4
	Turn             mgl64.Mat3 // the axes of what is turned, unit columns; read where World is false
	At               mgl64.Vec3 // where it is
	World            bool       // along the world's axes, not its own
	Move             bool       // moved, not turned
	Snap             float64    // degrees, or lengths where it is moved; 0 for none
	Radius           float32    // of the rings, logical pixels
}

// GizmoMotion is what the mouse makes of a gizmo in a frame.
type GizmoMotion struct {
	Over, Held bool       // the mouse is over a handle, and holds one
	Changed    bool       // the fields below are not nothing
	Turn       mgl64.Mat3 // about the gizmo's place, in the world
	Shift      mgl64.Vec3 // in the world
}

// gizmoState is what passes between Go and the library, kept so that no frame allocates it.
type gizmoState struct{ c C.skGuizmo }

// gizmoWidths are the widths of lines in the library's default style, by which it is told: it has no version of its
// own.
var gizmoWidths = [...]float32{3, 6, 2, 3, 3, 6, 6, 6}

// checkGizmo compares the library's style with the defaults of the version that cimguizmo.h was written for, and sets
// the theme's.
func (c *Context) checkGizmo() error {
	C.ImGuizmo_Enable(false) // what another window left held is let go
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
	s.colors[6] = gizmoColor(ColorText)                // under the mouse
	s.colors[10] = gizmoColor(ColorAccent)             // the edge of the sector that is turned
	s.colors[11] = gizmoColor(ColorAccent.Alpha(0.35)) // and its inside
	s.colors[12] = gizmoColor(ColorInset.Alpha(0))     // hatched negative axes
	C.ImGuizmo_AllowAxisFlip(false)
	return nil
}

// scaleGizmo sets the widths of its lines for the interface's scale; 0 is the library's own.
func scaleGizmo(scale float32) {
	s := C.ImGuizmo_GetStyle()
	w := gizmoWidths
	if scale > 0 {
		for k := range w {
			w[k] *= scale
		}
		w[2], w[3] = 1.5*w[2], w[3]*0.67 // the axes before the ring that faces the eye
	}
	s.translation_line, s.translation_arrow, s.rotation_line = C.float(w[0]), C.float(w[1]), C.float(w[2])
	s.rotation_outer_line, s.center = C.float(w[3]), C.float(w[7])
}

// AxisColors are those of x, y and z: the usual ones, light enough for a dark picture.
var AxisColors = [3]Color{rgb(0xf0615a), rgb(0x7cc452), rgb(0x4f93f2)}

func gizmoColor(k Color) C.ImVec4 {
	v := vec4(k)
	return C.ImVec4{x: C.float(v.X), y: C.float(v.Y), z: C.float(v.Z), w: C.float(v.W)}
}

// Gizmo draws a gizmo over a picture that the camera makes in r, in the panel that is open, and says what the mouse
// does to it. The caller feeds it presses of the left button; held says that the button is down.
func (c *Context) Gizmo(r Rect, g *Gizmo, held bool) (out GizmoMotion) {
	q := &c.gizmo.c
	clip := g.Projection.Mul4(g.View).Mul4x1(mgl32.Vec4{float32(g.At[0]), float32(g.At[1]), float32(g.At[2]), 1})
	// The library leaves its clip rectangle behind where the gizmo is behind the camera.
	if r.W <= 0 || r.H <= 0 || !(clip[2] > 0.002) {
		return out
	}
	for i := range 16 {
		q.view[i], q.projection[i] = C.float(g.View[i]), C.float(g.Projection[i])
		q.matrix[i], q.delta[i] = 0, 0
	}
	for col := range 3 {
		for row := range 3 {
			q.matrix[4*col+row] = C.float(g.Turn[3*col+row])
		}
		q.matrix[12+col] = C.float(g.At[col])
		q.snap[col] = C.float(g.Snap)
	}
	q.matrix[15] = 1
	q.snaps = C.bool(g.Snap > 0)
	q.x, q.y, q.w, q.h = C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H)
	// The library's size is a share of half the larger side, and its rings are 1.2 times that.
	q.size = C.float(g.Radius / (1.2 * max(r.W, r.H) / 2))
	q.operation, q.mode = C.SK_ROTATE, C.SK_LOCAL
	if g.Move {
		q.operation = C.SK_TRANSLATE
	}
	if g.World {
		q.mode = C.SK_WORLD
	}
	C.skManipulate(q, c.dl, c.fonts[Small.font], C.float(c.size(Small)), C.bool(held))
	if bool(q.over) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorHand))
	}
	out = GizmoMotion{Over: bool(q.over), Held: bool(q.used), Changed: bool(q.changed)}
	for col := range 3 {
		for row := range 3 {
			out.Turn[3*col+row] = float64(q.delta[4*col+row])
		}
		out.Shift[col] = float64(q.delta[12+col])
	}
	return out
}
