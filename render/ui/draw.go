package ui

// #cgo noescape skText
// #cgo noescape skTextSize
// #include "cimgui.h"
import "C"

import (
	"math"
	"unicode/utf8"
	"unsafe"
)

// Rect is a rectangle in logical pixels.
type Rect struct{ X, Y, W, H float32 }

func (r Rect) Contains(x, y float32) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Inset returns r without dx at the left and right and dy at the top and bottom.
func (r Rect) Inset(dx, dy float32) Rect { return Rect{r.X + dx, r.Y + dy, r.W - 2*dx, r.H - 2*dy} }

// Within returns the part of r that is in other. It is empty where W or H is not above 0.
func (r Rect) Within(other Rect) Rect {
	x, y := max(r.X, other.X), max(r.Y, other.Y)
	return Rect{x, y, min(r.Right(), other.Right()) - x, min(r.Bottom(), other.Bottom()) - y}
}

func (r Rect) Right() float32 { return r.X + r.W }

func (r Rect) Bottom() float32 { return r.Y + r.H }

// CutTop removes a strip of height h from the top of r and returns it.
func (r *Rect) CutTop(h float32) Rect {
	top := Rect{r.X, r.Y, r.W, h}
	r.Y += h
	r.H -= h
	return top
}

// CutLeft removes a strip of width w from the left of r and returns it.
func (r *Rect) CutLeft(w float32) Rect {
	left := Rect{r.X, r.Y, w, r.H}
	r.X += w
	r.W -= w
	return left
}

// CutRight removes a strip of width w from the right of r and returns it.
func (r *Rect) CutRight(w float32) Rect {
	r.W -= w
	return Rect{r.X + r.W, r.Y, w, r.H}
}

// Third returns the part with number k, 0 to 2, of a row cut into three with gaps between them.
func (r Rect) Third(k int, gap float32) Rect {
	w := (r.W - 2*gap) / 3
	left := round(r.X + (w+gap)*float32(k))
	return Rect{left, r.Y, round(r.X+(w+gap)*float32(k)+w) - left, r.H}
}

// Align is the horizontal place of text in its rectangle. Vertically, text is always centred.
type Align int

const (
	Left Align = iota
	Center
	Right
)

func round(x float32) float32 { return float32(math.Round(float64(x))) }

func vec2(x, y float32) C.ImVec2 { return C.ImVec2{x: C.float(x), y: C.float(y)} }

// chars passes text to C without copying. C reads it during the call only, and it needs no zero byte at its end.
func (c *Context) chars(s string) (*C.char, C.int) {
	c.note(s)
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.int(len(s))
}

// Fill draws a rectangle with corners of the given radius in logical pixels.
func (c *Context) Fill(r Rect, k Color, radius float32) {
	c.recordFill(r, k)
	C.ImDrawList_AddRectFilled(c.dl, vec2(r.X, r.Y), vec2(r.Right(), r.Bottom()), C.ImU32(k), C.float(radius), 0)
}

// FillAcross draws a rectangle that blends from left to right.
func (c *Context) FillAcross(r Rect, left, right Color) {
	C.ImDrawList_AddRectFilledMultiColor(c.dl, vec2(r.X, r.Y), vec2(r.Right(), r.Bottom()),
		C.ImU32(left), C.ImU32(right), C.ImU32(right), C.ImU32(left))
}

// FillDown draws a rectangle that blends from top to bottom.
func (c *Context) FillDown(r Rect, top, bottom Color) {
	C.ImDrawList_AddRectFilledMultiColor(c.dl, vec2(r.X, r.Y), vec2(r.Right(), r.Bottom()),
		C.ImU32(top), C.ImU32(top), C.ImU32(bottom), C.ImU32(bottom))
}

// Outline draws the edge of a rectangle, one logical pixel wide and inside it.
func (c *Context) Outline(r Rect, k Color, radius float32) {
	C.ImDrawList_AddRect(c.dl, vec2(r.X, r.Y), vec2(r.Right(), r.Bottom()), C.ImU32(k), C.float(radius), 0, 1)
}

// Line draws a line of the given thickness in logical pixels.
func (c *Context) Line(x0, y0, x1, y1 float32, k Color, thickness float32) {
	C.ImDrawList_AddLine(c.dl, vec2(x0, y0), vec2(x1, y1), C.ImU32(k), C.float(thickness))
}

// point is a place in logical pixels.
type point struct{ x, y float32 }

func (c *Context) triangle(p [3]point, k Color) {
	C.ImDrawList_AddTriangleFilled(c.dl, vec2(p[0].x, p[0].y), vec2(p[1].x, p[1].y), vec2(p[2].x, p[2].y), C.ImU32(k))
}

// diamond fills a square that stands on a corner; far is the distance of the corners from the middle.
func (c *Context) diamond(at point, far float32, k Color) {
	left, right := point{at.x - far, at.y}, point{at.x + far, at.y}
	c.triangle([3]point{left, {at.x, at.y - far}, right}, k)
	c.triangle([3]point{left, right, {at.x, at.y + far}}, k)
}

func (c *Context) Disc(x, y, radius float32, k Color) {
	c.recordFill(Rect{x - radius, y - radius, 2 * radius, 2 * radius}, k)
	C.ImDrawList_AddCircleFilled(c.dl, vec2(x, y), C.float(radius), C.ImU32(k), 0)
}

// arc is a part of a circle between two angles in radians, clockwise from +x on the screen.
type arc struct {
	center           point
	radius, from, to float32
}

func (c *Context) arc(a arc, k Color, thickness float32) {
	C.ImDrawList_PathArcTo(c.dl, vec2(a.center.x, a.center.y), C.float(a.radius), C.float(a.from), C.float(a.to), 0)
	C.ImDrawList_PathStroke(c.dl, C.ImU32(k), 0, C.float(thickness))
}

func (c *Context) Ring(x, y, radius float32, k Color, thickness float32) {
	c.arc(arc{point{x, y}, radius, 0, 2 * math.Pi}, k, thickness)
}

// Clip limits drawing to the part of r that is within the current limit. Every Clip is followed by one Unclip.
func (c *Context) Clip(r Rect) {
	C.ImDrawList_PushClipRect(c.dl, vec2(r.X, r.Y), vec2(r.Right(), r.Bottom()), true)
}

func (c *Context) Unclip() { C.ImDrawList_PopClipRect(c.dl) }

// size returns the font size of a style in logical pixels.
func (c *Context) size(st Style) float32 { return round(st.size * c.scale) }

// TextWidth returns the width of a line of text in logical pixels.
func (c *Context) TextWidth(st Style, s string) float32 {
	if s == "" {
		return 0
	}
	p, n := c.chars(s)
	return float32(C.skTextSize(c.fonts[st.font], C.float(c.size(st)), 0, p, n).x)
}

// TextHeight returns the height in logical pixels of text that is wrapped at width.
func (c *Context) TextHeight(st Style, s string, width float32) float32 {
	if s == "" {
		return 0
	}
	p, n := c.chars(s)
	return float32(C.skTextSize(c.fonts[st.font], C.float(c.size(st)), C.float(width), p, n).y)
}

// Text draws one line in r. Text that is too wide has an ellipsis in its middle, and a tip with all of it.
func (c *Context) Text(r Rect, st Style, k Color, at Align, s string) {
	if s == "" {
		return
	}
	w := c.TextWidth(st, s)
	y := r.Y + round((r.H-c.size(st))/2)
	if w > r.W+0.5 {
		c.recordText(Rect{r.X, y, w, c.size(st)}, s, k, false)
		c.Tip(r, s) // all of it
		c.textCut(r.X, y, r.W, st, k, s)
		return
	}
	x := r.X
	switch at {
	case Center:
		x += round((r.W - w) / 2)
	case Right:
		x += r.W - round(w)
	}
	c.recordText(Rect{x, y, w, c.size(st)}, s, k, true)
	c.text(x, y, st, k, 0, s)
}

// TextWrapped draws text from the top of r downwards, in lines as wide as r.
func (c *Context) TextWrapped(r Rect, st Style, k Color, s string) {
	if s != "" {
		if c.record.to != nil {
			h := c.TextHeight(st, s, r.W)
			c.recordText(Rect{r.X, r.Y, r.W, h}, s, k, h <= r.H+1)
		}
		c.text(r.X, r.Y, st, k, r.W, s)
	}
}

func (c *Context) text(x, y float32, st Style, k Color, wrap float32, s string) {
	p, n := c.chars(s)
	C.skText(c.dl, c.fonts[st.font], C.float(c.size(st)), C.float(x), C.float(y), C.ImU32(k), C.float(wrap), p, n)
}

// textCut draws the beginning and the end of a text with an ellipsis between them.
func (c *Context) textCut(x, y, width float32, st Style, k Color, s string) {
	const dots = "…"
	if width <= 0 {
		return
	}
	start, end := cutMiddle(s, width-c.TextWidth(st, dots), func(s string) float32 { return c.TextWidth(st, s) })
	for _, part := range [...]string{start, dots, end} {
		if part != "" {
			c.text(x, y, st, k, 0, part)
			x += c.TextWidth(st, part)
		}
	}
}

// cutMiddle returns the beginning and the end of a text that fit into room, half of it each: names differ in both, as
// those of mixamorig:LeftUpLeg and mixamorig:RightUpLeg.
func cutMiddle(s string, room float32, width func(string) float32) (start, end string) {
	from, to := len(s), 0
	for k := from; k > 0; {
		_, n := utf8.DecodeLastRuneInString(s[:k])
		if k -= n; width(s[k:]) > room/2 {
			break
		}
		from = k
	}
	for to < from {
		_, n := utf8.DecodeRuneInString(s[to:])
		if width(s[:to+n])+width(s[from:]) > room {
			break
		}
		to += n
	}
	return s[:to], s[from:]
}
