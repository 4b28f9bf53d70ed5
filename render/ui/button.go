package ui

// IconButton draws a button with an icon, in the accent colour if on, and reports a click.
func (c *Context) IconButton(id int, r Rect, icon Icon, on bool, tip string) bool {
	i, ink := c.press(id, r, tip), ColorText
	if on {
		ink = ColorAccent
	}
	c.icon(r, icon, ink)
	return i.is(clicked)
}

type Look int

const (
	Plain   Look = iota
	Primary      // the main action
	Off          // drawn, but it cannot be pressed
)

// PlainIf is Plain for a button that can be pressed, else Off.
func PlainIf(on bool) Look {
	if on {
		return Plain
	}
	return Off
}

// Button draws a button with a label and reports a click. Progress, 0 to 1, fills it from the left.
func (c *Context) Button(id int, r Rect, label string, look Look, progress float64, tip string) bool {
	if look == Off {
		c.widget(id, r, tip)
		c.Fill(r, ColorWidget.Alpha(0.5), c.Px(4))
		c.Text(r, Strong, ColorFaint, Center, label)
		return false
	}
	i := c.clickable(id, r, tip)
	fill := i.surface(ColorWidget)
	if look == Primary {
		fill = ColorDeep
		if i.is(hovered | active) {
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

// TextButton draws a small plain button and reports a click.
func (c *Context) TextButton(id int, r Rect, label, tip string) bool {
	i := c.press(id, r, tip)
	c.Text(r, Small, ColorText, Center, label)
	return i.is(clicked)
}

// Switch draws a row that turns something on or off, with the keys of its tip, and reports a click.
func (c *Context) Switch(id int, r Rect, label string, on bool, tip string) bool {
	i := c.clickable(id, r, tip)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(26))
	track := Rect{slot.X, slot.Y + round((slot.H-c.Px(14))/2), c.Px(26), c.Px(14)}
	knob, fill, ink := track.X+track.H/2, ColorHeld, ColorText
	if on {
		knob, fill, ink = track.Right()-track.H/2, ColorAccent, ColorInset
	}
	c.Fill(track, fill, track.H/2)
	c.Disc(knob, track.Y+track.H/2, track.H/2-c.Px(2), ink)
	in.CutLeft(c.Px(10))
	if _, keys := splitTip(tip); keys != "" {
		w := max(c.Px(18), c.TextWidth(Small, keys)+c.Px(10))
		cap := in.CutRight(w)
		c.keycap(Rect{cap.X, cap.Y + round((cap.H-c.Px(18))/2), w, c.Px(18)}, keys)
		in.CutRight(c.Px(6))
	}
	c.Text(in, Body, ColorText, Left, label)
	return i.is(clicked)
}

// Chip draws a small switch, and reports a click. It has room for a key of its tip that is one character.
func (c *Context) Chip(id int, r Rect, label string, on bool, tip string) bool {
	i := c.clickable(id, r, tip)
	ink, fill := ColorDim, i.surface(ColorWidget)
	if on {
		ink, fill = ColorText, ColorDeep
		if i.is(hovered | active) {
			fill = ColorDeepHover
		}
	}
	c.Fill(r, fill, c.Px(4))
	if on {
		c.Fill(Rect{r.X, r.Y, c.Px(3), r.H}, ColorAccent, c.Px(2))
	}
	in := r.Inset(c.Px(8), 0)
	if _, key := splitTip(tip); len(key) == 1 {
		c.Text(in.CutRight(c.TextWidth(Small, key)), Small, ColorFaint, Right, key)
		in.CutRight(c.Px(3))
	}
	c.Text(in, Small, ink, Left, label)
	return i.is(clicked)
}
