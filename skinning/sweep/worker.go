package sweep

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/remodel"
)

// sweep is what all workers share. Each worker writes the values of its own angles.
type sweep struct {
	*Options
	model    *skinning.Model
	axis     mgl64.Vec3 // in the joint's own frame
	node     int
	nodes    [][]int                                  // per subject with a model of its own: the swept model's node for each of its nodes
	centers  map[*skinning.Model]*skinning.CenterSets // what all workers' frames of a model share
	whole    *metrics.Body                            // the skin
	region   *metrics.Body                            // its part round the joint
	diagonal float64
	volume   float64 // of the rest pose
	local    float64
	curves   []Curve
}

func newSweep(m *skinning.Model, opt *Options) *sweep {
	s := &sweep{
		Options: opt, model: m, axis: anatomy.JointAxes(m, opt.Joint)[opt.Axis],
		node:  m.Skeleton.Joints[opt.Joint].Node,
		nodes: make([][]int, len(opt.Subjects)), whole: metrics.SkinBody(m), region: metrics.NewRegion(m, opt.Joint),
		diagonal: m.Diagonal(),
	}
	s.volume = metrics.RestVolume(metrics.Volume(s.whole, m.Skin.Positions), s.diagonal)
	s.local = metrics.Volume(s.region, m.Skin.Positions)
	n := len(opt.Angles)
	s.centers = map[*skinning.Model]*skinning.CenterSets{m: opt.Centers}
	s.share(m)
	for i, subject := range opt.Subjects {
		if subject.Model != nil {
			s.share(subject.Model)
			s.nodes[i] = remodel.NodeMap(&subject.Model.Skeleton, &m.Skeleton)
		}
		s.curves = append(s.curves, Curve{
			Name: subject.Name, Angles: opt.Angles, EE: make([]metrics.Percent, n), RMS: make([]float64, n),
			Max: make([]float64, n), Volume: make([]float64, n), LocalVolume: make([]float64, n)})
	}
	return s
}

// share collects what frames of a model share: sets of joints, and centres of rotation, which are made once.
func (s *sweep) share(m *skinning.Model) {
	if s.centers[m] == nil {
		s.centers[m] = skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	}
}

// worker measures one angle at a time.
type worker struct {
	*sweep
	own       *actor
	others    []*actor // per subject with a model of its own
	want, got []mgl32.Vec3
	meter     metrics.Meter
}

// actor is a model with a pose and a frame.
type actor struct {
	pose     *skinning.Pose
	frame    *skinning.Frame
	deformer *skinning.Deformer
}

func (s *sweep) newActor(m *skinning.Model) *actor {
	return &actor{m.NewPose(), skinning.NewFrame(m, s.centers[m]), skinning.NewDeformer(m, 1)}
}

func (s *sweep) newWorker() *worker {
	n := len(s.model.Skin.Positions)
	w := &worker{sweep: s, own: s.newActor(s.model), others: make([]*actor, len(s.Subjects)), want: make([]mgl32.Vec3, n),
		got: make([]mgl32.Vec3, n)}
	for i, subject := range s.Subjects {
		if subject.Model != nil {
			w.others[i] = s.newActor(subject.Model)
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

// pose poses the model at an angle.
func (w *worker) pose(angle int) {
	pose := w.own.pose
	w.model.ResetPose(pose)
	pose.Local[w.node].Rotation = pose.Local[w.node].Rotation.Mul(geom.AxisAngle(w.axis, w.Angles[angle]))
	w.own.frame.SetPose(pose)
}

// measure fills in one angle of every curve.
func (w *worker) measure(angle int) {
	w.pose(angle)
	if method, ok := w.Reference.(skinning.Method); ok {
		w.own.deformer.Deform(&skinning.Output{Positions: w.want}, method, w.own.frame)
	} else {
		round(w.want, w.Reference.Positions(w.own.frame))
	}
	w.meter.SetReference(w.want, w.own.frame)
	for i, subject := range w.Subjects {
		a := w.own
		if w.others[i] != nil {
			a = w.others[i]
			w.follow(a, w.nodes[i])
		}
		if subject.Deform != nil {
			round(w.got, subject.Deform(a.frame))
		} else {
			a.deformer.Deform(&skinning.Output{Positions: w.got}, subject.Method, a.frame)
		}
		got, c := w.meter.Measure(w.got), &w.curves[i]
		c.RMS[angle], c.Max[angle] = ratio(got.RMS, w.diagonal, 0), ratio(got.Max, w.diagonal, 0)
		c.EE[angle] = metrics.Percent(got.EE)
		c.Volume[angle] = ratio(metrics.Volume(w.whole, w.got), w.volume, 1)
		c.LocalVolume[angle] = ratio(metrics.Volume(w.region, w.got), w.local, 1)
	}
}

// round writes positions in float32, as the deformers do.
func round(dst []mgl32.Vec3, positions []mgl64.Vec3) {
	for v, p := range positions {
		dst[v] = geom.Vec32(p)
	}
}

// follow poses another model of the same nodes like the swept one. Nodes that only it has keep their pose, and so do
// morph weights that it numbers differently.
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

// ratio returns a/b, or otherwise where that is not finite.
func ratio(a, b, otherwise float64) float64 {
	if r := a / b; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return otherwise
}
