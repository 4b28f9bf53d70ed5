package input

import (
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
)

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
