package messages

import (
	"slices"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	words := []string{"lbs", "dqs", "sdqs", "dib", "sbs", "twist-swing", "", "two\nlines"}
	for wanted, want := range map[string][]string{
		"lsb": {"lbs"}, "DQS": {"dqs", "sdqs"}, "twist": {"twist-swing"}, "swing": {"twist-swing"}, "magic": nil, "": nil,
		"twits-swing": {"twist-swing"}, "lines": {"two\nlines"}, strings.Repeat("x", 1e6): nil,
	} {
		if got := Near(wanted, words); !slices.Equal(got, want) {
			t.Errorf("near %.20q: %q, expected %q", wanted, got, want)
		}
	}
	for wanted, want := range map[string]string{"lsb": `; did you mean "lbs"?`, "magic": "",
		"lines": `; did you mean "two\nlines"?`} {
		if got := Nearest(wanted, words); got != want {
			t.Errorf("nearest to %q: %q, expected %q", wanted, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0},
		{"lsb", "lbs", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2}} {
		if got := editDistance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
