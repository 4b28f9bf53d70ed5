package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// startPoses sets the poses to all scans (section 3): limb by limb from the root on, by Procrustes' method about the
// place to which its parent takes its joint. A vertex shows of a limb's motion what its weight is, so that it counts by
// the weight's square: the human's skeleton then starts at 6.05 mm, by the weights at 7.13 mm. As published, the place of
// the joint does not count.
func (b *Body) startPoses(s *Scans, workers int, published bool) {
	b.Poses = make([]Pose, len(s.Shapes))
	parallel.For(workers, len(s.Shapes), func(_, i int) { b.Poses[i] = b.startPose(s.Shapes[i], published) })
}

// startPose returns the pose to one scan.
func (b *Body) startPose(scan []mgl64.Vec3, published bool) Pose {
	sums := make([]procrustes.Sums, len(b.Joints)) // places at rest count from the joint, those in the scan from a vertex
	for v, shares := range b.Swing {
		for _, w := range shares {
			sums[w.Joint].Add(w.Weight*w.Weight, b.Vertices[v].Sub(b.Joints[w.Joint]), scan[v].Sub(scan[0]))
		}
	}
	pose := Pose{Turns: make([]geom.Quat, len(b.Joints))}
	at, turns := make([]mgl64.Vec3, len(b.Joints)), make([]geom.Quat, len(b.Joints)) // of the joints in the scan
	for j, parent := range b.Parents {
		near := geom.IdentityQuat()
		alone, _ := sums[j].Rigid()
		if parent < 0 {
			at[j] = alone.Translation()
			pose.Place = at[j].Add(scan[0])
		} else {
			near = turns[parent]
			at[j] = at[parent].Add(near.Rotate(b.Joints[j].Sub(b.Joints[parent])))
		}
		if published {
			turns[j] = geom.QuatFromMat3(alone.Linear())
		} else {
			turns[j] = likelyTurn(&sums[j], at[j], near)
		}
		pose.Turns[j] = near.Conjugate().Mul(turns[j]).Normalize()
	}
	return pose
}

// likelyTurn returns the turn of a limb about its joint, which stands at a place in the scan. Near is its parent's turn.
// It is the likeliest where places in scans err by what the best turn leaves, and limbs turn by a radian: limbs of few
// vertices or flat ones, whose places do not tell all of the turn, follow their parents in the rest.
func likelyTurn(s *procrustes.Sums, at mgl64.Vec3, near geom.Quat) geom.Quat {
	turn, left := s.About(mgl64.Vec3{}, at, near, 0)
	if !(left > 0) {
		return turn
	}
	// A turn by the angle φ moves the three axes by 2·φ² together, in squares.
	turn, _ = s.About(mgl64.Vec3{}, at, near, left/s.Weight/2)
	return turn
}
