package viewer

import (
	"math"
	"time"

	"skinlab/render/ui"
)

// crowdPart sets the crowd and plots what an instance costs in one that grows.
func (a *app) crowdPart(in *ui.Rect) {
	u, px, c, g := a.ui, a.ui.Px, &a.crowd, &a.timing.growth
	now := time.Now()
	a.desk.Section(in, "CROWD")
	row := in.CutTop(px(24))
	u.Text(row.CutLeft(px(66)), ui.Body, ui.ColorDim, ui.Left, "Instances")
	u.Text(row.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, a.line.Start().I(c.many).View())
	row.CutRight(px(8))
	a.timing.at.crowd = row
	asked := u.LogSlider(itemCrowd, row, float64(c.many), 1, float64(c.most), 1)
	if many := int(math.Exp2(math.Round(math.Log2(asked)))); many != c.many && !g.on {
		a.setCrowd(many)
	}
	a.desk.Paragraph(in, a.crowdNote())

	a.timing.at.grow = in.CutTop(px(timingButton))
	label := "Measure as it grows"
	if g.on {
		label = "Stop"
	}
	if u.Button(itemCrowd+1, a.timing.at.grow, label, ui.Plain, g.progress(c.most)) {
		if g.on {
			a.stopGrowth("stopped")
		} else {
			a.startGrowth(now)
		}
	}
	if len(g.plot.X) == 0 {
		return
	}
	in.CutTop(px(6))
	plot := in.CutTop(px(timingHistory))
	plot.W -= px(10) // the last label of the axis reaches past it
	u.LogPlot(itemCrowd+2, plot, &g.plot)
	u.Text(in.CutTop(px(timingHead)), ui.Small, ui.ColorFaint, ui.Left, "µs an instance, by instances")
	last := len(g.plot.X) - 1
	row = in.CutTop(px(timingRow))
	u.Text(row, ui.Small, ui.ColorText, ui.Right, a.line.Start().F(g.plot.Y[last], 1).S(" µs").View())
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, a.line.Start().S("each of ").I(int(g.plot.X[last])).View())
	if g.reason != "" {
		a.desk.Paragraph(in, g.reason)
	}
}

// crowdNote says what there is to know about the crowd. It holds until the line is used again.
func (a *app) crowdNote() string {
	c := &a.crowd
	switch {
	case !a.crowded():
		return "The model many times over, each at a time of its own, from one buffer of palettes."
	case c.drawn < c.many && c.reason != "": // the limits of a size that has just been asked for come with its first frame
		return a.line.Start().S("Not all: ").S(c.reason).S(".").View()
	case c.own.Crowd != nil && !c.own.Shadows() || c.fitted.Crowd != nil && !c.fitted.Shadows():
		return "F frames them all. So many cast no shadows."
	}
	return "F frames them all."
}
