package viewer

import (
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/skinning"
)

func TestEveryKeyHasOneMeaningAndALineOfHelp(t *testing.T) {
	type chord struct {
		key     glfw.Key
		control bool
	}
	seen := map[chord]string{}
	for _, c := range commands() {
		if c.caps == "" || c.does == "" || len(c.keys) == 0 {
			t.Errorf("command %q %q with keys %v: the help would show a gap", c.caps, c.does, c.keys)
		}
		for _, k := range c.keys {
			if other, ok := seen[chord{k, c.control}]; ok {
				t.Errorf("key %d does both %q and %q", k, other, c.does)
			}
			seen[chord{k, c.control}] = c.does
		}
	}
}

func TestLettersFollowTheKeyboardLayout(t *testing.T) {
	for _, c := range []struct {
		place glfw.Key
		name  string
		want  glfw.Key
	}{
		{glfw.KeyW, "z", glfw.KeyZ},         // French: W's place carries Z
		{glfw.KeyM, ",", glfw.KeyComma},     // French: M's place carries the comma
		{glfw.KeyComma, ";", glfw.KeyComma}, // French: and the comma's a semicolon, which means nothing else
		{glfw.Key1, "&", glfw.Key1},         // French: digits need Shift, so places count
		{glfw.KeyKPDecimal, ".", glfw.KeyPeriod},
		{glfw.KeySpace, "", glfw.KeySpace},
		{glfw.KeyF, "а", glfw.KeyF}, // Russian: Cyrillic letters keep their places
	} {
		if got := layoutKey(c.place, c.name); got != c.want {
			t.Errorf("key at %d that types %q: %d, expected %d", c.place, c.name, got, c.want)
		}
	}
}

func TestEveryMethodHasACard(t *testing.T) {
	cards := newMethodCards()
	keys := map[string]bool{cards.blend.key: true}
	for _, m := range skinning.Methods() {
		c := cards.direct[m]
		if c.key == "" || keys[c.key] || c.short == "" || c.title == "" || c.Class == "" || c.note == "" || c.Bars < 1 ||
			c.Bars > 4 {
			t.Errorf("%v: card %+v", m, c)
		}
		keys[c.key] = true
	}
}
