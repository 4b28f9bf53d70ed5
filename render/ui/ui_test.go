package ui

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/AllenDang/cimgui-go/imgui"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestLibraryReadsNumbers goes through the C library's sscanf, which isoc23.c supplies on an old glibc: an .ini text
// with numbers is read and written back.
func TestLibraryReadsNumbers(t *testing.T) {
	if v := imgui.Version(); v != version {
		t.Fatalf("Dear ImGui %q, expected %q: cimgui.h was written for that", v, version)
	}
	ctx := imgui.CreateContext()
	defer imgui.DestroyContextV(ctx)
	imgui.CurrentIO().SetIniFilename("")
	const text = "[Window][probe]\nPos=60,-61\nSize=407,308\n"
	imgui.LoadIniSettingsFromMemory(text)
	saved := imgui.SaveIniSettingsToMemory()
	for _, want := range []string{"Pos=60,-61", "Size=407,308"} {
		if !strings.Contains(saved, want) {
			t.Errorf("read %q, wrote %q, in which %q is missing", text, saved, want)
		}
	}
}

// TestDigitsShareOneWidth holds what keeps changing numbers in place.
func TestDigitsShareOneWidth(t *testing.T) {
	for name, ttf := range map[string][]byte{"regular": goregular.TTF, "medium": gomedium.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		var buf sfnt.Buffer
		width := map[fixed.Int26_6]bool{}
		for _, r := range "0123456789" {
			g, err := f.GlyphIndex(&buf, r)
			if err != nil || g == 0 {
				t.Fatalf("%s: no glyph for %c: %v", name, r, err)
			}
			w, err := f.GlyphAdvance(&buf, g, fixed.I(1000), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			width[w] = true
		}
		if len(width) != 1 {
			t.Errorf("%s: digits have %d widths, expected one", name, len(width))
		}
	}
}

// TestCutMiddle: a text that is too wide keeps its beginning and its end, in whole characters.
func TestCutMiddle(t *testing.T) {
	width := func(s string) float32 { return float32(utf8.RuneCountInString(s)) }
	for room, want := range map[float32]string{-1: "…", 0: "…", 1: "m…", 10: "mixam…UpLeg", 11: "mixamo…UpLeg"} {
		if start, end := cutMiddle("mixamorig:LeftUpLeg", room, width); start+"…"+end != want {
			t.Errorf("in %g: %s…%s, expected %s", room, start, end, want)
		}
	}
	if start, end := cutMiddle("左上腕右下腿", 4, width); start != "左上" || end != "下腿" {
		t.Errorf("%s…%s", start, end)
	}
}

// TestNamesOfLevels: names of close levels stand one below the other, and all of them in the plot.
func TestNamesOfLevels(t *testing.T) {
	in := Rect{0, 100, 200, 80}
	for _, c := range []struct{ lines, want []float32 }{
		{[]float32{150, 130}, []float32{136, 116}},
		{[]float32{130, 135}, []float32{116, 135}},
		{[]float32{130, 130, 130}, []float32{116, 130, 144}},
		{[]float32{104, 179}, []float32{100, 165}},
		{[]float32{176, 178}, []float32{162, 148}},
	} {
		var tops []float32
		for _, line := range c.lines {
			tops = append(tops, nameTop(in, line, 14, tops))
		}
		if !slices.Equal(tops, c.want) {
			t.Errorf("lines at %v have names at %v, expected %v", c.lines, tops, c.want)
		}
	}
}

// TestTicksAreWhole: labels along a number of bones are whole numbers, at most eight of them besides 0.
func TestTicksAreWhole(t *testing.T) {
	for most, want := range map[float64]float64{1.04: 1, 8.9: 1, 10.4: 2, 20.8: 5, 41.6: 5, 124.8: 20} {
		if got := wholeStep(most); got != want {
			t.Errorf("labels up to %g are %g apart, expected %g", most, got, want)
		}
	}
}

// TestPlaceOfTip: a tip covers neither what it explains nor, where there is room, the panel of that, and is seen whole.
func TestPlaceOfTip(t *testing.T) {
	const w, h, gap = 200, 40, 6
	all := Rect{0, 0, 900, 600}
	left, right, bottom := Rect{0, 0, 300, 480}, Rect{600, 0, 300, 480}, Rect{0, 480, 900, 120}
	for _, c := range []struct{ at, panel, want Rect }{
		{Rect{200, 100, 80, 20}, left, Rect{306, 90, w, h}},
		{Rect{200, 0, 80, 20}, left, Rect{306, 0, w, h}},
		{Rect{700, 100, 80, 20}, right, Rect{394, 90, w, h}},
		{Rect{850, 500, 40, 20}, bottom, Rect{700, 434, w, h}},
		{Rect{200, 100, 80, 20}, Rect{0, 0, 750, 600}, Rect{200, 126, w, h}}, // no room beside it
		{Rect{200, 570, 80, 20}, all, Rect{200, 524, w, h}},
		{Rect{200, 100, 80, 20}, Rect{}, Rect{286, 90, w, h}},
	} {
		if got := placeTip(w, h, gap, c.at, c.panel, all); got != c.want {
			t.Errorf("of %v in %v: the tip is at %v, expected %v", c.at, c.panel, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	var l Line
	for want, got := range map[string]string{
		"0":          strings.Clone(l.Start().I(0).View()),
		"x 1.50 s":   strings.Clone(l.Start().S("x ").F(1.5, 2).S(" s").View()),
		"999":        strings.Clone(l.Start().I(999).View()),
		"13 380":     strings.Clone(l.Start().I(13380).View()),
		"-1 234 567": strings.Clone(l.Start().I(-1234567).View()),
		"1 mesh":     strings.Clone(l.Start().Count(1, "mesh", "meshes").View()),
		"1 000 keys": strings.Clone(l.Start().Count(1000, "key", "keys").View()),
		"7.04":       strings.Clone(l.Start().Clock(7.04, 2, false).View()),
		"0:07":       strings.Clone(l.Start().Clock(7.04, 0, true).View()),
		"1:00.00":    strings.Clone(l.Start().Clock(59.9999, 2, true).View()),
		"2:05.5":     strings.Clone(l.Start().Clock(125.46, 1, true).View()),
		"0.0 0.00 0": strings.Clone(l.Start().F(-0.04, 1).S(" ").F(math.Copysign(0, -1), 2).S(" ").F(-0.5, 0).View()),
		"-0.1 -0.01": strings.Clone(l.Start().F(-0.06, 1).S(" ").F(-0.01, 2).View()),
		"61:01":      strings.Clone(l.Start().Clock(3661, 0, true).View()),
	} {
		if got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	if n := testing.AllocsPerRun(100,
		func() { l.Start().S("frame ").I(123456).S(" / ").F(3.25, 2).Clock(75, 1, true).View() }); n != 0 {
		t.Errorf("%g allocations a line, expected none", n)
	}
}

// TestNumberShown: a negative number that rounds to zero is shown, and opened, as zero.
func TestNumberShown(t *testing.T) {
	var n numberState
	for _, c := range [][2]float64{{-0.04, 0}, {math.Copysign(0, -1), 0}, {0, 0}, {-0.06, -0.06}, {0.04, 0.04}} {
		value, want := c[0], c[1]
		if got := n.shown(&NumberField{Value: value, Decimals: 1}); got != want || math.Signbit(got) != (want < 0) {
			t.Errorf("%g is shown as %g, expected %g", value, got, want)
		}
	}
	if got := n.formatOf(&NumberField{Decimals: 1, Unit: "°"}); got != "%.1f°\x00" {
		t.Errorf("format %q", got)
	}
}

// TestTickStep checks that labels never stand closer than asked and that finer ticks divide a step evenly.
func TestTickStep(t *testing.T) {
	last := 0.0
	for least := 0.01; least < 1e5; least *= 1.3 {
		step, parts, decimals := tickStep(least, 30)
		if !(step >= least) || step < last || parts < 1 || decimals < 0 {
			t.Errorf("least %g s: step %g s in %d parts with %d decimals", least, step, parts, decimals)
		}
		last = step
	}
}

func TestColor(t *testing.T) {
	if got := rgb(0x112233).Alpha(0.5); got != 0x80332211 {
		t.Errorf("%#x, expected 0x80332211: ImGui packs ABGR", uint32(got))
	}
}

func TestRectCuts(t *testing.T) {
	r := Rect{10, 20, 100, 50}
	top, left, right := r.CutTop(10), r.CutLeft(30), r.CutRight(20)
	if top != (Rect{10, 20, 100, 10}) || left != (Rect{10, 30, 30, 40}) || right != (Rect{90, 30, 20, 40}) ||
		r != (Rect{40, 30, 50, 40}) {
		t.Errorf("top %v, left %v, right %v, rest %v", top, left, right, r)
	}
	if !r.Contains(40, 30) || r.Contains(90, 30) || r.Contains(40, 70) {
		t.Error("a rectangle holds its left and top edge, and not its right and bottom one")
	}
}

// TestMarksStandOut holds the marks of both themes, which are not text, against the surfaces on which they stand, and
// the colours of data that the interface mixes to be seen.
func TestMarksStandOut(t *testing.T) {
	for theme := range Themes {
		in := map[*Color]Color{}
		for _, k := range &palette {
			in[k.color] = k.in[theme].Alpha(1)
		}
		for _, pair := range [][2]*Color{
			{&ColorAccent, &ColorPanel}, {&ColorAccent, &ColorInset}, {&ColorAccent, &ColorWidget}, {&ColorAccent, &ColorHeld},
			{&ColorInset, &ColorAccent}, {&ColorText, &ColorHeld}, {&ColorText, &ColorDeepHover}, {&ColorDim, &ColorHeld},
			{&ColorFaint, &ColorHover}, {&ColorFaint, &ColorDeep}, {&ColorWarning, &ColorPanel}, {&ColorError, &ColorInset},
		} {
			if got := Contrast(in[pair[0]], in[pair[1]]); !(got >= StrokeContrast) {
				t.Errorf("theme %d: %#x on %#x has a contrast of %.2f, expected %d", theme, in[pair[0]], in[pair[1]], got, StrokeContrast)
			}
		}
	}
	if got := Contrast(RGB(0, 0, 0), RGB(255, 255, 255)); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white has a contrast of %g, expected 21", got)
	}
	for _, surface := range []Color{RGB(0, 0, 0), RGB(255, 255, 255)} {
		if got := RGB(128, 128, 128).readable(surface, StrokeContrast); Contrast(got, surface) < StrokeContrast {
			t.Errorf("%#x cannot be read on %#x", got, surface)
		}
	}
}
