package methods

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"skinlab/fit"
	"skinlab/fit/halfway"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// withIdle puts a clip before those of a model: its last clip, every turn a fraction of what it is there.
func withIdle(t *testing.T, name string, fraction float64) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, name)
	idle := m.Clips[len(m.Clips)-1]
	idle.Name, idle.Channels = "idle", nil
	rest := m.NewPose()
	for _, c := range m.Clips[len(m.Clips)-1].Channels {
		if c.Path != skinning.PathRotation || c.Interpolation == skinning.CubicSpline {
			continue
		}
		c.Values = slices.Clone(c.Values)
		for k := range c.Times {
			r := rest.Local[c.Node].Rotation
			var q geom.Quat
			for i := range q {
				q[i] = float64(c.Values[4*k+i])
			}
			turn := geom.RotationVector(r.Conjugate().Mul(q)).Mul(fraction)
			if turn.Len() > 0 {
				r = r.Mul(geom.AxisAngle(turn.Mul(1/turn.Len()), turn.Len()))
			}
			for i := range r {
				c.Values[4*k+i] = float32(r[i])
			}
		}
		idle.Channels = append(idle.Channels, c)
	}
	m.Clips = append([]skinning.Clip{idle}, m.Clips...)
	return m
}

// TestDefaultTraining: a character whose first clip hardly moves is no worse than linear blending in any clip, by what
// compare says of the fitted model too; trained on the first clip alone, as it was once, it is worse.
func TestDefaultTraining(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := withIdle(t, "demo:tube", 0.05)
	learn := func(train ...training.Part) *fit.Result {
		job := blendJob(m, 4, train...)
		job.Tests.AllClips = true
		return mustRun(t, job)
	}
	out := learn()
	r := out.Report
	if r.Train != "all clips" || len(r.Clips) != len(m.Clips) || len(r.Clips.Worse()) != 0 || !r.Refitted ||
		!strings.Contains(r.Verdict(), "as good as linear blending or better in all 3 clips") || len(r.Warnings) > 0 {
		t.Errorf("%s refitted %t, trained on %s: %+v", r.Verdict(), r.Refitted, r.Train, r.Clips)
	}
	for c := range m.Clips {
		rows, err := compare.Run(context.Background(), m, compare.Options{Reference: skinning.DQS, Clip: c, Frames: 50,
			ShortestPath: true, Subjects: append(compare.Direct(skinning.LBS), compare.Subject{Model: out.Model, Clip: c})})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: EE %.2f %%, linear blending %.2f %%", m.Clips[c].Name, float64(rows[1].EE), float64(rows[0].EE))
		if !(rows[1].RMS <= rows[0].RMS) {
			t.Errorf("%s: RMS %g, linear blending %g", m.Clips[c].Name, rows[1].RMS, rows[0].RMS)
		}
	}
	old := learn(training.Part{Clip: 2}).Report
	if old.Clips[0].Worse == false || len(old.Warnings) != len(old.Clips.Worse()) ||
		!strings.HasPrefix(old.Verdict(), "worse than linear blending in ") || old.Refitted {
		t.Errorf("trained on a lively clip alone: %s, %q: %+v", old.Verdict(), old.Warnings, old.Clips)
	}
}

// TestTaughtByAllClips: enveloping and trained weights that a method teaches in all clips are no worse than linear
// blending in any, of which one moves little. In one that moves a third as much, four proxy bones are worse than linear
// blending until they give up nearly all that they gain.
func TestTaughtByAllClips(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := withIdle(t, "demo:tube", 0.15)
	set := &training.Set{Teacher: skinning.DQS}
	for name, job := range map[string]fit.Job{"enveloping": envelopeJob(m, 4, set), "ssd": ssdJob(m, set, -1)} {
		job.Tests.AllClips = true
		r := mustRun(t, job).Report
		if len(r.Clips) != len(m.Clips) || len(r.Clips.Worse()) != 0 {
			t.Errorf("%s, refitted %t: %+v", name, r.Refitted, r.Clips)
		}
	}
}

// TestRestingClip: a clip that rests, as a T-pose does, is the only one in which enveloping may not gain. With it,
// errors in the other clips are no more than a fifth larger; they were twice as large.
func TestRestingClip(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	ee := func(m *skinning.Model) (mean float64) {
		job := envelopeJob(m, 40, &training.Set{Teacher: skinning.DQS})
		job.Tests.AllClips = true
		r := mustRun(t, job).Report
		if len(r.Clips.Worse()) != 0 {
			t.Errorf("refitted %t: %+v", r.Refitted, r.Clips)
		}
		for _, c := range r.Clips {
			if c.Name != "idle" {
				mean += float64(c.EE) / 3
			}
		}
		return mean
	}
	without, with := ee(assetstest.Open(t, "Fox.glb")), ee(withIdle(t, "Fox.glb", 0))
	if !(with <= 1.2*without) {
		t.Errorf("mean EE %.2f %% without a clip that rests, %.2f with it", without, with)
	}
}

// TestSameMeasure: EE is a share of what the model's own joints leave, whatever joints a fit adds. That of linear
// blending is the same beside every fit, and that of a fit to shapes over its training is what is measured of the
// model that it makes, within a thousandth, since that model's weights are float32.
func TestSameMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:figure")
	set := &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: 0, Frames: 4}}}
	var first fit.ClipTable
	for _, method := range All() {
		if method.Learns == fit.Sequence || method.Learns == fit.Scans {
			continue
		}
		out := mustRun(t, fit.Job{Method: method, Model: m, Training: set, Tests: training.Tests{Clip: -1, AllClips: true}})
		if first == nil {
			first = out.Report.Clips
		}
		for c, row := range out.Report.Clips {
			if math.Abs(float64(row.LBSEE-first[c].LBSEE)) > 1e-9 {
				t.Errorf("%s, clip %s: EE of linear blending %g, beside another fit %g", method.Name, row.Name, row.LBSEE,
					first[c].LBSEE)
			}
		}
		if method.Learns != fit.Shapes {
			continue // it chooses other poses of the clip
		}
		x, err := set.Examples(m)
		if err != nil {
			t.Fatal(err)
		}
		have, want := out.Report.EE, fit.NewShapeErrors(x).Of(out.Model).EE
		if math.Abs(float64(have-want)) > 1e-3*float64(want) {
			t.Errorf("%s: EE %g over its training, measured %g", method.Name, have, want)
		}
	}
}

// TestFarClip: a clip that takes the model where float32 cannot follow is not trained on where there are others, and
// its noise is no verdict.
func TestFarClip(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	root := m.Skeleton.Joints[0].Node
	m.Clips = append(m.Clips, skinning.Clip{Name: "away", Seconds: 1, Channels: []skinning.Channel{{Node: root,
		Path: skinning.PathTranslation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1e12, 0, 0}}}})
	out := mustRun(t, blendJob(m, 2))
	if c := out.Report.Clips; len(c) != 3 || c[2].Worse || out.Report.Refitted {
		t.Errorf("refitted %t: %+v", out.Report.Refitted, c)
	}
}

// TestClipTable: the table has what compare measures in float64: errors within 1e-6 of the diagonal, which float32
// kernels may be off by, EE within a hundredth of a percent. A clip that moves nothing has an RMS and no EE.
func TestClipTable(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	still := skinning.Clip{Name: "still", Seconds: 1}
	m.Clips = append(m.Clips, still)
	out := mustRun(t, fit.Job{Method: halfway.Method, Model: m, Tests: training.Tests{Clip: 1, AllClips: true},
		Training: &training.Set{Teacher: skinning.SDQS, Parts: []training.Part{{Clip: 0, Frames: 5}, {Clip: 1, Frames: 4}}}})
	r := out.Report
	if r.Train != "writhe, train" || r.Frames != 8 || len(r.Clips) != 3 { // one of the nine is a half turn
		t.Fatalf("%d poses of %q: %+v", r.Frames, r.Train, r.Clips)
	}
	for c, row := range r.Clips {
		rows, err := compare.Run(context.Background(), m, compare.Options{Reference: skinning.SDQS, Clip: c,
			Frames: row.Frames, ShortestPath: true,
			Subjects: append(compare.Direct(skinning.LBS), compare.Subject{Model: out.Model, Clip: c})})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []struct {
			name       string
			have, want float64
			within     float64
		}{
			{"EE", float64(row.EE), float64(rows[1].EE), 0.01},
			{"EE of linear blending", float64(row.LBSEE), float64(rows[0].EE), 0.01},
			{"RMS", row.RMS, rows[1].RMS, 1e-6},
			{"largest", row.Max, rows[1].Max, 1e-6},
			{"largest of linear blending", row.LBSMax, rows[0].Max, 1e-6},
		} {
			if !(math.Abs(p.have-p.want) <= p.within) {
				t.Errorf("%s: %s %g, compare says %g", row.Name, p.name, p.have, p.want)
			}
		}
	}
	if n := r.Test; n == nil || !(n.LBSRMS > n.RMS) || !(float64(n.LBSEE) > float64(n.EE)) || n.Clip != "train" {
		t.Errorf("tested: %+v", n)
	}
}

// TestHeldOutAndOtherFiles: shapes that were kept from the training are measured beside linear blending, and another
// file's are, where its joints and vertices are the same; else it is refused before the fit.
func TestHeldOutAndOtherFiles(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	unseen, err := m.ClipIndex("unseen")
	if err != nil {
		t.Fatal(err)
	}
	held := &training.Set{Clip: unseen, Times: m.Clips[unseen].KeyTimes()}
	job := envelopeJob(m, 10, set)
	job.Tests = training.Tests{Clip: -1, Model: m, HeldOut: held, AllClips: true}
	out := mustRun(t, job)
	r, d := out.Report, details(out)
	if u := d.Unseen; u == nil || u.Fit.EE != r.EE || !(u.LBS.EE > u.Fit.EE) || u.Clip != m.Name {
		t.Errorf("the file itself: %+v, in training EE %g", u, float64(r.EE))
	}
	if h := d.HeldOut; h == nil || h.Frames != 1 || h.Clip != "unseen" || !(h.Fit.EE < h.LBS.EE) {
		t.Errorf("held out: %+v", h)
	}
	names := []string{}
	for _, c := range r.Clips {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"examples", "unseen"}) || !strings.HasPrefix(r.Without, "1 other clip") ||
		r.Clips[0].EE != r.EE || r.Clips[0].LBSEE != d.Unseen.LBS.EE {
		t.Errorf("clips %q, %q: %+v", names, r.Without, r.Clips)
	}
	began := false
	job.Progress = func(p fit.Progress) { began = began || p.Stage != "preparing" }
	for says, change := range map[string]func(of *skinning.Model){
		"no joint":   func(of *skinning.Model) { of.Skeleton.Joints[1].Name = "tail" },
		"hangs on":   func(of *skinning.Model) { of.Skeleton.Joints[1].Parent = -1 },
		"triangle 7": func(of *skinning.Model) { of.Skin.Triangles[7][0]++ },
		"vertices":   func(of *skinning.Model) { of.Skin.Positions = of.Skin.Positions[1:] },
		"examples":   func(of *skinning.Model) { of.Skin.Morphs = nil },
	} {
		other := assetstest.Open(t, "demo:bar")
		change(other)
		job.Tests.Model = other
		if _, err := fit.Run(context.Background(), job); err == nil || !strings.Contains(err.Error(), says) || began {
			t.Errorf("%v, expected %q; the fit began: %v", err, says, began)
		}
	}
}
