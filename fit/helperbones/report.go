package helperbones

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/rig"
)

// Details are the parts of a report that only helper bones have. Errors are over vertices and examples, millimetres.
type Details struct {
	RMSmm       float64 `json:"rms_mm"`
	LBSmm       float64 `json:"lbs_rms_mm"`     // of the file's own weights
	WeightsMm   float64 `json:"weights_rms_mm"` // of trained weights, without helper bones
	BeforeMm    float64 `json:"before_rms_mm"`  // of helper bones that are free in every example, before controllers
	Nonzeros    float64 `json:"nonzeros"`       // of a controller's row, the constant too, the mean over rows and bones
	Degree      int     `json:"degree"`         // of the controllers
	Bones       []Bone  `json:"bones"`          // in the order of insertion
	Convergence []Round `json:"convergence"`    // of the decomposition, before controllers
	fit.UnseenTests

	plain, trained fit.Measured // of LBSmm and WeightsMm
}

// Bone is a helper bone and what moves it.
type Bone struct {
	Name     string   `json:"name"`
	Parent   string   `json:"parent"`
	Joints   []string `json:"joints"`   // whose angles its controller reads
	Lambda   float64  `json:"lambda"`   // of its Lasso
	Nonzeros int      `json:"nonzeros"` // coefficients, the constants too
	Vertices int      `json:"vertices"` // that follow it
}

// Round is a step of the decomposition: HBR figure 3. Times are in seconds.
type Round struct {
	Bones      int     `json:"bones"`
	RMSmm      float64 `json:"rms_mm"`
	Insert     float64 `json:"insert_seconds"`
	Transforms float64 `json:"transforms_seconds"`
	Weights    float64 `json:"weights_seconds"`
}

// report makes the report of the best learned.
func (f *fitting) report(a *learned, p *training.Poses) (*fit.Report, *fit.UnseenTests) {
	added := len(a.fitted.Added())
	f.last.Stage = ""
	f.last.Now = fit.Step{Added: added, EE: float64(a.with.EE), Elapsed: a.elapsed,
		Model: func() *skinning.Model { return a.fitted }}
	// The weights are measured as the fit is. So far the mark was the solver's error, which counts prior poses too.
	f.last.Marks = []fit.Mark{{Name: "trained weights", EE: float64(a.trained.EE)}}
	r := fit.NewReport(f.job, p, a.fitted, &f.last.Now)
	r.Seconds = f.elapsed.Seconds()
	r.EE, r.RMS, r.Max, r.Frames, r.Reason = a.with.EE, a.with.RMS, a.with.Max, a.x.Given(), string(a.reason)
	r.History = []fit.Point{{What: "rig's weights", EE: a.plain.EE}, {What: "trained weights", EE: a.trained.EE}}
	d := &Details{RMSmm: a.with.RMSmm, LBSmm: a.plain.RMSmm, WeightsMm: a.trained.RMSmm,
		BeforeMm: 1e3 * a.x.Pick(indices(a.x.Given())).RMS(a.before.Weights, a.before.Motions), // without prior poses

		Degree: f.job.Int("degree"), Bones: []Bone{}, plain: a.plain, trained: a.trained}
	seconds := 0.0
	for k, s := range a.before.History {
		round := Round{s.Bones, 1e3 * s.RMS, s.Insert.Seconds(), s.Transforms.Seconds(), s.Weights.Seconds()}
		d.Convergence = append(d.Convergence, round)
		seconds += round.Insert + round.Transforms + round.Weights
		if h := a.before.History; s.Bones > 0 && (k+1 == len(h) || h[k+1].Bones > s.Bones) {
			r.History = append(r.History, fit.Point{What: "before controllers", AddedBones: s.Bones,
				EE: metrics.Percent(f.ee(s.RMS)), Seconds: seconds})
		}
	}
	r.History = append(r.History, fit.Point{AddedBones: added, EE: a.with.EE, Seconds: a.elapsed.Seconds()})
	if helpers := skinning.RigOf[*rig.HelperBones](a.fitted); helpers != nil {
		d.addBones(a.fitted, helpers, a.after.Lambdas)
	}
	r.Details = d
	if f.job.Steps {
		f.last.History = a.steps()
	}
	return r, &d.UnseenTests
}

// addBones describes the controllers.
func (d *Details) addBones(m *skinning.Model, helpers *rig.HelperBones, lambdas []float64) {
	vertices := map[int]int{}
	var buf []skinning.Influence
	for v := range m.Skin.Positions {
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			vertices[int(in.Joint)]++
		}
	}
	name := func(joint int) string { return m.Skeleton.Joints[joint].Name }
	for k := range helpers.Bones {
		b := &helpers.Bones[k]
		bone := Bone{Name: name(b.Joint), Parent: name(b.Parent), Joints: []string{}, Lambda: lambdas[k],
			Vertices: vertices[b.Joint], Nonzeros: b.NonZeros()}
		for t := range b.Terms {
			if j := name(helpers.Inputs[b.Terms[t].Input].Joint); !slices.Contains(bone.Joints, j) {
				bone.Joints = append(bone.Joints, j)
			}
		}
		d.Bones = append(d.Bones, bone)
	}
	d.Nonzeros = MeanNonzeros(helpers)
}

// MeanNonzeros returns how many coefficients a row of a controller has, the constant too, in the mean over rows and
// bones (HBR table 1).
func MeanNonzeros(helpers *rig.HelperBones) float64 {
	sum, rows := 0, 0
	for k := range helpers.Bones {
		b := &helpers.Bones[k]
		sum += b.NonZeros()
		rows += rowsOf(b)
	}
	return float64(sum) / float64(max(rows, 1))
}

// rowsOf is how many numbers a controller makes: seven where the bone has scale, else six.
func rowsOf(b *rig.HelperBone) int {
	const scale = len(rig.HelperMotion{}) - 1
	scales := b.Constant[scale] != 0
	for t := range b.Terms {
		scales = scales || b.Terms[t].Coefficients[scale] != 0
	}
	if scales {
		return scale + 1
	}
	return scale
}

// WriteText is [fit.Details].
func (d *Details) WriteText(w io.Writer, r *fit.Report) {
	of := messages.Count(r.Frames, "shape", "shapes")
	if r.Operator != "examples" {
		of = messages.Count(r.Frames, r.Operator+" pose", r.Operator+" poses")
	}
	fmt.Fprintf(w, "%s: %s of %s of %s: %s and %d added, %s after %.2f s%s\n", r.Model, r.Method, of,
		messages.Printable(r.Train), messages.Count(r.MasterBones, "bone", "bones"), r.AddedBones, r.Reason, r.Seconds,
		r.Ending())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	unit, perDiagonal := messages.ReportUnit(r.Diagonal)
	perMm := perDiagonal / (1e3 * r.Diagonal)
	fmt.Fprintf(t, "\tRMS, %s\tEE %%\tlargest\t\n", unit)
	line := func(name string, e fit.Measured) {
		fmt.Fprintf(t, "%s\t%.3f\t%s\t%s\t\n", name, perMm*e.RMSmm, e.EE.Text(2), r.Length(e.Max))
	}
	line("training, linear blending", d.plain)
	line("training, SSD", d.trained)
	fmt.Fprintf(t, "training, before controllers\t%.3f\t\t\t\n", perMm*d.BeforeMm)
	line("training, "+r.Method, fit.Measured{RMSmm: d.RMSmm, EE: r.EE, Max: r.Max})
	d.Each(r.Method, line)
	t.Flush()
	d.WritePoses(w)
	if len(d.Bones) > 0 {
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "bone\tparent\tvertices\tλ\tnon-zeros\tmoved by")
		for _, b := range d.Bones {
			fmt.Fprintf(t, "%s\t%s\t%d\t%.2g\t%d\t%s\n", b.Name, messages.Printable(b.Parent), b.Vertices, b.Lambda,
				b.Nonzeros, messages.Printable(strings.Join(b.Joints, ", ")))
		}
		t.Flush()
	}
	fmt.Fprintf(w, "RMS over vertices and examples. "+
		"Influences %.2f -> %.2f a vertex.\n", r.InfluencesBefore, r.InfluencesAfter)
}
