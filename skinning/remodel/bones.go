package remodel

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const (
	// boneWidth is the thickness of a bone, over its length.
	boneWidth = 0.12
	// boneWaist is where it is thickest, over its length.
	boneWaist = 0.15
	// endBone is the length of the bone of a joint without children, over the mean of the others.
	endBone = 0.4
)

// WithBones returns a model that has a skeleton and no mesh, as motion capture is, with a mesh of its bones: an
// octahedron from each joint to each of its children, which follows the joint alone. Any other model is returned as it
// is.
func WithBones(m *skinning.Model) *skinning.Model {
	joints := m.Skeleton.Joints
	if !m.IsSkeleton() || len(joints) == 0 {
		return m
	}
	out := *m
	total, count, parent := 0.0, 0, make([]bool, len(joints))
	for j := range joints {
		p := joints[j].Parent
		if p < 0 {
			continue
		}
		along := joints[j].Position.Sub(joints[p].Position)
		total, count, parent[p] = total+along.Len(), count+1, true
		appendBone(&out.Skin, p, joints[p].Position, along)
	}
	size := 1.0
	if total > 0 {
		size = endBone * total / float64(count)
	}
	for j := range joints {
		if parent[j] {
			continue
		}
		along := mgl64.Vec3{0, size, 0}
		if p := joints[j].Parent; p >= 0 {
			along = geom.UnitOr(joints[j].Position.Sub(joints[p].Position), along).Mul(size)
		}
		appendBone(&out.Skin, j, joints[j].Position, along)
	}
	s := &out.Skin
	s.Parts = []skinning.Part{{Name: "bones", Node: joints[0].Node, VertexCount: len(s.Positions), TriangleCount: len(s.Triangles), Material: -1}}
	return &out
}

// appendBone appends an octahedron that follows a joint: its tips are at a point and along from it. Its faces are flat.
func appendBone(s *skinning.Mesh, joint int, at, along mgl64.Vec3) {
	length := along.Len()
	if length == 0 {
		return
	}
	side := geom.Perpendicular(along).Normalize().Mul(boneWidth * length)
	other := along.Normalize().Cross(side)
	waist := at.Add(along.Mul(boneWaist))
	ring := [4]mgl64.Vec3{waist.Add(side), waist.Add(other), waist.Sub(side), waist.Sub(other)}
	for k, a := range ring {
		b := ring[(k+1)%4]
		for _, face := range [2][3]mgl64.Vec3{{at, b, a}, {at.Add(along), a, b}} {
			normal := geom.Vec32(face[1].Sub(face[0]).Cross(face[2].Sub(face[0])).Normalize())
			first := uint32(len(s.Positions))
			for _, p := range face {
				s.Positions, s.Normals = append(s.Positions, geom.Vec32(p)), append(s.Normals, normal)
				s.Bindings = append(s.Bindings, skinning.Binding{Joints: [4]uint16{uint16(joint)}, Weights: mgl32.Vec4{1}})
			}
			s.Triangles = append(s.Triangles, [3]uint32{first, first + 1, first + 2})
		}
	}
}
