package helperpage

import (
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// plotted is the number of points of the plot's curve.
const plotted = 61

// plotHeight is the height of the plot in design pixels.
const plotHeight = 120

// plot is the picked column of the chosen bone's motion over one joint angle.
type plot struct {
	ui.Curves
	colors [1]ui.Color
	at     [][3]float64 // variables of the inputs, reused
}

func newPlot() plot {
	p := plot{}
	p.X, p.Y = make([]float64, plotted), make([]float64, plotted)
	p.Shown, p.Lit, p.TicksX, p.FormatX, p.FormatY = 1, -1, 5, "%.0f\x00", "%g\x00"
	return p
}

// plottedAngle returns the variable over which the picked coefficient is plotted: the first one in its term. The
// constant is plotted over the first term's.
func (p *Page) plottedAngle() (input, axis int, ok bool) {
	b := &p.edits.now.Bones[p.Chosen]
	term := p.picked.term
	if term < 0 {
		if len(b.Terms) == 0 {
			return 0, 0, false
		}
		term = 0
	}
	t := &b.Terms[term]
	for t.Powers[axis] == 0 {
		axis++
	}
	return t.Input, axis, true
}

// drawPlot plots the picked column of the motion over a joint angle, with the other angles as in the shown pose.
func (p *Page) drawPlot(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	input, axis, ok := p.plottedAngle()
	if !ok {
		return
	}
	in.CutTop(px(8))
	joint := &p.edits.now.Inputs[input]
	g := &groups[groupOf(p.picked.column)]
	caption := in.CutTop(px(16))
	u.Text(caption, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S(columnNames[p.picked.column]).S(", ").S(g.unit).
		S(", over ").S(p.host.JointName(joint.Joint)).S(" ").S(axisName(joint, axis)).S(", degrees").View())
	p.curve(input, axis, g.scale)
	r := in.CutTop(px(plotHeight))
	r.W -= px(6) // the last label of the axis reaches past the plot
	u.Curves(itemPlot, r, &p.plot.Curves)
	u.Tip(r, "The framed number's column over the angle of its joint. The line is the shown pose, whose other angles the "+
		"curve has.")
}

// curve computes the plot: a column of the chosen bone's motion over one variable, in a unit of scale.
func (p *Page) curve(input, axis int, scale float64) {
	c, r, f := &p.plot, p.edits.now, p.host.Fitted()
	p.readPose()
	joint := &r.Inputs[input]
	least, most := joint.Least[axis], joint.Most[axis]
	c.at = append(c.at[:0], p.variables...)
	low, high := 0.0, 0.0
	for k := range c.X {
		x := least + (most-least)*float64(k)/float64(len(c.X)-1)
		c.at[input][axis] = x
		y := r.Motion(p.Chosen, c.at)[p.picked.column] * scale
		c.X[k], c.Y[k] = x*180/math.Pi, y
		low, high = min(low, y), max(high, y)
	}
	c.colors[0] = f.Colors[f.BoneOf(r.Bones[p.Chosen].Joint)]
	c.Colors = c.colors[:]
	c.LeastX, c.MostX = least*180/math.Pi, max(most, least+1e-6)*180/math.Pi
	c.At = p.variables[input][axis] * 180 / math.Pi
	c.LeastY, c.MostY = -state.RoundTop(-low), state.RoundTop(high)
	if span := c.MostY - c.LeastY; span > 0 {
		c.LeastY, c.MostY = c.LeastY-0.04*span, c.MostY+0.04*span
	} else {
		c.LeastY, c.MostY = -1, 1
	}
}

// readPose reads the variables of all inputs in the shown pose.
func (p *Page) readPose() {
	frame := p.host.Fitted().Frame
	for i := range p.edits.now.Inputs {
		in := &p.edits.now.Inputs[i]
		p.variables[i] = in.Variables(in.Turn(&frame.Model.Skeleton, frame.Matrices).Log().Mul(2))
	}
}
