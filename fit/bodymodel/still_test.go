package bodymodel_test

import (
	"math"
	"strings"
	"testing"

	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestStillLimbs: the arm's scans turn two joints, and its clips curl the fingers too. Joints that are still in the
// scans move their vertices as before, so that the file's clips show a whole hand: within 30 mm of dual quaternions,
// where vertices that come to follow fingers are 170 to 550 mm off. Linear blending is up to 36 mm off.
func TestStillLimbs(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:arm")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	out, d := run(t, m, set, fit.Values{"rounds": 5})
	if d.Limbs+d.Still != len(m.Skeleton.Joints) || d.Limbs > 5 {
		t.Errorf("%d limbs, %d joints still, of %d", d.Limbs, d.Still, len(m.Skeleton.Joints))
	}
	if d.ClipMm == nil || !(*d.ClipMm < 3) || !(*d.ClipMm > d.RMSmm) {
		t.Errorf("RMS %.3f mm, in the clip's own poses %v", d.RMSmm, d.ClipMm)
	}
	for _, clip := range []string{"flex", "flex-twist"} {
		from, err := m.ClipIndex(clip)
		if err != nil {
			t.Fatal(err)
		}
		to, err := out.Model.ClipIndex(clip)
		if err != nil {
			t.Fatal(err)
		}
		method, _ := out.Model.MadeFor()
		s := compare.Survey{Reference: skinning.DQS, Clip: from, Frames: 20, ShortestPath: true,
			Subjects: []compare.Subject{{Name: "body", Model: out.Model, Method: method, Clip: to}}}
		got, err := s.Run(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if !(got[0].Max < 0.03) {
			t.Errorf("%s: a vertex is %.1f mm from dual quaternions", clip, 1e3*got[0].Max)
		}
	}
	for v := range out.Model.Skin.Bindings {
		sum := float32(0)
		for _, w := range out.Model.Skin.Of(nil, v) {
			sum += w.Weight
		}
		if n := len(out.Model.Skin.Of(nil, v)); n > 4 || math.Abs(float64(sum)-1) > 1e-5 {
			t.Fatalf("vertex %d has %d influences of sum %g", v, n, sum)
		}
	}
}

// TestOtherAxes: where the result is not that of the last phase, the print says why.
func TestOtherAxes(t *testing.T) {
	for rms, says := range map[float64]bool{1.5: false, 2.1: true} {
		d := &bodymodel.Details{Q: 2, RMSmm: rms, Phases: []bodymodel.PhaseReport{{Phase: "joints", Q: 1.4, RMSmm: 1.5}}}
		var text strings.Builder
		d.WriteText(&text, &fit.Report{Diagonal: 2})
		if strings.Contains(text.String(), "\nwith the bone axes of the file's skeleton, poses fitted again: Q 2.0000") != says {
			t.Errorf("RMS %g mm after 1.5: %s", rms, text.String())
		}
	}
}
