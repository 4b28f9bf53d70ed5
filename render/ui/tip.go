package ui

// #include "cimgui.h"
//
// extern bool igIsMouseHoveringRect(ImVec2 least, ImVec2 most, bool clip);
// extern bool igIsWindowHovered(int flags);
//
// extern struct ImGuiWindow *igGetCurrentWindow(void);
// extern void igBringWindowToDisplayFront(struct ImGuiWindow *);
//
// static inline bool skOver(float x, float y, float w, float h) {
// 	enum { ALTHOUGH_AN_ITEM_IS_ACTIVE = 1 << 7 }; // a field in which the user types
// 	return igIsWindowHovered(ALTHOUGH_AN_ITEM_IS_ACTIVE) && igIsMouseHoveringRect((ImVec2){x, y}, (ImVec2){x + w, y + h}, true);
// }
import "C"

import (
	"strings"
	"time"
)

// tipDelay is how long the mouse must rest on something before its tip is shown.
const tipDelay = 600 * time.Millisecond

// tipState is the tip about the thing under the mouse.
type tipState struct {
	text  Line
	words Line      // of [Context.Words]
	of    Rect      // the area that it explains; empty for none
	asked Rect      // what this frame asks to explain
	panel Rect      // of what is asked; empty for a layer
	card  Rect      // of the panel that is drawn, or of the menu in it
	since time.Time // the mouse has been on it
	// Of the last press or key: what it was on, and where. Nothing is explained before the mouse leaves both.
	pressed Rect
	x, y    float32
	after   bool
}

// silent takes presses and reports whether nothing is to be explained: while a button is down or a field is edited, and
// after a press or a key until the mouse has left its place and what it was on.
func (t *tipState) silent(c *Context, held bool) bool {
	x, y := c.Mouse()
	if held || bool(C.igIsMouseDown_Nil(0)) || bool(C.igIsMouseDown_Nil(1)) || bool(C.igIsMouseDown_Nil(2)) {
		t.pressed, t.x, t.y, t.after = t.asked, x, y, true
		return true
	}
	near := c.Px(8)
	if t.after && (t.asked == t.pressed || abs(x-t.x) < near && abs(y-t.y) < near) {
		return true
	}
	t.after = false
	return c.typing
}

// KeyPressed hides the tip until the mouse moves.
func (c *Context) KeyPressed() {
	x, y := c.Mouse()
	c.tip.pressed, c.tip.x, c.tip.y, c.tip.after = c.tip.of, x, y, true
}

// Tip explains the thing in r, with the unit of its number. The keys that do the same may follow after a tab, separated
// by spaces as in the help: "Plays the clip.\tSpace". [Context.DrawTip] shows the tip after the mouse has rested on r.
// In a layer, which ignores the mouse, r counts where no panel covers it. The text is copied. Of two tips under the
// mouse the later one counts, so the tip of a part comes after the tip of the whole.
func (c *Context) Tip(r Rect, tip string) {
	if tip == "" {
		return
	}
	c.recordTip(r, tip)
	if x, y := c.Mouse(); !r.Contains(x, y) || c.layer && c.Covers(x, y) {
		return // most items, without a call of the library for each
	}
	if c.layer || bool(C.skOver(C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H))) {
		c.explain(r, tip)
	}
}

// Term is [Context.Text] with a tip.
func (c *Context) Term(r Rect, st Style, k Color, at Align, s, tip string) {
	c.Tip(r, tip)
	c.Text(r, st, k, at, s)
}

// explain is Tip for something that is known to be under the mouse.
func (c *Context) explain(r Rect, tip string) {
	c.tip.asked, c.tip.panel = r, Rect{}
	if !c.layer {
		c.tip.panel = c.tip.card
	}
	c.tip.text.Start().S(tip)
}

// Words starts a line for the text of a tip. It is valid until the next call of Words.
func (c *Context) Words() *Line { return c.tip.words.Start() }

// splitTip returns the sentence of a tip and its keys.
func splitTip(tip string) (text, keys string) {
	text, keys, _ = strings.Cut(tip, "\t")
	return text, keys
}

// Tip is shown at most this wide, in design pixels.
const tipWidth = 280

// tallest is the height in design pixels above which an area's tip stands beside the mouse, not the area.
const tallest = 48

// placeTip returns the place of a tip of a size that explains what is at, in all. The tip covers neither that nor, where
// there is room beside or above it, the panel of that: the side towards the middle comes first. The panel is empty for a
// layer.
func placeTip(w, h, gap float32, at, panel, all Rect) (r Rect) {
	if panel == (Rect{}) {
		panel = at
	}
	level := at.Y + round((at.H-h)/2)
	left, right := Rect{panel.X - gap - w, level, w, h}, Rect{panel.Right() + gap, level, w, h}
	if panel.X+panel.Right() < all.X+all.Right() {
		left, right = right, left
	}
	above, below := Rect{at.X, panel.Y - gap - h, w, h}, Rect{at.X, at.Bottom() + gap, w, h}
	free := panel
	for k, place := range [...]Rect{left, right, above, below, {at.X, at.Y - gap - h, w, h}} {
		if k == 3 {
			free = at
		}
		r = place
		r.X, r.Y = min(max(r.X, all.X), all.Right()-w), min(max(r.Y, all.Y), all.Bottom()-h)
		if on := r.Within(free); on.W <= 0 || on.H <= 0 {
			break
		}
	}
	return r
}

// DrawTip draws the tip of this frame in a panel over all others, inside all. It returns the time that the mouse still
// has to rest before the tip is shown, 0 if no tip is to come. Held says that the mouse drags something that this
// package does not know of.
func (c *Context) DrawTip(p Panel, all Rect, held bool) (wait time.Duration) {
	t := &c.tip
	if t.silent(c, held) {
		t.asked = Rect{}
	}
	if t.asked != t.of {
		t.of, t.since = t.asked, time.Now()
	}
	t.asked = Rect{}
	if t.of == (Rect{}) {
		return 0
	}
	wait = tipDelay - time.Since(t.since)
	if wait > 0 {
		return wait
	}
	text, keys := splitTip(t.text.View())
	pad, keysH := c.Px(8), float32(0)
	w := c.TextWidth(Small, text)
	if keys != "" {
		w, keysH = max(w, c.eachKey(keys, nil)), c.Px(6+20)
	}
	w = min(w, c.Px(tipWidth), all.W-4*pad) + 1
	h := c.TextHeight(Small, text, w)
	at := t.of
	if at.H > c.Px(tallest) { // beside the mouse
		mx, my := c.Mouse()
		at = Rect{mx - c.Px(10), my - c.Px(10), c.Px(20), c.Px(10 + 20)}
	}
	r := placeTip(round(w)+2*pad, round(h+keysH)+2*pad, c.Px(6), at, t.panel, all.Inset(pad, pad))
	c.BeginLayer(p, r)
	C.igBringWindowToDisplayFront(C.igGetCurrentWindow()) // over the overlays
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(5))
	c.Outline(r, ColorEdge, c.Px(5))
	c.TextWrapped(Rect{r.X + pad, r.Y + pad, w, h}, Small, ColorText, text)
	if keys != "" {
		c.keys(Rect{r.X + pad, r.Bottom() - pad - c.Px(20), w, c.Px(20)}, keys)
	}
	c.EndPanel()
	return 0
}
