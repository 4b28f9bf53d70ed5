// Package distances measures how far the pictures are from the reference, and colours the skin by that. It measures
// beside the window's loop: the loop asks for the newest pose and shows the results that have arrived.
package distances

import (
	"context"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/crowd"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/view"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

type Distances struct {
	*desk.Desk
	models *models.Shown
	view   *view.View
	crowd  *crowd.Crowd
	pick   func(bone int)

	live    *measure.Live
	asked   askedPose
	reading measure.Reading
	dropped uint64 // requests up to this one are of a previous model

	clipJob, vertexJob desk.Job[*measure.Clip]
	clipFor, vertexFor measure.ClipRequest
	turnJob            desk.Job[[]ui.Span]
	turnFor            turnRequest
	turns              []ui.Span     // parts of the clip with joints half a turn apart
	turnLine           ui.Line       // reused by HalfTurn
	clip, vertex       *measure.Clip // nil until measured
	toWorst            bool          // go to the worst pose when the clip is measured

	heat  picture.Heat // reused by Heat
	posed float64      // what a pose made by hand needs of the scale, metres; 0 for none
	first float64      // the scale that the shown poses need, metres; until a clip is measured
	auto  float64      // top of the clip's scale, metres; 0 until measured
	top   float64      // distance at the top of the colour map, metres; 0 until measured

	at     [1]mgl32.Vec3 // reused by VertexAt
	restAt [1]mgl32.Vec3
}

// askedPose is the pose of the last request, so that an idle picture is not measured again.
type askedPose struct {
	measure.Request
	own, fitted, beside posing.Instant // instants of its frames; that of the examples is own or beside
}

// New starts a goroutine that measures until Close.
func New(m *models.Shown, v *view.View, c *crowd.Crowd, pick func(bone int)) *Distances {
	return &Distances{Desk: v.Desk, models: m, view: v, crowd: c, pick: pick, live: measure.NewLive(v.WakeLater)}
}

// turnRequest says of which clip half turns are looked for.
type turnRequest struct {
	model    *skinning.Model
	clip     int
	shortest bool
}

// HalfTurns returns the parts of the clip in which joints half a turn apart tear the skin of methods that blend.
func (d *Distances) HalfTurns() []ui.Span { return d.turns }

// HalfTurn describes the half turn of the newest measured pose, "" for none, until the next call.
func (d *Distances) HalfTurn() string {
	turn, m := &d.reading.HalfTurn, d.models.File.Model
	if !d.reading.Turned || max(turn.Joints[0], turn.Joints[1]) >= len(m.Skeleton.Joints) { // of the file before
		return ""
	}
	return halfTurnText(&d.turnLine, m, turn, "°")
}

// halfTurnText says on a line what two joints half a turn apart mean for the skin. Unit stands behind the angle.
func halfTurnText(l *ui.Line, m *skinning.Model, turn *metrics.HalfTurn, unit string) string {
	name := func(k int) string { return messages.Printable(m.Skeleton.Joints[turn.Joints[k]].Name) }
	return l.Start().S("Half a turn apart: ").S(name(0)).S(" and ").S(name(1)).S(", ").F(turn.Degrees, 0).
		S(unit).S(". Methods that blend rotations may tear the skin here.").View()
}

func (d *Distances) seekTurns() {
	q := turnRequest{d.models.File.Model, d.State.Clip, !d.models.LongWay()}
	if q == d.turnFor {
		return
	}
	d.turnFor, d.turns = q, nil
	d.turnJob.Start(d.Context, d.WakeLater, func(ctx context.Context) (spans []ui.Span, err error) {
		for _, s := range compare.HalfTurnSpans(ctx, q.model, q.clip, q.shortest) {
			spans = append(spans, ui.Span{From: s.From, To: s.To, Text: halfTurnText(new(ui.Line), q.model, &s.HalfTurn, "° at most")})
		}
		return spans, nil
	})
}

// Clip returns the errors over the clip, and VertexClip those of the picked vertex; nil until they are measured.
func (d *Distances) Clip() *measure.Clip       { return d.clip }
func (d *Distances) VertexClip() *measure.Clip { return d.vertex }

// HeatScale returns the top of the colour map, metres: from the clip, and the one in use.
func (d *Distances) HeatScale() (auto, top float64) { return d.auto, d.top }

func (d *Distances) OpenEdges(p state.Pane) int {
	if p.Beside {
		return d.reading.OpenEdges[1]
	}
	return d.reading.OpenEdges[0]
}

// EdgesAgainst returns the number of edges of the file's skin at which triangles wind against each other.
func (d *Distances) EdgesAgainst() int { return d.reading.EdgesAgainst[0] }

// Row returns the newest measurements of a pane's content, nil for none.
func (d *Distances) Row(p state.Pane) *measure.Row {
	r := &d.reading
	if row := r.Row(measure.OfPane(p)); row != nil && r.Serial > d.dropped && r.Reference == d.models.Reference() {
		return row
	}
	return nil
}

// Ask sends the pose of this frame to the measurement unless it has been sent already. It allocates nothing.
func (d *Distances) Ask() {
	m, s := d.models, d.State
	q := askedPose{Request: measure.Request{Own: m.File.Plain(), Examples: m.ExampleFrame(), Reference: m.Reference(),
		Joint: s.Joint, Vertex: s.Vertex}, own: m.File.At}
	for _, p := range s.Seen() {
		q.Want[measure.OfPane(p)] = true
		q.Each[measure.OfPane(p)] = s.Heat && s.Reference == state.DeltaMush
	}
	if s.ShowsErrors() {
		for i := range measure.Rows() {
			q.Want[i] = true
		}
	}
	if m.Fitted() != nil && q.Want[measure.OfPane(state.Pane{Method: state.Fitted})] {
		q.fitted = m.Fitted().At
		if m.ComparesFitted() {
			q.Fitted, q.FittedMethod = m.Fitted().Frame, m.Fitted().Method
		}
	}
	if b := m.Second; b != nil && !b.Late {
		q.Beside, q.BesideFitted, q.SameSkin, q.Still, q.beside = b.Plain(), b.Fitted, m.SharesSkin(), b.Still, b.At
		q.ReferBeside = m.RefersBeside()
	}
	if q != d.asked {
		d.asked = q
		d.live.Ask(&d.asked.Request)
	}
}

// wholeClip returns what is measured of the clip that is shown.
func (d *Distances) wholeClip() measure.ClipRequest {
	m, s := d.models, d.State
	q := measure.ClipRequest{Own: m.File.Model, Reference: m.Reference(), Clip: s.Clip, Seconds: s.Seconds,
		ShortestPath: !m.LongWay(), Vertex: -1, Workers: max(runtime.GOMAXPROCS(0)/2, 1)} // half for drawing
	q.Examples, q.ExamplesClip = m.ExampleModel()
	if m.ComparesFitted() && !m.Fitting() { // a running fit makes a new model several times a second
		q.Fitted, q.FittedMethod, q.FittedClip = m.Fitted().Model, m.Fitted().Method, m.FittedClip()
	}
	if b := m.Second; b != nil && !b.Still { // what stands still is of one pose
		q.Beside, q.BesideFitted, q.SameSkin, q.BesideClip = b.Model, b.Fitted, m.SharesSkin(), b.ClipOf(m.File.Model, s.Clip)
		q.ReferBeside = m.RefersBeside()
	}
	return q
}

// Survey starts the measurements of the whole clip when what they depend on has changed.
func (d *Distances) Survey() {
	d.seekTurns()
	s, q := d.State, d.wholeClip()
	if (s.Heat || s.ShowsErrors()) && q != d.clipFor {
		d.measureClip(q)
	}
	if s.Vertex < 0 {
		d.vertex, d.vertexFor = nil, measure.ClipRequest{}
		return
	}
	q.Vertex = s.Vertex
	if q != d.vertexFor {
		d.vertexFor, d.vertex = q, nil
		d.startSurvey(&d.vertexJob, q)
	}
}

func (d *Distances) measureClip(q measure.ClipRequest) {
	d.clipFor, d.clip, d.toWorst = q, nil, false
	d.startSurvey(&d.clipJob, q)
}

func (d *Distances) startSurvey(job *desk.Job[*measure.Clip], q measure.ClipRequest) {
	job.Start(d.Context, d.WakeLater, func(ctx context.Context) (*measure.Clip, error) { return measure.MeasureClip(ctx, q) })
}

func (d *Distances) Receive() {
	if d.live.Read(&d.reading) {
		d.Wake()
	}
	for _, j := range [...]struct {
		job *desk.Job[*measure.Clip]
		to  **measure.Clip
	}{{&d.clipJob, &d.clip}, {&d.vertexJob, &d.vertex}} {
		if c, err, ok := j.job.Take(); ok {
			if *j.to = c; err != nil {
				d.Complain("Could not measure the clip", err)
			}
			d.Wake()
		}
	}
	if d.toWorst && !d.clipJob.Running() {
		if d.toWorst = false; d.wholeClip() == d.clipFor { // otherwise another clip is shown by now
			d.seekWorst()
		}
	}
	if turns, _, ok := d.turnJob.Take(); ok {
		d.turns = turns
		d.Wake()
	}
	if p, ok := d.live.Picked(); ok {
		d.picked(p)
	}
}

// Measures reports whether a result that is shown has not arrived yet.
func (d *Distances) Measures() bool {
	return d.reading.Serial != d.live.Asked() || d.turnJob.Running() || d.clipJob.Running() || d.vertexJob.Running()
}

func (d *Distances) Close() {
	d.live.Close()
	d.clipJob.Stop()
	d.vertexJob.Stop()
	d.turnJob.Stop()
}

func (d *Distances) Forget() {
	d.reading, d.clip, d.vertex, d.posed, d.first, d.auto = measure.Reading{}, nil, nil, 0, 0, 0
	d.dropped = d.live.Asked()
	d.State.Vertex = -1
}

// leastTop is the least scale as a share of the model's size. A smaller scale would show rounding errors.
const leastTop = 1e-4

// ScaleHeat chooses the distance at the top of the colour map: the user's value, else the end of the clip's scale,
// rounded up. The clip has one scale for all pictures: in the worst frame of linear blending and of the methods that
// are seen, one in [metrics.BeyondScale] vertices lies beyond it. So it changes neither with the time nor with the
// method, unless a method is worse than linear blending. While the clip stands still, a pose made by hand can raise it.
// Until a model's first clip is measured, the poses that were shown make the scale; after that, the scale of the clip
// before stays until the new one is there.
func (d *Distances) ScaleHeat() {
	m, s := d.models, d.State
	if !m.Edits.Active() {
		d.posed = 0
	} else if !s.Moving() {
		d.posed = max(d.posed, d.poseTop())
	}
	if d.auto == 0 {
		d.first = max(d.first, d.poseTop())
	}
	if d.clip != nil {
		most := d.posed
		for i := range d.clip.Rows {
			if p := measure.PaneOf(i); p.Method == skinning.LBS || slices.Contains(s.Seen(), p) {
				most = max(most, d.clip.Rows[i].Top)
			}
		}
		d.auto = d.roundTop(most)
	}
	switch {
	case s.HeatTop > 0:
		d.top = s.HeatTop * d.Size
	case d.auto == 0 && d.first > 0:
		d.top = d.roundTop(d.first)
	default:
		d.top = d.auto
	}
}

// poseTop returns the distance within which all but one in [metrics.BeyondScale] vertices lie now, metres.
func (d *Distances) poseTop() (most float64) {
	for _, p := range d.State.Seen() {
		if r := d.Row(p); r != nil && r.Compared {
			most = max(most, r.Top)
		}
	}
	return most
}

// Beyond reports whether more of the skin than one vertex in [metrics.BeyondScale] lies beyond a scale that the user has
// ended.
func (d *Distances) Beyond() bool { return d.State.HeatTop > 0 && d.poseTop() > d.top }

// roundTop rounds the end of a scale in metres up to a round number of the shown unit.
func (d *Distances) roundTop(most float64) float64 {
	u, size := d.State.Unit, d.Size
	return u.Metres(metrics.RoundTop(u.Of(max(most, leastTop*size), size)), size)
}

// ScaleToPose ends the scale of the heat map where the current pose does.
func (d *Distances) ScaleToPose() {
	d.State.SetHeatTop(d.roundTop(d.poseTop()) / max(d.Size, 1e-12))
	d.Wake()
}

// Heat returns what colours a picture by the distance to the reference. It is nil where there is nothing to measure by,
// or no scale yet. F is the frame of the picture. The result is valid until the next call.
//
// The GPU poses a method. The distances from Delta Mush are those of the newest measured pose: that of a picture which
// stands still.
func (d *Distances) Heat(p state.Pane, f *skinning.Frame) *picture.Heat {
	m, s := d.models, d.State
	if !s.Heat || d.top <= 0 || p.Beside && m.Second != nil && m.Second.Late {
		return nil
	}
	d.heat = picture.Heat{Frame: m.File.Plain(), Reference: m.Reference(), Full: float32(d.top)}
	if s.Reference == state.DeltaMush {
		if n := len(f.Model.Skin.Positions); d.Row(p) != nil && n > 0 {
			if d.heat.Distances = d.reading.Distances[measure.OfPane(p)]; len(d.heat.Distances) == n {
				return &d.heat
			}
		}
		return nil
	}
	switch {
	case s.Reference == state.Examples && p.Beside && !m.SharesSkin():
		return nil
	case s.Reference == state.Examples:
		d.heat.Frame, d.heat.Reference = m.ExampleFrame(), skinning.LBS
	case m.RefersBeside():
		d.heat.Frame = m.Second.Plain()
	case p.Beside && !m.SharesSkin():
		if m.Second == nil || m.Second.Fitted {
			return nil
		}
		d.heat.Frame = m.Second.Plain()
	}
	if d.heat.Frame == nil || s.Reference != state.Examples && !m.Ready(d.heat.Frame, s.Reference) {
		return nil
	}
	if n := len(d.heat.Frame.Model.Skin.Positions); n == 0 || n != len(f.Model.Skin.Positions) {
		return nil
	}
	return &d.heat
}
