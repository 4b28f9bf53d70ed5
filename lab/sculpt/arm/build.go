package arm

import (
	"fmt"

	"skinlab/internal/packed"
	"skinlab/lab/sculpt/implicit"
	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// offset moves the arm from the space of its tables to the space of the model. There its middle is over the origin, and
// its axis is so high that the turning hand does not reach the ground.
var offset = vec(-0.40, 0.16, 0)

// Build makes the mesh of the arm, its rig and its weights.
func Build() (*packed.Model, error) {
	const cell = 0.003 // metres: the gaps between the fingers are wider
	solid := wholeArm()
	lo, hi := vec(-0.06, -0.09, -0.09), vec(0.84, 0.12, 0.09)
	var count [3]int
	for c := range count {
		count[c] = int((hi[c]-lo[c])/cell) + 1
	}
	mesh := implicit.Remesh(solid, implicit.Polygonise(solid, lo, count, cell), edgeLength, 6)
	if err := mesh.Check(); err != nil {
		return nil, err
	}
	m := &packed.Model{Joints: rig()}
	for i := range m.Joints {
		m.Joints[i].At = m.Joints[i].At.Add(offset)
	}
	for _, p := range mesh.Positions {
		n, _ := solid.Gradient(p)
		m.Positions = append(m.Positions, geom.Vec32(p.Add(offset)))
		m.Normals = append(m.Normals, geom.Vec32(n))
	}
	for _, t := range mesh.Triangles {
		m.Triangles = append(m.Triangles, [3]uint32{uint32(t[0]), uint32(t[1]), uint32(t[2])})
	}
	for _, raw := range weights(mesh) {
		m.Weights.Append(raw, 0)
	}
	return m, nil
}

// The joints of the limb, by their index in the rig. The digits follow, three joints each.
const (
	shoulder = iota
	upperArmJoint
	forearmJoint
	twistJoint
	handJoint
	firstDigit
)

// rig lists the joints. The twist joint is at the place where half of the forearm's turn has happened. Its axis is that
// of the forearm.
func rig() []packed.Joint {
	joints := []packed.Joint{
		{Name: "shoulder", Parent: -1, At: vec(0, 0, 0)},
		{Name: "upper_arm", Parent: shoulder, At: vec(0.050, 0, 0)},
		{Name: "forearm", Parent: upperArmJoint, At: vec(0.345, 0, 0)},
		{Name: "forearm_twist", Parent: forearmJoint, At: vec(0.470, 0, 0)},
		{Name: "hand", Parent: twistJoint, At: vec(0.607, 0, 0)},
	}
	for _, d := range allDigits() {
		parent := handJoint
		for k := range 3 {
			joints = append(joints, packed.Joint{Name: fmt.Sprintf("%s%d", d.Name, k+1), Parent: parent, At: d.Points[k]})
			parent = len(joints) - 1
		}
	}
	return joints
}

// weights binds the vertices. Along the limb the share of the outer joint rises from 0 to 1 over a stretch of the axis:
// short at the elbow and the wrist, and over most of the forearm's taper at the twist joint, where linear blending
// shows the candy wrapper. Within the hand heat diffusion over the surface divides the share among palm and digits.
func weights(mesh *implicit.Mesh) [][]skinning.Influence {
	joint, bones := handBones()
	heat := implicit.Diffuse(mesh, bones, 8, nil)
	out := make([][]skinning.Influence, len(mesh.Positions))
	for v, p := range mesh.Positions {
		x := p[0]
		outer := [...]float64{
			shoulder:      1,
			upperArmJoint: implicit.Smoothstep(x, 0.000, 0.110),
			forearmJoint:  implicit.Smoothstep(x, 0.300, 0.390),
			twistJoint:    implicit.Smoothstep(x, 0.395, 0.545),
			handJoint:     implicit.Smoothstep(x, 0.583, 0.631),
			firstDigit:    0,
		}
		var raw []skinning.Influence
		for j := shoulder; j < handJoint; j++ {
			raw = append(raw, influence(j, outer[j]-outer[j+1]))
		}
		share := make([]float64, len(rig())) // by joint
		for b := range bones {
			share[joint[b]] += heat[b][v]
		}
		for j, s := range share {
			if j >= firstDigit {
				s = max(0, s-0.01) // the last traces of heat reach across the palm
			}
			raw = append(raw, influence(j, s*outer[handJoint]))
		}
		out[v] = strongest(raw)
	}
	return out
}

func influence(joint int, weight float64) skinning.Influence {
	return skinning.Influence{Joint: uint16(joint), Weight: float32(weight)}
}

// strongest keeps at most four influences, and none below half a percent.
func strongest(raw []skinning.Influence) []skinning.Influence {
	var one skinning.Influences
	one.Append(raw, 0)
	var kept []skinning.Influence
	for k, w := range one.Bindings[0].Weights {
		if w >= 0.005 {
			kept = append(kept, skinning.Influence{Joint: one.Bindings[0].Joints[k], Weight: w})
		}
	}
	return kept
}

// handBones are the segments that give off heat, with the joint of each: the limb and the metacarpals belong to the
// hand.
func handBones() (joint []int, bones []implicit.Bone) {
	add := func(j int, from, to mgl64.Vec3) {
		joint = append(joint, j)
		bones = append(bones, implicit.Bone{From: from, To: to})
	}
	wrist := rig()[handJoint].At
	add(handJoint, vec(0, 0, 0), wrist)
	for i, d := range allDigits() {
		if i > 0 {
			add(handJoint, wrist, d.Points[0])
		}
		for k := range 3 {
			add(firstDigit+3*i+k, d.Points[k], d.Points[k+1])
		}
	}
	return joint, bones
}
