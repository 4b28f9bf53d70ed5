package ui

// #cgo noescape skCurves
// #include "cimcurves.h"
import "C"

import (
	"fmt"
	"unsafe"
)

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
