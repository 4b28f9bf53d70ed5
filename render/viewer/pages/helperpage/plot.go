package helperpage

import (
	"context"
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/rig"
)

const plotted = 61

const plotHeight = 120

// Examples are what the helper bones of a model were learnt from.
type Examples struct {
	Variables [][][3]float64       // [example][input]: what controllers read, see [rig.HelperInput.Variables]
	Motions   [][]rig.HelperMotion // [example][bone]: the motion that would meet the example best
}

// FindExamples finds a fitted model's examples, nil if unknown, on a goroutine. Master lacks helper bones.
type FindExamples func(master, fitted *skinning.Model) (*Examples, error)

// plot is the picked column of the chosen bone's motion over one joint angle, and the examples as points.
type plot struct {
	ui.Curves
	colors [1]ui.Color
	at     [][3]float64 // variables of the inputs, reused
	rms    float64      // of the points from the curve, in the shown unit

	find     FindExamples
	job      desk.Job[*Examples]
	of       *rig.HelperBones // whose examples are asked for or there
	examples *Examples        // nil where they are not known
}

func (c *plot) init(find FindExamples) {
	c.find, c.X, c.Y = find, make([]float64, plotted), make([]float64, plotted)
	c.Shown, c.Lit, c.FormatX, c.FormatY = 1, -1, "%g\x00", "%g\x00"
}

// findExamples looks once for the examples of the shown rig. A running fit makes rigs too fast for that.
func (p *Page) findExamples() {
	c, find := &p.plot, p.plot.find
	if find == nil || c.of == p.edits.fitted || p.Models.FinishedFit() == nil {
		return
	}
	c.of, c.examples = p.edits.fitted, nil
	master, model := p.Models.File.Model, p.edits.model
	c.job.Start(p.Context, p.WakeLater, func(context.Context) (*Examples, error) { return find(master, model) })
}

// receive takes the examples that have been found. A model whose examples cannot be read has been fitted to others.
func (c *plot) receive() bool {
	x, _, ok := c.job.Take()
	if ok {
		c.examples = x
	}
	return ok
}

func (c *plot) forget() {
	c.job.Stop()
	c.of, c.examples = nil, nil
}

// plottedAngle returns the first variable of the picked coefficient's term, of the first term for the constant.
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
	g := p.inUnits(groupOf(p.picked.column))
	caption := in.CutTop(px(16))
	u.Text(caption, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S(columnNames[p.picked.column]).S(", ").S(g.unit).
		S(", over ").S(p.Models.JointName(joint.Joint)).S(" ").S(axisName(joint, axis)).S(", degrees").View())
	p.curve(input, axis, g.scale)
	r := in.CutTop(px(plotHeight))
	r.W -= px(6) // the last label of the axis reaches past the plot
	u.Curves(ItemPlot, r, &p.plot.Curves, "The framed number's column over the angle of its joint. The line is the shown "+
		"pose, whose other angles the curve has. Points are the examples, each as far from the curve as the controller is "+
		"from what it asks for.")
	p.plotNote(in, g)
}

func (p *Page) plotNote(in *ui.Rect, g *group) {
	u, px := p.UI, p.UI.Px
	note := in.CutTop(px(16))
	switch n := len(p.plot.PointX); {
	case n > 0:
		u.Text(note, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().Count(n, "example", "examples").
			S(", RMS ").F(p.plot.rms, g.decimals+1).S(" ").S(g.unit).View())
	case p.plot.job.Running(), p.Models.Fitting():
		u.Text(note, ui.Small, ui.ColorFaint, ui.Left, "Looking for the examples …")
	default:
		u.Text(note, ui.Small, ui.ColorFaint, ui.Left, "The file does not have its examples.")
	}
}

// Points returns how many examples are plotted, and the RMS of their distances from the curve in the shown unit.
func (p *Page) Points() (n int, rms float64) { return len(p.plot.PointX), p.plot.rms }

// points computes the points of the examples, and returns the range of the curve with them. An example has other angles
// than the shown pose, so its motion cannot lie in the plot itself. Its point is off the curve by the controller's
// error in the example.
func (p *Page) points(input, axis int, scale, low, high float64) (least, most float64) {
	c, r, column := &p.plot, p.edits.now, p.picked.column
	c.PointX, c.PointY, c.rms = c.PointX[:0], c.PointY[:0], 0
	if c.examples == nil || c.of != p.edits.fitted {
		return low, high
	}
	for n, variables := range c.examples.Variables {
		x := variables[input][axis]
		off := (c.examples.Motions[n][p.Chosen][column] - r.Motion(p.Chosen, variables)[column]) * scale
		c.at[input][axis] = x
		y := r.Motion(p.Chosen, c.at)[column]*scale + off
		c.PointX, c.PointY, c.rms = append(c.PointX, x*180/math.Pi), append(c.PointY, y), c.rms+off*off
		low, high = min(low, y), max(high, y)
	}
	c.rms = math.Sqrt(c.rms / float64(max(len(c.PointX), 1)))
	return low, high
}

// curve computes the plot: a column of the chosen bone's motion over one variable, in a unit of scale.
func (p *Page) curve(input, axis int, scale float64) {
	c, r, f := &p.plot, p.edits.now, p.Models.Fitted()
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
	low, high = p.points(input, axis, scale, low, high)
	c.colors[0] = f.Colors[f.BoneOf(r.Bones[p.Chosen].Joint)]
	c.Colors = c.colors[:]
	margin := 0.02*(most-least) + 1e-6 // points at the ends are seen whole
	c.LeastX, c.MostX = (least-margin)*180/math.Pi, (most+margin)*180/math.Pi
	c.At = p.variables[input][axis] * 180 / math.Pi
	c.LeastY, c.MostY = -metrics.RoundTop(-low), metrics.RoundTop(high)
	if span := c.MostY - c.LeastY; span > 0 {
		c.LeastY, c.MostY = c.LeastY-0.04*span, c.MostY+0.04*span
	} else {
		c.LeastY, c.MostY = -1, 1
	}
}

func (p *Page) readPose() {
	frame := p.Models.Fitted().Frame
	for i := range p.edits.now.Inputs {
		in := &p.edits.now.Inputs[i]
		p.variables[i] = in.Variables(in.Turn(&frame.Model.Skeleton, frame.Matrices).Log().Mul(2))
	}
}
