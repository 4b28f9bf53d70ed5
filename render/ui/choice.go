package ui

// Choice is one of several alternatives: the cap of its key, short name and description.
type Choice struct {
	Key, Short, Title string
	Tip               string  // explains it
	Chosen            bool    // drawn as the chosen one
	Other             bool    // drawn as the one that is shown beside the chosen one
	Faint             bool    // not there yet: drawn faint
	Progress          float64 // 0 to 1: of the work that makes it, drawn as a bar along its lower edge
}

// Choice draws an alternative as a row of two lines, or of one if r is low, and reports a click.
func (c *Context) Choice(id int, r Rect, a *Choice) bool {
	i := c.clickable(id, r, a.Tip)
	fill := i.surface(ColorWidget)
	if a.Chosen {
		fill = ColorDeep
	}
	c.Fill(r, fill, c.Px(5))
	if a.Chosen || a.Other {
		c.Fill(Rect{r.X, r.Y, c.Px(3), r.H}, ColorAccent, c.Px(2))
	}
	if a.Progress > 0 {
		c.Fill(Rect{r.X, r.Bottom() - c.Px(2), round(r.W * float32(min(a.Progress, 1))), c.Px(2)}, ColorAccent, 0)
	}
	ink := ColorText
	if a.Faint {
		ink = ColorFaint
	}
	in := r.Inset(c.Px(10), c.Px(4))
	key := in.CutLeft(max(c.Px(18), c.TextWidth(Small, a.Key)+c.Px(8)))
	if a.Key != "" {
		c.keycap(Rect{key.X, r.Y + round((r.H-c.Px(18))/2), key.W, c.Px(18)}, a.Key)
	}
	in.CutLeft(c.Px(10))
	if r.H < c.Px(36) {
		c.Text(in.CutLeft(max(c.Px(48), c.TextWidth(Strong, a.Short)+c.Px(8))), Strong, ink, Left, a.Short)
		in.CutRight(c.Px(6))
		c.Text(in, Small, ColorDim, Left, a.Title)
		return i.is(clicked)
	}
	top := in.CutTop(round(in.H / 2))
	c.Text(top, Strong, ink, Left, a.Short)
	c.Text(in, Small, ColorDim, Left, a.Title)
	return i.is(clicked)
}

// Segment is one of several alternatives side by side.
type Segment struct {
	Label, Tip string
	Off        bool // it cannot be chosen
}

// Segments draws alternatives side by side and returns the index of the chosen one. They have the numbers from id on.
func (c *Context) Segments(id int, r Rect, labels []Segment, chosen int) int {
	c.Fill(r, ColorInset, c.Px(5))
	in := r.Inset(c.Px(2), c.Px(2))
	style, w, own, _ := c.segmentWidths(labels, in.W)
	at := in.X
	for k := range labels {
		s := &labels[k]
		left := round(at)
		at += w
		if own {
			at += c.TextWidth(style, s.Label)
		}
		cell := Rect{left, in.Y, round(at) - left, in.H}
		if s.Off {
			c.widget(id+k, cell, s.Tip)
			c.Text(cell.Inset(c.Px(2), 0), style, ColorFaint, Center, s.Label)
			continue
		}
		i := c.clickable(id+k, cell, s.Tip)
		ink := ColorDim
		switch {
		case k == chosen:
			c.Fill(cell, ColorHeld, c.Px(4))
			ink = ColorText
		case i.is(hovered | active):
			c.Fill(cell, ColorWidget, c.Px(4))
			ink = ColorText
		}
		c.Text(cell.Inset(c.Px(2), 0), style, ink, Center, s.Label)
		if i.is(clicked) {
			chosen = k
		}
	}
	return chosen
}

// SegmentRows draws alternatives as [Context.Segments] does and takes their place off the top of in: a row of a height,
// or two where the labels have no room in one.
func (c *Context) SegmentRows(id int, in *Rect, height float32, labels []Segment, chosen int) int {
	n := len(labels)
	if _, _, _, fit := c.segmentWidths(labels, in.W-2*c.Px(2)); !fit {
		n = (n + 1) / 2
	}
	k := c.Segments(id, in.CutTop(height), labels[:n], chosen)
	if n == len(labels) {
		return k
	}
	in.CutTop(c.Px(2))
	if second := n + c.Segments(id+n, in.CutTop(height), labels[n:], chosen-n); second != chosen {
		return second
	}
	return k
}

// segmentWidths returns the style of labels side by side and the width of each cell: w, and where own is set the
// label's own width besides. Cells are equally wide where every label fits into one, in a smaller style if it must
// be. Fit is false where labels are cut.
func (c *Context) segmentWidths(labels []Segment, width float32) (style Style, w float32, own, fit bool) {
	sum, gap := float32(0), 2*c.Px(2)+0.5            // edges are rounded to whole pixels
	for _, style = range [...]Style{Strong, Small} { // one style for all, so that none stands out
		widest := float32(0)
		sum = 0
		for k := range labels {
			text := c.TextWidth(style, labels[k].Label)
			widest, sum = max(widest, text), sum+text
		}
		w = width / float32(len(labels))
		if widest <= w-gap {
			return style, w, false, true
		}
	}
	if sum > width-float32(len(labels))*gap {
		return style, w, false, false
	}
	return style, (width - sum) / float32(len(labels)), true, true
}

// Stepper draws a text between two arrows, numbered id and id+1, and returns −1 or 1 for a click on one, else 0.
func (c *Context) Stepper(id int, r Rect, text, tip string) (by int) {
	left, right := r.CutLeft(c.Px(22)), r.CutRight(c.Px(22))
	for k, b := range [...]Rect{left, right} {
		i := c.press(id+k, b, tip)
		x, y, s := b.X+round(b.W/2), b.Y+round(b.H/2), c.Px(4)
		if k == 0 {
			c.triangle([3]point{{x + s/2, y - s}, {x + s/2, y + s}, {x - s, y}}, ColorDim)
		} else {
			c.triangle([3]point{{x - s/2, y - s}, {x - s/2, y + s}, {x + s, y}}, ColorDim)
		}
		if i.is(clicked) {
			by = 2*k - 1
		}
	}
	c.Tip(r, tip)
	c.Text(r.Inset(c.Px(4), 0), Body, ColorText, Center, text)
	return by
}

// Picker is a [Context.Stepper] whose text, with the number id+2, opens a list: open reports a click on it.
func (c *Context) Picker(id int, r Rect, text, tip string) (by int, open bool) {
	middle := r.Inset(c.Px(22), 0)
	i := c.clickable(id+2, middle, tip)
	if i.is(hovered | active) {
		c.Fill(middle.Inset(c.Px(2), 0), i.surface(0), c.Px(4))
	}
	return c.Stepper(id, r, text, tip), i.is(clicked)
}
