package ui

// Switch draws an on-off row with the key that does the same, and reports a click.
func (c *Context) Switch(id int, r Rect, label, key string, on bool) bool {
	i := c.clickable(id, r)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(26))
	track := Rect{slot.X, slot.Y + round((slot.H-c.Px(14))/2), c.Px(26), c.Px(14)}
	knob, fill := track.X+track.H/2, ColorHeld
	if on {
		knob, fill = track.Right()-track.H/2, ColorAccent
	}
	c.Fill(track, fill, track.H/2)
	c.Disc(knob, track.Y+track.H/2, track.H/2-c.Px(2), ColorText)
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

// Chip draws a small switch that is lit while on, with the key that does the same, and reports a click.
func (c *Context) Chip(id int, r Rect, label, key string, on bool) bool {
	i := c.clickable(id, r)
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
	if key != "" {
		c.Text(in.CutRight(c.TextWidth(Small, key)), Small, ColorFaint, Right, key)
		in.CutRight(c.Px(3))
	}
	c.Text(in, Small, ink, Left, label)
	return i.is(clicked)
}
