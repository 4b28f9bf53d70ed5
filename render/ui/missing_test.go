package ui

import (
	"errors"
	"slices"
	"testing"

	"skinlab/internal/testfont"
	"skinlab/render/gpu"
	"skinlab/render/ui/systemfont"
)

// testContext is an interface in a frame, without a window.
type testContext struct{ *Context }

func (c testContext) begin() { c.Begin(640, 480, 1, 1, 1./60) }

// openContext starts one, or skips the test where there is no OpenGL. One test alone may: ImGui keeps the addresses of
// OpenGL's functions, and the library leaves with the headless context.
func openContext(t *testing.T) testContext {
	t.Helper()
	h, err := gpu.NewHeadless()
	if errors.Is(err, gpu.ErrHeadless) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	ctx, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ctx.Delete)
	c := testContext{ctx}
	c.begin()
	t.Cleanup(ctx.End)
	return c
}

func TestMissingCharacters(t *testing.T) {
	c := openContext(t)
	t.Run("ToldOnce", func(t *testing.T) { missingAreToldOnce(t, c) })
	t.Run("DrawnWithAddedFont", func(t *testing.T) { addedFontDrawsWhatWasMissing(t, c) })
}

// missingAreToldOnce gathers those of the East alone, and what Latin text has besides costs nothing.
func missingAreToldOnce(t *testing.T, c testContext) {
	for _, s := range []string{"arm.L – 30° × ½ → …", "Ελλάδα, Россия"} {
		if n := testing.AllocsPerRun(10, func() { c.TextWidth(Body, s) }); n != 0 || c.TakeMissing() != nil {
			t.Errorf("%s: %g allocations, expected none, and nothing missing", s, n)
		}
	}
	c.TextWidth(Body, "左腕 L")
	c.TextWidth(Small, "腕팔\xe5")
	if got := c.TakeMissing(); !slices.Equal(got, []rune("左腕팔")) {
		t.Errorf("%q", got)
	}
	c.TextWidth(Body, "左腕팔")
	if got := c.TakeMissing(); got != nil {
		t.Errorf("%q again", got)
	}
}

// addedFontDrawsWhatWasMissing merges a font in which two characters look like W and i: before it they are as wide
// as each other, after it as wide as those, in every style and although the box that stood for them had been drawn.
func addedFontDrawsWhatWasMissing(t *testing.T, c testContext) {
	styles := []Style{Body, Strong, Small, Title}
	for _, st := range styles {
		if a, b := c.TextWidth(st, "左"), c.TextWidth(st, "右"); a != b || a == 0 {
			t.Fatalf("boxes of %g and %g pixels", a, b)
		}
	}
	c.End()
	for character, as := range map[rune]rune{'左': 'W', '右': 'i'} {
		fonts := systemfont.Choose([]rune{character}, []systemfont.File{{Path: testfont.Write(t, as, character, '上')}})
		if len(fonts) != 1 {
			t.Fatalf("%d fonts of %c", len(fonts), character)
		}
		c.AddFont(fonts[0])
	}
	c.begin()
	for _, st := range []Style{Body, Small} { // of the same weight as the font that was added
		if a, b := c.TextWidth(st, "左右"), c.TextWidth(st, "Wi"); a != b {
			t.Errorf("%v: %g pixels, expected %g", st, a, b)
		}
	}
	for _, st := range styles {
		if a, b := c.TextWidth(st, "左"), c.TextWidth(st, "右"); a < 2*b {
			t.Errorf("%v: %g pixels for W, %g for i", st, a, b)
		}
	}
	c.TakeMissing()
	c.TextWidth(Body, "上膝")
	if got := c.TakeMissing(); !slices.Equal(got, []rune("膝")) {
		t.Errorf("missing: %q, expected 膝 alone: the added fonts have 上", got)
	}
	c.End() // draws the frame with them
	c.begin()
}
