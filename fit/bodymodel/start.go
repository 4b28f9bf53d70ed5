package bodymodel

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"skinlab/fit/bodymodel/limbs"
	"skinlab/skinning"
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
