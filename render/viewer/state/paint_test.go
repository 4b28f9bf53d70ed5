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
		if s.NextPaint(); !s.Paint || s.PaintView != want {
			t.Errorf("painted %v, view %d, expected %d", s.Paint, s.PaintView, want)
		}
	}
	s.Paint = false
	if s.NextPaint(); !s.Paint || s.PaintView != PaintKeys {
		t.Errorf("painted again: %v, view %d, expected what was shown last", s.Paint, s.PaintView)
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
