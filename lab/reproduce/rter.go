package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/chart"
	"skinlab/fit"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/poisson"
	"skinlab/lab/reproduce/pages"
	"skinlab/lab/reproduce/papers"
	"skinlab/lab/reproduce/psd"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

const drawing = "It is a drawing of the method."

var rter = Paper{
	Name: "rter", Title: "Real-Time Enveloping with Rotational Regression",
	Fit:    "enveloping",
	Source: "Robert Y. Wang, Kari Pulli, Jovan Popović, 2007",
	Lead: "Deformation gradients of the skin are predicted from joint rotations that examples teach, and a reduced Poisson " +
		"equation turns them into the matrices of a few proxy bones, " +
		"which pose the skin by linear blending: nearly as fast as plain linear blending, and far nearer to the examples.",
	Sections: []Section{
		{Name: "Figures 1 to 3 and 5", Title: "Overview, prediction",
			Shows: "the mapping from poses to meshes, and what W and u mean.", Missing: drawing},
		{Name: "Figures 4 and 6", Title: "Errors of a flexing arm, and how far its parts turn", Make: rterFigure6,
			Shows: "a histogram of errors, where rotational regression has far more small ones than SSD; parts of the biceps turn " +
				"by a small share of the joint, the forearm by nearly all."},
		{Name: "Figure 7", Title: "Near-rigid vertices hold the Poisson solution", Make: rterFigure7,
			Shows: "edges alone leave low-frequency errors, and a hand that is not where its joint is; vertices that are fixed to " +
				"their SSD prediction hold it there."},
		{Name: "Figures 8 and 10", Title: "Training and GPU passes",
			Shows: "the reduced model's training, and the three passes that evaluate it.", Missing: drawing},
		{Name: "Figure 9", Title: "Vertices in groups", Make: rterFigure9,
			Shows: "coordinated vertices merge into fewer and fewer proxy bones."},
		{Name: "Figure 11", Title: "Approximation and generalization",
			Command: "skinlab fit enveloping demo:arm --loocv -o fitted.glb", Make: rterFigure11,
			Shows: "rotational regression is below SSD on every set, on examples and on poses that were left out, and its " +
				"deviation over the vertices is smaller. The paper shows bars without numbers."},
		{Name: "Table 1", Title: "Cost", Make: rterTable1,
			Shows: "half to two thirds of SSD's frames a second, at most twice its operations, and 4 to 100 times its memory."},
		{Name: "Figure 12", Title: "Shapes beside the examples", Make: rterFigure12,
			Shows: "scans of a man and artists' characters: shoulders by rotational regression look like the examples where " +
				"SSD's collapse.",
			Missing: "The characters and scans are not public: ours are the built-in arm and leg, and files that are named with " +
				"--models."},
		{Name: "Figure 13", Title: "A bar twisted between its examples", Make: rterFigure13,
			Command: "skinlab compare demo:bar --reference examples --clip unseen --methods examples,ssd,enveloping:25 -o bar.png",
			Shows: "from three poses of a twist, SSD cannot follow, pose space deformation fits the three and fails between them, " +
				"rotational regression is right in the unseen pose too."},
		{Name: "Figure 14", Title: "An arm that bends and twists", Make: rterFigure14,
			Shows: "half-way joints (Mohr and Gleicher 2003) are better than SSD, but no joint of theirs bends and twists " +
				"half-way; rotational regression is almost the example."},
	},
}

// enveloped is a model's example set, or key frames of it, and the fits to it.
type enveloped struct {
	m    *skinning.Model
	set  *training.Set
	clip int   // of the examples
	ways []way // enveloping as published and ours
	ssd  *fit.Result
}

// envelope fits a number of proxy bones, and trained weights, to the examples of a model.
func envelope(ctx context.Context, w *work, m *skinning.Model, proxies int, leaveOneOut bool) (*enveloped, error) {
	own, err := training.Own(m)
	if err != nil {
		return nil, err
	}
	e := &enveloped{m: m, set: own.KeyFrames(w.size(20, 6)), clip: own.Clip}
	job := fit.Job{Method: w.method("enveloping"), Model: m, Training: e.set, Values: fit.Values{"proxies": float64(proxies)},
		Tests: training.Tests{Clip: -1, LeaveOneOut: leaveOneOut}}
	if e.ways, err = w.ways(ctx, fmt.Sprint(proxies, leaveOneOut), job); err != nil {
		return nil, err
	}
	e.ssd, err = w.run(ctx, "", fit.Job{Method: w.method("ssd"), Model: m, Training: e.set})
	return e, err
}

// worst returns when trained weights are farthest from the examples.
func (e *enveloped) worst(ctx context.Context) (float64, error) {
	rows, err := compare.Run(ctx, e.m, compare.Options{Reference: skinning.LBS, Examples: true, Clip: e.clip,
		Times: e.set.Times, ShortestPath: true,
		Subjects: []compare.Subject{{Name: "ssd", Model: e.ssd.Model, Clip: e.clip}}})
	if err != nil {
		return 0, err
	}
	return rows[0].WorstTime, nil
}

// shots are the example at a time, trained weights, and the fits.
func (e *enveloped) shots(seconds float64) []shot {
	list := []shot{{title: "Example", frame: at(e.m, e.clip, seconds)},
		{title: "SSD", note: "EE " + e.ssd.Report.EE.Text(1) + " %", frame: at(e.ssd.Model, e.clip, seconds)}}
	for _, v := range e.ways {
		list = append(list, shot{title: fmt.Sprintf("%d proxy bones", len(v.out.Model.Added())),
			note:  fmt.Sprintf("%s, EE %s %%", v.origin, v.out.Report.EE.Text(1)),
			frame: at(v.out.Model, e.clip, seconds)})
	}
	return list
}

// rterArm is the model of most figures.
func rterArm(ctx context.Context, w *work, proxies int) (*enveloped, error) {
	m, err := w.demo(w.name("demo:arm", leg))
	if err != nil {
		return nil, err
	}
	return envelope(ctx, w, m, min(proxies, w.size(proxies, 5)), false)
}

func rterFigure6(ctx context.Context, w *work, out *pages.Section) error {
	e, err := rterArm(ctx, w, 30)
	if err != nil {
		return err
	}
	const bins = 24
	top := 0.0
	distances := func(m *skinning.Model) (all []float64) {
		for _, t := range e.set.Times {
			want, got := at(e.m, e.clip, t).Positions(skinning.LBS), at(m, e.clip, t).Positions(skinning.LBS)
			for v := range want {
				all = append(all, 1e3*got[v].Sub(want[v]).Len())
			}
		}
		return all
	}
	ssd := distances(e.ssd.Model)
	sum := 0.0
	for _, d := range ssd {
		sum += d * d
	}
	top = 3 * math.Sqrt(sum/float64(len(ssd)))
	// Most vertices have nearly no error, so that a histogram would show little else. The curves show the other
	// vertices.
	c := &chart.Chart{Title: "Vertices farther from the examples than a distance", X: chart.Axis{Label: "distance, mm"},
		Y: chart.Axis{Label: "share of vertices, %"}}
	for k := range bins {
		c.At = append(c.At, top*float64(k+1)/bins)
	}
	add := func(name string, all []float64) (within float64) {
		curve := chart.Curve{Name: name, Values: make([]float64, bins)}
		for _, d := range all {
			for k := range min(int(d/top*bins), bins) {
				curve.Values[k] += 100 / float64(len(all))
			}
			if d < 1 {
				within += 100 / float64(len(all))
			}
		}
		c.Curves = append(c.Curves, curve)
		return within
	}
	out.Found = fmt.Sprintf("%.0f %% of vertices and examples are within a millimetre by SSD", add("SSD", ssd))
	for _, v := range e.ways {
		out.Found += fmt.Sprintf(", %.0f %% %s", add(string(v.origin), distances(v.out.Model)), v.origin)
	}
	out.Found += ". Dark parts turn by little of their joint's angle, bright ones by all of it."
	out.AddChart(c)
	worst, err := e.worst(ctx)
	if err != nil {
		return err
	}
	var list []shot
	for _, v := range e.ways {
		list = append(list, shot{title: "Angle scale u", note: string(v.origin), frame: at(v.out.Model, e.clip, worst),
			surface: picture.SurfacePaint, tints: angleScaleTints(v.out.Model)})
	}
	return w.draw(ctx, out, &strip{shots: list})
}

// rterExamples are the examples of rterArm for the solver without reduction.
func rterExamples(ctx context.Context, w *work) (*enveloped, *training.Examples, error) {
	e, err := rterArm(ctx, w, 30)
	if err != nil {
		return nil, nil, err
	}
	x, err := e.set.Examples(e.m)
	return e, x, err
}

// fullSolve makes the Poisson solve without reduction.
func fullSolve(triangles [][3]uint32, fixed []bool, hold float64) (enveloping.FullSolve, error) {
	return poisson.New(triangles, fixed, hold)
}

func rterFigure7(ctx context.Context, w *work, out *pages.Section) error {
	e, x, err := rterExamples(ctx, w)
	if err != nil {
		return err
	}
	worst, err := e.worst(ctx)
	if err != nil {
		return err
	}
	truth := at(e.m, e.clip, worst)
	want := truth.Positions(skinning.LBS)
	s := strip{shots: []shot{{title: "Example", frame: truth}}}
	off := func(positions []mgl64.Vec3) string {
		sum := 0.0
		for k, p := range positions {
			sum += p.Sub(want[k]).Dot(p.Sub(want[k]))
		}
		return fmt.Sprintf("RMS %.1f mm", 1e3*math.Sqrt(sum/float64(len(want))))
	}
	for _, v := range []struct {
		title string
		rigid *float64 // share of the mean error below which a vertex is fixed
	}{{"Edges alone", new(0.0)}, {"Near-rigid vertices fixed", nil}} {
		u, err := enveloping.NewUnreduced(ctx, x, enveloping.Options{Rigid: v.rigid}, fullSolve)
		if err != nil {
			return err
		}
		f := at(e.m.WithoutMorphs(), e.clip, worst)
		positions := u.Pose(f.Model.Skin.RestPositions(nil), f.Matrices)
		s.shots = append(s.shots, shot{title: v.title, note: "as published, " + off(positions), frame: f.Snapshot(positions)})
	}
	for _, v := range e.ways {
		f := at(v.out.Model, e.clip, worst)
		s.shots = append(s.shots, shot{title: fmt.Sprintf("%d proxy bones", len(v.out.Model.Added())),
			note: string(v.origin) + ", " + off(f.Positions(skinning.LBS)), frame: f})
	}
	out.Found = "a predictor for each triangle and the full Poisson solve, without reduction, in the example where SSD is " +
		"worst; beside them the reduced fits."
	return w.draw(ctx, out, &s)
}

// angleScaleTints colours a skin by its proxy bones' angle scales u (RTER figure 6).
func angleScaleTints(m *skinning.Model) []skin.Tint {
	linear := m.SolvedRig()
	if linear == nil {
		return nil
	}
	dyeOf := make([]int, len(m.Skeleton.Joints))
	for j := range dyeOf {
		dyeOf[j] = -1
	}
	dyes := make([]picture.Dye, len(linear.Linear().Joints))
	picture.TurnDyes(dyes, linear, 0, 1)
	for k, j := range linear.Linear().Joints {
		dyeOf[j] = k
	}
	tints := make([]skin.Tint, len(m.Skin.Positions))
	picture.BoneTints(tints, m, dyeOf, dyes)
	return tints
}

func rterFigure9(ctx context.Context, w *work, out *pages.Section) error {
	var strips []strip
	for _, proxies := range []int{60, 30, 15, 5} {
		e, err := rterArm(ctx, w, proxies)
		if err != nil {
			return err
		}
		worst, err := e.worst(ctx)
		if err != nil {
			return err
		}
		for i, v := range e.ways {
			if i == len(strips) {
				strips = append(strips, strip{title: string(v.origin)})
			}
			strips[i].shots = append(strips[i].shots, shot{title: fmt.Sprintf("%d proxy bones", len(v.out.Model.Added())),
				note:  fmt.Sprintf("EE %s %%", v.out.Report.EE.Text(1)),
				frame: at(v.out.Model, e.clip, worst), surface: picture.SurfacePaint, tints: paint(v.out.Model)})
		}
	}
	out.Found = "grey is what the joints themselves move, near-rigid vertices among it. EE is of all examples."
	for i := range strips {
		if err := w.draw(ctx, out, &strips[i]); err != nil {
			return err
		}
	}
	return nil
}

// rterSets are the models with example sets of figure 11, each with its number of proxy bones.
func rterSets(w *work) (models []*skinning.Model, err error) {
	names := []string{"demo:bar", "demo:arm", leg}
	if w.opt.Quick {
		names = names[:1]
	}
	all, err := w.models(names...)
	for _, m := range all {
		if _, err := training.Own(m); err == nil {
			models = append(models, m)
		}
	}
	return models, err
}

func rterFigure11(ctx context.Context, w *work, out *pages.Section) error {
	models, err := rterSets(w)
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "set, examples", Note: "EE in percent of the best rigid prediction, ± the deviation over " +
		"the vertices; left out is leave-one-out cross validation. PSD is pose space deformation over SSD."}
	better := 0
	var lost []string // where the published fit is worse on left-out examples
	for _, m := range models {
		e, err := envelope(ctx, w, m, w.size(papers.RTERProxies(m), 5), true)
		if err != nil {
			return err
		}
		displaced, err := leaveOutPSD(ctx, w, e)
		if err != nil {
			return err
		}
		row := pages.Row{Name: fmt.Sprintf("%s, %d", m.Name, e.set.Len())}
		table.Groups = []pages.Group{{Title: "SSD", Origin: e.ways[0].origin, Columns: []string{"examples", "left out"}},
			{Title: "PSD", Origin: e.ways[0].origin, Columns: []string{"left out"}}}
		for i, v := range e.ways {
			d := v.out.Report.Details.(*enveloping.Details)
			l := d.LeaveOneOut
			if i == 0 {
				row.Cells = append(row.Cells, spread(float64(d.SSDEE), d.SSDDeviation), spread(float64(l.SSD.EE), l.SSD.Deviation),
					spread(displaced.EE, displaced.Dev))
			}
			table.Groups = append(table.Groups, pages.Group{Origin: v.origin, Columns: []string{"examples", "left out"}})
			row.Cells = append(row.Cells, spread(float64(v.out.Report.EE), d.Deviation), spread(float64(l.Fit.EE), l.Fit.Deviation))
			if i == len(e.ways)-1 && l.Fit.EE < l.SSD.EE {
				better++
			}
			for _, other := range []struct {
				name string
				ee   float64
			}{{"SSD", float64(l.SSD.EE)}, {"PSD", displaced.EE}} {
				if v.origin == pages.Published && float64(l.Fit.EE) > other.ee {
					lost = append(lost, fmt.Sprintf("%s to %s (%.1f for %.1f %%)", m.Name, other.name, float64(l.Fit.EE), other.ee))
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	out.AddTable(table)
	out.Found = fmt.Sprintf("ours is below SSD on %d of %d sets when examples are left out.", better, len(models))
	if len(lost) > 0 {
		out.Found += " As published, rotational regression loses on left-out examples on " + strings.Join(lost, ", ") + ". Its last " +
			"step solves for surfaces from predicted gradients alone, so that an error of a prediction moves all that hangs on it. " +
			"Fitting c₁, c₂ and weights to positions takes most of that away (row 200 of docs/ablation.md)."
	}
	return nil
}

// leaveOutPSD predicts each example by pose space deformation over trained SSD as published, both learnt from all other
// examples.
func leaveOutPSD(ctx context.Context, w *work, e *enveloped) (*enveloping.Errors, error) {
	x, err := e.set.Examples(e.m)
	if err != nil {
		return nil, err
	}
	shapes, err := fit.LeaveOneOut(ctx, 0, len(x.Targets), nil, func(ctx context.Context, workers, i int) (*[]mgl64.Vec3,
		error) {
		rest := *e.set
		rest.Times = slices.Delete(slices.Clone(e.set.Times), i, i+1)
		out, err := fit.Run(ctx, fit.Job{Method: w.method("ssd"), Model: e.m, Training: &rest, Workers: workers,
			Values: fit.Values{fit.AsPublished: 1}, Tests: training.Tests{Clip: -1}})
		if err != nil {
			return nil, err
		}
		l := out.Learned.(*enveloping.Learned)
		p, err := psd.New(ctx, l.Examples, l.Trained, psd.Options{Workers: workers})
		if err != nil {
			return nil, err
		}
		return new(p.Pose(x.Rest, x.Palettes[i])), nil
	})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := enveloping.MeasureBy(x, func(i int) []mgl64.Vec3 { return *shapes[i] })
	return &out, nil
}

func spread(ee, deviation float64) string { return number(ee, 1) + " ± " + number(deviation, 1) }

func rterTable1(ctx context.Context, w *work, out *pages.Section) error {
	names := []string{"demo:bar", "demo:arm"}
	if w.opt.Quick {
		names = names[:1]
	}
	models, err := w.models(names...)
	if err != nil {
		return err
	}
	fits := pages.Table{Title: "Examples and fits", Corner: "example",
		Groups: []pages.Group{{Columns: []string{"vertices", "joints", "proxies", "poses", "test"}},
			{Title: "fit", Columns: []string{"seconds"}}, {Title: "EE of the test, %", Columns: []string{"RR", "SSD"}}},
		Note: "RR is rotational regression. The paper prints no errors, and the number of test poses of its sequences is not in " +
			"the text that we have."}
	cost := pages.Table{Title: "A frame", Corner: "example",
		Groups: []pages.Group{{Title: "million flops", Columns: []string{"RR", "SSD"}},
			{Title: "frames a second", Columns: []string{"RR", "SSD", "ratio"}},
			{Title: "memory, K", Columns: []string{"RR", "SSD"}}},
		Note: "Here on one thread of the processor, in the paper on a GeForce 8800 GTX. Ratios are of times in one run. Here x, y " +
			"and z share their coefficients in both ways, a ninth of the paper's matrices."}
	for _, p := range printed.RTER.Table1 {
		fits.Rows = append(fits.Rows, pages.Row{Name: p.Name, Origin: pages.FromPaper,
			Cells: []string{fmt.Sprint(p.Vertices), fmt.Sprint(p.Joints), fmt.Sprint(p.Proxies), fmt.Sprint(p.Poses), p.Test,
				number(p.Seconds, 0), "–", "–"}})
		cost.Rows = append(cost.Rows, pages.Row{Name: p.Name, Origin: pages.FromPaper,
			Cells: []string{number(p.Flops, 1), number(p.SSDFlops, 1), number(p.FPS, 0), number(p.SSDFPS, 0),
				number(p.SSDFPS/p.FPS, 2), number(p.Memory, 0), number(p.SSDMemory, 0)}})
	}
	var rows []*papers.EnvelopeRow
	ratios := map[pages.Origin][]float64{}
	for _, m := range models {
		for _, origin := range []pages.Origin{pages.Published, pages.Ours} {
			r, err := papers.RTERRow(ctx, m, origin == pages.Published)
			if err != nil {
				return err
			}
			rows = append(rows, r)
			ratios[origin] = append(ratios[origin], r.Ratio)
			name := r.Model + ", " + string(origin)
			fits.Rows = append(fits.Rows, pages.Row{Name: name, Origin: origin, Cells: []string{
				fmt.Sprint(r.Vertices), fmt.Sprint(r.Joints), fmt.Sprint(r.Proxies), fmt.Sprint(r.Poses),
				fmt.Sprintf("%s, %d", r.Test, r.Tested), number(r.Seconds, 2), r.TestEE.Text(1), r.TestSSDEE.Text(1)}})
			cost.Rows = append(cost.Rows, pages.Row{Name: name, Origin: origin, Cells: []string{
				number(float64(r.Flops)/1e6, 1), number(float64(r.SSDFlops)/1e6, 1), number(r.FPS, 0), number(r.SSDFPS, 0),
				number(r.Ratio, 2), number(float64(r.Memory)/1e3, 0), number(float64(r.SSDMemory)/1e3, 0)}})
		}
	}
	out.AddTable(fits)
	out.AddTable(cost)
	out.Data = rows
	out.Found = fmt.Sprintf("%s times the time of SSD as published, %s times ours.", span(ratios[pages.Published], 1),
		span(ratios[pages.Ours], 1))
	return nil
}

func rterFigure12(ctx context.Context, w *work, out *pages.Section) error {
	models, err := rterSets(w)
	if err != nil {
		return err
	}
	for _, m := range models {
		e, err := envelope(ctx, w, m, w.size(papers.RTERProxies(m), 5), true)
		if err != nil {
			return err
		}
		worst, err := e.worst(ctx)
		if err != nil {
			return err
		}
		if err := w.draw(ctx, out, &strip{title: fmt.Sprintf("%s, where SSD is worst", m.Name), shots: e.shots(worst)}); err != nil {
			return err
		}
	}
	out.Found = "an example of each set. EE is over all its examples."
	return nil
}

func rterFigure13(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:bar")
	if err != nil {
		return err
	}
	e, err := envelope(ctx, w, m, 25, false)
	if err != nil {
		return err
	}
	unseen := clipOf(m, "unseen")
	subjects := []compare.Subject{{Title: "SSD", Model: e.ssd.Model, Clip: unseen}}
	l := e.ssd.Learned.(*enveloping.Learned)
	add := func(title string, pose func(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3) {
		subjects = append(subjects, compare.Subject{Title: title, Model: e.ssd.Model, Clip: unseen,
			Deform: func(f *skinning.Frame) []mgl64.Vec3 { return pose(l.Examples.Rest, f.Matrices) }})
	}
	for _, way := range []struct {
		title    string
		compress bool
	}{{"Pose space deformation", false}, {"EigenSkin", true}} {
		p, err := psd.New(ctx, l.Examples, l.Trained, psd.Options{Compress: way.compress})
		if err != nil {
			return err
		}
		add(way.title, p.Pose)
	}
	full, err := enveloping.NewUnreduced(ctx, l.Examples, enveloping.Options{}, fullSolve)
	if err != nil {
		return err
	}
	add("Unreduced", full.Pose)
	for _, v := range e.ways {
		subjects = append(subjects, compare.Subject{Model: v.out.Model, Clip: unseen,
			Title: fmt.Sprintf("%d proxy bones, %s", len(v.out.Model.Added()), v.origin)})
	}
	rows, err := compare.Run(ctx, m, compare.Options{Reference: skinning.LBS, Examples: true, Subjects: subjects, Clip: unseen,
		Times: []float64{0}, ShortestPath: true})
	if err != nil {
		return err
	}
	s := strip{width: 320, height: 220, shots: []shot{{title: "True shape", note: "120 degrees, unseen", frame: at(m, unseen, 0)}}}
	for i, r := range rows {
		s.shots = append(s.shots, shot{title: subjects[i].Title, note: "EE " + r.EE.Text(1) + " %",
			frame: subjects[i].Pose(m, unseen, true).At(0)})
	}
	out.Found = "learnt from 0, 60 and 180 degrees, and shown at 120. EE is of that pose."
	return w.draw(ctx, out, &s)
}

func rterFigure14(ctx context.Context, w *work, out *pages.Section) error {
	e, err := rterArm(ctx, w, 30)
	if err != nil {
		return err
	}
	worst, err := e.worst(ctx)
	if err != nil {
		return err
	}
	half, err := w.run(ctx, "", fit.Job{Method: w.method("mohr-gleicher"), Model: e.m, Training: e.set})
	if err != nil {
		return err
	}
	list := e.shots(worst)
	list = append(list[:2:2], append([]shot{{title: "Mohr and Gleicher", note: "EE " + half.Report.EE.Text(1) + " %",
		frame: at(half.Model, e.clip, worst)}}, list[2:]...)...)
	out.Found = fmt.Sprintf("%s, which bends and twists. Mohr and Gleicher's are half-way joints and joints that grow and "+
		"shrink.", e.m.Name)
	return w.draw(ctx, out, &strip{shots: list})
}
