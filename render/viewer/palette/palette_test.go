package palette

import (
	"slices"
	"testing"
)

// TestMatch: words and letters find entries, what begins so before what merely has the letters.
func TestMatch(t *testing.T) {
	p := &Palette{entries: []Entry{{Name: "Play or pause", Group: "Playback"},
		{Name: "Previous clip", Group: "Playback"}, {Name: "Clay material", Group: "Display"},
		{Name: "Dual quaternion, DQS", Group: "Methods"}, {Name: "Play the whole clip", Group: "Playback"}}}
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"", []string{"Play or pause", "Previous clip", "Clay material", "Dual quaternion, DQS", "Play the whole clip"}},
		{"play", []string{"Play or pause", "Play the whole clip", "Previous clip"}},
		{"clip", []string{"Previous clip", "Play the whole clip"}},
		{"WHOLE pl", []string{"Play the whole clip"}},
		{"dqs", []string{"Dual quaternion, DQS"}},
		{"methods", []string{"Dual quaternion, DQS"}},
		{"cmat", []string{"Clay material"}},
		{"pause loudly", nil},
	} {
		p.match(c.typed)
		if got, chosen := p.Found(); !slices.Equal(got, c.want) || chosen != 0 {
			t.Errorf("%q finds %q and chooses %d, expected %q", c.typed, got, chosen, c.want)
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
