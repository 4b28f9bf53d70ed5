package blendbones

import (
	"context"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// rope is a chain of joints along x, two vertices on each bone.
func rope(joints int) *skinning.Model {
	m := &skinning.Model{Name: "rope"}
	for j := range joints {
		rest, at := geom.IdentityTransform(), mgl64.Vec3{float64(j), 0, 0}
		if j > 0 {
			rest.Translation = mgl64.Vec3{1, 0, 0}
			for _, w := range []float32{0.3, 0.6} {
				m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(j) - 1 + w, 0.1, 0})
				m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
				m.Skin.Append([]skinning.Influence{{Joint: uint16(j - 1), Weight: 1 - w}, {Joint: uint16(j), Weight: w}}, 0)
			}
		}
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: j - 1, Rest: rest})
		m.Skeleton.Joints = append(m.Skeleton.Joints,
			skinning.Joint{Node: j, Parent: j - 1, Position: at, FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	return m
}

// TestManyHalfWayJoints: four times as many joints take no more than 30 times as long. Every vertex is held against
// every joint, for EE, so that the square is expected: 16 times. The cube would be 64.
func TestManyHalfWayJoints(t *testing.T) {
	onlyNumbers(t)
	var took [2]time.Duration
	for i, joints := range []int{250, 1000} {
		m := rope(joints)
		p := &Problem{m, skinning.DQS, training.RangeOfMotionPoses(m, 4)}
		took[i] = cputime.Of(func() {
			r, err := HalfWay(context.Background(), p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Rig.Bones) != joints-1 || !(r.EE < 0.9*r.History[0].EE) {
				t.Errorf("%d bones, EE %.2f, of linear blending %.2f", len(r.Rig.Bones), r.EE, r.History[0].EE)
			}
		})
	}
	t.Logf("%v, %v", took[0], took[1])
	if !(took[1] <= 30*took[0]) {
		t.Errorf("250 joints take %v, 1000 take %v", took[0], took[1])
	}
}
