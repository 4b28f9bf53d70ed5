package ui

// #include "cimgui.h"
//
// extern void igSetKeyboardFocusHere(int offset);
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// sliderRadius is the radius of a slider's knob, whose middle stays so far from both ends, in design pixels.
const sliderRadius = 6

// Track is what a slider runs over.
type Track struct {
	Least, Most float64
	// Step is the distance between two places at which the knob stops, on a logarithmic track the ratio; 0 for none. Whole
	// steps say that the value is a whole number.
	Step float64
	// Home, where not 0, makes the track logarithmic, with a mark at this value, to which the knob snaps.
	Home float64
	// Unit is the number that the page shows for the value 1, for example 100 for a share in percent. 0 counts as 1. A
	// typed number is in the unit that is shown.
	Unit float64
	// Shown, if not nil, has the numbers that the page shows for the values 0, 1, 2 and so on.
	Shown []float64
}

// share returns how far along the track a value is, 0 to 1.
func (t *Track) share(value float64) float32 {
	switch {
	case !(t.Most > t.Least):
		return 0
	case t.Home > 0:
		return float32(math.Log(value/t.Least) / math.Log(t.Most/t.Least))
	}
	return float32((min(max(value, t.Least), t.Most) - t.Least) / (t.Most - t.Least))
}

// stop returns the value at which the knob stops for a place on the track, 0 to 1.
func (t *Track) stop(share float64) float64 {
	if t.Home <= 0 {
		x := share * (t.Most - t.Least)
		if t.Step > 0 {
			x = math.Round(x/t.Step) * t.Step
		}
		return min(t.Least+x, t.Most)
	}
	x := share * math.Log(t.Most/t.Least)
	if t.Step > 0 {
		x = math.Round(x/math.Log(t.Step)) * math.Log(t.Step)
	}
	return min(t.Least*math.Exp(x), t.Most)
}

// Slider draws a slider and returns the new value, typed in its place after a double click or one with Ctrl.
func (c *Context) Slider(id int, r Rect, value float64, t Track, tip string) float64 {
	if c.typed.is(c.panel, id) {
		return c.typeNumber(id, r, value, &t)
	}
	if c.typed.closed == id && c.typed.panel == c.panel {
		c.typed.closed = 0
		C.igSetKeyboardFocusHere(0)
	}
	i := c.itemOf(id, r, buttonLeft|buttonKeys, tip)
	if i.is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	if c.wantsTyping(id, i, &value) {
		return c.typeNumber(id, r, value, &t)
	}
	c.typed.last, c.typed.lastOf = id, c.panel
	radius := c.Px(sliderRadius)
	length := r.W - 2*radius
	at := func(v float64) float32 { return r.X + radius + length*t.share(v) }
	if i.is(active) && !c.typed.pressed && length > 0 && t.Most > t.Least {
		mx, _ := c.Mouse()
		value = t.stop(min(max(float64((mx-r.X-radius)/length), 0), 1))
		if t.Home > 0 && abs(at(value)-at(t.Home)) < c.Px(5) {
			value = t.Home
		}
	}
	from := r.X
	if t.Home > 0 {
		from = at(t.Home)
	}
	y := c.slot(r, from, at(value))
	if t.Home > 0 {
		c.Fill(Rect{round(from), y - c.Px(5), 1, c.Px(10)}, ColorFaint, 0)
	}
	c.Disc(at(value), y, radius, ColorText)
	return value
}

// slot draws a slider's track, filled between two places on it, and returns the y of its middle.
func (c *Context) slot(r Rect, from, to float32) (y float32) {
	y = r.Y + round(r.H/2)
	c.Fill(Rect{r.X, y - c.Px(2), r.W, c.Px(4)}, ColorHeld, c.Px(2))
	c.Fill(Rect{min(from, to), y - c.Px(2), abs(to - from), c.Px(4)}, ColorAccent, c.Px(2))
	return y
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
