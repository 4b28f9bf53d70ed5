package bodymodel

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel/limbs"
	"skinlab/fit/procrustes"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// startOptions tune [Start]. The zero value is a sound default.
type startOptions struct {
	// Limbs is the largest number of limbs; 0 lets the scans decide. Bind is the scan, counted from 1, whose shape is
	// the first bind shape; 0 chooses the scan that is nearest to the mean of all. With 6 limbs the arm ends at an RMS
	// of 1.31 mm with 0, and of 1.73 mm with scan 1. A tube whose scan 1 is its true bind pose ends at 0.63 mm with 0,
	// and below 0.3 mm with scan 1. With a skeleton, its own limbs and bind shape are used.
	Limbs, Bind int
	Root        int // the limb of this vertex, counted from 1, is the root; 0 for the one in the middle of the tree
	// Published places joints in the middle of the border between limbs, and finds the rotation of each limb separately
	// by Procrustes' method. Otherwise a joint is the point at which its limbs stay together best, and limbs turn about
	// their joints.
	Published bool
	Workers   int // 0 means all cores; the result does not depend on it
}

// mostLimbs is the largest number of limbs that may be asked for.
const mostLimbs = 256

// Start makes the first body (section 3): a bind shape, limbs with weights that are the same in both sets, joints, and
// poses by Procrustes' method. The skeleton may be nil: then limbs are found from the scans, each vertex follows one of
// them, and joints are where they meet. A done context ends it early, with fewer limbs.
func Start(ctx context.Context, s *scans, skeleton *skeleton, opt startOptions) (*Body, error) {
	if opt.Bind < 0 || opt.Bind > len(s.Shapes) || opt.Root < 0 || opt.Root > len(s.Rings) {
		return nil, fmt.Errorf("scan %d of %d, vertex %d of %d, both counted from 1", opt.Bind, len(s.Shapes), opt.Root,
			len(s.Rings))
	}
	if opt.Limbs < 0 || opt.Limbs > mostLimbs {
		return nil, fmt.Errorf("%d limbs, expected at most %d, or 0", opt.Limbs, mostLimbs)
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	var b *Body
	if skeleton == nil {
		found := limbs.Find(ctx, s.Shapes, s.Rings, limbs.Options{Limbs: opt.Limbs, Bind: opt.Bind, Root: opt.Root,
			Published: opt.Published, Workers: opt.Workers})
		b = &Body{Parents: found.Parents, Joints: found.Joints, Vertices: slices.Clone(s.Shapes[found.Bind])}
		for _, limb := range found.Of {
			b.Swing = append(b.Swing, []skinning.Share{{Joint: uint16(limb), Weight: 1}})
		}
	} else {
		var err error
		if b, err = skeleton.body(len(s.Rings)); err != nil {
			return nil, err
		}
	}
	for _, shares := range b.Swing {
		b.Twist = append(b.Twist, append(shares[:0:0], shares...))
	}
	b.setAxes()
	b.startPoses(s, opt.Workers, opt.Published)
	return b, nil
}

// startPoses sets the poses to all scans (section 3), limb by limb from the root on, by Procrustes' method about the
// place to which the parent takes the limb's joint. A vertex follows a limb by its weight, so its squared error is
// multiplied by the squared weight. With the human's skeleton the fit then starts at 6.05 mm, and with plain weights at
// 7.13 mm (row 284). As published, the place of the joint is not used (row 283).
func (b *Body) startPoses(s *scans, workers int, published bool) {
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

// likelyTurn returns the most probable rotation of a limb about its joint, which is at a given place in the scan. Near
// is the rotation of its parent. The errors of vertices are assumed to have the variance that the best rotation leaves,
// and the rotation of a limb against its parent to have a standard deviation of one radian. If the vertices do not
// determine the whole rotation, because the limb is flat or has few vertices, the limb follows its parent in the rest.
func likelyTurn(s *procrustes.Sums, at mgl64.Vec3, near geom.Quat) geom.Quat {
	turn, left := s.About(mgl64.Vec3{}, at, near, 0)
	if !(left > 0) {
		return turn
	}
	// A rotation by the angle φ moves the three axes by a sum of squares of 2·φ².
	turn, _ = s.About(mgl64.Vec3{}, at, near, left/s.Weight/2)
	return turn
}
