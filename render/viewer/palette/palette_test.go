package palette

import (
	"fmt"
	"slices"
	"testing"
)

// TestMatch: words and parts of words find entries, what begins so before what has them elsewhere.
func TestMatch(t *testing.T) {
	p := &Palette{entries: []Entry{{Name: "Play or pause", Group: "Playback"},
		{Name: "Previous clip", Group: "Playback"}, {Name: "Clay material", Group: "Display"},
		{Name: "Dual quaternion, DQS", Group: "Methods"}, {Name: "Play the whole clip", Group: "Playback"}}}
	all := []string{"Play or pause", "Previous clip", "Clay material", "Dual quaternion, DQS", "Play the whole clip"}
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"", all},
		{"play", []string{"Play or pause", "Play the whole clip", "Previous clip"}}, // whose group is Playback
		{"clip", []string{"Previous clip", "Play the whole clip"}},
		{"WHOLE pl", []string{"Play the whole clip"}},
		{"dqs", []string{"Dual quaternion, DQS"}},
		{"methods", []string{"Dual quaternion, DQS"}},
		{"mat", []string{"Clay material"}},
		{"cmat", nil}, // letters of a name with others between them
		{"pause loudly", nil},
	} {
		p.match(c.typed)
		if got, chosen := p.Found(); !slices.Equal(got, c.want) || chosen != 0 {
			t.Errorf("%q finds %q and chooses %d, expected %q", c.typed, got, chosen, c.want)
		}
	}
	// Whole words come first, then beginnings, and a number among the words goes to the fit.
	fit := func(number float64) Entry { return Entry{Name: fmt.Sprintf("Fit %g blend bones", min(number, 40))} }
	q := &Palette{entries: []Entry{{Name: "Profit margin"}, {Name: "Fitness"}, {Name: "Refit now"}, {Name: "Now fit"},
		{Name: "Fit 10 blend bones", With: fit}, {Name: "walk_10"}, {Name: "Twist-swing"}, {Name: "twist"}}}
	for typed, want := range map[string][]string{
		"fit": {"Fit 10 blend bones", "Now fit", "Fitness", "Profit margin", "Refit now"}, "fit 7 blend": {"Fit 7 blend bones"},
		"blend 999": {"Fit 40 blend bones"}, "10 walk": {"walk_10"}, "Twist": {"twist", "Twist-swing"}, "twist sw": {"Twist-swing"},
	} {
		q.match(typed)
		if got, _ := q.Found(); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, expected %q", typed, got, want)
		}
	}
	p.match("")
	p.choose(-1)
	if p.chosen != 4 {
		t.Errorf("up from the first is %d, expected the last", p.chosen)
	}
	p.choose(1)
	if p.chosen != 0 {
		t.Errorf("down from the last is %d, expected the first", p.chosen)
	}
}
