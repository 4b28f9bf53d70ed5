package figure

import (
	"skinlab/internal/packed"
	"skinlab/lab/sculpt/implicit"
	"skinlab/skinning/geom"
)

// Build sculpts, meshes and rigs the person. It takes about half a minute.
func Build() (*packed.Model, error) {
	surface := person()
	m, twin := implicit.Reflect(implicit.Remesh(surface, polygonised(), edgeLength, 8))
	if err := m.Check(); err != nil {
		return nil, err
	}
	joints := rig()
	out := &packed.Model{Weights: weights(m, twin, joints)}
	for _, j := range joints {
		out.Joints = append(out.Joints, j.Joint)
	}
	for i, n := range normals(surface, m) {
		out.Positions = append(out.Positions, geom.Vec32(m.Positions[i]))
		out.Normals = append(out.Normals, geom.Vec32(n))
	}
	for _, t := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]uint32{uint32(t[0]), uint32(t[1]), uint32(t[2])})
	}
	return out, nil
}

// normals averages the field's gradient over each vertex and the middles of its triangles, and takes the mean of that
// and the triangles' normals. Details smaller than the triangles are then shaded softly instead of as speckles.
func normals(surface implicit.Shape, m *implicit.Mesh) []vec {
	field, flat := make([]vec, len(m.Positions)), make([]vec, len(m.Positions))
	for i, p := range m.Positions {
		n, _ := surface.Gradient(p)
		field[i] = n.Mul(2)
	}
	for _, t := range m.Triangles {
		a, b, c := m.Positions[t[0]], m.Positions[t[1]], m.Positions[t[2]]
		n, _ := surface.Gradient(surface.Project(a.Add(b).Add(c).Mul(1.0/3), 0.005))
		area := b.Sub(a).Cross(c.Sub(a))
		for _, v := range t {
			field[v] = field[v].Add(n)
			flat[v] = flat[v].Add(area)
		}
	}
	for i, p := range m.Positions {
		n := field[i].Normalize().Add(flat[i].Normalize())
		if p[0] == 0 {
			n[0] = 0
		}
		field[i] = n.Normalize()
	}
	return field
}
