package export

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// documentedNode is the transform of a helper bone's node in a pose by the four steps of docs/helper-bones.md: from the
// nodes' rotations and the inverse bind matrices, without a skinning matrix.
func documentedNode(m *skinning.Model, r *rig.HelperBones, bone int, pose *skinning.Pose) geom.Transform {
	s := &m.Skeleton
	world := func(joint int) geom.Affine { // W = A·B⁻¹
		w, _ := s.Joints[joint].FromRest.Inverse()
		return w
	}
	between := func(joint, parent int) geom.Affine { // W_parent⁻¹·W_joint
		return s.Joints[parent].FromRest.Mul(world(joint))
	}
	turnOf := func(m geom.Affine) geom.Quat {
		t, _ := geom.DecomposeAffine(m)
		return t.Rotation
	}
	b := &r.Bones[bone]
	motion := b.Constant
	for i := range b.Terms {
		t := &b.Terms[i]
		in := &r.Inputs[t.Input]
		bound, top := turnOf(world(in.Joint)), -1
		if in.Parent >= 0 {
			bound, top = turnOf(between(in.Joint, in.Parent)), s.Joints[in.Parent].Node
		}
		turn := geom.IdentityQuat()
		for n := s.Joints[in.Joint].Node; n != top; n = s.Nodes[n].Parent {
			turn = pose.Local[n].Rotation.Mul(turn)
		}
		q := bound.Conjugate().Mul(turn)
		if q.Dot(in.Center) < 0 {
			q = q.Scale(-1)
		}
		long, product := math.Sqrt(q[0]*q[0]+q[1]*q[1]+q[2]*q[2]), 1.0
		u := 2.
		if long > 1e-9 {
			u = 2 * math.Atan2(long, q[3]) / long
		}
		for k, axis := range in.Axes {
			x := min(in.Most[k], max(in.Least[k], axis.Dot(mgl64.Vec3(q[:3]).Mul(u))))
			product *= math.Pow(x, float64(t.Powers[k]))
		}
		for k := range motion {
			motion[k] += t.Coefficients[k] * product
		}
	}
	scaled, _ := geom.DecomposeAffine(world(b.Parent))
	turned := mgl64.Vec3(motion[3:6])
	place := between(b.Joint, b.Parent)
	return geom.Transform{Translation: place.Translation().Add(mgl64.Vec3(motion[:3]).Mul(1 / scaled.Scale[0])),
		Rotation: geom.AxisAngle(turned, turned.Len()), Scale: mgl64.Vec3{1, 1, 1}.Mul(1 + motion[6])}
}

// TestDocumentedForm: who drives an exported file's helper nodes by the page gets the live bones, in files whose
// armature is scaled and turned too. The page's steps know of no scale in a pose, so joints turn only.
func TestDocumentedForm(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"demo:arm", "Fox.glb", "CesiumMan.glb", "RobotExpressive.glb", "human_male.glb"} {
		m, data, files := source(t, name)
		again, _, _ := export(t, gltftest.Helped(t, m, 12, true), data, files, Options{RMS: 0.003})
		r := gltftest.HelpersOf(again)
		live, played := skinning.NewFrame(again, nil), skinning.NewFrame(again, nil)
		played.Baked = true
		pose, worst := again.NewPose(), 0.0
		for range 5 {
			again.SamplePose(pose, -1, 0)
			for _, j := range r.Reads() {
				node := again.Skeleton.Joints[j].Node
				turn := geom.AxisAngle(mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()},
					0.5*random.NormFloat64())
				pose.Local[node].Rotation = pose.Local[node].Rotation.Mul(turn)
			}
			live.SetPose(pose)
			for k, j := range r.Joints() {
				pose.Local[again.Skeleton.Joints[j].Node] = documentedNode(again, r, k, pose)
			}
			played.SetPose(pose)
			worst = math.Max(worst, apart(live, played))
		}
		t.Logf("%s: %.2g of the diagonal", name, worst)
		if !(worst <= 1e-6) { // inverse bind matrices are float32
			t.Errorf("%s: by the page the helper bones are off by %.3g of the diagonal", name, worst)
		}
	}
}
