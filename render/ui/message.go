package ui

// Tone says how serious a message is.
type Tone int

// The tones.
const (
	Neutral Tone = iota
	Failure
)

// MessageHeight returns the height in logical pixels that Message takes at a width.
func (c *Context) MessageHeight(width float32, text string) float32 {
	return c.Px(12)*2 + c.size(Strong) + c.Px(6) + c.TextHeight(Small, text, width-c.Px(14+12+28))
}

// Message draws a card with a title and a wrapped text, and a cross that reports a click where id is not 0.
func (c *Context) Message(id int, r Rect, tone Tone, title, text string) (dismissed bool) {
	ink := [...]Color{ColorAccent, ColorError}[tone]
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(6))
	c.Outline(r, ColorEdge, c.Px(6))
	c.Fill(Rect{r.X, r.Y, c.Px(4), r.H}, ink, c.Px(2))
	if id != 0 {
		s := c.Px(22)
		cross := Rect{r.Right() - s - c.Px(6), r.Y + c.Px(6), s, s}
		i := c.clickable(id, cross)
		c.wash(i, cross)
		x, y, d := cross.X+cross.W/2, cross.Y+cross.H/2, c.Px(4)
		c.Line(x-d, y-d, x+d, y+d, ColorDim, c.Px(1.5))
		c.Line(x-d, y+d, x+d, y-d, ColorDim, c.Px(1.5))
		dismissed = i.is(clicked)
	}
	in := Rect{r.X + c.Px(14), r.Y + c.Px(12), r.W - c.Px(14+12+28), r.H - c.Px(24)}
	c.Text(in.CutTop(c.size(Strong)), Strong, ink, Left, title)
	in.CutTop(c.Px(6))
	c.TextWrapped(in, Small, ColorText, text)
	return dismissed
}
