package skinningtest

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Prism returns a square tube along x from 0 to 2 with caps, bound to two joints by a ramp, without a clip.
func Prism() *skinning.Model {
	m := &skinning.Model{Name: "prism"}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()},
		{Parent: 0, Rest: geom.IdentityTransform()}}
	m.Skeleton.Nodes[1].Rest.Translation = mgl64.Vec3{1, 0, 0}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	m.Skeleton.Joints = []skinning.Joint{
		{Node: 0, Parent: -1, FromRest: geom.IdentityAffine()},
		{Node: 1, Parent: 0, FromRest: geom.NewAffine(geom.Identity3(), mgl64.Vec3{-1, 0, 0}),
			Position: mgl64.Vec3{1, 0, 0}},
	}
	const rings = 41
	s := &m.Skin
	for i := range rings {
		x := 2 * float32(i) / (rings - 1)
		for _, c := range [][2]float32{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			s.Positions = append(s.Positions, mgl32.Vec3{x, c[0], c[1]})
			s.Append([]skinning.Influence{{Joint: 0, Weight: 2 - x}, {Joint: 1, Weight: x}}, 0)
		}
	}
	for i := range uint32(rings - 1) {
		for k := range uint32(4) {
			a, b := 4*i+k, 4*i+(k+1)%4
			s.Triangles = append(s.Triangles, [3]uint32{a, b, b + 4}, [3]uint32{a, b + 4, a + 4})
		}
	}
	end := uint32(4 * (rings - 1))
	s.Triangles = append(s.Triangles, [3]uint32{0, 2, 1}, [3]uint32{0, 3, 2}, [3]uint32{end, end + 1, end + 2},
		[3]uint32{end, end + 2, end + 3})
	s.Normals = skinning.ComputeNormals(s.Positions, s.Triangles)
	return m
}
