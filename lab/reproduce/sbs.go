package main

import (
	"context"
	"fmt"
	"math"

	"skinlab/assets/chart"
	"skinlab/lab/reproduce/pages"
	"skinlab/lab/reproduce/papers"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// The kernel of spherical blending has no departures that a page could show.
const (
	sphericalKernel = "the kernel is the paper's equation 9, and nothing is fitted"
	sphericalCentre = "it is equation 9 with a centre that is given"
)

var sbs = Paper{
	Name: "sbs", Title: "Spherical Blend Skinning: A Real-time Deformation of Articulated Models",
	Source: "Ladislav Kavan, Jiří Žára, 2005",
	Lead: "Rotations are blended as quaternions about a centre that depends on the joints alone, so that skin stays round " +
		"where linear blending collapses, at almost the same cost.",
	Differs: []string{
		"Section 4: singular values of D below 1e-3 count as zero: nearly parallel joints would throw the centre far away. " +
			"The paper names no cut-off.",
		"Section 4: the centre is found by the normal equations of D, by a decomposition only where they are nearly singular.",
		"Section 4.2: the pivot of a vertex is the joint of its largest weight, where the paper takes any, so that files with " +
			"the same weights in another order look the same.",
		"Scale and shear of a joint are dropped: the paper's joints are rigid.",
	},
	Sections: []Section{
		{Name: "Figure 1", Title: "A segment and an arc",
			Shows:   "linear blending puts a vertex on a segment between where its joints take it, spherical blending on an arc.",
			Missing: drawing},
		{Name: "Figure 2", Title: "A twist by 180 degrees",
			Command: "skinlab compare demo:arm --clip twist --methods lbs,sbs -o twist.png", Make: sbsTwist, Same: sphericalKernel,
			Shows: "a shoulder twisted by 180 degrees collapses to a point by linear blending, and keeps its form by spherical " +
				"blending."},
		{Name: "Figure 3", Title: "The centre of rotation", Make: sbsCentre, Same: sphericalCentre,
			Shows: "an elbow turned about itself keeps its place; about the shoulder, the wrong centre, the skin drifts while it " +
				"turns."},
		{Name: "Figure 4", Title: "QLERP and SLERP", Make: sbsAngles, Same: "both interpolations are formulas",
			Shows: "the angles of normalised linear interpolation and of SLERP between two rotations half a turn apart, whose " +
				"difference is at most 8.15 degrees."},
		{Name: "Figure 5 and table 1", Title: "Models", Make: sbsModels, Same: "models have no algorithm",
			Shows:   "a hand, a woman and a creature of 2,402 to 6,802 vertices and 23 to 78 joints.",
			Missing: "The paper's models are not public."},
		{Name: "Figure 6", Title: "Postures by both methods", Make: sbsPostures, Same: sphericalKernel,
			Shows: "shoulders, hips and knees of the woman: spherical blending keeps the volume that linear blending loses, more " +
				"so in large turns."},
		{Name: "Table 2", Title: "Times, and how many centres are solved for", Make: sbsTable2,
			Same: sphericalKernel + "; centres are the least squares of section 4, solved without a singular value decomposition",
			Shows: "spherical blending takes 1.26 to 1.35 times as long as linear blending, and a few tens of centres are solved " +
				"for by SVD; true spherical averages take five times as long as QLERP."},
	},
}

// difference compares linear and spherical blending in pictures, where they differ most in a clip.
func difference(ctx context.Context, w *work, out *pages.Section, model, clip string) error {
	m, err := w.demo(model)
	if err != nil {
		return err
	}
	rows, err := compare.Run(ctx, m, compare.Options{Reference: skinning.SBS, Subjects: compare.Direct(skinning.LBS),
		Clip: clipOf(m, clip), Frames: w.size(41, 5), ShortestPath: true})
	if err != nil {
		return err
	}
	seconds := rows[0].WorstTime
	s := strip{title: fmt.Sprintf("%s, %s at %.1f s", model, clip, seconds), width: 400, height: 320}
	for _, method := range []skinning.Method{skinning.LBS, skinning.SBS} {
		f := atNamed(m, clip, seconds)
		volume := metrics.Volume(metrics.SkinBody(m), f.Positions(method)) /
			metrics.Volume(metrics.SkinBody(m), m.Skin.RestPositions(f.Morphs))
		s.shots = append(s.shots, shot{title: method.Title(), note: fmt.Sprintf("%.0f %% of the volume at rest", 100*volume),
			frame: f, method: method})
	}
	return w.draw(ctx, out, &s)
}

func sbsTwist(ctx context.Context, w *work, out *pages.Section) error {
	out.Found = "a twisted forearm, where both methods differ most."
	return difference(ctx, w, out, "demo:arm", "twist")
}

func sbsPostures(ctx context.Context, w *work, out *pages.Section) error {
	out.Found = "the built-in figure where its clips differ most. Volumes are those of the whole body, of which a joint is a " +
		"small part."
	for _, clip := range []string{"twist", "exercise", "jumping-jacks"} {
		if err := difference(ctx, w, out, "demo:figure", clip); err != nil {
			return err
		}
	}
	return nil
}

// sbsCentre turns a whole arm from the upper arm's motion to the forearm's about two centres (equation 9).
func sbsCentre(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo("demo:arm")
	if err != nil {
		return err
	}
	upper, err := jointOf(m, "upper_arm")
	if err != nil {
		return err
	}
	fore, err := jointOf(m, "forearm")
	if err != nil {
		return err
	}
	posed := atNamed(m, "flex", 2)
	a, b := posed.Matrices[upper], posed.Matrices[fore]
	p, q := geom.QuatFromMat3(a.Linear()), geom.QuatFromMat3(b.Linear())
	if p.Dot(q) < 0 {
		q = q.Scale(-1)
	}
	for _, centre := range []struct {
		title string
		joint int
	}{{"About the elbow, where both joints agree", fore}, {"About the shoulder", upper}} {
		rc := m.Skeleton.Joints[centre.joint].Position
		s := strip{title: centre.title, width: 240, height: 240}
		for k := range 5 {
			t := float64(k) / 4
			turn := p.Scale(1 - t).Add(q.Scale(t)).Normalize()
			move := a.Apply(rc).Mul(1 - t).Add(b.Apply(rc).Mul(t))
			positions := m.Skin.RestPositions(posed.Morphs)
			for v := range positions {
				positions[v] = turn.Rotate(positions[v].Sub(rc)).Add(move)
			}
			s.shots = append(s.shots, shot{title: fmt.Sprintf("weight %.2f", t), note: "of the forearm",
				frame: posed.Snapshot(positions)})
		}
		if err := w.draw(ctx, out, &s); err != nil {
			return err
		}
	}
	apart := func(rc [3]float64) float64 { return a.Apply(rc).Sub(b.Apply(rc)).Len() }
	out.Found = fmt.Sprintf("all of an arm, turned by equation 9 from the motion of the upper arm to that of the forearm. "+
		"Both take the elbow to places %.1f mm apart, "+
		"the shoulder %.0f mm: that is the drift.",
		1e3*apart(m.Skeleton.Joints[fore].Position), 1e3*apart(m.Skeleton.Joints[upper].Position))
	return nil
}

func sbsAngles(_ context.Context, _ *work, out *pages.Section) error {
	// Two rotations half a turn apart: their quaternions are at right angles, the worst case of section 4.1.
	p, q := geom.IdentityQuat(), geom.AxisAngle([3]float64{0, 0, 1}, math.Pi)
	c := &chart.Chart{Title: "Two rotations 180 degrees apart", X: chart.Axis{Label: "t", Step: 0.25},
		Y:      chart.Axis{Label: "angle, degrees", Step: 45},
		Curves: []chart.Curve{{Name: "QLERP"}, {Name: "SLERP"}}}
	angle := func(q geom.Quat) float64 { return 2 * math.Atan2(q[2], q[3]) * 180 / math.Pi }
	apart := &chart.Chart{Title: "Their difference", X: c.X, Y: chart.Axis{Label: "degrees", Step: 4},
		Curves: []chart.Curve{{Name: "QLERP − SLERP"}}}
	most := 0.0
	for k := range 401 {
		t := float64(k) / 400
		linear, spherical := angle(p.Scale(1-t).Add(q.Scale(t)).Normalize()), angle(geom.Slerp(p, q, t))
		c.At, apart.At = append(c.At, t), append(apart.At, t)
		c.Curves[0].Values, c.Curves[1].Values = append(c.Curves[0].Values, linear), append(c.Curves[1].Values, spherical)
		apart.Curves[0].Values = append(apart.Curves[0].Values, linear-spherical)
		most = max(most, math.Abs(linear-spherical))
	}
	out.AddChart(c, apart)
	out.Data = map[string]float64{"most_degrees": most}
	out.Found = fmt.Sprintf("%.2f degrees at most, measured with the quaternions of the program.", most)
	return nil
}

// sphericalRows are those of table 2.
func sphericalRows(ctx context.Context, w *work) ([]papers.SphericalRow, error) {
	names := []string{"demo:tube", "demo:bar", "demo:arm", "demo:figure"}
	if w.opt.Quick {
		names = []string{"demo:bar"}
	}
	models, err := w.models(names...)
	if err != nil {
		return nil, err
	}
	return once(w, "sbs rows", func() (rows []papers.SphericalRow, err error) {
		for _, m := range models {
			row, err := papers.SBSRow(ctx, m)
			if err != nil {
				return nil, err
			}
			rows = append(rows, *row)
		}
		return rows, nil
	})
}

func sbsModels(ctx context.Context, w *work, out *pages.Section) error {
	rows, err := sphericalRows(ctx, w)
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "model", Groups: []pages.Group{{Columns: []string{"vertices", "joints"}}}}
	for _, r := range printed.SBS.Table2 {
		table.Rows = append(table.Rows, pages.Row{Name: r.Model, Origin: pages.FromPaper,
			Cells: []string{fmt.Sprint(r.Vertices), fmt.Sprint(r.Joints)}})
	}
	for _, r := range rows {
		table.Rows = append(table.Rows, pages.Row{Name: r.Model, Cells: []string{fmt.Sprint(r.Vertices), fmt.Sprint(r.Joints)}})
	}
	out.AddTable(table)
	figure, err := w.demo("demo:figure")
	if err != nil {
		return err
	}
	return w.draw(ctx, out, &strip{shots: []shot{{title: figure.Name, frame: atNamed(figure, "exercise", 0)}}})
}

func sbsTable2(ctx context.Context, w *work, out *pages.Section) error {
	rows, err := sphericalRows(ctx, w)
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "model", Groups: []pages.Group{
		{Title: "a frame, ms", Columns: []string{"LBS", "SBS", "ratio"}},
		{Title: "centres", Columns: []string{"joint sets", "SVDs"}},
		{Title: "interpolation, ms", Columns: []string{"QLERP", "average", "ratio"}},
		{Title: "apart", Columns: []string{"degrees", "% of size"}}},
		Note: "One thread, medians, palettes and centres included. SVDs are joint sets that are neither one joint nor two " +
			"neighbours. QLERP and average are the same " +
			"kernel in plain Go with a normalised sum of quaternions and with the true spherical average; apart is how far both " +
			"are at most."}
	times := func(x ...float64) (cells []string) {
		for _, v := range x {
			cells = append(cells, number(v, 3))
			if v == 0 {
				cells[len(cells)-1] = "–"
			}
		}
		return cells
	}
	add := func(r *papers.SphericalRow, from pages.Origin) {
		cells := times(r.LBS, r.SBS, r.Ratio)
		sets, apart := "–", []string{"–", "–"}
		if from == "" {
			sets, apart = fmt.Sprint(r.Sets), []string{number(r.Degrees, 2), number(100*r.Distance, 3)}
		}
		cells = append(append(append(cells, sets, fmt.Sprint(r.SVDs)), times(r.Linear, r.Average, r.AverageRatio)...), apart...)
		table.Rows = append(table.Rows, pages.Row{Name: r.Model, Origin: from, Cells: cells})
	}
	for i := range printed.SBS.Table2 {
		add(&printed.SBS.Table2[i], pages.FromPaper)
	}
	var ratios []float64
	for i := range rows {
		add(&rows[i], "")
		ratios = append(ratios, rows[i].Ratio)
	}
	out.AddTable(table)
	out.Data = rows
	out.Found = span(ratios, 1) + " times as long as linear blending."
	return nil
}
