package blendbones

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// scattered returns a model whose skin is n points spread over the triangles of m, with weights between those of the
// corners.
func scattered(m *skinning.Model, n int) *skinning.Model {
	out := *m
	out.Skin = skinning.Mesh{}
	rng := rand.New(rand.NewPCG(1, 2))
	var raw []skinning.Influence
	for range n {
		t := m.Skin.Triangles[rng.IntN(len(m.Skin.Triangles))]
		a, b := rng.Float32(), rng.Float32()
		if a+b > 1 {
			a, b = 1-a, 1-b
		}
		var p mgl32.Vec3
		raw = raw[:0]
		for i, share := range [3]float32{a, b, 1 - a - b} {
			p = p.Add(m.Skin.Positions[t[i]].Mul(share))
			for _, in := range m.Skin.Of(nil, int(t[i])) {
				raw = append(raw, skinning.Influence{Joint: in.Joint, Weight: in.Weight * share})
			}
		}
		out.Skin.Positions = append(out.Skin.Positions, p)
		out.Skin.Normals = append(out.Skin.Normals, mgl32.Vec3{0, 1, 0})
		out.Skin.Append(raw, 0)
	}
	return &out
}

// BenchmarkSolve shows that the time of a fit grows linearly with the mesh.
func BenchmarkSolve(b *testing.B) {
	m := assetstest.Open(b, "demo:arm")
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("verts=%d", n), func(b *testing.B) {
			big := scattered(m, n)
			frames, err := ofClip(big, 2, 12)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for range b.N {
				r, err := Solve(context.Background(), &Problem{big, skinning.DQS, frames}, Options{MaxBones: 10})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.EE, "EE%")
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/float64(n), "µs/vertex")
		})
	}
}

// A w'-step over many vertices is told of in pieces, each no worse than the one before.
func TestLongStepsReport(t *testing.T) {
	m := scattered(assetstest.Open(t, "demo:arm"), 2*pieceOfStep+1)
	frames, err := ofClip(m, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(context.Background(), &Problem{m, skinning.DQS, frames}, Options{Workers: 2})
	var errs []float64
	r.between = func() { errs = append(errs, r.total()) }
	before := r.total()
	r.solveWeights(r.everyVertex(), rough, true)
	if len(errs) != 3 {
		t.Fatalf("%d reports of three pieces", len(errs))
	}
	for i, e := range errs {
		if !(e < before || i == 2 && e == before) { // the last piece is one vertex, which may be where it is to be
			t.Errorf("errors of %.9g, then %.9g", before, errs)
			break
		}
		before = e
	}
}

// A w'-step that is cancelled leaves the rest of its pieces, whose vertices keep their weights.
func TestLongStepsStop(t *testing.T) {
	m := scattered(assetstest.Open(t, "demo:arm"), 2*pieceOfStep+1)
	frames, err := ofClip(m, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := newRun(ctx, &Problem{m, skinning.DQS, frames}, Options{Workers: 2})
	pieces, before := 0, slices.Clone(r.w)
	r.between = func() { pieces++; cancel() }
	r.solveWeights(r.everyVertex(), rough, true)
	if pieces != 1 || slices.Equal(r.w[:pieceOfStep], before[:pieceOfStep]) ||
		!slices.Equal(r.w[pieceOfStep:], before[pieceOfStep:]) {
		t.Errorf("%d pieces were solved after it was cancelled in the first", pieces)
	}
}

// Reports take a tenth of the time at most: after one that took long, the next waits the longer.
func TestReportsAreRare(t *testing.T) {
	told := 0
	p := problem(t, "demo:box", 2, skinning.DQS)
	r := newRun(context.Background(), p, Options{Progress: func(Progress) { told++; time.Sleep(60 * time.Millisecond) }})
	r.report()
	if told != 1 || r.pause < 9*60*time.Millisecond {
		t.Fatalf("%d reports, a pause of %v after one of at least 60 ms", told, r.pause)
	}
	at, pause := r.reported.Add(-reportEvery), r.pause
	r.reported = at
	if r.report(); told != 1 && time.Since(at) < pause {
		t.Error("the next one did not wait")
	}
	r.reported = r.reported.Add(-r.pause)
	if r.report(); told < 2 {
		t.Error("no report after the pause")
	}
}

// TestManyJoints: past [metrics.MostPairs] pairs of vertices and joints, the best rigid prediction of a vertex is by one
// of the joints that it follows, as in the errors that are reported. Trying all 1,210 joints of 121 skins took three
// quarters of a fit's time.
func TestManyJoints(t *testing.T) {
	const vertices, joints = 20_000, 850
	if vertices*joints <= metrics.MostPairs {
		t.Fatal("too few pairs to show anything")
	}
	m := skinningtest.RandomModel(vertices, joints, 2, 3)
	frame := skinningtest.RandomFrame(m, 4)
	d := prepare(&Problem{m, skinning.DQS, []*skinning.Frame{frame}}, skinning.DQS, departures{}, &Options{Workers: 2})
	want := 0.0
	for v, to := range frame.Positions(skinning.DQS) {
		least := math.Inf(1)
		for _, in := range m.Skin.Of(nil, v) {
			off := frame.Matrices[in.Joint].Apply(geom.Vec64(m.Skin.Positions[v])).Sub(to)
			least = min(least, off.Dot(off))
		}
		want += least
	}
	if !(math.Abs(d.rigid-want) <= 1e-9*want) { // float64 sums of 20,000 squares
		t.Errorf("the best rigid predictions miss by %g m² in all, expected %g", d.rigid, want)
	}
}
