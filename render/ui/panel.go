package ui

// #cgo noescape skBegin
// #include "cimgui.h"
//
// extern float igGetScrollY(void);
// extern void igSetScrollY_Float(float);
// extern struct ImGuiWindow *igGetCurrentWindow(void);
// extern void igNavInitWindow(struct ImGuiWindow *, bool again);
//
// static inline void skScrollTo(float top, float bottom, float height) {
// 	float at = igGetScrollY();
// 	if (top < at)
// 		igSetScrollY_Float(top);
// 	else if (bottom > at + height)
// 		igSetScrollY_Float(bottom - height);
// }
import "C"

import (
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Panel names one panel. Panels are drawn in the order of their numbers, and overlays above all of them.
type Panel int

const maxPanels = 24

// panelNames end in zero bytes because C reads them directly.
var panelNames = [maxPanels]string{
	"panel0\x00", "panel1\x00", "panel2\x00", "panel3\x00", "panel4\x00", "panel5\x00", "panel6\x00", "panel7\x00",
	"panel8\x00", "panel9\x00", "panel10\x00", "panel11\x00", "panel12\x00", "panel13\x00", "panel14\x00", "panel15\x00",
	"panel16\x00", "panel17\x00", "panel18\x00", "panel19\x00", "panel20\x00", "panel21\x00", "panel22\x00", "panel23\x00",
}

const panelFlags = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
	imgui.WindowFlagsNoFocusOnAppearing | imgui.WindowFlagsNoScrollWithMouse

// BeginPanel starts a panel over r. Every BeginPanel is followed by one EndPanel. An overlay comes to the front.
func (c *Context) BeginPanel(p Panel, r Rect, overlay bool) {
	flags := panelFlags
	if !overlay {
		flags |= imgui.WindowFlagsNoBringToFrontOnFocus
	}
	name := (*C.char)(unsafe.Pointer(unsafe.StringData(panelNames[p])))
	starts := c.focus.starts(p)
	// An overlay that has the keyboard is in front already, and its scrolling area must keep the keyboard.
	front := starts || overlay && !(c.focus.on && c.focus.panel == p)
	c.dl = C.skBegin(name, C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), C.int(flags), C.bool(front))
	if starts {
		C.igNavInitWindow(C.igGetCurrentWindow(), true)
	}
	c.record.push(r, false)
	c.covers[c.covered] = r
	c.covered++
	c.layer, c.draws[p], c.tip.card = false, true, r
	if r.Contains(c.Mouse()) {
		c.tip.asked = Rect{} // the panel lies over what was explained
	}
	c.panel = p
	c.Place(0, r)
}

// orderPanels creates every panel once, the last first: ImGui puts a new one behind all others.
func (c *Context) orderPanels() {
	for p := Panel(maxPanels - 1); p >= 0; p-- {
		c.BeginLayer(p, Rect{W: 1, H: 1})
		c.EndPanel()
	}
	c.ordered = true
}

// BeginLayer starts a panel that the mouse passes through. EndPanel ends it.
func (c *Context) BeginLayer(p Panel, r Rect) {
	const flags = panelFlags | imgui.WindowFlagsNoBringToFrontOnFocus | imgui.WindowFlagsNoMouseInputs | imgui.WindowFlagsNoNav
	name := (*C.char)(unsafe.Pointer(unsafe.StringData(panelNames[p])))
	c.dl = C.skBegin(name, C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), C.int(flags), false)
	c.record.push(r, false)
	c.layer = true
	c.panel = p
	c.Place(0, r)
}

func (c *Context) EndPanel() {
	c.focus.draw(c)
	C.igEnd()
	c.dl = nil
	c.record.pop()
}

// BeginScroll starts an area of the panel that scrolls if its content is taller than r. It returns the rectangle for
// the content, which moves with the scroll position. Every BeginScroll is followed by one EndScroll.
func (c *Context) BeginScroll(id int, r Rect) Rect {
	c.parents[c.depth], c.areas[c.depth] = c.dl, r
	c.depth++
	c.dl = C.skBeginChild(C.uint(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H))
	c.record.push(r, true)
	p := C.skCursor()
	return Rect{float32(p.x), float32(p.y), r.W, r.H}
}

// EndScroll ends the area. bottom is the y of the content's lower end.
func (c *Context) EndScroll(content Rect, bottom float32) {
	c.focus.draw(c)
	C.skEndChild(C.float(content.X), C.float(bottom))
	c.record.pop()
	c.depth--
	c.dl = c.parents[c.depth]
}

// ScrollTo scrolls the current area so that it shows the part of its content from top to bottom. Both are pixels below
// the content's top; height is the area's.
func (c *Context) ScrollTo(top, bottom, height float32) {
	C.skScrollTo(C.float(top), C.float(bottom), C.float(height))
}
