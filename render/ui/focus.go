package ui

// #include "cimgui.h"
//
// extern void igSetNavCursorVisible(bool);
import "C"

// focus is the keyboard on an item: arrows move it, Return presses. It ends with a click. With the end of its panel it
// goes back to the panel from which it came, or ends.
type focus struct {
	on, starting bool
	returns      bool // there is a panel to go back to: from
	from         Panel
	panel        Panel
	drawn        bool // the panel is drawn in this frame
	r            Rect // of the item; empty where it is not drawn yet
	depth        int  // of the scrolling area that has it
}

// ItemFocus is the number under which [Context.Placed] has the item that has the keyboard.
const ItemFocus = -1

// FocusPanel puts the keyboard on the first item of a panel.
func (c *Context) FocusPanel(p Panel) {
	was := c.focus
	c.focus = focus{on: true, starting: true, panel: p, drawn: true}
	if was.on && was.panel != p {
		c.focus.returns, c.focus.from = true, was.panel
	}
}

// Focused reports whether the keyboard is on an item of a panel, and which panel that is.
func (c *Context) Focused() (p Panel, ok bool) { return c.focus.panel, c.focus.on }

func (c *Context) Unfocus() {
	c.focus = focus{}
	C.igSetNavCursorVisible(false)
}

func (f *focus) begin(c *Context) {
	if !f.on {
		return
	}
	if !f.drawn && f.returns {
		*f = focus{on: true, panel: f.from, drawn: true} // the library puts it where it was
	}
	if !f.drawn {
		c.Unfocus()
		return
	}
	f.drawn, f.r = false, Rect{}
	C.igSetNavCursorVisible(true)
}

// starts reports whether a panel that begins gets the keyboard.
func (f *focus) starts(p Panel) bool {
	if !f.on || f.panel != p {
		return false
	}
	f.drawn = true
	starts := f.starting
	f.starting = false
	return starts
}

// at is told of every item where it is, and whether it has the keyboard.
func (f *focus) at(c *Context, r Rect, focused bool) {
	if focused && f.on && f.panel == c.panel {
		f.r, f.depth = r, c.depth
		c.Place(ItemFocus, r)
	}
}

// draw outlines the item at the end of the area that has it, over what is drawn there.
func (f *focus) draw(c *Context) {
	if f.on && f.r.W > 0 && f.panel == c.panel && f.depth == c.depth {
		c.Outline(f.r.Inset(-c.Px(1), -c.Px(1)), ColorAccent, c.Px(4))
		c.Outline(f.r, ColorAccent, c.Px(4))
		f.r = Rect{}
	}
}
