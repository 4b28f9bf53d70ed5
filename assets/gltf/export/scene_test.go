package export

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// TestExportOfAScene: an export of a scene opens as that scene, and keeps the others.
func TestExportOfAScene(t *testing.T) {
	b := gltftest.Beam()
	b.Push("scenes", object{"name": "beam", "nodes": list{0}})
	b.Set("scenes.0.nodes", list{4}).Set("nodes.3.children", list{5})
	path := filepath.Join(t.TempDir(), "beam.glb")
	if err := os.WriteFile(path, b.Glb(), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := assets.OpenContext(t.Context(), path, assets.Options{Scene: "beam"})
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := rig.WithBlendBones(m, skinning.DQS, nil, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.glb")
	if _, err := File(context.Background(), out, path, fitted, Options{}); err != nil {
		t.Fatal(err)
	}
	for scene, skinned := range map[string]int{"": 8, "1": 8, "0": 0} {
		m, err := assets.OpenContext(t.Context(), out, assets.Options{Scene: scene})
		if err != nil || len(m.Skin.Positions) != skinned || len(m.Scenes) != 2 {
			t.Errorf("scene %q: %v, %v", scene, m, err)
		}
	}
}
