package export_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// A file written with a clip more is the same model, bit by bit, but for the clip behind its own.
func TestClips(t *testing.T) {
	for _, source := range []string{filepath.Join(gltftest.ModelsFolder(), "CesiumMan.glb"),
		filepath.Join(gltftest.ModelsFolder(), "SimpleSkin.gltf"),
		"demo:tube"} {
		m, err := assets.Open(source)
		if err != nil {
			t.Skip(err)
		}
		more := skinning.Clip{Name: "more", Seconds: 1, Channels: []skinning.Channel{{
			Node: m.Skeleton.Joints[0].Node, Path: skinning.PathRotation, Width: 4, Times: []float32{0, 1},
			Values: []float32{0, 0, 0, 1, 0, 1, 0, 0}}}}
		path := filepath.Join(t.TempDir(), "more.glb")
		if warnings, err := export.Clips(path, source, m, []skinning.Clip{more}); err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		again, err := assets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n := len(m.Clips)
		if len(again.Clips) != n+1 || !reflect.DeepEqual(again.Clips[n], more) {
			t.Fatalf("%s: clips %v", source, again.Clips[n:])
		}
		again.Clips = again.Clips[:n]
		if source != "demo:tube" && (!reflect.DeepEqual(again.Skin, m.Skin) || !reflect.DeepEqual(again.Skeleton, m.Skeleton) ||
			!reflect.DeepEqual(again.Clips, m.Clips) || !reflect.DeepEqual(again.Materials, m.Materials)) {
			t.Errorf("%s: the model has changed", source)
		}
	}
}
