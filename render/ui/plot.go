package ui

// #cgo noescape skPlot
// #include "cimplot.h"
import "C"

import (
	"math"
	"unsafe"
)

// Plot is a curve over axes that start at 0, drawn by ImPlot.
type Plot struct {
	X, Y         []float64 // equally long, X rising
	MostX, MostY float64   // where the axes end
	Mark         int       // the point that is lit, −1 for none

	Levels     []float64 // lines across, at values of Y
	LevelNames []string  // one per level
}

// Plot draws the curve. While the mouse holds a place in it, it returns the point nearest to that along X, else −1.
func (c *Context) Plot(id int, r Rect, p *Plot) (held int) {
	i := c.item(id, r)
	if len(p.X) > 1 {
		c.hand(i)
	}
	c.stylePlot()
	xs, ys := (*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y))
	in := C.skPlot(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle, xs, ys,
		C.int(len(p.X)),
		C.double(p.MostX), C.double(p.MostY), C.int(p.Mark), (*C.double)(unsafe.SliceData(p.Levels)), C.int(len(p.Levels)))
	c.levelNames(Rect{float32(in.x), float32(in.y), float32(in.w), float32(in.h)}, p)
	if !i.is(active) || len(p.X) == 0 || in.w <= 0 {
		return -1
	}
	mx, _ := c.Mouse()
	at := float64((mx-float32(in.x))/float32(in.w)) * p.MostX
	for k := range p.X {
		if math.Abs(p.X[k]-at) <= math.Abs(p.X[held]-at) {
			held = k
		}
	}
	return held
}

// levelNames writes the names of the levels at the right end of their lines, above each, or below it where there is
// another close above.
func (c *Context) levelNames(in Rect, p *Plot) {
	h := c.Px(14)
	for k, y := range p.Levels {
		if !(y <= p.MostY) {
			continue
		}
		at := in.Bottom() - in.H*float32(y/p.MostY)
		top := at - h
		for i, other := range p.Levels {
			if above := in.Bottom() - in.H*float32(other/p.MostY); i != k && above <= at && above > at-h*1.1 &&
				(other > y || i < k) {
				top = at
			}
		}
		c.Text(Rect{in.X, max(top, in.Y), in.W - c.Px(4), h}, Small, ColorDim, Right, p.LevelNames[k])
	}
}

// stylePlot fills in what plots look like: in the context, or every frame would allocate one.
func (c *Context) stylePlot() {
	c.plotStyle = C.skPlotStyle{
		font: c.fonts[Small.font], font_size: C.float(c.size(Small)), line_weight: C.float(c.Px(2)),
		marker_size: C.float(c.Px(4)),
		text:        C.ImU32(ColorFaint), grid: C.ImU32(ColorEdge), line: C.ImU32(ColorAccent), mark: C.ImU32(ColorText),
		level: C.ImU32(ColorDim),
	}
}
