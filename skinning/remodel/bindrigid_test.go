package remodel_test

import (
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// TestBindRigid: bound, the meshes with morph targets show what they showed: in every frame each vertex is where its
// node and its morph targets put it, to the rounding of float32 at a few units. The stage stays rigid, and triangles of
// the mirrored mesh still face along their normals.
func TestBindRigid(t *testing.T) {
	m := gltftest.Morphing(4)
	bound := remodel.BindRigid(m)
	gltftest.CheckModel(t, bound)
	if len(bound.Rigid) != 1 || len(bound.Skeleton.Joints) != 2 || len(bound.Skin.Positions) != 2*39 ||
		len(m.Skin.Positions) != 0 {
		t.Fatalf("%d rigid meshes, %d joints, %d vertices", len(bound.Rigid), len(bound.Skeleton.Joints),
			len(bound.Skin.Positions))
	}
	if remodel.BindRigid(bound) != bound {
		t.Error("a model with a skin is bound again")
	}
	frame, pose := skinning.NewFrame(bound, nil), bound.NewPose()
	for _, seconds := range []float64{0, 0.1, 0.375} {
		bound.SamplePose(pose, 0, seconds)
		pose.Local[0].Translation[1] += seconds
		frame.SetPose(pose)
		at := frame.Positions(skinning.LBS)
		for i := range 2 {
			mesh := &m.Rigid[i]
			for v, p := range mesh.RestPositions(pose.Morphs) {
				if d := frame.Globals[i].Apply(p).Sub(at[39*i+v]).Len(); !(d <= 2e-6) {
					t.Fatalf("mesh %d, vertex %d at %g s: off by %g", i, v, seconds, d)
				}
			}
		}
	}
	for k, tri := range bound.Skin.Triangles {
		a := geom.Vec64(bound.Skin.Positions[tri[0]])
		n := geom.Vec64(bound.Skin.Positions[tri[1]]).Sub(a).Cross(geom.Vec64(bound.Skin.Positions[tri[2]]).Sub(a))
		if !(n.Dot(geom.Vec64(bound.Skin.Normals[tri[0]])) > 0) {
			t.Fatalf("triangle %d faces against its normal", k)
		}
	}
	if still := (&skinning.Model{}); remodel.BindRigid(still) != still {
		t.Error("an empty model is bound")
	}
}
