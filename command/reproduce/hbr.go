package reproduce

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/chart"
	"skinlab/assets/demo"
	"skinlab/assets/report"
	"skinlab/fit"
	"skinlab/fit/helperbones"
	"skinlab/fit/papers"
	"skinlab/fit/training"
	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/parallel"
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
			Command: "skinlab bench --paper hbr -o hbr-figure3.png", Make: hbrFigure3,
			Shows: "the error falls with every iteration and every bone; four bones are hardly worse than five."},
		{Name: "Section 6.2", Title: "Time of an iteration", Make: hbrTimes,
			Shows: "insertion, weights and transformations take 0.17, 0.51 and 0.17 s with one bone, 0.17, 0.82 and 0.72 s with " +
				"four; 20 iterations 15 and 32 s, on eight threads of a Core i7-4770."},
		{Name: "Figure 4", Title: "Rigs of one to four helper bones", Make: hbrFigure4,
			Shows: "bones near hip, knee and ankle repair the collapse of linear blending, one in the thigh makes the muscle bulge."},
		{Name: "Figure 5", Title: "What each helper bone moves", Make: hbrFigure5,
			Shows: "the first bone has a large area of the thigh, the others less: the first is inserted where the error is largest."},
		{Name: "Table 1", Title: "Sparse polynomials", Command: "skinlab bench --paper hbr", Make: hbrTable1,
			Shows: "controllers make the error 1.5 to 1.9 times as large; a quadratic is almost as good as a cubic; the Lasso " +
				"removes terms at little cost."},
		{Name: "Section 6.3", Title: "Cost of the controllers", Make: hbrCost,
			Shows: "all four helper bones take about 5 µs a frame, 1 µs for the variables and 1 µs for each bone."},
		{Name: "Figure 6", Title: "A stylized leg, with four and with eight bones", Make: hbrFigure6,
			Shows: "on a leg of 8,322 vertices with exaggerated muscles eight bones take the error before controllers from 1.75 " +
				"to 1.23 cm, and hardly change the final one (2.90 to 2.79 cm)."},
	},
}

// LegGrid is the paper's 6,750 examples of a built-in leg (HBR section 6.1), or every step-th of them; nil for another
// model.
func LegGrid(ctx context.Context, m *skinning.Model, step int) *training.Set {
	l, ok := demo.LegOf(m)
	if !ok {
		return nil
	}
	var grid []demo.LegPose
	for i, p := range demo.LegGrid() {
		if i%step == 0 {
			grid = append(grid, p)
		}
	}
	set := &training.Set{Clip: training.NoClip, Title: "grid", Targets: make([][]mgl64.Vec3, len(grid))}
	for range grid {
		set.Poses = append(set.Poses, m.NewPose())
	}
	tell, end := progress.Begin(ctx, "making example")
	defer end()
	var mu sync.Mutex
	made := 0
	parallel.For(runtime.GOMAXPROCS(0), len(grid), func(_, i int) {
		if ctx.Err() == nil {
			l.SetPose(set.Poses[i], grid[i])
			set.Targets[i] = make([]mgl64.Vec3, len(m.Skin.Positions))
			l.Shape(set.Targets[i], grid[i])
			mu.Lock()
			defer mu.Unlock()
			made++
			tell(made, len(grid))
		}
	})
	return set
}

// legExamples returns the examples from which the page's legs learn: every step-th example of the grid.
func legExamples(ctx context.Context, w *work, name string, step int) (*skinning.Model, *training.Set, error) {
	m, err := w.demo(name)
	if err != nil {
		return nil, nil, err
	}
	set, err := once(w, fmt.Sprintf("grid of %s, step %d", name, step), func() (*training.Set, error) {
		return LegGrid(ctx, m, step), ctx.Err()
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

func legPictures(ctx context.Context, w *work, out *report.Section) error {
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
	m, set, err := legExamples(ctx, w, leg, w.size(1, 150))
	if err != nil {
		return nil, nil, err
	}
	table := func(origin report.Origin) (*papers.HelperTable, error) {
		return once(w, "hbr table, "+string(origin), func() (*papers.HelperTable, error) {
			end := func() {}
			defer func() { end() }()
			return papers.HBRTable(ctx, m, set, origin == report.Published, func(stage string) {
				end()
				_, end = progress.Begin(ctx, string(origin)+": "+stage)
			})
		})
	}
	if published, err = table(report.Published); err != nil {
		return nil, nil, err
	}
	ours, err = table(report.Ours)
	return published, ours, err
}

// HelperFigure is HBR figure 3: a curve for each number of helper bones.
func HelperFigure(t *papers.HelperTable) *chart.Chart {
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

func hbrFigure3(ctx context.Context, w *work, out *report.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	var found []string
	for _, v := range []struct {
		origin report.Origin
		table  *papers.HelperTable
	}{{report.Published, published}, {report.Ours, ours}} {
		c := HelperFigure(v.table)
		c.Title += ", " + string(v.origin)
		out.AddChart(c)
		last := func(bones int) float64 { return v.table.Curves[bones-1].After(papers.HelperIterations) }
		found = append(found, fmt.Sprintf("%s, %s: %.2f mm with four bones, %.2f mm with five", v.origin, falls(v.table), last(4),
			last(5)))
	}
	out.Data = map[report.Origin][]papers.HelperCurve{report.Published: published.Curves, report.Ours: ours.Curves}
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

func hbrTimes(ctx context.Context, w *work, out *report.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	paper := map[int][4]float64{1: {0.17, 0.51, 0.17, 15}, 4: {0.17, 0.82, 0.72, 32}}
	columns := []string{"insert", "weights", "motions", "all"}
	table := report.Table{Corner: "helper bones",
		Groups: []report.Group{{Origin: report.FromPaper, Columns: columns}, {Origin: report.Published, Columns: columns},
			{Origin: report.Ours, Columns: columns}},
		Note: fmt.Sprintf("Seconds, here on all cores of this machine, %d. Insertion is that of a bone, weights and motions are "+
			"those of an iteration, and all has 20 iterations with the insertions. Ours inserts its bones on a part of the "+
			"examples; that is in its last column alone.", runtime.NumCPU())}
	for _, bones := range []int{1, 4} {
		p := paper[bones]
		row := report.Row{Name: fmt.Sprint(bones)}
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
	m, set, err := legExamples(ctx, w, name, step)
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

func hbrFigure4(ctx context.Context, w *work, out *report.Section) error {
	var fits [][]way // by the number of bones
	errs := map[report.Origin][]string{}
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
		strings.Join(errs[report.Published], ", "), strings.Join(errs[report.Ours], ", "))
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

func hbrFigure5(ctx context.Context, w *work, out *report.Section) error {
	m, all, err := helpers(ctx, w, leg, 4, legStep(w))
	if err != nil {
		return err
	}
	table := report.Table{Corner: "bone"}
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
				table.Rows = append(table.Rows, report.Row{Name: name})
				for range 4 * len(table.Groups) { // of ways with fewer bones
					table.Rows[k].Cells = append(table.Rows[k].Cells, "–")
				}
			}
			table.Rows[k].Cells = append(table.Rows[k].Cells, b.Parent, strings.Join(b.Joints, ", "), fmt.Sprint(b.Vertices),
				fmt.Sprint(b.Nonzeros))
		}
		table.Groups = append(table.Groups,
			report.Group{Origin: v.origin, Columns: []string{"parent", "moved by", "vertices", "coefficients"}})
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

// hbrPrinted is the paper's table 1: non-zeros and RMS in centimetres for λ of 0, 10 and 20, by degree.
var hbrPrinted = [3][2][3]float64{
	{{6, 5.3, 5.1}, {2.57, 2.58, 2.59}},
	{{14, 10.9, 9.1}, {2.11, 2.12, 2.17}},
	{{26, 18.4, 15.1}, {2.03, 2.07, 2.11}},
}

// hbrBefore is the paper's RMS before controllers, centimetres.
const hbrBefore = 1.36

func hbrTable1(ctx context.Context, w *work, out *report.Section) error {
	published, ours, err := legTables(ctx, w)
	if err != nil {
		return err
	}
	table := report.Table{Corner: "polynomials", Groups: []report.Group{
		{Origin: report.FromPaper, Columns: []string{"λ", "non-zeros", "RMS, mm", "ratio"}},
		{Origin: report.Published, Columns: []string{"λ, share", "non-zeros", "RMS, mm", "ratio"}},
		{Origin: report.Ours, Columns: []string{"non-zeros", "RMS, mm", "ratio"}}},
		Note: fmt.Sprintf("Four helper bones; ratio to the error before controllers, which is %.1f mm in the paper, %.2f mm here "+
			"as published and %.2f mm ours. The paper's λ has no unit: ours is a share of that at which nothing is left. Non-zeros "+
			"are those of a row of a controller, its constant among them.", 10*hbrBefore, published.BeforeMm, ours.BeforeMm)}
	ratios := map[report.Origin][]float64{}
	for i, c := range published.Controls {
		own := &ours.Controls[i]
		ratios[report.Published] = append(ratios[report.Published], c.Ratio)
		ratios[report.Ours] = append(ratios[report.Ours], own.Ratio)
		degree, k := c.Degree-1, i%3
		printed := hbrPrinted[degree]
		table.Rows = append(table.Rows, report.Row{Name: [...]string{"linear", "quadratic", "cubic"}[degree], Cells: []string{
			fmt.Sprint(10 * k), number(printed[0][k], 1), number(10*printed[1][k], 1), number(printed[1][k]/hbrBefore, 2),
			number(c.Lambda, 3), number(c.Nonzeros, 1), number(c.RMSmm, 2), number(c.Ratio, 2),
			number(own.Nonzeros, 1), number(own.RMSmm, 2), number(own.Ratio, 2)}})
	}
	out.AddTable(table)
	out.Data = map[report.Origin][]papers.HelperCell{report.Published: published.Controls, report.Ours: ours.Controls}
	out.Found = fmt.Sprintf("controllers make the error %s times as large as published, %s times ours. Ours goes on where the "+
		"paper ends: weights and coefficients are solved again for each other.", span(ratios[report.Published], 2),
		span(ratios[report.Ours], 2))
	return nil
}

func hbrCost(ctx context.Context, w *work, out *report.Section) error {
	_, all, err := helpers(ctx, w, leg, 4, legStep(w))
	if err != nil {
		return err
	}
	table := report.Table{Corner: "four helper bones",
		Groups: []report.Group{{Origin: report.FromPaper, Columns: []string{"µs a frame"}}},
		Rows:   []report.Row{{Name: "angles, polynomials and matrices", Cells: []string{"5"}}}}
	var found []string
	for _, v := range all {
		us := number(papers.DriveTime(v.out.Model, 0), 2)
		table.Groups = append(table.Groups, report.Group{Origin: v.origin, Columns: []string{"µs a frame"}})
		table.Rows[0].Cells = append(table.Rows[0].Cells, us)
		found = append(found, us+" µs "+string(v.origin))
	}
	out.AddTable(table)
	out.Found = strings.Join(found, " and ") + " a frame, on one thread, for all of it."
	return nil
}

func hbrFigure6(ctx context.Context, w *work, out *report.Section) error {
	table := report.Table{Corner: "helper bones", Groups: []report.Group{
		{Origin: report.FromPaper, Columns: []string{"before", "after"}},
		{Origin: report.Published, Columns: []string{"before", "after"}},
		{Origin: report.Ours, Columns: []string{"before", "after"}}},
		Note: "RMS in mm over vertices and examples, before and after controllers; quadratic, λ as in table 1."}
	printed := map[int][2]float64{4: {17.5, 29.0}, 8: {12.3, 27.9}}
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
		row := report.Row{Name: fmt.Sprint(bones), Cells: []string{number(printed[bones][0], 1), number(printed[bones][1], 1)}}
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
	_, set, err := legExamples(ctx, w, name, step)
	if err != nil {
		return err
	}
	out.Found = fmt.Sprintf("learnt from every %dth example of the grid, %d.", step, len(set.Targets))
	return w.draw(ctx, out, &s)
}
