package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"skinlab/internal/cputime"
	"skinlab/skinning/metrics"
)

func sample() *Chart {
	c := &Chart{Title: "RMS error over time", X: Axis{Label: "time, s"}, Y: Axis{Label: "RMS, % of size"}}
	for i := range 25 {
		c.At = append(c.At, float64(i)/6)
	}
	for k, name := range []string{"lbs", "sbs & <co>", "blend-bones:10"} {
		values := make([]float64, len(c.At))
		for i := range values {
			values[i] = 0.31 * math.Abs(math.Sin(c.At[i])) / float64(1+k)
		}
		c.Curves = append(c.Curves, Curve{name, values})
	}
	return c
}

// pixels draws charts and returns the picture.
func pixels(t *testing.T, charts ...*Chart) *image.NRGBA {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, "a.PNG", charts...); err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewNRGBA(decoded.Bounds())
	draw.Draw(picture, picture.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return picture
}

// TestLongNames: a title and names as long as a file are cut to the same text however long they are, and take a second
// of processor time at most: some 50 ms here, two minutes when a letter was taken off at a time.
func TestLongNames(t *testing.T) {
	drawn := func(letters int) string {
		c := sample()
		c.Title = strings.Repeat("longjoint", letters/9)
		c.Curves[0].Name = c.Title
		var out bytes.Buffer
		if err := Write(&out, "a.svg", c); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	short, start := drawn(900), cputime.Used()
	if drawn(90_000) != short {
		t.Error("a longer name is drawn otherwise")
	}
	if took := cputime.Used() - start; took > time.Second {
		t.Errorf("took %v", took)
	}
}

// count returns how many pixels have a colour, within 8 of 255 in each channel: antialiased edges are left out.
func count(picture *image.NRGBA, want color.NRGBA, in image.Rectangle) (n int) {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 8 }
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			c := picture.NRGBAAt(x, y)
			if near(c.R, want.R) && near(c.G, want.G) && near(c.B, want.B) {
				n++
			}
		}
	}
	return n
}

func TestPicture(t *testing.T) {
	picture := pixels(t, sample())
	bounds := picture.Bounds()
	if bounds.Dx() != Width*pngDPI/72 {
		t.Errorf("%d pixels wide", bounds.Dx())
	}
	plotted := image.Rect(0, bounds.Dy()/4, bounds.Dx(), bounds.Dy()) // below the key
	for i := range 3 {
		// A curve crosses 1,100 pixels at 4 pixels' width; a third of a dashed one is gaps, another third antialiased.
		if n := count(picture, Ink(i), plotted); n < 1000 {
			t.Errorf("curve %d covers %d pixels", i, n)
		}
		if n := count(picture, Ink(i), image.Rect(0, 0, bounds.Dx(), bounds.Dy()/4)); n < 20 {
			t.Errorf("the key shows %d pixels of curve %d", n, i)
		}
	}
	if n := count(picture, color.NRGBA{255, 255, 255, 255}, bounds); n < bounds.Dx()*bounds.Dy()/2 {
		t.Errorf("%d of %d pixels are white paper", n, bounds.Dx()*bounds.Dy())
	}
	// Nothing touches the border.
	for _, edge := range []image.Rectangle{image.Rect(0, 0, 3, bounds.Dy()),
		image.Rect(bounds.Dx()-3, 0, bounds.Dx(), bounds.Dy()),
		image.Rect(0, 0, bounds.Dx(), 3), image.Rect(0, bounds.Dy()-3, bounds.Dx(), bounds.Dy())} {
		if n := count(picture, color.NRGBA{255, 255, 255, 255}, edge); n != edge.Dx()*edge.Dy() {
			t.Errorf("%d pixels at the border %v are not white", edge.Dx()*edge.Dy()-n, edge)
		}
	}
}

func TestSVG(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, "a.svg", sample()); err != nil {
		t.Fatal(err)
	}
	text, words := out.String(), []string{}
	for dec := xml.NewDecoder(&out); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			words = append(words, strings.TrimSpace(string(data)))
		}
	}
	all := strings.Join(words, "\n")
	for _, want := range []string{"RMS error over time", "time, s", "RMS, % of size", "sbs & <co>", "blend-bones:10",
		"0.3", "4"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in the SVG's text", want)
		}
	}
	if !strings.Contains(text, "'Liberation Sans',Arial,Helvetica,sans-serif") || strings.Contains(text, "NaN") {
		t.Error("a font without others of its metrics, or NaN")
	}
}

// What is not finite leaves a gap, and a curve of nothing else leaves the others alone.
func TestGaps(t *testing.T) {
	c := sample()
	whole := count(pixels(t, c), Ink(0), image.Rect(0, 150, 2000, 2000))
	for i := range c.At {
		if i >= 6 && i < 18 {
			c.Curves[0].Values[i] = math.NaN()
		}
		c.Curves[1].Values[i] = math.Inf(1)
	}
	if runs := c.runs(0); len(runs) != 2 || len(runs[0]) != 6 || len(runs[1]) != 7 {
		t.Errorf("runs %v", runs)
	}
	if n := count(pixels(t, c), Ink(0), image.Rect(0, 150, 2000, 2000)); !(n > whole/4 && n < whole*3/4) {
		t.Errorf("half of the curve covers %d pixels, the whole %d", n, whole)
	}
}

// Charts that have nothing to scale by are drawn all the same.
func TestDegenerate(t *testing.T) {
	flat := &Chart{At: []float64{0, 1}, Curves: []Curve{{"zero", []float64{0, 0}}}}
	volume := &Chart{At: []float64{2}, Y: Axis{Base: 100}, Curves: []Curve{{"one frame", []float64{100}}}}
	none := &Chart{At: []float64{0, 1}, Curves: []Curve{{"nothing", []float64{math.NaN(), math.NaN()}}}}
	tiny := &Chart{At: []float64{0, 1e-9},
		Curves: []Curve{{strings.Repeat("a very long name ", 20), []float64{1e-17, 3e-17}}}}
	for i, c := range []*Chart{flat, volume, none, tiny} {
		for _, name := range []string{"a.png", "a.svg"} {
			if err := Write(io.Discard, name, c); err != nil {
				t.Errorf("chart %d: %v", i, err)
			}
		}
	}
}

// Charts below each other are the same charts.
func TestStacked(t *testing.T) {
	one, other := sample(), sample()
	other.Curves = other.Curves[:1]
	both := pixels(t, one, other)
	height := both.Bounds().Dy() / 2
	for i, c := range []*Chart{one, other} {
		alone, part := pixels(t, c), image.Rect(0, i*height, both.Bounds().Dx(), (i+1)*height)
		if alone.Bounds().Dy() != height && alone.Bounds().Dy() != height+1 {
			t.Fatalf("%d pixels high, alone %d", height, alone.Bounds().Dy())
		}
		for k := range 3 {
			// Half a pixel of offset moves what is antialiased: 5 percent.
			got, want := count(both, Ink(k), part), count(alone, Ink(k), alone.Bounds())
			if d := math.Abs(float64(got - want)); !(d <= 0.05*float64(want)) {
				t.Errorf("chart %d shows %d pixels of curve %d, alone %d", i, got, k, want)
			}
		}
	}
}

// The vertical axis ends at a tick, and what float32 rounds above it adds no step.
func TestVerticalRange(t *testing.T) {
	for _, c := range []struct{ value, low, high float64 }{{46, 40, 100}, {100.00005, 100, 100.00005}, {104, 100, 104},
		{119, 100, 120}} {
		chart := &Chart{At: []float64{0, 1}, Y: Axis{Base: 100},
			Curves: []Curve{{"a", []float64{100, c.value}}, {"b", []float64{100.00005, 100}}}}
		p := chart.plot()
		if d := max(math.Abs(p.Y.Min-c.low), math.Abs(p.Y.Max-c.high)); !(d <= 1e-5) {
			t.Errorf("100 to %g is drawn from %g to %g, want %g to %g", c.value, p.Y.Min, p.Y.Max, c.low, c.high)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high, step float64
		want            string
	}{
		{-180, 180, 90, "−180 −90 0 90 180"},
		{0, 0.31, metrics.RoundStep(0.31 / 5), "0.0 0.1 0.2 0.3"},
		{0, 3e-5, metrics.RoundStep(3e-5 / 5), "0.00000 0.00001 0.00002 0.00003"},
		{0, 5.03, metrics.RoundStep(5.03 / 8), "0 1 2 3 4 5"},
		{92, 102, 2, "92 94 96 98 100 102"},
		{-0.25, 0.25, 0.25, "−0.25 0.00 0.25"},
	} {
		var labels []string
		for _, tick := range ticks(c.low, c.high, c.step) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g by %g: %s, want %s", c.low, c.high, c.step, got, c.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	if err := CheckName("curves.gif"); err == nil || !strings.Contains(err.Error(), ".gif") {
		t.Errorf("error %v", err)
	}
	if err := Write(io.Discard, "curves", sample()); err == nil {
		t.Error("a name without ending is drawn")
	}
	defer func() {
		if recover() == nil {
			t.Error("a curve of other length does not panic")
		}
	}()
	c := sample()
	c.Curves[0].Values = c.Curves[0].Values[1:]
	_ = Write(io.Discard, "a.svg", c)
}
