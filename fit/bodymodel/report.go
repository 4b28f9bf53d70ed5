package bodymodel

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Details are a body model's part of a report. Errors are over vertices and scans, millimetres. Vertices are points of
// the surface: copies along seams count once.
type Details struct {
	Q         float64 `json:"q"` // m²
	RMSmm     float64 `json:"rms_mm"`
	MaxMm     float64 `json:"max_mm"`
	LaplaceMm float64 `json:"laplacian_mm"` // RMS difference of the Laplacians: roughness
	Alpha     float64 `json:"alpha"`
	Scans     int     `json:"scans"`
	Points    int     `json:"points"`
	Limbs     int     `json:"limbs"`
	Found     bool    `json:"limbs_found"`  // in the scans; else they are the model's joints
	Still     int     `json:"still_joints"` // that are parts of these limbs, as they turn in no scan
	MovedMm   float64 `json:"joints_moved_mm"`
	// PlayedMm is the error of the same model posed by linear blending, as engines play it.
	PlayedMm float64 `json:"linear_rms_mm"`
	FileMm   float64 `json:"file_rms_mm"` // of the written model in its clip of scans
	// ClipMm is that in the poses which the subject's clips have for the scans. Nil where they have none.
	ClipMm *float64 `json:"clip_rms_mm,omitempty"`
	// RigMm is the error of the model's own mesh and weights by linear blending. Its poses are fitted to the scans
	// separately. It is 0 without a skeleton.
	RigMm   float64       `json:"lbs_rms_mm,omitzero"`
	Phases  []PhaseReport `json:"phases"`
	Unseen  *UnseenScans  `json:"unseen,omitempty"`
	HeldOut *UnseenScans  `json:"held_out,omitempty"`
}

// PhaseReport is the state after a phase.
type PhaseReport struct {
	Phase     string  `json:"phase"`
	Alpha     float64 `json:"alpha"`
	Round     int     `json:"round"`
	Q         float64 `json:"q"`
	RMSmm     float64 `json:"rms_mm"`
	LaplaceMm float64 `json:"laplacian_mm"`
	Seconds   float64 `json:"seconds"` // since the start
}

// UnseenScans are errors on scans that were not used in the fit, unless Learnt says so. For each way of posing, only
// the poses are fitted to them.
type UnseenScans struct {
	Clip      string  `json:"clip"`
	Learnt    bool    `json:"trained_on,omitempty"` // scans are of this clip, see [training.Poses.Learns]
	Frames    int     `json:"frames"`
	RMSmm     float64 `json:"rms_mm"`
	LaplaceMm float64 `json:"laplacian_mm"`
	// LinearMm is the body by linear blending, RigMm the model's own mesh and weights; 0 without a skeleton.
	LinearMm float64 `json:"linear_rms_mm"`
	RigMm    float64 `json:"lbs_rms_mm,omitzero"`
}

// report makes the report of a solution. File and largest are the errors of its model in the clip of scans, metres.
func (f *fitting) report(s *solution, fitted *skinning.Model, p *training.Poses, file, largest float64) *fit.Report {
	r := fit.NewReport(f.job, p, fitted, &f.last.Now)
	r.Vertices, r.Frames, r.Reason = len(f.u.point), len(s.Poses), string(s.Reason)
	size := f.u.m.Diagonal()
	r.RMS, r.Max = file/size, largest/size
	r.EE = fit.ReportedEE(f.ee(s, file), r.RMS)
	r.Warnings = f.u.warnings
	d := &Details{Q: s.Q, RMSmm: 1e3 * s.RMS, MaxMm: 1e3 * s.Largest, LaplaceMm: 1e3 * s.Laplace,
		Alpha: f.job.Value("alpha"), Scans: len(s.Poses), Points: len(s.Vertices), Limbs: len(s.Joints),
		Found: f.u.limbs == nil, Still: len(f.u.limbOf) - len(f.u.limbs)}
	played := newSolver(f.u.scans, s.Body.linear(), 0, 0)
	linear, most := played.errors().RMS, played.largest()
	d.PlayedMm = 1e3 * linear
	d.FileMm = 1e3 * file
	if file > 1.01*s.RMS && file-s.RMS > 1e-5*size {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the file is %s from the scans, the fit %s: joints that are still, or far "+
			"above the others, twist otherwise in the file", r.Length(r.RMS), r.Length(s.RMS/size)))
	}
	if times := f.u.clipTimes(fitted, p); times != nil {
		rms, _ := f.u.errorsIn(fitted, times)
		if before, _ := f.u.errorsIn(f.u.m.WithoutMorphs(), p.Times); f.u.skeleton != nil && rms > before {
			r.Warnings = append(r.Warnings, fmt.Sprintf("in the clips that the file had, whose joints have moved, the new model is "+
				"%s from the scans; the model as it was is %s from them", r.Length(rms/size), r.Length(before/size)))
		}
		rms *= 1e3
		d.ClipMm = &rms
	}
	own := linear
	r.LBSOf = "the body's swing weights"
	if f.u.skeleton != nil { // a body is no use that is farther from the scans than the model was
		// Its poses are fitted to the scans as well.
		own, most, r.LBSOf = f.u.rigErrors.RMS, f.u.rigLargest, "the model's own weights, in poses fitted to the scans"
	}
	clip := fit.ClipError{Name: ScansClip, Frames: len(s.Poses), Errors: fit.Errors{EE: r.EE, RMS: r.RMS, Max: r.Max,
		LBSEE: fit.ReportedEE(f.ee(s, own), own/size), LBSRMS: own / size, LBSMax: most / size}}
	if turn := p.HalfTurns(); turn != nil {
		clip.HalfTurns = &fit.ClipHalfTurns{Poses: clip.Frames, Joints: turn.Text(p.Model), Degrees: turn.Degrees,
			RMS: clip.RMS, LBSRMS: clip.LBSRMS}
	}
	clip.Judge()
	r.Clips = fit.ClipTable{clip}
	for j, at := range s.Joints {
		d.MovedMm += 1e3 * at.Sub(s.First.Joints[j]).Len() / float64(len(s.Joints))
	}
	for k, p := range s.History {
		d.Phases = append(d.Phases, PhaseReport{p.Name, p.Alpha, p.Round, p.Q, 1e3 * p.RMS, 1e3 * p.Laplace,
			p.Elapsed.Seconds()})
		if k+1 == len(s.History) || s.History[k+1].Round != p.Round { // the end of a round
			r.History = append(r.History, fit.Point{What: fmt.Sprintf("α = %g, round %d", p.Alpha, p.Round),
				AddedBones: r.AddedBones, EE: metrics.Percent(f.ee(s, p.RMS)), Seconds: p.Elapsed.Seconds()})
		}
	}
	if f.u.skeleton != nil {
		d.RigMm = 1e3 * f.u.rigErrors.RMS
		if d.RigMm < d.PlayedMm {
			r.Warnings = append(r.Warnings, fmt.Sprintf("programs without twist-swing blend linearly, and show the new model "+
				"%s from the scans; the model's own weights are %s from them: --linear fits a body for such programs",
				r.Length(linear/size), r.Length(f.u.rigErrors.RMS/size)))
		}
	}
	r.Details = d
	return r
}

// scanTimes returns the poses of a model's clip of scans.
func (u *subject) scanTimes(m *skinning.Model) (at []training.ClipTime) {
	for _, t := range u.times {
		at = append(at, training.ClipTime{Clip: len(m.Clips) - 1, Time: t})
	}
	return at
}

// clipTimes returns the poses that a model's clips have for the scans: those of the subject's, and static ones. It is nil
// where no clip has poses for them.
func (u *subject) clipTimes(m *skinning.Model, p *training.Poses) (at []training.ClipTime) {
	if len(p.Times) != len(u.targets) {
		return nil
	}
	for _, t := range p.Times {
		if t.Clip >= 0 {
			clip, err := m.ClipIndex(u.m.Clips[t.Clip].Name)
			if err != nil {
				return nil
			}
			t.Clip = clip
		}
		at = append(at, t)
	}
	return at
}

// errorsIn returns the RMS and the largest distance of a model from the scans in poses of its clips, metres. It leaves
// out scans of the static pose, which is in no clip.
func (u *subject) errorsIn(m *skinning.Model, at []training.ClipTime) (rms, largest float64) {
	method, ok := m.MadeFor()
	if !ok {
		method = skinning.LBS
	}
	frame, pose, sum, count := skinning.NewFrame(m, nil), m.NewPose(), 0.0, 0
	for i, t := range at {
		if t.Clip < 0 {
			continue
		}
		count += len(u.first)
		m.SamplePose(pose, t.Clip, t.Time)
		frame.SetPose(pose)
		positions := frame.Positions(method)
		for _, v := range u.first {
			d := positions[v].Sub(u.targets[i][v])
			sum, largest = sum+d.Dot(d), max(largest, d.Len())
		}
	}
	return math.Sqrt(sum / float64(max(count, 1))), largest
}

// linear returns a copy of the body that is posed by linear blending.
func (b *Body) linear() *Body {
	out := b.Clone()
	out.Linear = true
	out.setAxes()
	return out
}

// measure measures a body on a test's scans.
func (f *fitting) measure(ctx context.Context, s *solution, t *training.Test) (*UnseenScans, error) {
	x, err := t.Examples(f.u.m)
	if err != nil {
		return nil, err
	}
	u, scans := &UnseenScans{Clip: t.Poses.Name, Frames: len(x.Targets)}, *f.u.scans
	scans.Shapes = f.u.points(x.Targets)
	measured := func(b *Body) Errors {
		_, e := fitPoses(ctx, b, &scans, f.job.Workers)
		return e
	}
	e := measured(s.Body)
	u.RMSmm, u.LaplaceMm, u.LinearMm = 1e3*e.RMS, 1e3*e.Laplace, 1e3*measured(s.Body.linear()).RMS
	if f.u.skeleton != nil {
		u.RigMm = 1e3 * measured(f.u.rig).RMS
	}
	return u, nil
}

// WriteText is [fit.Details].
func (d *Details) WriteText(w io.Writer, r *fit.Report) {
	limbs := "its own skeleton of " + messages.Count(d.Limbs+d.Still, "joint", "joints")
	if d.Still > 0 {
		limbs += fmt.Sprintf(", %d of them still", d.Still)
	}
	unit, perDiagonal := messages.ReportUnit(r.Diagonal)
	perMm := perDiagonal / (1e3 * r.Diagonal)
	length := func(mm float64) string { return fmt.Sprintf("%.3f %s", perMm*mm, unit) }
	if d.Found {
		limbs = messages.Count(d.Limbs, "limb", "limbs") + " found in the scans"
	}
	fmt.Fprintf(w, "%s: a body of %s fitted to %s of %s, %s: %s after %.2f s\n", r.Model,
		messages.Count(r.Vertices, "vertex", "vertices"), messages.Count(d.Scans, "scan", "scans"),
		messages.Printable(r.Train), limbs, r.Reason, r.Seconds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "α\tround\tphase\tQ m²\tRMS, %s\tLaplacian, %s\tseconds\t\n", unit, unit)
	for _, p := range d.Phases {
		fmt.Fprintf(t, "%g\t%d\t%s\t%.4f\t%.3f\t%.3f\t%.2f\t\n", p.Alpha, p.Round, p.Phase, p.Q, perMm*p.RMSmm, perMm*p.LaplaceMm,
			p.Seconds)
	}
	t.Flush()
	// Phases are of the fit. [subject.takeAxes] changes the limbs' axes after them.
	if n := len(d.Phases); n > 0 && d.Phases[n-1].RMSmm != d.RMSmm {
		fmt.Fprint(w, "with the bone axes of the file's skeleton, poses fitted again: ")
	}
	fmt.Fprintf(w, "Q %.4f m² at α = %g, RMS %s, largest %s, Laplacian %s; joints moved by %s on average\n", d.Q, d.Alpha,
		length(d.RMSmm), length(d.MaxMm), length(d.LaplaceMm), length(d.MovedMm))
	fmt.Fprintf(w, "RMS from the scans: played by linear blending %s", length(d.PlayedMm))
	if d.ClipMm != nil {
		fmt.Fprintf(w, "; in the poses that the file's clip has for the scans %s", length(*d.ClipMm))
	}
	if d.RigMm > 0 {
		fmt.Fprintf(w, "; the model's own weights by linear blending, poses fitted: %s", length(d.RigMm))
	}
	fmt.Fprintln(w)
	for _, u := range []struct {
		name string
		e    *UnseenScans
	}{{"unseen", d.Unseen}, {"held out", d.HeldOut}} {
		if u.e == nil {
			continue
		}
		if u.e.Learnt {
			u.name = "trained on"
		}
		fmt.Fprintf(w, "%s, %s of %s, poses fitted: %s, by linear blending %s", u.name,
			messages.Count(u.e.Frames, "scan", "scans"), messages.Printable(u.e.Clip), length(u.e.RMSmm), length(u.e.LinearMm))
		if u.e.RigMm > 0 {
			fmt.Fprintf(w, ", the model's own weights %s", length(u.e.RigMm))
		}
		fmt.Fprintln(w)
	}
}
