package ui

// extern struct ImGuiWindow *igGetCurrentWindow(void);
// extern void igNavMoveRequestTryWrapping(struct ImGuiWindow *, int flags);
import "C"

// MenuTitle draws a name that opens a menu, and reports a click.
func (c *Context) MenuTitle(id int, r Rect, name string, open bool, tip string) bool {
	i := c.clickable(id, r, tip)
	if i.is(hovered|active) || open {
		c.Fill(Rect{r.X - c.Px(6), r.Y, r.W + c.Px(12), r.H}, i.surface(ColorWidget), c.Px(4))
	}
	in := r
	arrow := in.CutRight(c.Px(18))
	ink := ColorDim
	if i.is(hovered | active) {
		ink = ColorText
	}
	c.foldArrow(arrow.X+round(arrow.W/2), r.Y+round(r.H/2), true, ink)
	c.Text(in, Title, ColorText, Left, name)
	return i.is(clicked)
}

// MenuCard draws the background of a menu in a panel that may be larger. Tips of its entries stand beside it.
func (c *Context) MenuCard(r Rect) {
	c.tip.card = r
	shadow := r.Inset(-c.Px(3), -c.Px(3))
	c.Fill(shadow, ColorBlack.Alpha(0.4), c.Px(8))
	c.Fill(r, ColorPanel.Alpha(1), c.Px(6))
	c.Outline(r, ColorEdge, c.Px(6))
}

// MenuRow draws an entry of a menu: its label, a note in the remaining room, and the keys of its tip. A faint entry is
// not available, but a click on it is reported so that the caller can say so. The arrow keys go on from the last entry
// to the first, and back.
func (c *Context) MenuRow(id int, r Rect, label, note string, faint bool, tip string) bool {
	i := c.clickable(id, r, tip)
	const loopY = 1 << 1
	C.igNavMoveRequestTryWrapping(C.igGetCurrentWindow(), loopY)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	ink := ColorText
	if faint {
		ink = ColorFaint
	}
	if _, key := splitTip(tip); key != "" {
		w := c.eachKey(key, nil) - c.Px(4)
		c.keys(in.CutRight(w), key)
		in.CutRight(c.Px(8))
	}
	w := min(c.TextWidth(Body, label)+1, in.W)
	c.Text(in.CutLeft(w), Body, ink, Left, label)
	in.CutLeft(c.Px(12))
	if in.W > c.Px(24) {
		c.Text(in, Small, ColorFaint, Right, note)
	}
	return i.is(clicked)
}

// Outside reports a click in r beside card. Call it after everything in the card, so that the card's items react first.
func (c *Context) Outside(id int, r, card Rect) bool {
	i := c.backdrop(id, r)
	x, y := c.Mouse()
	return i.is(clicked) && !card.Contains(x, y)
}
