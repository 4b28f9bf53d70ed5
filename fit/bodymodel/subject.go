package bodymodel

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// subject is the input of a fit: the scans of a training set, and the model whose mesh the scans show.
type subject struct {
	m          *skinning.Model    // with a skin, whose vertices the scans have
	point      []int              // of each vertex its point of the surface: [training.Weld]
	first      []int              // of each point its first vertex
	targets    [][]mgl64.Vec3     // the scans, [scan][vertex], metres
	scans      *scans             // of points
	rigid      float64            // RMS distance of the best single joints from the scans: see rigidError; 0 for none
	stands     bool               // the clip of the scans' poses does between its keys
	times      []float64          // seconds, of each scan in the clip that shows them
	limbs      []int              // of each limb its first joint; nil where the skeleton is not the model's own
	limbOf     map[int]int        // of each joint that moves vertices, the limb that it is a part of: see mergeStill
	parts      [][]skinning.Share // of each point, its weights of joints before the fit
	skeleton   *skeleton          // nil where limbs are nil
	rig        *Body              // the subject's own mesh, joints and weights, by linear blending; nil where limbs are nil
	rigErrors  Errors             // of the rig from the scans, in poses that are fitted to them
	rigLargest float64            // likewise, metres
	template   *template          // of the limbs' names; nil for none
	warnings   []string
}

// Above a diagonal of tallest metres, a warning says that scans may be in another unit: a person is 1,800 mm or 180 cm
// tall.
const tallest = 100

// newSubject takes the scans out of the poses of a set. With rig it takes the model's own skeleton.
func newSubject(p *training.Poses, set *training.Set, rig bool) (*subject, error) {
	bound := p.Model
	x, err := p.Examples()
	if err != nil {
		return nil, err
	}
	for i, target := range x.Targets {
		if a, b := len(target), len(bound.Skin.Positions); a != b {
			return nil, fmt.Errorf("%w: %s: %d vertices, expected the model's %d", errScans, set.NameOf(i), a, b)
		}
	}
	u := &subject{m: bound, targets: x.Targets, times: timesOf(set, len(x.Targets))}
	if len(set.Times) > 0 && set.Poses == nil && set.Clip < len(bound.Clips) { // see [training.Set]
		u.stands = bound.Clips[set.Clip].Stands()
	}
	if set.Template != nil {
		u.template = templateOf(set.Template)
	}
	if len(p.Times) == len(x.Targets) {
		u.rigid = rigidError(x)
	}
	u.point, u.first = training.Weld(geom.Vecs64(bound.Skin.Positions), x.Targets, bound.Diagonal())
	u.scans = newScans(u.points(x.Targets), u.triangles())
	if u.warnings, err = u.scans.check(set.NameOf); err != nil {
		return nil, err
	}
	if size := bound.Diagonal(); size > tallest {
		u.warnings = append(u.warnings, fmt.Sprintf("the scans are %.4g m from corner to corner: where their unit is not "+
			"the metre, read that unit for metres here", size))
	}
	if rig {
		if err := u.takeSkeleton(); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// rigidError returns the RMS distance of the best single joint for each vertex, in the poses that the model's clips have
// for the scans, metres. It is the measure of other fits and of comparisons.
func rigidError(x *training.Examples) float64 {
	plain := fit.NewShapeErrors(x).Plain
	if !plain.EE.Known() || plain.EE == 0 {
		return 0
	}
	return 100 * plain.RMS * x.Model.Diagonal() / float64(plain.EE)
}

// points returns shapes over welded points, given shapes over vertices.
func (u *subject) points(shapes [][]mgl64.Vec3) [][]mgl64.Vec3 {
	out := make([][]mgl64.Vec3, len(shapes))
	for i, shape := range shapes {
		out[i] = make([]mgl64.Vec3, len(u.first))
		for k, v := range u.first {
			out[i][k] = shape[v]
		}
	}
	return out
}

// triangles returns the triangles over welded points, without those that have collapsed to an edge or a point.
func (u *subject) triangles() (out [][3]uint32) {
	for _, t := range u.m.Skin.Triangles {
		for c := range t {
			t[c] = uint32(u.point[t[c]])
		}
		if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			out = append(out, t)
		}
	}
	return out
}

// timesOf returns the time of each of n scans in a clip, in seconds. These are the set's times; if it has none, or
// several scans have one time, there is one scan a second.
func timesOf(set *training.Set, n int) []float64 {
	if len(set.Times) == n && ascending(set.Times) {
		return set.Times
	}
	times := make([]float64, n)
	for i := range times {
		times[i] = float64(i)
	}
	return times
}

// ascending reports whether every time, rounded as glTF stores it, is later than the one before.
func ascending(times []float64) bool {
	for i := range times {
		if i > 0 && !(float32(times[i]) > float32(times[i-1])) {
			return false
		}
	}
	return true
}

// takeSkeleton takes the model's skeleton: [skeletonOf].
func (u *subject) takeSkeleton() error {
	all, limbOf := skeletonOf(u.m)
	u.skeleton = all.points(u.first)
	u.limbs = make([]int, len(all.Parents))
	of := map[int]int{} // of a node, its joint that is a limb
	for j, l := range limbOf {
		if l < 0 {
			continue
		}
		u.limbs[l] = j
		joint := &u.m.Skeleton.Joints[j]
		if _, taken := of[joint.Node]; taken {
			return fmt.Errorf("joint %q moves vertices of several skins, expected one skin: give --no-skeleton",
				messages.Shortened(joint.Name))
		}
		of[joint.Node] = j
	}
	return nil
}
