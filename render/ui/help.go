package ui

// KeyHelp is one line of the help: keys separated by spaces, and what they do.
type KeyHelp struct{ Keys, Does string }

// HelpCard draws a card of keys in the middle of r and reports a click anywhere, which closes it. It uses as many
// columns as it needs to show all keys. If they still do not fit, the keys scroll. The numbers id and id+1 belong to
// it.
func (c *Context) HelpCard(id int, r Rect, title string, lines []KeyHelp, foot string) (dismissed bool) {
	headH, footH, pad, gap := c.Px(40), c.Px(26), c.Px(22), c.Px(26)
	rowH, keysW := c.Px(26), c.keysWidth(lines)
	least := keysW + c.Px(150)
	most := max(int((r.W-c.Px(32)-2*pad+gap)/(least+gap)), 1)
	room := r.H - c.Px(24) - headH - footH - 2*pad
	columns := min(2, most)
	rowsOf := func(n int) int { return (len(lines) + n - 1) / n }
	for columns < min(most, 4) && float32(rowsOf(columns))*rowH > room {
		columns++
	}
	rows := rowsOf(columns)
	if float32(rows)*rowH > room {
		if rowH = float32(int(room / float32(rows))); rowH < c.Px(21) {
			rowH = c.Px(24) // it scrolls, so rows need not be low
		}
	}
	colW := min((r.W-c.Px(32)-2*pad-gap*float32(columns-1))/float32(columns), keysW+c.textsWidth(lines)+c.Px(8))
	in := Rect{W: colW*float32(columns) + gap*float32(columns-1), H: min(rowH*float32(rows), room)}
	card := c.overlay(r, in.W+2*pad, in.H+headH+footH+2*pad)
	in.X, in.Y = card.X+pad, card.Y+pad+headH
	c.Text(Rect{in.X, card.Y + pad, in.W, c.Px(22)}, Title, ColorText, Left, title)
	c.Text(Rect{in.X, card.Bottom() - pad - c.Px(12), in.W, c.Px(14)}, Small, ColorFaint, Left, foot)
	at := in
	if scrolls := float32(rows)*rowH > in.H; scrolls {
		at = c.BeginScroll(id+1, in)
		defer func() { c.EndScroll(at, at.Y+float32(rows)*rowH) }()
		dismissed = c.backdrop(id, Rect{at.X, at.Y, in.W - c.Px(12), float32(rows) * rowH}).is(clicked)
		colW -= c.Px(12) / float32(columns) // room for the scroll bar
	} else {
		dismissed = c.backdrop(id, r).is(clicked)
	}
	for k := range lines {
		column, row := k/rows, k%rows
		line := Rect{round(at.X + (colW+gap)*float32(column)), at.Y + rowH*float32(row), colW, rowH}
		if row == 0 {
			keysW = c.keysWidth(lines[k:min(k+rows, len(lines))])
		}
		c.keys(line.CutLeft(keysW), lines[k].Keys)
		c.Text(line, Body, ColorText, Left, lines[k].Does)
	}
	return dismissed
}

// keysWidth returns the width of the widest keys and the gap after them.
func (c *Context) keysWidth(lines []KeyHelp) (w float32) {
	for k := range lines {
		w = max(w, c.eachKey(lines[k].Keys, nil))
	}
	return w + c.Px(8)
}

// textsWidth returns the width of the widest text.
func (c *Context) textsWidth(lines []KeyHelp) (w float32) {
	for k := range lines {
		w = max(w, c.TextWidth(Body, lines[k].Does))
	}
	return w
}

// keys draws the names of keys, separated by spaces, as key caps. A name that starts with a small letter is drawn as a
// word between them.
func (c *Context) keys(r Rect, names string) { c.eachKey(names, &r) }

// eachKey draws the names of keys into r and returns their width. With a nil r it only measures.
func (c *Context) eachKey(names string, r *Rect) (width float32) {
	for len(names) > 0 {
		n := 0
		for n < len(names) && names[n] != ' ' {
			n++
		}
		word := names[:n]
		names = names[min(n+1, len(names)):]
		if word == "" {
			continue
		}
		between := word[0] >= 'a' && word[0] <= 'z'
		w := c.TextWidth(Small, word) + c.Px(4)
		if !between {
			w = max(w+c.Px(8), c.Px(20))
		}
		if r != nil {
			cap := r.CutLeft(w)
			if between {
				c.Text(cap, Small, ColorFaint, Center, word)
			} else {
				c.keycap(Rect{cap.X, cap.Y + round((cap.H-c.Px(20))/2), w, c.Px(20)}, word)
			}
			r.CutLeft(c.Px(4))
		}
		width += w + c.Px(4)
	}
	return width
}

// keycap draws the name of a key as its cap.
func (c *Context) keycap(r Rect, key string) {
	c.Fill(r, ColorInset, c.Px(3))
	c.Outline(r, ColorEdge, c.Px(3))
	c.Text(r, Small, ColorDim, Center, key)
}
