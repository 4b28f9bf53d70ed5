package timing

import (
	"math"
	"time"

	"skinlab/render/ui"
)

// crowdPart draws the crowd's slider and the plot of the time per instance of a growing crowd.
func (p *Page) crowdPart(in *ui.Rect) {
	u, px, c, g := p.UI, p.UI.Px, p.Crowd, &p.growth
	now := time.Now()
	p.Section(in, "CROWD")
	row := in.CutTop(px(24))
	u.Text(row.CutLeft(px(66)), ui.Body, ui.ColorDim, ui.Left, "Instances")
	u.Text(row.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, p.Line.Start().I(c.Many).View())
	row.CutRight(px(8))
	asked := u.Slider(ItemCrowd, row, float64(c.Many), ui.Track{Least: 1, Most: float64(c.Most), Step: 2, Home: 1},
		"How many copies of the model are drawn, each at its own time of the clip.")
	if many := int(math.Round(asked)); many != c.Many && !g.on {
		p.Crowd.Set(many)
	}
	p.Paragraph(in, p.Crowd.Note())

	label := "Measure as it grows"
	if g.on {
		label = "Stop"
	}
	if u.Button(ItemGrow, in.CutTop(px(buttonHeight)), label, ui.Plain, g.progress(c.Most),
		"Doubles the crowd step by step and measures the time an instance takes, in µs.") {
		if g.on {
			p.stopGrowth("stopped")
		} else {
			p.startGrowth(now)
		}
	}
	if len(g.plot.X) == 0 || p.subject.setting.withInstances(0) != g.setting { // the curve is of another setting
		return
	}
	in.CutTop(px(6))
	plot := in.CutTop(px(historyHeight))
	plot.W -= px(10) // the last label of the axis reaches past the plot
	u.LogPlot(itemGrowth, plot, &g.plot, "Time an instance takes by the number of instances, in µs; both axes are logarithmic.")
	u.Text(in.CutTop(px(headHeight)), ui.Small, ui.ColorFaint, ui.Left,
		p.Line.Start().S("µs an instance of ").S(g.method).S(", by instances").View())
	last := len(g.plot.X) - 1
	row = in.CutTop(px(rowHeight))
	u.Text(row, ui.Small, ui.ColorText, ui.Right, figure(p.Line.Start(), g.plot.Y[last]).S(" µs").View())
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S("each of ").I(int(g.plot.X[last])).View())
	if g.reason != "" {
		p.Paragraph(in, g.reason)
	}
}
