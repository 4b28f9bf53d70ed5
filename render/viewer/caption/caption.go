// Package caption draws the captions of the pictures: the method and its cost, and its distances to the reference.
package caption

import (
	"math"
	"strings"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/distances"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/render/viewer/view"
)

type Captions struct {
	View      *view.View
	models    *models.Shown
	distances *distances.Distances
	times     *timing.Page
	gpu       *render.Renderer
	warning   ui.Line // reused
}

func New(v *view.View, m *models.Shown, of *distances.Distances, times *timing.Page, gpu *render.Renderer) *Captions {
	return &Captions{View: v, models: m, distances: of, times: times, gpu: gpu}
}

// Draw draws the captions of the panes and the lines between the panes.
func (c *Captions) Draw() {
	u, px := c.View.UI, c.View.UI.Px
	if c.View.Rect.W < px(120) || c.View.Rect.H < px(120) {
		return
	}
	u.BeginLayer(desk.PanelCaption, c.View.Rect)
	defer u.EndPanel()
	seen := c.View.State.Seen()
	for i := range seen {
		r := c.View.Pane(i).Seen
		if r.W < px(80) {
			continue
		}
		if c.View.State.Cards {
			c.caption(r, seen[i])
		}
		if len(seen) > 1 && i == c.View.State.Active {
			u.Fill(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(2)}, ui.ColorAccent, 0)
		}
	}
	if l := c.View.State.Layout; l == state.Two || l == state.Four {
		r := c.View.Pane(1).Seen
		u.Fill(ui.Rect{X: r.X - px(1), Y: c.View.Rect.Y, W: px(2), H: c.View.Rect.H}, ui.ColorEdge, 0)
		if l == state.Four {
			u.Fill(ui.Rect{X: c.View.Rect.X, Y: r.Bottom() - px(1), W: c.View.Rect.W, H: px(2)}, ui.ColorEdge, 0)
		}
	}
}

// Numbers of the plates behind words.
const (
	ItemPlate = 1 + iota
	ItemReadout
)

// plate draws what keeps words legible in front of a head or a raised hand: a dark, translucent plate behind r.
func (c *Captions) plate(item int, r ui.Rect) {
	px := c.View.UI.Px
	r = r.Inset(-px(9), -px(5))
	c.View.UI.Plate(r, px(5))
	c.View.UI.Place(item, r)
}

// lowCaption is the caption of a low picture: method and cost at the left, distance at the right. In a lower one it is
// a line without the cost, and in the lowest there is none.
func (c *Captions) lowCaption(picture ui.Rect, p state.Pane) {
	u, px := c.View.UI, c.View.UI.Px
	words, lines := c.models.Words(p), c.View.CaptionLines(picture)
	in := picture.Inset(px(14), px(9))
	short, title := u.TextWidth(ui.Title, words.Short), words.Title
	told := c.lowReadout(&in, p, short, lines)
	second := c.secondLine(p, &words, in.W, told)
	wide := short + px(8) + u.TextWidth(ui.Small, title)
	if wide > in.W && !p.Beside { // half a word tells less than none, and half a file's name more
		wide, title = short, ""
	}
	tells := lines > 1 && u.TextWidth(ui.Small, second) <= in.W
	if tells {
		wide = max(wide, u.TextWidth(ui.Small, second))
	}
	c.plate(ItemPlate, ui.Rect{X: in.X, Y: in.Y, W: min(wide, in.W), H: px(lineHeights[lines])})
	head := in.CutTop(px(24))
	u.Text(head.CutLeft(min(short, head.W)), ui.Title, ui.ColorText, ui.Left, words.Short)
	head.CutLeft(px(8))
	u.Text(head, ui.Small, ui.ColorDim, ui.Left, title)
	if tells {
		u.Text(in.CutTop(px(18)), ui.Small, ui.ColorDim, ui.Left, second)
	}
}

// secondLine describes the cost of a low picture's method or, unless that is told beside it, how far the picture is from
// the reference. It is valid until the line is used again.
func (c *Captions) secondLine(p state.Pane, words *models.Card, width float32, told bool) string {
	row := c.distances.Row(p)
	switch {
	case told || row == nil:
	case c.models.IsReference(p):
		return "reference"
	case row.Compared:
		return c.errorText(row, p)
	}
	return c.costText(p, words, width)
}

// lineHeights are the heights of a low picture's words in design pixels, by their number of lines.
var lineHeights = [...]float32{1: 24, 2: 24 + 18}

// costText describes the cost of a pane's method: the measured time and where it was measured, in fewer words if the
// place is narrow. Before a measurement it is the cost class. It is valid until the line is used again.
func (c *Captions) costText(p state.Pane, words *models.Card, width float32) string {
	cost := c.times.CostOf(p.Method)
	if !cost.There || p.Beside {
		class := words.Cost
		if c.View.UI.TextWidth(ui.Body, class) > width {
			class, _, _ = strings.Cut(class, ",") // the rest says where
		}
		if c.View.UI.TextWidth(ui.Small, class) > width {
			class, _, _ = strings.Cut(class, " on ")
		}
		return class
	}
	label, software := c.gpu.Timer().Label(), c.gpu.Info().Software
	text := cost.Write(c.View.Line.Start()).S(" ns a vertex, ").S(label).View()
	if c.View.UI.TextWidth(ui.Body, text) <= width {
		return text
	}
	device := " ns, wall time"
	switch {
	case software:
		device = " ns, CPU"
	case label == "GPU":
		device = " ns, GPU"
	}
	return cost.Write(c.View.Line.Start()).S(device).View()
}

// cardLook is how large the words of a card are. Lengths are in design pixels.
type cardLook struct {
	insetX, insetY    float32
	name, title, cost ui.Style
	head, below       float32 // heights of the name and of the title
}

var (
	wideCard   = cardLook{20, 14, ui.Display, ui.Title, ui.Body, 40, 20}
	narrowCard = cardLook{14, 9, ui.Title, ui.Small, ui.Small, 24, 18}
)

// caption names the method in large letters, and the file if there are two. It is as tall as what it shows. In a narrow
// picture the distances are lines of it.
func (c *Captions) caption(picture ui.Rect, p state.Pane) {
	u, px := c.View.UI, c.View.UI.Px
	switch c.View.CaptionLines(picture) {
	case 0:
		return
	case 1, 2:
		c.lowCaption(picture, p)
		return
	}
	words, look, readings := c.models.Words(p), wideCard, 0
	narrow := picture.W < px(view.NarrowWidth)
	if narrow {
		look = narrowCard
	}
	in := picture.Inset(px(look.insetX), px(look.insetY))
	if !narrow {
		c.readout(&in, p)
	} else if in.W >= px(leastReadout) {
		readings = c.readings(p, true)
	}
	if u.TextWidth(look.name, words.Short) > in.W {
		look.name = ui.Title
	}
	if u.TextWidth(look.title, words.Title) > in.W {
		look.title = ui.Small
	}
	below := px(look.below)
	wraps := c.models.Second == nil && u.TextWidth(look.title, words.Title) > in.W // a file's name is cut
	if wraps {
		below = u.TextHeight(look.title, words.Title, in.W) + px(4)
	}
	note, turn := c.sentences(picture, p, &words)
	sentence := min(in.W, px(view.CaptionWidth-30))
	noteHeight, turnHeight := u.TextHeight(ui.Small, note, sentence), u.TextHeight(ui.Small, turn, sentence)
	full := in.W
	cost := c.costText(p, &words, full)
	if u.TextWidth(look.cost, cost) > full {
		look.cost = ui.Small
	}
	wide := max(u.TextWidth(look.name, words.Short), u.TextWidth(look.title, words.Title), u.TextWidth(look.cost, cost))
	if note != "" || turn != "" {
		wide = max(wide, sentence)
	}
	if readings > 0 {
		wide = max(wide, px(readoutWidth), c.regionWidth())
	}
	in.W = min(wide, in.W)
	c.plate(ItemPlate, ui.Rect{X: in.X, Y: in.Y, W: in.W,
		H: px(look.head) + below + px(18+8) + px(float32(readings)*readoutRow) + noteHeight + turnHeight})
	u.Text(in.CutTop(px(look.head)), look.name, ui.ColorText, ui.Left, words.Short)
	if at := in.CutTop(below); wraps {
		u.TextWrapped(at, look.title, ui.ColorText, words.Title)
	} else {
		u.Text(at, look.title, ui.ColorText, ui.Left, words.Title)
	}
	in.CutTop(px(4))
	u.Text(in.CutTop(px(18)), look.cost, ui.ColorDim, ui.Left, c.costText(p, &words, full))
	in.CutTop(px(4))
	if readings > 0 {
		c.drawReadings(in.CutTop(px(float32(readings)*readoutRow)), p, true)
	}
	in.W = sentence
	u.TextWrapped(in.CutTop(noteHeight), ui.Small, ui.ColorDim, note)
	u.TextWrapped(in, ui.Small, ui.ColorWarning, turn)
}

// sentences returns what a card says of its method, for which a narrow picture has no room, and what warns of its
// numbers. Both may be "".
func (c *Captions) sentences(picture ui.Rect, p state.Pane, words *models.Card) (note, warning string) {
	if picture.W >= c.View.UI.Px(view.WordyWidth) {
		note = words.Note
	}
	warning = c.distances.HalfTurn()
	if teacher := c.models.OtherTeacher(p); warning == "" && teacher != "" {
		warning = c.warning.Start().S("Learnt from ").S(teacher).S(", not from ").S(c.models.ReferenceName()).S(".").View()
	}
	return note, warning
}

// Sizes of the numbers over a picture in design pixels.
const (
	readoutWidth    = 150
	lowReadoutWidth = 112
	readoutRow      = 18
	readoutUnit     = 24
	leastReadout    = 130 // below this width nothing is shown
)

// readings returns the number of lines of a picture's distances to the reference, and of its volumes. A narrow picture
// leaves out the largest distance.
func (c *Captions) readings(p state.Pane, narrow bool) (lines int) {
	row := c.distances.Row(p)
	if row == nil {
		return 0
	}
	lines = 1
	switch {
	case c.models.IsReference(p):
		lines++
	case row.Compared:
		lines += 2
		if !narrow {
			lines++
		}
	}
	if row.Least != 0 {
		lines++
	}
	return lines
}

// drawReadings draws the lines that readings counts.
func (c *Captions) drawReadings(r ui.Rect, p state.Pane, narrow bool) {
	u, px, row := c.View.UI, c.View.UI.Px, c.distances.Row(p)
	line := func() ui.Rect { return r.CutTop(px(readoutRow)) }
	if c.models.IsReference(p) {
		u.Text(line(), ui.Small, ui.ColorDim, ui.Right, "reference")
	} else if row.Compared {
		c.errorRow(line(), row, p)
		c.distanceRow(line(), "RMS", terms.RMS, row.RMS, p)
		if !narrow {
			c.distanceRow(line(), "Largest", terms.Largest, row.Max, p)
		}
	}
	name, term := "Volume", terms.Volume
	if c.distances.OpenEdges(p) > 0 { // an open surface encloses no volume in the strict sense
		name, term = "Vol., open", terms.OpenSkin
	}
	c.readoutRow(line(), name, term, c.View.Ratio(row.Volume).View(), "%")
	if row.Least != 0 {
		c.regionRow(line(), row)
	}
}

// regionWidth returns the width of a row for any joint's name, so that a card keeps its width while regions change.
func (c *Captions) regionWidth() float32 {
	u := c.View.UI
	return min(u.TextWidth(ui.Small, c.models.LongestJointName())+u.TextWidth(ui.Body, "100.0")+c.unitWidth()+u.Px(4+2),
		u.Px(view.ReadoutWidth-30))
}

// regionRow names the region that loses most by its joint. Where the name has no room, what tells it apart stays.
func (c *Captions) regionRow(row ui.Rect, of *measure.Row) {
	u, value, name := c.View.UI, c.View.Ratio(of.Least).View(), c.models.JointName(of.LeastAt)
	if u.TextWidth(ui.Small, name)+u.TextWidth(ui.Body, value)+c.unitWidth()+u.Px(4)+1 > row.W {
		name = c.models.ShortJointName(of.LeastAt)
	}
	c.readoutRow(row, name, terms.LeastVolume, value, "%")
	u.Tip(row, u.Words().S(c.models.JointName(of.LeastAt)).S(". ").S(terms.LeastVolume.Tip()).View())
}

// readout draws a picture's distances to the reference as a column at its upper right, and takes that off in.
func (c *Captions) readout(in *ui.Rect, p state.Pane) {
	px, row := c.View.UI.Px, c.distances.Row(p)
	if row == nil {
		return
	}
	width := max(c.readoutSpace(readoutWidth, in.W, ui.Body, c.errorText(row, p)), min(c.regionWidth(), in.W/2))
	r := in.CutRight(width)
	in.CutRight(px(8 + 18)) // and what the plates reach over
	r.Y += px(4)
	r.H = px(float32(c.readings(p, false)) * readoutRow)
	c.plate(ItemReadout, r)
	c.drawReadings(r, p, false)
}

// lowReadout is the readout of a low picture, one or two lines at its right, where they leave room for the name of the
// method. It reports whether they do.
func (c *Captions) lowReadout(in *ui.Rect, p state.Pane, name float32, lines int) bool {
	u, px := c.View.UI, c.View.UI.Px
	row := c.distances.Row(p)
	if row == nil || in.W < px(leastReadout) {
		return false
	}
	width := c.readoutSpace(lowReadoutWidth, in.W, ui.Body, c.errorText(row, p))
	if in.W < width+px(8+18)+name {
		return false
	}
	r := in.CutRight(width)
	in.CutRight(px(8 + 18))
	switch {
	case c.models.IsReference(p):
		c.plate(ItemReadout, ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(24)})
	case row.Compared:
		c.plate(ItemReadout, ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(lineHeights[lines])})
	}
	first, second := r.CutTop(px(24)), r.CutTop(px(18))
	switch {
	case c.models.IsReference(p):
		u.Text(first, ui.Small, ui.ColorDim, ui.Right, "reference")
	case row.Compared:
		c.errorRow(first, row, p)
		if lines > 1 {
			c.distanceRow(second, "RMS", terms.RMS, row.RMS, p)
		}
	}
	return true
}

// errorRow says how far a picture is from what: "52 % from DQS".
func (c *Captions) errorRow(row ui.Rect, of *measure.Row, p state.Pane) {
	c.View.UI.Tip(row, terms.EE.Tip())
	c.View.UI.Text(row, ui.Body, ui.ColorText, ui.Right, c.errorText(of, p))
}

// The texts are valid until the line is used again.
// Where no single joint errs, as at rest, there is no percentage, and the text has the RMS.
func (c *Captions) errorText(row *measure.Row, p state.Pane) string {
	line := c.View.Error(row.EE)
	if math.IsNaN(row.EE) {
		line = c.View.DistanceOf(row.RMS, c.models.Size(p)).S(" ").S(c.View.State.Unit.Mark())
	}
	return line.S(" from ").S(c.models.ReferenceName()).View()
}

// readoutSpace returns a column's width: its longest text's up to half a picture, at least some design pixels.
func (c *Captions) readoutSpace(least, picture float32, style ui.Style, text string) float32 {
	return max(c.View.UI.Px(least), min(c.View.UI.TextWidth(style, text)+c.View.UI.Px(2), picture/2))
}

// distanceRow draws a distance of a picture in the person's unit.
func (c *Captions) distanceRow(row ui.Rect, name string, term terms.Term, metres float64, p state.Pane) {
	c.readoutRow(row, name, term, c.View.DistanceOf(metres, c.models.Size(p)).View(), c.View.State.Unit.Mark())
}

// unitWidth is the width of a row's unit.
func (c *Captions) unitWidth() float32 {
	u := c.View.UI
	return max(u.Px(readoutUnit), u.TextWidth(ui.Small, c.View.State.Unit.Mark())+u.Px(5))
}

// readoutRow draws a name, a number at the right edge of its field, and a unit.
func (c *Captions) readoutRow(row ui.Rect, name string, term terms.Term, value, unit string) {
	u, px := c.View.UI, c.View.UI.Px
	whole := row
	u.Text(row.CutRight(c.unitWidth()), ui.Small, ui.ColorDim, ui.Right, unit)
	u.Text(row.CutRight(u.TextWidth(ui.Body, value)+1), ui.Body, ui.ColorText, ui.Right, value)
	row.CutRight(px(4))
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	u.Tip(whole, term.Tip()) // beside the row: that of a name which is cut would cover the number
}
