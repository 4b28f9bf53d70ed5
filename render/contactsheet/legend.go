package contactsheet

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strconv"

	"golang.org/x/image/font"

	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Legend explains the colours of a contact sheet's heat maps, in a strip below its cells.
type Legend struct {
	Title    string  // of the legend: "distance to dqs"
	Full     float64 // distance at the top of the colour map, metres; positive
	Diagonal float64 // of the rest pose, metres; positive
}

// newLegend makes the legend of heat maps. Its scale ends at most metres, rounded up to a round number. If most is 0
// up to rounding, the scale ends at a hundredth of the model's diagonal.
func newLegend(m *skinning.Model, reference string, most float64) *Legend {
	l := &Legend{Title: fmt.Sprintf("Colour: distance to %s", reference), Diagonal: max(m.Diagonal(), 1e-30)}
	if most < 1e-9*l.Diagonal { // 0 up to the rounding of float64
		most = l.Diagonal / 100
	}
	_, perDiagonal := messages.ReportUnit(l.Diagonal)
	l.Full = metrics.RoundTop(most/l.Diagonal*perDiagonal) * l.Diagonal / perDiagonal
	return l
}

// Layout of the legend in pixels at a cell height of 400, measured from its top.
const (
	legendHeight = 84
	legendTitle  = 19 // of the baseline
	legendBar    = 30
	legendBarEnd = 44
	legendTicks  = 60
	legendShares = 77
	legendWidth  = 560 // of the bar, at most
)

func (l *Legend) draw(sheet *image.NRGBA, strip image.Rectangle, unit float64, ink inks) error {
	text, err := newFace(sheetText * unit)
	if err != nil {
		return err
	}
	at := func(y float64) int { return strip.Min.Y + int(y*unit) }
	bar := image.Rect(strip.Min.X, at(legendBar), min(strip.Max.X, strip.Min.X+int(legendWidth*unit)), at(legendBarEnd))
	name, perDiagonal := messages.ReportUnit(l.Diagonal)
	title := fmt.Sprintf("%s, %s", l.Title, name)
	if name == "mm" {
		title += " and % of the diagonal"
	}
	label(sheet, text, ink.bright, bar.Min.X, at(legendTitle), fit(text, title, strip.Dx()))
	for x := bar.Min.X; x < bar.Max.X; x++ {
		c := picture.Colormap(float32(x-bar.Min.X) / float32(max(bar.Dx()-1, 1)))
		draw.Draw(sheet, image.Rect(x, bar.Min.Y, x+1, bar.Max.Y), image.NewUniform(color.NRGBA{c[0], c[1], c[2], 0xff}),
			image.Point{}, draw.Src)
	}
	ticks := tickLabels{sheet, text, bar}
	parts := metrics.ScaleTicks(l.Full)
	if bar.Dx() < int(300*unit) { // else labels would touch
		parts = 1
	}
	for i := range parts + 1 {
		share := float64(i) / float64(parts)
		x, value := bar.Min.X+int(share*float64(bar.Dx()-1)), share*l.Full
		draw.Draw(sheet, image.Rect(x, bar.Max.Y, x+1, bar.Max.Y+int(3*unit)), image.NewUniform(ink.dim), image.Point{},
			draw.Src)
		ticks.write(image.Pt(x, at(legendTicks)), ink.bright, threeDigits(value/l.Diagonal*perDiagonal))
		if name == "mm" {
			ticks.write(image.Pt(x, at(legendShares)), ink.dim, threeDigits(100*value/l.Diagonal)+" %")
		}
	}
	return nil
}

type tickLabels struct {
	sheet *image.NRGBA
	face  font.Face
	bar   image.Rectangle
}

// write centres a text at a point, but keeps it within the ends of the bar.
func (t tickLabels) write(at image.Point, c color.Color, text string) {
	width := font.MeasureString(t.face, text).Ceil()
	x := min(max(at.X-width/2, t.bar.Min.X), max(t.bar.Max.X-width, t.bar.Min.X))
	label(t.sheet, t.face, c, x, at.Y, text)
}

// threeDigits writes a non-negative number with three significant digits, without an exponent if that is readable.
func threeDigits(x float64) string {
	if x == 0 || x >= 1e6 || x < 1e-6 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64) // cannot fail
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
