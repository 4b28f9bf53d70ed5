package remodel

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// Two joints, one above the other, have a bone of the lower and a short one at the end. Bones are closed, their faces
// point outwards, and a turn of a joint turns its bone about the joint.
func TestWithBones(t *testing.T) {
	m := &skinning.Model{}
	for i, y := range []float64{0, 2} {
		rest := geom.IdentityTransform()
		rest.Translation = mgl64.Vec3{0, y, 0}
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: i - 1, Rest: rest})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.BindNodes([]bool{true, true})
	b := WithBones(m)
	if n := len(b.Skin.Positions); n != 2*24 || len(m.Skin.Positions) != 0 {
		t.Fatalf("%d vertices, expected 24 of each bone; the model has %d", n, len(m.Skin.Positions))
	}
	body := metrics.SkinBody(b)
	if v := metrics.Volume(body, geom.Vecs64(b.Skin.Positions)); body.OpenEdges() != 0 || !(v > 0.01) {
		t.Errorf("%d open edges, volume %g", body.OpenEdges(), v)
	}
	pose := b.NewPose()
	pose.Local[0].Rotation = geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 1.5707963267948966)
	f := skinning.NewFrame(b, nil)
	f.SetPose(pose)
	lo, hi := geom.Bounds(f.Positions(skinning.DQS))
	if !(lo[0] < -2.7 && hi[0] < 0.5 && hi[1] < 0.5) {
		t.Errorf("turned by a quarter, the bones are between %v and %v", lo, hi)
	}
	if WithBones(b) != b {
		t.Error("a model with a mesh has got bones")
	}
}
