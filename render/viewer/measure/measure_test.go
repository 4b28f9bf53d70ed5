package measure

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"skinlab/internal/assetstest"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/metrics"
)

// patience bounds waits for goroutines on a busy machine.
const patience = 30 * time.Second

func posed(m *skinning.Model, clip int, seconds float64) *skinning.Frame {
	f, p := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(p, clip, seconds)
	f.SetPose(p)
	return f
}

func everything() (want RowSet) {
	for i := range Rows() {
		want[i] = true
	}
	return want
}

// read waits for the reading of the last request.
func read(t *testing.T, l *Live) (r Reading) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if l.Read(&r) && r.Serial == l.Asked() {
			return r
		}
	}
	t.Fatalf("no reading of request %d within %v", l.Asked(), patience)
	panic("unreachable")
}

// TestLiveReading holds the live numbers to the float64 measurement of the same pose. Positions are rounded to 1e-7 of
// the size, which is 0.01 percent of an EE near 0, and less than a hundred thousandth of one of thousands of percent,
// as that of another pose is.
func TestLiveReading(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	f := posed(m, 0, 0.3)
	other := posed(m, 0, 0.9)
	l := NewLive(func() {})
	defer l.Close()
	const vertex = 100
	l.Ask(&Request{Own: f, Fitted: other, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: vertex})
	// What happens to the caller's frame after that is none of the reading's business.
	want := map[int]skinning.Shape{}
	for _, method := range skinning.Methods() {
		want[OfPane(state.Pane{Method: method})] = f.Reference(method)
	}
	want[OfPane(state.Pane{Method: state.Fitted})] = other.Reference(skinning.LBS)
	rest := m.Skin.RestPositions(f.Morphs)
	still := posed(m, 0, 0.3)
	f.Copy(other)
	r := read(t, l)
	size := m.Diagonal()
	for i, row := range r.Rows {
		shape, ok := want[i]
		if row.There != ok || row.Compared != ok {
			t.Fatalf("row %d: there %v, compared %v, expected %v", i, row.There, row.Compared, ok)
		}
		if !ok {
			continue
		}
		e := metrics.NewErrors(m)
		worst := e.Add(want[OfPane(state.Pane{Method: skinning.DQS})].Positions, shape.Positions, rest, still)
		ee := e.EE()
		if e.RMS() <= 1e-6 { // metrics.Meter takes that for rounding
			ee = 0
		}
		volume := metrics.Volume(metrics.SkinBody(m), shape.Positions) / metrics.Volume(metrics.SkinBody(m), rest)
		if !(math.Abs(row.RMS/size-e.RMS()) <= 1e-6) || !(math.Abs(row.Max/size-e.Max()) <= 1e-6) ||
			!(math.Abs(row.EE-ee) <= 0.01+1e-5*ee) ||
			!(math.Abs(row.Volume-volume) <= 1e-5) || e.Max() > 1e-3 && row.Worst != worst {
			t.Errorf("row %d: %+v; in float64 RMS %g, largest %g of %g m at %d, EE %g, volume %g", i, row, e.RMS(), e.Max(),
				size, worst, ee, volume)
		}
		off := shape.Positions[vertex].Sub(want[OfPane(state.Pane{Method: skinning.DQS})].Positions[vertex]).Len()
		if !row.HasVertex || !(math.Abs(row.Off-off) <= 1e-6*size) {
			t.Errorf("row %d: vertex %d is off by %g m, in float64 %g", i, vertex, row.Off, off)
		}
	}
	if lbs := r.Rows[0]; lbs.EE < 1 || r.Rows[OfPane(state.Pane{Method: skinning.DQS})].Max != 0 {
		t.Errorf("EE of LBS %g, largest error of the reference %g", lbs.EE, r.Rows[1].Max)
	}
}

// TestLiveRegion asks for the volume round a joint.
func TestLiveRegion(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	f := posed(m, 0, m.Clips[0].Seconds/2)
	l := NewLive(func() {})
	defer l.Close()
	for joint := range m.Skeleton.Joints {
		l.Ask(&Request{Own: f, Reference: skinning.DQS, Want: everything(), Joint: joint, Vertex: -1})
		r := read(t, l)
		region := metrics.NewRegion(m, joint)
		for _, method := range skinning.Methods() {
			want, rest := 0.0, metrics.Volume(region, m.Skin.Positions)
			if rest != 0 {
				d := skinning.NewDeformer(m, 1)
				out := skinning.NewOutput(m)
				d.Deform(&out, method, f)
				want = metrics.Volume(region, out.Positions) / rest
			}
			row := &r.Rows[OfPane(state.Pane{Method: method})]
			if row.Local != want {
				t.Errorf("joint %d by %v: volume %g, expected %g", joint, method, row.Local, want)
			}
			if rest != 0 && !(row.Least > 0 && row.Least <= want) || joint == row.LeastAt && row.Least != want {
				t.Errorf("joint %d by %v: volume %g, and %g of the least, that of joint %d", joint, method, want, row.Least, row.LeastAt)
			}
		}
	}
	l.Ask(&Request{Own: f, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
	if r := read(t, l); r.Rows[0].Local != 0 {
		t.Errorf("a volume of %g round no joint", r.Rows[0].Local)
	}
}

// TestLiveBeside measures a second file: against its own reference, and where it has the first one's skin against that
// one's.
func TestLiveBeside(t *testing.T) {
	figure, tube := assetstest.Open(t, "demo:figure"), assetstest.Open(t, "demo:tube")
	f := posed(figure, 0, 0.3)
	l := NewLive(func() {})
	defer l.Close()
	l.Ask(&Request{Own: f, Beside: posed(tube, 0, 1), Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: 5})
	r := read(t, l)
	if row := r.Rows[OfPane(state.Pane{Method: skinning.LBS, Beside: true})]; !row.Compared || row.Max == 0 || row.HasVertex {
		t.Errorf("the tube: %+v", row)
	}
	if row := r.Rows[OfPane(state.Pane{Method: skinning.DQS, Beside: true})]; !row.Compared || row.Max != 0 {
		t.Errorf("the tube's reference: %+v", row)
	}
	if r.OpenEdges != [2]int{metrics.SkinBody(figure).OpenEdges(), 0} {
		t.Errorf("open edges %v", r.OpenEdges)
	}
	again := *figure
	l.Ask(&Request{Own: f, Beside: posed(&again, 0, 0.3), BesideFitted: true, SameSkin: true, Reference: skinning.DQS,
		Want: everything(), Joint: -1, Vertex: 5})
	r = read(t, l)
	first, second := r.Rows[OfPane(state.Pane{Method: skinning.LBS})], r.Rows[OfPane(state.Pane{Method: state.Fitted, Beside: true})]
	if first != second {
		t.Errorf("the same skin by the same method: %+v in the first file, %+v in the second", first, second)
	}
	if r.Rows[OfPane(state.Pane{Method: skinning.DQS, Beside: true})].There {
		t.Error("a file with blend bones is posed by DQS")
	}
}

// TestLiveComesToRest counts what goes on when nothing is asked, and what a steady stream of poses allocates.
func TestLiveComesToRest(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	var wakes atomic.Int64
	l := NewLive(func() { wakes.Add(1) })
	defer l.Close()
	q := Request{Own: posed(m, 0, 1), Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1}
	for range 3 { // both slots get their frames
		l.Ask(&q)
		read(t, l)
	}
	before := wakes.Load()
	time.Sleep(3 * leastPause)
	if n := wakes.Load() - before; n != 0 {
		t.Errorf("woken %d times though nothing was asked", n)
	}
	least := uint64(math.MaxUint64)
	for range 5 { // the runtime allocates now and then
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		was := wakes.Load()
		for start := time.Now(); time.Since(start) < 3*leastPause; time.Sleep(time.Millisecond) {
			l.Ask(&q)
		}
		runtime.ReadMemStats(&to)
		if n := wakes.Load() - was; n < 1 || n > 4 {
			t.Errorf("%d readings in three pauses", n)
		}
		least = min(least, to.Mallocs-from.Mallocs)
	}
	if least > 1 {
		t.Errorf("%d allocations while poses are measured, expected none", least)
	}
	l.Close()
	l.Ask(&q) // after the end nothing happens, and nothing breaks
	l.Pick(Ray{})
	l.Close()
}

func TestMeasureClip(t *testing.T) {
	m, tube := assetstest.Open(t, "demo:figure"), assetstest.Open(t, "demo:tube")
	again := *m
	q := ClipRequest{
		Own: m, Fitted: &again, Beside: tube, Reference: skinning.DQS, Seconds: 0.3, ShortestPath: true, Vertex: -1,
		Workers: 2,
	}
	c, err := MeasureClip(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if c.Frames != 10 {
		t.Errorf("%d frames of 0.3 s, expected 10", c.Frames)
	}
	for i, row := range c.Rows {
		none := []int{OfPane(state.Pane{Method: state.Fitted, Beside: true}), OfPane(state.Pane{Method: state.Examples})}
		if there := !slices.Contains(none, i); row.There != there {
			t.Errorf("row %d: there %v, expected %v", i, row.There, there)
		}
	}
	lbs, fitted := c.Rows[0], c.Rows[OfPane(state.Pane{Method: state.Fitted})]
	if lbs != fitted || lbs.EE < 1 {
		t.Errorf("linear blending %+v, over another model with the same weights %+v", lbs, fitted)
	}
	q.Vertex = lbs.WorstVertex
	one, err := MeasureClip(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Rows[0]; got.Max != lbs.Max || got.WorstTime != lbs.WorstTime {
		t.Errorf("the worst vertex by itself: %+v, expected %g m at %g s", got, lbs.Max, lbs.WorstTime)
	}
	if one.Rows[OfPane(state.Pane{Method: skinning.LBS, Beside: true})].There {
		t.Error("a vertex of the first file is measured on another skin")
	}
	q.Vertex, q.Clip, q.Seconds = -1, -1, 0
	c, err = MeasureClip(context.Background(), q)
	if err != nil || c.Frames != 1 {
		t.Errorf("the static pose: %v, %+v", err, c)
	}
	c, err = MeasureClip(context.Background(), ClipRequest{Own: &skinning.Model{}, Vertex: -1})
	if err != nil ||
		c.Rows[0].There {
		t.Errorf("no skin: %v, %+v", err, c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = MeasureClip(ctx, q)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReferenceBeside: what a method is on one of two files of a skin is the reference of both, whichever file is the
// first: at a pose and over the clip.
func TestReferenceBeside(t *testing.T) {
	if testing.Short() {
		t.Skip("short: two models in all poses")
	}
	m := assetstest.Open(t, "demo:figure")
	stiff := *m
	stiff.Skin.Influences.Bindings = append([]skinning.Binding(nil), m.Skin.Bindings...)
	for v := range stiff.Skin.Bindings { // the first joint of each vertex moves it alone
		b := &stiff.Skin.Bindings[v]
		b.Weights = [len(b.Weights)]float32{1}
	}
	const clip, seconds = 0, 0.3
	dqs := func(beside bool) int { return OfPane(state.Pane{Method: skinning.DQS, Beside: beside}) }
	var found [2][4]float64 // by which file is the first: the stiff one's distances and the other's, at the pose and in the clip
	for k, files := range [][2]*skinning.Model{{m, &stiff}, {&stiff, m}} {
		beside := k == 1 // m, whose dual quaternions are the reference
		l := NewLive(func() {})
		l.Ask(&Request{Own: posed(files[0], clip, seconds), Beside: posed(files[1], clip, seconds), SameSkin: true,
			ReferBeside: beside, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
		r := read(t, l)
		l.Close()
		all, err := MeasureClip(context.Background(), ClipRequest{Own: files[0], Beside: files[1], SameSkin: true,
			ReferBeside: beside, Reference: skinning.DQS, Clip: clip, BesideClip: clip, Seconds: m.Clips[clip].Seconds, Vertex: -1})
		if err != nil {
			t.Fatal(err)
		}
		found[k] = [4]float64{r.Rows[dqs(!beside)].RMS, r.Rows[dqs(beside)].RMS, all.Rows[dqs(!beside)].RMS, all.Rows[dqs(beside)].RMS}
	}
	if found[0] != found[1] || !(found[0][0] > 0) || found[0][1] != 0 || !(found[0][2] > 0) || found[0][3] != 0 {
		t.Errorf("%v, expected the same, and 0 for the reference", found)
	}
}

// TestHalfTurn: a pose whose joints are half a turn apart is told, and no other.
func TestHalfTurn(t *testing.T) {
	m := assetstest.Open(t, "demo:box") // its first clip twists it by 180 degrees from 2.4 s on
	l := NewLive(func() {})
	defer l.Close()
	for _, c := range []struct {
		seconds float64
		turned  bool
	}{{0, false}, {2.7, true}, {1.5, false}} {
		l.Ask(&Request{Own: posed(m, 0, c.seconds), Reference: skinning.DQS, Joint: -1, Vertex: -1})
		r := read(t, l)
		if r.Turned != c.turned || r.Turned != (r.HalfTurn.Degrees > metrics.LeastHalfTurn) {
			t.Errorf("at %g s: %v, %+v", c.seconds, r.Turned, r.HalfTurn)
		}
	}
}

// TestLiveDeltaMush holds the live numbers and the distances of the vertices from Delta Mush to those in float64.
func TestLiveDeltaMush(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	f, mush := posed(m, 0, 1), deltamush.New(m, deltamush.Default())
	l := NewLive(func() {})
	defer l.Close()
	q := Request{Own: f, Reference: mush, Want: everything(), Joint: -1, Vertex: -1}
	dqs := OfPane(state.Pane{Method: skinning.DQS})
	q.Each[dqs] = true
	l.Ask(&q)
	r := read(t, l)
	want, got := mush.Positions(f), f.Positions(skinning.DQS)
	e := metrics.NewErrors(m)
	e.Add(want, got, m.Skin.RestPositions(f.Morphs), f)
	if row := r.Row(dqs); !(math.Abs(row.EE-e.EE()) <= 1e-4*e.EE()) || !(e.EE() > 1) { // float32
		t.Errorf("EE %g, expected %g", row.EE, e.EE())
	}
	for v, d := range r.Distances[dqs] {
		if off := math.Abs(float64(d) - want[v].Sub(got[v]).Len()); !(off <= 1e-6*m.Diagonal()) { // float32
			t.Fatalf("vertex %d: a distance is %g m off", v, off)
		}
	}
	if n := len(r.Distances[dqs]); n != len(want) {
		t.Errorf("%d distances of %d vertices", n, len(want))
	}
	if n := len(r.Distances[0]); n != 0 {
		t.Errorf("%d distances that were not asked for", n)
	}
}

// TestExamples: in a clip of examples every direct method is measured without the morph targets that show them,
// whatever the reference is, as by the command: over the clip and in one pose. The window's kernels are of float32: to
// 1e-3 of the error. The examples have a row of their own.
func TestExamples(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-3*b }
	plain, seconds := m.WithoutMorphs(), m.Clips[clip].Seconds
	l := NewLive(func() {})
	defer l.Close()
	for _, c := range []struct {
		reference, other skinning.Method // and a method that is measured
	}{{state.Examples, skinning.DQS}, {skinning.DQS, skinning.LBS}} {
		opt := compare.Options{Reference: c.reference, Clip: clip, Frames: compare.PosesOf(seconds),
			Subjects: compare.Direct(c.other), ShortestPath: true, Series: true}
		of := plain
		if c.reference == state.Examples {
			opt.Reference, opt.Examples, opt.Times, of = skinning.LBS, true, m.Clips[clip].KeyTimes(), m
			opt.Subjects[0].Model, opt.Subjects[0].Clip = plain, clip
		}
		rows, err := compare.Run(t.Context(), of, opt)
		if err != nil {
			t.Fatal(err)
		}
		want := &rows[0]
		got, err := MeasureClip(t.Context(), ClipRequest{Own: m, Examples: m, ExamplesClip: clip, Reference: c.reference,
			Clip: clip, Seconds: seconds, ShortestPath: true, Vertex: -1})
		if err != nil {
			t.Fatal(err)
		}
		if row := got.Rows[OfPane(state.Pane{Method: c.other})]; !near(row.EE, float64(want.EE)) ||
			!near(row.RMS, want.RMS*m.Diagonal()) {
			t.Errorf("%v from %v over the clip: EE %g %% and RMS %g m, by the command %g %% and %g", c.other, c.reference,
				row.EE, row.RMS, want.EE, want.RMS*m.Diagonal())
		}
		if row := got.Rows[OfPane(state.Pane{Method: c.reference})]; !row.There || row.RMS != 0 {
			t.Errorf("over the clip the reference is %g m from itself", row.RMS)
		}
		sample := &want.Series[len(want.Series)/2]
		own := posed(plain, clip, sample.Time)
		l.Ask(&Request{Own: own, Examples: posed(m, clip, sample.Time), Reference: c.reference, Want: everything(),
			Joint: -1, Vertex: -1})
		r := read(t, l)
		if row := r.Rows[OfPane(state.Pane{Method: c.other})]; !near(row.RMS, sample.RMS*m.Diagonal()) {
			t.Errorf("%v from %v at %g s: RMS %g m, by the command %g", c.other, c.reference, sample.Time, row.RMS,
				sample.RMS*m.Diagonal())
		}
		if row := r.Row(OfPane(state.Pane{Method: c.reference})); row == nil || row.RMS != 0 {
			t.Errorf("at %g s the reference is not itself: %+v", sample.Time, row)
		}
	}
}

// TestWorstPoseIsThatOfCompare: the worst pose of a method is at the time that compare prints, with and without half
// turns in the clip. Where errors are below 1e-4 of the size, rounding to float32 may choose another vertex and so
// another pose, whose error in float64 is at most two roundings less than the largest.
func TestWorstPoseIsThatOfCompare(t *testing.T) {
	for _, name := range []string{"demo:arm", "demo:bar"} {
		m := assetstest.Open(t, name)
		clip, err := m.ClipIndex("twist")
		if err != nil {
			t.Fatal(err)
		}
		seconds := m.Clips[clip].Seconds
		rows, err := compare.Run(context.Background(), m, compare.Options{Reference: skinning.DQS, Clip: clip,
			Subjects: compare.Direct(skinning.Methods()...), Frames: compare.PosesOf(seconds), ShortestPath: true, Series: true})
		if err != nil {
			t.Fatal(err)
		}
		c, err := MeasureClip(context.Background(), ClipRequest{Own: m, Reference: skinning.DQS, Clip: clip,
			Seconds: seconds, ShortestPath: true, Vertex: -1})
		if err != nil {
			t.Fatal(err)
		}
		clear := 0
		for k, method := range skinning.Methods() {
			row, got := rows[k], c.Rows[OfPane(state.Pane{Method: method})]
			switch {
			case row.Max > 1e-4:
				clear++
				if got.WorstTime != row.WorstTime {
					t.Errorf("%s, %v: worst at %g s, in float64 at %g s", name, method, got.WorstTime, row.WorstTime)
				}
			case row.Max > metrics.KernelRounding:
				i := slices.IndexFunc(row.Series, func(s compare.Sample) bool { return s.Time == got.WorstTime })
				if i < 0 || row.Series[i].HalfTurn || !(row.Max-row.Series[i].Max <= 2*metrics.KernelRounding) {
					t.Errorf("%s, %v: worst at %g s, in float64 at %g s: %g of the size", name, method, got.WorstTime,
						row.WorstTime, row.Max)
				}
			}
		}
		if clear < 2 || name == "demo:bar" && rows[0].HalfTurns == nil {
			t.Errorf("%s: %d methods are off, half turns %v: the clip shows nothing", name, clear, rows[0].HalfTurns)
		}
	}
}
