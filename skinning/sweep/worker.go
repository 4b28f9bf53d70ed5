package sweep

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// sweep is one under way: what all workers share. Each writes its own angles of the curves.
type sweep struct {
	*Options
	model    *skinning.Model
	base     *skinning.Pose
	axis     mgl64.Vec3 // in the joint's own frame
	node     int
	nodes    [][]int // per subject with a model of its own: the model's node of each of its nodes
	region   *skinning.Region
	diagonal float64
	volume   float64 // of the rest pose
	local    float64
	curves   []Curve
}

func newSweep(m *skinning.Model, opt *Options) *sweep {
	s := &sweep{
		Options: opt, model: m, base: opt.Base, axis: m.JointAxes(opt.Joint)[opt.Axis], node: m.Skeleton.Joints[opt.Joint].Node,
		nodes: make([][]int, len(opt.Subjects)), region: skinning.NewRegion(m, opt.Joint), diagonal: m.Diagonal(),
		volume: skinning.Volume32(m.Skin.Positions, m.Skin.Triangles),
	}
	s.local = s.region.Volume(m.Skin.Positions)
	if s.base == nil {
		s.base = m.NewPose()
	}
	n := len(opt.Angles)
	for i, subject := range opt.Subjects {
		if subject.Model != nil {
			s.nodes[i] = skinning.NodeMap(&subject.Model.Skeleton, &m.Skeleton)
		}
		s.curves = append(s.curves, Curve{
			Name: subject.Name, Angles: opt.Angles, RMS: make([]float64, n), Max: make([]float64, n), EE: make([]float64, n),
			Volume: make([]float64, n), LocalVolume: make([]float64, n)})
	}
	return s
}

// noise is the RMS, as a fraction of the size, that the float32 kernels may be apart for rounding alone.
const noise = 1e-6

// worker measures one angle at a time.
type worker struct {
	*sweep
	own       *actor
	others    []*actor // per subject with a model of its own
	want, got []mgl32.Vec3
	distinct  []skinning.Affine
}

// actor is a model that takes poses.
type actor struct {
	pose     *skinning.Pose
	frame    *skinning.Frame
	deformer *skinning.Deformer
}

func newActor(m *skinning.Model) *actor {
	return &actor{m.NewPose(), skinning.NewFrame(m, nil), skinning.NewDeformer(m, 1)}
}

func (s *sweep) newWorker() *worker {
	n := len(s.model.Skin.Positions)
	w := &worker{sweep: s, own: newActor(s.model), others: make([]*actor, len(s.Subjects)), want: make([]mgl32.Vec3, n), got: make([]mgl32.Vec3, n)}
	for i, subject := range s.Subjects {
		if subject.Model != nil {
			w.others[i] = newActor(subject.Model)
		}
	}
	return w
}

func (w *worker) close() {
	w.own.deformer.Close()
	for _, a := range w.others {
		if a != nil {
			a.deformer.Close()
		}
	}
}

// measure fills in one angle of every curve.
func (w *worker) measure(angle int) {
	pose := w.own.pose
	copy(pose.Local, w.base.Local)
	copy(pose.Morphs, w.base.Morphs)
	pose.Local[w.node].Rotation = pose.Local[w.node].Rotation.Mul(skinning.AxisAngle(w.axis, w.Angles[angle]))
	w.own.frame.SetPose(pose)
	w.own.deformer.Deform(&skinning.Output{Positions: w.want}, w.Reference, w.own.frame)
	rigid := w.rigid()
	for i, subject := range w.Subjects {
		a := w.own
		if w.others[i] != nil {
			a = w.others[i]
			w.follow(a, w.nodes[i])
		}
		a.deformer.Deform(&skinning.Output{Positions: w.got}, subject.Method, a.frame)
		sum, most := 0.0, 0.0
		for v, p := range w.got {
			d := skinning.Vec64(p).Sub(skinning.Vec64(w.want[v]))
			d2 := d.Dot(d)
			sum, most = sum+d2, max(most, d2)
		}
		c := &w.curves[i]
		c.RMS[angle], c.Max[angle] = ratio(math.Sqrt(sum/float64(len(w.got))), w.diagonal, 0), ratio(math.Sqrt(most), w.diagonal, 0)
		if c.RMS[angle] > noise { // else it is rounding over rounding
			c.EE[angle] = 100 * math.Sqrt(ratio(sum, rigid, 0))
		}
		c.Volume[angle] = ratio(skinning.Volume32(w.got, w.model.Skin.Triangles), w.volume, 1)
		c.LocalVolume[angle] = ratio(w.region.Volume(w.got), w.local, 1)
	}
}

// follow poses another model of the same nodes like the own one. What only it has, and morph weights of files that number them
// otherwise, stay as they are.
func (w *worker) follow(a *actor, nodes []int) {
	for i, n := range nodes {
		if n >= 0 {
			a.pose.Local[i] = w.own.pose.Local[n]
		}
	}
	if len(a.pose.Morphs) == len(w.own.pose.Morphs) {
		copy(a.pose.Morphs, w.own.pose.Morphs)
	}
	a.frame.SetPose(a.pose)
}

// rigid returns Σ‖v − C_r·rest‖² of the reference, r the joint that best predicts the vertex in this pose, in m². Most joints have
// the same matrix as another while a single one turns: those are tried once.
func (w *worker) rigid() (sum float64) {
	const same = 1e-9 // of the size: far below what the float32 positions hold
	w.distinct = w.distinct[:0]
	for _, c := range w.own.frame.Matrices {
		if !w.has(c, same*w.diagonal) {
			w.distinct = append(w.distinct, c)
		}
	}
	rest := w.model.Skin.Positions
	if len(w.model.Skin.Morphs) > 0 {
		rest = make([]mgl32.Vec3, len(rest))
		w.model.Skin.RestRange(rest, 0, w.own.frame.Morphs)
	}
	for v, p := range rest {
		x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
		want, least := skinning.Vec64(w.want[v]), math.Inf(1)
		// Most joints are out after one row: their vertex is farther away along x than another's altogether.
		for i := range w.distinct {
			c := &w.distinct[i]
			d := want[0] - (c[0]*x + c[1]*y + c[2]*z + c[3])
			if d2 := d * d; d2 < least {
				d = want[1] - (c[4]*x + c[5]*y + c[6]*z + c[7])
				if d2 += d * d; d2 < least {
					d = want[2] - (c[8]*x + c[9]*y + c[10]*z + c[11])
					least = min(least, d2+d*d)
				}
			}
		}
		sum += least
	}
	return sum
}

// has tells whether a matrix is among the distinct ones: the linear part to 1e-9, the translation to so many metres.
func (w *worker) has(c skinning.Affine, metres float64) bool {
	for _, d := range w.distinct {
		equal := true
		for k := range c {
			tolerance := 1e-9
			if k%4 == 3 {
				tolerance = metres
			}
			if !(math.Abs(c[k]-d[k]) <= tolerance) {
				equal = false
				break
			}
		}
		if equal {
			return true
		}
	}
	return false
}

// ratio returns a/b, and what stands for it where that is no finite number.
func ratio(a, b, otherwise float64) float64 {
	if r := a / b; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return otherwise
}
