package skinning_test

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/geom"
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

// TestRestBoundsWithMorphs: the size of a rigid mesh is that in the static pose, morph weights included. The size of a
// skin, the unit of errors, is that at rest whatever the weights are.
func TestRestBoundsWithMorphs(t *testing.T) {
	tall := skinning.Mesh{Positions: []mgl32.Vec3{{0, 0, 0}, {1, 1, 1}}, Parts: []skinning.Part{{VertexCount: 2}},
		Morphs: []skinning.Morph{{FirstVertex: 1, Positions: []mgl32.Vec3{{0, 2, 0}}}}}
	m := skinning.Model{Skeleton: skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}},
		Order: []int{0}}, MorphSlots: []skinning.MorphSlot{{Default: 1.5}}}
	rigid, skinned := m, m
	rigid.Rigid, skinned.Skin = []skinning.Mesh{tall}, tall
	for m, want := range map[*skinning.Model]mgl32.Vec3{&rigid: {1, 4, 1}, &skinned: {1, 1, 1}} {
		if lo, hi := m.RestBounds(); lo != (mgl32.Vec3{}) || hi != want {
			t.Errorf("%d rigid meshes are from %v to %v, expected to %v", len(m.Rigid), lo, hi, want)
		}
	}
}

// A name that several clips have is no answer.
func TestClipIndexOfSharedName(t *testing.T) {
	m := &skinning.Model{Name: "m", Clips: []skinning.Clip{{Name: "bend"}, {Name: "walk"}, {Name: "bend"}}}
	if _, err := m.ClipIndex("bend"); err == nil || !strings.HasSuffix(err.Error(), "choose one by its index, 0 or 2") {
		t.Errorf("%v", err)
	}
	for name, want := range map[string]int{"walk": 1, "2": 2, "#0": 0} {
		if i, err := m.ClipIndex(name); i != want || err != nil {
			t.Errorf("%s is clip %d, %v", name, i, err)
		}
	}
}
