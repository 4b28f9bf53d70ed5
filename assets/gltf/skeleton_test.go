package gltf

import (
	"slices"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestSkeletonAlone reads files without meshes: their joints are those of their skins, else what clips move and what is
// below that, else all nodes.
func TestSkeletonAlone(t *testing.T) {
	nodes := gltftest.List{
		gltftest.Object{"name": "Armature", "children": gltftest.List{1}},
		gltftest.Object{"name": "hips", "translation": gltftest.List{0, 1, 0}, "children": gltftest.List{2, 3}},
		gltftest.Object{"name": "spine", "translation": gltftest.List{0, 0.5, 0}},
		gltftest.Object{"translation": gltftest.List{0, -1, 0}},
	}
	for _, c := range []struct {
		name    string
		edit    func(*gltftest.Builder)
		names   []string
		parents []int
		height  float32
	}{
		{"a clip that moves the hips", func(b *gltftest.Builder) {
			times := b.Accessor(gltftest.Float, "SCALAR", 0, 1)
			turns := b.Accessor(gltftest.Float, "VEC4", 0, 0, 0, 1, 0, 0, 1, 0)
			b.Push("animations", gltftest.Object{"samplers": gltftest.List{gltftest.Object{"input": times, "output": turns}},
				"channels": gltftest.List{gltftest.Object{"sampler": 0, "target": gltftest.Object{"node": 1, "path": "rotation"}}}})
		}, []string{"hips", "spine", "Joint 3"}, []int{-1, 0, 0}, 1.5},
		{"a skin", func(b *gltftest.Builder) { b.Push("skins", gltftest.Object{"joints": gltftest.List{2, 1}}) },
			[]string{"spine", "hips"}, []int{1, -1}, 0.5},
		{"nodes", func(*gltftest.Builder) {}, []string{"Armature", "hips", "spine", "Joint 4"}, []int{-1, 0, 1, 1}, 1.5},
	} {
		b := gltftest.NewBuilder()
		b.Doc["nodes"] = nodes
		c.edit(b)
		m, err := Decode(c.name, b.Glb(), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var names []string
		var parents []int
		for _, j := range m.Skeleton.Joints {
			names, parents = append(names, j.Name), append(parents, j.Parent)
		}
		lo, hi := m.RestBounds()
		if !m.IsSkeleton() || !slices.Equal(names, c.names) || !slices.Equal(parents, c.parents) ||
			hi[1]-lo[1] != c.height || len(m.Warnings) > 0 || len(m.Ignored) > 0 {
			t.Errorf("%s: joints %q below %v, %g m high, warnings %q, ignored %q; expected %q below %v, %g m high", c.name, names,
				parents, hi[1]-lo[1], m.Warnings, m.Ignored, c.names, c.parents, c.height)
		}
		frame := skinning.NewFrame(m, nil) // the static pose is where the joints are bound
		frame.SetPose(m.NewPose())
		for j := range m.Skeleton.Joints {
			joint := &m.Skeleton.Joints[j]
			at := frame.Globals[joint.Node].Translation()
			if p := frame.Matrices[j].Apply(joint.Position); !(p.Sub(at).Len() <= 1e-12) {
				t.Errorf("%s: joint %d is moved to %v, its node stands at %v", c.name, j, p, at)
			}
		}
	}
	m, err := Decode("empty", gltftest.NewBuilder().Glb(), nil)
	if err != nil || len(m.Skeleton.Joints) != 0 || len(m.Warnings) != 1 {
		t.Errorf("nothing at all: %d joints, warnings %q, %v", len(m.Skeleton.Joints), m.Warnings, err)
	}
}
