package ui

import "math"

// ListRow draws a row of a list, lit if chosen, with a note at its right, and reports a click.
func (c *Context) ListRow(id int, r Rect, label, note string, chosen bool, tip string) bool {
	i := c.clickable(id, r, tip)
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

// SwatchRow draws a row of a legend, its swatch hollow if not on. It reports a click, and the mouse over it.
func (c *Context) SwatchRow(id int, r Rect, label string, k Color, on bool, tip string) (click, hover bool) {
	i := c.clickable(id, r, tip)
	c.wash(i, r)
	k = k.readable(ColorPanel, StrokeContrast)
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
func (c *Context) Disclosure(id int, r Rect, label string, ink Color, open bool, tip string) bool {
	i := c.clickable(id, r, tip)
	c.wash(i, r)
	in := r.Inset(c.Px(8), 0)
	c.foldArrow(in.X+c.Px(4), r.Y+r.H/2, open, ink)
	in.CutLeft(c.Px(16))
	c.Text(in, Body, ink, Left, label)
	return i.is(clicked)
}

// Value draws a name at the left end of a row and its value at the right end.
func (c *Context) Value(r Rect, name, value string) {
	w := min(c.TextWidth(Body, value), r.W*0.7)
	c.Text(r.CutRight(w), Body, ColorText, Right, value)
	r.CutRight(c.Px(8))
	c.Text(r, Body, ColorDim, Left, name)
}

type Fold int

const (
	Leaf Fold = iota // a row without children
	Open
	Closed
)

type TreeRow struct {
	Label, Note string
	Depth       int
	Fold        Fold
	Chosen, Lit bool // picked; under the mouse in another place
	Mark        bool // edited
	Tip         string
}

type TreeAction struct{ Picked, Folded, Over bool }

// TreeIndent is the indentation of each level of a tree, and mostIndent the largest indentation, in design pixels. It
// is bounded so that the names of a chain of a hundred joints still have room.
const (
	treeIndent = 12
	mostIndent = 9 * treeIndent
)

// TreeRow draws a row. Ids id and id+1 belong to it.
func (c *Context) TreeRow(id int, r Rect, t *TreeRow) (out TreeAction) {
	in := r
	in.CutLeft(c.Px(float32(min(t.Depth*treeIndent, mostIndent))))
	arrow := in.CutLeft(c.Px(18))
	if t.Fold != Leaf {
		i := c.clickable(id+1, arrow, "Shows or hides the rows below this one.") // before the row, which it lies on
		out.Folded = i.is(clicked)
		out.Over = i.is(hovered)
	}
	hit := in
	hit.X, hit.W = arrow.Right(), r.Right()-arrow.Right()
	i := c.clickable(id, hit, t.Tip)
	out.Picked, out.Over = i.is(clicked), out.Over || i.is(hovered)
	ink := ColorDim
	switch {
	case t.Chosen:
		c.Fill(r, ColorDeep, c.Px(4))
		ink = ColorText
	case out.Over || t.Lit:
		c.Fill(r, ColorHover, c.Px(4))
		ink = ColorText
	}
	if t.Fold != Leaf {
		c.foldArrow(arrow.X+round(arrow.W/2), r.Y+round(r.H/2), t.Fold == Open, ColorFaint)
	}
	in.CutRight(c.Px(8))
	if t.Mark {
		c.Disc(in.Right()-c.Px(3), r.Y+r.H/2, c.Px(3), ColorAccent)
		in.CutRight(c.Px(12))
	}
	if t.Note != "" {
		c.Text(in.CutRight(min(c.TextWidth(Small, t.Note), in.W*0.45)), Small, ColorFaint, Right, t.Note)
		in.CutRight(c.Px(8))
	}
	c.Text(in, Body, ink, Left, t.Label)
	return out
}

type Eye int

const (
	EyeOpen   Eye = iota
	EyePartly     // some of it is hidden
	EyeClosed
)

// Eye draws an eye and reports a click.
func (c *Context) Eye(id int, r Rect, e Eye, tip string) bool {
	i := c.clickable(id, r, tip)
	ink := [...]Color{ColorDim, ColorFaint, ColorHeld}[e]
	if i.is(hovered | active) {
		ink = ColorText
	}
	x, y, u := r.X+round(r.W/2), r.Y+round(r.H/2), c.Px(1)
	const half = 0.95 // the half angle of a lid, radians
	c.arc(arc{point{x, y + 4*u}, 7 * u, 1.5*math.Pi - half, 1.5*math.Pi + half}, ink, 1.4*u)
	c.arc(arc{point{x, y - 4*u}, 7 * u, 0.5*math.Pi - half, 0.5*math.Pi + half}, ink, 1.4*u)
	switch e {
	case EyeOpen:
		c.Disc(x, y, 2*u, ink)
	case EyePartly:
		c.Ring(x, y, 1.8*u, ink, u)
	case EyeClosed:
		c.Line(x-6*u, y+5*u, x+6*u, y-5*u, ink, 1.4*u)
	}
	return i.is(clicked)
}

func (c *Context) Swatch(id int, r Rect, k Color, label, note, tip string) {
	c.widget(id, r, tip)
	in := r.Inset(c.Px(8), 0)
	slot := in.CutLeft(c.Px(14))
	s := c.Px(12)
	swatch := Rect{slot.X, slot.Y + round((slot.H-s)/2), s, s}
	c.Fill(swatch, k, c.Px(2))
	c.Outline(swatch, ColorHeld, c.Px(2))
	in.CutLeft(c.Px(6))
	if note != "" {
		c.Text(in.CutRight(min(c.TextWidth(Small, note), in.W*0.6)), Small, ColorFaint, Right, note)
		in.CutRight(c.Px(8))
	}
	c.Text(in, Body, ColorDim, Left, label)
}
