package bodymodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// A body has no error on scans of itself, and Q by the metric is Q by its definition.
func TestErrors(t *testing.T) {
	b, s := tubeBody(4, 5, 2, 1)
	f := newSolver(s, b, 100, 1)
	if e := f.errors(); !(e.RMS < 1e-12) {
		t.Errorf("RMS %g m of the body's own scans", e.RMS)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for v := range b.Vertices {
		b.Vertices[v] = b.Vertices[v].Add(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Mul(0.01))
	}
	f.update()
	sum := 0.0
	for _, d := range f.off {
		for v := range d {
			sum += d[v].Dot(f.metric.at(v, d))
		}
	}
	if e := f.errors(); !(math.Abs(sum-e.Q) < 1e-9*e.Q) || !(e.RMS > 0.01) {
		t.Errorf("Q %g, by the metric %g; RMS %g", e.Q, sum, e.RMS)
	}
}

// A vertex of one limb follows its motion.
func TestOneLimbFollowsItsMotion(t *testing.T) {
	b, _ := tubeBody(5, 4, 2.5, 3)
	p := b.NewPalette()
	for i := range b.Poses {
		b.SetPalette(p, &b.Poses[i])
		for j := range b.Joints {
			one := []skinning.Share{{Joint: uint16(j), Weight: 1}}
			m, at := p.Map(one, one), mgl64.Vec3{1, 2, 3}
			if d := m.Apply(at).Sub(p.Motions[j].Apply(at)).Len(); !(d < 1e-12) {
				t.Errorf("scan %d, limb %d: off by %g m", i, j, d)
			}
		}
	}
}

// Without axes twist-swing is linear blending: Σ w·C_j·v, to rounding.
func TestLinearBody(t *testing.T) {
	b, _ := tubeBody(4, 3, 2, 5)
	b.Linear = true
	b.setAxes()
	p := b.NewPalette()
	for i := range b.Poses {
		b.SetPalette(p, &b.Poses[i])
		for v, at := range b.Vertices {
			var want mgl64.Vec3
			for _, s := range b.Swing[v] {
				want = want.Add(p.Motions[s.Joint].Apply(at).Mul(s.Weight))
			}
			m := p.Map(b.Swing[v], b.Twist[v])
			if d := m.Apply(at).Sub(want).Len(); !(d < 1e-12) {
				t.Fatalf("scan %d, vertex %d: off by %g m", i, v, d)
			}
		}
	}
}
