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

// Plot is a curve over a number of things, drawn by ImPlot. Its axes start at 0.
type Plot struct {
	X, Y         []float64 // equally long; X ascending whole numbers
	MostX, MostY float64   // ends of the axes
	Mark         int       // index of the highlighted point, −1 for none

	Levels     []float64 // values of Y at which horizontal lines are drawn
	LevelNames []string  // one per level
}

// Plot draws the curve. It returns the index of the point nearest to a mouse that holds the plot, else −1.
func (c *Context) Plot(id int, r Rect, p *Plot, tip string) (held int) {
	i := c.item(id, r, tip)
	if len(p.X) > 1 {
		c.hand(i)
	}
	c.stylePlot()
	xs, ys := (*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y))
	in := C.skPlot(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle, xs, ys,
		C.int(len(p.X)),
		C.double(p.MostX), C.double(wholeStep(p.MostX)), C.double(p.MostY), C.int(p.Mark),
		(*C.double)(unsafe.SliceData(p.Levels)), C.int(len(p.Levels)))
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

// wholeStep returns the distance of labels of whole numbers: 1, 2, 5, 10 and so on, for at most eight besides 0.
func wholeStep(most float64) float64 {
	step := 1.0
	for k := 0; most/step >= 9; k++ {
		step *= [...]float64{2, 2.5, 2}[k%3]
	}
	return step
}

// levelNames writes the names of levels at the right end of their lines, above them or where one is, below.
func (c *Context) levelNames(in Rect, p *Plot) {
	h := c.Px(14)
	c.tops = c.tops[:0]
	for k, y := range p.Levels {
		if !(y <= p.MostY) {
			continue
		}
		at := in.Bottom() - in.H*float32(y/p.MostY)
		top := nameTop(in, at, h, c.tops)
		c.tops = append(c.tops, top)
		c.Text(Rect{in.X, top, in.W - c.Px(4), h}, Small, ColorDim, Right, p.LevelNames[k])
	}
}

// nameTop returns the top of a name of height h at a line across. The names before it have these tops.
func nameTop(in Rect, line, h float32, tops []float32) float32 {
	top := max(line-h, in.Y)
	for _, other := range tops {
		if abs(top-other) < h {
			top = max(line, other+h)
		}
	}
	for _, other := range tops { // none is below the plot
		if top+h > in.Bottom() {
			top = min(top, other-h)
		}
	}
	return top
}

// stylePlot fills in the style of plots. The context holds it so that no frame allocates it.
func (c *Context) stylePlot() {
	c.plotStyle = C.skPlotStyle{
		font: c.fonts[Small.font], font_size: C.float(c.size(Small)), line_weight: C.float(c.Px(2)),
		marker_size: C.float(c.Px(4)),
		text:        C.ImU32(ColorFaint), grid: C.ImU32(ColorEdge), line: C.ImU32(ColorAccent), mark: C.ImU32(ColorText),
		level: C.ImU32(ColorDim),
	}
}

// Curves are several functions of one variable, drawn by ImPlot. Their axes may reach below 0.
type Curves struct {
	X      []float64 // rising
	Y      []float64 // the curves one after the other, each as long as X
	Colors []Color   // one per curve
	Shown  uint      // bit k shows curve k
	Lit    int       // index of the highlighted curve, −1 for none

	LeastX, MostX, LeastY, MostY float64
	TicksX                       int     // number of labels along X, including both ends; 0 for round numbers
	FormatX, FormatY             string  // format of the labels for C's printf, with a zero byte at the end
	Zero                         float64 // value of Y at which a horizontal line is drawn
	At                           float64 // value of X at which a vertical line is drawn; NaN for none

	Marks []float64 // values of X at which a faint vertical line is drawn
	Mark  string    // what these are; written beside the first

	PointX, PointY []float64 // equally long: points that are drawn under the curves
}

// Curves draws the curves. It returns the value of X under a mouse inside, and whether the mouse holds the plot.
func (c *Context) Curves(id int, r Rect, p *Curves, tip string) (x float64, inside, held bool) {
	n := len(p.X)
	if n < 2 || len(p.Y) != n*len(p.Colors) || len(p.PointX) != len(p.PointY) || p.FormatX[len(p.FormatX)-1] != 0 ||
		p.FormatY[len(p.FormatY)-1] != 0 {
		panic(fmt.Sprintf("ui: Curves: %d values for %d curves of %d points, %d and %d of points, formats %q and %q",
			len(p.Y), len(p.Colors), n, len(p.PointX), len(p.PointY), p.FormatX, p.FormatY))
	}
	i := c.clickable(id, r, tip)
	c.stylePlot()
	c.curves = c.curves[:0]
	for _, k := range p.Colors {
		c.curves = append(c.curves, k.readable(ColorPanel, StrokeContrast))
	}
	in := C.skCurves(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y)), C.int(len(p.Colors)), C.int(n),
		(*C.ImU32)(unsafe.Pointer(unsafe.SliceData(c.curves))), C.uint(p.Shown), C.int(p.Lit),
		C.double(p.LeastX), C.double(p.MostX), C.int(p.TicksX), format(p.FormatX),
		C.double(p.LeastY), C.double(p.MostY), format(p.FormatY), C.double(p.Zero), C.double(p.At),
		(*C.double)(unsafe.SliceData(p.PointX)), (*C.double)(unsafe.SliceData(p.PointY)), C.int(len(p.PointX)))
	c.marks(Rect{float32(in.x), float32(in.y), float32(in.w), float32(in.h)}, p)
	if in.w <= 0 || !i.is(hovered|active) {
		return 0, false, false
	}
	mx, _ := c.Mouse()
	x = p.LeastX + float64((mx-float32(in.x))/float32(in.w))*(p.MostX-p.LeastX)
	inside = i.is(active) || mx >= float32(in.x) && mx <= float32(in.x+in.w)
	return min(max(x, p.LeastX), p.MostX), inside, i.is(active)
}

// marks draws the marks of curves, and their text at the foot of the first one.
func (c *Context) marks(in Rect, p *Curves) {
	for k, mark := range p.Marks {
		x := in.X + in.W*float32((mark-p.LeastX)/(p.MostX-p.LeastX))
		c.Fill(Rect{x, in.Y, 1, in.H}, ColorWarning.Alpha(0.6), 0)
		if k > 0 {
			continue
		}
		w, h := min(c.TextWidth(Small, p.Mark), in.W-c.Px(6)), c.Px(14)
		at := Rect{min(x+c.Px(3), in.Right()-w-c.Px(3)), in.Bottom() - h, w, h}
		c.Fill(at, ColorPanel.Alpha(0.8), 0)
		c.Text(at, Small, ColorWarning, Left, p.Mark)
	}
}

// format passes a text that ends in a zero byte to C.
func format(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

// StackSamples is the largest number of values in a layer of a [Stack].
const StackSamples = 240

// StackLayers is the largest number of layers of a [Stack], including the floor.
const StackLayers = 10

// Stack is a history of parts and their sum, drawn by ImPlot as areas on top of each other. The area of layer k lies
// between the values of layers k−1 and k. Layer 0 is the floor and has no area.
type Stack struct {
	X     [StackSamples]float64 // ascending
	Tops  [StackLayers][StackSamples]float64
	Color [StackLayers]Color

	Layers, Len  int
	MostX, MostY float64 // ends of the axes, which begin at 0
}

// Stack draws the history. Only the vertical axis has labels.
func (c *Context) Stack(id int, r Rect, s *Stack, tip string) {
	if s.Layers > StackLayers || s.Len > StackSamples {
		panic(fmt.Sprintf("ui: Stack of %d layers of %d values", s.Layers, s.Len))
	}
	c.widget(id, r, tip)
	c.stylePlot()
	C.skStack(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(&s.X[0]), (*C.double)(&s.Tops[0][0]), C.int(s.Layers), C.int(s.Len), StackSamples,
		(*C.ImU32)(unsafe.Pointer(&s.Color[0])), C.double(s.MostX), C.double(s.MostY))
}

// LogPlot is a curve over two logarithmic axes.
type LogPlot struct {
	X, Y                         []float64 // equally long; X ascending; all above 0
	LeastX, MostX, LeastY, MostY float64   // begin, above 0, and end of each axis
}

func (c *Context) LogPlot(id int, r Rect, p *LogPlot, tip string) {
	c.widget(id, r, tip)
	c.stylePlot()
	C.skLogPlot(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(r.H), &c.plotStyle,
		(*C.double)(unsafe.SliceData(p.X)), (*C.double)(unsafe.SliceData(p.Y)), C.int(len(p.X)),
		C.double(p.LeastX), C.double(p.MostX), C.double(p.LeastY), C.double(p.MostY))
}
