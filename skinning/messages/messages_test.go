package messages

import (
	"strconv"
	"strings"
	"testing"
)

// Names come from files that strangers have made.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"walk cycle":                   "walk cycle",
		"Gehen, 歩く 💃":                  "Gehen, 歩く 💃",
		"two\nlines":                   `"two\nlines"`,
		"\x1b]0;title\x07":             `"\x1b]0;title\a"`,
		"\xff":                         `"\xff"`,
		strings.Repeat("é", 1_000_000): strings.Repeat("é", 40) + "…",
	} {
		if got := Printable(name); got != want {
			t.Errorf("%.90q is printable as %q", name, got)
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

func TestIndices(t *testing.T) {
	many := make([]int, 100)
	for got, want := range map[string]string{
		Indices([]int{0, 2, 5}): "0, 2 or 5", Indices([]int{3, 4}): "3 or 4",
		Indices(many): "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ...",
	} {
		if got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
