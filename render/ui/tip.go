package ui

// #include "cimgui.h"
//
// extern bool igIsMouseHoveringRect(ImVec2 least, ImVec2 most, bool clip);
// extern bool igIsWindowHovered(int flags);
//
// static inline bool skOver(float x, float y, float w, float h) {
// 	return igIsWindowHovered(0) && igIsMouseHoveringRect((ImVec2){x, y}, (ImVec2){x + w, y + h}, true);
// }
import "C"

import "time"

// tipDelay is how long the mouse rests on something before its tip is shown. A hand on its way to another place shows
// none.
const tipDelay = 450 * time.Millisecond

// tipState is the tip about what is under the mouse.
type tipState struct {
	text  Line
	of    Rect      // what it explains; empty for none
	asked Rect      // what this frame asks to explain
	since time.Time // the mouse has been on it
}

// Tip explains what is drawn in r. [Context.DrawTip] shows the text after the mouse has rested on r. The text is
// copied. Of two tips under the mouse the later one counts: that of a part stands after that of the whole.
func (c *Context) Tip(r Rect, text string) {
	if !bool(C.skOver(C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H))) {
		return
	}
	c.tip.asked = r
	c.tip.text.Start().S(text)
}

// Tip is shown at most this wide, in design pixels.
const tipWidth = 260

// DrawTip draws the tip of this frame in a panel over all others, inside all. It returns how long the mouse still has
// to rest before the tip is shown, 0 where none is to come.
func (c *Context) DrawTip(p Panel, all Rect) (wait time.Duration) {
	t := &c.tip
	if t.asked != t.of {
		t.of, t.since = t.asked, time.Now()
	}
	t.asked = Rect{}
	if t.of == (Rect{}) {
		return 0
	}
	if wait = tipDelay - time.Since(t.since); wait > 0 {
		return wait
	}
	pad, text := c.Px(8), t.text.View()
	w := min(c.TextWidth(Small, text), c.Px(tipWidth), all.W-4*pad)
	r := Rect{W: round(w) + 2*pad + 1, H: round(c.TextHeight(Small, text, w+1)) + 2*pad}
	mx, my := c.Mouse()
	r.X = min(max(mx-r.W/2, all.X+pad), all.Right()-r.W-pad)
	if r.Y = my + c.Px(20); r.Bottom() > all.Bottom()-pad {
		r.Y = my - c.Px(10) - r.H
	}
	c.BeginLayer(p, r)
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(5))
	c.Outline(r, ColorEdge, c.Px(5))
	c.TextWrapped(Rect{r.X + pad, r.Y + pad, w + 1, r.H}, Small, ColorText, text)
	c.EndPanel()
	return 0
}
