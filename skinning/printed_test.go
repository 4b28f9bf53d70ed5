package skinning

import (
	"strconv"
	"strings"
	"testing"
)

// Names come from files that strangers have made.
func TestPrinted(t *testing.T) {
	for name, want := range map[string]string{
		"walk cycle":                   "walk cycle",
		"Gehen, 歩く 💃":                  "Gehen, 歩く 💃",
		"two\nlines":                   `"two\nlines"`,
		"\x1b]0;title\x07":             `"\x1b]0;title\a"`,
		"\xff":                         `"\xff"`,
		strings.Repeat("é", 1_000_000): strings.Repeat("é", 40) + "…",
	} {
		if got := Printed(name); got != want {
			t.Errorf("%.90q is printed %q", name, got)
		}
	}
}

// A name that is all escape sequences is no longer on a terminal than one that is none: an error has room for two.
func TestShortenedCountsEscapes(t *testing.T) {
	for _, c := range []string{"\x01", "\xff", "é", "\U0001F483", "\U000E0001", "a"} {
		s := Shortened(strings.Repeat(c, 1000))
		if n := len(strconv.Quote(s)); n < 60 || n > 80+len(`"…"`) {
			t.Errorf("%q: %d bytes", s, n)
		}
	}
}

// The error about a clip that does not exist names some that do, however many there are and however long their names.
func TestClipIndexNamesSome(t *testing.T) {
	m := &Model{Clips: make([]Clip, 5000)}
	for i := range m.Clips {
		m.Clips[i].Name = strings.Repeat("walk", 1000)
	}
	_, err := m.ClipIndex("run")
	if err == nil || len(err.Error()) > 300 || !strings.Contains(err.Error(), `"walkwalk`) || !strings.Contains(err.Error(), "5000 clips") {
		t.Errorf("%.300v", err)
	}
	m.Clips = []Clip{{Name: "walk"}, {Name: "two\nlines"}}
	if _, err := m.ClipIndex("run"); err == nil || err.Error() != `clip "run": not one of ["walk" "two\nlines"]` {
		t.Error(err)
	}
}
