package compare

import (
	"context"
	"math"
	"strings"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
)

// prism is that of [skinningtest.Prism]; its clip twists the second joint by 180 degrees.
func prism() *skinning.Model {
	m := skinningtest.Prism()
	m.Clips = []skinning.Clip{{Name: "twist", Seconds: 1, Channels: []skinning.Channel{{
		Node: 1, Path: skinning.PathRotation, Width: 4, Times: []float32{0, 1},
		Values: []float32{0, 0, 0, 1, 1, 0, 0, 1e-4}}}}}
	return m
}

func TestRun(t *testing.T) {
	m := prism()
	opt := Options{Reference: skinning.DQS, Subjects: Direct(skinning.LBS, skinning.DQS), Frames: 5, ShortestPath: true}
	rows, err := Run(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	lbs, dqs := rows[0], rows[1]
	if dqs.EE != 0 || dqs.Max != 0 {
		t.Errorf("the reference differs from itself: %+v", dqs)
	}
	// The last pose, of 180 degrees, is a half turn: it stands apart. At 135 degrees 1 − (1 − cos 135°)/3 of the volume
	// is left, 0.43. The prism's flat facets between 40 rings cost DQS 3 percent: at the edges they cut the corner.
	if !(lbs.VolumeRatioMin > 0.42 && lbs.VolumeRatioMin < 0.44) || lbs.WorstTime != 0.75 {
		t.Errorf("linear blending keeps %g of the volume, expected 0.43, and is worst at %g s", lbs.VolumeRatioMin, lbs.WorstTime)
	}
	if a := lbs.HalfTurns; a == nil || a.Poses != 1 || !(a.RMS > lbs.RMS) || !(a.Max > lbs.Max) ||
		!strings.Contains(a.Note(5), "1 of 5 poses") {
		t.Errorf("half turns of linear blending: %+v", a)
	}
	var table strings.Builder
	if WriteTable(&table, rows, 5, 1); !strings.Contains(table.String(), ", over 4 poses.") {
		t.Errorf("the table of a half turn among 5 poses:\n%s", &table)
	}
	if a := dqs.HalfTurns; a == nil || a.RMS != 0 {
		t.Errorf("half turns of the reference: %+v", a)
	}
	opt.Times = []float64{1} // nothing else to measure
	if rows, err = Run(context.Background(), m, opt); err != nil || !(rows[0].Max == lbs.HalfTurns.Max) {
		t.Errorf("a half turn alone: %+v, %v", rows, err)
	}
	if !(dqs.VolumeRatioMin > 0.96 && dqs.VolumeRatioMax < 1.001) {
		t.Errorf("dual quaternions keep %g to %g of the volume", dqs.VolumeRatioMin, dqs.VolumeRatioMax)
	}
	if !(lbs.EE > 10 && lbs.Max > lbs.RMS && lbs.RMS > 0) {
		t.Errorf("linear blending's errors: %+v", lbs)
	}
}

// A skin that encloses no volume has none to lose: a prism whose faces are there twice, inside out, keeps what rounding
// leaves of it.
func TestRunWithoutVolume(t *testing.T) {
	m := prism()
	for _, tri := range m.Skin.Triangles {
		m.Skin.Triangles = append(m.Skin.Triangles, [3]uint32{tri[0], tri[2], tri[1]})
	}
	rows, err := Run(context.Background(), m,
		Options{Reference: skinning.DQS, Subjects: Direct(skinning.LBS), Frames: 5, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	if r := rows[0]; r.VolumeRatioMin != 1 || r.VolumeRatioMax != 1 {
		t.Errorf("volumes from %g to %g of none", r.VolumeRatioMin, r.VolumeRatioMax)
	}
}

func TestRunRefuses(t *testing.T) {
	ok := Options{Subjects: Direct(skinning.Methods()...), Frames: 3, ShortestPath: true}
	noClip, noFrames := ok, ok
	noClip.Clip, noFrames.Frames = 1, 0
	for name, c := range map[string]struct {
		m   *skinning.Model
		opt Options
	}{"no skin": {&skinning.Model{}, ok}, "no clip": {prism(), noClip}, "no frames": {prism(), noFrames}} {
		if _, err := Run(context.Background(), c.m, c.opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, prism(), ok); err == nil {
		t.Error("a cancelled run returns no error")
	}
}

// The largest error of a twist is on the collapsed middle section, in the last pose that is no half turn.
func TestWorstIsTheCollapse(t *testing.T) {
	m := prism()
	rows, err := Run(context.Background(), m,
		Options{Reference: skinning.DQS, Subjects: Direct(skinning.LBS), Frames: 5, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	if x := m.Skin.Positions[rows[0].WorstVertex][0]; rows[0].WorstTime != 0.75 || x != 1 {
		t.Errorf("worst at %g s, x = %g, want 0.75 s and 1", rows[0].WorstTime, x)
	}
}

// The series and the totals are two views of the same frames: the RMS is the root of the mean of the frames' squares,
// the largest error and the volumes are the extremes, without the half turn at the end. Tolerance 1e-12, absolute:
// float64 sums of other order on values of about 0.1.
func TestSeriesAddsUpToTheRow(t *testing.T) {
	opt := Options{Reference: skinning.DQS, Subjects: Direct(skinning.LBS), Frames: 7, ShortestPath: true, Series: true}
	rows, err := Run(context.Background(), prism(), opt)
	if err != nil {
		t.Fatal(err)
	}
	row := rows[0]
	if len(row.Series) != opt.Frames {
		t.Fatalf("%d samples of %d frames", len(row.Series), opt.Frames)
	}
	squares, largest, low, high := 0.0, 0.0, math.Inf(1), math.Inf(-1)
	for i, s := range row.Series {
		if want := float64(i) / 6; s.Time != want {
			t.Errorf("sample %d is at %g s, want %g", i, s.Time, want)
		}
		if s.HalfTurn != (i == 6) {
			t.Errorf("sample %d: %+v", i, s)
		}
		if s.HalfTurn {
			continue
		}
		squares += s.RMS * s.RMS
		largest, low, high = max(largest, s.Max), min(low, s.VolumeRatio), max(high, s.VolumeRatio)
	}
	if s := row.Series[0]; s.RMS > 1e-12 || !(math.Abs(s.VolumeRatio-1) <= 1e-12) {
		t.Errorf("the first frame is the rest pose, its sample %+v", s)
	}
	rms := math.Sqrt(squares / float64(opt.Frames-1))
	if !(math.Abs(rms-row.RMS) <= 1e-12) || largest != row.Max || low != row.VolumeRatioMin || high != row.VolumeRatioMax {
		t.Errorf("RMS %g, largest %g, volume %g to %g of the series; the row has %+v", rms, largest, low, high, row)
	}
	opt.Series = false
	rows, err = Run(context.Background(), prism(), opt)
	if err != nil || rows[0].Series != nil {
		t.Errorf("a series that was not asked for: %v, %v", rows[0].Series, err)
	}
}

// A vertex that both joints move blames the one that turns,
// whatever its weight, and a vertex of one joint blames that one.
func TestTurnedMost(t *testing.T) {
	m := prism()
	for v, in := range map[int]int{0: 0, len(m.Skin.Positions) / 2: 1, 4*10 + 1: 1, len(m.Skin.Positions) - 1: 1} {
		if got := TurnedMost(m, 0, 1, v); got != in {
			t.Errorf("vertex %d at %v blames joint %d, want %d", v, m.Skin.Positions[v], got, in)
		}
	}
	// At rest nothing turns: the strongest influence is named.
	if got := TurnedMost(m, 0, 0, 4*10); got != 0 {
		t.Errorf("at rest vertex 40 blames joint %d, want 0, which has three quarters of its weight", got)
	}
	if got := TurnedMost(&skinning.Model{Skin: skinning.Mesh{Influences: skinning.Influences{Bindings: make([]skinning.Binding,
		1)}},
		Clips: []skinning.Clip{{Seconds: 1}}}, 0, 0, 0); got != -1 {
		t.Errorf("a vertex without influences blames joint %d", got)
	}
}

// TestWriteTable: rounding is 0 at no place, an error of less than a ten-thousandth of the unit says so, and of errors
// that cannot be seen there is a line, as in the tables of fits.
func TestWriteTable(t *testing.T) {
	var out strings.Builder
	WriteTable(&out, []Row{{Method: "exact", RMS: 1e-17, Max: 2e-16, WorstTime: 2.5, WorstVertex: 77},
		{Method: "tiny", RMS: 4e-8, Max: 5e-8, WorstTime: 1.5, WorstVertex: 88}}, 3, 1)
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{"", "exact 0.000 0 0 0.000 0.000 – –",
		"tiny 0.000 < 0.0001 < 0.0001 0.000 0.000 1.50 88", "", "RMS errors up to 0.02 mm cannot be seen: their EE is 0."} {
		if got := strings.Join(strings.Fields(lines[i]), " "); want != "" && got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
