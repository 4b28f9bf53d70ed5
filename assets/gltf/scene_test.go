package gltf

import (
	"context"
	"strings"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestScenes reads each scene of a file that has three, by name and index, and refuses what it does not have with a
// list of what it has.
func TestScenes(t *testing.T) {
	b := gltftest.Beam()
	b.Set("scenes.0.name", "whole")
	b.Push("scenes", object{"nodes": list{4}})
	b.Push("scenes", object{"name": "beam", "nodes": list{0}})
	b.Set("nodes.3.children", list{5}).Set("nodes.1.children", list{2})
	data := b.Glb()
	open := func(scene string) (*skinning.Model, error) {
		return decodeAs("beam.glb", data, nil, scene, progress{context.Background(), nil})
	}
	for scene, shows := range map[string]struct{ index, skinned, rigid int }{
		"": {0, 8, 0}, "whole": {0, 8, 0}, "1": {1, 0, 1}, "Scene 2": {1, 0, 1}, "#1": {1, 0, 1}, "beam": {2, 8, 0},
	} {
		m, err := open(scene)
		if err != nil {
			t.Errorf("%q: %v", scene, err)
			continue
		}
		if m.Scene != shows.index || len(m.Scenes) != 3 || len(m.Skin.Positions) != shows.skinned ||
			len(m.Rigid) != shows.rigid {
			t.Errorf("%q: scene %d of %q with %d vertices of the skin and %d rigid meshes, expected %v", scene, m.Scene,
				m.Scenes, len(m.Skin.Positions), len(m.Rigid), shows)
		}
		var text strings.Builder
		d := m.Describe()
		d.WriteText(&text)
		if n := strings.Count(text.String(), "  scene "); n != 3 || strings.Count(text.String(), ", shown\n") != 1 {
			t.Errorf("%q: info lists %d scenes:\n%s", scene, n, text.String())
		}
	}
	for _, scene := range []string{"3", "Beam", "-1"} {
		if _, err := open(scene); err == nil || !strings.Contains(err.Error(), `not one of ["whole" "Scene 2" "beam"]`) {
			t.Errorf("%q: %v", scene, err)
		}
	}
}
