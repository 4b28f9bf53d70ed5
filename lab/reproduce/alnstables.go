package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/lab/reproduce/pages"
	"skinlab/lab/reproduce/papers"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

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
