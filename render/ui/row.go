package ui

// ListRow draws a line of a list, lit where chosen, with a note at its right, and reports a click.
func (c *Context) ListRow(id int, r Rect, label, note string, chosen bool) bool {
	i := c.clickable(id, r)
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

// SwatchRow draws a line of a legend: a swatch, hollow where off, and a name. It reports a click, and whether the mouse
// is on it.
func (c *Context) SwatchRow(id int, r Rect, label string, k Color, on bool) (click, hover bool) {
	i := c.clickable(id, r)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(14))
	s := c.Px(10)
	swatch := Rect{slot.X, slot.Y + round((slot.H-s)/2), s, s}
	ink := ColorText
	if on {
		c.Fill(swatch, k, c.Px(2))
	} else {
		ink = ColorFaint
		c.Outline(swatch, k, c.Px(2))
	}
	in.CutLeft(c.Px(6))
	c.Text(in, Body, ink, Left, label)
	return i.is(clicked), i.is(hovered)
}

// Disclosure draws the heading of a list that opens and closes, and reports a click.
func (c *Context) Disclosure(id int, r Rect, label string, ink Color, open bool) bool {
	i := c.clickable(id, r)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	c.foldArrow(in.X+c.Px(4), r.Y+r.H/2, open, ink)
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
