package blendbones

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
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

// A w'-step that is cancelled leaves the rest of its vertices, which keep their weights.
func TestLongStepsStop(t *testing.T) {
	m := scattered(assetstest.Open(t, "demo:arm"), 2000)
	frames, err := ofClip(m, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(context.Background(), &Problem{m, skinning.DQS, frames}, Options{Workers: 1})
	asked, before := 0, slices.Clone(r.weights)
	r.stop = func() bool { asked++; return asked > 1 }
	all := make([]int32, len(r.weights))
	for v := range all {
		all[v] = int32(v)
	}
	r.solveWeights(all, true)
	lo, hi := parallel.Chunk(0, len(all))
	if slices.Equal(r.weights[lo:hi], before[lo:hi]) || !slices.Equal(r.weights[hi:], before[hi:]) {
		t.Error("a step that was stopped after its first chunk solved others, or not that")
	}
}

// TestManyJoints: past [metrics.MostPairs] pairs of vertices and joints, the best rigid prediction of a vertex is by
// one of the joints that it follows, as in the errors that are reported. Trying all 1,210 joints of 121 skins took
// three quarters of a fit's time.
func TestManyJoints(t *testing.T) {
	const vertices, joints = 20_000, 850
	if vertices*joints <= metrics.MostPairs {
		t.Fatal("too few pairs to show anything")
	}
	m := skinningtest.RandomModel(vertices, joints, 2, 3)
	frame := skinningtest.RandomFrame(m, 4)
	d := newInput(&Problem{m, skinning.DQS, []*skinning.Frame{frame}}, skinning.DQS, &Options{Workers: 2, Recipe: Published()})
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
