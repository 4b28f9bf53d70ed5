package fit

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
)

// TestClipWhereNothingBends: a clip in which the best single joints leave nothing has an RMS error and no EE. Errors up
// to metrics.LeastVisible are none, and not worse than linear blending, which is exact there.
func TestClipWhereNothingBends(t *testing.T) {
	moved := ClipError{rigid: 6e-7}
	for _, c := range []struct {
		rms         float64
		none, worse bool
	}{{2.4e-5, false, true}, {1.6e-5, true, false}, {9e-7, true, false}} {
		moved.setFit(c.rms, 2*c.rms)
		if (moved.EE == 0) != c.none || moved.EE.Known() != c.none || moved.Worse != c.worse {
			t.Errorf("RMS %g in a clip where nothing bends: %+v", c.rms, moved)
		}
	}
}

// TestQuietClip: a clip in which linear blending has no error that counts is not worse for one that does not either,
// and its keys may add up to that error. One with an error that counts is worse for a larger one.
func TestQuietClip(t *testing.T) {
	idle := ClipError{rigid: 2.4e-4, Errors: Errors{LBSRMS: 4.1e-6}}
	for rms, worse := range map[float64]bool{2.2e-5: true, 1.8e-5: false, 4.1e-6: false, 9e-7: false} {
		idle.setFit(rms, 2*rms)
		if idle.Worse != worse {
			t.Errorf("RMS %g and %g by linear blending: worse is %v", rms, idle.LBSRMS, idle.Worse)
		}
		spare := max(metrics.LeastVisible-rms, metrics.KernelRounding)
		if worse {
			spare = 0
		}
		if got := (ClipTable{idle}).Spare(make([]skinning.Clip, 1)); got[0] != spare {
			t.Errorf("RMS %g: its keys may add %g, expected %g", rms, got[0], spare)
		}
	}
}

// TestSpareOfSomeClips: a table of some clips bounds the keys of these, and of no others.
func TestSpareOfSomeClips(t *testing.T) {
	row := ClipError{Name: "run", Errors: Errors{LBSRMS: 2e-3, RMS: 1e-3}}
	got := (ClipTable{row}).Spare([]skinning.Clip{{Name: "walk"}, {Name: "run"}, {Name: "jump"}})
	if want := []float64{0, 1e-3, 0}; !slices.Equal(got, want) {
		t.Errorf("%g, expected %g", got, want)
	}
}

// TestHalfTurnsLearnt: a table says that a decomposition has learnt the half turns, which other fits leave out, and
// counts them only in a clip that has no other poses.
func TestHalfTurnsLearnt(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	all := training.TimesIn(clip, compare.Times(m.Clips[clip].Seconds, 40))
	for _, learnt := range []bool{false, true} {
		p := &training.Poses{Model: m, Taught: true, Times: all}
		if !learnt {
			p.Times = training.WithoutHalfTurns(m, all, false)
		}
		for half, where := range map[int]string{3: "40 poses: joints", 40: "but where a clip has no other poses, and the fit"} {
			r := &Report{Learnt: p, Clips: ClipTable{{Name: "a", Frames: 40, HalfTurns: &ClipHalfTurns{Poses: half}}}}
			var out strings.Builder
			r.writeClips(&out)
			text, counted := out.String(), map[int]string{3: "  a     37  ", 40: "  a     40  "}[half]
			if strings.Contains(text, "has learnt from them") != learnt || strings.Contains(text, "has not learnt") == learnt ||
				!strings.Contains(text, where) || !strings.Contains(text, counted) {
				t.Errorf("learnt %v: %s", learnt, text)
			}
		}
	}
}

// TestVerdict: a clip in which linear blending has no error is not counted, unless it got worse. A largest error that
// grew by more than half is told. A fit that is worse in the mean over the clips says so, and by how much, and one
// that leaves the file as it is says that.
func TestVerdict(t *testing.T) {
	clip := func(rms, most, lbs, lbsMost float64) ClipError {
		c := ClipError{rigid: 1e-2, Errors: Errors{LBSEE: metrics.Percent(1e4 * lbs), LBSRMS: lbs, LBSMax: lbsMost}}
		c.setFit(rms, most)
		return c
	}
	still, better, worse := clip(8e-6, 5e-5, 3e-8, 1e-7), clip(1e-3, 5e-3, 2e-3, 6e-3), clip(5e-3, 6e-3, 2e-3, 6e-3)
	for want, table := range map[string]ClipTable{
		"exact, as linear blending is": {still, still},
		"as good as linear blending or better in the one clip where linear blending errs":    {still, better},
		"as good as linear blending or better in all 2 clips":                                {better, better},
		"as good as linear blending or better in all 2 clips where linear blending errs":     {better, still, better},
		"worse than linear blending in 1 of 2 clips":                                         {clip(4e-5, 2.4e-5, 3e-8, 1e-5), clip(1e-3, 5e-3, 2e-3, 6e-3)},
		"worse in the mean over 2 clips than the file's own weights: EE 30.00 % for 20.00 %": {better, worse, still},
		`as good as linear blending or better in all 2 clips where linear blending errs (all channels are lost in ["walk"])`: {
			better, better, {Name: "walk", Lost: 21, far: true}},
		"as good as linear blending or better in its clip (largest error up to 2.0 times as large in 1)": {
			clip(1e-3, 1.2e-2, 2e-3, 6e-3)},
	} {
		r := Report{Clips: table}
		if got := r.Verdict(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
		r.Unchanged = true
		if got := r.Verdict(); !strings.HasPrefix(got, "nothing was added, and the file's weights stay as they are") {
			t.Errorf("of a fit that adds nothing: %q", got)
		}
	}
}

// TestRefit: of two fits, the one with fewer clips that got worse is kept, and of equals the one that gains more. No
// second one is made after one that is worse in no clip.
func TestRefit(t *testing.T) {
	const lbs = 1e-3
	m := &skinning.Model{Clips: make([]skinning.Clip, 2)}
	choose := func(set *training.Set) *training.Poses {
		p, err := set.Choose(m, []float64{lbs, lbs})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	table := func(ratios ...float64) (t ClipTable) {
		for _, r := range ratios {
			c := ClipError{rigid: 1e-2, Errors: Errors{LBSRMS: lbs}}
			c.setFit(r*lbs, r*lbs)
			t = append(t, c)
		}
		return t
	}
	for _, c := range []struct {
		name string
		fits []ClipTable
		kept int
	}{
		{"none got worse", []ClipTable{table(.4, .5)}, 0},
		{"the second is worse in no clip", []ClipTable{table(.4, 1.5), table(.45, .9)}, 1},
		{"the second gains more", []ClipTable{table(.4, 3), table(.3, 2)}, 1},
		{"the second adds nothing", []ClipTable{table(.4, 1.1), table(1, 1)}, 0},
		{"the second gains less", []ClipTable{table(.4, 3), table(.5, 2)}, 0},
	} {
		made := -1
		attempt := func(p *training.Poses) (*Attempt[int], error) {
			made++
			return &Attempt[int]{Of: made, Poses: p, Clips: c.fits[made]}, nil
		}
		first, _ := attempt(choose(&training.Set{Teacher: skinning.DQS}))
		kept, err := first.refit(context.Background(), attempt)
		if err != nil || kept.Of != c.kept || kept.Again != (len(c.fits) == 2) {
			t.Errorf("%s: fit %d of %d is kept, expected %d: %v", c.name, kept.Of, made+1, c.kept, err)
		}
	}
	first := &Attempt[int]{Poses: choose(&training.Set{Teacher: skinning.DQS, LeftOut: []int{1}}), Clips: table(.4, 1.5)}
	_, err := first.refit(context.Background(), func(*training.Poses) (*Attempt[int], error) {
		return first, nil
	})
	if err != nil || first.Again {
		t.Errorf("a clip that is left out got worse: refitted is %t, %v", first.Again, err)
	}
}

// TestManyWarnings: of many clips that got worse the first are named, and the others counted.
func TestManyWarnings(t *testing.T) {
	table := make(ClipTable, 3*mostWarned)
	for i := range table {
		table[i].Worse = i > 0
	}
	lines := table.Warnings(2)
	if len(lines) != mostWarned+1 || lines[mostWarned] != "15 more clips got worse, as the table says" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

// TestWorseOnTests: of tests on which the fit is worse than linear blending there is a warning with both errors, and
// the verdict names them. A test of a clip that is warned of already adds nothing.
func TestWorseOnTests(t *testing.T) {
	moving := func(c ClipError) ClipError {
		c.Errors = Errors{EE: 10, RMS: 1e-3, LBSEE: 10, LBSRMS: 1e-3}
		return c
	}
	errors := func(ratio float64) Errors {
		return Errors{EE: metrics.Percent(20 * ratio), RMS: 1e-3 * ratio, LBSEE: 20, LBSRMS: 1e-3}
	}
	unseen, held := Test{Clip: "walk", Errors: errors(1.5)}, Test{Clip: "run", Errors: errors(1.25)}
	fine, learnt := Test{Clip: "walk", Errors: errors(1)}, unseen
	learnt.Learnt = true
	const warning = "held out shapes of run got worse: EE 25.00 % and RMS 2.5 mm, by linear blending 20.00 % and 2 mm"
	for _, c := range []struct {
		clips        []ClipError
		unseen, held *Test
		warnings     int
		verdict      string
	}{
		{[]ClipError{{Name: "walk"}}, &fine, &fine, 0, "as good as linear blending or better in its clip"},
		{[]ClipError{{Name: "walk"}}, &fine, &held, 1,
			"as good as linear blending or better in its clip, but worse on held out shapes"},
		{[]ClipError{{Name: "idle"}, {Name: "run"}}, &unseen, &held, 2,
			"as good as linear blending or better in all 2 clips, but worse on unseen poses and held out shapes"},
		{[]ClipError{{Name: "walk", Worse: true}, {Name: "run"}}, &unseen, &held, 1,
			"worse than linear blending in 1 of 2 clips and on held out shapes"},
		{[]ClipError{{Name: "walk", Worse: true}}, &unseen, &fine, 0, "worse than linear blending in 1 of 1 clips"},
		{nil, &learnt, &held, 2, "worse than linear blending on trained poses and held out shapes"},
		{nil, &fine, &fine, 0, ""},
	} {
		r := &Report{Diagonal: 2}
		for _, clip := range c.clips {
			r.Clips = append(r.Clips, moving(clip))
		}
		r.Judge("unseen poses", c.unseen)
		r.Judge("held out shapes", c.held)
		if r.Verdict() != c.verdict || len(r.Warnings) != c.warnings || c.held == &held && !slices.Contains(r.Warnings, warning) {
			t.Errorf("%q with %q, expected %q with %d warnings", r.Verdict(), r.Warnings, c.verdict, c.warnings)
		}
	}
}

// TestSameSkin: weights that differ by their rounding to float32 are the same, in any order of the joints.
func TestSameSkin(t *testing.T) {
	skin := func(weights ...skinning.Share) *skinning.Mesh {
		m := &skinning.Mesh{Positions: make([]mgl32.Vec3, 1)}
		m.SetWeights(skinning.InfluencesOf([][]skinning.Share{weights}, nil))
		return m
	}
	own := skin(skinning.Share{Joint: 1, Weight: 0.7}, skinning.Share{Joint: 2, Weight: 0.3})
	rounded := skin(skinning.Share{Joint: 2, Weight: 0.3 + 1e-7}, skinning.Share{Joint: 1, Weight: 0.7 - 1e-7})
	other := skin(skinning.Share{Joint: 1, Weight: 0.701}, skinning.Share{Joint: 2, Weight: 0.299})
	if !sameSkin(own, rounded) || sameSkin(own, other) || sameSkin(own, skin(skinning.Share{Joint: 1, Weight: 1})) {
		t.Error("weights that differ by rounding alone are the same, and no others")
	}
}

// TestOneSamplingOfTheTest: the row of a clip that is left out of the training is of the poses of its test, so that
// linear blending has one error there in a printout: to 1e-6 of it, since the table is posed in float32.
func TestOneSamplingOfTheTest(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	set := &training.Set{Teacher: skinning.DQS, LeftOut: []int{0}}
	row := MeasureLinear(t.Context(), m, set, 2)[0]
	test := TestOn(t.Context(), m, m, skinning.DQS, 0)
	if row.Frames != test.Frames || !(math.Abs(row.LBSRMS-test.LBSRMS) <= 1e-6*test.LBSRMS) {
		t.Errorf("%d poses, RMS %g in the table; %d poses, RMS %g in the test", row.Frames, row.LBSRMS, test.Frames,
			test.LBSRMS)
	}
}

// TestUnseenPoses: below the errors of tests is over how many poses they are.
func TestUnseenPoses(t *testing.T) {
	var out strings.Builder
	tests := UnseenTests{Unseen: &UnseenTest{Clip: "walk", Frames: 100}, HeldOut: &UnseenTest{Clip: "examples", Frames: 1}}
	tests.WritePoses(&out)
	if want := "Tests, unseen: 100 poses of walk; held out: 1 pose of examples.\n"; out.String() != want {
		t.Errorf("%q, expected %q", out.String(), want)
	}
}
