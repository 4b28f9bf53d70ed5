package ui

// progressButton is the width of the button of a progress card in design pixels.
const progressButton = 84

// ProgressHeight returns the height of a progress card in logical pixels.
func (c *Context) ProgressHeight() float32 {
	return c.Px(12)*2 + c.size(Strong) + c.Px(6) + c.Px(14) + c.Px(12)
}

// ProgressCard draws what is under way: its title, what is being done, how far that is from 0 to 1, and a spinner that
// turns once for every unit of turn. It reports a click on its button.
func (c *Context) ProgressCard(id int, r Rect, title, text string, share, turn float64) (cancel bool) {
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(6))
	c.Outline(r, ColorEdge, c.Px(6))
	c.Fill(Rect{r.X, r.Y, c.Px(4), r.H}, ColorAccent, c.Px(2))
	in := Rect{r.X + c.Px(14), r.Y + c.Px(12), r.W - c.Px(14+12), r.H - c.Px(24)}
	button := in.CutRight(c.Px(progressButton))
	button = Rect{button.X, round(r.Y + (r.H-c.Px(28))/2), button.W, c.Px(28)}
	cancel = c.Button(id, button, "Cancel", Plain, 0)
	in.CutRight(c.Px(16))
	c.Spinner(in.CutRight(c.Px(20)).X+c.Px(10), r.Y+round(r.H/2), c.Px(9), turn)
	in.CutRight(c.Px(14))
	c.Text(in.CutTop(c.size(Strong)), Strong, ColorAccent, Left, title)
	in.CutTop(c.Px(6))
	c.Text(in.CutTop(c.Px(14)), Small, ColorText, Left, text)
	c.Bar(Rect{in.X, in.Y + c.Px(6), in.W, c.Px(4)}, float32(share), ColorAccent)
	return cancel
}

// Bar draws a share, 0 to 1, as a bar in the middle of r.
func (c *Context) Bar(r Rect, share float32, k Color) {
	h := c.Px(4)
	track := Rect{r.X, r.Y + round((r.H-h)/2), r.W, h}
	c.Fill(track, ColorHeld, h/2)
	track.W *= min(max(share, 0), 1)
	c.Fill(track, k, h/2)
}
