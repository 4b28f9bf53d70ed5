package ui

// #include "cimgui.h"
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// sliderRadius is the radius of a slider's knob in design pixels. The knob's middle stays one radius away from both
// ends.
const sliderRadius = 6

// slide makes r react as a slider and returns the mouse's place along it, 0 to 1.
func (c *Context) slide(id int, r Rect, tip string) (i item, share float64) {
	i = c.item(id, r, tip)
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	radius := c.Px(sliderRadius)
	mx, _ := c.Mouse()
	return i, min(max(float64((mx-r.X-radius)/(r.W-2*radius)), 0), 1)
}

// slot draws a slider's track, filled between two places on it, and returns the y of its middle.
func (c *Context) slot(r Rect, from, to float32) (y float32) {
	y = r.Y + round(r.H/2)
	c.Fill(Rect{r.X, y - c.Px(2), r.W, c.Px(4)}, ColorHeld, c.Px(2))
	c.Fill(Rect{min(from, to), y - c.Px(2), abs(to - from), c.Px(4)}, ColorAccent, c.Px(2))
	return y
}

// LogSlider draws a slider from lo to hi on a logarithmic scale and returns the new value. A mark shows the value home.
// The knob snaps to home, and a double click returns to it.
func (c *Context) LogSlider(id int, r Rect, value, lo, hi, home float64, tip string) float64 {
	i, share := c.slide(id, r, tip)
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

// Slider draws a slider from lo to hi in whole steps and returns the new value.
func (c *Context) Slider(id int, r Rect, value, lo, hi, step float64, tip string) float64 {
	i, share := c.slide(id, r, tip)
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

// Grip is a vertical edge that the mouse can move. While it is held, Grip returns the mouse's x. It lights up under the
// mouse. Line is the width of the visible line in the middle of r; with 0 it shows only while touched.
func (c *Context) Grip(id int, r Rect, line float32, tip string) (x float32, held bool) {
	i := c.item(id, r, tip)
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
