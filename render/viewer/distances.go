package viewer

import (
	"context"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// distances holds the measured distances of the pictures to the reference. A goroutine measures. The loop asks for the
// newest pose and shows the results that have arrived.
type distances struct {
	live    *measure.Live
	asked   askedPose
	reading measure.Reading

	clipJob, vertexJob desk.Job[*measure.Clip]
	clipFor, vertexFor measure.ClipRequest
	clip, vertex       *measure.Clip // nil until measured

	heat  picture.Heat // reused by setScene
	posed float64      // what a pose made by hand needs of the scale, metres; 0 for none
	auto  float64      // top of the clip's scale, metres; 0 until measured
	top   float64      // distance at the top of the colour map, metres; 0 until measured

	at     [1]mgl32.Vec3 // reused by vertexAt
	restAt [1]mgl32.Vec3
}

// askedPose is the pose of the last request, so that an idle picture is not measured again.
type askedPose struct {
	measure.Request
	own, fitted, beside posing.Instant // instants of its frames
}

// sameSkin reports whether two models have the same vertices in the same order.
func sameSkin(a, b *skinning.Model) bool {
	return len(a.Skin.Positions) == len(b.Skin.Positions) && slices.Equal(a.Skin.Triangles, b.Skin.Triangles)
}

// tellsAll reports whether every method is measured, not only those that are seen.
func (a *app) tellsAll() bool { return a.seesPage(state.TabErrors) }

// measuresFitted reports whether the fitted model is measured although no pane shows it.
func (a *app) measuresFitted() bool { return a.fitted != nil && a.tellsAll() }

// comparesFitted reports whether the fitted model has the vertices of the first file's.
func (a *app) comparesFitted() bool {
	return a.fitted != nil && len(a.fitted.Model.Skin.Positions) == len(a.shown.Model.Skin.Positions)
}

// ask sends the pose of this frame to the measurement unless it has been sent already. It allocates nothing.
func (a *app) ask() {
	d, s := &a.distances, &a.state
	q := askedPose{Request: measure.Request{Own: a.shown.Frame, Reference: s.Reference, Joint: s.Joint, Vertex: s.Vertex},
		own: a.shown.At}
	for _, p := range s.Seen() {
		q.Want[measure.OfPane(p)] = true
	}
	if a.tellsAll() {
		for i := range measure.Rows() {
			q.Want[i] = true
		}
	}
	if a.fitted != nil && q.Want[measure.OfPane(state.Pane{Method: state.Fitted})] {
		if q.fitted = a.fitted.At; a.comparesFitted() {
			q.Fitted, q.FittedMethod = a.fitted.Frame, a.fitted.Method
		}
	}
	if b := a.beside; b != nil && !a.still.late() {
		q.Beside, q.BesideFitted, q.SameSkin, q.Still, q.beside = b.Frame, b.fitted, b.sameSkin, b.still != nil, b.At
	}
	if q != d.asked {
		d.asked = q
		d.live.Ask(&d.asked.Request)
	}
}

// surveys reports whether measurements over the whole clip are wanted.
func (a *app) surveys() bool { return a.state.Heat || a.tellsAll() }

// survey starts the measurements of the whole clip when what they depend on has changed.
func (a *app) survey() {
	d, s := &a.distances, &a.state
	q := measure.ClipRequest{Own: a.shown.Model, Reference: s.Reference, Clip: s.Clip, Seconds: s.Seconds,
		ShortestPath: !a.longWay(), Vertex: -1, Workers: max(runtime.GOMAXPROCS(0)/2, 1)} // half for drawing
	if a.comparesFitted() && !a.fit.Running() { // a running fit makes a new model several times a second
		q.Fitted, q.FittedMethod, q.FittedClip = a.fitted.Model, a.fitted.Method, a.FittedClip()
	}
	if b := a.beside; b != nil && b.still == nil { // a still is of one pose
		q.Beside, q.BesideFitted, q.SameSkin, q.BesideClip = b.Model, b.fitted, b.sameSkin, b.clip(a.shown.Model, s.Clip)
	}
	if a.surveys() && q != d.clipFor {
		d.clipFor, d.clip = q, nil
		a.startSurvey(&d.clipJob, q)
	}
	if s.Vertex < 0 {
		d.vertex, d.vertexFor = nil, measure.ClipRequest{}
		return
	}
	if q.Vertex = s.Vertex; q != d.vertexFor {
		d.vertexFor, d.vertex = q, nil
		a.startSurvey(&d.vertexJob, q)
	}
}

func (a *app) startSurvey(job *desk.Job[*measure.Clip], q measure.ClipRequest) {
	job.Start(a.ctx, a.waker.Wake, func(ctx context.Context) (*measure.Clip, error) { return measure.MeasureClip(ctx, q) })
}

// receiveDistances takes the results that have arrived.
func (a *app) receiveDistances() {
	d := &a.distances
	if d.live.Read(&d.reading) {
		a.wake()
	}
	for _, j := range [...]struct {
		job *desk.Job[*measure.Clip]
		to  **measure.Clip
	}{{&d.clipJob, &d.clip}, {&d.vertexJob, &d.vertex}} {
		if c, err, ok := j.job.Take(); ok {
			if *j.to = c; err != nil {
				a.notes.Complain("Could not measure the clip", err)
			}
			a.wake()
		}
	}
	if p, ok := d.live.Picked(); ok {
		a.picked(p)
	}
}

// measuring reports whether a result that is shown has not arrived yet.
func (a *app) measuring() bool {
	d := &a.distances
	return a.still.working() || d.reading.Serial != d.live.Asked() || d.clipJob.Running() || d.vertexJob.Running() ||
		slices.ContainsFunc(a.tabs, func(t tab) bool { return t.Busy() })
}

// stopDistances stops the measurements.
func (a *app) stopDistances() {
	d := &a.distances
	d.live.Close()
	d.clipJob.Stop()
	d.vertexJob.Stop()
}

// forgetDistances drops the results of the previous model.
func (a *app) forgetDistances() {
	d := &a.distances
	d.reading, d.clip, d.vertex, d.posed, d.auto = measure.Reading{}, nil, nil, 0, 0
	a.state.Vertex = -1
	if a.beside != nil {
		a.beside.sameSkin = sameSkin(a.shown.Model, a.beside.Model)
	}
}

// leastTop is the least scale as a share of the model's size. A smaller scale would show rounding errors.
const leastTop = 1e-4

// scaleHeat chooses the distance at the top of the colour map: the user's value, else the end of the clip's scale,
// rounded up. The clip has one scale for all methods of the shown files, so that it changes neither with the time nor
// with the method: in the worst frame of the worst method one in [metrics.BeyondScale] vertices lies beyond it. While
// the clip stands still, a pose made by hand can raise it. Until a model's first clip is measured the top is 0; after
// that, the scale of the clip before stays until the new one is there.
func (a *app) scaleHeat() {
	d, s := &a.distances, &a.state
	if !a.Posed() {
		d.posed = 0
	} else if !s.Moving() {
		d.posed = max(d.posed, a.poseTop())
	}
	if d.clip != nil {
		most := d.posed
		for i := range d.clip.Rows {
			most = max(most, d.clip.Rows[i].Top)
		}
		d.auto = a.roundTop(most)
	}
	if d.top = d.auto; s.HeatTop > 0 {
		d.top = s.HeatTop * a.shown.diagonal
	}
}

// poseTop returns the distance that all but one in [metrics.BeyondScale] vertices of the pictures have at most in the
// current pose, metres; 0 before it is measured.
func (a *app) poseTop() (most float64) {
	for _, p := range a.state.Seen() {
		if r := a.Row(p); r != nil && r.Compared {
			most = max(most, r.Top)
		}
	}
	return most
}

// roundTop rounds the end of a scale in metres up to a round number of the shown unit.
func (a *app) roundTop(most float64) float64 {
	u, size := a.state.Unit, a.shown.diagonal
	return u.Metres(metrics.RoundTop(u.Of(max(most, leastTop*size), size)), size)
}

// ScaleToPose ends the scale of the heat map where the current pose does.
func (a *app) ScaleToPose() {
	a.state.SetHeatTop(a.roundTop(a.poseTop()) / max(a.shown.diagonal, 1e-12))
	a.wake()
}
