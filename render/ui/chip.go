package ui

// Chip draws a small switch that is lit while on, with the key that does the same, and reports a click.
func (c *Context) Chip(id int, r Rect, label, key string, on bool) bool {
	i := c.item(id, r)
	c.hand(i)
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
