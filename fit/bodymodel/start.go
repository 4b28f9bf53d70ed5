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

// StartOptions tune [Start]. The zero value is a sound default.
type StartOptions struct {
	// Limbs is how many there are at most, 0 for as many as the scans show. Bind is the scan, counted from 1, whose shape
	// is the bind shape at first, 0 for the one in the middle of them. With 6 limbs the arm ends at an RMS of 1.31 mm from
	// the middle one, and of 1.73 mm from scan 1; a tube whose scans are its own from a bind pose in scan 1, at 0.63 mm and
	// below 0.3 mm. A skeleton has limbs and a bind shape of its own.
	Limbs, Bind int
	Root        int // the limb of this vertex, counted from 1, is the root; 0 for the one in the middle of the tree
	// Published places joints in the middle of the border between limbs, and turns each limb by Procrustes' method for
	// itself. Else joints are where limbs stay together, and limbs turn about them.
	Published bool
	Workers   int // 0 means all cores; the result does not depend on it
}

// mostLimbs is how many limbs may be asked for.
const mostLimbs = 256

// Start makes the first body (section 3): a bind shape, limbs with weights that are the same in both sets, joints, and
// poses by Procrustes' method. The skeleton may be nil: then limbs are found from the scans, each vertex follows one of
// them, and joints are where they meet. A done context ends it early, with fewer limbs.
func Start(ctx context.Context, s *Scans, skeleton *Skeleton, opt StartOptions) (*Body, error) {
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
	b.SetAxes()
	b.startPoses(s, opt.Workers, opt.Published)
	return b, nil
}

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

// likelyTurn returns the turn of a limb about its joint, which stands at a place in the scan. Near is its parent's
// turn. It is the most probable turn if places in scans have the error that the best turn leaves, and limbs turn by a
// radian. Limbs whose places do not determine all of the turn, because they are flat or have few vertices, follow their
// parents in the rest.
func likelyTurn(s *procrustes.Sums, at mgl64.Vec3, near geom.Quat) geom.Quat {
	turn, left := s.About(mgl64.Vec3{}, at, near, 0)
	if !(left > 0) {
		return turn
	}
	// A turn by the angle φ moves the three axes by 2·φ² together, in squares.
	turn, _ = s.About(mgl64.Vec3{}, at, near, left/s.Weight/2)
	return turn
}
