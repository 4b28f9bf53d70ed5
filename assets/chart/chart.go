// Package chart draws line charts for papers and reports as PNG or SVG. Lines are dark on white, and can be told apart
// in colour, in grey and by colour-blind readers. It draws with gonum.org/v1/plot.
package chart

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is one set of curves over a common horizontal axis.
type Chart struct {
	Title  string
	X, Y   Axis
	At     []float64 // horizontal values, ascending; at least one
	Curves []Curve
}

// Axis is a labelled range.
type Axis struct {
	Label string // quantity and unit
	// Base is a value that the axis always shows, such as no error, or the volume of the rest pose. On the vertical
	// axis a line is drawn there.
	Base float64
	// Step is the distance between ticks. 0 means 1, 2 or 5 times a power of ten, whichever suits the range.
	Step float64
}

// Curve is a named line. Its values belong to those of Chart.At. A value that is not finite leaves a gap.
type Curve struct {
	Name   string
	Values []float64
}

// Size of a chart on paper, in points (1/72 inch).
const (
	Width  = 468
	Height = 280
)

// pngDPI makes a PNG 1,300 pixels wide.
const pngDPI = 200

// sans is Liberation Sans, which has the metrics of Arial and Helvetica. A label that fits here fits on other systems.
func sans(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Ink returns the colour of curve i, from the palette of Okabe and Ito without its yellow (Color Universal Design,
// 2008). Its colours can be told apart by colour-blind readers. They repeat after seven.
func Ink(i int) color.NRGBA {
	inks := [...]color.NRGBA{
		{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x33, 0x33, 0x33, 0xff}}
	return inks[i%len(inks)]
}

// Dashes returns the pattern of curve i, the lengths of line and gap in points. The first is solid. So if two curves
// coincide, one can be seen in the gaps of the other.
func Dashes(i int) []float64 {
	dashes := [...][]float64{nil, {7, 3}, {2, 2}, {9, 3, 2, 3}, {4, 4}, {12, 4}}
	return dashes[i%len(dashes)]
}

// CheckName returns an error if the file name's ending is not one that [Write] draws.
func CheckName(path string) error {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".png", ".svg":
		return nil
	default:
		return fmt.Errorf("%s: a chart is drawn as .png or .svg, not %q", path, ending)
	}
}

// Write draws charts below each other, as PNG or SVG by the file name's ending, see [CheckName]. It panics if there is
// no chart, or if a curve and its axis differ in length, which is a caller's bug.
func Write(w io.Writer, name string, charts ...*Chart) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if len(charts) == 0 {
		panic("chart: no chart to write")
	}
	for _, c := range charts {
		c.check()
	}
	height := vg.Length(Height * len(charts))
	if strings.EqualFold(filepath.Ext(name), ".png") {
		canvas := vgimg.NewWith(vgimg.UseWH(Width, height), vgimg.UseDPI(pngDPI))
		drawAll(draw.New(canvas), charts)
		_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
		return err
	}
	canvas := vgsvg.New(Width, height)
	drawAll(draw.New(canvas), charts)
	var text strings.Builder
	if _, err := canvas.WriteTo(&text); err != nil {
		return err
	}
	// Systems without Liberation Sans use a font of the same metrics.
	_, err := io.WriteString(w, strings.ReplaceAll(text.String(), "font-family:Liberation Sans",
		"font-family:'Liberation Sans',Arial,Helvetica,sans-serif"))
	return err
}

func (c *Chart) check() {
	for _, curve := range c.Curves {
		if len(curve.Values) != len(c.At) || len(c.At) == 0 {
			panic(fmt.Sprintf("chart: %q: %d values over %d", curve.Name, len(curve.Values), len(c.At)))
		}
	}
}

func drawAll(canvas draw.Canvas, charts []*Chart) {
	for i, c := range charts {
		c.draw(draw.Crop(canvas, 0, 0, vg.Length(Height*(len(charts)-1-i)), -vg.Length(Height*i)))
	}
}

// bounds returns the smallest and largest of base and the finite values.
func bounds(base float64, values ...[]float64) (low, high float64) {
	low, high = base, base
	for _, list := range values {
		for _, v := range list {
			if !math.IsInf(v, 0) && !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}
