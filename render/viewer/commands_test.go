package viewer

import (
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// TestEveryKeyHasOneMeaningAndALineOfHelp also holds the parts of commands against their keys.
func TestEveryKeyHasOneMeaningAndALineOfHelp(t *testing.T) {
	type chord struct {
		key     glfw.Key
		control bool
	}
	seen := map[chord]string{}
	for _, c := range commands() {
		if (c.caps == "") != (len(c.keys) == 0) || c.does == "" || c.group == "" {
			t.Errorf("command %q %q of group %q with keys %v: the help would show a gap", c.caps, c.does, c.group, c.keys)
		}
		if c.caps == "" && c.parts != nil {
			t.Errorf("command %q has no keys and parts %v", c.does, c.parts)
		}
		for i, p := range c.parts {
			if only := among(p.Keys, "", nil); p.Does == "" || len(only.keys) != 1 || only.keys[0] != c.keys[i] ||
				only.control != c.control {
				t.Errorf("command %q: part %d is %+v, expected the key %d", c.does, i, p, c.keys[i])
			}
		}
		for _, k := range c.keys {
			if other, ok := seen[chord{k, c.control}]; ok {
				t.Errorf("key %d does both %q and %q", k, other, c.does)
			}
			seen[chord{k, c.control}] = c.does
		}
	}
}

// TestHelpGroups: the help has every key once, in groups that each begin once.
func TestHelpGroups(t *testing.T) {
	all, titles, lines := commands(), map[string]bool{}, 0
	for _, g := range helpGroups(all) {
		if g.Title == "" || titles[g.Title] || len(g.Lines) == 0 {
			t.Errorf("group %q of %d lines is there twice, or empty", g.Title, len(g.Lines))
		}
		titles[g.Title] = true
		lines += len(g.Lines)
	}
	want := len(mouseHelp)
	for _, c := range all {
		if c.caps != "" {
			want++
		}
	}
	if lines != want || len(titles) < 8 {
		t.Errorf("%d lines in %d groups, expected %d in 8 at least", lines, len(titles), want)
	}
}
