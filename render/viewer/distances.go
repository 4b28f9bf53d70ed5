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
)

// distances is what the window knows of how far its pictures are from the reference. Measuring runs beside the loop,
// which asks for the newest pose and shows what has come.
type distances struct {
	live    *measure.Live
	request measure.Request // scratch
	asked   askedPose
	reading measure.Reading

	clipJob, vertexJob desk.Job[*measure.Clip]
	clipFor, vertexFor clipQuestion
	clip, vertex       *measure.Clip // nil until they have come

	heat picture.Heat // scratch of setScene
	most float64      // the largest error over the clip of what is seen, metres
	auto float64      // the round number above it
	top  float64      // what is at the top of the colour map, metres

	at     [1]mgl32.Vec3 // scratch of vertexAt
	restAt [1]mgl32.Vec3
}

// askedPose is what was asked for last, so that an idle picture is not measured again.
type askedPose struct {
	own, fitted, beside posing.Instant
	models              [3]*skinning.Model
	reference           skinning.Method
	joint, vertex       int
	want                measure.RowSet
}

// clipQuestion is what a measurement of a clip was made for.
type clipQuestion struct {
	models     [3]*skinning.Model
	reference  skinning.Method
	clip       int
	besideClip int
	vertex     int
	ok         bool
}

// SharesSkin reports whether the file beside the first has the first one's vertices, so that the two can be compared
// point by point.
func (a *app) SharesSkin() bool { return a.beside != nil && a.beside.sameSkin }

// sameSkin reports whether two models have the same vertices in the same order.
func sameSkin(a, b *skinning.Model) bool {
	return len(a.Skin.Positions) == len(b.Skin.Positions) && slices.Equal(a.Skin.Triangles, b.Skin.Triangles)
}

// tellsAll reports whether every method is measured, and not just what is seen.
func (a *app) tellsAll() bool { return a.seesPage(state.TabErrors) }

// measuresFitted reports whether the fitted model is measured though no picture shows it.
func (a *app) measuresFitted() bool { return a.fitted != nil && a.tellsAll() }

// ask hands the pose of this frame to the measurement where it is not the one that it has. It allocates nothing.
func (a *app) ask() {
	d, s := &a.distances, &a.state
	want := askedPose{own: a.shown.At, reference: s.Reference, joint: s.Joint, vertex: s.Vertex}
	want.models[0] = a.shown.Model
	q := &d.request
	*q = measure.Request{Own: a.shown.Frame, Reference: s.Reference, Joint: s.Joint, Vertex: s.Vertex}
	for _, p := range s.Seen() {
		want.want[measure.OfPane(p)] = true
	}
	if a.tellsAll() {
		for i := range measure.Rows() {
			want.want[i] = true
		}
	}
	if a.fitted != nil && want.want[measure.OfPane(state.Pane{Method: state.BlendBones})] {
		want.fitted, want.models[1], q.Fitted = a.fitted.At, a.fitted.Model, a.fitted.Frame
	}
	if a.beside != nil {
		want.beside, want.models[2], q.Beside = a.beside.At, a.beside.Model, a.beside.Frame
		q.BesideFitted, q.SameSkin = a.beside.fitted, a.beside.sameSkin
	}
	if want == d.asked {
		return
	}
	d.asked, q.Want = want, want.want
	d.live.Ask(q)
}

// surveys reports whether what methods do over the whole clip is asked for.
func (a *app) surveys() bool { return a.state.Heat || a.tellsAll() }

// survey keeps the measurements of the whole clip up to date.
func (a *app) survey() {
	d, s := &a.distances, &a.state
	q := clipQuestion{models: [3]*skinning.Model{a.shown.Model}, reference: s.Reference, clip: s.Clip, vertex: -1,
		ok: true}
	if a.fitted != nil && !a.fit.Running() { // a fit under way makes a new model several times a second
		q.models[1] = a.fitted.Model
	}
	if a.beside != nil {
		q.models[2], q.besideClip = a.beside.Model, a.beside.clip(a.shown.Model, s.Clip)
	}
	if a.surveys() && q != d.clipFor {
		d.clipFor, d.clip = q, nil
		a.startSurvey(&d.clipJob, q)
	}
	if s.Vertex < 0 {
		d.vertex, d.vertexFor = nil, clipQuestion{}
		return
	}
	if q.vertex = s.Vertex; q != d.vertexFor {
		d.vertexFor, d.vertex = q, nil
		a.startSurvey(&d.vertexJob, q)
	}
}

func (a *app) startSurvey(job *desk.Job[*measure.Clip], q clipQuestion) {
	request := measure.ClipRequest{
		Own: q.models[0], Fitted: q.models[1], Beside: q.models[2], SameSkin: a.SharesSkin(),
		BesideFitted: a.beside != nil && a.beside.fitted,
		Reference:    q.reference, Clip: q.clip, BesideClip: q.besideClip, Seconds: a.state.Seconds,
		ShortestPath: a.opt.ShortestPath, Signs: a.signs,
		Vertex: q.vertex, Workers: max(runtime.GOMAXPROCS(0)/2, 1), // the other half is the picture's
	}
	job.Start(a.ctx, a.waker.Wake,
		func(ctx context.Context) (*measure.Clip, error) { return measure.MeasureClip(ctx, request) })
}

// receiveDistances takes what has been measured.
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

// measuring reports whether something of what is shown is still to come.
func (a *app) measuring() bool {
	d := &a.distances
	return d.reading.Serial != d.live.Asked() || d.clipJob.Running() || d.vertexJob.Running() ||
		slices.ContainsFunc(a.tabs, func(t tab) bool { return t.Busy() })
}

// IsReference reports whether a pane shows what it is compared with: the reference method of its own skin.
func (a *app) IsReference(p state.Pane) bool {
	return p.Method == a.state.Reference && (!p.Beside || !a.SharesSkin())
}

// Row returns the newest reading of what a pane shows, nil where there is none.
func (a *app) Row(p state.Pane) *measure.Row {
	r := &a.distances.reading
	if row := r.Row(measure.OfPane(p)); row != nil && r.Reference == a.state.Reference {
		return row
	}
	return nil
}

// stopDistances ends what measures.
func (a *app) stopDistances() {
	d := &a.distances
	d.live.Close()
	d.clipJob.Stop()
	d.vertexJob.Stop()
}

// forgetDistances drops what was measured of another model.
func (a *app) forgetDistances() {
	d := &a.distances
	d.reading, d.clip, d.vertex, d.most = measure.Reading{}, nil, nil, 0
	a.state.Vertex = -1
	if a.beside != nil {
		a.beside.sameSkin = sameSkin(a.shown.Model, a.beside.Model)
	}
}

// OpenEdges returns how many edges of the first file's skin are open.
func (a *app) OpenEdges() int { return a.distances.reading.OpenEdges[0] }

// Clip returns what was measured over the clip, nil until it is there.
func (a *app) Clip() *measure.Clip { return a.distances.clip }

// VertexClip returns what was measured over the clip of the picked vertex, nil until it is there.
func (a *app) VertexClip() *measure.Clip { return a.distances.vertex }

// HeatScale returns what stands at the top of the colour map by the clip, and as it is, metres.
func (a *app) HeatScale() (auto, top float64) { return a.distances.auto, a.distances.top }

// More than the clip's largest error, by this factor, and the scale grows: a pose that is not of the clip. Poses of the
// clip between those that are measured come close to it only.
const outgrown = 1.25

// leastTop is the least scale as a share of the size: below it a picture would show rounding.
const leastTop = 1e-4

// scaleHeat finds what stands at the top of the colour map: what the person set, or a round number not below the
// largest error over the clip of what is seen, which does not change while it plays.
func (a *app) scaleHeat() {
	d, s := &a.distances, &a.state
	size := a.shown.diagonal
	most, live := 0.0, 0.0
	for _, p := range s.Seen() {
		if d.clip != nil {
			if c := &d.clip.Rows[measure.OfPane(p)]; c.There {
				most = max(most, c.Max)
			}
		}
		if r := a.Row(p); r != nil && r.Compared {
			live = max(live, r.Max)
		}
	}
	if d.clip == nil {
		most = max(d.most, live) // until the clip's is there it only grows
	} else if live > most*outgrown {
		most = live
	}
	d.most = max(most, leastTop*size)
	d.auto = s.Unit.Metres(state.RoundTop(s.Unit.Of(d.most, size)), size)
	if d.top = d.auto; s.HeatTop > 0 {
		d.top = s.HeatTop * size
	}
}
