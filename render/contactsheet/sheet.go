package contactsheet

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"skinlab/render"
)

type Cell struct {
	Picture image.Image
	Caption string // below it; may be empty
}

// Column is a contact sheet's column: its heading, whose subtitle may have two lines, and its cells from top to bottom.
type Column struct {
	Title, Subtitle string
	Cells           []Cell
}

// Layout of the sheet in pixels at a cell height of 400. It scales with the cells.
const (
	sheetGap     = 6
	sheetHeading = 78
	sheetTitle   = 20
	sheetText    = 15
	sheetCaption = 26 // height of a line under a picture
)

var (
	sheetBackground = color.NRGBA{0x16, 0x17, 0x1a, 0xff}
	sheetBright     = color.NRGBA{0xf2, 0xf2, 0xf4, 0xff}
	sheetDim        = color.NRGBA{0xa8, 0xac, 0xb4, 0xff}
)

type inks struct{ bright, dim color.NRGBA }

// inksOn returns colours that can be read on the sheet's background, or where that is transparent on any.
func inksOn(transparent bool) inks {
	if transparent {
		grey := color.NRGBA{0x80, 0x80, 0x84, 0xff}
		return inks{grey, grey}
	}
	return inks{sheetBright, sheetDim}
}

// Draw lays columns of pictures side by side under their headings, and the legend, unless it is nil, below them. All
// cells must be as large as the first. A transparent sheet has no background. Once ctx is
// done it ends with its error before the next cell.
func Draw(ctx context.Context, columns []Column, legend *Legend, transparent bool) (*image.NRGBA, error) {
	if len(columns) == 0 || len(columns[0].Cells) == 0 {
		return nil, fmt.Errorf("render: a contact sheet without cells")
	}
	size := columns[0].Cells[0].Picture.Bounds().Size()
	w, h := size.X, size.Y
	unit := sheetUnit(h)
	gap, heading, row := int(sheetGap*unit), int(sheetHeading*unit), h+int(sheetCaption*unit)
	title, err := newFace(sheetTitle * unit)
	if err != nil {
		return nil, err
	}
	text, err := newFace(sheetText * unit)
	if err != nil {
		return nil, err
	}
	width, height := sheetSize(len(columns), len(columns[0].Cells), w, h, legend != nil)
	below := heading + len(columns[0].Cells)*row
	if err := CheckSize(len(columns), len(columns[0].Cells), w, h, legend != nil); err != nil {
		return nil, err
	}
	sheet := image.NewNRGBA(image.Rect(0, 0, width, height))
	ink := inksOn(transparent)
	if !transparent {
		draw.Draw(sheet, sheet.Rect, image.NewUniform(sheetBackground), image.Point{}, draw.Src)
	}
	for c, column := range columns {
		x := gap + c*(w+gap)
		label(sheet, title, ink.bright, x+gap, int(26*unit), fit(title, column.Title, w-2*gap))
		for k, line := range strings.Split(column.Subtitle, "\n") {
			label(sheet, text, ink.dim, x+gap, int(float64(47+20*k)*unit), fit(text, line, w-2*gap))
		}
		for i := range column.Cells {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			cell := &column.Cells[i]
			if got := cell.Picture.Bounds().Size(); got != size {
				return nil, fmt.Errorf("render: contact sheet: cell %d of %q is %v, the first is %v", i, column.Title, got, size)
			}
			y := heading + i*row
			draw.Draw(sheet, image.Rect(x, y, x+w, y+h), cell.Picture, cell.Picture.Bounds().Min, draw.Src)
			label(sheet, text, ink.dim, x+gap, y+h+int(18*unit), fit(text, cell.Caption, w-2*gap))
		}
	}
	if legend == nil {
		return sheet, nil
	}
	return sheet, legend.draw(sheet, image.Rect(3*gap, below, width-3*gap, height), unit, ink)
}

// sheetUnit scales the layout to the height of a cell.
func sheetUnit(height int) float64 { return max(float64(height)/400, 0.6) }

// sheetSize returns the size of a sheet with a number of columns of cells of width by height pixels.
func sheetSize(columns, cells, width, height int, legend bool) (w, h int) {
	unit := sheetUnit(height)
	gap := int(sheetGap * unit)
	w, h = gap+columns*(width+gap), int(sheetHeading*unit)+cells*(height+int(sheetCaption*unit))
	if legend {
		h += int(legendHeight * unit)
	}
	return w, h
}

// CheckSize returns an error where a sheet of columns of cells, in pixels, is larger than pictures may be.
func CheckSize(columns, cells, width, height int, legend bool) error {
	w, h := sheetSize(columns, cells, width, height, legend)
	if w <= render.MaxPicture && h <= render.MaxPicture {
		return nil
	}
	return fmt.Errorf("a sheet of %d×%d pictures of %d×%d pixels has %d×%d pixels: each side may have %d at most", columns,
		cells, width, height, w, h, render.MaxPicture)
}

func newFace(pixels float64) (font.Face, error) {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingFull})
}

// label writes s with its baseline's left end at x, y.
func label(dst draw.Image, face font.Face, c color.Color, x, y int, s string) {
	d := font.Drawer{Dst: dst, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// fit shortens s with an ellipsis until it is at most width pixels wide.
func fit(face font.Face, s string, width int) string {
	if font.MeasureString(face, s).Ceil() <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if short := string(runes[:n]) + "…"; font.MeasureString(face, short).Ceil() <= width {
			return short
		}
	}
	return ""
}
