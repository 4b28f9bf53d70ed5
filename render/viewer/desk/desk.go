// Package desk is what all parts of the window share: the interface, the state, a reused line of text, and ways to wake
// the loop and to show messages.
package desk

import (
	"context"
	"math"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning/messages"
)

// Sizes that are shared, design pixels.
const (
	Inset     = 12 // from a panel's edge to its content
	RowHeight = 26 // of rows that can be clicked
)

// The panels of the window, back to front.
const (
	PanelSkeleton ui.Panel = iota
	PanelBones
	PanelVertex
	PanelLegend
	PanelCaption
	PanelAxes
	PanelGizmo
	PanelDivider
	PanelKnob
	PanelLeft
	PanelRight
	PanelBottom
	PanelEdge
	PanelLeftEdge
	PanelMessage
	PanelTip
	PanelMenu
	PanelPath
	PanelHelp
	PanelPalette
	PanelQuestion
)

// How long notices stay: of something done, of a file that was written, and of advice.
const (
	NoticeTime = 4 * time.Second
	FileTime   = 12 * time.Second
	AdviceTime = 20 * time.Second
)

// Desk is what pages, overlays and cards share.
type Desk struct {
	UI      *ui.Context
	State   *state.State
	Line    ui.Line         // reused for text
	Context context.Context // of goroutines beside the window's
	Size    float64         // diagonal of the first file at rest, metres: see SetSize
	unit    state.Unit      // chosen for files of a sensible size, if oddSize
	oddSize bool

	// Wake draws the next few frames. Any goroutine may call WakeLater for it.
	Wake, WakeLater func()
	// Later runs a job on the window's goroutine soon. Any goroutine may call it.
	Later func(job func())
	// Notify shows a notice for a while, and Complain what went wrong until it is dismissed.
	Notify   func(title, text string, stay time.Duration)
	Complain func(title string, err error)
}

// SetSize takes the size of a first file. Distances on one without a sensible size are in percent of it, as in reports;
// on the next file with one they are again in the unit that a person has chosen.
func (d *Desk) SetSize(metres float64) {
	unit, _ := messages.ReportUnit(metres)
	odd := unit != "mm"
	d.unit, d.Size, d.oddSize = d.Unit(), metres, odd
	d.State.Unit = d.unit
	if odd {
		d.State.Unit = state.OfSize
	}
}

// Unit returns the unit of distances that a person has chosen for files of a sensible size.
func (d *Desk) Unit() state.Unit {
	if d.oddSize {
		return d.unit
	}
	return d.State.Unit
}

// Section draws the heading of a group and takes it off in.
func (d *Desk) Section(in *ui.Rect, title string) { d.CloseSection(in, 14, title) }

// CloseSection is Section with a gap above it, in design pixels.
func (d *Desk) CloseSection(in *ui.Rect, gap float32, title string) {
	px := d.UI.Px
	in.CutTop(px(gap))
	d.UI.Text(in.CutTop(px(14)), ui.Label, ui.ColorFaint, ui.Left, title)
	in.CutTop(px(6))
}

// BeginScroll starts a page in r that scrolls, and returns the place of its content, beside the scroll bar.
func (d *Desk) BeginScroll(item int, r ui.Rect) (in ui.Rect) {
	px := d.UI.Px
	in = d.UI.BeginScroll(item, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(Inset), H: r.H})
	in.W = r.W - px(4)
	return in
}

// Paragraph draws small text, wrapped, and takes it off in.
func (d *Desk) Paragraph(in *ui.Rect, text string) {
	h := d.UI.TextHeight(ui.Small, text, in.W)
	d.UI.TextWrapped(in.CutTop(h+d.UI.Px(8)), ui.Small, ui.ColorDim, text)
}

// Percent starts the line with a number of percent. NaN and numbers that are too large are a dash.
func (d *Desk) Percent(x float64, decimals int) *ui.Line {
	l := d.Line.Start()
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return l.S("–")
	case x >= 999.5: // a share of next to nothing
		return l.S("> 999")
	}
	return l.F(x, decimals)
}

// Distance starts the line with a distance on the first file's model in the person's unit, to a ten-thousandth of its
// size.
func (d *Desk) Distance(metres float64) *ui.Line { return d.DistanceOf(metres, d.Size) }

// DistanceOf is Distance on a model of a size, its diagonal in metres.
func (d *Desk) DistanceOf(metres, size float64) *ui.Line {
	l := d.Line.Start()
	if math.IsNaN(metres) || math.IsInf(metres, 0) {
		return l.S("–")
	}
	u, decimals := d.State.Unit, 2
	if full := u.Of(size, size); full > 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(full))), 0), 5)
	}
	value := u.Of(metres, size)
	if decimals == 0 {
		return l.I(int(math.Round(min(value, 1e12))))
	}
	return l.F(min(value, 1e12), decimals)
}

// Error starts the line with an enveloping error in percent, in as many digits as it deserves.
func (d *Desk) Error(ee float64) *ui.Line {
	decimals := 0
	for bound := 10.0; decimals < 2 && ee < bound; bound /= 10 {
		decimals++
	}
	return d.Percent(ee, decimals).S(" %")
}

// Ratio starts the line with a ratio in percent, a dash where there is none.
func (d *Desk) Ratio(x float64) *ui.Line {
	if x == 0 {
		return d.Line.Start().S("–")
	}
	return d.Percent(100*x, 1)
}
