package ui

// #cgo noescape skPlot
// #cgo noescape skCurves
// #cgo noescape skStack
// #cgo noescape skLogPlot
// #include "cimplot.h"
// #include "cimcurves.h"
// #include "cimtiming.h"
import "C"

import (
	"fmt"
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

// Curves are several functions of one variable, drawn by ImPlot on axes that may go below 0.
type Curves struct {
	X      []float64 // rising
	Y      []float64 // of one curve after the other, each as long as X
	Colors []Color   // one per curve
	Shown  uint      // bit k shows curve k
	Lit    int       // the curve that stands out, −1 for none

	LeastX, MostX, LeastY, MostY float64
	TicksX                       int     // labels along X, the two ends among them
	FormatX, FormatY             string  // of the labels as C's printf takes it, with a zero byte at the end
	Zero                         float64 // where a line lies across
	At                           float64 // where an upright line stands; NaN for none
}

// Curves draws them. Where the mouse is inside it returns the X there, and whether it is held.
func (c *Context) Curves(id int, r Rect, p *Curves) (x float64, inside, held bool) {
	n := len(p.X)
	if n < 2 || len(p.Y) != n*len(p.Colors) || p.FormatX[len(p.FormatX)-1] != 0 || p.FormatY[len(p.FormatY)-1] != 0 {
		panic(fmt.Sprintf("ui: Curves: %d values for %d curves of %d points, formats %q and %q", len(p.Y), len(p.Colors), n,
			p.FormatX, p.FormatY))
	}
	i := c.clickable(id, r)
	c.stylePlot()
	in := C.skCurves(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y)), C.int(len(p.Colors)), C.int(n),
		(*C.ImU32)(unsafe.Pointer(unsafe.SliceData(p.Colors))), C.uint(p.Shown), C.int(p.Lit),
		C.double(p.LeastX), C.double(p.MostX), C.int(p.TicksX), format(p.FormatX),
		C.double(p.LeastY), C.double(p.MostY), format(p.FormatY), C.double(p.Zero), C.double(p.At))
	if in.w <= 0 || !i.is(hovered|active) {
		return 0, false, false
	}
	mx, _ := c.Mouse()
	x = p.LeastX + float64((mx-float32(in.x))/float32(in.w))*(p.MostX-p.LeastX)
	inside = i.is(active) || mx >= float32(in.x) && mx <= float32(in.x+in.w)
	return min(max(x, p.LeastX), p.MostX), inside, i.is(active)
}

// format passes a text that ends in a zero byte.
func format(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

// StackSamples is how many values a layer of a [Stack] has at most.
const StackSamples = 240

// StackLayers is how many layers a [Stack] has at most, its floor included.
const StackLayers = 10

// Stack is a history of parts and their sum: areas on top of each other, drawn by ImPlot. Layer k is filled from the
// values of layer k−1 up to its own; layer 0 is the floor and has no area.
type Stack struct {
	X     [StackSamples]float64 // rising
	Tops  [StackLayers][StackSamples]float64
	Color [StackLayers]Color

	Layers, Len  int
	MostX, MostY float64 // where the axes end; they begin at 0
}

// Stack draws the history. The ticks of its upright axis are labelled, those of the other not.
func (c *Context) Stack(id int, r Rect, s *Stack) {
	if s.Layers > StackLayers || s.Len > StackSamples {
		panic(fmt.Sprintf("ui: Stack of %d layers of %d values", s.Layers, s.Len))
	}
	c.stylePlot()
	C.skStack(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(&s.X[0]), (*C.double)(&s.Tops[0][0]), C.int(s.Layers), C.int(s.Len), StackSamples,
		(*C.ImU32)(unsafe.Pointer(&s.Color[0])), C.double(s.MostX), C.double(s.MostY))
}

// LogPlot is a curve over axes of powers of ten.
type LogPlot struct {
	X, Y                         []float64 // equally long, X rising, all above 0
	LeastX, MostX, LeastY, MostY float64   // where the axes begin, above 0, and end
}

// LogPlot draws the curve.
func (c *Context) LogPlot(id int, r Rect, p *LogPlot) {
	c.stylePlot()
	C.skLogPlot(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y)), C.int(len(p.X)),
		C.double(p.LeastX), C.double(p.MostX), C.double(p.LeastY), C.double(p.MostY))
}
