package gltftest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// CheckModel fails the test unless m keeps every promise of package skinning's types: indices in range, parts that
// cover the mesh, unit normals, weights that sum to 1, no NaN anywhere.
func CheckModel(t testing.TB, m *skinning.Model) {
	t.Helper()
	for _, err := range ModelFaults(m) {
		t.Errorf("%s: %v", m.Name, err)
	}
}

func ModelFaults(m *skinning.Model) (faults []error) {
	bad := func(format string, args ...any) {
		if len(faults) < 10 {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	s := &m.Skeleton
	if len(s.Order) != len(s.Nodes) {
		bad("%d nodes in order, %d in all", len(s.Order), len(s.Nodes))
	}
	placed := make([]bool, len(s.Nodes))
	for _, i := range s.Order {
		if p := s.Nodes[i].Parent; p >= 0 && !placed[p] {
			bad("node %d comes before its parent %d", i, p)
		}
		placed[i] = true
	}
	for i := range s.Nodes {
		r := &s.Nodes[i].Rest
		// Unit to float64 rounding of a handful of operations.
		if !allFinite(r.Translation[:]) || !allFinite(r.Scale[:]) || !(math.Abs(r.Rotation.Dot(r.Rotation)-1) <= 1e-9) {
			bad("node %d rests at %+v", i, *r)
		}
	}
	for j := range s.Joints {
		joint := &s.Joints[j]
		if joint.Node < 0 || joint.Node >= len(s.Nodes) || joint.Parent < -1 || joint.Parent >= len(s.Joints) ||
			joint.Parent == j {
			bad("joint %d: node %d, parent %d", j, joint.Node, joint.Parent)
		}
		if !allFinite(joint.FromRest[:]) || !allFinite(joint.Position[:]) {
			bad("joint %d is not finite", j)
		}
		if joint.Parent >= 0 && s.Joints[joint.Parent].Skin != joint.Skin {
			bad("joint %d has a parent in another skin", j)
		}
	}
	meshFaults(m, &m.Skin, bad)
	if err := m.Skin.Influences.Validate(len(s.Joints)); err != nil {
		bad("skin: %v", err)
	}
	if len(m.Skin.Bindings) != len(m.Skin.Positions) {
		bad("%d bindings for %d vertices", len(m.Skin.Bindings), len(m.Skin.Positions))
	}
	for i := range m.Skin.Inputs {
		if err := m.Skin.Inputs[i].Validate(len(m.Skin.Positions), len(s.Joints)); err != nil {
			bad("skin: %v", err)
		}
	}
	for i := range m.Rigid {
		meshFaults(m, &m.Rigid[i], bad)
		if len(m.Rigid[i].Parts) == 0 || len(m.Rigid[i].Bindings) != 0 || m.Rigid[i].Inputs != nil {
			bad("rigid mesh %d: %d parts, %d bindings", i, len(m.Rigid[i].Parts), len(m.Rigid[i].Bindings))
		}
	}
	for i := range m.Clips {
		for k := range m.Clips[i].Channels {
			c := &m.Clips[i].Channels[k]
			if err := c.Validate(); err != nil {
				bad("clip %d, channel %d: %v", i, k, err)
			}
			if c.Node < 0 || c.Node >= len(s.Nodes) || c.Path == skinning.PathWeights &&
				c.FirstSlot+c.Width > len(m.MorphSlots) {
				bad("clip %d, channel %d: node %d, slots from %d on", i, k, c.Node, c.FirstSlot)
			}
		}
	}
	for i := range m.Textures {
		im := m.Textures[i].Image
		if im == nil || im.Rect.Min.X != 0 || im.Rect.Min.Y != 0 || len(im.Pix) != 4*im.Rect.Dx()*im.Rect.Dy() {
			bad("texture %d: not a packed picture", i)
		}
	}
	for i := range m.Materials {
		if x := m.Materials[i].Texture; x < -1 || x >= len(m.Textures) {
			bad("material %d: texture %d", i, x)
		}
		for _, t := range m.Materials[i].Maps {
			if t.Kind >= skinning.MapKinds || t.Texture < -1 || t.Texture >= len(m.Textures) {
				bad("material %d: map %+v", i, t)
			}
		}
	}
	return faults
}

func meshFaults(m *skinning.Model, mesh *skinning.Mesh, bad func(string, ...any)) {
	n := len(mesh.Positions)
	if len(mesh.Normals) != n || mesh.UVs != nil && len(mesh.UVs) != n {
		bad("%d positions, %d normals, %d texture coordinates", n, len(mesh.Normals), len(mesh.UVs))
		return
	}
	for _, list := range []int{len(mesh.SecondUVs), len(mesh.Colors), len(mesh.Tangents)} {
		if list != 0 && list != n {
			bad("%d positions, %d second texture coordinates, %d colours, %d tangents", n, len(mesh.SecondUVs),
				len(mesh.Colors), len(mesh.Tangents))
		}
	}
	for v := range n {
		// Unit length to float32 rounding of three components: 3 × 6e-8, and as much for measuring it in float64.
		if l := geom.Vec64(mesh.Normals[v]).Len(); !(math.Abs(l-1) <= 5e-7) || !finite32(mesh.Positions[v]) {
			bad("vertex %d: position %v, normal %v", v, mesh.Positions[v], mesh.Normals[v])
		}
	}
	for i, tri := range mesh.Triangles {
		if int(max(tri[0], tri[1], tri[2])) >= n {
			bad("triangle %d is %v of %d vertices", i, tri, n)
		}
	}
	vertices, triangles := 0, 0
	for i, p := range mesh.Parts {
		if p.FirstVertex != vertices || p.FirstTriangle != triangles || p.Material < -1 || p.Material >= len(m.Materials) {
			bad("part %d: %+v does not follow vertex %d, triangle %d", i, p, vertices, triangles)
		}
		vertices, triangles = p.FirstVertex+p.VertexCount, p.FirstTriangle+p.TriangleCount
	}
	if vertices != n || triangles != len(mesh.Triangles) {
		bad("parts cover %d of %d vertices and %d of %d triangles", vertices, n, triangles, len(mesh.Triangles))
	}
	for i, k := range mesh.Morphs {
		if k.Slot < 0 || k.Slot >= len(m.MorphSlots) || k.FirstVertex+len(k.Positions) > n || k.Normals != nil &&
			len(k.Normals) != len(k.Positions) {
			bad("morph %d: slot %d, %d positions and %d normals from vertex %d on", i, k.Slot, len(k.Positions), len(k.Normals),
				k.FirstVertex)
		}
		for v := range k.Positions {
			if !finite32(k.Positions[v]) || k.Normals != nil && !finite32(k.Normals[v]) {
				bad("morph %d: delta %d is not finite", i, v)
			}
		}
	}
}

func finite32(v mgl32.Vec3) bool {
	p := geom.Vec64(v)
	return allFinite(p[:])
}

func allFinite(values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
