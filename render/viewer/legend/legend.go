// Package legend draws the legends of the skin's colours in the lower left corner of the pictures.
package legend

import (
	"strings"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/render/viewer/view"
	"skinlab/skinning/metrics"
)

// Sizes in design pixels.
const (
	lineBar    = 60
	inset      = 10 // of a legend's words at its sides
	tickSpace  = 6  // least distance between two numbers of the scale
	skinWidth  = 150
	skinHeight = 62
	paintWidth = 196
	rampHeight = 10
)

// rampSteps is the number of steps in which the colour map is drawn.
const rampSteps = 24

// Heat draws the legend of the heat map: distances to a reference, from 0 to top metres. Beyond says that skin lies
// farther than that, and has the last colour too.
func Heat(v *view.View, top float64, beyond bool, reference string) {
	u, px, unit := v.UI, v.UI.Px, v.State.Unit
	lowest := v.Pane(v.State.Layout.Panes() / 2).Seen // the picture at the lower left
	if v.State.Layout != state.Four {
		lowest = v.Pane(0).Whole
	}
	margin, line := px(view.LegendMargin), v.HasLegendLine(lowest)
	r := ui.Rect{X: lowest.X + margin, W: px(view.LegendWidth), H: px(view.LegendHeight)}
	if line {
		margin, r.H = px(view.LegendMargin/2), px(view.LegendLine)
	}
	r.Y = lowest.Bottom() - margin - r.H
	v.Legend = r // before there are distances too, so that the camera does not move when they come
	if top <= 0 {
		return
	}
	full := unit.Of(top, v.Size)
	ticks := metrics.ScaleTicks(full)
	decimals, more := tickDecimals(full/float64(ticks)), ""
	if beyond {
		more = "+"
	}
	if line {
		heatLine(v, lowest, v.Line.Start().F(full, decimals).S(more).S(" ").S(unit.Mark()).S(" from ").S(reference).View())
		return
	}
	head, bar, numbers := beginFlat(v, r)
	defer u.EndPanel()
	u.Term(head, ui.Small, ui.ColorText, ui.Left,
		v.Line.Start().S(unit.Mark()).S(" from ").S(reference).View(), terms.HeatMap.Tip())
	fillColors(u, bar)
	if widest := u.TextWidth(ui.Small, v.Line.Start().F(full, decimals).View()); bar.W <
		float32(ticks)*(widest+px(tickSpace)) {
		ticks = 1
	}
	for k := range ticks + 1 {
		x := bar.X + bar.W*float32(k)/float32(ticks)
		if v.Line.Start().F(full*float64(k)/float64(ticks), decimals); k == ticks {
			v.Line.S(more)
		}
		number := v.Line.View()
		width := u.TextWidth(ui.Small, number)
		u.Fill(ui.Rect{X: min(float32(int(x)), bar.Right()-1), Y: bar.Bottom(), W: 1, H: px(3)}, ui.ColorDim, 0)
		at := min(max(x-width/2, bar.X), bar.Right()-width) // no number reaches over an end of the bar
		u.Text(ui.Rect{X: at, Y: numbers.Y, W: width + 1, H: numbers.H}, ui.Small, ui.ColorText, ui.Left, number)
	}
}

// heatLine draws the legend of a low picture along its lower edge: the colours between 0 and the end of the scale. What
// has no room leaves: first the words behind the end.
func heatLine(v *view.View, picture ui.Rect, end string) {
	u, px := v.UI, v.UI.Px
	zero, width := u.TextWidth(ui.Small, "0"), u.TextWidth(ui.Small, end)
	others := px(2*view.LegendMargin+lineBar+2*8) + zero
	if width > min(picture.W, px(view.LegendWidth))-others {
		end, _, _ = strings.Cut(end, " from ")
		width = u.TextWidth(ui.Small, end)
	}
	if width > picture.W-others || picture.H < px(4*view.LegendLine) {
		return
	}
	r := ui.Rect{X: picture.X + px(view.LegendMargin/2), Y: picture.Bottom() - px(view.LegendMargin/2+view.LegendLine),
		W: others - px(view.LegendMargin) + width + px(2), H: px(view.LegendLine)}
	u.BeginLayer(desk.PanelLegend, r)
	defer u.EndPanel()
	u.Plate(r, px(6))
	in := r.Inset(px(view.LegendMargin/2), 0)
	u.Text(in.CutLeft(zero), ui.Small, ui.ColorDim, ui.Left, "0")
	in.CutLeft(px(8))
	bar := in.CutLeft(px(lineBar))
	fillColors(u, bar.Inset(0, px(7)))
	in.CutLeft(px(8))
	u.Term(in, ui.Small, ui.ColorText, ui.Left, end, terms.HeatMap.Tip())
}

// begin draws the background of a legend and returns the room inside it. The caller ends the panel.
func begin(v *view.View, r ui.Rect, top float32) ui.Rect {
	v.Legend = r
	v.UI.BeginLayer(desk.PanelLegend, r)
	v.UI.Plate(r, v.UI.Px(6))
	return r.Inset(v.UI.Px(inset), v.UI.Px(top))
}

func mapColor(t float32) ui.Color {
	c := picture.Colormap(t)
	return ui.RGB(c[0], c[1], c[2])
}

// tickDecimals returns the number of decimals that marks a step apart need to differ.
func tickDecimals(step float64) (decimals int) {
	for at := step; decimals < 6 && at < 0.9999; at *= 10 {
		decimals++
	}
	return decimals
}

// beginSkin begins the plate of the skin's legends, at the bottom left.
func beginSkin(v *view.View) (head, bar, ends ui.Rect) {
	px := v.UI.Px
	return beginFlat(v, ui.Rect{X: v.Rect.X + px(20), Y: v.Rect.Bottom() - px(20+skinHeight), W: px(skinWidth),
		H: px(skinHeight)})
}

// beginFlat begins the plate of a flat legend, and returns the places of title, bar and numbers.
func beginFlat(v *view.View, r ui.Rect) (head, bar, ends ui.Rect) {
	px, in := v.UI.Px, begin(v, r, 8)
	head = in.CutTop(px(14))
	in.CutTop(px(6))
	bar = in.CutTop(px(10))
	in.CutTop(px(3))
	return head, bar, in.CutTop(px(14))
}

// Skin draws the legend of the skin's view if the skin shows one. joint is the name of the picked joint, "" for none.
func Skin(v *view.View, joint string) {
	u, px := v.UI, v.UI.Px
	if !v.Roomy(px(skinWidth), px(skinHeight)) {
		return
	}
	head, bar, ends := beginSkin(v)
	defer u.EndPanel()
	title := func(text string) { u.Text(head, ui.Small, ui.ColorText, ui.Left, text) }
	switch v.State.Skin {
	case state.SkinWeights:
		if joint == "" {
			title("Weight of a joint")
			u.Text(ui.Rect{X: bar.X, Y: bar.Y, W: bar.W, H: px(20)}, ui.Small, ui.ColorDim, ui.Left, "Pick a joint to see it")
			return
		}
		title(v.Line.Start().S("Weight of ").S(joint).View())
		ramp(u, bar, ends)
	case state.SkinInfluences:
		title("Influences of a vertex")
		colors := picture.InfluenceColors()
		swatches(u, bar, ends, colors[:], influenceLabels)
	case state.SkinNormals:
		title("Direction of the normal")
		swatches(u, bar, ends, normalColors, normalLabels)
	}
}

var (
	influenceLabels = []string{"1", "2", "3", "4", "> 4"}
	normalLabels    = []string{"+x", "+y", "+z"}
	normalColors    = [][3]uint8{{255, 128, 128}, {128, 255, 128}, {128, 128, 255}}
)

func swatches(u *ui.Context, bar, labels ui.Rect, colors [][3]uint8, names []string) {
	w := bar.W / float32(len(colors))
	for k, c := range colors {
		x := bar.X + w*float32(k)
		u.Fill(ui.Rect{X: x, Y: bar.Y, W: w, H: bar.H}, ui.RGB(c[0], c[1], c[2]), 0)
		u.Text(ui.Rect{X: x, Y: labels.Y, W: w, H: labels.H}, ui.Small, ui.ColorDim, ui.Center, names[k])
	}
}

// ramp draws the colour map from left to right with the numbers from 0 to 1 below.
func ramp(u *ui.Context, bar, numbers ui.Rect) {
	fillColors(u, bar)
	for at, number := range [...]string{ui.Left: "0", ui.Center: "0.5", ui.Right: "1"} {
		u.Text(numbers, ui.Small, ui.ColorDim, ui.Align(at), number)
	}
}

// fillColors draws the colour map from left to right.
func fillColors(u *ui.Context, bar ui.Rect) {
	for k := range rampSteps {
		x0, x1 := bar.X+bar.W*float32(k)/rampSteps, bar.X+bar.W*float32(k+1)/rampSteps
		u.FillAcross(ui.Rect{X: x0, Y: bar.Y, W: x1 - x0, H: bar.H}, mapColor(float32(k)/rampSteps),
			mapColor(float32(k+1)/rampSteps))
	}
}

// writeEnds writes 0 and the largest number below the ends of a bar.
func writeEnds(v *view.View, numbers ui.Rect, largest float64, decimals int) {
	v.UI.Text(numbers, ui.Small, ui.ColorDim, ui.Left, "0")
	v.UI.Text(numbers, ui.Small, ui.ColorDim, ui.Right, v.Line.Start().F(largest, decimals).View())
}

// Weights draws the legend of one bone's weights: the largest has the darkest colour, [desk.WeightDye].
func Weights(v *view.View, bone string, largest float64) {
	u, px := v.UI, v.UI.Px
	if !v.Roomy(px(skinWidth), px(skinHeight)) {
		return
	}
	head, bar, numbers := beginSkin(v)
	defer u.EndPanel()
	u.Text(head, ui.Small, ui.ColorText, ui.Left, v.Line.Start().S("Weight of ").S(bone).View())
	u.FillAcross(bar, clay, desk.Color(desk.WeightDye))
	writeEnds(v, numbers, largest, 2)
}

// clay is about the colour of the skin where no paint is.
var clay = ui.RGB(200, 196, 190)

// PaintChoices are the views of the paint, in the order of state.PaintView. Their tips explain the colours.
var PaintChoices = []ui.Segment{
	{Label: "Proxy bones",
		Tip: "Each colour is the part of the skin that one proxy bone moves. Where there is none, joints move it.\tShift P"},
	{Label: "Key gradients",
		Tip: "Each colour is where one learnt turn and stretch moves the skin most. Point at a bead to see one alone.\tShift P"},
	{Label: "Turning",
		Tip: "u, how far the skin turns with the joint that drives it: 0 not at all, 1 as far.\tShift P"},
}

func Paint(v *view.View) {
	u, px, shown := v.UI, v.UI.Px, v.State.PaintView
	width := px(paintWidth)
	words, _, _ := strings.Cut(PaintChoices[shown].Tip, "\t")
	h := px(8+14+6+8) + u.TextHeight(ui.Small, words, width-px(20))
	if shown == state.PaintTurns {
		h += px(rampHeight + 3 + 14 + 6)
	}
	if !v.Roomy(width, h) {
		return
	}
	in := begin(v, ui.Rect{X: v.Rect.X + px(20), Y: v.Rect.Bottom() - px(20) - h, W: width, H: h}, 8)
	defer u.EndPanel()
	u.Text(in.CutTop(px(14)), ui.Small, ui.ColorText, ui.Left, PaintChoices[shown].Label)
	in.CutTop(px(6))
	if shown == state.PaintTurns {
		bar := in.CutTop(px(rampHeight))
		in.CutTop(px(3))
		ramp(u, bar, in.CutTop(px(14)))
		in.CutTop(px(6))
	}
	u.TextWrapped(in, ui.Small, ui.ColorDim, words)
}
