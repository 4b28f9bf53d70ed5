package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/chart"
	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/lab/reproduce/pages"
	"skinlab/lab/reproduce/papers"
	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

// The legs of HBR section 6, built in.
const (
	leg       = "demo:leg"
	legSmooth = "demo:leg-smooth"
)

var hbr = Paper{
	Name: "hbr", Title: "Building Helper Bone Rigs from Examples", Source: "Tomohiko Mukai, 2015",
	Fit: "helper-bones",
	Lead: "A few bones that polynomials of joint angles move give linear blending the muscles of example shapes. Bones are " +
		"inserted one by one where the error is " +
		"largest, weights and motions are solved in turn, and a Lasso finds the polynomials.",
	Sections: []Section{
		{Name: "Figure 1", Title: "Overview",
			Shows:   "the steps from examples to a rig, on an arm.",
			Missing: "It is a drawing of the method: figures 4 to 6 show the same steps with numbers."},
		{Name: "Figure 2", Title: "The leg and its examples", Make: legPictures, Same: "nothing is fitted",
			Shows: "a leg of 663 vertices, 3 joints that turn with 5 degrees of freedom, and eleven muscles that a simulation " +
				"moves; 6,750 examples on a grid of its angles.",
			Missing: "The paper's leg is a sample asset of a modelling program, and its muscles are that program's. Ours is built " +
				"in: as many vertices, joints and " +
				"examples, half as tall, with muscles of our own, whose true shape is known in every pose."},
		{Name: "Figure 3", Title: "Error by number of bones and iterations",
			Make:  hbrFigure3,
			Shows: "the error falls with every iteration and every bone; four bones are hardly worse than five."},
		{Name: "Section 6.2", Title: "Time of an iteration", Make: hbrTimes,
			Shows: "insertion, weights and transformations take 0.17, 0.51 and 0.17 s with one bone, 0.17, 0.82 and 0.72 s with " +
				"four; 20 iterations 15 and 32 s, on eight threads of a Core i7-4770."},
		{Name: "Figure 4", Title: "Rigs of one to four helper bones", Make: hbrFigure4,
			Shows: "bones near hip, knee and ankle repair the collapse of linear blending, one in the thigh makes the muscle bulge."},
		{Name: "Figure 5", Title: "What each helper bone moves", Make: hbrFigure5,
			Shows: "the first bone has a large area of the thigh, the others less: the first is inserted where the error is largest."},
		{Name: "Table 1", Title: "Sparse polynomials", Make: hbrTable1,
			Shows: "controllers make the error 1.5 to 1.9 times as large; a quadratic is almost as good as a cubic; the Lasso " +
				"removes terms at little cost."},
		{Name: "Section 6.3", Title: "Cost of the controllers", Make: hbrCost,
			Shows: "all four helper bones take about 5 µs a frame, 1 µs for the variables and 1 µs for each bone."},
		{Name: "Figure 6", Title: "A stylized leg, with four and with eight bones", Make: hbrFigure6,
			Shows: "on a leg of 8,322 vertices with exaggerated muscles eight bones take the error before controllers from 1.75 " +
				"to 1.23 cm, and hardly change the final one (2.90 to 2.79 cm)."},
	},
}

// legGrid is the paper's 6,750 examples of a built-in leg (HBR section 6.1), or every step-th of them.
func legGrid(m *skinning.Model, step int) *training.Set {
	l, _ := demo.LegOf(m)
	var grid []demo.LegPose
	for i, p := range demo.LegGrid() {
		if i%step == 0 {
			grid = append(grid, p)
		}
	}
	set := &training.Set{Title: "grid", Targets: l.Shapes(grid)}
	for _, p := range grid {
		pose := m.NewPose()
		l.SetPose(pose, p)
		set.Poses = append(set.Poses, pose)
	}
	return set
}

// legExamples returns the examples from which the page's legs learn: every step-th example of the grid.
func legExamples(w *work, name string, step int) (*skinning.Model, *training.Set, error) {
	m, err := w.demo(name)
	if err != nil {
		return nil, nil, err
	}
	set, err := once(w, fmt.Sprintf("grid of %s, step %d", name, step), func() (*training.Set, error) {
		return legGrid(m, step), nil
	})
	return m, set, err
}

// legPoses are the stretch and the bend of figures 4 and 6.
var legPoses = []struct {
	name string
	pose demo.LegPose
}{
	{"stretched", demo.LegPose{Flexion: -20, Ankle: 30}},
	{"bent", demo.LegPose{Flexion: 80, Knee: 100, Twist: 20, Ankle: -20}},
}

// trueLeg returns a leg's own shape in a pose.
func trueLeg(m *skinning.Model, p demo.LegPose) *skinning.Frame {
	l, _ := demo.LegOf(m)
	positions := make([]mgl64.Vec3, len(m.Skin.Positions))
	l.Shape(positions, p)
	return legFrame(m, m, p).Snapshot(positions)
}

// legFrame poses a leg, or a model that was fitted to it.
func legFrame(m, fitted *skinning.Model, p demo.LegPose) *skinning.Frame {
	l, _ := demo.LegOf(m)
	f, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
	l.SetPose(pose, p)
	f.SetPose(pose)
	return f
}

func legPictures(ctx context.Context, w *work, out *pages.Section) error {
	m, err := w.demo(leg)
	if err != nil {
		return err
	}
	s := strip{yaw: 1, pitch: 0.1, width: 300, height: 400}
	s.shots = append(s.shots, shot{title: "At rest", note: fmt.Sprintf("%d vertices", len(m.Skin.Positions)),
		frame: trueLeg(m, demo.LegPose{})})
	for _, p := range legPoses {
		s.shots = append(s.shots, shot{title: "True shape, " + p.name, frame: trueLeg(m, p.pose)})
	}
	s.shots = append(s.shots, shot{title: "Linear blending, bent", frame: legFrame(m, m, legPoses[1].pose)})
	out.Found = fmt.Sprintf("%d vertices, %d examples.", len(m.Skin.Positions), len(demo.LegGrid()))
	return w.draw(ctx, out, &s)
}

// legTables fit the paper's table and figure 3, as published and by our defaults.
func legTables(ctx context.Context, w *work) (published, ours *papers.HelperTable, err error) {
	m, set, err := legExamples(w, leg, w.size(1, 150))
	if err != nil {
		return nil, nil, err
	}
	table := func(origin pages.Origin) (*papers.HelperTable, error) {
		return once(w, "hbr table, "+string(origin), func() (*papers.HelperTable, error) {
			end := func() {}
			defer func() { end() }()
			return papers.HBRTable(ctx, m, set, origin == pages.Published, func(stage string) {
				end()
				_, end = progress.Begin(ctx, string(origin)+": "+stage)
			})
		})
	}
	if published, err = table(pages.Published); err != nil {
		return nil, nil, err
	}
	ours, err = table(pages.Ours)
	return published, ours, err
}

// helperFigure is HBR figure 3: a curve for each number of helper bones.
func helperFigure(t *papers.HelperTable) *chart.Chart {
	out := &chart.Chart{Title: fmt.Sprintf("%s, %d examples", t.Model, t.Examples), X: chart.Axis{Label: "iteration", Step: 5},
		Y: chart.Axis{Label: "RMS, mm"}}
	for iteration := range papers.HelperIterations + 1 {
		out.At = append(out.At, float64(iteration))
	}
	for _, c := range t.Curves {
		curve := chart.Curve{Name: messages.Count(c.Bones, "helper bone", "helper bones")}
		for iteration := range papers.HelperIterations + 1 {
			curve.Values = append(curve.Values, c.After(iteration))
		}
		out.Curves = append(out.Curves, curve)
	}
	return out
}

func hbrFigure3(ctx context.Context, w *work, out *pages.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	var found []string
	for _, v := range []struct {
		origin pages.Origin
		table  *papers.HelperTable
	}{{pages.Published, published}, {pages.Ours, ours}} {
		c := helperFigure(v.table)
		c.Title += ", " + string(v.origin)
		out.AddChart(c)
		last := func(bones int) float64 { return v.table.Curves[bones-1].After(papers.HelperIterations) }
		found = append(found, fmt.Sprintf("%s, %s: %.2f mm with four bones, %.2f mm with five", v.origin, falls(v.table), last(4),
			last(5)))
	}
	out.Data = map[pages.Origin][]papers.HelperCurve{pages.Published: published.Curves, pages.Ours: ours.Curves}
	out.Found = strings.Join(found, "; ") + ". Our muscles are others than the paper's. Ours finds its bones on a part of the " +
		"examples first, so that its curves begin where they end, and its rounds have momentum."
	return nil
}

// falls says whether the curves of a table fall.
func falls(t *papers.HelperTable) string {
	rises := 0
	for i := range t.Curves {
		for k := 1; k <= papers.HelperIterations; k++ {
			if t.Curves[i].After(k) > t.Curves[i].After(k-1)*(1+1e-9) {
				rises++
			}
		}
	}
	if rises > 0 {
		return fmt.Sprintf("the error rises in %s", messages.Count(rises, "iteration", "iterations"))
	}
	return "every curve falls in every iteration"
}

func hbrTimes(ctx context.Context, w *work, out *pages.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	columns := []string{"insert", "weights", "motions", "all"}
	table := pages.Table{Corner: "helper bones",
		Groups: []pages.Group{{Origin: pages.FromPaper, Columns: columns}, {Origin: pages.Published, Columns: columns},
			{Origin: pages.Ours, Columns: columns}},
		Note: fmt.Sprintf("Seconds, here on all cores of this machine, %d. Insertion is that of a bone, weights and motions are "+
			"those of an iteration, and all has 20 iterations with the insertions. Ours inserts its bones on a part of the "+
			"examples; that is in its last column alone.", runtime.NumCPU())}
	for _, bones := range []int{1, 4} {
		p := printed.HBR.Section62[bones]
		row := pages.Row{Name: fmt.Sprint(bones)}
		row.Cells = append(row.Cells, number(p[0], 2), number(p[1], 2), number(p[2], 2), number(p[3], 0))
		for _, t := range []*papers.HelperTable{published, ours} {
			c := &t.Curves[bones-1]
			insert := number(c.Insert, 3)
			if c.Insert == 0 {
				insert = "–"
			}
			row.Cells = append(row.Cells, insert, number(c.Weights, 3), number(c.Transforms, 3), number(c.Seconds, 1))
		}
		table.Rows = append(table.Rows, row)
	}
	out.AddTable(table)
	return nil
}

// helpers fits helper bones to a part of the grid, as published and ours.
func helpers(ctx context.Context, w *work, name string, bones, step int) (*skinning.Model, []way, error) {
	m, set, err := legExamples(w, name, step)
	if err != nil {
		return nil, nil, err
	}
	all, err := w.ways(ctx, fmt.Sprintf("%d bones, step %d", bones, step), fit.Job{Method: w.method("helper-bones"), Model: m,
		Training: set,
		Values:   fit.Values{"bones": float64(bones), "lambda": paperLambda}})
	return m, all, err
}

// paperLambda is the share of the Lasso's largest weight that leaves as many coefficients as the paper's λ = 10.
const paperLambda = 0.003

// Fits that are drawn learn from every legStep-th example of the grid.
func legStep(w *work) int { return w.size(9, 300) }

func hbrFigure4(ctx context.Context, w *work, out *pages.Section) error {
	var fits [][]way // by the number of bones
	errs := map[pages.Origin][]string{}
	m, err := w.demo(leg)
	if err != nil {
		return err
	}
	for bones := 1; bones <= 4; bones++ {
		_, all, err := helpers(ctx, w, leg, bones, legStep(w))
		if err != nil {
			return err
		}
		fits = append(fits, all)
		for _, v := range all {
			errs[v.origin] = append(errs[v.origin], number(1e3*v.out.Report.RMS*m.Diagonal(), 2))
		}
	}
	out.Found = fmt.Sprintf("RMS over the examples with one to four bones: %s mm as published, %s mm ours.",
		strings.Join(errs[pages.Published], ", "), strings.Join(errs[pages.Ours], ", "))
	for _, p := range legPoses {
		for i, first := range fits[0] {
			s := strip{title: fmt.Sprintf("Leg %s, %s", p.name, first.origin), yaw: 1, pitch: 0.1, width: 300, height: 360}
			s.shots = append(s.shots, shot{title: "Linear blending", frame: legFrame(m, m, p.pose)})
			for k, all := range fits {
				fitted := all[i].out.Model
				s.shots = append(s.shots, shot{title: messages.Count(k+1, "bone", "bones"), frame: legFrame(m, fitted, p.pose),
					surface: picture.SurfacePaint, tints: paint(fitted)})
			}
			s.shots = append(s.shots, shot{title: "True shape", frame: trueLeg(m, p.pose)})
			if err := w.draw(ctx, out, &s); err != nil {
				return err
			}
		}
	}
	return nil
}

func hbrFigure5(ctx context.Context, w *work, out *pages.Section) error {
	m, all, err := helpers(ctx, w, leg, 4, legStep(w))
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "bone"}
	var strips []strip
	for _, v := range all {
		s := strip{title: string(v.origin), yaw: 1, pitch: 0.1, width: 300, height: 360}
		for k, b := range v.out.Report.Details.(*helperbones.Details).Bones {
			joint, err := jointOf(v.out.Model, b.Name)
			if err != nil {
				return err
			}
			name := fmt.Sprintf("Bone %c", 'a'+k)
			s.shots = append(s.shots, shot{title: name, note: "child of " + b.Parent,
				frame: legFrame(m, v.out.Model, demo.LegPose{}), surface: picture.SurfaceWeights, joint: joint})
			if k == len(table.Rows) {
				table.Rows = append(table.Rows, pages.Row{Name: name})
				for range 4 * len(table.Groups) { // of ways with fewer bones
					table.Rows[k].Cells = append(table.Rows[k].Cells, "–")
				}
			}
			table.Rows[k].Cells = append(table.Rows[k].Cells, b.Parent, strings.Join(b.Joints, ", "), fmt.Sprint(b.Vertices),
				fmt.Sprint(b.Nonzeros))
		}
		table.Groups = append(table.Groups,
			pages.Group{Origin: v.origin, Columns: []string{"parent", "moved by", "vertices", "coefficients"}})
		for k := range table.Rows {
			for len(table.Rows[k].Cells) < 4*len(table.Groups) {
				table.Rows[k].Cells = append(table.Rows[k].Cells, "–")
			}
		}
		strips = append(strips, s)
	}
	out.AddTable(table)
	for i := range strips {
		if err := w.draw(ctx, out, &strips[i]); err != nil {
			return err
		}
	}
	return nil
}

// jointOf finds a joint by its name.
func jointOf(m *skinning.Model, name string) (int, error) {
	for j := range m.Skeleton.Joints {
		if m.Skeleton.Joints[j].Name == name {
			return j, nil
		}
	}
	return 0, fmt.Errorf("%s: no joint %q", m.Name, name)
}

func hbrTable1(ctx context.Context, w *work, out *pages.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "polynomials", Groups: []pages.Group{
		{Origin: pages.FromPaper, Columns: []string{"λ", "non-zeros", "RMS, mm", "ratio"}},
		{Origin: pages.Published, Columns: []string{"λ, share", "non-zeros", "RMS, mm", "ratio"}},
		{Origin: pages.Ours, Columns: []string{"non-zeros", "RMS, mm", "ratio"}}},
		Note: fmt.Sprintf("Four helper bones; ratio to the error before controllers, which is %.1f mm in the paper, %.2f mm here "+
			"as published and %.2f mm ours. The paper's λ has no unit: ours is a share of that at which nothing is left. Non-zeros "+
			"are those of a row of a controller, its constant among them.", 10*printed.HBR.Before, published.BeforeMm, ours.BeforeMm)}
	ratios := map[pages.Origin][]float64{}
	for i, c := range published.Controls {
		own := &ours.Controls[i]
		ratios[pages.Published] = append(ratios[pages.Published], c.Ratio)
		ratios[pages.Ours] = append(ratios[pages.Ours], own.Ratio)
		degree, k := c.Degree-1, i%3
		paper := &printed.HBR.Table1[degree]
		table.Rows = append(table.Rows, pages.Row{Name: [...]string{"linear", "quadratic", "cubic"}[degree], Cells: []string{
			fmt.Sprint(10 * k), number(paper.Nonzeros[k], 1), number(10*paper.RMS[k], 1), number(paper.RMS[k]/printed.HBR.Before, 2),
			number(c.Lambda, 3), number(c.Nonzeros, 1), number(c.RMSmm, 2), number(c.Ratio, 2),
			number(own.Nonzeros, 1), number(own.RMSmm, 2), number(own.Ratio, 2)}})
	}
	out.AddTable(table)
	out.Data = map[pages.Origin][]papers.HelperCell{pages.Published: published.Controls, pages.Ours: ours.Controls}
	out.Found = fmt.Sprintf("controllers make the error %s times as large as published, %s times ours. Ours goes on where the "+
		"paper ends: weights and coefficients are solved again for each other.", span(ratios[pages.Published], 2),
		span(ratios[pages.Ours], 2))
	return nil
}

func hbrCost(ctx context.Context, w *work, out *pages.Section) error {
	_, all, err := helpers(ctx, w, leg, 4, legStep(w))
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "four helper bones",
		Groups: []pages.Group{{Origin: pages.FromPaper, Columns: []string{"µs a frame"}}},
		Rows:   []pages.Row{{Name: "angles, polynomials and matrices", Cells: []string{number(printed.HBR.Section63, 0)}}}}
	var found []string
	for _, v := range all {
		us := number(papers.DriveTime(v.out.Model, 0), 2)
		table.Groups = append(table.Groups, pages.Group{Origin: v.origin, Columns: []string{"µs a frame"}})
		table.Rows[0].Cells = append(table.Rows[0].Cells, us)
		found = append(found, us+" µs "+string(v.origin))
	}
	out.AddTable(table)
	out.Found = strings.Join(found, " and ") + " a frame, on one thread, for all of it."
	return nil
}

func hbrFigure6(ctx context.Context, w *work, out *pages.Section) error {
	table := pages.Table{Corner: "helper bones", Groups: []pages.Group{
		{Origin: pages.FromPaper, Columns: []string{"before", "after"}},
		{Origin: pages.Published, Columns: []string{"before", "after"}},
		{Origin: pages.Ours, Columns: []string{"before", "after"}}},
		Note: "RMS in mm over vertices and examples, before and after controllers; quadratic, λ as in table 1."}
	name, step := w.name(legSmooth, leg), w.size(45, 900)
	pose := legPoses[1].pose
	m, err := w.demo(name)
	if err != nil {
		return err
	}
	s := strip{yaw: 1, pitch: 0.1, width: 300, height: 360}
	s.shots = append(s.shots, shot{title: "Linear blending", frame: legFrame(m, m, pose)})
	for _, bones := range []int{4, 8} {
		_, all, err := helpers(ctx, w, name, bones, step)
		if err != nil {
			return err
		}
		row := pages.Row{Name: fmt.Sprint(bones), Cells: []string{number(printed.HBR.Figure6[bones][0], 1), number(printed.HBR.Figure6[bones][1], 1)}}
		for _, v := range all {
			d := v.out.Report.Details.(*helperbones.Details)
			row.Cells = append(row.Cells, number(d.BeforeMm, 2), number(d.RMSmm, 2))
			s.shots = append(s.shots, shot{title: messages.Count(bones, "bone", "bones"), note: fmt.Sprintf("%s, %.2f mm", v.origin,
				d.RMSmm), frame: legFrame(m, v.out.Model, pose)})
		}
		table.Rows = append(table.Rows, row)
	}
	s.shots = append(s.shots, shot{title: "True shape", frame: trueLeg(m, pose)})
	out.AddTable(table)
	_, set, err := legExamples(w, name, step)
	if err != nil {
		return err
	}
	out.Found = fmt.Sprintf("learnt from every %dth example of the grid, %d.", step, len(set.Targets))
	return w.draw(ctx, out, &s)
}
