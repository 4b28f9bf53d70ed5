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

// #include "cimplot.h"
//
// // struct skIO is how ImGuiIO begins; New checks it against values that the library itself sets and reads.
// struct skIO { int config, backend; ImVec2 display, scale; float delta; };
//
// static inline void skNewFrame(ImGuiIO *io, float w, float h, float sx, float sy, float dt) {
// 	struct skIO *s = (struct skIO *)io;
// 	s->display = (ImVec2){w, h};
// 	s->scale = (ImVec2){sx, sy};
// 	s->delta = dt;
// 	ImGui_ImplOpenGL3_NewFrame();
// 	igNewFrame();
// }
//
// static inline void skRender(void) {
// 	igRender();
// 	ImGui_ImplOpenGL3_RenderDrawData(igGetDrawData());
// }
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/impl/opengl3"
)

// version is the ImGui that cimgui.h was written for.
const version = "1.92.4 WIP"

// Context is one user interface over one OpenGL context. All its methods belong to the thread that owns that context.
type Context struct {
	imgui *imgui.Context
	plot  *C.ImPlotContext
	io    *C.ImGuiIO
	fonts [fontCount]*C.ImFont
	scale float32 // logical pixels per design pixel

	dl      *C.ImDrawList // of the panel being drawn
	parents [4]*C.ImDrawList
	depth   int

	covers  [maxPanels]Rect // the panels of the frame being drawn
	covered int
	panel   Panel    // that is being drawn
	placed  []Placed // in this frame
	ordered bool     // the panels lie in their order

	typing  bool // a text field has the keyboard
	missing missing

	line      Line    // scratch for labels
	range0    float64 // where the right button was pressed on a timeline, in seconds
	ranging   bool    // the right button holds a timeline
	plotStyle C.skPlotStyle
	gizmo     gizmoState
	number    numberState
}

// New starts Dear ImGui on the current OpenGL 4.1 context. It returns an error where the linked library is not the one
// that this package was written for. The caller ends it with Delete while the context is still current.
func New() (*Context, error) {
	if v := imgui.Version(); v != version {
		return nil, fmt.Errorf("ui: Dear ImGui is %q, expected %q", v, version)
	}
	c := &Context{imgui: imgui.CreateContext(), scale: 1}
	io := imgui.CurrentIO()
	io.SetIniFilename("") // the layout is computed, there is nothing to remember
	c.io = (*C.ImGuiIO)(unsafe.Pointer(io.CData))
	if err := c.checkLayout(io); err != nil {
		imgui.DestroyContextV(c.imgui)
		return nil, err
	}
	io.SetConfigErrorRecoveryEnableAssert(false)
	io.SetConfigDragClickToInputText(true) // a number that is clicked and not dragged is typed
	if !opengl3.InitV("#version 410 core") {
		imgui.DestroyContextV(c.imgui)
		return nil, fmt.Errorf("ui: Dear ImGui's OpenGL renderer does not start on this context")
	}
	if err := c.checkGizmo(); err != nil {
		opengl3.Shutdown()
		imgui.DestroyContextV(c.imgui)
		return nil, err
	}
	c.plot = C.ImPlot_CreateContext()
	c.loadFonts(io)
	c.applyTheme()
	return c, nil
}

// checkLayout sets fields through the library's own accessors and reads them through skIO.
func (c *Context) checkLayout(io *imgui.IO) error {
	io.SetDisplaySize(imgui.Vec2{X: 3, Y: 5})
	io.SetDisplayFramebufferScale(imgui.Vec2{X: 7, Y: 11})
	io.SetDeltaTime(13)
	s := (*C.struct_skIO)(unsafe.Pointer(c.io))
	if s.display.x != 3 || s.display.y != 5 || s.scale.x != 7 || s.scale.y != 11 || s.delta != 13 {
		return fmt.Errorf("ui: the layout of ImGuiIO is not the one that this program was built for")
	}
	return nil
}

// Delete releases everything. It is nil-safe and repeatable.
func (c *Context) Delete() {
	if c == nil || c.imgui == nil {
		return
	}
	scaleGizmo(0)
	C.ImPlot_DestroyContext(c.plot)
	opengl3.Shutdown()
	imgui.DestroyContextV(c.imgui)
	c.imgui = nil
}

// SetScale sets how many logical pixels a design pixel measures: the monitor's content scale, or 1 where the window
// system scales by itself, times the user's own factor.
func (c *Context) SetScale(s float32) {
	if s > 0 && s != c.scale {
		c.scale = s
		c.applyTheme()
	}
}

// Scale returns how many logical pixels a design pixel measures.
func (c *Context) Scale() float32 { return c.scale }

// Px converts design pixels to logical pixels, rounded to whole ones so that edges stay sharp.
func (c *Context) Px(design float32) float32 { return round(design * c.scale) }

// Begin starts a frame: the window's size in logical pixels, the framebuffer's pixels per logical pixel, and the
// seconds since the last frame. Every Begin is followed by one End.
func (c *Context) Begin(width, height, scaleX, scaleY, seconds float32) {
	c.covered = 0
	c.typing = false
	C.skNewFrame(c.io, C.float(width), C.float(height), C.float(scaleX), C.float(scaleY), C.float(max(seconds, 1e-4)))
	if !c.ordered {
		c.orderPanels()
	}
	c.placed = c.placed[:0]
}

// End draws the frame into the current framebuffer, in sRGB values as they are: GL_FRAMEBUFFER_SRGB must be off.
func (c *Context) End() { C.skRender() }

// MouseMoved feeds the mouse position in logical pixels.
func (c *Context) MouseMoved(x, y float32) {
	C.ImGuiIO_AddMousePosEvent(c.io, C.float(x), C.float(y))
}

// MouseLeft says that the mouse is outside the window.
func (c *Context) MouseLeft() { C.ImGuiIO_AddMousePosEvent(c.io, -3.4e38, -3.4e38) }

// MouseButton feeds a button: 0 left, 1 right, 2 middle.
func (c *Context) MouseButton(button int, down bool) {
	C.ImGuiIO_AddMouseButtonEvent(c.io, C.int(button), C.bool(down))
}

// MouseWheel feeds the wheel, in notches.
func (c *Context) MouseWheel(x, y float32) {
	C.ImGuiIO_AddMouseWheelEvent(c.io, C.float(x), C.float(y))
}

// Focus says whether the window has the keyboard.
func (c *Context) Focus(focused bool) { C.ImGuiIO_AddFocusEvent(c.io, C.bool(focused)) }

// Mouse returns the mouse position that the current frame sees.
func (c *Context) Mouse() (x, y float32) {
	p := C.skMouse()
	return float32(p.x), float32(p.y)
}

// Covers reports whether a panel of the last frame lies over a point: a button pressed there belongs to the interface.
// It is plain geometry, so it is right even for a press that arrives in the same instant as the move before it.
func (c *Context) Covers(x, y float32) bool {
	for _, r := range c.covers[:c.covered] {
		if r.Contains(x, y) {
			return true
		}
	}
	return false
}

// Busy reports whether a widget is held by the mouse.
func (c *Context) Busy() bool { return bool(C.igIsAnyItemActive()) }

// Cursor is the shape that the mouse pointer should have.
type Cursor int

// The shapes that widgets ask for.
const (
	CursorArrow Cursor = iota
	CursorHand
	CursorResizeX
)

// Cursor returns the shape that this frame's widgets asked for.
func (c *Context) Cursor() Cursor {
	switch imgui.MouseCursor(C.igGetMouseCursor()) {
	case imgui.MouseCursorHand:
		return CursorHand
	case imgui.MouseCursorResizeEW:
		return CursorResizeX
	}
	return CursorArrow
}
