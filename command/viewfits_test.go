package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/fit/methods"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/rig"
	"skinlab/skinning/stress"
)

// windowFit runs a fit as the window does and returns its last update.
func windowFit(ctx context.Context, fits *viewerFits, m *skinning.Model, req fitpage.Request) (last fitpage.Update) {
	fits.Fit(ctx, m, req, func(u fitpage.Update) { last = u })
	return last
}

// rowOf returns the number of a fit's row.
func rowOf(fits *viewerFits, name string) int {
	return slices.IndexFunc(fits.Fits(), func(r fitpage.Row) bool { return r.Name == name })
}

// TestViewerEnvelope runs the fit of enveloping as the window does: stages and a falling error while it works, a model
// in every step, all of which can be shown and exported; what is exported opens again with its rig.
func TestViewerEnvelope(t *testing.T) {
	slow(t)
	m := assetstest.Open(t, "demo:arm")
	fits := newViewerFits(methods.All())
	if clip, count := fits.Examples(m); clip < 0 || m.Clips[clip].Name != "examples" || count < 10 {
		t.Fatalf("examples of clip %d, %d of them", clip, count)
	}
	if clip, count := fits.Examples(&skinning.Model{}); clip != -1 || count != 0 {
		t.Errorf("a model without anything has %d examples in clip %d", count, clip)
	}
	const proxies = 12
	var last fitpage.Update
	stages := map[string]bool{}
	share, updates := 0.0, 0
	req := fitpage.Request{Row: 1, Own: true, Values: fit.Values{"proxies": proxies}}
	fits.Fit(context.Background(), m, req, func(u fitpage.Update) {
		updates++
		stages[u.Stage] = true
		if len(u.History) < len(last.History) || len(u.Marks) < len(last.Marks) || !u.Done && u.Share < share {
			t.Errorf("%d steps, %d marks and a share of %g follow %d, %d and %g", len(u.History), len(u.Marks), u.Share,
				len(last.History), len(last.Marks), share)
		}
		for k := range last.History {
			if u.History[k].Model() != last.History[k].Model() {
				t.Errorf("step %d has changed", k)
			}
		}
		share, last = u.Share, u
	})
	if !last.Done || last.Err != nil || last.Now.Added < proxies/2 || last.Now.Added > proxies || len(last.Marks) != 2 ||
		len(last.History) < 3 || len(stages) < 4 {
		t.Fatalf("%d updates, stages %v, last %+v", updates, stages, last)
	}
	own, trained := last.Marks[0].EE, last.Marks[1].EE
	if !(trained < own) {
		t.Errorf("trained weights have an EE of %g %%, the rig's own %g %%", trained, own)
	}
	for k, s := range last.History {
		if s.Model == nil || len(s.Model().Added()) != s.Added {
			t.Fatalf("step %d of %d proxies has no model for them", k, s.Added)
		}
		if k > 0 && !(s.EE < last.History[k-1].EE && s.Added > last.History[k-1].Added) {
			t.Errorf("step %d: %d proxies and an EE of %g %%, after %d and %g %%", k, s.Added, s.EE, last.History[k-1].Added,
				last.History[k-1].EE)
		}
		if o := fits.exportOptions(s.Model()); !(o.RMS > 0) {
			t.Errorf("step %d: an export knows no error", k)
		}
	}
	if s := last.History[0]; s.Added != 0 || s.EE != trained {
		t.Errorf("the first step is %d proxies with %g %%, expected trained weights with %g %%", s.Added, s.EE, trained)
	}

	for _, s := range []fit.Step{last.History[0], last.History[1], last.Now} {
		path := filepath.Join(t.TempDir(), "out.glb")
		if _, err := export.File(t.Context(), path, "demo:arm", s.Model(), fits.exportOptions(s.Model())); err != nil {
			t.Fatalf("%d proxies: %v", s.Added, err)
		}
		back, err := assets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(back.Added()); n != s.Added || (len(back.Rigs) > 0) != (s.Added > 0) {
			t.Errorf("a file with %d proxies opens with %d", s.Added, n)
		}
	}
}

// TestViewerTargets: a fit of the window to a folder of OBJ files is that of the command line, whatever is learnt; what
// does not fit is an error that names the file or the number of shapes.
func TestViewerTargets(t *testing.T) {
	slow(t)
	folder := t.TempDir()
	writeShapes(t, folder)
	m := assetstest.Open(t, "demo:bar")
	examples, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	fits, rows := newViewerFits(methods.All()), 0
	source := m
	m = stress.Append(m) // as the window has it
	files := &viewerFiles{fits: fits}
	files.sources.Store(source, "demo:bar")
	for i, row := range fits.Fits() {
		if row.Targets == nil {
			continue
		}
		rows++
		targets, err := row.Targets.Read(t.Context(), m, folder, func(int, int) {})
		if err != nil || len(targets.Shapes) != 3 {
			t.Fatalf("%s: %v", row.Name, err)
		}
		req := fitpage.Request{Row: i, Files: true, Targets: targets, Clip: examples, Times: "0,1,2"}
		args := []string{"fit", row.Name, "demo:bar", "--targets", folder}
		if row.Targets.Posed {
			args = append(args, "--clip", "examples", "--times", req.Times)
		}
		req.Values = fit.Values{}
		for _, o := range row.Sliders() {
			req.Values[o.Name] = min(o.Slider.Default, 6)
			args = append(args, fmt.Sprintf("--%s=%g", o.Name, req.Values[o.Name]))
		}
		last := windowFit(t.Context(), fits, m, req)
		if want := object(t, args...); last.Err != nil || last.Now.EE != want["ee"] {
			t.Errorf("%s: EE %v, %v; on the command line %v", row.Name, last.Now.EE, last.Err, want["ee"])
		}
		out := filepath.Join(t.TempDir(), "out.glb")
		if _, err := files.export(out, source, last.Now.Model(), func() error { return nil }); err != nil {
			t.Fatalf("%s: %v", row.Name, err)
		}
		if back, err := assets.Open(out); err != nil || slices.ContainsFunc(back.Clips,
			func(c skinning.Clip) bool { return strings.HasPrefix(c.Name, "stress") }) {
			t.Errorf("%s: the exported file has the window's stress clips: %v", row.Name, err)
		}
		for times, what := range map[string]string{"0,1": "Times: 2 times for 3 shapes", "0,x,1": `Times: "x" is not`} {
			req.Times = times
			last := windowFit(t.Context(), fits, m, req)
			if row.Targets.Posed && (last.Err == nil || !strings.Contains(last.Err.Error(), what)) {
				t.Errorf("%s: times %s: %v", row.Name, times, last.Err)
			}
		}
	}
	if rows != 3 {
		t.Errorf("%d fits learn from files", rows)
	}
	bad := filepath.Join(folder, "shape-1.obj")
	if err := os.WriteFile(bad, []byte("v 1 2 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readTargets(t.Context(), m, folder, func(int, int) {}); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("a file of one vertex: %v", err)
	}
}

// TestViewerEnvelopeTaught: a method teaches where there are no examples; a cancelled fit says so and keeps what it
// has, or gives a reason.
func TestViewerEnvelopeTaught(t *testing.T) {
	slow(t)
	m := assetstest.Open(t, "demo:box")
	fits := newViewerFits(methods.All())
	request := fitpage.Request{Row: 1, By: skinning.DQS, Frames: 4, Values: fit.Values{"proxies": 6}}
	last := windowFit(t.Context(), fits, m, request)
	if last.Err != nil || !last.Done || last.Now.Added == 0 || !(last.Now.EE < last.Marks[1].EE) {
		t.Errorf("%+v", last)
	}
	ctx, cancel := context.WithCancel(context.Background())
	fits.Fit(ctx, m, request, func(u fitpage.Update) {
		last = u
		if u.Now.Model != nil {
			cancel()
		}
	})
	if last.Err != nil || !last.Done || last.Reason != "cancelled" || last.Now.Model == nil {
		t.Errorf("cancelled: %+v", last)
	}
	last = windowFit(ctx, fits, m, request)
	if last.Err != nil || last.Now.Model != nil ||
		last.Reason != "cancelled" || !last.Done {
		t.Errorf("cancelled before the first model: %+v", last)
	}
	last = windowFit(t.Context(), fits, m, fitpage.Request{Row: 1, Own: true})
	if last.Err == nil || !last.Done {
		t.Errorf("examples that are not there: %+v", last)
	}
}

// TestViewerOthers poses what enveloping has learnt beside its models as the window does: over the examples trained SSD
// has the EE of the fit's report.
func TestViewerOthers(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	fits := newViewerFits(methods.All())
	row := rowOf(fits, "enveloping")
	req := fitpage.Request{Row: row, Own: true, Values: fit.Values{"proxies": 25}}
	last := windowFit(t.Context(), fits, m, req)
	if last.Err != nil || last.Now.Model == nil {
		t.Fatalf("%+v", last)
	}
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	ee := map[string]float64{}
	for k, o := range fits.Fits()[row].Others {
		d, err := fits.Other(t.Context(), last.Now.Model(), k)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := compare.Run(t.Context(), m, compare.Options{Reference: skinning.LBS, Examples: true, Clip: set.Clip,
			Times:    set.Times,
			Subjects: []compare.Subject{{Name: o.Title, Model: last.Now.Model(), Clip: set.Clip, Deform: d.Pose}}})
		if err != nil {
			t.Fatal(err)
		}
		ee[o.Title] = float64(rows[0].EE)
	}
	// The model's positions and the measured ones are float32: seven digits, of which the squares of errors keep three.
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-3*want }
	if trained := last.Marks[1].EE; !near(ee["Trained SSD"], trained) {
		t.Errorf("trained SSD has an EE of %g %%, in the fit %g %%", ee["Trained SSD"], trained)
	}
	fits.Keep(nil)
	if _, err := fits.Other(t.Context(), last.Now.Model(), 0); err == nil {
		t.Error("a fit that is not kept has others")
	}
}

// TestViewerVerdict: a fit of the window learns from all clips and says at its end how it does in each, in two lines of
// the page. A model whose joints scale is offered the method with scale.
func TestViewerVerdict(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	fits := newViewerFits(methods.All())
	if method, lost := fits.Operator(m); method != skinning.DQS || lost != "" {
		t.Errorf("a rigid model: %v, %q", method, lost)
	}
	var last fitpage.Update
	fits.Fit(context.Background(), m, fitpage.Request{By: skinning.DQS, Values: fit.Values{"bones": 2}, Clip: fitpage.AllClips,
		Frames: 8}, func(u fitpage.Update) {
		if last.Done {
			t.Error("an update after the last")
		}
		last = u
	})
	if last.Err != nil || last.Verdict != "As good as linear blending or better in all 2 clips." || last.Worse {
		t.Errorf("%v, %q", last.Err, last.Verdict)
	}
	long := strings.Repeat("long", 10)
	for want, names := range map[string][]string{
		"Worse than linear blending in 2 of 3 clips: a, b.":   {"a", "b"},
		"Worse than linear blending in 3 of 4 clips: a, ....": {"a", long, "b"},
		"Worse than linear blending in 1 of 2 clips.":         {long + long},
	} {
		bad := fit.Report{Clips: fit.ClipTable{{Name: "good", Errors: fit.Errors{LBSRMS: 1e-3}}}}
		for _, name := range names {
			bad.Clips = append(bad.Clips, fit.ClipError{Name: name, Worse: true})
		}
		if text, worse := verdict(&bad); text != want || !worse || len(text) > noteBytes {
			t.Errorf("%q, %v; expected %q", text, worse, want)
		}
	}
	joint := m.Skeleton.Joints[2].Node
	m.Clips = append(m.Clips, skinning.Clip{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{Node: joint,
		Path: skinning.PathScale, Width: 3, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 2, 2, 2}}}})
	if method, lost := fits.Operator(m); method != skinning.SDQS || !strings.Contains(lost, "scales by 2 in clip beat") {
		t.Errorf("a model that scales: %v, %q", method, lost)
	}
}

// TestViewerHelperExamples: the window plots the examples that a fit has learnt from, and exports an edited model with
// its keys but without its errors.
func TestViewerHelperExamples(t *testing.T) {
	slow(t)
	m := assetstest.Open(t, "demo:bar")
	fits := newViewerFits(methods.All())
	row := rowOf(fits, "helper-bones")
	req := fitpage.Request{Row: row, Own: true, Values: fit.Values{"bones": 2}}
	last := windowFit(t.Context(), fits, m, req)
	fitted := last.Now.Model()
	if last.Err != nil || fitted == nil {
		t.Fatalf("the fit ends with %+v", last)
	}
	x, err := fits.helperExamples(m, fitted)
	if err != nil {
		t.Fatal(err)
	}
	r := skinning.RigOf[*rig.HelperBones](fitted)
	if _, count := fits.Examples(m); len(x.Motions) != count || len(x.Variables) != count || len(r.Bones) != 2 {
		t.Fatalf("%d examples of %d helper bones, expected %d", len(x.Motions), len(r.Bones), count)
	}
	open := windowFit(t.Context(), fits, m, fitpage.Request{Row: row, By: skinning.DQS, Frames: 6, Clip: fitpage.AllClips,
		Values: fit.Values{"bones": 1}})
	if chosen, err := fits.helperExamples(m, open.Now.Model()); err != nil || len(chosen.Motions) < 2 {
		t.Errorf("poses that the fit chose: %+v, %v", chosen, err)
	}
	asked, missed := 0.0, 0.0
	for n, variables := range x.Variables {
		for k := range r.Bones {
			for c, want := range x.Motions[n][k][:3] {
				off := r.Motion(k, variables)[c] - want
				asked, missed = asked+want*want, missed+off*off
			}
		}
	}
	if !(missed < 0.1*asked) { // controllers that were learnt from these examples follow them
		t.Errorf("of motions of %g m² in all the controllers miss %g", asked, missed)
	}
	edited, controllers := *fitted, *r
	edited.Rigs = []skinning.Rig{&controllers} // an edit makes a rig of its own
	if how := fits.exportOptions(&edited); !(how.RMS > 0) || how.Extras["ee"] != nil || how.Extras["edited"] != true ||
		how.Extras["teacher"] != skinning.Examples {
		t.Errorf("an edited model is exported with %+v", how)
	}
	if how := fits.exportOptions(fitted); how.Extras["ee"] == nil {
		t.Errorf("the fitted model is exported with %+v", how)
	}
}

// TestViewerHelperLevel: the window gets the models of a fit that it keeps with fewer helper bones: those that the
// fit has made, and one without any, solved for it. Each is exported with its own error, larger than that of more
// bones, and opens again with its bones and weights.
func TestViewerHelperLevel(t *testing.T) {
	slow(t)
	m := assetstest.Open(t, "demo:bar")
	fits := newViewerFits(methods.All())
	row := rowOf(fits, "helper-bones")
	req := fitpage.Request{Row: row, Own: true, Values: fit.Values{"bones": 2}}
	last := windowFit(t.Context(), fits, m, req)
	fitted := last.Now.Model()
	if last.Err != nil || fitted == nil || len(fitted.Added()) != 2 {
		t.Fatalf("the fit ends with %+v", last)
	}
	more := fits.exportOptions(fitted).RMS
	for bones := 1; bones >= 0; bones-- {
		level, err := fits.helperLevel(t.Context(), fitted, bones)
		if err != nil || level == nil {
			t.Fatalf("a level of %d: %v, %v", bones, level != nil, err)
		}
		if again, err := fits.helperLevel(t.Context(), level, bones); err != nil || len(again.Added()) != bones {
			t.Errorf("the same level of a level of %d: %v", bones, err)
		}
		how := fits.exportOptions(level)
		if !(how.RMS > more) || how.Extras["ee"] == nil {
			t.Errorf("%d bones: exported with %+v, expected an RMS above %g", bones, how, more)
		}
		more = how.RMS
		path := filepath.Join(t.TempDir(), "out.glb")
		if _, err := export.File(t.Context(), path, "demo:bar", level, how); err != nil {
			t.Fatalf("%d bones: %v", bones, err)
		}
		back, err := assets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(back.Added()); n != bones {
			t.Errorf("a file with %d bones opens with %d", bones, n)
		}
		for v := range level.Skin.Bindings {
			a, b := level.Skin.Of(nil, v), back.Skin.Of(nil, v)
			if !slices.EqualFunc(a, b, func(a, b skinning.Influence) bool {
				return a.Joint == b.Joint && abs(float64(a.Weight-b.Weight)) <= 1e-6 // float32, brought to a sum of 1 once more
			}) {
				t.Fatalf("%d bones: vertex %d has the weights %v in the file, expected %v", bones, v, b, a)
			}
		}
	}
	if level, err := fits.helperLevel(t.Context(), m, 1); level != nil || err != nil {
		t.Errorf("a level of a model of no fit: %v, %v", level != nil, err)
	}
	last = windowFit(t.Context(), fits, m, fitpage.Request{By: skinning.DQS, Values: fit.Values{"bones": 1}, Frames: 2})
	if level, err := fits.helperLevel(t.Context(), fitted, 1); last.Err != nil || level == nil || err != nil {
		t.Errorf("after another fit, %v: a level of the first: %v, %v", last.Err, level != nil, err)
	}
	none, err := fits.helperLevel(t.Context(), fitted, 0)
	if err != nil {
		t.Fatal(err)
	}
	fits.Keep([]*skinning.Model{fitted, m}) // m is of no fit
	if how := fits.exportOptions(last.Now.Model()); how.Extras != nil {
		t.Errorf("what an export of a dropped fit says is kept: %+v", how)
	}
	if how := fits.exportOptions(none); how.Extras["ee"] == nil {
		t.Errorf("a level of a fit that is kept is exported with %+v", how)
	}
	fits.Keep(nil)
	fits.finished.Range(func(any, any) bool {
		t.Error("something is kept of fits that are all dropped")
		return false
	})
}

// TestViewerDecompose: the window offers the decomposition of a mesh whose morph targets no clip shows, gives it the
// clip that shows them, fits it, and exports it; and says of other models why it does not.
func TestViewerDecompose(t *testing.T) {
	source := gltftest.Morphing(9)
	source.Clips = nil
	data, err := export.Encode(source)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "morphing.glb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	fits := newViewerFits(methods.All())
	files := &viewerFiles{fits: fits}
	m, err := files.load(context.Background(), path, "", func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Clips) != 1 || m.Clips[0].Name != training.SequenceClip || !(m.Clips[0].Seconds > 0) {
		t.Fatalf("the window's model has the clips %+v", m.Clips)
	}
	var req fitpage.Request
	for i, row := range fits.Fits() {
		if offered := row.Refuses(m) == ""; offered != (row.Learns == fit.Sequence) {
			t.Errorf("%s is offered: %v, %q", row.Name, offered, row.Refuses(m))
		}
		if row.Learns == fit.Sequence {
			req = fitpage.Request{Row: i, By: skinning.LBS, Clip: fitpage.AllClips, Values: fit.Values{"bones": 6}}
		}
	}
	last := windowFit(t.Context(), fits, m, req)
	if last.Err != nil || last.Now.Model == nil || last.Now.Added != 6 {
		t.Fatalf("the fit ends with %+v", last)
	}
	if c := last.Now.Model().Clips; len(c) != 1 || c[0].Name != m.Clips[0].Name {
		t.Errorf("the fitted model has the clips %+v", c)
	}
	out := filepath.Join(t.TempDir(), "out.glb")
	if _, err := files.export(out, m, last.Now.Model(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	again, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Skeleton.Joints) < 6 || len(again.Skin.Positions) == 0 || len(again.Clips) != 1 {
		t.Errorf("the file has %d joints, %d vertices with a skin and %d clips", len(again.Skeleton.Joints),
			len(again.Skin.Positions), len(again.Clips))
	}
	box := assetstest.Open(t, "demo:box")
	for _, row := range fits.Fits() {
		why, sequence := row.Refuses(box), row.Learns == fit.Sequence
		if (why == "") == sequence || sequence && !strings.Contains(why, "without a skin") {
			t.Errorf("%s of a skinned model: %q", row.Name, why)
		}
	}
}

// TestViewerAdvice: the window's advice is that of the command, and a search that is stopped has none.
func TestViewerAdvice(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it runs all default fits")
	}
	m := assetstest.Open(t, "demo:box")
	fits := newViewerFits(methods.All()[:1])
	fits.sources.Store(m, "demo:box")
	q := fitpage.Question{Model: m, File: m, Reference: skinning.DQS}
	var done []string
	a, err := fits.Advise(t.Context(), q, func(what string) { done = append(done, what) })
	if err != nil {
		t.Fatal(err)
	}
	clips := advise.MeasuredClips(m, mostAdvised)
	want, err := compare.Run(t.Context(), m, compare.Options{Reference: skinning.DQS, Subjects: compare.Direct(skinning.LBS),
		Clip: clips[0], Frames: advisedFrames, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Ways[0]; len(clips) == 1 && !(math.Abs(w.RMS-want[0].RMS*m.Diagonal()) < 1e-12) {
		t.Errorf("linear blending %+v, by compare %+v", w, want[0])
	}
	if w := a.Ways[len(a.Ways)-1]; w.Name != "blend-bones" || !(w.Bytes > 0) || !slices.Contains(done, "fitting blend-bones") {
		t.Errorf("%+v after %q", w, done)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := fits.Advise(ctx, q, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v, %v", a, err)
	}
}
