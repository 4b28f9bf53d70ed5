package contactsheet

import (
	"context"
	"errors"
	"image"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// temperature counts a picture's pixels in the upper half of the colour map (much red, little blue), a third darker where
// they turn away, and at its foot.
func temperature(img image.Image) (hot, cold int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if r > 0x9000 && b < 0x9000 && g > 0x3000 {
				hot++
			}
			if b > 0x5000 && r < b/2 && g < b/2 {
				cold++
			}
		}
	}
	return hot, cold
}

// same reports whether two pictures have the same size and the same colours.
func same(a, b image.Image) bool {
	if a.Bounds().Size() != b.Bounds().Size() {
		return false
	}
	p, q := a.Bounds(), b.Bounds()
	for y := range p.Dy() {
		for x := range p.Dx() {
			if a.At(p.Min.X+x, p.Min.Y+y) != b.At(q.Min.X+x, q.Min.Y+y) {
				return false
			}
		}
	}
	return true
}

func box(t *testing.T) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:box")
	return m
}

// drawTest draws a comparison of demo:box at the end of its twist.
func drawTest(t *testing.T, c *Comparison) *Sheets {
	t.Helper()
	m := box(t)
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	c.Reference, c.Clip, c.ShortestPath, c.Width, c.Height = skinning.DQS, clip, true, 120, 150
	c.Subtitles = make([]string, len(c.Subjects))
	if c.Heat {
		rows, err := compare.Run(context.Background(), m, compare.Options{Reference: c.Reference, Subjects: c.Subjects,
			Clip: clip, Times: c.Times, ShortestPath: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			c.HeatTop = max(c.HeatTop, r.Top*m.Diagonal())
		}
	}
	sheets, err := Compare(context.Background(), m, c)
	if errors.Is(err, gpu.ErrHeadless) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sheets
}

// The map is hot where linear blending collapses and cold all over on the reference itself. A second copy of the model,
// as fitted files are, has the same heat as the model: its reference is posed by the model.
func TestHeatOfAComparison(t *testing.T) {
	again := box(t)
	subjects := append(compare.Direct(skinning.LBS, skinning.DQS),
		compare.Subject{Name: "again", Title: "again", Method: skinning.LBS, Model: again})
	worst := box(t).Clips[0].Seconds / 2
	sheets := drawTest(t, &Comparison{Subjects: subjects, Times: []float64{0, worst}, Heat: true})
	if sheets.Legend == nil || len(sheets.Times) != 2 || len(sheets.Times[1]) != 3 {
		t.Fatalf("%d times, legend %v", len(sheets.Times), sheets.Legend)
	}
	lbs, dqs, copied := sheets.Times[1][0].Cells, sheets.Times[1][1].Cells, sheets.Times[1][2].Cells
	if len(lbs) != 4 {
		t.Fatalf("%d cells: want the picture, its heat, the close-up, its heat", len(lbs))
	}
	for _, i := range []int{1, 3} {
		if hot, cold := temperature(lbs[i].Picture); hot < 50 || cold < 50 {
			t.Errorf("cell %d of linear blending: %d hot pixels, %d cold ones", i, hot, cold)
		}
		if hot, cold := temperature(dqs[i].Picture); hot > 0 || cold < 200 {
			t.Errorf("cell %d of the reference: %d hot pixels, %d cold ones", i, hot, cold)
		}
		if !same(lbs[i].Picture, copied[i].Picture) {
			t.Errorf("cell %d of a copy of the model differs", i)
		}
	}
	if hot, cold := temperature(sheets.Times[0][0].Cells[1].Picture); hot > 0 || cold < 200 {
		t.Errorf("at rest, linear blending has %d hot pixels and %d cold ones", hot, cold)
	}
	columns := sheets.Stack()
	if len(columns) != 3 || len(columns[0].Cells) != 8 || len(sheets.Times[0][0].Cells) != 4 {
		t.Errorf("%d columns of %d cells", len(columns), len(columns[0].Cells))
	}
	plain := drawTest(t, &Comparison{Subjects: subjects[:1], Times: []float64{worst}})
	if plain.Legend != nil || len(plain.Times[0][0].Cells) != 2 {
		t.Errorf("without heat: legend %v, %d cells", plain.Legend, len(plain.Times[0][0].Cells))
	}
	if !same(plain.Times[0][0].Cells[0].Picture, lbs[0].Picture) {
		t.Error("asking for heat changes the picture above it")
	}
}

func TestComparisonCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := box(t)
	_, err := Compare(ctx, m,
		&Comparison{Subjects: compare.Direct(skinning.LBS), Subtitles: []string{""}, Times: []float64{0}, Width: 20,
			Height: 20})
	if errors.Is(err, gpu.ErrHeadless) {
		t.Skip(err)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
