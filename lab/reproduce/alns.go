package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"skinlab/assets/chart"
	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/training"
	"skinlab/lab/reproduce/pages"
	"skinlab/lab/reproduce/papers"
	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
)

var alns = Paper{
	Name: "alns", Title: "Automatic Linearization of Nonlinear Skinning",
	Fit:    "blend-bones",
	Source: "Ladislav Kavan, Steven Collins, Carol O'Sullivan, 2009",
	Lead: "A few added bones, samples of a nonlinear method between a model's own joints, make plain linear blending look " +
		"like that method. Their places and the weights of " +
		"the skin are fitted to poses of one clip.",
	Sections: []Section{
		{Name: "Figure 1", Title: "Linear blending, dual quaternions, blend bones", Make: alnsFigure1,
			Command: "skinlab compare demo:figure --methods lbs,dqs,blend-bones:10 -o figure.png",
			Shows: "twisted arms collapse by linear blending and keep their form by dual quaternions; ten blend bones in the " +
				"critical places make linear blending the same."},
		{Name: "Table 1", Title: "Methods by their overheads", Shows: "an overview of methods in O notation.",
			Missing: "It holds no measurement: time and memory are in table 3 here, and in the page of RTER."},
		{Name: "Figure 2", Title: "An arc and its pieces",
			Shows: "a spherical arc is approximated by a chord, a long one by three.", Missing: drawing},
		{Name: "Figure 3", Title: "A box twisted by 180 degrees", Make: alnsFigure3,
			Command: "skinlab compare demo:box --clip train --frames 4 --methods lbs,blend-bones:1,blend-bones:2,blend-bones:4,dqs " +
				"-o box.png",
			Shows: "linear blending collapses; one, two and four blend bones come closer and closer to dual quaternions."},
		{Name: "Table 2", Title: "Weights with one blend bone", Make: alnsTable2,
			Shows: "in one pose, a twist by 180 degrees, the blend bone is half-way (u = 0.5, 0.5), and a vertex of weights (0.75, " +
				"0.25) gets (0.5, 0) and 0.5 of it."},
		{Name: "Figure 4", Title: "A step of the solver", Make: alnsFigure4,
			Shows: "from u = (0.66, 0.34) the w' step, the linearised u step and its result, nearer to (0.5, 0.5)."},
		{Name: "Figures 5 and 6", Title: "Models", Make: alnsModels,
			Shows:   "characters, a box and an elastic tube, almost all of which its blend bones move.",
			Missing: "The characters are not public. Ours are built in, and files that are named with --models."},
		{Name: "Table 3", Title: "Fits and frame times", Make: alnsTable3,
			Shows: "4 to 15 blend bones bring the error to 3 to 5 percent; linear blending with them is a few percent slower than " +
				"without, where dual quaternions take 2 to 3 times, DIB 10 to 15 times as long."},
		{Name: "Figure 7", Title: "Bend and twist at once", Make: alnsFigure7,
			Shows: "half-way joints (Mohr and Gleicher 2003) are better than linear blending, but know no joints that are not " +
				"neighbours; blend bones look like dual quaternions."},
		{Name: "Table 4", Title: "Poses that were not trained on", Make: alnsTable4,
			Shows: "trained on 12 frames of a clip, the error on all of it is hardly larger, and on another clip 1.3 to 2.3 times " +
				"as large."},
		{Name: "Figure 8", Title: "Error by number of blend bones", Make: alnsFigure8,
			Shows: "the error falls fastest for the box and slowest for the tube, whose joints overlap; the character falls in a " +
				"step at the second bone, which is for the other shoulder."},
		{Name: "Figure 9", Title: "Turned by almost 360 degrees", Make: alnsFigure9,
			Command: "skinlab fit blend-bones demo:box --operator dib --bones 8 --train full-turn:8 --shortest-path=false -o box.glb",
			Shows: "near a full turn DQS breaks where DIB stays even, and blend bones fitted to DIB follow it in the time of " +
				"linear blending."},
	},
}

// alnsTraining is what the paper's fits learn from: frames of one clip.
func alnsTraining(m *skinning.Model, teacher skinning.Method) *training.Set {
	return &training.Set{Teacher: teacher, Parts: []training.Part{papers.ALNSTraining(m)}}
}

// blend fits a number of blend bones to dual quaternions, with scale if joints scale, on the paper's training poses,
// both as published and with our defaults.
func blend(ctx context.Context, w *work, m *skinning.Model, bones int) ([]way, error) {
	return w.blendWays(ctx, fit.Job{Method: w.method("blend-bones"), Model: m,
		Training: alnsTraining(m, papers.ALNSOperator(m)),
		Values:   fit.Values{"bones": float64(bones)}})
}

// blendWays is [work.ways] of a fit to [alnsTraining]: sections share it by bones and teacher.
func (w *work) blendWays(ctx context.Context, job fit.Job) ([]way, error) {
	return w.ways(ctx, fmt.Sprintf("%v bones of %s", job.Values["bones"], job.Training.Teacher), job)
}

// apart returns the EE, percent, of a fitted model against a method at one time of a clip.
func apart(m, fitted *skinning.Model, method skinning.Method, clip int, seconds float64) metrics.Percent {
	return fit.Measure(context.Background(), m, fitted, method, []training.ClipTime{{Clip: clip, Time: seconds}}).EE
}

// clipOf finds a clip of a built-in model.
func clipOf(m *skinning.Model, name string) int {
	i, err := m.ClipIndex(name)
	if err != nil {
		panic(err) // a bug
	}
	return i
}

// beside returns shots of linear blending, of fits, and of the method that these imitate, in one pose.
func beside(m *skinning.Model, clip int, seconds float64, method skinning.Method, fits ...shot) []shot {
	list := []shot{{title: "Linear blending", note: fmt.Sprintf("EE %s %%", apart(m, m, method, clip, seconds).Text(1)),
		frame: at(m, clip, seconds)}}
	for _, s := range fits {
		note := fmt.Sprintf("EE %s %%", apart(m, s.frame.Model, method, clip, seconds).Text(1))
		s.note = strings.TrimPrefix(s.note+", "+note, ", ")
		if s.surface != 0 {
			s.note = ""
		}
		list = append(list, s)
	}
	return append(list, shot{title: method.Title(), frame: at(m, clip, seconds), method: method})
}

func alnsFigure1(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo(w.name("demo:figure", "demo:bar"))
	if err != nil {
		return err
	}
	all, err := blend(ctx, w, m, papers.ALNSBones(m))
	if err != nil {
		return err
	}
	clip := papers.ALNSTraining(m).Clip
	rows, err := compare.Run(ctx, m, compare.Options{Reference: skinning.DQS, Subjects: compare.Direct(skinning.LBS),
		Clip: clip, Frames: w.size(41, 5), ShortestPath: true})
	if err != nil {
		return err
	}
	worst := rows[0].WorstTime
	var fits []shot
	for _, v := range all {
		fits = append(fits, shot{title: fmt.Sprintf("%d blend bones", len(v.out.Model.Added())), note: string(v.origin),
			frame: at(v.out.Model, clip, worst)})
	}
	last := all[len(all)-1].out.Model
	fits = append(fits, shot{title: "What ours move", frame: at(last, clip, worst), surface: picture.SurfacePaint,
		tints: paint(last)})
	out.Found = fmt.Sprintf("%s at %.1f s of its clip %s, where linear blending is worst. EE is of that pose; the command's is "+
		"of a whole clip.", m.Name, worst, m.Clips[clip].Name)
	return w.draw(ctx, out, &strip{shots: beside(m, clip, worst, skinning.DQS, fits...), width: 320, height: 320})
}

func alnsFigure3(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:box")
	if err != nil {
		return err
	}
	clip, fits := clipOf(m, "twist"), map[pages.Origin][]shot{}
	var origins []pages.Origin
	for _, bones := range []int{1, 2, 4} {
		all, err := blend(ctx, w, m, bones)
		if err != nil {
			return err
		}
		for _, v := range all {
			if bones == 1 {
				origins = append(origins, v.origin)
			}
			fits[v.origin] = append(fits[v.origin], shot{title: fmt.Sprintf("β = %d", bones),
				frame: at(v.out.Model, clip, m.Clips[clip].Seconds)})
		}
	}
	out.Found = "EE is of the pictured pose, a twist by 180 degrees; the command's is of all four poses of the training."
	for _, origin := range origins {
		s := strip{title: string(origin), width: 300, height: 220, shots: beside(m, clip, m.Clips[clip].Seconds, skinning.DQS,
			fits[origin]...)}
		if err := w.draw(ctx, out, &s); err != nil {
			return err
		}
	}
	return nil
}

// alnsFigure4 follows the solver from the figure's start.
func alnsFigure4(_ context.Context, _ *work, out *pages.Section) error {
	const rounds = 6
	c := &chart.Chart{Title: "From u = (0.66, 0.34) to (0.5, 0.5)", X: chart.Axis{Label: "rounds", Step: 1},
		Y: chart.Axis{Label: "u of the first joint − 0.5"}}
	table := pages.Table{Corner: "round", Note: "E is equation 2, the squared distances of the three vertices of figure 3, " +
		"after the w' step and after the u step of a round."}
	for round := range rounds + 1 {
		c.At = append(c.At, float64(round))
		table.Rows = append(table.Rows, pages.Row{Name: fmt.Sprint(round)})
	}
	var found []string
	for _, origin := range []pages.Origin{pages.Published, pages.Ours} {
		recipe := blendbones.Ours()
		if origin == pages.Published {
			recipe = blendbones.Published()
		}
		list := blendbones.Figure4(rounds, recipe)
		curve := chart.Curve{Name: string(origin)}
		for round := range rounds + 1 {
			h, row := &list[2*round], &table.Rows[round]
			curve.Values = append(curve.Values, h.U[0]-0.5)
			w := "–"
			if round > 0 {
				w = number(list[2*round-1].Error, 4)
			}
			row.Cells = append(row.Cells, w, number(h.Error, 4), fmt.Sprintf("(%.3f, %.3f)", h.U[0], h.U[1]))
		}
		c.Curves = append(c.Curves, curve)
		table.Groups = append(table.Groups, pages.Group{Origin: origin, Columns: []string{"E after w'", "E after u", "u"}})
		found = append(found, fmt.Sprintf("u = (%.2f, %.2f) %s", list[2].U[0], list[2].U[1], origin))
	}
	out.AddChart(c)
	out.AddTable(table)
	out.Found = "the first round leads to " + strings.Join(found, " and ") + ", whose weights follow the bone within the step."
	return nil
}

// alnsNames are the models of the page.
func alnsNames(w *work) []string {
	if w.opt.Quick {
		return []string{"demo:bar"}
	}
	return []string{"demo:box", "demo:tube", "demo:worm", "demo:arm", "demo:figure"}
}

func alnsModels(ctx context.Context, w *work, out *pages.Section) error {
	models, err := w.models(alnsNames(w)...)
	if err != nil {
		return err
	}
	for _, m := range models {
		all, err := blend(ctx, w, m, papers.ALNSBones(m))
		if err != nil {
			return err
		}
		s := strip{title: m.Name, width: 320, height: 240, shots: []shot{{title: "The model", frame: at(m, 0, 0)}}}
		for _, v := range all {
			fitted := v.out.Model
			s.shots = append(s.shots, shot{title: "What its blend bones move", frame: at(fitted, 0, 0),
				note:    fmt.Sprintf("%s, %d of them", v.origin, len(fitted.Added())),
				surface: picture.SurfacePaint, tints: paint(fitted)})
		}
		if err := w.draw(ctx, out, &s); err != nil {
			return err
		}
	}
	return nil
}

func alnsFigure8(ctx context.Context, w *work, out *pages.Section) error {
	const most = 12
	models, err := w.models(alnsNames(w)...)
	if err != nil {
		return err
	}
	charts := map[pages.Origin]*chart.Chart{}
	var left []string // of the error of our fits
	for _, m := range models {
		all, err := blend(ctx, w, m, papers.ALNSBones(m))
		if err != nil {
			return err
		}
		for _, v := range all {
			c := charts[v.origin]
			if c == nil {
				c = &chart.Chart{Title: "Fits to dual quaternions, " + string(v.origin), X: chart.Axis{Label: "blend bones", Step: 1},
					Y: chart.Axis{Label: "EE, %"}}
				for k := range most + 1 {
					c.At = append(c.At, float64(k))
				}
				charts[v.origin] = c
				out.AddChart(c)
			}
			curve := chart.Curve{Name: m.Name, Values: make([]float64, most+1)}
			for k := range curve.Values {
				curve.Values[k] = math.NaN()
			}
			for _, p := range v.out.Report.History {
				if p.AddedBones <= most {
					curve.Values[p.AddedBones] = float64(p.EE)
				}
			}
			c.Curves = append(c.Curves, curve)
			if v.origin == pages.Ours && curve.Values[1] >= 0 {
				left = append(left, fmt.Sprintf("%.0f %% of %s's", 100*curve.Values[1]/curve.Values[0], m.Name))
			}
		}
	}
	out.Found = "the first bone of ours leaves " + strings.Join(left, ", ") + " error."
	return nil
}

// alnsFigure9 follows rotations through a clip, past 180 degrees.
func alnsFigure9(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:box")
	if err != nil {
		return err
	}
	clip := clipOf(m, "full-turn")
	end := m.Clips[clip].Seconds
	all, err := w.ways(ctx, "full turn", fit.Job{Method: w.method("blend-bones"), Model: m,
		Training: &training.Set{Teacher: skinning.DIB, Parts: []training.Part{{Clip: clip, Frames: w.size(8, 3)}}},
		Values:   fit.Values{"bones": float64(w.size(8, 2)), fit.ShortestPath.Name: 0}})
	if err != nil {
		return err
	}
	shown := compare.Pose(m, clip, false).At(end)
	rest := metrics.Volume(metrics.SkinBody(m), m.Skin.RestPositions(shown.Morphs))
	volume := func(f *skinning.Frame, method skinning.Method) string {
		return fmt.Sprintf("%.0f %% of the volume", 100*metrics.Volume(metrics.SkinBody(m), f.Positions(method))/rest)
	}
	s := strip{width: 320, height: 240}
	add := func(title, note string, f *skinning.Frame, method skinning.Method) {
		s.shots = append(s.shots, shot{title: title, note: note + volume(f, method), frame: f, method: method})
	}
	for _, method := range []skinning.Method{skinning.LBS, skinning.DQS} {
		add(method.Title(), "", shown, method)
	}
	var errs []string
	for _, v := range all {
		add(fmt.Sprintf("%d blend bones of DIB", len(v.out.Model.Added())), string(v.origin)+", ", at(v.out.Model, clip, end),
			skinning.LBS)
		test := fit.TestOn(ctx, m, v.out.Model, skinning.DIB, clip)
		if test == nil {
			return ctx.Err()
		}
		errs = append(errs, fmt.Sprintf("%s %% %s", test.EE.Text(1), v.origin))
	}
	add(skinning.DIB.Title(), "", shown, skinning.DIB)
	out.Found = fmt.Sprintf("a box turned by 350 degrees, its rotations followed through the clip. EE of the blend bones "+
		"against DIB over the whole turn: %s.", strings.Join(errs, ", "))
	return w.draw(ctx, out, &s)
}
