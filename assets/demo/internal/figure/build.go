package figure

import (
	"skinlab/assets/demo/internal/implicit"
	"skinlab/assets/demo/internal/packed"
	"skinlab/skinning"
)

// cell is the edge of the polygonisation's grid, metres: half the thinnest gap between fingers.
const cell = 0.004

// Build sculpts, meshes and rigs the person. It takes about half a minute.
func Build() (*packed.Model, error) {
	surface := Surface()
	m, twin := implicit.Reflect(implicit.Remesh(surface, Raw(cell), EdgeLength, 8))
	if err := m.Check(); err != nil {
		return nil, err
	}
	joints := rig()
	out := &packed.Model{Weights: weights(m, twin, joints)}
	for _, j := range joints {
		out.Joints = append(out.Joints, j.Joint)
	}
	for _, p := range m.Positions {
		n, _ := surface.Gradient(p)
		if p[0] == 0 {
			n[0] = 0
			n = n.Normalize()
		}
		out.Positions = append(out.Positions, skinning.Vec32(p))
		out.Normals = append(out.Normals, skinning.Vec32(n))
	}
	for _, t := range m.Triangles {
		out.Triangles = append(out.Triangles, [3]uint32{uint32(t[0]), uint32(t[1]), uint32(t[2])})
	}
	return out, nil
}
