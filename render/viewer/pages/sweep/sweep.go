// Package sweep is the page that turns a joint from −180 to 180 degrees and measures every method at every angle. It
// plots the distance to the reference and the volume as curves. Dragging along a curve poses the joint.
package sweep

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/sweep"
)

type Host interface {
	ChooseJoint()                          // opens the list of joints, of which the user picks one
	StepBone(by int)                       // picks the next bone, or the previous one for −1
	PutPose(p *skinning.Pose, begins bool) // poses the model; begins starts a step of the history
}

// angles is the number of measured angles: one every 5 degrees.
const angles = 73

// Page holds the sweep that is shown and the one under way.
type Page struct {
	pages.Room
	host  Host
	job   desk.Job[swept]
	asked question

	there    bool
	err      string
	methods  []skinning.Method // methods of the curves
	rms, vol ui.Curves
	shares   []float64  // the distances of rms, as fractions of the diagonal
	unit     state.Unit // of rms
	turns    []int      // the angles without values
	at       float64    // angle of the vertical line in degrees; NaN for none

	pose   *skinning.Pose // reused by turn
	poseOf *skinning.Model
	axes   [3]mgl64.Vec3 // axes of the joint
	held   bool          // the mouse poses the joint
}

type question struct {
	own, fitted *skinning.Model
	joint, axis int
	reference   skinning.Method
}

type swept struct {
	curves []sweep.Curve
	turns  []int // angles in whose poses joints are half a turn apart: there are no values there
}

func New(room pages.Room, host Host) *Page {
	curves := ui.Curves{LeastX: -180, MostX: 180, TicksX: 5, FormatX: "%g°\x00", FormatY: "%g\x00", Lit: -1}
	w := &Page{Room: room, host: host, at: math.NaN(), rms: curves, vol: curves}
	w.vol.Zero, w.vol.Mark = 100, turnText
	return w
}

func methodColor(m skinning.Method) ui.Color {
	if m == state.Fitted {
		return ui.RGB(0xff, 0xff, 0xff)
	}
	c := m.Color()
	return ui.RGB(c[0], c[1], c[2])
}

// Update starts a new sweep when its input has changed and the page is seen.
func (w *Page) Update(_ time.Time, seen bool) {
	if !seen {
		return
	}
	s := w.State
	q := question{own: w.Models.File.Model, fitted: w.Models.FinishedFit(), joint: w.Models.SweptJoint(), axis: s.Sweep.Axis,
		reference: s.Reference}
	reference := w.Models.Reference()
	if q.reference == state.Examples { // they have shapes in their own poses alone
		q.reference, reference = w.Models.File.Reference, w.Models.File.Reference
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
		Joint: q.joint, Axis: sweep.Axis(q.axis), Angles: sweep.Even(-math.Pi, math.Pi, angles), Reference: reference,
		Subjects: subjects, Centers: w.Models.File.Frame.Centers, Workers: max(runtime.GOMAXPROCS(0)/2, 1), // the other half draws
	}
	w.job.Start(w.Context, w.WakeLater,
		func(ctx context.Context) (out swept, err error) {
			out.curves, err = sweep.Run(ctx, q.own, opt)
			if err == nil {
				out.turns, _ = sweep.HalfTurns(q.own, opt)
			}
			return out, err
		})
}

func (w *Page) Receive() {
	out, err, ok := w.job.Take()
	if !ok {
		return
	}
	w.Wake()
	if err != nil {
		w.err, w.there = err.Error(), false
		return
	}
	w.take(out, append(skinning.Methods(), state.Fitted))
}

func (w *Page) Busy() bool { return w.job.Running() }

func (w *Page) Forget() {
	w.job.Stop()
	w.asked, w.there, w.at, w.pose, w.poseOf = question{}, false, math.NaN(), nil, nil
}

func (w *Page) Close() { w.job.Stop() }

// Swept reports whether there are curves, and the angle of their vertical line in degrees, NaN for none.
func (w *Page) Swept() (there bool, at float64) { return w.there, w.at }

// take converts curves for the plots: angles to degrees, and volumes to percent of the rest volumes.
func (w *Page) take(out swept, methods []skinning.Method) {
	w.there, w.turns = true, out.turns
	w.methods, w.rms.X, w.shares, w.vol.Y, w.rms.Colors = w.methods[:0], w.rms.X[:0], w.shares[:0], w.vol.Y[:0],
		w.rms.Colors[:0]
	curves := out.curves
	for _, x := range curves[0].Angles {
		w.rms.X = append(w.rms.X, x*180/math.Pi)
	}
	for k := range curves {
		w.methods = append(w.methods, methods[k])
		w.rms.Colors = append(w.rms.Colors, methodColor(methods[k]))
		for i := range curves[k].Angles {
			w.shares = append(w.shares, curves[k].RMS[i])
			w.vol.Y = append(w.vol.Y, 100*curves[k].LocalVolume[i])
		}
		for _, i := range out.turns {
			at := k*len(w.rms.X) + i
			w.shares[at], w.vol.Y[at] = math.NaN(), math.NaN()
		}
	}
	w.vol.X, w.vol.Colors = w.rms.X, w.rms.Colors
	w.convert()
}

func (w *Page) convert() {
	w.unit, w.rms.Y = w.State.Unit, w.rms.Y[:0]
	for _, share := range w.shares {
		w.rms.Y = append(w.rms.Y, w.unit.Of(share*w.Size, w.Size))
	}
}

// turnText explains the marks of the volume's plot.
const turnText = "Joints half a turn apart: no values here"

// markTurns marks the middle of every run of angles without values.
func (w *Page) markTurns() {
	w.vol.Marks = w.vol.Marks[:0]
	for from, to := 0, 0; from < len(w.turns); from = to {
		for to = from + 1; to < len(w.turns) && w.turns[to] == w.turns[to-1]+1; to++ {
		}
		w.vol.Marks = append(w.vol.Marks, (w.vol.X[w.turns[from]]+w.vol.X[w.turns[to-1]])/2)
	}
}

// Limits of the plotted volumes, in percent of rest. Larger volumes leave the plot.
const leastVolume, mostVolume, volumeStep = -200, 400, 50

// leastTop is the least end of the axis of distances, as a fraction of the diagonal. Below it is rounding.
const leastTop = 1e-4

// scale fits the axes to the shown curves.
func (w *Page) scale(s *state.Sweep) {
	if w.unit != w.State.Unit {
		w.convert()
	}
	n := len(w.rms.X)
	w.rms.Shown = 0
	most, low, high := 0.0, 0.0, 100.0
	for k, m := range w.methods {
		if s.Hides(m) {
			continue
		}
		w.rms.Shown |= 1 << k
		for i := n * k; i < n*(k+1); i++ {
			if math.IsNaN(w.rms.Y[i]) {
				continue
			}
			most = max(most, w.rms.Y[i])
			low, high = min(low, w.vol.Y[i]), max(high, w.vol.Y[i])
		}
	}
	w.vol.Shown = w.rms.Shown
	w.rms.MostY = max(metrics.RoundTop(most), metrics.RoundTop(w.unit.Of(leastTop*w.Size, w.Size)))
	w.rms.LeastY = -0.03 * w.rms.MostY // the reference's curve lies at 0, above the edge
	w.vol.LeastY = volumeStep * math.Floor(max(low, leastVolume)/volumeStep)
	w.vol.MostY = volumeStep * math.Ceil(min(high*1.02, mostVolume)/volumeStep)
	w.rms.At, w.vol.At = w.at, w.at
	w.markTurns()
}

// index returns the index of the measured angle nearest to an angle in degrees, −1 for NaN.
func (w *Page) index(degrees float64) int {
	if math.IsNaN(degrees) {
		return -1
	}
	n := len(w.rms.X)
	i := int(math.Round((degrees + 180) / 360 * float64(n-1)))
	return min(max(i, 0), n-1)
}

// turn poses the model at an angle of the sweep: the static pose with the joint turned.
func (w *Page) turn(degrees float64, begins bool) {
	m := w.Models.File.Model
	if w.poseOf != m {
		w.pose, w.poseOf = m.NewPose(), m
	}
	m.ResetPose(w.pose)
	local := &w.pose.Local[m.Skeleton.Joints[w.asked.joint].Node]
	local.Rotation = local.Rotation.Mul(geom.AxisAngle(w.axes[w.asked.axis], degrees*math.Pi/180))
	w.host.PutPose(w.pose, begins)
}
