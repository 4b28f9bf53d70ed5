package command

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"skinlab/assets"
	"skinlab/fit/blendbones"
	"skinlab/fit/enveloping"
	"skinlab/fit/job"
	"skinlab/render/viewer"
	"skinlab/skinning"
)

// viewerFits is [viewer.Fitter]. It remembers what an export of each fitted model needs.
type viewerFits struct{ exports sync.Map }

// fitWorkers is all cores but one, which is the window's: a frame that has to wait for a core would be seen.
func fitWorkers() int { return max(runtime.GOMAXPROCS(0)-1, 1) }

func (f *viewerFits) BlendBones(ctx context.Context, m *skinning.Model, req viewer.BlendRequest,
	update func(viewer.FitUpdate)) {
	spec := job.Spec{Method: "blend-bones", Operator: req.Operator, Bones: req.Bones, Target: req.Target,
		Train: trainingOf(req.Clip, req.Frames), Frames: req.Frames, AllClips: true, Test: -1, Workers: fitWorkers()}
	var done []viewer.FitStep // a step never changes once it is followed by another
	var last viewer.FitStep
	var lastRig *blendbones.Rig
	out, err := job.Run(ctx, m, spec, func(p blendbones.Progress) {
		if p.Rig == nil { // the page says that it is being prepared
			return
		}
		if len(p.History) < len(done) {
			done = nil // the fit is made again, for clips that it has made worse
		}
		for _, s := range p.History[len(done):] {
			done = append(done[:len(done):len(done)], blendStep(m, s.Rig, s.EE, s.Elapsed))
		}
		if p.Rig != lastRig { // between two steps of the solver the last is told again
			last, lastRig = blendStep(m, p.Rig, p.EE, p.Elapsed), p.Rig
		}
		last.EE, last.Elapsed = p.EE, p.Elapsed
		update(viewer.FitUpdate{Now: last, History: done})
	})
	if err != nil {
		update(viewer.FitUpdate{Done: true, Err: err})
		return
	}
	var history []viewer.FitStep
	for _, s := range out.History {
		history = append(history, blendStep(m, s.Rig, s.EE, s.Elapsed))
	}
	now := blendStep(m, out.Rig, out.EE, out.Elapsed)
	f.remember(&out.Report, append(history[:len(history):len(history)], now))
	u := viewer.FitUpdate{Now: now, History: history, Done: true, Reason: out.Reason.String()}
	u.Verdict, u.Worse = verdict(&out.Report)
	update(u)
}

// Operator returns what a fit should look like.
func (f *viewerFits) Operator(m *skinning.Model) (method skinning.Method, lost string) {
	method, why := job.Operator(m)
	if method != skinning.DQS {
		lost = "DQS and SBS lose scale for good"
		if more := lost + ", and " + why + "."; len(more) <= noteBytes {
			return method, more
		}
		lost += ", and a joint scales."
	}
	return method, lost
}

// trainingOf is the parts that a request names; none for all clips.
func trainingOf(clip, frames int) []job.Part {
	if clip == viewer.AllClips {
		return nil
	}
	return []job.Part{{Clip: clip, Frames: frames}} // the two agree on RangeOfMotion
}

// noteBytes is about what the page's two lines for a note hold.
const noteBytes = 92

// verdict is the report's in a sentence that fits the page, with as many clips that got worse by name as there is room
// for.
func verdict(r *job.Report) (text string, worse bool) {
	text = r.Verdict()
	if text == "" {
		return "", false
	}
	between, full := ": ", false
	for i := range r.Clips {
		if !r.Clips[i].Worse {
			continue
		}
		worse = true
		more := between + skinning.Printed(r.Clips[i].Name)
		if full = full || len(text+more)+len(", ....") > noteBytes; !full {
			text, between = text+more, ", "
		}
	}
	if full && between == ", " {
		text += ", ..."
	}
	return strings.ToUpper(text[:1]) + text[1:] + ".", worse
}

func (f *viewerFits) Envelope(ctx context.Context, m *skinning.Model, req viewer.EnvelopeRequest,
	update func(viewer.FitUpdate)) {
	u, err := f.envelope(ctx, m, req, update)
	switch {
	case errors.Is(err, enveloping.ErrNoModel): // a person's wish is no failure
		u = viewer.FitUpdate{Reason: enveloping.Cancelled.String()}
	case err != nil:
		u = viewer.FitUpdate{Err: err}
	}
	u.Done = true
	update(u)
}

// envelope returns the last update but for Done.
func (f *viewerFits) envelope(ctx context.Context, m *skinning.Model, req viewer.EnvelopeRequest,
	update func(viewer.FitUpdate)) (viewer.FitUpdate, error) {
	var err error
	training := &job.Training{Teacher: req.Teacher, Train: trainingOf(req.Clip, req.Frames), Frames: req.Frames}
	if req.Own {
		if training, err = job.OwnExamples(m); err != nil {
			return viewer.FitUpdate{}, err
		}
	}
	models := envelopeModels{of: m}
	spec := job.EnvelopeSpec{Method: "enveloping", Training: training, Proxies: req.Proxies, History: true, AllClips: true,
		Test:    -1,
		Workers: fitWorkers(),
		Progress: func(p enveloping.Progress) {
			u := models.update(p.History)
			u.Now = viewer.FitStep{Bones: p.Proxies, EE: p.EE, Elapsed: p.Elapsed, Model: models.fitted(p.Model)}
			u.Stage, u.Share = p.Stage, envelopeShare(&p, req.Proxies)
			update(u)
		}}
	out, err := job.Envelope(ctx, m, spec)
	if err != nil {
		return viewer.FitUpdate{}, err
	}
	u := models.update(out.History)
	u.Now = viewer.FitStep{Bones: out.Model.Proxies(), EE: float64(out.Report.EE), Elapsed: out.Elapsed, Model: out.Fitted}
	u.Reason = out.Reason.String()
	u.Verdict, u.Worse = verdict(&out.Report.Report)
	f.remember(&out.Report.Report, append(u.History[:len(u.History):len(u.History)], u.Now))
	return u, nil
}

// Examples returns the model's example set.
func (f *viewerFits) Examples(m *skinning.Model) (clip, count int) {
	t, err := job.OwnExamples(m)
	if err != nil {
		return -1, 0
	}
	return t.Clip, len(t.Times)
}

// envelopeShare guesses how much of a fit is done: training the weights takes a fifth, and a model takes the longer the
// more proxies it has.
func envelopeShare(p *enveloping.Progress, most int) float64 {
	const weights = 0.2
	if len(p.History) < 2 {
		return 0.05
	}
	return weights + (1-weights)*float64(p.History[len(p.History)-1].Proxies)/float64(max(most, 1))
}

// envelopeModels makes models to show of what a fit has learnt, each once.
type envelopeModels struct {
	of      *skinning.Model
	made    *skinning.Model // of the newest
	madeOf  *enveloping.Model
	history []viewer.FitStep // never written to once it is there
	marks   []viewer.FitMark
	steps   int // of the fit's history that are taken over
}

// fitted returns the model to show, nil for nil.
func (e *envelopeModels) fitted(m *enveloping.Model) *skinning.Model {
	if m != nil && m != e.madeOf {
		e.made, e.madeOf = envelopeModel(e.of, m), m
	}
	return e.made
}

// update takes over what a fit's history has gained.
func (e *envelopeModels) update(steps []enveloping.Step) viewer.FitUpdate {
	for _, s := range steps[e.steps:] {
		if s.What != enveloping.StepProxies { // weights alone: what enveloping is compared with
			e.marks = append(e.marks[:len(e.marks):len(e.marks)], viewer.FitMark{Name: s.What, EE: s.EE})
		}
		if s.Model != nil {
			e.history = withStep(e.history,
				viewer.FitStep{Bones: s.Proxies, EE: s.EE, Elapsed: s.Elapsed, Model: envelopeModel(e.of, s.Model)})
		}
	}
	e.steps = len(steps)
	return viewer.FitUpdate{History: e.history, Marks: e.marks}
}

// withStep returns a history with more and more bones and one more step. As proxies that move nothing are left out, a
// model of more groups may have no more bones than the last: it is there in place of those that it is better than.
func withStep(history []viewer.FitStep, s viewer.FitStep) []viewer.FitStep {
	n := len(history)
	for n > 0 && history[n-1].Bones >= s.Bones && history[n-1].EE > s.EE {
		n--
	}
	if n > 0 && history[n-1].Bones >= s.Bones {
		return history
	}
	return append(history[:n:n], s)
}

func envelopeModel(m *skinning.Model, fit *enveloping.Model) *skinning.Model {
	fitted, err := fit.With(m)
	if err != nil {
		panic(err) // what a solver has made is valid for the model that it was solved for
	}
	return job.WithMorphs(fitted, m)
}

// remember keeps what exports of the steps of a fit need. RMS and EE differ by the same factor in all of them.
func (f *viewerFits) remember(r *job.Report, steps []viewer.FitStep) {
	for _, s := range steps {
		if r.EE > 0 {
			report := *r
			report.EE, report.RMS = skinning.Percent(s.EE), r.RMS*s.EE/float64(r.EE)
			f.exports.Store(s.Model, exportOptions(&report, 0, 0))
		}
	}
}

func (f *viewerFits) options(fitted *skinning.Model) assets.ExportOptions {
	if o, ok := f.exports.Load(fitted); ok {
		return o.(assets.ExportOptions)
	}
	return assets.ExportOptions{}
}

func blendStep(m *skinning.Model, rig *blendbones.Rig, ee float64, elapsed time.Duration) viewer.FitStep {
	fitted, err := rig.Model(m)
	if err != nil {
		panic(err) // a rig of the solver is valid for the model that it was solved for
	}
	return viewer.FitStep{Bones: len(rig.Bones), EE: ee, Elapsed: elapsed, Model: fitted}
}
