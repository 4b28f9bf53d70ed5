package ui

// Fold is what hangs on a row of a tree.
type Fold int

// The folds.
const (
	Leaf Fold = iota // nothing
	Open
	Closed
)

// TreeRow is a row of a tree.
type TreeRow struct {
	Label, Note string
	Depth       int
	Fold        Fold
	Chosen, Lit bool // picked, and under the mouse elsewhere
	Mark        bool // something has been done to it
}

// TreeAction is what the mouse does to a row.
type TreeAction struct{ Picked, Folded, Over bool }

// TreeIndent is how far each level of a tree stands in, and mostIndent the most for all, design pixels: a chain of a
// hundred joints must leave its names a place.
const (
	TreeIndent = 12
	mostIndent = 9 * TreeIndent
)

// TreeRow draws a row. Ids id and id+1 belong to it.
func (c *Context) TreeRow(id int, r Rect, t *TreeRow) (out TreeAction) {
	in := r
	in.CutLeft(c.Px(float32(min(t.Depth*TreeIndent, mostIndent))))
	arrow := in.CutLeft(c.Px(18))
	if t.Fold != Leaf {
		i := c.item(id+1, arrow) // before the row, which it lies on
		c.hand(i)
		out.Folded = i.is(clicked)
		out.Over = i.is(hovered)
	}
	hit := in
	hit.X, hit.W = arrow.Right(), r.Right()-arrow.Right()
	i := c.clickable(id, hit)
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
