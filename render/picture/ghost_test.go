package picture

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Rigid meshes of the rest pose are where the joint that they hang on was bound.
func TestRestPose(t *testing.T) {
	for _, name := range []string{"RobotExpressive.glb", "Knight.glb"} {
		m := assetstest.Open(t, name)
		rest := restPose(m)
		for v, p := range m.Skin.Positions {
			if rest[v].Position != p {
				t.Fatalf("%s: vertex %d of the rest pose is moved", name, v)
			}
		}
		// What hangs on a joint is in the joint's space: posed, the joint takes it where it is posed itself.
		f := skinning.NewFrame(m, nil)
		pose := m.NewPose()
		m.SamplePose(pose, 0, 0.3)
		f.SetPose(pose)
		first, hung := len(m.Skin.Positions), 0
		for i := range m.Rigid {
			mesh := &m.Rigid[i]
			node := mesh.Parts[0].Node
			if j := jointAbove(&m.Skeleton, node); j >= 0 && m.Skeleton.Nodes[node].Parent == m.Skeleton.Joints[j].Node {
				hung++
				for v, p := range mesh.Positions {
					want := f.Globals[node].Apply(geom.Vec64(p))
					got := f.Matrices[j].Apply(geom.Vec64(rest[first+v].Position))
					if d := got.Sub(want).Len() / m.Diagonal(); !(d <= 1e-5) { // float32 vertices
						t.Fatalf("%s: rigid mesh %d, vertex %d is %.3g of the diagonal from its joint, tolerance 1e-5", name, i, v, d)
					}
				}
			}
			first += len(mesh.Positions)
		}
		if hung == 0 {
			t.Errorf("%s: no rigid mesh hangs on a joint", name)
		}
	}
}
