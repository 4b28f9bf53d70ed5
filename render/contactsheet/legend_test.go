package contactsheet

import (
	"image"
	"image/color"
	"testing"

	"skinlab/render/picture"
)

// graySheet is a sheet of one column with two cells of one colour.
func graySheet(t *testing.T, width, height int, legend *Legend) *image.NRGBA {
	t.Helper()
	cell := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range cell.Pix {
		cell.Pix[i] = 0x80
	}
	sheet, err := Draw(t.Context(), []Column{{Title: "a", Cells: []Cell{{cell, ""}, {cell, ""}}}}, legend, false)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// The bar has the colour map's colours from end to end, each where its value is, and the sheet above it is as without.
func TestLegendShowsTheColormap(t *testing.T) {
	legend := &Legend{Title: "distance to dqs", Full: 0.04, Diagonal: 0.85}
	plain, sheet := graySheet(t, 400, 400, nil), graySheet(t, 400, 400, legend)
	height := plain.Rect.Dy()
	if got := sheet.Rect.Dy() - height; got != legendHeight {
		t.Errorf("the legend is %d pixels high", got)
	}
	if !same(plain, sheet.SubImage(plain.Rect)) {
		t.Error("the cells change")
	}
	y, left, right := height+(legendBar+legendBarEnd)/2, 3*sheetGap, sheet.Rect.Dx()-3*sheetGap
	for i := range 101 {
		x := left + i*(right-left-1)/100
		want := picture.Colormap(float32(x-left) / float32(right-left-1))
		if got := sheet.NRGBAAt(x, y); got != (color.NRGBA{want[0], want[1], want[2], 0xff}) {
			t.Fatalf("at %d %% the bar is %v, the map %v", i, got, want)
		}
	}
	for _, x := range []int{left - 1, right} {
		if got := sheet.NRGBAAt(x, y); got != sheetBackground {
			t.Errorf("beside the bar, at %d, is %v", x, got)
		}
	}
}

// Text stays on the sheet however narrow it is, and between the ends of the bar.
func TestLegendStaysInside(t *testing.T) {
	for _, width := range []int{60, 120, 400, 2000} {
		sheet := graySheet(t, width, 100,
			&Legend{Title: "a title that is too long for a narrow sheet", Full: 123.456, Diagonal: 1e4})
		for y := sheet.Rect.Max.Y - legendHeight*6/10; y < sheet.Rect.Max.Y; y++ {
			for _, x := range []int{0, 1, sheet.Rect.Max.X - 2, sheet.Rect.Max.X - 1} {
				if got := sheet.NRGBAAt(x, y); got != sheetBackground {
					t.Fatalf("%d wide: text reaches %d, %d of %v", width, x, y, sheet.Rect)
				}
			}
		}
	}
}

func TestLegendNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 10: "10", 1.17849: "1.18", 0.25: "0.25", 1000: "1000", 12345: "12300",
		0.000025: "0.000025", 3e-9: "3e-09"} {
		if got := threeDigits(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}
