// Package remodel makes models from other models. It turns rigid meshes into a skin, merges equal joints, and adds
// joints that clips move. It also finds the nodes of one model in another.
package remodel

import (
	"skinlab/skinning"

	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// BindRigid returns a model whose rigid meshes are its skin, for fits that find the bones of a mesh that has none. The
// node of each mesh becomes a joint that its vertices follow with weight 1, so that every pose looks the same as
// before, morph targets included. Rest space is the world of the static pose. Deltas of normals are left out of the
// morph targets.
//
// Where some rigid meshes have morph targets, only these are bound: the others, such as a stage around a dancer, do not
// deform. A mesh whose node is scaled to zero in the static pose stays rigid, as do those that the file shows several
// times, and those past the 65,536th. A model that has a skin already, or no mesh that can be bound, is returned as it
// is. The result shares all else with m.
func BindRigid(m *skinning.Model) *skinning.Model {
	if len(m.Skin.Positions) > 0 {
		return m
	}
	morphing := slices.ContainsFunc(m.Rigid, func(r skinning.Mesh) bool { return len(r.Morphs) > 0 })
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(globals, m.NewPose())
	out := *m
	out.Rigid, out.Skin, out.Skeleton.Joints = nil, skinning.Mesh{}, slices.Clip(m.Skeleton.Joints)
	for i := range m.Rigid {
		mesh := &m.Rigid[i]
		node := mesh.Parts[0].Node
		back, ok := globals[node].Inverse()
		joint := len(out.Skeleton.Joints)
		if morphing && len(mesh.Morphs) == 0 || mesh.Instanced || !ok || joint > math.MaxUint16 {
			out.Rigid = append(out.Rigid, *mesh)
			continue
		}
		name := skinning.Named(m.Skeleton.Nodes[node].Name, "Joint", joint)
		out.Skeleton.Joints = append(out.Skeleton.Joints, skinning.Joint{Name: name, Node: node, Skin: joint, Parent: -1,
			FromRest: back, Position: globals[node].Translation()})
		appendRigid(&out.Skin, mesh, &globals[node], joint)
	}
	if len(out.Skin.Positions) == 0 {
		return m
	}
	return &out
}

// appendRigid appends a rigid mesh to a skin, with its vertices bound to one joint. ToRest maps from the node's space
// to rest space.
func appendRigid(s, mesh *skinning.Mesh, toRest *geom.Affine, joint int) {
	first, firstTriangle := len(s.Positions), len(s.Triangles)
	normal := toRest.Linear().NormalMatrix()
	for v, p := range mesh.Positions {
		s.Positions = append(s.Positions, geom.Vec32(toRest.Apply(geom.Vec64(p))))
		n := geom.Vec64(mesh.Normals[v])
		s.Normals = append(s.Normals, geom.Vec32(geom.UnitOr(normal.Apply(n), mgl64.Vec3{0, 1, 0})))
		s.Bindings = append(s.Bindings, skinning.Binding{Joints: [4]uint16{uint16(joint)}, Weights: [4]float32{1}})
	}
	mirrors := toRest.Linear().Det() < 0
	s.Surface.Extend(first, &mesh.Surface, len(mesh.Positions), func(t mgl32.Vec4) mgl32.Vec4 {
		return skinning.MapTangent(toRest.Linear(), t)
	})
	for _, t := range mesh.Triangles {
		if mirrors {
			t[1], t[2] = t[2], t[1]
		}
		s.Triangles = append(s.Triangles, [3]uint32{t[0] + uint32(first), t[1] + uint32(first), t[2] + uint32(first)})
	}
	for _, part := range mesh.Parts {
		part.FirstVertex += first
		part.FirstTriangle += firstTriangle
		s.Parts = append(s.Parts, part)
	}
	linear := toRest.Linear()
	for _, morph := range mesh.Morphs {
		moved := skinning.Morph{Slot: morph.Slot, FirstVertex: morph.FirstVertex + first}
		for _, d := range morph.Positions {
			moved.Positions = append(moved.Positions, geom.Vec32(linear.Apply(geom.Vec64(d))))
		}
		s.Morphs = append(s.Morphs, moved)
	}
}
