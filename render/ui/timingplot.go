package ui

// #cgo noescape skStack
// #cgo noescape skLogPlot
// #include "cimtiming.h"
import "C"

import (
	"fmt"
	"unsafe"
)

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
