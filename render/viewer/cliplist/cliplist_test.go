package cliplist

import (
	"slices"
	"testing"
)

// TestClipList: the stress clips are a group at the top, folded where the file has clips; a filter narrows both and
// opens the group; a stress clip that is played is in sight.
func TestClipList(t *testing.T) {
	l := New(nil, nil)
	defer l.Delete()
	l.Set([]string{"Walk_A", "walk b", "Run", "twist", "bend"}, nil, 3)
	check := func(when string, want ...int32) {
		t.Helper()
		l.list()
		if !slices.Equal(l.rows, want) {
			t.Errorf("%s: rows %v, expected %v", when, l.rows, want)
		}
	}
	check("at first", stressRow, 0, 1, 2)
	if n := l.Rows(); n != 4 {
		t.Errorf("%d rows at most, expected 4", n)
	}
	l.filter.SetText("WALK")
	check("walks", 0, 1)
	l.filter.SetText("b walk")
	check("two words", 1)
	l.filter.SetText("stress")
	check("by their group", stressRow, 3, 4)
	l.filter.SetText("t")
	check("a letter", stressRow, 3, 4)
	l.filter.SetText("")
	check("all again", stressRow, 0, 1, 2)
	l.Reveal(1)
	check("a clip of the file", stressRow, 0, 1, 2)
	l.Reveal(4)
	check("a stress clip", stressRow, 3, 4, 0, 1, 2)
	if n := testing.AllocsPerRun(10, func() { l.list() }); n != 0 {
		t.Errorf("%g allocations while nothing changes", n)
	}
	l.Set([]string{"twist"}, nil, 0)
	check("a file without clips", stressRow, 0)
}
