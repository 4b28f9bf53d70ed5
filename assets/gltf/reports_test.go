package gltf

import (
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestReportedFiles reads the shared files that other programs stumbled over, as their README says.
func TestReportedFiles(t *testing.T) {
	dir := filepath.Join(gltftest.SharedModels(t), "reports")
	for _, c := range []struct {
		file, warning string
		check         func(*skinning.Model) bool
	}{
		{"duplicate_key_times.glb", "", func(m *skinning.Model) bool { return len(m.Clips[0].Channels) > 0 }},
		{"zeroquatkey.glb", "a quaternion of length zero", func(m *skinning.Model) bool { return len(m.Clips[0].Channels) > 0 }},
		{"r23_badpct.gltf", "", func(m *skinning.Model) bool { return m.PartCount() > 0 }},
		{"vis_hidden.glb", "KHR_node_visibility hides", func(m *skinning.Model) bool { return len(m.Skin.Positions) == 156 }},
		{"r27_pointer_joint.glb", "", func(m *skinning.Model) bool {
			pose, palette := gltftest.Posed(m, 0, 0.5)
			d := gltftest.LinearBlend(m, pose, palette, 150).Sub(mgl64.Vec3{-0.97327, 1.57888, 0.24620}).Len()
			return d <= 2e-5 // metres: the place is given with five digits
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			m, err := openFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			gltftest.CheckModel(t, m)
			if c.warning != "" && !gltftest.HasWarning(m, c.warning) {
				t.Errorf("warnings %q, expected %q", m.Warnings, c.warning)
			}
			if !c.check(m) {
				t.Errorf("not as the README says: %d clips, %d skinned vertices", len(m.Clips), len(m.Skin.Positions))
			}
		})
	}
}
