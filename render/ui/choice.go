package ui

// Choice is one of several alternatives: its key, its short name, what it is, and its cost on a scale of four.
type Choice struct {
	Key, Short, Title string
	Cost              int
	Chosen            bool // shown
	Other             bool // shown beside the chosen one
}

// Choice draws an alternative as a row of two lines, or of one where r is low, and reports a click.
func (c *Context) Choice(id int, r Rect, a *Choice) bool {
	i := c.clickable(id, r)
	fill := i.surface(ColorWidget)
	if a.Chosen {
		fill = ColorDeep
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
		c.Text(in.CutLeft(c.Px(48)), Strong, ColorText, Left, a.Short)
		in.CutRight(c.Px(6))
		c.Text(in, Small, ColorDim, Left, a.Title)
		return i.is(clicked)
	}
	top := in.CutTop(round(in.H / 2))
	c.CostMeter(top.CutRight(c.Px(CostMeterWidth)), a.Cost)
	c.Text(top, Strong, ColorText, Left, a.Short)
	c.Text(in, Small, ColorDim, Left, a.Title)
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
