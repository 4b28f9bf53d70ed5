package ui

// #include "cimgui.h"
import "C"

import "github.com/AllenDang/cimgui-go/imgui"

// Grip is an upright edge that the mouse moves. While it is held, Grip returns where the mouse is, and it is lit under
// the mouse. Line is the width of what is drawn in the middle of r, 0 for an edge that shows only when it is touched.
func (c *Context) Grip(id int, r Rect, line float32) (x float32, held bool) {
	i := c.item(id, r)
	ink := ColorEdge
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
		ink = ColorAccent
		line = max(line, c.Px(2))
	}
	if line > 0 {
		c.Fill(Rect{r.X + round((r.W-line)/2), r.Y, line, r.H}, ink, 0)
	}
	x, _ = c.Mouse()
	return x, i.is(active)
}

// Knob draws the handle of a divider: two arrows on a disc.
func (c *Context) Knob(x, y float32) {
	s := c.Px(4)
	c.Disc(x, y, c.Px(13), ColorEdge)
	c.Disc(x, y, c.Px(12), ColorPanel)
	c.triangle(x-s*0.7, y-s, x-s*0.7, y+s, x-s*2, y, ColorText)
	c.triangle(x+s*0.7, y-s, x+s*0.7, y+s, x+s*2, y, ColorText)
}
