package chart

import (
	"image/color"
	"math"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skinlab/skinning/metrics"
)

// Layout, in points.
const (
	margin      = 8
	titleSize   = 12
	labelSize   = 10
	tickSize    = 9.5
	keyHeight   = 15 // of a row of the key
	keySwatch   = 24 // length of the line sample
	keyGap      = 14 // between entries
	curveWidth  = 1.6
	titleHeight = 20
)

var (
	paperInk  = color.Gray{0x1c}
	paperDim  = color.Gray{0x55}
	paperGrid = color.Gray{0xe4}
	paperBase = color.Gray{0x99}
)

// draw lays out title, key and plot from top to bottom. The key is outside of the plot, so no curve is below it.
func (c *Chart) draw(canvas draw.Canvas) {
	canvas.FillPolygon(color.White,
		[]vg.Point{canvas.Min, {X: canvas.Max.X, Y: canvas.Min.Y}, canvas.Max, {X: canvas.Min.X, Y: canvas.Max.Y}})
	canvas = draw.Crop(canvas, margin, -margin-4, margin-2, -margin)
	title := c.style(titleSize, paperInk)
	canvas.FillText(title, vg.Point{X: canvas.Min.X, Y: canvas.Max.Y}, shorten(title, c.Title, canvas.Size().X))
	below := c.key(draw.Crop(canvas, 0, 0, 0, -titleHeight))
	c.plot().Draw(draw.Crop(canvas, 0, 0, 0, below-canvas.Max.Y-6))
}

// key draws the curves' names in rows and returns the height at which they end.
func (c *Chart) key(canvas draw.Canvas) vg.Length {
	style := c.style(labelSize, paperInk)
	x, y := canvas.Min.X, canvas.Max.Y
	for i, curve := range c.Curves {
		name := shorten(style, curve.Name, canvas.Size().X-keySwatch-5)
		width := keySwatch + 5 + style.Width(name)
		if x > canvas.Min.X && x+width > canvas.Max.X {
			x, y = canvas.Min.X, y-keyHeight
		}
		canvas.StrokeLine2(lineStyle(i), x, y-keyHeight/2, x+keySwatch, y-keyHeight/2)
		canvas.FillText(style, vg.Point{X: x + keySwatch + 5, Y: y - 0.5}, name)
		x += width + keyGap
	}
	return y - keyHeight
}

func (c *Chart) plot() *plot.Plot {
	p := plot.New()
	p.X.Padding, p.Y.Padding = 0, 0
	for _, a := range []struct {
		axis *plot.Axis
		of   Axis
	}{{&p.X, c.X}, {&p.Y, c.Y}} {
		a.axis.Label.Text = a.of.Label
		a.axis.Label.TextStyle.Font, a.axis.Label.TextStyle.Color = sans(labelSize), paperInk
		a.axis.Label.Padding = 3
		a.axis.Tick.Label.Font, a.axis.Tick.Label.Color = sans(tickSize), paperDim
		a.axis.Tick.LineStyle.Color, a.axis.LineStyle.Color = paperBase, paperBase
		a.axis.Tick.Length = 4
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = paperGrid, paperGrid
	p.Add(grid)

	left, right := bounds(c.At[0], c.At)
	if right == left {
		right = left + 1
	}
	values := make([][]float64, len(c.Curves))
	for i := range c.Curves {
		values[i] = c.Curves[i].Values
	}
	low, high := bounds(c.Y.Base, values...)
	if high == low {
		low, high = low-1, high+1 // all curves lie on the base
		if c.Y.Base == 0 {
			low = 0
		}
	}
	xStep, yStep := c.X.Step, c.Y.Step
	if xStep == 0 {
		xStep = metrics.RoundStep((right - left) / 8)
	}
	if yStep == 0 {
		yStep = metrics.RoundStep((high - low) / 5)
	}
	// The vertical axis ends at ticks, which a value may exceed by less than the line's width. The horizontal axis ends
	// with the values.
	const slack = 0.01 // of a step
	low, high = yStep*math.Floor(low/yStep+slack), yStep*math.Ceil(high/yStep-slack)

	base := plotter.XYs{{X: left, Y: c.Y.Base}, {X: right, Y: c.Y.Base}}
	p.Add(&plotter.Line{XYs: base, LineStyle: draw.LineStyle{Color: paperBase, Width: 1}})
	for i := range c.Curves {
		for _, run := range c.runs(i) {
			p.Add(&plotter.Line{XYs: run, LineStyle: lineStyle(i)})
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = left, right, plot.ConstantTicks(ticks(left, right, xStep))
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = low, high, plot.ConstantTicks(ticks(low, high, yStep))
	return p
}

// runs splits a curve at values that are not finite. A single point becomes a line of length zero, which draws nothing.
func (c *Chart) runs(curve int) (runs []plotter.XYs) {
	var run plotter.XYs
	for i, y := range c.Curves[curve].Values {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			if len(run) > 0 {
				runs = append(runs, run)
			}
			run = nil
			continue
		}
		run = append(run, plotter.XY{X: c.At[i], Y: y})
	}
	if len(run) > 0 {
		runs = append(runs, run)
	}
	return runs
}

func lineStyle(i int) draw.LineStyle {
	style := draw.LineStyle{Color: Ink(i), Width: curveWidth}
	for _, d := range Dashes(i) {
		style.Dashes = append(style.Dashes, vg.Length(d))
	}
	return style
}

func (c *Chart) style(size vg.Length, ink color.Color) text.Style {
	return text.Style{Color: ink, Font: sans(size), XAlign: draw.XLeft, YAlign: draw.YTop,
		Handler: plot.DefaultTextHandler}
}

// shorten cuts s and adds an ellipsis where it is wider than width. A name in a file may be very long, and measuring
// takes time in proportion. So the length is found by bisection.
func shorten(style text.Style, s string, width vg.Length) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	begin := func(n int) string { return string(runes[:n]) + "…" }
	return begin(max(sort.Search(len(runes), func(n int) bool { return style.Width(begin(n)) > width })-1, 0))
}

// ticks returns the multiples of step from low to high. Labels have as many decimals as the step.
func ticks(low, high, step float64) (list []plot.Tick) {
	decimals := 0
	for s := step; decimals < 12 && math.Abs(s-math.Round(s)) > 1e-6*step; s *= 10 {
		decimals++
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		label := strconv.FormatFloat(k*step+0, 'f', decimals, 64) // + 0 turns −0 into 0
		list = append(list, plot.Tick{Value: k * step, Label: strings.Replace(label, "-", "−", 1)})
	}
	return list
}
