package ui

// #include "cimgui.h"
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// LogSlider draws a slider over lo … hi on a logarithmic scale, with a mark at home, to which a double click returns and near
// which the knob snaps. It returns the new value.
func (c *Context) LogSlider(id int, r Rect, value, lo, hi, home float64) float64 {
	i := c.item(id, r)
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	radius := c.Px(6)
	x0, w := r.X+radius, r.W-2*radius
	at := func(v float64) float32 { return x0 + w*float32(math.Log(v/lo)/math.Log(hi/lo)) }
	switch {
	case i.is(double):
		value = home
	case i.is(active):
		mx, _ := c.Mouse()
		u := min(max(float64((mx-x0)/w), 0), 1)
		value = lo * math.Pow(hi/lo, u)
		if abs(at(value)-at(home)) < c.Px(5) {
			value = home
		}
	}
	y := r.Y + round(r.H/2)
	track := Rect{r.X, y - c.Px(2), r.W, c.Px(4)}
	c.Fill(track, ColorHeld, c.Px(2))
	from, to := at(home), at(value)
	c.Fill(Rect{min(from, to), track.Y, abs(to - from), track.H}, ColorAccent, c.Px(2))
	c.Fill(Rect{round(at(home)), y - c.Px(5), 1, c.Px(10)}, ColorFaint, 0)
	c.circle(at(value), y, radius, ColorText)
	return value
}

// Slider draws a slider over the whole steps of lo … hi and returns the new value.
func (c *Context) Slider(id int, r Rect, value, lo, hi, step float64) float64 {
	i := c.item(id, r)
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	radius := c.Px(6)
	x0, w := r.X+radius, r.W-2*radius
	if i.is(active) && hi > lo && w > 0 {
		mx, _ := c.Mouse()
		u := min(max(float64((mx-x0)/w), 0), 1)
		value = min(lo+math.Round(u*(hi-lo)/step)*step, hi)
	}
	y := r.Y + round(r.H/2)
	at := x0
	if hi > lo {
		at += w * float32((min(max(value, lo), hi)-lo)/(hi-lo))
	}
	c.Fill(Rect{r.X, y - c.Px(2), r.W, c.Px(4)}, ColorHeld, c.Px(2))
	c.Fill(Rect{r.X, y - c.Px(2), at - r.X, c.Px(4)}, ColorAccent, c.Px(2))
	c.circle(at, y, radius, ColorText)
	return value
}

func abs(x float32) float32 { return max(x, -x) }
