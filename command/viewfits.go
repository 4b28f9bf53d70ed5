package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf"
	"skinlab/assets/gltf/export"
	"skinlab/assets/obj"
	"skinlab/assets/ply"
	"skinlab/assets/shapefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/remodel"
)

// viewerFits implements [fitpage.Fitter] with the table of fits, and keeps what exports and plots of fits need.
type viewerFits struct {
	table    []*fit.Method
	rows     []fitpage.Row
	finished sync.Map  // finishedFit, by weightsOf the model
	sources  *sync.Map // of files, by model; see viewerFiles
}

// newViewerFits makes the window's rows of the table of fits, without baselines, which only comparisons use.
func newViewerFits(methods []*fit.Method) *viewerFits {
	f := &viewerFits{table: methods, sources: &sync.Map{}}
	for _, m := range methods {
		if m.Baseline {
			continue
		}
		row := fitpage.Row{Method: m, Refuses: func(model *skinning.Model) string { return refusal(m, model) }}
		if m.Learns == fit.Shapes || m.Learns == fit.Scans {
			row.Targets = &fitpage.TargetReader{Endings: []string{obj.Ending, ply.Ending}, Posed: m.Learns == fit.Shapes,
				Read: readTargets}
		}
		f.rows = append(f.rows, row)
	}
	return f
}

// refusal returns the reason why the window does not offer a fit of a model, "" if it does.
func refusal(m *fit.Method, model *skinning.Model) string {
	err, skinned := m.Suits(model), len(model.Skin.Positions) > 0
	switch {
	case err != nil:
		return "This model has " + err.Error() + "."
	case m.Learns != fit.Sequence && !skinned:
		return "This model has no skin to fit."
	case m.Learns == fit.Sequence && skinned:
		return "The window decomposes meshes without a skin; the command fit " + m.Name + " keeps a skeleton's joints."
	case m.Learns == fit.Sequence && len(remodel.BindRigid(model).Skin.Morphs) == 0:
		return "This model has no skin to fit, and no morph targets to decompose."
	}
	return ""
}

// withSequence adds a clip that shows all morph targets one after another to a mesh without a skin, if none of its
// clips shows any. It returns other models unchanged.
func withSequence(m *skinning.Model) *skinning.Model {
	if len(m.Skin.Positions) > 0 {
		return m
	}
	if out, _, err := training.Sequence(m, -1, 0); err == nil {
		return out
	}
	return m
}

// fitWorkers leaves one core to the window: a frame that waits for a core is visibly late.
func fitWorkers() int { return max(runtime.GOMAXPROCS(0)-1, 1) }

func (f *viewerFits) Fits() []fitpage.Row { return f.rows }

func (f *viewerFits) Fit(ctx context.Context, m *skinning.Model, req fitpage.Request, update func(fitpage.Update)) {
	u, err := f.fit(ctx, m, req, update)
	switch {
	case errors.Is(err, fit.ErrNoModel): // a person's wish is no failure
		u = fitpage.Update{Reason: "cancelled"}
	case err != nil:
		u = fitpage.Update{Err: err}
	}
	u.Done = true
	update(u)
}

// fit returns the last update but for Done.
func (f *viewerFits) fit(ctx context.Context, m *skinning.Model, req fitpage.Request, update func(fitpage.Update)) (
	fitpage.Update, error) {
	method := f.rows[req.Row].Method
	var teacher skinning.Reference = req.By
	if req.By == state.DeltaMush {
		teacher = deltamush.New(m, deltamush.Default())
	}
	job := fit.Job{Method: method, Model: m, Training: &training.Set{Teacher: teacher, Frames: req.Frames,
		Also: req.Also},
		Tests: training.Tests{Clip: -1, AllClips: true}, Values: req.Values, Steps: true, Workers: fitWorkers()}
	var err error
	switch {
	case method.Learns == fit.Sequence:
		job.Tests.AllClips = false
		if job.Model, job.Training, err = training.Sequence(m, -1, 0); err != nil {
			return fitpage.Update{}, err
		}
	case req.Own:
		if job.Training, err = ownExamples(m); err != nil {
			return fitpage.Update{}, err
		}
	case req.Files:
		if err := learnTargets(&job, &req); err != nil {
			return fitpage.Update{}, err
		}
	case req.Clip != fitpage.AllClips:
		job.Training.Parts = []training.Part{{Clip: req.Clip, Frames: req.Frames}} // the two agree on RangeOfMotion
	}
	job.Progress = func(p fit.Progress) { update(fitpage.Update{Progress: p}) }
	out, err := fit.Run(ctx, job)
	if err != nil {
		return fitpage.Update{}, err
	}
	u := fitpage.Update{Progress: out.Last, Reason: out.Report.Reason, Moved: movedJoints(out)}
	u.Stage, u.Share = "", 0
	u.Verdict, u.Worse = verdict(out.Report)
	f.remember(method, out)
	return u, nil
}

func readTargets(ctx context.Context, m *skinning.Model, folder string, report func(read, of int)) (
	t *fitpage.Targets, err error) {
	t = &fitpage.Targets{Folder: folder}
	t.Files, err = shapefile.Folder(folder)
	if err == nil {
		t.Shapes, err = flags.ReadShapes(ctx, remodel.BindRigid(m), t.Files, report)
	}
	return t, err
}

// learnTargets sets the training of a job to the targets of a request. They belong to the poses of its clip; fits to
// scans, which find the poses themselves, take them as a sequence.
func learnTargets(job *fit.Job, req *fitpage.Request) (err error) {
	m, t := job.Model, req.Targets
	if t == nil {
		return fmt.Errorf("%s: no folder of shapes was chosen", m.Name)
	}
	if job.Method.Learns == fit.Scans {
		job.Model, job.Training = training.WithSequence(m, len(t.Shapes), scanRate)
		job.Training.Targets, job.Training.Names = t.Shapes, t.Files
		return nil
	}
	if req.Clip < 0 || req.Clip >= len(m.Clips) {
		return fmt.Errorf("%s: no clip for the shapes in %s", m.Name, t.Folder)
	}
	job.Training = &training.Set{Clip: req.Clip, Targets: t.Shapes}
	flags := flags.ShapeFlags{Folder: t.Folder, Times: strings.TrimSpace(req.Times), TimesName: "Times"}
	job.Training.Times, err = flags.Places(m, req.Clip, len(t.Shapes))
	return err
}

// jointMover is implemented by results of fits that move joints. It returns the joints' positions before and after the
// fit, in the same order, in rest space, in metres.
type jointMover interface {
	StartJoints() []mgl64.Vec3
	EndJoints() []mgl64.Vec3
}

func movedJoints(out *fit.Result) (moved []fitted.MovedJoint) {
	l, ok := out.Learned.(jointMover)
	if !ok {
		return nil
	}
	before, after := l.StartJoints(), l.EndJoints()
	for k := range after {
		nearest := 0
		for j := range out.Model.Skeleton.Joints {
			if d := out.Model.Skeleton.Joints[j].Position.Sub(after[k]).Len(); d <
				out.Model.Skeleton.Joints[nearest].Position.Sub(after[k]).Len() {
				nearest = j
			}
		}
		moved = append(moved, fitted.MovedJoint{Joint: nearest, Before: before[k], After: after[k]})
	}
	return moved
}

// Operator proposes the method that a fit imitates, and returns a sentence on the loss with other methods, "" for none.
func (f *viewerFits) Operator(m *skinning.Model) (method skinning.Method, lost string) {
	method, why := compare.Reference(m)
	if method == skinning.SDQS {
		lose := slices.DeleteFunc(skinning.Operators(), func(m skinning.Method) bool { return !m.LosesScale() })
		lost = skinning.ListMethods(lose, skinning.Method.Short, ", ", " and ") + " lose scale for good"
		if more := lost + ", and " + why + "."; len(more) <= noteBytes {
			return method, more
		}
		lost += ", and a joint scales."
	}
	return method, lost
}

// noteBytes is about what the page's two lines for a note hold.
const noteBytes = 92

// verdict puts the report's verdict in a sentence, with the clips that got worse as far as the page has room.
func verdict(r *fit.Report) (text string, worse bool) {
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
		more := between + messages.Printable(r.Clips[i].Name)
		full = full || len(text+more)+len(", ....") > noteBytes
		if !full {
			text, between = text+more, ", "
		}
	}
	if full && between == ", " {
		text += ", ..."
	}
	return strings.ToUpper(text[:1]) + text[1:] + ".", worse
}

// Advise is the command advise with its usual options.
// Advise tries the fits that the window makes.
func (f *viewerFits) Advise(ctx context.Context, q fitpage.Question, doing func(string)) (*advise.Advice, error) {
	opt := advise.Options{Reference: q.Reference, Frames: advisedFrames, Limit: adviseLimit, Workers: fitWorkers(), Doing: doing}
	for i := range f.rows {
		opt.Fits = append(opt.Fits, f.rows[i].Method)
	}
	if clip, _ := f.Examples(q.Model); q.Reference == nil {
		opt.Reference, opt.Examples, opt.Clips = skinning.LBS, true, []int{clip}
	} else if len(q.Model.Clips) == 0 {
		return nil, fmt.Errorf("%s: no clip to measure", q.Model.Name)
	} else {
		opt.Clips = advise.MeasuredClips(q.Model, mostAdvised)
	}
	if source, ok := f.sources.Load(q.File); ok {
		return adviseOn(ctx, source.(string), q.File, q.Model, opt)
	}
	return advise.Run(ctx, q.Model, opt)
}

func (f *viewerFits) Examples(m *skinning.Model) (clip, count int) {
	set, err := training.Own(m)
	if err != nil {
		return -1, 0
	}
	return set.Clip, len(set.Times)
}

// finishedFit is what is kept of a fit for one of its models.
type finishedFit struct {
	model  *skinning.Model
	export export.Options
	method *fit.Method
	result *fit.Result
}

// weightsOf identifies a fitted model by its weights, which a model with edited coefficients shares.
func weightsOf(m *skinning.Model) *skinning.Binding { return &m.Skin.Bindings[0] }

// of returns what is kept for a fitted model; ok is false where that is nothing.
func (f *viewerFits) of(fitted *skinning.Model) (kept finishedFit, ok bool) {
	of, ok := f.finished.Load(weightsOf(fitted))
	if ok {
		kept = of.(finishedFit)
	}
	return kept, ok
}

// remember keeps what is needed later for the models of a fit's steps. RMS and EE differ by the same factor in all steps.
func (f *viewerFits) remember(method *fit.Method, out *fit.Result) {
	for _, s := range steps(out) {
		kept := finishedFit{model: s.Model(), method: method, result: out}
		if r := *out.Report; r.EE > 0 {
			r.EE, r.RMS = metrics.Percent(s.EE), r.RMS*s.EE/float64(r.EE)
			kept.export = exportOptions(&r, kept.model, 0, 0)
		}
		f.finished.Store(weightsOf(kept.model), kept)
	}
}

// steps are those of a finished fit that have models.
func steps(out *fit.Result) []fit.Step {
	all := append(slices.Clip(out.Last.History), out.Last.Now)
	return slices.DeleteFunc(all, func(s fit.Step) bool { return s.Model == nil })
}

// Keep forgets all fitted models except the given ones and the other levels of detail of these.
func (f *viewerFits) Keep(models []*skinning.Model) {
	keep, leveled := map[any]bool{}, map[*fit.Result]bool{}
	for _, m := range models {
		keep[weightsOf(m)] = true
		if kept, ok := f.of(m); ok && kept.method.Level != nil {
			leveled[kept.result] = true
		}
	}
	f.finished.Range(func(weights, of any) bool {
		if !keep[weights] && !leveled[of.(finishedFit).result] {
			f.finished.Delete(weights)
		}
		return true
	})
}

// exportOptions returns the options of a model's export, which are those of its fit. The extras of an edited model say
// that it was edited, and not how it errs: the errors are those of the fitted model.
func (f *viewerFits) exportOptions(fitted *skinning.Model) export.Options {
	kept, ok := f.of(fitted)
	if ok && !slices.Equal(kept.model.Rigs, fitted.Rigs) {
		extras := map[string]any{"edited": true}
		for _, key := range []string{gltf.FitKey, gltf.TeacherKey, gltf.ForKey} {
			if of, there := kept.export.Extras[key]; there {
				extras[key] = of
			}
		}
		kept.export.Extras = extras
	}
	return kept.export
}

// helperLevel returns a finished fit with its first helper bones, weights solved for these; nil if it is not kept.
func (f *viewerFits) helperLevel(ctx context.Context, fitted *skinning.Model, bones int) (*skinning.Model, error) {
	kept, ok := f.of(fitted)
	if !ok || kept.method.Level == nil {
		return nil, nil
	}
	for _, s := range steps(kept.result) {
		if s.Added == bones {
			return s.Model(), nil
		}
	}
	m, e, err := kept.method.Level(ctx, kept.result, bones)
	if err != nil {
		return nil, err
	}
	report := *kept.result.Report
	report.EE, report.RMS, report.Max = e.EE, e.RMS, e.Max
	kept.model, kept.export = m, exportOptions(&report, m, 0, 0)
	f.finished.Store(weightsOf(m), kept)
	return m, nil
}

// Other makes one of the other ways of posing that the fit of a fitted model has learnt.
func (f *viewerFits) Other(ctx context.Context, fitted *skinning.Model, other int) (*fit.Deformation, error) {
	kept, ok := f.of(fitted)
	if !ok {
		return nil, errors.New("what the fit has learnt is not kept any more")
	}
	return kept.method.Others[other].Deform(ctx, kept.result)
}

// mostPoints is the most examples that the window plots.
const mostPoints = 200

// helperExamples returns the motions that examples ask of a model's helper bones. These are the examples that the model
// was fitted to, or else the model's own. It returns nil if there are none.
func (f *viewerFits) helperExamples(master, fitted *skinning.Model) (*helperpage.Examples, error) {
	var poses *training.Poses
	if kept, ok := f.of(fitted); ok {
		poses = kept.result.Report.Learnt
	} else if own, err := training.Own(master); err != nil {
		return nil, nil
	} else if poses, err = own.Choose(master, nil); err != nil {
		return nil, err
	}
	x, err := poses.Examples()
	if err == nil {
		err = x.Validate()
	}
	if err != nil {
		return nil, err
	}
	var picked []int
	for k := range min(len(x.Targets), mostPoints) {
		picked = append(picked, k*len(x.Targets)/min(len(x.Targets), mostPoints))
	}
	wanted := helperbones.ExampleMotionsOf(x.Balanced().Pick(picked), fitted)
	return &helperpage.Examples{Variables: wanted.Variables, Motions: wanted.Motions}, nil
}
