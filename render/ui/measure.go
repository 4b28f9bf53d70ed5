package ui

// #include "cimgui.h"
import "C"

import "math"

// Ring strokes a circle.
func (c *Context) Ring(x, y, radius float32, k Color, thickness float32) {
	c.arc(x, y, radius, 0, 2*math.Pi, k, thickness)
}

// Bar draws a share, 0 to 1, as a bar in the middle of r.
func (c *Context) Bar(r Rect, share float32, k Color) {
	h := c.Px(4)
	track := Rect{r.X, r.Y + round((r.H-h)/2), r.W, h}
	c.Fill(track, ColorHeld, h/2)
	track.W *= min(max(share, 0), 1)
	c.Fill(track, k, h/2)
}

// TextButton draws a small plain button and reports a click.
func (c *Context) TextButton(id int, r Rect, label string) bool {
	i := c.item(id, r)
	c.hand(i)
	c.Fill(r, i.surface(ColorWidget), c.Px(4))
	c.Text(r, Small, ColorText, Center, label)
	return i.is(clicked)
}
