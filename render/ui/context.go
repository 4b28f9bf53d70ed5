// Package ui draws skinlab's user interface with Dear ImGui, and its curves with ImPlot: theme, fonts, the widgets of
// the panels and the timeline. It is the only package that imports cimgui-go. It knows nothing of models, methods or
// OpenGL resources: widgets take numbers and text, and report clicks and drags.
//
// # No allocation while it runs
//
// The wrappers of cimgui-go copy every string and allocate every vector that they return, so only set-up uses them
// ([New]). The code of every frame calls the same C library through the few functions of cimgui.h. They take text as
// pointer and length and return structs by value. New checks the library's version and the layout of its structs.
//
// # Coordinates
//
// Positions and sizes are logical pixels, the unit in which the window system reports the mouse. A design pixel is a
// length of 1/96 inch at the user's scale; [Context.Px] converts it to logical pixels. Y points down.
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
	theme Theme

	dl      *C.ImDrawList // of the panel being drawn
	parents [4]*C.ImDrawList
	areas   [4]Rect // the areas that scroll round the widget being drawn
	depth   int

	covers  [maxPanels]Rect // of the panels in the current frame
	covered int
	draws   [maxPanels]bool // in this frame
	panel   Panel           // the current panel
	layer   bool            // it ignores the mouse
	places  places
	ordered bool // the panels are in their order

	typing  bool // a text field has the keyboard
	control bool // Ctrl was held when a button was pressed last
	held    C.uint
	typed   typedNumber
	focus   focus
	tab     tabbing
	click   fieldClick
	pending int // frames that the keys fed so far may still take
	missing missing

	line      Line    // reused for labels
	range0    float64 // time at which the right button was pressed on a timeline, seconds
	ranging   bool    // the right button drags a range on a timeline
	plotStyle C.skPlotStyle
	curves    []Color   // reused: of the curves of a plot, as the theme shows them
	tops      []float32 // reused: of the names of a plot's levels
	gizmo     gizmoState
	number    numberState
	tip       tipState
	record    recording
}

// New starts Dear ImGui on the current OpenGL 4.1 context. It returns an error if the linked library is not the version
// for which this package was written. The caller calls Delete while the context is still current.
func New() (*Context, error) {
	if v := imgui.Version(); v != version {
		return nil, fmt.Errorf("ui: Dear ImGui is %q, expected %q", v, version)
	}
	c := &Context{imgui: imgui.CreateContext(), scale: 1, theme: Themes}
	io := imgui.CurrentIO()
	io.SetIniFilename("") // the layout is computed, so no file keeps it
	c.io = (*C.ImGuiIO)(unsafe.Pointer(io.CData))
	if err := c.checkLayout(io); err != nil {
		imgui.DestroyContextV(c.imgui)
		return nil, err
	}
	io.SetConfigErrorRecoveryEnableAssert(false)
	io.SetConfigDragClickToInputText(true) // a click without a drag lets the user type the number
	io.SetConfigFlags(io.ConfigFlags() | imgui.ConfigFlagsNavEnableKeyboard)
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
	c.SetTheme(DarkTheme)
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
	c.typed.field.Delete()
	C.ImPlot_DestroyContext(c.plot)
	opengl3.Shutdown()
	imgui.DestroyContextV(c.imgui)
	c.imgui = nil
}

// SetScale sets the logical pixels per design pixel: the user's own factor, times the monitor's where it counts.
func (c *Context) SetScale(s float32) {
	if s > 0 && s != c.scale {
		c.scale = s
		c.applyTheme()
	}
}

func (c *Context) Scale() float32 { return c.scale }

// Px converts design pixels to logical pixels, rounded to whole ones so that edges stay sharp.
func (c *Context) Px(design float32) float32 { return round(design * c.scale) }

// Begin starts a frame: the window's size in logical pixels, the framebuffer's pixels per logical pixel, and the
// seconds since the last frame. Every Begin is followed by one End.
func (c *Context) Begin(width, height, scaleX, scaleY, seconds float32) {
	c.covered, c.draws, c.click.count = 0, [maxPanels]bool{}, 0
	c.typing = false
	c.typed.begin()
	c.focus.begin(c)
	c.tab.begin(c)
	c.pending = max(c.pending-1, 0)
	C.skNewFrame(c.io, C.float(width), C.float(height), C.float(scaleX), C.float(scaleY), C.float(max(seconds, 1e-4)))
	if !c.ordered {
		c.orderPanels()
	}
	c.places.all = c.places.all[:0]
	c.record.begin()
}

// End draws the frame into the current framebuffer. Its colours are sRGB values, so GL_FRAMEBUFFER_SRGB must be off.
func (c *Context) End() {
	c.held = C.igGetActiveID()
	C.skRender()
}

// MouseMoved feeds the mouse position in logical pixels.
func (c *Context) MouseMoved(x, y float32) {
	c.click.x, c.click.y = x, y
	C.ImGuiIO_AddMousePosEvent(c.io, C.float(x), C.float(y))
}

// MouseLeft reports to the interface that the mouse is outside the window.
func (c *Context) MouseLeft() { C.ImGuiIO_AddMousePosEvent(c.io, -3.4e38, -3.4e38) }

// MouseButton feeds a button: 0 left, 1 right, 2 middle, and whether Ctrl is held.
func (c *Context) MouseButton(button int, down, control bool) {
	if down {
		c.control = control
		c.Unfocus()
	}
	if button == 0 {
		c.clickField(down)
	}
	C.ImGuiIO_AddMouseButtonEvent(c.io, C.int(button), C.bool(down))
}

// MouseWheel feeds the wheel, in notches.
func (c *Context) MouseWheel(x, y float32) {
	C.ImGuiIO_AddMouseWheelEvent(c.io, C.float(x), C.float(y))
}

// Focus reports to the interface whether the window has the keyboard.
func (c *Context) Focus(focused bool) { C.ImGuiIO_AddFocusEvent(c.io, C.bool(focused)) }

func (c *Context) Mouse() (x, y float32) {
	p := C.skMouse()
	return float32(p.x), float32(p.y)
}

// Covers reports whether a panel of the last frame lies over a point. A button pressed there belongs to the interface.
// Covers compares rectangles only, so it is right even if a press and the move before it arrive together.
func (c *Context) Covers(x, y float32) bool {
	for _, r := range c.covers[:c.covered] {
		if r.Contains(x, y) {
			return true
		}
	}
	return false
}

// Pending reports whether keys wait for further frames: one is pressed in a frame and released in the next.
func (c *Context) Pending() bool { return c.pending > 0 }

func (c *Context) Draws(p Panel) bool { return c.draws[p] }

// Busy reports whether the mouse or the keyboard holds a widget.
func (c *Context) Busy() bool { return bool(C.igIsAnyItemActive()) }

// Holds reports whether the user holds a widget, as Busy does, and goes on holding it. It is false for one frame where
// the keyboard goes from one widget to another, as when Tab ends a number and begins the next.
func (c *Context) Holds() bool {
	held := C.igGetActiveID()
	return held != 0 && (c.held == 0 || c.held == held)
}

type Cursor int

const (
	CursorArrow Cursor = iota
	CursorHand
	CursorResizeX
)

func (c *Context) Cursor() Cursor {
	switch imgui.MouseCursor(C.igGetMouseCursor()) {
	case imgui.MouseCursorHand:
		return CursorHand
	case imgui.MouseCursorResizeEW:
		return CursorResizeX
	}
	return CursorArrow
}
