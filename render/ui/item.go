package ui

// #include "cimgui.h"
import "C"

import (
	"github.com/AllenDang/cimgui-go/imgui"
)

// item is what the mouse does to a rectangle.
type item int

const (
	clicked   item = C.SK_CLICKED   // pressed and released on it
	hovered   item = C.SK_HOVERED   // under the mouse
	active    item = C.SK_ACTIVE    // held by the mouse, wherever the mouse is now
	activated item = C.SK_ACTIVATED // pressed in this frame
	focused   item = C.SK_FOCUSED   // the keyboard is on it
	double    item = C.SK_DOUBLE    // double-clicked
)

func (i item) is(bit item) bool { return i&bit != 0 }

// keyed reports whether a key has pressed it: a mouse presses and releases in two frames.
func (i item) keyed() bool { return i&(clicked|activated) == clicked|activated }

// item makes r react to the left button. An id is unique in its panel. The tip explains it: see [Context.Tip].
func (c *Context) item(id int, r Rect, tip string) item { return c.itemOf(id, r, buttonLeft, tip) }

// clickable is item with the pointer of things that can be clicked. The keyboard reaches it too.
func (c *Context) clickable(id int, r Rect, tip string) item {
	i := c.itemOf(id, r, buttonLeft|buttonKeys, tip)
	c.hand(i)
	return i
}

// The buttons of itemOf.
const (
	buttonLeft, buttonRight, buttonKeys = 1, 2, 8
)

// itemOf makes r react to some of the mouse's buttons.
func (c *Context) itemOf(id int, r Rect, buttons int, tip string) item {
	c.widget(id, r, tip)
	return c.react(id, r, buttons)
}

// backdrop makes all of r react that is not an item. It needs no tip.
func (c *Context) backdrop(id int, r Rect) item {
	c.Place(id, r)
	return c.react(id, r, buttonLeft)
}

// widget records an item and explains it.
func (c *Context) widget(id int, r Rect, tip string) {
	c.Place(id, r)
	c.Tip(r, tip)
	c.recordItem(id, r, tip)
}

func (c *Context) react(id int, r Rect, buttons int) item {
	// ImGui rejects empty items, and a window may be too small for its content.
	i := item(C.skItem(C.int(id), C.float(r.X), C.float(r.Y), C.float(max(r.W, 1)), C.float(max(r.H, 1)),
		C.int(buttons)))
	c.focus.at(c, r, i.is(focused))
	return i
}

// hand asks for the pointer of things that can be clicked if the mouse is over the item.
func (c *Context) hand(i item) {
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorHand))
	}
}

// surface returns the fill of something that can be pressed; rest is its colour while the mouse is elsewhere.
func (i item) surface(rest Color) Color {
	switch {
	case i.is(active):
		return ColorHeld
	case i.is(hovered):
		return ColorHover
	}
	return rest
}

// press draws the background of something that can be pressed.
func (c *Context) press(id int, r Rect, tip string) item {
	i := c.clickable(id, r, tip)
	c.Fill(r, i.surface(ColorWidget), c.Px(4))
	return i
}

// wash brightens something without a fill of its own while the mouse is over it.
func (c *Context) wash(i item, r Rect) {
	if i.is(hovered | active) {
		c.Fill(r, i.surface(0), c.Px(4))
	}
}
