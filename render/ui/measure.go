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

// SwatchRow draws a line of a legend: a swatch, hollow where off, and a name. It reports a click, and whether the mouse is on it.
func (c *Context) SwatchRow(id int, r Rect, label string, k Color, on bool) (click, hover bool) {
	i := c.item(id, r)
	c.hand(i)
	if i.is(hovered | active) {
		c.Fill(r, i.surface(0), c.Px(4))
	}
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(14))
	s := c.Px(10)
	swatch := Rect{slot.X, slot.Y + round((slot.H-s)/2), s, s}
	ink := ColorText
	if on {
		c.Fill(swatch, k, c.Px(2))
	} else {
		ink = ColorFaint
		c.Outline(swatch, k, c.Px(2))
	}
	in.CutLeft(c.Px(6))
	c.Text(in, Body, ink, Left, label)
	return i.is(clicked), i.is(hovered)
}
