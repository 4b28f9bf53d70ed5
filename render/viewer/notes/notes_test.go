package notes

import (
	"errors"
	"strings"
	"testing"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// TestNotes: the newest message is the first, and takes the place of an older one of its title. Notices go when their
// time is over, failures when they are dismissed.
func TestNotes(t *testing.T) {
	start := time.Now()
	fail := func(title string) Message {
		return Message{Tone: ui.Failure, Title: title, Text: Failure(errors.New(title + "!"))}
	}
	notice := func(title string, stay time.Duration) Message {
		return Message{Title: title, Text: title + ".", until: start.Add(stay)}
	}
	n := Notes{Desk: &desk.Desk{Wake: func() {}}}
	check := func(what, want string) {
		t.Helper()
		var titles []string
		for _, m := range n.Messages {
			titles = append(titles, m.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("%s: %q, expected %q", what, got, want)
		}
	}
	n.Say(fail("red"))
	n.Say(notice("saved", 2*time.Second))
	check("a success after a failure", "saved red")
	n.Say(notice("exported", time.Second))
	check("another", "exported saved red")
	n.Say(notice("saved", 3*time.Second))
	check("the same again", "saved exported red")
	if got := n.Ends(); got != start.Add(time.Second) {
		t.Errorf("the first notice ends after %v, expected 1 s", got.Sub(start))
	}
	n.expire(start.Add(time.Second))
	check("a second later", "saved red")
	n.Say(fail("loading"))
	n.Say(fail("worse"))
	check("one too many", "worse loading saved")
	if !n.Dismiss() {
		t.Error("no failure to dismiss")
	}
	check("dismissed", "loading saved")
	n.expire(start.Add(time.Minute))
	check("a minute later", "loading")
	if !n.Dismiss() || n.Dismiss() || !n.Ends().IsZero() || len(n.Messages) != 0 {
		t.Error("something is left")
	}
	if text := Failure(errors.New(strings.Repeat("ü", longestFailure))); len(text) > longestFailure+len(" …") {
		t.Errorf("a failure of %d bytes", len(text))
	}
}
