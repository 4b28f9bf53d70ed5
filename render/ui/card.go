package ui

import "slices"

// Tone says how serious a message is.
type Tone int

const (
	Neutral Tone = iota
	Failure
)

func (c *Context) card(r Rect, ink Color) {
	c.Fill(r, ColorPanel.Alpha(0.98), c.Px(6))
	c.Outline(r, ColorEdge, c.Px(6))
	c.Fill(Rect{r.X, r.Y, c.Px(4), r.H}, ink, c.Px(2))
}

// overlay darkens r and draws the background of a card of size w, h in its middle.
func (c *Context) overlay(r Rect, w, h float32) Rect {
	card := Rect{round(r.X + (r.W-w)/2), round(r.Y + (r.H-h)/2), w, h}
	c.Fill(r, ColorInset.Alpha(0.72), 0)
	c.Fill(card, ColorPanel.Alpha(1), c.Px(8))
	c.Outline(card, ColorEdge, c.Px(8))
	return card
}

// MessageHeight returns the height in logical pixels that Message takes at a width.
func (c *Context) MessageHeight(width float32, text string) float32 {
	return c.Px(12)*2 + c.size(Strong) + c.Px(6) + c.TextHeight(Small, text, width-c.Px(14+12+28))
}

// Message draws a card with a title, a wrapped text and a cross, which has a tip. It reports a click on the cross.
func (c *Context) Message(id int, r Rect, tone Tone, title, text, tip string) (dismissed bool) {
	ink := [...]Color{ColorAccent, ColorError}[tone]
	c.card(r, ink)
	s := c.Px(22)
	cross := Rect{r.Right() - s - c.Px(6), r.Y + c.Px(6), s, s}
	i := c.clickable(id, cross, tip)
	c.wash(i, cross)
	x, y, d := cross.X+cross.W/2, cross.Y+cross.H/2, c.Px(4)
	c.Line(x-d, y-d, x+d, y+d, ColorDim, c.Px(1.5))
	c.Line(x-d, y+d, x+d, y-d, ColorDim, c.Px(1.5))
	in := Rect{r.X + c.Px(14), r.Y + c.Px(12), r.W - c.Px(14+12+28), r.H - c.Px(24)}
	c.Text(in.CutTop(c.size(Strong)), Strong, ink, Left, title)
	in.CutTop(c.Px(6))
	c.TextWrapped(in, Small, ColorText, text)
	return i.is(clicked)
}

const progressButton = 84

// ProgressHeight returns the height of a progress card in logical pixels.
func (c *Context) ProgressHeight() float32 {
	return c.Px(12)*2 + c.size(Strong) + c.Px(6) + c.Px(14) + c.Px(12)
}

type Progress struct {
	Title, Step string
	Share       float64 // that is done, 0 to 1
	Turns       float64 // of the spinner
	Tip         string  // of the button that cancels
}

// ProgressCard draws the state of a task. It reports a click on its button.
func (c *Context) ProgressCard(id int, r Rect, p *Progress) (cancel bool) {
	c.card(r, ColorAccent)
	in := Rect{r.X + c.Px(14), r.Y + c.Px(12), r.W - c.Px(14+12), r.H - c.Px(24)}
	button := in.CutRight(c.Px(progressButton))
	button = Rect{button.X, round(r.Y + (r.H-c.Px(28))/2), button.W, c.Px(28)}
	cancel = c.Button(id, button, "Cancel", Plain, 0, p.Tip)
	in.CutRight(c.Px(16))
	c.spinner(in.CutRight(c.Px(20)).X+c.Px(10), r.Y+round(r.H/2), c.Px(9), p.Turns)
	in.CutRight(c.Px(14))
	c.Text(in.CutTop(c.size(Strong)), Strong, ColorAccent, Left, p.Title)
	in.CutTop(c.Px(6))
	c.Text(in.CutTop(c.Px(14)), Small, ColorText, Left, p.Step)
	c.Bar(Rect{in.X, in.Y + c.Px(6), in.W, c.Px(4)}, float32(p.Share), ColorAccent)
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

// AnswerLabel is the label of a question's button, and its tip with the key that does the same.
type AnswerLabel struct {
	Label, Tip string
	Loses      bool // something is lost by it
}

// MainAnswer returns the first answer that loses nothing. Its button has the colour of the main action.
func MainAnswer(answers []AnswerLabel) int {
	return slices.IndexFunc(answers, func(a AnswerLabel) bool { return !a.Loses })
}

// Question darkens r and draws a card with a question and a button for each answer in its middle, the first at the
// right. It returns the index of the button that was clicked, −1 for none. The buttons are numbered from id on.
func (c *Context) Question(id int, r Rect, title, text string, answers []AnswerLabel) (chosen int) {
	pad, buttonH, w := c.Px(22), c.Px(30), min(c.Px(520), r.W-c.Px(32))
	titleH := c.TextHeight(Title, title, w-2*pad)
	textH := c.TextHeight(Small, text, w-2*pad)
	in := c.overlay(r, w, 2*pad+titleH+c.Px(10)+textH+c.Px(20)+buttonH).Inset(pad, pad)
	c.TextWrapped(in.CutTop(titleH), Title, ColorText, title)
	in.CutTop(c.Px(10))
	c.TextWrapped(in.CutTop(textH), Small, ColorDim, text)
	in.CutTop(c.Px(20))
	chosen = -1
	main := MainAnswer(answers)
	for k, a := range answers {
		look := Plain
		if k == main {
			look = Primary
		}
		if c.Button(id+k, in.CutRight(c.Px(110)), a.Label, look, 0, a.Tip) {
			chosen = k
		}
		_, key := splitTip(a.Tip)
		in.CutRight(c.Px(6))
		c.keys(in.CutRight(c.eachKey(key, nil)), key)
		in.CutRight(c.Px(12))
	}
	return chosen
}
