package ui

// KeyHelp is one line of the help: keys separated by spaces, and what they do.
type KeyHelp struct{ Keys, Does string }

type KeyGroup struct {
	Title string
	Lines []KeyHelp
}

const mostHelpColumns = 6

// helpLayout is how groups are spread over columns. A group is never split.
type helpLayout struct {
	style        Style
	rowH, titleH float32 // titleH with the gap above it
	columns      int
	height       float32
	first        [mostHelpColumns + 1]int // group of each column, and the end
	columnW      [mostHelpColumns]float32
	width        float32 // of all, with the gaps
}

// HelpCard draws a card of keys in groups in the middle of r and reports a click anywhere, which closes it. It takes
// as few columns as have room for all keys, in a smaller style if it must. If they still do not fit, the keys scroll: by
// is how far in this frame, as a share of what is seen. The numbers id and id+1 belong to it.
func (c *Context) HelpCard(id int, r Rect, title string, groups []KeyGroup, foot string, by float32) (dismissed bool) {
	headH, footH, pad := c.Px(34), c.Px(22), c.Px(18)
	roomW, roomH := r.W-c.Px(16)-2*pad, r.H-c.Px(16)-headH-footH-2*pad
	var l helpLayout
	fits := false
	for _, dense := range [...]bool{false, true} {
		for n := 2; n <= mostHelpColumns && !fits; n++ {
			l = c.layHelp(groups, n, dense)
			if l.width > roomW {
				break // more columns are wider
			}
			fits = l.height <= roomH
		}
	}
	for n := 2; !fits && n >= 1; n-- { // it scrolls
		l = c.layHelp(groups, n, false)
		if l.width <= roomW-c.Px(12) {
			break
		}
	}
	in := Rect{W: min(l.width, roomW), H: min(l.height, roomH)}
	if !fits {
		in.W = min(in.W+c.Px(12), roomW) // the scroll bar's
	}
	card := c.overlay(r, in.W+2*pad, in.H+headH+footH+2*pad)
	in.X, in.Y = card.X+pad, card.Y+pad+headH
	c.Text(Rect{in.X, card.Y + pad, in.W, c.Px(22)}, Title, ColorText, Left, title)
	c.Text(Rect{in.X, card.Bottom() - pad - c.Px(12), in.W, c.Px(14)}, Small, ColorFaint, Left, foot)
	at := in
	if !fits {
		at = c.BeginScroll(id+1, in)
		top := in.Y - at.Y + by*in.H
		c.ScrollTo(top, top+in.H, in.H)
		defer func() { c.EndScroll(at, at.Y+l.height) }()
		dismissed = c.backdrop(id, Rect{at.X, at.Y, in.W - c.Px(12), l.height}).is(clicked)
	} else {
		dismissed = c.backdrop(id, r).is(clicked)
	}
	x := at.X
	for n := range l.columns {
		y := at.Y
		w := l.columnW[n]
		for _, g := range groups[l.first[n]:l.first[n+1]] {
			if y > at.Y {
				y += l.titleH - l.rowH
			}
			keysW := c.keysWidth(g.Lines)
			c.Text(Rect{x, y, w, l.rowH}, Label, ColorAccent, Left, g.Title)
			y += l.rowH
			for _, line := range g.Lines {
				row := Rect{x, y, w, l.rowH}
				c.keys(row.CutLeft(keysW), line.Keys)
				c.Text(row, l.style, ColorText, Left, line.Does)
				y += l.rowH
			}
		}
		x += w + c.Px(helpGap)
	}
	return dismissed
}

const helpGap = 22

// layHelp spreads groups over at most n columns as evenly as their order allows.
func (c *Context) layHelp(groups []KeyGroup, n int, dense bool) (l helpLayout) {
	l.style, l.rowH, l.titleH = Body, c.Px(24), c.Px(24+10)
	if dense {
		l.style, l.rowH, l.titleH = Small, c.Px(21), c.Px(21+5)
	}
	heightOf := func(g *KeyGroup) float32 { return l.rowH * float32(1+len(g.Lines)) }
	sum := float32(0)
	for i := range groups {
		sum += heightOf(&groups[i])
	}
	for limit := sum / float32(n); ; limit += l.rowH {
		l.columns, l.height, l.first = 0, 0, [mostHelpColumns + 1]int{}
		y := float32(0)
		for i := range groups {
			h := heightOf(&groups[i])
			if y > 0 {
				h += l.titleH - l.rowH
				if y+h > limit {
					l.columns++
					if l.columns == n {
						break
					}
					l.first[l.columns], y, h = i, 0, heightOf(&groups[i])
				}
			}
			y += h
			l.height = max(l.height, y)
		}
		if l.columns < n {
			break
		}
	}
	l.columns++
	l.first[l.columns] = len(groups)
	l.width = c.Px(helpGap) * float32(l.columns-1)
	for k := range l.columns {
		for _, g := range groups[l.first[k]:l.first[k+1]] {
			keysW := c.keysWidth(g.Lines)
			for _, line := range g.Lines {
				l.columnW[k] = max(l.columnW[k], keysW+round(c.TextWidth(l.style, line.Does))+1)
			}
		}
		l.width += l.columnW[k]
	}
	return l
}

func (c *Context) keysWidth(lines []KeyHelp) (w float32) {
	for k := range lines {
		w = max(w, c.eachKey(lines[k].Keys, nil))
	}
	return w + c.Px(8)
}

// keys draws the names of keys, separated by spaces, as caps, and names in small letters as words between them.
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

func (c *Context) keycap(r Rect, key string) {
	c.Fill(r, ColorInset, c.Px(3))
	c.Outline(r, ColorEdge, c.Px(3))
	c.Text(r, Small, ColorDim, Center, key)
}
