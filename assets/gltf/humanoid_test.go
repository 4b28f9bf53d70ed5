package gltf

import (
	"maps"
	"strings"
	"testing"

	"skinlab/internal/gltftest"
)

// VRM files say which node is which bone of a body. A fault there is a warning: the file is shown without it.
func TestHumanoid(t *testing.T) {
	bones := object{"hips": object{"node": 2}, "spine": object{"node": 3}}
	old := list{object{"bone": "hips", "node": 2}, object{"bone": "leftThumbProximal", "node": 3}, object{"bone": "jaw", "node": -1}}
	for _, c := range []struct {
		what, name string
		extension  object
		want       map[string]int
		warning    string
	}{
		{"a character", "VRMC_vrm", object{"specVersion": "1.0", "humanoid": object{"humanBones": bones}},
			map[string]int{"hips": 2, "spine": 3}, ""},
		{"motion", "VRMC_vrm_animation", object{"humanoid": object{"humanBones": bones}}, map[string]int{"hips": 2, "spine": 3}, ""},
		{"an old character", "VRM", object{"humanoid": object{"humanBones": old}},
			map[string]int{"hips": 2, "leftThumbMetacarpal": 3}, ""},
		{"no bones", "VRMC_vrm", object{}, nil, ""},
		{"a node that is not there", "VRMC_vrm", object{"humanoid": object{"humanBones": object{"hips": object{"node": 99}}}}, nil,
			`humanBones "hips"`},
		{"one node for two", "VRMC_vrm", object{"humanoid": object{"humanBones": object{"hips": object{"node": 2},
			"head": object{"node": 2}}}}, nil, "head and hips are one node"},
		{"text for a node", "VRM", object{"humanoid": object{"humanBones": "all"}}, nil, "humanoid are not read"},
	} {
		m := mustDecode(t, gltftest.Beam().Set("extensions", object{c.name: c.extension}).Glb())
		if !maps.Equal(m.Skeleton.Humanoid, c.want) {
			t.Errorf("%s: %v, expected %v", c.what, m.Skeleton.Humanoid, c.want)
		}
		if warnings := strings.Join(m.Warnings, "\n"); !strings.Contains(warnings, c.warning) || c.warning == "" && warnings != "" {
			t.Errorf("%s: warnings %q, expected %q", c.what, warnings, c.warning)
		}
	}
}
