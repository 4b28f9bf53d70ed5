package gltf

import (
	"errors"
	"strings"
	"testing"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
)

// TestExtensions: the table decides what a file may require, and what an export may drop or keep. No row hides another.
func TestExtensions(t *testing.T) {
	for i, row := range extensions {
		name := strings.TrimSuffix(row.name, "*")
		if got := extensionOf(name); got.name != row.name {
			t.Errorf("row %d, %s: hidden by %s", i, row.name, got.name)
		}
		m, err := Decode("beam.glb", gltftest.Beam().Set("extensionsRequired", list{name}).Glb(), nil)
		switch {
		case row.read == "" && !row.looks:
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s is required and not read: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s is required: %v", name, err)
		case row.read == "" && !strings.Contains(strings.Join(m.Warnings, "\n"), name):
			t.Errorf("%s is required and not read: warnings %q", name, m.Warnings)
		}
	}
	for _, c := range []struct {
		name         string
		kept, noData bool
	}{{"KHR_materials_clearcoat", false, true}, {"KHR_materials_unlit", true, true},
		{"KHR_mesh_quantization", true, true}, {"EXT_texture_webp", true, true}, {"EXT_texture_astc", false, false}, {"ACME_fur", false, false}} {
		if ExtensionKept(c.name) != c.kept || ExtensionHasNoData(c.name) != c.noData {
			t.Errorf("%s: kept %v, no data %v", c.name, !c.kept, !c.noData)
		}
	}
	_, err := Decode("beam.glb", gltftest.Beam().Set("extensionsRequired", list{"ACME_fur"}).Glb(), nil)
	if !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("an unknown extension that is required: %v", err)
	}
}
