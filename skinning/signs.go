package skinning

import (
	"cmp"
	"math"
	"slices"

	"skinlab/skinning/geom"
)

// Signs follows the rotation of every joint continuously through a clip, so that turns of more than 180 degrees are
// blended as they were made and not the shorter way round (ALNS section 5, figure 9: "automatic antipodality resolution
// has to be switched off in order to allow angles higher than 180 degrees").
//
// A joint starts in the hemisphere of its parent at the start of the clip. From there its quaternion is followed over
// samples dense enough that no joint turns by more than a quarter turn between two of them.
type Signs struct {
	times []float64
	real  [][]geom.Quat // per sample, per joint: the followed quaternion
	long  bool          // see Way
}

// SignsOf follows the joints of m through a clip, so that rotations continue past 180 degrees. It does so if shortest
// is false, or if a rig of the model was fitted to such rotations ([Model.LongWay]). Otherwise it returns nil, and each
// rotation goes the shorter way round.
func SignsOf(m *Model, clip int, shortest bool) *Signs {
	if shortest && !m.LongWay() {
		return nil
	}
	return NewSigns(m, clip)
}

// LongWayRig is a rig whose joints are samples of a method, and depend on the way round that rotations go.
type LongWayRig interface {
	Rig
	// GoesLongWay reports whether the rig was fitted to rotations that are followed through clips, past 180 degrees.
	GoesLongWay() bool
}

// LongWay reports whether rotations of the model's clips are to be followed, because a rig of it was fitted so.
func (m *Model) LongWay() bool {
	rig := RigOf[LongWayRig](m)
	return rig != nil && rig.GoesLongWay()
}

// A joint went the long way if the negative cosine of half its angle exceeds farther. 180 degrees, up to rounding, is
// not the long way.
const farther = 1e-6

// Way returns "long" if a joint turns by more than 180 degrees relative to its parent or, without a parent, relative to
// the first root. Otherwise, and for nil, it returns "short".
func (s *Signs) Way() string {
	if s != nil && s.long {
		return "long"
	}
	return "short"
}

// signsPerSecond is the densest regular sampling; keys are sampled too. Motion that turns a joint by more than 180
// degrees relative to rest within 1/120 s cannot be told from the shorter way.
const signsPerSecond = 120

// maxSigns bounds the samples of one clip, so that an hour-long clip costs no more than megabytes.
const maxSigns = 20000

// NewSigns follows the joints of m through one clip; a clip index outside the clips gives the static pose alone.
func NewSigns(m *Model, clip int) *Signs {
	s := &Signs{times: []float64{0}}
	if clip >= 0 && clip < len(m.Clips) {
		c := &m.Clips[clip]
		n := min(int(math.Ceil(c.Seconds*signsPerSecond)), maxSigns)
		s.times = s.times[:0]
		for i := 0; i <= n; i++ {
			s.times = append(s.times, c.Seconds*float64(i)/float64(max(n, 1)))
		}
		if keys := c.KeyTimes(); len(keys) <= maxSigns {
			s.times = slices.Concat(s.times, keys)
			slices.Sort(s.times)
			s.times = slices.Compact(s.times)
		}
	}
	pose := m.NewPose()
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	matrices := make([]geom.Affine, len(m.Skeleton.Joints))
	order := jointOrder(&m.Skeleton)
	var r geom.Mat3
	for i, t := range s.times {
		m.SamplePose(pose, clip, t)
		m.Skeleton.Globals(globals, pose)
		m.Skeleton.Palette(matrices, globals)
		q := make([]geom.Quat, len(matrices))
		for _, j := range order {
			geom.PolarRotation(&r, &matrices[j])
			q[j] = geom.QuatFromMat3(r)
			near, beside := geom.IdentityQuat(), order[0]
			if p := m.Skeleton.Joints[j].Parent; p >= 0 {
				near, beside = q[p], p
			}
			if i > 0 {
				near = s.real[i-1][j]
			}
			if q[j].Dot(near) < 0 {
				q[j] = q[j].Scale(-1)
			}
			s.long = s.long || q[j].Dot(q[beside]) < -farther
		}
		s.real = append(s.real, q)
	}
	return s
}

// Apply gives the frame's rigid parts the signs at time t of the clip and marks it as unrolled. It allocates nothing.
func (s *Signs) Apply(f *Frame, t float64) {
	lo, hi := 0, len(s.times)-1
	for lo < hi { // the last sample at or before t
		mid := (lo + hi + 1) / 2
		if s.times[mid] <= t {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	f.need(RigidParts)
	for j := range f.rigid {
		if f.rigid[j].Real.Dot(s.real[lo][j]) < 0 {
			f.rigid[j] = f.rigid[j].Scale(-1)
		}
	}
	f.Unrolled = true
	f.made.Store(uint32(RigidParts)) // twists are of other signs
	for i := range f.drivers {
		f.drivers[i].driveUnrolled(f)
	}
	f.forget()
	f.palette.SetRigid(f.rigid, true)
	f.made.Store(uint32(RigidParts))
}

// jointOrder returns joint indices, parents before children. Joint.Parent is an ancestor node, so the node order sorts
// them.
func jointOrder(s *Skeleton) []int {
	rank := make([]int, len(s.Nodes))
	for i, n := range s.Order {
		rank[n] = i
	}
	order := make([]int, len(s.Joints))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[s.Joints[a].Node], rank[s.Joints[b].Node]) })
	return order
}
