// Package chart draws line charts for papers and reports: dark on white, with curves that stay apart in colour, in grey
// and to colour-blind eyes, as PNG or SVG. It draws with gonum.org/v1/plot.
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
	// Base is a value that the axis always shows; on the vertical axis a line is drawn there. It is what the curves are
	// read against: no error, or the rest pose's volume.
	Base float64
	// Step is the distance between ticks; 0 means one that suits the range: 1, 2 or 5 times a power of ten.
	Step float64
}

// Curve is a named line; its values stand over Chart.At. What is not finite leaves a gap.
type Curve struct {
	Name   string
	Values []float64
}

// Size of a chart on paper, in points (1/72 inch).
const (
	Width  = 468
	Height = 280
)

// pngDPI makes a PNG of 1,300 pixels' width.
const pngDPI = 200

// sans is Liberation Sans, which has the metrics of Arial and Helvetica: what measures a label here fits it elsewhere.
func sans(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Ink returns the colour of the i-th curve: the palette of Okabe and Ito without its yellow (Color Universal Design,
// 2008), which stays distinct to colour-blind eyes; it repeats after seven.
func Ink(i int) color.NRGBA {
	inks := [...]color.NRGBA{
		{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x33, 0x33, 0x33, 0xff}}
	return inks[i%len(inks)]
}

// Dashes returns the pattern of the i-th curve, lengths of line and gap in points; the first is solid. Curves that lie
// on each other show through each other's gaps.
func Dashes(i int) []float64 {
	dashes := [...][]float64{nil, {7, 3}, {2, 2}, {9, 3, 2, 3}, {4, 4}, {12, 4}}
	return dashes[i%len(dashes)]
}

// CheckName returns an error where a file name has no ending that [Write] draws.
func CheckName(path string) error {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".png", ".svg":
		return nil
	default:
		return fmt.Errorf("%s: a chart is drawn as .png or .svg, not %q", path, ending)
	}
}

// Write draws charts below each other as the file name's ending says, PNG or SVG; see [CheckName]. It panics where
// there is no chart, or a curve has another number of values than its axis: a caller's bug.
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
	// The file names the one font that it was measured with: name those of the same metrics too, for systems without it.
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

// bounds returns the smallest and largest finite value and base.
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
