package ui

// #include "cimgui.h"
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// sliderRadius is that of a slider's knob in design pixels; the knob's middle goes from one radius inside the slider to
// the other.
const sliderRadius = 6

// slide makes r react as a slider and returns where along it the mouse is, 0 to 1.
func (c *Context) slide(id int, r Rect) (i item, share float64) {
	i = c.item(id, r)
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	radius := c.Px(sliderRadius)
	mx, _ := c.Mouse()
	return i, min(max(float64((mx-r.X-radius)/(r.W-2*radius)), 0), 1)
}

// slot draws a slider's track, filled between two places on it, and returns the height of its middle.
func (c *Context) slot(r Rect, from, to float32) (y float32) {
	y = r.Y + round(r.H/2)
	c.Fill(Rect{r.X, y - c.Px(2), r.W, c.Px(4)}, ColorHeld, c.Px(2))
	c.Fill(Rect{min(from, to), y - c.Px(2), abs(to - from), c.Px(4)}, ColorAccent, c.Px(2))
	return y
}

// LogSlider draws a slider over lo … hi on a logarithmic scale, with a mark at home, to which a double click returns
// and near which the knob snaps. It returns the new value.
func (c *Context) LogSlider(id int, r Rect, value, lo, hi, home float64) float64 {
	i, share := c.slide(id, r)
	radius := c.Px(sliderRadius)
	at := func(v float64) float32 { return r.X + radius + (r.W-2*radius)*float32(math.Log(v/lo)/math.Log(hi/lo)) }
	switch {
	case i.is(double):
		value = home
	case i.is(active):
		value = lo * math.Pow(hi/lo, share)
		if abs(at(value)-at(home)) < c.Px(5) {
			value = home
		}
	}
	y := c.slot(r, at(home), at(value))
	c.Fill(Rect{round(at(home)), y - c.Px(5), 1, c.Px(10)}, ColorFaint, 0)
	c.Disc(at(value), y, radius, ColorText)
	return value
}

// Slider draws a slider over the whole steps of lo … hi and returns the new value.
func (c *Context) Slider(id int, r Rect, value, lo, hi, step float64) float64 {
	i, share := c.slide(id, r)
	radius := c.Px(sliderRadius)
	if i.is(active) && hi > lo && r.W > 2*radius {
		value = min(lo+math.Round(share*(hi-lo)/step)*step, hi)
	}
	at := r.X + radius
	if hi > lo {
		at += (r.W - 2*radius) * float32((min(max(value, lo), hi)-lo)/(hi-lo))
	}
	c.Disc(at, c.slot(r, r.X, at), radius, ColorText)
	return value
}

func abs(x float32) float32 { return max(x, -x) }

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
	c.triangle([3]point{{x - s*0.7, y - s}, {x - s*0.7, y + s}, {x - s*2, y}}, ColorText)
	c.triangle([3]point{{x + s*0.7, y - s}, {x + s*0.7, y + s}, {x + s*2, y}}, ColorText)
}
