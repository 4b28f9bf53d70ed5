package ui

// IconButton draws a button with an icon, lit in the accent where on, and reports a click.
func (c *Context) IconButton(id int, r Rect, icon Icon, on bool) bool {
	i := c.item(id, r)
	c.hand(i)
	ink := ColorText
	if on {
		ink = ColorAccent
	}
	c.Fill(r, i.surface(ColorWidget), c.Px(4))
	c.icon(r, icon, ink)
	return i.is(clicked)
}

// Look is how much a button asks to be pressed.
type Look int

// The looks of buttons.
const (
	Plain   Look = iota
	Primary      // what a person comes here for
	Off          // shown, but it cannot be pressed now
)

// Button draws a button with a label and reports a click. Progress from 0 to 1 fills it from the left.
func (c *Context) Button(id int, r Rect, label string, look Look, progress float64) bool {
	if look == Off {
		c.Fill(r, ColorWidget.Alpha(0.5), c.Px(4))
		c.Text(r, Strong, ColorFaint, Center, label)
		return false
	}
	i := c.item(id, r)
	c.hand(i)
	fill := i.surface(ColorWidget)
	if look == Primary {
		if fill = ColorDeep; i.is(hovered | active) {
			fill = ColorDeepHover
		}
	}
	c.Fill(r, fill, c.Px(4))
	if progress > 0 {
		done := r
		done.W = round(r.W * float32(min(progress, 1)))
		c.Fill(done, ColorDeep, c.Px(4))
		c.Fill(Rect{r.X, r.Bottom() - c.Px(2), done.W, c.Px(2)}, ColorAccent, 0)
	}
	c.Text(r, Strong, ColorText, Center, label)
	return i.is(clicked)
}

// Choice is one of several alternatives: its key, its short name, what it is, and its cost on a scale of four.
type Choice struct {
	Key, Short, Title string
	Cost              int
	Chosen            bool // shown
	Other             bool // shown beside the chosen one
}

// Choice draws an alternative as a row of two lines, or of one where r is low, and reports a click.
func (c *Context) Choice(id int, r Rect, a *Choice) bool {
	i := c.item(id, r)
	c.hand(i)
	short, title, fill := ColorText, ColorDim, i.surface(ColorWidget)
	if a.Chosen {
		short, fill = ColorText, ColorDeep
	}
	c.Fill(r, fill, c.Px(5))
	if a.Chosen || a.Other {
		c.Fill(Rect{r.X, r.Y, c.Px(3), r.H}, ColorAccent, c.Px(2))
	}
	in := r.Inset(c.Px(10), c.Px(4))
	key := in.CutLeft(c.Px(18))
	c.keycap(Rect{key.X, r.Y + round((r.H-c.Px(18))/2), key.W, c.Px(18)}, a.Key)
	in.CutLeft(c.Px(10))
	if r.H < c.Px(36) {
		c.CostMeter(in.CutRight(c.Px(CostMeterWidth)), a.Cost)
		c.Text(in.CutLeft(c.Px(48)), Strong, short, Left, a.Short)
		in.CutRight(c.Px(6))
		c.Text(in, Small, title, Left, a.Title)
		return i.is(clicked)
	}
	top := in.CutTop(round(in.H / 2))
	c.CostMeter(top.CutRight(c.Px(CostMeterWidth)), a.Cost)
	c.Text(top, Strong, short, Left, a.Short)
	c.Text(in, Small, title, Left, a.Title)
	return i.is(clicked)
}

// CostMeterWidth is the width of a cost meter in design pixels.
const CostMeterWidth = 4 * 6

// CostMeter draws a cost as so many of four bars, from the left of r.
func (c *Context) CostMeter(r Rect, cost int) {
	h := c.Px(10)
	for k := range 4 {
		ink := ColorHeld
		if k < cost {
			ink = ColorAccent
		}
		bar := Rect{r.X + c.Px(6)*float32(k), r.Y + round((r.H-h)/2), c.Px(4), h}
		c.Fill(bar, ink, c.Px(1))
	}
}

// Switch draws an on-off row with the key that does the same, and reports a click.
func (c *Context) Switch(id int, r Rect, label, key string, on bool) bool {
	i := c.item(id, r)
	c.hand(i)
	if i.is(hovered | active) {
		c.Fill(r, i.surface(0), c.Px(4))
	}
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(26))
	track := Rect{slot.X, slot.Y + round((slot.H-c.Px(14))/2), c.Px(26), c.Px(14)}
	knob, fill := track.X+track.H/2, ColorHeld
	if on {
		knob, fill = track.Right()-track.H/2, ColorAccent
	}
	c.Fill(track, fill, track.H/2)
	c.circle(knob, track.Y+track.H/2, track.H/2-c.Px(2), ColorText)
	in.CutLeft(c.Px(10))
	if key != "" {
		w := max(c.Px(18), c.TextWidth(Small, key)+c.Px(10))
		cap := in.CutRight(w)
		c.keycap(Rect{cap.X, cap.Y + round((cap.H-c.Px(18))/2), w, c.Px(18)}, key)
		in.CutRight(c.Px(6))
	}
	c.Text(in, Body, ColorText, Left, label)
	return i.is(clicked)
}

// keycap draws the name of a key as its cap.
func (c *Context) keycap(r Rect, key string) {
	c.Fill(r, ColorInset, c.Px(3))
	c.Outline(r, ColorEdge, c.Px(3))
	c.Text(r, Small, ColorDim, Center, key)
}

// ListRow draws a line of a list, lit where chosen, with a note at its right, and reports a click.
func (c *Context) ListRow(id int, r Rect, label, note string, chosen bool) bool {
	i := c.item(id, r)
	c.hand(i)
	ink, fill := ColorDim, i.surface(0)
	if chosen {
		ink, fill = ColorText, ColorDeep
	} else if i.is(hovered) {
		ink = ColorText
	}
	if fill != 0 {
		c.Fill(r, fill, c.Px(4))
	}
	in := r.Inset(c.Px(8), 0)
	c.Text(in.CutRight(c.TextWidth(Small, note)), Small, ColorFaint, Right, note)
	in.CutRight(c.Px(8))
	c.Text(in, Body, ink, Left, label)
	return i.is(clicked)
}

// Disclosure draws the heading of a list that opens and closes, and reports a click.
func (c *Context) Disclosure(id int, r Rect, label string, ink Color, open bool) bool {
	i := c.item(id, r)
	c.hand(i)
	if i.is(hovered | active) {
		c.Fill(r, i.surface(0), c.Px(4))
	}
	in := r.Inset(c.Px(8), 0)
	x, y, s := in.X+c.Px(4), r.Y+r.H/2, c.Px(4)
	if open {
		c.triangle(x-s, y-s/2, x+s, y-s/2, x, y+s*0.6, ink)
	} else {
		c.triangle(x-s/2, y-s, x+s*0.6, y, x-s/2, y+s, ink)
	}
	in.CutLeft(c.Px(16))
	c.Text(in, Body, ink, Left, label)
	return i.is(clicked)
}

// Value draws a name and its value at the two ends of a row.
func (c *Context) Value(r Rect, name, value string) {
	w := min(c.TextWidth(Body, value), r.W*0.7)
	c.Text(r.CutRight(w), Body, ColorText, Right, value)
	r.CutRight(c.Px(8))
	c.Text(r, Body, ColorDim, Left, name)
}
