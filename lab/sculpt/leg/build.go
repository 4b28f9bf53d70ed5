package leg

import (
	"skinlab/internal/packed"
	"skinlab/lab/sculpt/implicit"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// lift is the height of the sole above the ground. With it, the toes of the stretched foot do not reach the ground.
const lift = 0.15 // metres

// Build makes the mesh of 663 vertices, its rig and its weights.
func Build() (*packed.Model, error) { return build(&coarse) }

// BuildSmooth makes the mesh of 8,322 vertices of the same surface.
func BuildSmooth() (*packed.Model, error) { return build(&fine) }

func build(l *lattice) (*packed.Model, error) {
	points, quads, err := l.draw(wholeLeg())
	if err != nil {
		return nil, err
	}
	raised := func(p vec) vec { return p.Add(vec{0, lift, 0}) }
	m := &packed.Model{Joints: []packed.Joint{
		{Name: "pelvis", Parent: -1, At: raised(atPelvis)},
		{Name: "hip", Parent: 0, At: raised(atHip)},
		{Name: "knee", Parent: 1, At: raised(atKnee)},
		{Name: "ankle", Parent: 2, At: raised(atAnkle)},
	}}
	for _, p := range points {
		m.Positions = append(m.Positions, geom.Vec32(raised(p)))
		m.Weights.Append(weights(p), 0)
	}
	for _, q := range quads {
		a, b, c, d := uint32(q[0]), uint32(q[1]), uint32(q[2]), uint32(q[3])
		if points[q[0]].Sub(points[q[2]]).Len() <= points[q[1]].Sub(points[q[3]]).Len() { // the shorter diagonal
			m.Triangles = append(m.Triangles, [3]uint32{a, b, c}, [3]uint32{a, c, d})
		} else {
			m.Triangles = append(m.Triangles, [3]uint32{a, b, d}, [3]uint32{b, c, d})
		}
	}
	m.Normals = skinning.ComputeNormals(m.Positions, m.Triangles)
	return m, nil
}

// weights binds a point as an artist would paint it: points beyond a joint follow it, with a soft ramp over the joint.
// The ramp of the hip runs along the groin, low on the inner side and at the fold of the buttock.
func weights(p vec) []skinning.Influence {
	hip := implicit.Smoothstep(atHip[1]-p[1]+0.30*p[0]+0.25*p[2], -0.075, 0.075)
	knee := implicit.Smoothstep(atKnee[1]-p[1], -0.060, 0.060)
	ankle := implicit.Smoothstep(atAnkle[1]-p[1]+0.50*(p[2]-atAnkle[2]), -0.045, 0.030)
	var out []skinning.Influence
	for j, w := range []float64{1 - hip, hip * (1 - knee), hip * knee * (1 - ankle), hip * knee * ankle} {
		if w >= 1e-4 { // half a unit of a byte that glTF may store
			out = append(out, skinning.Influence{Joint: uint16(j), Weight: float32(w)})
		}
	}
	return out
}
