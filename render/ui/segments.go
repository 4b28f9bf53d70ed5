package ui

// Segments draws alternatives side by side, and returns the one that is chosen now. Ids from id on belong to it.
func (c *Context) Segments(id int, r Rect, labels []string, chosen int) int {
	return c.SegmentsOff(id, r, labels, chosen, 0)
}

// SegmentsOff is Segments of which some cannot be chosen: those of the bits that are set in off.
func (c *Context) SegmentsOff(id int, r Rect, labels []string, chosen int, off uint) int {
	c.Fill(r, ColorInset, c.Px(5))
	in := r.Inset(c.Px(2), c.Px(2))
	w := in.W / float32(len(labels))
	style := Strong
	for _, label := range labels {
		if c.TextWidth(Strong, label) > w-c.Px(2) {
			style = Small // all alike, or it looks as if one stood out
		}
	}
	for k, label := range labels {
		left, right := round(in.X+w*float32(k)), round(in.X+w*float32(k+1))
		cell := Rect{left, in.Y, right - left, in.H}
		if off>>k&1 == 1 {
			c.Text(cell, style, ColorHeld, Center, label)
			continue
		}
		i := c.clickable(id+k, cell)
		ink := ColorDim
		switch {
		case k == chosen:
			c.Fill(cell, ColorHeld, c.Px(4))
			ink = ColorText
		case i.is(hovered | active):
			c.Fill(cell, ColorWidget, c.Px(4))
			ink = ColorText
		}
		c.Text(cell, style, ink, Center, label)
		if i.is(clicked) {
			chosen = k
		}
	}
	return chosen
}

// Stepper draws a text between two arrows and returns −1, 0 or 1: the way in which an arrow was clicked. Ids id and
// id+1 belong to it.
func (c *Context) Stepper(id int, r Rect, text string) (by int) {
	left, right := r.CutLeft(c.Px(22)), r.CutRight(c.Px(22))
	for k, b := range [...]Rect{left, right} {
		i := c.clickable(id+k, b)
		c.Fill(b, i.surface(ColorWidget), c.Px(4))
		x, y, s := b.X+round(b.W/2), b.Y+round(b.H/2), c.Px(4)
		if k == 0 {
			c.triangle(x+s/2, y-s, x+s/2, y+s, x-s, y, ColorDim)
		} else {
			c.triangle(x-s/2, y-s, x-s/2, y+s, x+s, y, ColorDim)
		}
		if i.is(clicked) {
			by = 2*k - 1
		}
	}
	c.Text(r.Inset(c.Px(4), 0), Body, ColorText, Center, text)
	return by
}
