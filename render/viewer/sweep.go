package viewer

import (
	"context"
	"math"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/sweep"
)

// sweepAngles is how many angles a sweep measures: every 5 degrees.
const sweepAngles = 73

// sweeping is the sweep that the page shows, and the one under way.
type sweeping struct {
	job   measure.Job[[]sweep.Curve]
	asked sweepQuestion

	there    bool
	err      string
	methods  []skinning.Method // of the curves
	rms, vol ui.Curves
	at       float64 // degrees: where the upright line stands; NaN for nowhere

	pose    *skinning.Pose // scratch of poseSweep
	poseOf  *skinning.Model
	axes    [3]mgl64.Vec3 // of the joint
	held    bool          // the mouse poses the joint
	places  sweepPlaces
	started uint64 // sweeps, for tests
}

// sweepPlaces is where the page's controls are, for tests and tools.
type sweepPlaces struct{ rms, volume, axis, row ui.Rect }

// sweepQuestion is what a sweep was made for.
type sweepQuestion struct {
	own, fitted *skinning.Model
	joint, axis int
	reference   skinning.Method
}

func newSweeping() sweeping {
	return sweeping{
		at:  math.NaN(),
		rms: ui.Curves{LeastX: -180, MostX: 180, TicksX: 5, FormatX: "%g°\x00", FormatY: "%g\x00", Lit: -1},
		vol: ui.Curves{LeastX: -180, MostX: 180, TicksX: 5, FormatX: "%g°\x00", FormatY: "%g\x00", Lit: -1, Zero: 100},
	}
}

// methodColor is the colour of a method's curves.
func methodColor(m skinning.Method) ui.Color {
	if m == blendBones {
		return ui.RGB(0xff, 0xff, 0xff)
	}
	c := m.Color()
	return ui.RGB(c[0], c[1], c[2])
}

// mostSkin returns the joint that shares the largest area of skin with others, of those that hang on another, −1 where
// there is no skin: what is swept before a joint is picked. What a joint moves alone it moves rigidly, by any method.
func mostSkin(m *skinning.Model) int {
	if len(m.Skin.Positions) == 0 {
		return -1
	}
	share := make([]float64, len(m.Skeleton.Joints))
	for _, t := range m.Skin.Triangles {
		a, b, c := m.Skin.Positions[t[0]], m.Skin.Positions[t[1]], m.Skin.Positions[t[2]]
		area := float64(b.Sub(a).Cross(c.Sub(a)).Len())
		for _, v := range t {
			binding := &m.Skin.Bindings[v]
			for k, w := range binding.Weights {
				share[binding.Joints[k]] += float64(w*(1-w)) * area
			}
		}
	}
	best := -1
	for j := range share {
		if best < 0 || hangs(m, j) && !hangs(m, best) || hangs(m, j) == hangs(m, best) && share[j] > share[best] {
			best = j
		}
	}
	return best
}

func hangs(m *skinning.Model, joint int) bool { return m.Skeleton.Joints[joint].Parent >= 0 }

// sweptJoint returns the joint that is swept, −1 for none.
func (a *app) sweptJoint() int {
	if j := a.state.Joint; j >= 0 && j < len(a.shown.model.Skeleton.Joints) {
		return j
	}
	return a.shown.mostSkin
}

// sweepShown reports whether the page of sweeps is seen.
func (a *app) sweepShown() bool { return a.state.Panels && a.page().id == state.TabSweep }

// askSweep keeps the sweep of the page up to date.
func (a *app) askSweep() {
	w, s := &a.sweeping, &a.state
	if !a.sweepShown() {
		return
	}
	q := sweepQuestion{own: a.shown.model, joint: a.sweptJoint(), axis: s.Sweep.Axis, reference: s.Reference}
	if a.fitted != nil && a.fit.job == nil {
		q.fitted = a.fitted.model
	}
	if q == w.asked || q.joint < 0 {
		return
	}
	if q.own != w.asked.own || q.joint != w.asked.joint || q.axis != w.asked.axis {
		w.there, w.at = false, math.NaN()
	}
	w.asked, w.err = q, ""
	w.axes = anatomy.JointAxes(q.own, q.joint)
	subjects := compare.Direct(skinning.Methods()...)
	if q.fitted != nil {
		subjects = append(subjects, compare.Subject{Name: "blend bones", Model: q.fitted})
	}
	opt := sweep.Options{
		Joint: q.joint, Axis: sweep.Axis(q.axis), Angles: sweep.Even(-math.Pi, math.Pi, sweepAngles), Reference: q.reference,
		Subjects: subjects, Workers: max(runtime.GOMAXPROCS(0)/2, 1), // the other half is the picture's
	}
	w.started++
	w.job.Start(a.ctx, a.waker.wake,
		func(ctx context.Context) ([]sweep.Curve, error) { return sweep.Run(ctx, q.own, opt) })
}

// receiveSweep takes a sweep that is done.
func (a *app) receiveSweep() {
	w := &a.sweeping
	curves, err, ok := w.job.Take()
	if !ok {
		return
	}
	a.wake()
	if err != nil {
		w.err, w.there = err.Error(), false
		return
	}
	w.take(curves, a.lists.methods)
}

// take lays the curves of methods out as the plots want them: degrees, and percent of the size and of the volumes at
// rest.
func (w *sweeping) take(curves []sweep.Curve, methods []skinning.Method) {
	w.there = true
	w.methods, w.rms.X, w.rms.Y, w.vol.Y, w.rms.Colors = w.methods[:0], w.rms.X[:0], w.rms.Y[:0], w.vol.Y[:0],
		w.rms.Colors[:0]
	for _, x := range curves[0].Angles {
		w.rms.X = append(w.rms.X, x*180/math.Pi)
	}
	for k := range curves {
		w.methods = append(w.methods, methods[k])
		w.rms.Colors = append(w.rms.Colors, methodColor(methods[k]))
		for i := range curves[k].Angles {
			w.rms.Y = append(w.rms.Y, 100*curves[k].RMS[i])
			w.vol.Y = append(w.vol.Y, 100*curves[k].LocalVolume[i])
		}
	}
	w.vol.X, w.vol.Colors = w.rms.X, w.rms.Colors
}

// The volumes that a plot shows, in percent of rest; a skin that is thrown far away leaves it.
const leastVolume, mostVolume, volumeStep = -200, 400, 50

// scale fits the plots to the curves that are shown.
func (w *sweeping) scale(s *state.Sweep) {
	n := len(w.rms.X)
	w.rms.Shown = 0
	most, low, high := 0.0, 0.0, 100.0
	for k, m := range w.methods {
		if s.Hides(m) {
			continue
		}
		w.rms.Shown |= 1 << k
		for i := n * k; i < n*(k+1); i++ {
			most = max(most, w.rms.Y[i])
			low, high = min(low, w.vol.Y[i]), max(high, w.vol.Y[i])
		}
	}
	w.vol.Shown = w.rms.Shown
	w.rms.MostY = max(state.RoundTop(most), 0.01)
	w.rms.LeastY = -0.03 * w.rms.MostY // the curve of the reference lies at 0: above the edge
	w.vol.LeastY = volumeStep * math.Floor(max(low, leastVolume)/volumeStep)
	w.vol.MostY = volumeStep * math.Ceil(min(high*1.02, mostVolume)/volumeStep)
	w.rms.At, w.vol.At = w.at, w.at
}

// index returns the measured angle nearest to one in degrees, −1 for NaN.
func (w *sweeping) index(degrees float64) int {
	if math.IsNaN(degrees) {
		return -1
	}
	n := len(w.rms.X)
	i := int(math.Round((degrees + 180) / 360 * float64(n-1)))
	return min(max(i, 0), n-1)
}

// poseSweep puts the picture at an angle of the sweep: the static pose with the joint turned.
func (a *app) poseSweep(degrees float64, begins bool) {
	w, m := &a.sweeping, a.shown.model
	if w.poseOf != m {
		w.pose, w.poseOf = m.NewPose(), m
	}
	m.ResetPose(w.pose)
	local := &w.pose.Local[m.Skeleton.Joints[w.asked.joint].Node]
	local.Rotation = local.Rotation.Mul(geom.AxisAngle(w.axes[w.asked.axis], degrees*math.Pi/180))
	if begins {
		a.state.Playing = false
		a.editing()
	}
	a.posing.putPose(w.pose, a.shown.pose)
	a.wake()
}
