package ui

import (
	"slices"
	"testing"
)

// TestFilter: the names stay that have every word, in any case and order; nothing is allocated while the text stays.
func TestFilter(t *testing.T) {
	f := NewFilter()
	defer f.Delete()
	names := []string{"Walk_Forward", "walk back", "Run Forward", "", "Läufer"}
	f.SetNames(len(names), func(i int) string { return names[i] })
	for _, c := range []struct {
		text string
		want []int32
	}{
		{"", []int32{0, 1, 2, 3, 4}}, {"  ", []int32{0, 1, 2, 3, 4}}, {"WALK", []int32{0, 1}},
		{"forward walk", []int32{0}}, {"a", []int32{0, 1, 2}}, {"LÄ", []int32{4}}, {"walk run", nil}, {"ward", []int32{0, 2}},
	} {
		f.SetText(c.text)
		if !slices.Equal(f.Rows, c.want) || f.Narrows() != (len(c.want) < len(names)) {
			t.Errorf("%q leaves %v, narrows %v; expected %v", c.text, f.Rows, f.Narrows(), c.want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { f.Update() }); n != 0 {
		t.Errorf("%g allocations while the text stays", n)
	}
	f.SetNames(1, func(int) string { return "other" })
	if !slices.Equal(f.Rows, []int32{0}) {
		t.Errorf("other names leave %v", f.Rows)
	}
}
