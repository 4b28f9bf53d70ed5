package compare

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// shapes is a reference that is no method.
type shapes struct{ of skinning.Method }

func (s shapes) String() string                           { return "shapes of " + s.of.String() }
func (s shapes) Positions(f *skinning.Frame) []mgl64.Vec3 { return f.Positions(s.of) }

// A reference that gives whole shapes has the errors of the method that makes these, which the survey poses in float32:
// 1e-5 of the size, and 0.01 percent points of EE.
func TestReferenceOfShapes(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	var got [2][]Surveyed
	var rows [2][]Row
	for i, reference := range []skinning.Reference{skinning.DQS, shapes{skinning.DQS}} {
		var err error
		s := Survey{Reference: reference, Subjects: Direct(skinning.LBS, skinning.SBS), Frames: 4, ShortestPath: true}
		if got[i], err = s.Run(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		rows[i], err = Run(context.Background(), m, Options{Reference: reference, Subjects: s.Subjects, Frames: 4, ShortestPath: true})
		if err != nil {
			t.Fatal(err)
		}
	}
	for k := range got[0] {
		a, b, size := got[0][k], got[1][k], m.Diagonal()
		if !(math.Abs(a.RMS-b.RMS) <= 1e-5*size) || !(math.Abs(a.Max-b.Max) <= 1e-5*size) || !(math.Abs(a.EE-b.EE) <= 0.01) {
			t.Errorf("by a method %+v, by its shapes %+v", a, b)
		}
		if a, b := rows[0][k], rows[1][k]; a.RMS != b.RMS || a.EE != b.EE || a.Max != b.Max {
			t.Errorf("by a method %+v, by its shapes %+v", a, b)
		}
	}
}

// TestSurveyAgreesWithRun holds the float32 survey to the float64 measurement. The figure has 60-odd joints, several
// blocks of vertices and a clip in which everything moves. Errors are differences of positions that float32 rounds to
// 1e-7 of the model's size, so RMS and the largest error agree within 1e-5 of it, and EE, their quotient by a
// deformation of a few percent of the size, within 0.01 percent points.
func TestSurveyAgreesWithRun(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	subjects := Direct(skinning.Methods()...)
	other := *m // a subject with a model of its own
	subjects = append(subjects, Subject{Name: "own", Method: skinning.LBS, Model: &other})
	const frames = 4
	rows, err := Run(context.Background(), m,
		Options{Reference: skinning.DQS, Subjects: subjects, Frames: frames, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Survey{Reference: skinning.DQS, Subjects: subjects, Frames: frames, ShortestPath: true, Workers: 1}
	got, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	size := m.Diagonal()
	for k, row := range rows {
		g := got[k]
		if !(math.Abs(g.RMS/size-row.RMS) <= 1e-5) || !(math.Abs(g.Max/size-row.Max) <= 1e-5) ||
			!(math.Abs(g.EE-float64(row.EE)) <= 0.01) {
			t.Errorf("%s: RMS %g, largest %g of the size, EE %g %%; in float64 %g, %g and %g", row.Method, g.RMS/size,
				g.Max/size, g.EE, row.RMS, row.Max, float64(row.EE))
		}
		// Both count in bins of 3 %, and rounding may move a vertex to the next one.
		if !(math.Abs(g.Top/size-row.Top) <= 0.04*row.Top+1e-5) || g.Top > g.Max {
			t.Errorf("%s: a scale ends at %g of the size, in float64 at %g; the largest error is %g", row.Method, g.Top/size,
				row.Top, g.Max/size)
		}
		if row.Max > 1e-4 && (g.WorstTime != row.WorstTime || g.WorstVertex != row.WorstVertex) {
			t.Errorf("%s: worst at %g s, vertex %d; in float64 at %g s, %d", row.Method, g.WorstTime, g.WorstVertex,
				row.WorstTime, row.WorstVertex)
		}
	}
	if got[0].EE < 1 {
		t.Errorf("EE of linear blending is %g %%: the clip shows nothing", got[0].EE)
	}
	if got[1].EE != 0 || got[1].Max != 0 {
		t.Errorf("the reference differs from itself: %+v", got[1])
	}
	s.Workers = 3
	again, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	for k := range got {
		if got[k] != again[k] {
			t.Errorf("%s: %+v with one worker, %+v with three", rows[k].Method, got[k], again[k])
		}
	}
}

// TestSurveyOfExamples: at the keys of a clip of examples a survey has the errors of [Run] against examples.
func TestSurveyOfExamples(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	plain := *m
	plain.Skin.Morphs = nil
	subjects := []Subject{{Name: "linear blending", Model: &plain, Clip: clip}}
	rows, err := Run(context.Background(), m, Options{Examples: true, Subjects: subjects, Clip: clip,
		Times: m.Clips[clip].KeyTimes(), Frames: 1, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Survey{Reference: skinning.LBS, Subjects: subjects, Clip: clip, Frames: 1, AtKeys: true, ShortestPath: true}
	got, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(rows[0].EE); !(want > 50) || !(math.Abs(got[0].EE-want) <= 0.01) {
		t.Errorf("EE %g %%, against examples %g", got[0].EE, want)
	}
}

// TestSurveyOfRigid: where one joint predicts every vertex exactly there is no EE, in float64 and in the survey alike,
// and tables and tools say so.
func TestSurveyOfRigid(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	m.Clips = []skinning.Clip{{Name: "still", Seconds: 1}}
	moved := *m
	moved.Skin.Positions = slices.Clone(m.Skin.Positions)
	for v := range m.Skin.Bindings {
		m.Skin.Bindings[v] = skinning.Binding{Weights: [4]float32{1}}
		moved.Skin.Positions[v][1] += float32(m.Diagonal()) / 1024
	}
	subjects := []Subject{{Name: "moved", Method: skinning.LBS, Model: &moved}}
	rows, err := Run(context.Background(), m,
		Options{Reference: skinning.LBS, Subjects: subjects, Frames: 3, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Survey{Reference: skinning.LBS, Subjects: subjects, Frames: 3, ShortestPath: true}
	got, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got[0].EE) || rows[0].EE.Known() || !(rows[0].RMS > 1e-4) {
		t.Errorf("EE %g %%, in float64 %g of an RMS of %g", got[0].EE, float64(rows[0].EE), rows[0].RMS)
	}
	var table strings.Builder
	WriteTable(&table, rows, 3, m.Diagonal())
	if line := strings.Split(table.String(), "\n")[1]; !strings.Contains(line, "–") || strings.Contains(line, "NaN") {
		t.Errorf("the table says %q", line)
	}
	if out, err := json.Marshal(rows); err != nil || !strings.Contains(string(out), `"ee":null`) {
		t.Errorf("the JSON is %s, %v", out, err)
	}
}

func TestSurveyRefuses(t *testing.T) {
	s := Survey{Reference: skinning.LBS, Subjects: Direct(skinning.LBS), Frames: 3, ShortestPath: true}
	if _, err := s.Run(context.Background(), &skinning.Model{}); err == nil {
		t.Error("no skin: no error")
	}
	small := prism()
	small.Skin.Positions = small.Skin.Positions[:8]
	s.Subjects = []Subject{{Name: "small", Model: small}}
	if _, err := s.Run(context.Background(), prism()); err == nil {
		t.Error("a subject of other vertices: no error")
	}
	s.Subjects = Direct(skinning.LBS)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Run(ctx, prism()); err == nil {
		t.Error("a cancelled survey returns no error")
	}
}

// TestRestRange holds blocks of a morphed mesh to the whole: a target that begins and ends inside blocks.
func TestRestRange(t *testing.T) {
	m := prism().Skin
	m.Morphs = []skinning.Morph{{FirstVertex: 10, Positions: make([]mgl32.Vec3, 30)}}
	for k := range m.Morphs[0].Positions {
		m.Morphs[0].Positions[k] = mgl32.Vec3{float32(k), 1, -1}
	}
	weights := []float64{0.5}
	whole := make([]mgl32.Vec3, len(m.Positions))
	m.RestRange(whole, 0, weights)
	for v, p := range whole {
		want := m.Positions[v]
		if v >= 10 && v < 40 {
			want = want.Add(mgl32.Vec3{float32(v - 10), 1, -1}.Mul(0.5))
		}
		if p != want {
			t.Fatalf("vertex %d is at %v, want %v", v, p, want)
		}
	}
	for _, r := range [][2]int{{0, 10}, {0, 11}, {5, 45}, {15, 20}, {39, 50}, {40, 60}} {
		part := make([]mgl32.Vec3, r[1]-r[0])
		m.RestRange(part, r[0], weights)
		for k := range part {
			if part[k] != whole[r[0]+k] {
				t.Errorf("vertices %v: vertex %d is at %v, in the whole at %v", r, r[0]+k, part[k], whole[r[0]+k])
			}
		}
	}
}

// TestSurveyOfAVertex takes the vertex of the largest error of all: it must have that error at that time.
func TestSurveyOfAVertex(t *testing.T) {
	m := prism()
	s := Survey{Reference: skinning.DQS, Subjects: Direct(skinning.LBS, skinning.SBS), Frames: 9, ShortestPath: true}
	all, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	for k, row := range all {
		one, err := s.Vertex(context.Background(), m, row.WorstVertex)
		if err != nil {
			t.Fatal(err)
		}
		if one[k].Max != row.Max || one[k].WorstTime != row.WorstTime {
			t.Errorf("%v: vertex %d has %g m at %g s, the skin %g m at %g s", s.Subjects[k].Name, row.WorstVertex, one[k].Max,
				one[k].WorstTime, row.Max, row.WorstTime)
		}
	}
}

// TestSurveyOfManyJoints: past 2^26 pairs of vertices and joints the best joint is one that the vertex follows, as in
// float64. EE within a thousandth of itself, which float32 kernels cost.
func TestSurveyOfManyJoints(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	joints := &m.Skeleton.Joints
	for len(*joints)*len(m.Skin.Positions) <= metrics.MostPairs {
		*joints = append(*joints, (*joints)[1])
	}
	clip, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	subjects := Direct(skinning.LBS)
	rows, err := Run(context.Background(), m,
		Options{Reference: skinning.DQS, Subjects: subjects, Clip: clip, Frames: 2, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Survey{Reference: skinning.DQS, Subjects: subjects, Clip: clip, Frames: 2, ShortestPath: true}
	got, err := s.Run(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(rows[0].EE); !(math.Abs(got[0].EE-want) <= 1e-3*want) || !(want > 1) {
		t.Errorf("EE %g %%, in float64 %g", got[0].EE, want)
	}
}
