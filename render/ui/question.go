package ui

// Answer is what a person says to a [Context.Question].
type Answer int

// The answers.
const (
	Unanswered Answer = iota
	Yes
	No
)

// AnswerLabels are the labels of a question's buttons, and the keys that do the same.
type AnswerLabels struct{ Yes, YesKey, No, NoKey string }

// Question draws a card with a question in the middle of r, whose rest it darkens, and two buttons. Ids id, of Yes,
// and id+1, of No, belong to it.
func (c *Context) Question(id int, r Rect, title, text string, labels AnswerLabels) Answer {
	c.Fill(r, ColorInset.Alpha(0.72), 0)
	pad, buttonH := c.Px(22), c.Px(30)
	card := Rect{W: min(c.Px(520), r.W-c.Px(32))}
	titleH := c.TextHeight(Title, title, card.W-2*pad)
	textH := c.TextHeight(Small, text, card.W-2*pad)
	card.H = 2*pad + titleH + c.Px(10) + textH + c.Px(20) + buttonH
	card.X, card.Y = round(r.X+(r.W-card.W)/2), round(r.Y+(r.H-card.H)/2)
	c.Fill(card, ColorPanel.Alpha(1), c.Px(8))
	c.Outline(card, ColorEdge, c.Px(8))
	in := card.Inset(pad, pad)
	c.TextWrapped(in.CutTop(titleH), Title, ColorText, title)
	in.CutTop(c.Px(10))
	c.TextWrapped(in.CutTop(textH), Small, ColorDim, text)
	in.CutTop(c.Px(20))
	button := func(id int, label, key string, look Look) bool {
		at := in.CutRight(c.Px(110))
		clicked := c.Button(id, at, label, look, 0)
		in.CutRight(c.Px(6))
		w := c.eachKey(key, nil)
		c.keys(in.CutRight(w), key)
		in.CutRight(c.Px(12))
		return clicked
	}
	yes := button(id, labels.Yes, labels.YesKey, Primary)
	no := button(id+1, labels.No, labels.NoKey, Plain)
	switch {
	case no:
		return No
	case yes:
		return Yes
	}
	return Unanswered
}
