package skinning_test

import (
	"strings"
	"testing"

	"skinlab/skinning"
)

// The error about a clip that does not exist names some that do, however many there are and however long their names.
func TestClipIndexNamesSome(t *testing.T) {
	m := &skinning.Model{Clips: make([]skinning.Clip, 5000)}
	for i := range m.Clips {
		m.Clips[i].Name = strings.Repeat("walk", 1000)
	}
	_, err := m.ClipIndex("run")
	if err == nil || len(err.Error()) > 300 || !strings.Contains(err.Error(), `"walkwalk`) ||
		!strings.Contains(err.Error(), "5000 clips") {
		t.Errorf("%.300v", err)
	}
	m.Clips = []skinning.Clip{{Name: "walk"}, {Name: "two\nlines"}}
	if _, err := m.ClipIndex("run"); err == nil || err.Error() != `clip "run": not one of ["walk" "two\nlines"]` {
		t.Error(err)
	}
}
