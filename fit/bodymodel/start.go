package bodymodel

import (
	"context"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel/limbs"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
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
	Workers     int // 0 means all cores; the result does not depend on it
}

// mostLimbs is the largest number of limbs that may be asked for.
const mostLimbs = 256

// Start makes the first body (section 3): a bind shape, limbs with weights that are the same in both sets, joints, and
// poses by Procrustes' method. The skeleton may be nil: then limbs are found from the scans, each vertex follows one of
// them, and joints are where they meet. A done context ends it early, with fewer limbs.
func Start(ctx context.Context, s *scans, skeleton *skeleton, opt startOptions) *Body {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	var b *Body
	if skeleton == nil {
		found := limbs.Find(ctx, s.Shapes, s.Rings, limbs.Options{Limbs: opt.Limbs, Bind: opt.Bind, Root: opt.Root,
			Workers: opt.Workers})
		b = &Body{Parents: found.Parents, Joints: found.Joints, Vertices: slices.Clone(s.Shapes[found.Bind])}
		for _, limb := range found.Of {
			b.Swing = append(b.Swing, []skinning.Share{{Joint: uint16(limb), Weight: 1}})
		}
	} else {
		b = skeleton.body()
	}
	b.Twist = clonedShares(b.Swing)
	b.setAxes()
	b.startPoses(s, opt.Workers)
	return b
}

// startPoses sets the poses to all scans: the rotation of each limb by Procrustes' method (section 3), and the place of
// the root. Where vertices do not determine the rotation of a limb, it follows its parent.
func (b *Body) startPoses(s *scans, workers int) {
	b.Poses = make([]Pose, len(s.Shapes))
	parallel.For(workers, len(s.Shapes), func(_, i int) { b.Poses[i] = b.startPose(s.Shapes[i]) })
}

// startPose returns the pose to one scan.
func (b *Body) startPose(scan []mgl64.Vec3) Pose {
	sums := make([]procrustes.Sums, len(b.Joints)) // places at rest count from the joint, those in the scan from a vertex
	for v, shares := range b.Swing {
		for _, w := range shares {
			sums[w.Joint].Add(w.Weight, b.Vertices[v].Sub(b.Joints[w.Joint]), scan[v].Sub(scan[0]))
		}
	}
	pose := Pose{Turns: make([]geom.Quat, len(b.Joints))}
	turns := make([]geom.Quat, len(b.Joints)) // in the scan
	for j, parent := range b.Parents {
		near := geom.IdentityQuat()
		if parent >= 0 {
			near = turns[parent]
		}
		turns[j] = near
		if s := &sums[j]; s.Weight > 0 {
			from, to := s.From.Mul(1/s.Weight), s.To.Mul(1/s.Weight)
			turns[j], _ = s.About(from, to, near, 0)
			if parent < 0 {
				pose.Place = scan[0].Add(to).Sub(turns[j].Rotate(from))
			}
		}
		pose.Turns[j] = near.Conjugate().Mul(turns[j]).Normalize()
	}
	return pose
}
