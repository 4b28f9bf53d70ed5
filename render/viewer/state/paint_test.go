package state

import (
	"testing"
)

func TestPaint(t *testing.T) {
	s := New()
	s.NextPaint()
	if !s.Paint || s.PaintView != PaintGroups {
		t.Errorf("the first press paints %v, %v, expected the groups", s.Paint, s.PaintView)
	}
	for _, want := range []PaintView{PaintKeys, PaintTurns, PaintGroups, PaintKeys} {
		s.NextPaint()
		if !s.Paint || s.PaintView != want {
			t.Errorf("painted %v, view %d, expected %d", s.Paint, s.PaintView, want)
		}
	}
	s.Paint = false
	s.NextPaint()
	if !s.Paint || s.PaintView != PaintKeys {
		t.Errorf("painted again: %v, view %d, expected what was shown last", s.Paint, s.PaintView)
	}
}

// TestPaintOrHeat: the skin shows the colours that were chosen last, and what would hide them or be hidden is off.
func TestPaintOrHeat(t *testing.T) {
	type shown struct {
		paint, heat bool
		skin        SkinView
	}
	s := New()
	for _, c := range []struct {
		what string
		do   func()
		want shown
	}{
		{"heat", func() { s.SetHeat(true) }, shown{heat: true}},
		{"paint", func() { s.SetPaint(true) }, shown{paint: true}},
		{"heat again", func() { s.SetHeat(true) }, shown{heat: true}},
		{"the next paint", s.NextPaint, shown{paint: true}},
		{"weights", func() { s.StepSkin(1) }, shown{skin: SkinWeights}},
		{"paint over weights", func() { s.SetPaint(true) }, shown{paint: true}},
		{"no paint", func() { s.SetPaint(false) }, shown{}},
		{"heat last", func() { s.SetHeat(true) }, shown{heat: true}},
		{"paint stays off", func() { s.SetPaint(false) }, shown{heat: true}},
	} {
		c.do()
		if (shown{s.Paint, s.Heat, s.Skin}) != c.want {
			t.Errorf("%s: %+v, expected %+v", c.what, shown{s.Paint, s.Heat, s.Skin}, c.want)
		}
	}
}

func TestParsePaint(t *testing.T) {
	for v, name := range paintNames {
		if got, ok := ParsePaint(name); !ok || got != PaintView(v) {
			t.Errorf("%q is read as %d, %v", name, got, ok)
		}
	}
	if _, ok := ParsePaint("gold"); ok {
		t.Error("gold is a view")
	}
}
