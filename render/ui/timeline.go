package ui

// #include "cimgui.h"
import "C"

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Timeline is what the timeline shows. Times are in seconds.
type Timeline struct {
	Length, Time float64
	Rate         float64   // frames a second of the frame grid
	Keys         []float64 // sorted times of the clip's keys
}

// Timeline draws a timeline over the full width of r. While the mouse holds it, wherever the mouse goes, held is true and
// time is where the playhead should be; otherwise time is t.Time.
func (c *Context) Timeline(id int, r Rect, t *Timeline) (time float64, held bool) {
	i := c.item(id, r)
	margin := c.Px(16) // the playhead's handle and the first label stay inside the window
	track := Rect{r.X + margin, r.Y, r.W - 2*margin, r.H}
	time = t.Time
	mx, _ := c.Mouse()
	under := t.Length * min(max(float64((mx-track.X)/track.W), 0), 1)
	if t.Length > 0 && i.is(active) {
		time, held = under, true
	}
	if t.Length > 0 && i.is(hovered|active) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}

	c.Fill(r, ColorInset, 0)
	ruler := Rect{track.X, r.Y, track.W, c.Px(20)}
	lane := Rect{track.X, ruler.Bottom(), track.W, r.H - ruler.H - c.Px(8)}
	c.Fill(lane.Inset(-c.Px(4), 0), ColorWidget.Alpha(0.6), c.Px(4))
	if t.Length <= 0 {
		c.Text(lane, Small, ColorFaint, Center, "This model has no clip to play")
		return time, false
	}
	c.ticks(ruler, lane, t)
	x := func(at float64) float32 { return track.X + round(track.W*float32(min(max(at/t.Length, 0), 1))) }
	head := x(time)
	c.FillAcross(Rect{lane.X, lane.Y, head - lane.X, lane.H}, ColorAccent.Alpha(0.10), ColorAccent.Alpha(0.32))
	c.keyMarks(lane, t)
	c.playhead(ruler, lane, head, i.is(hovered|active))
	if i.is(hovered) && !held {
		c.Fill(Rect{round(mx), lane.Y, 1, lane.H}, ColorText.Alpha(0.35), 0)
		c.timeBubble(r, x(under), under, t)
	} else if held {
		c.timeBubble(r, head, time, t)
	}
	return time, held
}

// ticks draws the ruler: labelled ticks at a step that keeps labels apart, and finer ones between them.
func (c *Context) ticks(ruler, lane Rect, t *Timeline) {
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
		// A label stands right of its tick and of a playhead there; the last one is left out where it would leave the ruler.
		if x+c.Px(9)+w < ruler.Right() {
			c.Text(Rect{x + c.Px(9), ruler.Y + c.Px(2), w + 1, c.Px(14)}, Small, ColorFaint, Left, s)
		}
		for p := 1; p < parts; p++ {
			sub := at + step*float64(p)/float64(parts)
			if sub < t.Length {
				c.Fill(Rect{ruler.X + round(ruler.W*float32(sub/t.Length)), ruler.Y + c.Px(17), 1, c.Px(3)}, ColorHeld, 0)
			}
		}
	}
}

// tickStep returns a round step of at least least seconds, into how many parts it divides, and the decimals of its labels.
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

// keyMarks draws a small diamond per key while they stay apart; a motion capture clip has a key per frame, which says nothing.
func (c *Context) keyMarks(lane Rect, t *Timeline) {
	s := c.Px(3)
	if n := len(t.Keys); n == 0 || float32(n)*3*s > lane.W {
		return
	}
	y := lane.Y + round(lane.H/2)
	for _, at := range t.Keys {
		x := lane.X + round(lane.W*float32(at/t.Length))
		c.triangle(x-s, y, x, y-s, x+s, y, ColorDim)
		c.triangle(x-s, y, x+s, y, x, y+s, ColorDim)
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
	c.triangle(x-half, top+c.Px(7), x+half, top+c.Px(7), x, top+c.Px(14), ColorAccent)
}

// timeBubble writes a time above the timeline, on the layer over the picture.
func (c *Context) timeBubble(r Rect, x float32, at float64, t *Timeline) {
	s := c.line.Start().Clock(at, 2, t.Length >= 60).S(" s").View()
	w := c.TextWidth(Small, s) + c.Px(16)
	h := c.Px(20)
	left := min(max(round(x-w/2), r.X+c.Px(4)), r.Right()-w-c.Px(4))
	bubble := Rect{left, r.Y - h, w, h}
	C.ImDrawList_PushClipRect(c.dl, vec2(bubble.X, bubble.Y), vec2(bubble.Right(), bubble.Bottom()), false)
	c.Fill(bubble, ColorHeld, c.Px(4))
	c.Text(bubble, Small, ColorText, Center, s)
	c.popClip()
}
