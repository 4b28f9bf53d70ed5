package ui

// Tone says how serious a message is.
type Tone int

// The tones.
const (
	Neutral Tone = iota
	Warning
	Failure
)

// MessageHeight returns the height in logical pixels that Message takes at a width.
func (c *Context) MessageHeight(width float32, title, text string) float32 {
	return c.Px(12)*2 + c.size(Strong) + c.Px(6) + c.TextHeight(Small, text, width-c.Px(14+12+28))
}

// Message draws a card with a title and a wrapped text, and a cross that reports a click where id is not 0.
func (c *Context) Message(id int, r Rect, tone Tone, title, text string) (dismissed bool) {
	ink := [...]Color{ColorAccent, ColorWarning, ColorError}[tone]
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(6))
	c.Outline(r, ColorEdge, c.Px(6))
	c.Fill(Rect{r.X, r.Y, c.Px(4), r.H}, ink, c.Px(2))
	if id != 0 {
		s := c.Px(22)
		cross := Rect{r.Right() - s - c.Px(6), r.Y + c.Px(6), s, s}
		i := c.item(id, cross)
		c.hand(i)
		if i.is(hovered | active) {
			c.Fill(cross, i.surface(0), c.Px(4))
		}
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

// KeyHelp is one line of the help: keys, set apart by spaces, and what they do.
type KeyHelp struct{ Keys, Does string }

// HelpCard draws a card of two columns of keys in the middle of r and reports a click anywhere, which closes it.
func (c *Context) HelpCard(id int, r Rect, title string, lines []KeyHelp, foot string) (dismissed bool) {
	i := c.item(id, r)
	c.Fill(r, ColorInset.Alpha(0.72), 0)
	rowH, headH, footH, pad := c.Px(26), c.Px(44), c.Px(30), c.Px(22)
	rows := (len(lines) + 1) / 2
	w := min(c.Px(820), r.W-c.Px(32))
	h := headH + footH + rowH*float32(rows) + 2*pad
	card := Rect{round(r.X + (r.W-w)/2), round(r.Y + (r.H-h)/2), w, h}
	c.Fill(card, ColorPanel.Alpha(1), c.Px(8))
	c.Outline(card, ColorEdge, c.Px(8))
	in := card.Inset(pad+c.Px(6), pad)
	c.Text(in.CutTop(c.Px(24)), Title, ColorText, Left, title)
	in.CutTop(headH - c.Px(24))
	gap := c.Px(28)
	colW := (in.W - gap) / 2
	for k := range lines {
		col, row := k/rows, k%rows
		line := Rect{in.X + (colW+gap)*float32(col), in.Y + rowH*float32(row), colW, rowH}
		c.keys(line.CutLeft(round(colW*0.42)), lines[k].Keys)
		c.Text(line, Body, ColorText, Left, lines[k].Does)
	}
	c.Text(Rect{in.X, card.Bottom() - pad - c.Px(12), in.W, c.Px(14)}, Small, ColorFaint, Left, foot)
	return i.is(clicked)
}

// keys draws space-separated key names as caps; a name that starts with a small letter is a word between them.
func (c *Context) keys(r Rect, names string) {
	for len(names) > 0 {
		n := 0
		for n < len(names) && names[n] != ' ' {
			n++
		}
		word := names[:n]
		names = names[min(n+1, len(names)):]
		w := c.TextWidth(Small, word) + c.Px(4)
		if first := word[0]; first >= 'a' && first <= 'z' {
			c.Text(r.CutLeft(w), Small, ColorFaint, Center, word)
		} else {
			w = max(w+c.Px(8), c.Px(20))
			cap := r.CutLeft(w)
			c.keycap(Rect{cap.X, cap.Y + round((cap.H-c.Px(20))/2), w, c.Px(20)}, word)
		}
		r.CutLeft(c.Px(4))
	}
}
