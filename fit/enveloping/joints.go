package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// step says that the rotation vector of a pose is chosen nearest to that of another pose.
type step struct{ pose, from int }

// nearestSteps returns a minimum spanning tree of rotations by the angle between them, by Prim's algorithm. It starts
// at the smallest rotation, and every step leads from a pose before it to the nearest one that is left. The order of
// the examples is not used, since examples that follow each other may be far apart (row 26).
func nearestSteps(vectors []mgl64.Vec3) []step {
	n := len(vectors)
	q := make([]geom.Quat, n)
	from, near := make([]int, n), make([]float64, n) // near is cos(angle/2) to the nearest in the tree; 2 for members
	first := 0
	for i, v := range vectors {
		q[i] = geom.AxisAngle(v, v.Len())
		near[i] = -1
		if v.Len() < vectors[first].Len() {
			first = i
		}
	}
	steps := make([]step, 0, n)
	for at, back := first, first; ; {
		steps = append(steps, step{at, back})
		near[at] = 2
		next := -1
		for i := range q {
			if near[i] > 1 {
				continue
			}
			if c := math.Abs(q[at].Dot(q[i])); c > near[i] {
				near[i], from[i] = c, at
			}
			if next < 0 || near[i] > near[next] {
				next = i
			}
		}
		if next < 0 {
			return steps
		}
		at, back = next, from[next]
	}
}

// continuous replaces each rotation vector by the one of the same rotation that is nearest to that of the pose before
// it in the tree of steps. So a joint that was at 60, 120 and 180 degrees is at 240 next, and not at −120 (row 23).
func continuous(vectors []mgl64.Vec3, steps []step) {
	for _, s := range steps[1:] {
		vectors[s.pose] = rig.NearestRotationVector(vectors[s.pose], vectors[s.from])
	}
}

// lesson is the poses of examples as rotational regression reads them.
type lesson struct {
	parent  []int
	poses   []rig.JointRotations
	live    []rig.JointRotations // as they are read at run time, when the branch of an example is unknown
	weights []float64            // of each pose
	given   int                  // the number of poses, the first ones, that are no priors
	steps   [][]step             // per joint, through the given poses
	turns   priorTurns           // poses of small rotations
	paper   published
}

// newLesson reads the poses of the examples. Each joint's rotation vectors are continuous over the given poses. Middle
// is the middle of these vectors for each joint. Prior poses and poses at run time take the vectors that are nearest to
// it.
func newLesson(x *Examples, paper published) (middle []mgl64.Vec3, l *lesson) {
	l = &lesson{x.Parent, make([]rig.JointRotations, len(x.Pairs)), make([]rig.JointRotations, len(x.Pairs)),
		x.weights(), x.given(), make([][]step, len(x.Parent)), x.turns, paper}
	turns := l.poses
	for i := range turns {
		turns[i].Set(l.parent, nil, rotations(x.Pairs[i].Matrices))
	}
	middle = make([]mgl64.Vec3, len(l.parent))
	sequence := make([]mgl64.Vec3, l.given)
	for b := range l.parent {
		for i := range sequence {
			sequence[i] = turns[i].Theta[b]
		}
		l.steps[b] = nearestSteps(sequence)
		continuous(sequence, l.steps[b])
		lo, hi := sequence[0], sequence[0]
		for i, v := range sequence {
			turns[i].Theta[b] = v
			for k := range v {
				lo[k], hi[k] = math.Min(lo[k], v[k]), math.Max(hi[k], v[k])
			}
		}
		middle[b] = lo.Add(hi).Mul(0.5)
		for i := l.given; i < len(turns); i++ {
			turns[i].Theta[b] = rig.NearestRotationVector(turns[i].Theta[b], middle[b])
		}
	}
	for i := range l.live {
		l.live[i].Set(l.parent, middle, turns[i].Q)
	}
	return middle, l
}

// rotations returns the rotation of every skinning matrix.
func rotations(matrices []geom.Affine) []geom.Quat {
	q := make([]geom.Quat, len(matrices))
	for j := range matrices {
		r, _ := geom.PolarDecompose(matrices[j].Linear())
		q[j] = geom.QuatFromMat3(r)
	}
	return q
}

// without returns the lesson without some of the given poses.
func (l *lesson) without(poses []int) *lesson {
	out := *l
	out.weights = slices.Clone(l.weights)
	for _, i := range poses {
		out.weights[i] = 0
	}
	return &out
}

// A joint binds a group if it has at least boundShare of the sum of the rig's weights in the group (rows 19, 20).
const boundShare = 0.01

// driveByAll lists all joints for each key.
func (r *reduction) driveByAll(joints int) {
	for l := range r.drivers {
		r.base[l], r.drivers[l] = -1, nil
		for j := range joints {
			r.drivers[l] = append(r.drivers[l], j)
		}
	}
}

// findDrivers lists the joints that may predict each key: the joints that the rig binds the key's group to, their
// parents and their children (rows 17, 18). In few examples unrelated joints turn alike by chance, such as the left arm
// and the right one. Where the rig's weights are not known, all joints are listed.
func (r *reduction) findDrivers(x *Examples, of []int32) {
	r.drivers = make([][]int, len(r.transforms))
	r.base = make([]int, len(r.transforms))
	if x.Rigged == nil {
		r.driveByAll(len(x.Parent))
		return
	}
	weight, total := make([][]float64, len(r.transforms)), make([]float64, len(r.transforms))
	for l := range weight {
		weight[l] = make([]float64, len(x.Parent))
	}
	for k, t := range x.Triangles {
		if g := of[k]; g >= 0 {
			for _, v := range t {
				for _, s := range x.Rigged[v] {
					weight[g][s.Joint] += s.Weight
					total[g] += s.Weight
				}
			}
		}
	}
	near := make([]bool, len(x.Parent))
	for l, w := range weight {
		clear(near)
		for j := range w {
			if w[j] > w[r.base[l]] {
				r.base[l] = j
			}
		}
		bound := func(j int) bool { return !(w[j] <= boundShare*total[l]) }
		for j, p := range x.Parent {
			near[j] = near[j] || bound(j)
			if p >= 0 {
				near[j] = near[j] || bound(p)
				near[p] = near[p] || bound(j)
			}
		}
		for j, n := range near {
			if n {
				r.drivers[l] = append(r.drivers[l], j)
			}
		}
		if len(r.drivers[l]) == 0 {
			r.drivers[l] = []int{0}
		}
	}
}
