package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
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
	"skinlab/skinning/rig"
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

// alnsTable2 fits one blend bone to one pose.
func alnsTable2(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:box")
	if err != nil {
		return err
	}
	clip := clipOf(m, "twist")
	taught := []skinning.Method{skinning.DIB, skinning.DQS}
	var all [2][]way
	for i, teacher := range taught {
		all[i], err = w.ways(ctx, "one pose", fit.Job{Method: w.method("blend-bones"), Model: m, Values: fit.Values{"bones": 1},
			Training: &training.Set{Teacher: teacher, Clip: clip, Times: []float64{m.Clips[clip].Seconds}}})
		if err != nil {
			return err
		}
	}
	table := pages.Table{Corner: "weights", Groups: []pages.Group{{Title: "before", Columns: []string{"j = 1", "j = 2"}},
		{Origin: pages.FromPaper, Columns: []string{"j = 1", "j = 2", "bone"}}}}
	for i, first := range []float64{0.75, 0.5, 0.25} {
		v := nearest(m, first)
		row := pages.Row{Name: fmt.Sprintf("vertex %d", v)}
		for _, x := range weightsOf(m, v, 2) {
			row.Cells = append(row.Cells, number(x, 2))
		}
		for _, x := range printed.ALNS.Table2[i] {
			row.Cells = append(row.Cells, number(x, 2))
		}
		for _, way := range slices.Concat(all[:]...) {
			for _, x := range weightsOf(way.out.Model, v, 3) {
				row.Cells = append(row.Cells, number(x, 2))
			}
		}
		table.Rows = append(table.Rows, row)
	}
	var places []string
	for i, teacher := range taught {
		for _, v := range all[i] {
			name := teacher.String()
			table.Groups = append(table.Groups, pages.Group{Title: name, Origin: v.origin, Columns: []string{"j = 1", "j = 2", "bone"}})
			u := skinning.RigOf[*rig.BlendBones](v.out.Model).Bones[0].Weights
			places = append(places, fmt.Sprintf("u = (%.2f, %.2f) of %s %s", u[0], u[1], name, v.origin))
		}
	}
	out.AddTable(table)
	out.Found = strings.Join(places, ", ") + ". The paper's vertices twist by even steps, as DIB turns them. DQS blends " +
		"dual quaternions linearly, which turns a vertex of weights (0.75, 0.25) by less than a quarter of 180 degrees, so that " +
		"other weights come nearest."
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

// nearest returns the vertex whose weight of the first joint is nearest to a number.
func nearest(m *skinning.Model, weight float64) (vertex int) {
	least := math.Inf(1)
	for v := range m.Skin.Positions {
		if d := math.Abs(weightsOf(m, v, 1)[0] - weight); d < least {
			least, vertex = d, v
		}
	}
	return vertex
}

// weightsOf returns a vertex's weights of the first joints.
func weightsOf(m *skinning.Model, v, joints int) []float64 {
	w := make([]float64, joints)
	var buf [8]skinning.Influence
	for _, in := range m.Skin.Of(buf[:0], v) {
		if int(in.Joint) < joints {
			w[in.Joint] += float64(in.Weight)
		}
	}
	return w
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

// alnsRows are those of tables 3 and 4.
func alnsRows(ctx context.Context, w *work) ([]papers.TableRow, error) {
	models, err := w.models(alnsNames(w)...)
	if err != nil {
		return nil, err
	}
	return once(w, "alns rows", func() (rows []papers.TableRow, err error) {
		for _, m := range models {
			row, err := papers.ALNSRow(ctx, m, func(ctx context.Context, job fit.Job) (ours, published *fit.Result, err error) {
				all, err := w.blendWays(ctx, job)
				if err != nil {
					return nil, nil, err
				}
				return all[len(all)-1].out, all[0].out, nil
			})
			if err != nil {
				return nil, err
			}
			rows = append(rows, *row)
		}
		return rows, nil
	})
}

func alnsTable3(ctx context.Context, w *work, out *pages.Section) error {
	rows, err := alnsRows(ctx, w)
	if err != nil {
		return err
	}
	models, err := w.models(alnsNames(w)...)
	if err != nil {
		return err
	}
	fits := pages.Table{Title: "Fits to dual quaternions, with scale where joints scale", Corner: "model",
		Note: "EE in percent of the best rigid prediction, on the poses of the training. Infl. is influences a vertex, before " +
			"and after.",
		Groups: []pages.Group{{Columns: []string{"vertices", "bones", "infl.", "frames", "blend bones"}}}}
	sizes := func(r *papers.TableRow) []string {
		return []string{fmt.Sprint(r.Vertices), fmt.Sprint(r.Bones), number(r.InfluencesBefore, 2), fmt.Sprint(r.Frames),
			fmt.Sprint(r.BlendBones)}
	}
	for i := range printed.ALNS.Table3 {
		r := &printed.ALNS.Table3[i]
		fits.Rows = append(fits.Rows, pages.Row{Name: r.Model, Origin: pages.FromPaper, Cells: append(sizes(r),
			number(r.EE, 2), number(r.FitSeconds, 1), number(r.InfluencesAfter, 2), "–", "–", "–")})
	}
	var errors, blended, published, dqs, dib []float64 // of fits as published; times, of linear blending's
	for i := range rows {
		r := &rows[i]
		all, err := blend(ctx, w, models[i], papers.ALNSBones(models[i]))
		if err != nil {
			return err
		}
		cells := sizes(r)
		fits.Groups = fits.Groups[:1]
		for _, v := range all {
			fits.Groups = append(fits.Groups, pages.Group{Origin: v.origin, Columns: []string{"EE, %", "seconds", "infl."}})
			f := v.out.Report
			if v.origin == pages.Published {
				errors = append(errors, float64(f.EE))
			}
			cells = append(cells, f.EE.Text(2), number(f.Seconds, 2), number(f.InfluencesAfter, 2))
		}
		fits.Rows = append(fits.Rows, pages.Row{Name: r.Model, Cells: cells})
		blended, published = append(blended, r.Ratio["dqs"]), append(published, r.PublishedRatio["dqs"])
		dqs, dib = append(dqs, r.Direct["dqs"]/r.LBS), append(dib, r.Direct["dib"]/r.LBS)
	}
	frames, ratios := frameTables(rows)
	out.AddTable(fits)
	out.AddTable(frames)
	out.AddTable(ratios)
	out.Data = rows
	out.Found = fmt.Sprintf("linear blending with blend bones takes %s times as long as without (%s times as published), dual "+
		"quaternions %s times, DIB %s times.", span(blended, 2), span(published, 2), span(dqs, 2), span(dib, 1))
	above, err := alnsAbove(ctx, w, models)
	out.Found += fmt.Sprintf(" As published the fits end at %s %%, the paper's at 3.0 to 4.7.%s", span(errors, 1), above)
	return err
}

// alnsAbove says of the models that end above the paper's errors with the paper's bones what error is left, and how
// many bones are enough.
func alnsAbove(ctx context.Context, w *work, models []*skinning.Model) (words string, err error) {
	most := 0.0
	for _, p := range printed.ALNS.Table3 {
		most = max(most, p.EE)
	}
	for _, m := range models {
		all, err := blend(ctx, w, m, papers.ALNSBones(m))
		if err != nil {
			return "", err
		}
		r := all[0].out // as published
		if w.opt.Quick || float64(r.Report.EE) <= most {
			continue
		}
		job := fit.Job{Method: w.method("blend-bones"), Model: m, Training: alnsTraining(m, papers.ALNSOperator(m)),
			Values: fit.Values{"bones": 40, fit.AsPublished: 1}}
		more, err := w.run(ctx, "more bones", job)
		if err != nil {
			return "", err
		}
		enough := "is not reached with 40"
		for _, p := range more.Report.History {
			if float64(p.EE) <= most {
				enough = fmt.Sprintf("takes %d", p.AddedBones)
				break
			}
		}
		place, share := mostMissed(m, r.Model, papers.ALNSTraining(m), papers.ALNSOperator(m))
		words += fmt.Sprintf(" %s has %d joints and %.2f influences a vertex, where the paper's characters have at most 1.95: "+
			"more joints blend than %d bones can follow. The skin of %s has most of the error that is left, %.0f %% of its "+
			"squares. The fit has %s %% with 40 bones, and to end at 4.7 %% %s.", m.Name, len(m.Skeleton.Joints),
			r.Report.InfluencesBefore, papers.ALNSBones(m), strings.Join(place, ", "), 100*share, more.Report.EE.Text(1), enough)
	}
	return words, nil
}

// mostMissed returns the joints whose skin has the largest share of a fit's squared error, and that share: as many
// joints as have half of it. The skin of a joint is the vertices that follow it most.
func mostMissed(m, fitted *skinning.Model, part training.Part, method skinning.Method) (names []string, share float64) {
	const frames = 12
	squares, total := make([]float64, len(m.Skeleton.Joints)), 0.0
	var buf [8]skinning.Influence
	for k := range frames {
		t := m.Clips[part.Clip].Seconds * float64(k) / (frames - 1)
		want, got := at(m, part.Clip, t).Positions(method), at(fitted, part.Clip, t).Positions(skinning.LBS)
		for v := range want {
			most := slices.MaxFunc(m.Skin.Of(buf[:0], v),
				func(a, b skinning.Influence) int { return cmp.Compare(a.Weight, b.Weight) })
			d := got[v].Sub(want[v])
			squares[most.Joint] += d.Dot(d)
			total += d.Dot(d)
		}
	}
	for share < 0.5 {
		worst := 0
		for j := range squares {
			if squares[j] > squares[worst] {
				worst = j
			}
		}
		names, share = append(names, m.Skeleton.Joints[worst].Name), share+squares[worst]/total
		squares[worst] = 0
	}
	return names, share
}

// frameTables are the times of table 3 and their ratios, the paper's above ours.
func frameTables(rows []papers.TableRow) (frames, ratios pages.Table) {
	operators := []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB}
	direct, linear := []string{"DQS", "SDQS", "DIB"}, []string{"DQS'", "SDQS'", "DIB'"}
	fitted := []pages.Group{{Origin: pages.Published, Columns: linear}, {Origin: pages.Ours, Columns: linear}}
	frames = pages.Table{Title: "A frame, ms", Corner: "model",
		Groups: append([]pages.Group{{Columns: append([]string{"LBS"}, direct...)}}, fitted...),
		Note: "One thread, positions and normals; X' is linear blending with blend bones fitted to X, their evaluation " +
			"included. " + papers.Scaling(rows)}
	ratios = pages.Table{Title: "A frame, in times of linear blending without blend bones", Corner: "model",
		Groups: append([]pages.Group{{Columns: direct}}, fitted...)}
	add := func(r *papers.TableRow, from pages.Origin, decimals int) {
		own, times := []map[string]float64{r.Published, r.Blend}, []map[string]float64{r.PublishedRatio, r.Ratio}
		if from == pages.FromPaper {
			own, times = []map[string]float64{r.Blend, nil}, []map[string]float64{r.Ratio, nil}
		}
		ms, of := []string{number(r.LBS, decimals)}, []string{}
		for _, m := range operators {
			ms, of = append(ms, number(r.Direct[m.String()], decimals)), append(of, number(r.Direct[m.String()]/r.LBS, 2))
		}
		for i := range own {
			for _, m := range operators {
				ms, of = append(ms, present(own[i], m, decimals)), append(of, present(times[i], m, 2))
			}
		}
		frames.Rows = append(frames.Rows, pages.Row{Name: r.Model, Origin: from, Cells: ms})
		ratios.Rows = append(ratios.Rows, pages.Row{Name: r.Model, Origin: from, Cells: of})
	}
	for i := range printed.ALNS.Table3 {
		add(&printed.ALNS.Table3[i], pages.FromPaper, 2)
	}
	for i := range rows {
		add(&rows[i], "", 3)
	}
	return frames, ratios
}

// present is the number of a method, or a dash where there are none.
func present(of map[string]float64, m skinning.Method, decimals int) string {
	if x, ok := of[m.String()]; ok {
		return number(x, decimals)
	}
	return "–"
}

func alnsFigure7(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:tube")
	if err != nil {
		return err
	}
	all, err := blend(ctx, w, m, w.size(papers.ALNSBones(m), 2))
	if err != nil {
		return err
	}
	half, err := w.run(ctx, "half", fit.Job{Method: w.method("half-way"), Model: m, Training: alnsTraining(m, skinning.DQS)})
	if err != nil {
		return err
	}
	clip := clipOf(m, "writhe")
	rows, err := compare.Run(ctx, m, compare.Options{Reference: skinning.DQS, Subjects: compare.Direct(skinning.LBS),
		Clip: clip, Frames: w.size(41, 5), ShortestPath: true})
	if err != nil {
		return err
	}
	worst := rows[0].WorstTime
	fits := []shot{{title: "Half-way joints", frame: at(half.Model, clip, worst)}}
	for _, v := range all {
		fits = append(fits, shot{title: fmt.Sprintf("%d blend bones", len(v.out.Model.Added())), note: string(v.origin),
			frame: at(v.out.Model, clip, worst)})
	}
	taught := alnsTraining(m, skinning.DQS)
	taught.Parts = append(taught.Parts, training.Part{Clip: clip, Frames: w.size(24, 3)})
	more, err := w.run(ctx, "both clips", fit.Job{Method: w.method("blend-bones"), Model: m, Training: taught,
		Values: fit.Values{"bones": float64(w.size(papers.ALNSBones(m), 2)), fit.AsPublished: 1}})
	if err != nil {
		return err
	}
	fits = append(fits, shot{title: "Trained on this clip too", note: string(pages.Published), frame: at(more.Model, clip, worst)})
	var errors []string // on the clip
	rough := func(r *fit.Result) string { return number(1e3*roughness(m, r.Model, skinning.DQS, clip), 2) }
	ee := func(r *fit.Result) string { return fit.TestOn(ctx, m, r.Model, skinning.DQS, clip).EE.Text(1) }
	for _, v := range append([]way{{"half-way joints", half}}, all...) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errors = append(errors, fmt.Sprintf("%s %% (%s)", ee(v.out), v.origin))
	}
	published := all[0].out
	out.Found = fmt.Sprintf("an elastic tube in a clip that was not trained on, where linear blending is worst. EE on this clip: "+
		"%s. The paper calls its blend bones and dual quaternions practically indistinguishable. Ours can be told apart, by "+
		"bumps: the Laplacian of the error is %s mm RMS as published, %s mm ours. Every vertex has its weights solved by "+
		"itself, from %d poses of another clip, and nothing ties it to its neighbours: along an edge weights change by %.2f as "+
		"published, by %.2f in the file. The same fit that learns from %d poses of this clip too has bumps of %s mm, and an EE of "+
		"%s %%.", strings.Join(errors, ", "), rough(published), rough(all[len(all)-1].out), published.Report.Frames,
		weightChange(published.Model), weightChange(m), taught.Parts[1].Frames, rough(more), ee(more))
	return w.draw(ctx, out, &strip{shots: beside(m, clip, worst, skinning.DQS, fits...), width: 300, height: 340})
}

// neighbours returns for each vertex of a skin those that share an edge with it.
func neighbours(m *skinning.Model) [][]uint32 {
	out := make([][]uint32, len(m.Skin.Positions))
	for _, t := range m.Skin.Triangles {
		for a := range 3 {
			for b := range 3 {
				if v := uint32(t[b]); a != b && !slices.Contains(out[t[a]], v) {
					out[t[a]] = append(out[t[a]], v)
				}
			}
		}
	}
	return out
}

// roughness is how bumpy a fit's error is over a clip, metres: the RMS difference of a vertex's error from the mean
// of its neighbours'.
func roughness(m, fitted *skinning.Model, method skinning.Method, clip int) float64 {
	const frames = 41
	beside, sum := neighbours(m), 0.0
	for k := range frames {
		t := m.Clips[clip].Seconds * float64(k) / (frames - 1)
		off := at(fitted, clip, t).Positions(skinning.LBS)
		for v, p := range at(m, clip, t).Positions(method) {
			off[v] = off[v].Sub(p)
		}
		for v, d := range off {
			for _, u := range beside[v] {
				d = d.Sub(off[u].Mul(1 / float64(len(beside[v]))))
			}
			if len(beside[v]) > 0 {
				sum += d.Dot(d)
			}
		}
	}
	return math.Sqrt(sum / float64(frames*len(beside)))
}

// weightChange is the mean over the edges of a skin of Σ|w_j − w'_j| over all joints j, of the weights at its two ends.
func weightChange(m *skinning.Model) float64 {
	sum, edges := 0.0, 0
	for v, list := range neighbours(m) {
		own := weightsOf(m, v, len(m.Skeleton.Joints))
		for _, u := range list {
			for j, x := range weightsOf(m, int(u), len(own)) {
				sum += math.Abs(x - own[j])
			}
			edges++
		}
	}
	return sum / float64(edges)
}

func alnsTable4(ctx context.Context, w *work, out *pages.Section) error {
	models, err := w.models(alnsNames(w)...)
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "model", Note: "EE in percent of the best rigid prediction: on the training poses, on the " +
		"whole clip that they are from, and on the next clip of the file."}
	worse := map[pages.Origin][]float64{} // on another clip than in training
	var lost []string                     // to linear blending there, as published
	for _, m := range models {
		part := papers.ALNSTraining(m)
		if part.Clip < 0 || len(m.Clips) < 2 {
			continue
		}
		all, err := blend(ctx, w, m, papers.ALNSBones(m))
		if err != nil {
			return err
		}
		unseen := (part.Clip + 1) % len(m.Clips)
		row := pages.Row{Name: m.Name + ", " + m.Clips[unseen].Name}
		table.Groups = nil
		for _, v := range all {
			full := fit.TestOn(ctx, m, v.out.Model, papers.ALNSOperator(m), part.Clip)
			other := fit.TestOn(ctx, m, v.out.Model, papers.ALNSOperator(m), unseen)
			if full == nil || other == nil {
				return ctx.Err()
			}
			table.Groups = append(table.Groups, pages.Group{Origin: v.origin, Columns: []string{"input", "full", "unseen"}})
			row.Cells = append(row.Cells, v.out.Report.EE.Text(2), full.EE.Text(2), other.EE.Text(2))
			worse[v.origin] = append(worse[v.origin], float64(other.EE/v.out.Report.EE))
			if v.origin == pages.Published && other.EE > other.LBSEE {
				job := fit.Job{Method: w.method("blend-bones"), Model: m, Training: alnsTraining(m, papers.ALNSOperator(m)),
					Values: fit.Values{"bones": float64(papers.ALNSBones(m)), fit.AsPublished: 1}}
				job.Training.Parts = append(job.Training.Parts, training.Part{Clip: unseen, Frames: 12})
				both, err := w.run(ctx, "both clips", job)
				if err != nil {
					return err
				}
				lost = append(lost, fmt.Sprintf("%s (%s for %s %%; trained on 12 poses of it too, it has %s %%)", row.Name,
					other.EE.Text(1), other.LBSEE.Text(1), fit.TestOn(ctx, m, both.Model, papers.ALNSOperator(m), unseen).EE.Text(1)))
			}
			if v.origin == pages.Ours {
				row.Cells = append(row.Cells, full.LBSEE.Text(2), other.LBSEE.Text(2))
			}
		}
		table.Groups = append(table.Groups, pages.Group{Title: "linear blending", Columns: []string{"full", "unseen"}})
		table.Rows = append(table.Rows, row)
	}
	var above []pages.Row
	for _, p := range printed.ALNS.Table4 {
		row := pages.Row{Name: p.Name, Origin: pages.FromPaper, Cells: []string{number(p.Input, 2), number(p.Full, 2),
			number(p.Unseen, 2)}}
		for len(row.Cells) < len(table.Rows[0].Cells) {
			row.Cells = append(row.Cells, "–")
		}
		above = append(above, row)
	}
	table.Rows = append(above, table.Rows...)
	out.AddTable(table)
	out.Found = fmt.Sprintf("on another clip the error is %s times as large as published, %s times ours.",
		span(worse[pages.Published], 1), span(worse[pages.Ours], 1))
	if len(lost) > 0 {
		out.Found += " As published the fit loses to linear blending on " + strings.Join(lost, ", ") + ". What turns in that clip did not turn in the poses of the training, so that any " +
			"weights were as good there; the paper's training clip was made to exercise all critical regions. Ours adds poses of " +
			"its own."
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
