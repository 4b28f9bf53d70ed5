package methods

import (
	"math"
	"slices"
	"testing"

	"skinlab/assets/assetstest"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// clothed is a model with a second skin over the same joints, a copy of the first beside it.
func clothed(m *skinning.Model) *skinning.Model {
	out := *m
	n, triangles, joints := len(m.Skin.Positions), len(m.Skin.Triangles), len(m.Skeleton.Joints)
	out.Skeleton.Joints = slices.Clone(m.Skeleton.Joints)
	for _, j := range m.Skeleton.Joints {
		j.Skin++
		if j.Parent >= 0 {
			j.Parent += joints
		}
		out.Skeleton.Joints = append(out.Skeleton.Joints, j)
	}
	s := &out.Skin
	*s = skinning.Mesh{Influences: skinning.Influences{Bindings: slices.Clone(m.Skin.Bindings)}}
	var buf []skinning.Influence
	for v := range n {
		buf = m.Skin.Of(buf[:0], v)
		for i := range buf {
			buf[i].Joint += uint16(joints)
		}
		s.Append(buf, 0)
	}
	s.Positions = slices.Concat(m.Skin.Positions, m.Skin.Positions)
	s.Normals = slices.Concat(m.Skin.Normals, m.Skin.Normals)
	for _, copied := range []uint32{0, uint32(n)} {
		for _, t := range m.Skin.Triangles {
			s.Triangles = append(s.Triangles, [3]uint32{t[0] + copied, t[1] + copied, t[2] + copied})
		}
	}
	out.Skeleton.Nodes = slices.Clone(m.Skeleton.Nodes)
	out.Skeleton.Nodes = append(out.Skeleton.Nodes,
		skinning.Node{Name: "clothes", Parent: -1, Rest: geom.IdentityTransform()})
	if err := out.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	body := m.Skin.Parts[0]
	clothes := body
	clothes.Node, clothes.FirstVertex, clothes.FirstTriangle = len(m.Skeleton.Nodes), n, triangles
	s.Parts = []skinning.Part{body, clothes}
	return &out
}

// TestClothes: three blend bones do as much for two skins over the same joints as for one. EE within 1e-3 of it: sums
// in another order, and the descent ends elsewhere.
func TestClothes(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	part := training.Part{Clip: clip, Frames: 6}
	one, two := mustRun(t, blendJob(m, 3, part)), mustRun(t, blendJob(clothed(m), 3, part))
	if !(math.Abs(float64(two.Report.EE-one.Report.EE)) <= 1e-3*float64(one.Report.EE)) || two.Report.AddedBones != 3 {
		t.Errorf("EE %.9g with %d bones, of one skin %.9g", float64(two.Report.EE), two.Report.AddedBones,
			float64(one.Report.EE))
	}
}
