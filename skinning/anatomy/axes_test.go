package anatomy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The axes are those of rest space that the documentation promises, whatever the joint's frame is: turned by an angle
// about each, the joint's skinning matrix is that rotation about its position. To 1e-12, float64.
func TestJointAxesOfAnyFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, mirrored := range []bool{false, true} {
		m := twoArms(rng, 0.5)
		if mirrored { // the whole armature stands behind a mirror, and so do the frames
			root := &m.Skeleton.Nodes[0].Rest
			root.Scale[0] = -root.Scale[0]
			globals := make([]geom.Affine, len(m.Skeleton.Nodes))
			m.Skeleton.Globals(globals, m.NewPose())
			for j := range m.Skeleton.Joints {
				joint := &m.Skeleton.Joints[j]
				joint.FromRest, _ = globals[joint.Node].Inverse()
				joint.Position = globals[joint.Node].Translation()
			}
		}
		frame, pose := skinning.NewFrame(m, nil), m.NewPose()
		for j, joint := range m.Skeleton.Joints {
			bone := Bone(m, j).Normalize()
			bend := bendAxis(&m.Skeleton, j, bone)
			if d := math.Abs(bend.Dot(bone)); !(d <= 1e-12) {
				t.Errorf("joint %d bends about an axis %g along its bone", j, d)
			}
			for k, axis := range []mgl64.Vec3{bone, bend, bone.Cross(bend)} {
				m.ResetPose(pose)
				pose.Local[joint.Node].Rotation = pose.Local[joint.Node].Rotation.Mul(geom.AxisAngle(JointAxes(m, j)[k], 0.7))
				frame.SetPose(pose)
				r := geom.AxisAngle(axis, 0.7).Mat3()
				want := geom.NewAffine(r, joint.Position.Sub(r.Apply(joint.Position)))
				for c := range want {
					if d := math.Abs(frame.Matrices[j][c] - want[c]); !(d <= 1e-12) {
						t.Fatalf("mirrored %v, joint %d, axis %d: entry %d is off by %g", mirrored, j, k, c, d)
					}
				}
			}
		}
	}
}

// An elbow that is bent at rest bends on in its plane; a straight joint's end comes forward.
func TestBendAxis(t *testing.T) {
	m := chain(mgl64.Vec3{}, mgl64.Vec3{1, 0, 0})
	m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: 1, Rest: geom.IdentityTransform()})
	at := mgl64.Vec3{1.8, 0.6, 0} // bent upwards
	m.Skeleton.Nodes[2].Rest.Translation = mgl64.Vec3{0.8, 0.6, 0}
	m.Skeleton.Joints = append(m.Skeleton.Joints,
		skinning.Joint{Node: 2, Parent: 1, Position: at, FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	if axis := JointAxes(m, 1)[AxisBend]; !(axis.Sub(mgl64.Vec3{0, 0, 1}).Len() <= 1e-12) {
		t.Errorf("the elbow bends about %v, want +Z", axis)
	}
	if axis := JointAxes(m, 0)[AxisBend]; !(axis.Sub(mgl64.Vec3{0, -1, 0}).Len() <= 1e-12) {
		t.Errorf("a straight joint bends about %v: its end at +X comes to +Z about -Y", axis)
	}
	// A lone joint's bone ends in the middle of its skin; without skin it has some axes all the same.
	lone := chain(mgl64.Vec3{})
	for v := range 5 {
		lone.Skin.Positions = append(lone.Skin.Positions, mgl32.Vec3{float32(v), 1, float32(v % 2)})
		lone.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	}
	if d := Bone(lone, 0).Add(lone.Skeleton.Joints[0].Position).Sub(boundMiddle(lone, 0)).Len(); !(d <= 1e-12) {
		t.Errorf("a lone joint's bone is off by %g", d)
	}
	bare := &skinning.Model{Skeleton: lone.Skeleton}
	for k, a := range JointAxes(bare, 0) {
		if !(math.Abs(a.Len()-1) <= 1e-12) {
			t.Errorf("axis %d of a bare joint is %v", k, a)
		}
	}
}
