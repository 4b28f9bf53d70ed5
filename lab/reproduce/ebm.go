package main

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/training"
	"skinlab/fit/transfer"
	"skinlab/lab/reproduce/pages"
	"skinlab/render/picture"
	"skinlab/skinning"
)

var ebm = Paper{
	Name: "ebm", Title: "Example-based Body Model Optimization and Skinning",
	Fit:    "body-model",
	Source: "Philipp Fechteler, Anna Hilsmann, Peter Eisert, 2016",
	Lead: "A mesh, a skeleton and weights for twist-swing skinning are found in registered scans of a body. Weights, " +
		"vertices and joints take turns in minimising one " +
		"objective: the distance to the scans, and that of the surfaces' Laplacians.",
	Sections: []Section{
		{Name: "Figure 1", Title: "Overview", Shows: "the loop over weights, vertices and joints.", Missing: drawing},
		{Name: "Section 5, α", Title: "The weight of the Laplacian", Make: ebmAlpha,
			Shows: "α = 100 everywhere; lower values give a surface that is not smooth, higher ones take longer and are no better."},
		{Name: "Figure 2", Title: "Joints that move, and joints that stay", Make: ebmJoints,
			Shows: "with joints optimised the model looks much more like the scan than with vertices and weights alone."},
		{Name: "Figure 3", Title: "Scan and model over each other", Make: ebmScans,
			Shows: "models of SCAPE (71 scans of 12k vertices) and MPI FAUST (10 of 7k) lie on their scans, by eye: the paper " +
				"prints no errors.",
			Missing: "SCAPE and FAUST ask for a licence. Ours are scans of built-in models, an arm and a leg with true muscles, " +
				"and meshes of a whole human, which a finer rig and muscle shapes made: none of them has noise."},
		{Name: "Figure 4", Title: "Motion transfer to meshes of another topology", Make: ebmTransfer,
			Shows:   "the SCAPE model follows a captured sequence of 416 frames and 2,667 vertices (CVSSP), by eye.",
			Missing: "The sequence is not public. Ours is another leg, of other vertices, whose true shape walks."},
	},
}

// body is a model with scans, and the number of limbs that are found in them.
type body struct {
	name  string
	limbs int
	m     *skinning.Model
	set   *training.Set // all scans
	held  int           // how many of them are held out, evenly spread
}

// builtIn is the body of a built-in model's example set, or of most of its examples, evenly spread.
func builtIn(w *work, name string, limbs, most int) (*body, error) {
	m, err := w.demo(name)
	if err != nil {
		return nil, err
	}
	set, err := training.Own(m)
	if err != nil {
		return nil, err
	}
	set = set.KeyFrames(most)
	return &body{name, limbs, m, set, set.Len() / 6}, nil
}

// ebmLeg is the body of most sections.
func ebmLeg(w *work) (*body, error) { return builtIn(w, leg, w.size(4, 3), w.size(24, 12)) }

// ebmArm is the body whose joints are worth most, see figure 2.
func ebmArm(w *work) (*body, error) {
	if w.opt.Quick {
		return ebmLeg(w)
	}
	return builtIn(w, "demo:arm", 5, 12)
}

// bodies are those of figure 3. Where the human is not there, missing says so.
func bodies(w *work) (all []*body, missing string, err error) {
	legs, err := ebmLeg(w)
	if err != nil || w.opt.Quick {
		return []*body{legs}, "", err
	}
	arm, err := ebmArm(w)
	if err != nil {
		return nil, "", err
	}
	all = []*body{legs, arm}
	m, set, file, err := human(w)
	switch {
	case err != nil:
		return nil, "", err
	case file != "":
		missing = fmt.Sprintf("A whole human body is left out: %s is not in the folder of models.", file)
	default:
		all = append(all, &body{m.Name, 18, m, set, set.Len() / 2})
	}
	return all, missing, nil
}

// fitBody fits a body without a skeleton, as published and ours.
func fitBody(ctx context.Context, w *work, b *body, values fit.Values) ([]way, error) {
	job := fit.Job{Method: w.method("body-model"), Model: b.m, Values: fit.Values{"limbs": float64(b.limbs), "no-skeleton": 1}}
	if w.opt.Quick {
		job.Values["rounds"] = 1
	}
	maps.Copy(job.Values, values)
	job.Training, job.Tests.HeldOut = b.set.HoldOut(b.held)
	job.Tests.Clip = -1
	return w.ways(ctx, fmt.Sprint(job.Values), job)
}

func details(r *fit.Result) *bodymodel.Details { return r.Report.Details.(*bodymodel.Details) }

func ebmAlpha(ctx context.Context, w *work, out *pages.Section) error {
	b, err := ebmLeg(w)
	if err != nil {
		return err
	}
	columns := []string{"RMS, mm", "held out", "Laplacian", "seconds"}
	table := pages.Table{Corner: "α", Note: "RMS and Laplacian in mm over vertices and scans; held out are scans to which " +
		"only poses are fitted. Seconds are those of this machine."}
	var rough, smooth float64
	for _, alpha := range []float64{0, 10, 100, 1000} {
		all, err := fitBody(ctx, w, b, fit.Values{"alpha": alpha})
		if err != nil {
			return err
		}
		row := pages.Row{Name: number(alpha, 0)}
		table.Groups = nil
		for _, v := range all {
			table.Groups = append(table.Groups, pages.Group{Origin: v.origin, Columns: columns})
			d := details(v.out)
			row.Cells = append(row.Cells, number(d.RMSmm, 2), number(d.HeldOut.RMSmm, 2), number(d.LaplaceMm, 3),
				number(v.out.Report.Seconds, 1))
			if alpha == 0 {
				rough = d.LaplaceMm
			} else if alpha == 100 {
				smooth = d.LaplaceMm
			}
		}
		table.Rows = append(table.Rows, row)
	}
	out.AddTable(table)
	out.Found = fmt.Sprintf("%s, %d limbs found in its scans, ours: what the Laplacian lacks is %.2f mm at α = 0 and %.2f mm "+
		"at α = 100.", b.name, b.limbs, rough, smooth)
	return nil
}

func ebmJoints(ctx context.Context, w *work, out *pages.Section) error {
	b, err := ebmArm(w)
	if err != nil {
		return err
	}
	moved, err := fitBody(ctx, w, b, nil)
	if err != nil {
		return err
	}
	stay, err := fitBody(ctx, w, b, fit.Values{"fixed-joints": 1})
	if err != nil {
		return err
	}
	table := pages.Table{Corner: "joints"}
	rows := [2]pages.Row{{Name: "stay where limbs meet"}, {Name: "optimised"}}
	for i := range moved {
		table.Groups = append(table.Groups, pages.Group{Origin: moved[i].origin, Columns: []string{"RMS, mm", "largest, mm",
			"held out, mm", "Q, m²"}})
		for k, v := range [2]way{stay[i], moved[i]} {
			d := details(v.out)
			rows[k].Cells = append(rows[k].Cells, number(d.RMSmm, 2), number(d.MaxMm, 1), number(d.HeldOut.RMSmm, 2), number(d.Q, 3))
		}
	}
	table.Rows = rows[:]
	out.AddTable(table)
	last := len(moved) - 1
	bad, good := details(stay[last].out), details(moved[last].out)
	out.Found = fmt.Sprintf("%s, ours: joints move by %.1f mm on average, and the RMS is %.2f mm where they stay, %.2f mm where "+
		"they move. The scan is the one that bends most.", b.name, good.MovedMm, bad.RMSmm, good.RMSmm)
	scan := bent(moved[last].out)
	full := bad.MaxMm / 2e3
	for i := range moved {
		s := strip{title: string(moved[i].origin)}
		for _, v := range []struct {
			title string
			out   *fit.Result
		}{{"joints stay", stay[i].out}, {"joints optimised", moved[i].out}} {
			model, truth := inScan(v.out, scan)
			s.shots = append(s.shots, shot{title: v.title, frame: model, method: skinning.TwistSwing},
				shot{title: v.title, note: fmt.Sprintf("distance to the scan, bright is %.0f mm", 1e3*full), frame: model,
					method: skinning.TwistSwing, heat: truth, full: full})
		}
		_, truth := inScan(moved[i].out, scan)
		s.shots = append(s.shots, shot{title: "Scan", frame: truth})
		if err := w.draw(ctx, out, &s); err != nil {
			return err
		}
	}
	return nil
}

// bent returns the scan of a fitted body that is farthest from its rest pose, but for where it stands: the most bent.
func bent(r *fit.Result) (scan int) {
	most := 0.0
	rest := r.Model.Skin.RestPositions(nil)
	for i, shape := range r.Learned.(*bodymodel.Learned).Scans() {
		var mean mgl64.Vec3
		squares, n := 0.0, float64(len(shape))
		for v, p := range shape {
			d := p.Sub(rest[v])
			mean = mean.Add(d.Mul(1 / n))
			squares += d.Dot(d)
		}
		if spread := squares - n*mean.Dot(mean); spread > most {
			most, scan = spread, i
		}
	}
	return scan
}

// inScan poses a fitted body as it has a scan, and returns the scan itself.
func inScan(r *fit.Result, scan int) (model, truth *skinning.Frame) {
	l := r.Learned.(*bodymodel.Learned)
	model = atNamed(r.Model, bodymodel.ScansClip, l.Times()[scan])
	return model, model.Snapshot(l.Scans()[scan])
}

func ebmScans(ctx context.Context, w *work, out *pages.Section) error {
	table := pages.Table{Corner: "scans", Note: "RMS in mm over vertices and scans. Held out are scans to which only poses " +
		"are fitted. Linear is the same body played by linear blending."}
	list, missing, err := bodies(w)
	if err != nil {
		return err
	}
	out.Missing = strings.TrimSpace(out.Missing + " " + missing)
	for _, b := range list {
		all, err := fitBody(ctx, w, b, nil)
		if err != nil {
			return err
		}
		scan := bent(all[0].out)
		s := strip{title: fmt.Sprintf("%s, %d scans of %d vertices", b.name, details(all[0].out).Scans, len(b.m.Skin.Positions))}
		row := pages.Row{Name: fmt.Sprintf("%s, %d", b.name, details(all[0].out).Scans)}
		table.Groups = nil
		for i, v := range all {
			d := details(v.out)
			table.Groups = append(table.Groups,
				pages.Group{Origin: v.origin, Columns: []string{"RMS", "largest", "held out", "linear", "seconds"}})
			row.Cells = append(row.Cells, number(d.RMSmm, 2), number(d.MaxMm, 1), number(d.HeldOut.RMSmm, 2), number(d.PlayedMm, 2),
				number(v.out.Report.Seconds, 1))
			model, truth := inScan(v.out, scan)
			if i == 0 {
				s.shots = append(s.shots, shot{title: "Scan", frame: truth, surface: picture.SurfaceClay})
			}
			s.shots = append(s.shots, shot{title: "Both", note: string(v.origin), frame: model, method: skinning.TwistSwing,
				surface: picture.SurfacePaint, tints: plain(v.out.Model), over: truth},
				shot{title: "Model", note: fmt.Sprintf("%s, %.2f mm", v.origin, d.RMSmm), frame: model,
					method: skinning.TwistSwing, surface: picture.SurfacePaint, tints: plain(v.out.Model)})
		}
		table.Rows = append(table.Rows, row)
		if err := w.draw(ctx, out, &s); err != nil {
			out.AddTable(table)
			return err
		}
	}
	out.AddTable(table)
	out.Found = "bodies without a skeleton, whose limbs are found in the scans."
	return nil
}

func ebmTransfer(ctx context.Context, w *work, out *pages.Section) error {
	legs, err := ebmLeg(w)
	if err != nil {
		return err
	}
	all, err := fitBody(ctx, w, legs, nil)
	if err != nil {
		return err
	}
	walking, err := w.demo(legSmooth)
	if err != nil {
		return err
	}
	l, _ := demo.LegOf(walking)
	clip, err := walking.ClipIndex("walk")
	if err != nil {
		return err
	}
	sequence := &transfer.Sequence{Name: "walk of " + legSmooth}
	pose, frames := walking.NewPose(), w.size(24, 3)
	for k := range frames {
		t := walking.Clips[clip].Seconds * float64(k) / float64(frames-1)
		walking.SamplePose(pose, clip, t)
		sequence.Frames = append(sequence.Frames, transfer.Frame{Name: fmt.Sprintf("frame %d", k+1),
			Positions: l.Shapes([]demo.LegPose{l.PoseOf(pose)})[0],
			Triangles: walking.Skin.Triangles})
		sequence.Times = append(sequence.Times, t)
	}
	shown := []int{frames / 4, frames / 2}
	strips := make([]strip, len(shown))
	for n, k := range shown {
		truth := at(walking, clip, sequence.Times[k]).Snapshot(sequence.Frames[k].Positions)
		strips[n] = strip{title: sequence.Frames[k].Name, yaw: 1, pitch: 0.1, width: 300, height: 360,
			shots: []shot{{title: "Sequence", frame: truth, surface: picture.SurfaceClay}}}
	}
	var apart []string
	for _, v := range all {
		moved, err := transfer.Run(ctx, v.out.Model, sequence, transfer.Options{})
		if err != nil {
			return err
		}
		followed, err := moved.Clip("transfer")
		if err != nil {
			return err
		}
		m := *v.out.Model
		m.Clips = append(m.Clips[:len(m.Clips):len(m.Clips)], followed)
		apart = append(apart, fmt.Sprintf("%.1f mm RMS %s", 1e3*moved.RMS, v.origin))
		for n, k := range shown {
			model := at(&m, len(m.Clips)-1, sequence.Times[k])
			both := shot{title: "Both", note: string(v.origin), frame: model, method: skinning.TwistSwing,
				surface: picture.SurfacePaint, tints: plain(&m), over: strips[n].shots[0].frame}
			alone := both
			alone.title, alone.over = "Model", nil
			strips[n].shots = append(strips[n].shots, both, alone)
		}
	}
	out.Found = fmt.Sprintf("the bodies learnt from %s, %d vertices, follow %d frames of %d vertices by one transfer: the "+
		"surfaces are %s apart, muscles that differ included.", leg, len(all[0].out.Model.Skin.Positions), frames,
		len(walking.Skin.Positions), strings.Join(apart, " and "))
	for n := range strips {
		if err := w.draw(ctx, out, &strips[n]); err != nil {
			return err
		}
	}
	return nil
}
