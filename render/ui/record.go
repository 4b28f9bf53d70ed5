package ui

import (
	"math"
	"strings"
)

// Record is a record of a frame for tests: its items with their tips, and its texts with the room that they had.
type Record struct {
	Items []RecordedItem
	Tips  []RecordedItem // areas with a tip: items too
	Texts []RecordedText
}

type RecordedItem struct {
	Panel Panel
	ID    int
	Rect  Rect
	Tip   string
}

type RecordedText struct {
	Panel Panel
	Text  string
	Rect  Rect // of all of it, as if it were not cut; logical pixels
	Seen  Rect // the part that the panel or scrolling area shows
	Cut   bool // it has no room, or it reaches past the panel or the scrolling area that it is in

	Ink      Color
	Contrast float64 // the least against what it stands on, over a black picture and over a white one
}

// recording is the record under way and the areas that clip drawing.
type recording struct {
	to    *Record // nil outside of tests
	clips []clip  // of the panel, and of the scrolling areas in it
	fills []fill  // drawn so far in the frame
}

type fill struct {
	panel Panel
	r     Rect
	k     Color
}

// clip is an area beyond which nothing is drawn. Content above or below a scrolling area can be scrolled to.
type clip struct {
	r       Rect
	scrolls bool
}

// SetRecord records every frame from now on, which allocates memory; nil ends it.
func (c *Context) SetRecord(to *Record) { c.record = recording{to: to} }

func (k *recording) begin() {
	if k.to != nil {
		k.to.Items, k.to.Tips, k.to.Texts = k.to.Items[:0], k.to.Tips[:0], k.to.Texts[:0]
		k.fills = k.fills[:0]
	}
}

func (k *recording) push(r Rect, scrolls bool) {
	if k.to == nil {
		return
	}
	if n := len(k.clips); n > 0 { // an area that scrolls in another shows what both show
		r = r.Within(k.clips[n-1].r)
	}
	k.clips = append(k.clips, clip{r, scrolls})
}

func (k *recording) pop() {
	if k.to != nil && len(k.clips) > 0 { // recording may begin between the two
		k.clips = k.clips[:len(k.clips)-1]
	}
}

func (c *Context) recordFill(r Rect, k Color) {
	if c.record.to != nil {
		c.record.fills = append(c.record.fills, fill{c.panel, r, k})
	}
}

// contrast returns a text's least contrast over a black and a white picture; infinity where it is not seen.
func (c *Context) contrast(r Rect, ink Color) float64 {
	least := math.Inf(1)
	for _, at := range c.record.clips {
		r = r.Within(at.r)
	}
	if r.W <= 0 || r.H <= 0 {
		return least
	}
	for _, under := range [...]Color{RGB(0, 0, 0), RGB(255, 255, 255)} {
		for _, f := range c.record.fills {
			if f.panel == c.panel && f.r.Contains(r.X+r.W/2, r.Y+r.H/2) {
				under = under.mix(f.k, float32(f.k>>24)/255)
			}
		}
		least = min(least, Contrast(under.mix(ink, float32(ink>>24)/255), under))
	}
	return least
}

func (c *Context) recordItem(id int, r Rect, tip string) {
	if to := c.record.to; to != nil {
		to.Items = append(to.Items, RecordedItem{c.panel, id, r, strings.Clone(tip)})
	}
}

func (c *Context) recordTip(r Rect, tip string) {
	if to := c.record.to; to != nil {
		to.Tips = append(to.Tips, RecordedItem{Panel: c.panel, Rect: r, Tip: strings.Clone(tip)})
	}
}

// recordText records a text that is drawn at r, as large as it is; fits says whether it has that room.
func (c *Context) recordText(r Rect, text string, ink Color, fits bool) {
	to := c.record.to
	if to == nil || len(c.record.clips) == 0 {
		return
	}
	const rounding = 1 // of edges, logical pixels
	at := c.record.clips[len(c.record.clips)-1]
	if r.X < at.r.X-rounding || r.Right() > at.r.Right()+rounding ||
		!at.scrolls && (r.Y < at.r.Y-rounding || r.Bottom() > at.r.Bottom()+rounding) {
		fits = false
	}
	to.Texts = append(to.Texts, RecordedText{c.panel, strings.Clone(text), r, r.Within(at.r), !fits, ink, c.contrast(r, ink)})
}

// Placed is the place of an item that a frame has drawn. Item 0 is the panel itself.
type Placed struct {
	Panel Panel
	Item  int
	Rect  Rect // logical pixels
}

type places struct {
	kept bool
	all  []Placed
}

// KeepPlaces keeps the places of panels and items from now on, for tests that aim at items by their numbers.
func (c *Context) KeepPlaces() { c.places.kept = true }

// Placed returns the places of the last frame's panels and items in the order of drawing; none before
// [Context.KeepPlaces]. It is valid until the next Begin.
func (c *Context) Placed() []Placed { return c.places.all }

// Place tells tests the place of something that does not react to the mouse. Items that react are told without.
func (c *Context) Place(item int, r Rect) {
	if c.places.kept {
		c.places.all = append(c.places.all, Placed{c.panel, item, r})
	}
}
