package ui

// #include "cimgui.h"
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Timeline describes what a timeline shows. Times are in seconds.
type Timeline struct {
	Length, Time float64
	From, To     float64   // ends of the played part
	Rate         float64   // frames per second of the frame grid
	Keys         []float64 // times of the clip's keys, sorted
	Notes        []Span    // what parts of the clip show
	Faults       []Span    // what is wrong in parts of it

	Tip, FromTip, ToTip string // of the timeline, and of the handles at the ends of the played part
}

// Span is a part of a clip and what is said of it. Times are in seconds.
type Span struct {
	From, To float64
	Text     string
}

// Drag is what the mouse does to a timeline.
type Drag struct {
	Held bool    // the mouse holds the playhead
	Time float64 // new time of the playhead

	Ranging  bool    // the mouse draws a new range or moves an end of the old one
	From, To float64 // the new range
	Clear    bool    // a click asked for the whole clip
}

// Timeline draws a timeline over the full width of r. The left button moves the playhead and the handles at the ends of
// the range. The right button draws a new range. The numbers id to id+2 belong to it.
func (c *Context) Timeline(id int, r Rect, t *Timeline) (d Drag) {
	margin := c.Px(16) // keeps the handles and the first label inside the window
	track := Rect{r.X + margin, r.Y, r.W - 2*margin, r.H}
	ruler := Rect{track.X, r.Y, track.W, c.Px(20)}
	lane := Rect{track.X, ruler.Bottom(), track.W, r.H - ruler.H - c.Px(8)}
	d.Time, d.From, d.To = t.Time, t.From, t.To
	if t.Length <= 0 {
		c.ranging = false
		c.Fill(r, ColorInset, 0)
		c.Fill(lane.Inset(-c.Px(4), 0), ColorWidget.Alpha(0.6), c.Px(4))
		c.Text(lane, Small, ColorFaint, Center, "This model has no clip to play")
		return d
	}
	mx, _ := c.Mouse()
	under := t.Length * min(max(float64((mx-track.X)/track.W), 0), 1)
	x := func(at float64) float32 { return track.X + round(track.W*float32(min(max(at/t.Length, 0), 1))) }
	// The handles lie just outside of the range, so the playhead at its ends does not cover them. They react to the
	// mouse before the rest.
	w := c.Px(10)
	left, right := Rect{x(t.From) - w, ruler.Y, w, ruler.H}, Rect{x(t.To), ruler.Y, w, ruler.H}
	from, to := c.item(id+1, left, t.FromTip), c.item(id+2, right, t.ToTip)
	i := c.itemOf(id, r, buttonLeft|buttonRight, t.Tip)
	c.Tip(left, t.FromTip) // over the timeline's own
	c.Tip(right, t.ToTip)
	switch {
	case from.is(active):
		d.Ranging, d.From = true, min(under, t.To-1/t.Rate)
	case to.is(active):
		d.Ranging, d.To = true, max(under, t.From+1/t.Rate)
	case i.is(active) && bool(C.igIsMouseDown_Nil(1)):
		if i.is(activated) {
			c.ranging, c.range0 = true, under
		}
		d.Ranging, d.From, d.To = true, min(c.range0, under), max(c.range0, under)
	case c.ranging: // it ends where the button came up, which may be far from where the last frame saw the mouse
		c.ranging = false
		d.Clear = abs(x(c.range0)-mx) < c.Px(3)
		d.Ranging, d.From, d.To = !d.Clear, min(c.range0, under), max(c.range0, under)
	case i.is(active | clicked):
		d.Held, d.Time = true, under
	}
	if (i | from | to).is(hovered | active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}

	c.Fill(r, ColorInset, 0)
	c.Fill(lane.Inset(-c.Px(4), 0), ColorWidget.Alpha(0.6), c.Px(4))
	first, last := x(d.From), x(d.To)
	part := d.From > 0 || d.To < t.Length
	if part {
		c.Fill(Rect{first, ruler.Y, last - first, ruler.H}, ColorDeep.Alpha(0.75), 0)
	}
	c.ticks(ruler, lane, t, first, last)
	head := x(d.Time)
	if start := min(first, head); head > first {
		c.FillAcross(Rect{start, lane.Y, head - start, lane.H}, ColorAccent.Alpha(0.10), ColorAccent.Alpha(0.32))
	}
	c.keyMarks(lane, t)
	for k := range t.Notes {
		n := &t.Notes[k]
		at := Rect{x(n.From), lane.Bottom() - c.Px(15), x(n.To) - x(n.From), c.Px(14)}
		c.Fill(Rect{at.X, at.Y, 1, at.H}, ColorText.Alpha(0.25), 0)
		c.Text(at.Inset(c.Px(4), 0), Small, ColorDim, Left, n.Text)
		c.Tip(at, n.Text)
	}
	for k := range t.Faults {
		f := &t.Faults[k]
		at := Rect{x(f.From), lane.Y, max(x(f.To)-x(f.From), c.Px(3)), c.Px(5)}
		c.Fill(at, ColorError, 0)
		c.Tip(at, f.Text)
	}
	if part {
		c.Fill(Rect{lane.X - c.Px(4), lane.Y, first - lane.X + c.Px(4), lane.H}, ColorInset.Alpha(0.6), 0)
		c.Fill(Rect{last, lane.Y, lane.Right() + c.Px(4) - last, lane.H}, ColorInset.Alpha(0.6), 0)
	}
	c.rangeEnd(ruler, lane, first, -1, part, from.is(hovered|active))
	c.rangeEnd(ruler, lane, last, 1, part, to.is(hovered|active))
	c.playhead(ruler, lane, head, i.is(hovered|active) && !d.Ranging)
	switch {
	case d.Held:
		c.timeBubble(ruler, head, d.Time, t)
	case d.Ranging:
		c.timeBubble(ruler, x(under), under, t)
	case i.is(hovered):
		c.Fill(Rect{round(mx), lane.Y, 1, lane.H}, ColorText.Alpha(0.35), 0)
		c.timeBubble(ruler, x(under), under, t)
	}
	return d
}

// rangeEnd draws the flag at an end of the range, and a line through the lane if only a part is played.
func (c *Context) rangeEnd(ruler, lane Rect, x, side float32, part, lit bool) {
	ink := ColorFaint
	if part {
		ink = ColorAccent
		c.Fill(Rect{x, ruler.Y, 1, lane.Bottom() - ruler.Y}, ColorAccent.Alpha(0.7), 0)
	}
	if lit {
		ink = ColorText
	}
	y, s := ruler.Y+c.Px(3), c.Px(8)
	if side < 0 {
		c.triangle([3]point{{x, y}, {x, y + c.Px(12)}, {x - s, y + c.Px(6)}}, ink)
	} else {
		c.triangle([3]point{{x, y}, {x + s, y + c.Px(6)}, {x, y + c.Px(12)}}, ink)
	}
}

// ticks draws the ruler: labelled ticks far enough apart for their labels, and finer ticks between them. It leaves out
// a label that a handle of the range covers; left and right are the ends of the range.
func (c *Context) ticks(ruler, lane Rect, t *Timeline, left, right float32) {
	step, parts, decimals := tickStep(t.Length*float64(c.Px(84))/float64(ruler.W), t.Rate)
	minutes := t.Length >= 60
	for k := 0; ; k++ {
		at := step * float64(k)
		if at > t.Length*(1+1e-9) {
			break
		}
		x := ruler.X + round(ruler.W*float32(at/t.Length))
		c.Fill(Rect{x, ruler.Y + c.Px(14), 1, c.Px(6)}, ColorFaint, 0)
		c.Fill(Rect{x, lane.Y, 1, lane.H}, ColorText.Alpha(0.06), 0)
		s := c.line.Start().Clock(at, decimals, minutes).View()
		w := c.TextWidth(Small, s)
		// A label stands to the right of its tick and of a playhead at the tick. A label that would leave the ruler is
		// left out.
		from, to := x+c.Px(9), x+c.Px(9)+w
		covered := from < left && to > left-c.Px(10) || from < right+c.Px(10) && to > right
		if to < ruler.Right() && !covered {
			c.Text(Rect{from, ruler.Y + c.Px(2), w + 1, c.Px(14)}, Small, ColorFaint, Left, s)
		}
		for p := 1; p < parts; p++ {
			sub := at + step*float64(p)/float64(parts)
			if sub < t.Length {
				c.Fill(Rect{ruler.X + round(ruler.W*float32(sub/t.Length)), ruler.Y + c.Px(17), 1, c.Px(3)}, ColorHeld, 0)
			}
		}
	}
}

// tickStep returns a round step of at least least seconds, the parts between two labels, and a label's decimals.
func tickStep(least, rate float64) (step float64, parts, decimals int) {
	for _, s := range [...]struct {
		step            float64
		parts, decimals int
	}{
		{1 / rate, 1, 3}, {0.1, 3, 1}, {0.2, 6, 1}, {0.5, 5, 1}, {1, 10, 0}, {2, 4, 0}, {5, 5, 0}, {10, 10, 0},
		{15, 3, 0}, {30, 6, 0}, {60, 6, 0}, {120, 4, 0}, {300, 5, 0}, {600, 10, 0}, {1800, 6, 0}, {3600, 6, 0},
	} {
		if s.step >= least {
			return s.step, s.parts, s.decimals
		}
	}
	return math.Ceil(least/3600) * 3600, 1, 0
}

// keyMarks draws a diamond per key if they do not overlap: those of a key per frame would tell nothing.
func (c *Context) keyMarks(lane Rect, t *Timeline) {
	s := c.Px(3)
	if n := len(t.Keys); n == 0 || float32(n)*3*s > lane.W {
		return
	}
	y := lane.Y + round(lane.H/2)
	for _, at := range t.Keys {
		c.diamond(point{lane.X + round(lane.W*float32(at/t.Length)), y}, s, ColorDim)
	}
}

func (c *Context) playhead(ruler, lane Rect, x float32, lit bool) {
	w := c.Px(2)
	half := c.Px(6)
	if lit {
		half = c.Px(7)
	}
	top := ruler.Y + c.Px(6)
	c.Fill(Rect{x - w/2, top, w, lane.Bottom() - top}, ColorAccent, 0)
	c.Fill(Rect{x - half, top, 2 * half, c.Px(8)}, ColorAccent, c.Px(2))
	c.triangle([3]point{{x - half, top + c.Px(7)}, {x + half, top + c.Px(7)}, {x, top + c.Px(14)}}, ColorAccent)
}

// timeBubble writes a time into the ruler, beside x.
func (c *Context) timeBubble(ruler Rect, x float32, at float64, t *Timeline) {
	s := c.line.Start().Clock(at, 2, t.Length >= 60).S(" s").View()
	w, beside := c.TextWidth(Small, s)+c.Px(16), c.Px(9)
	left := x + beside
	if left+w > ruler.Right() {
		left = x - beside - w
	}
	bubble := Rect{round(left), ruler.Y, w, ruler.H}
	c.Fill(bubble, ColorHeld, c.Px(4))
	c.Text(bubble, Small, ColorText, Center, s)
}
