package enveloping

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestPruneProxies: without its idle proxies a model poses every vertex as with them, to 1e-12, since sums of c₁·d run
// over fewer terms. Keys of idle proxies stay behind the others', but for one that no row reads.
func TestPruneProxies(t *testing.T) {
	const joints, proxies, unread = 3, 5, 3
	r := rand.New(rand.NewPCG(1, 2))
	c := &matrices{proxies: proxies, joints: joints, c1: make([]float64, 12*proxies*proxies),
		c2: make([]float64, 16*proxies*joints)}
	for _, m := range [][]float64{c.c1, c.c2} {
		for i := range m {
			m[i] = r.NormFloat64()
		}
	}
	busy, idle := []int{0, 2, 4}, []int{1, 3}
	for _, b := range busy {
		for row := 4 * b; row < 4*b+4; row++ {
			clear(c.c1[3*(row*proxies+unread) : 3*(row*proxies+unread)+3])
		}
	}
	m := &Model{Rig: newRig([]int{-1, 0, 1}, make([]mgl64.Vec3, joints), c)}
	for l := range m.Rig.Keys {
		k := &m.Rig.Keys[l]
		k.Terms, k.First, k.Second = []rig.RotationTerm{{Joint: l % joints, U: r.Float64(), W: geom.IdentityQuat()}},
			l%joints, -1
		for n := range k.Shear {
			k.Shear[n][0], k.Shear[n][6] = r.NormFloat64(), r.NormFloat64()
		}
	}
	var rest []mgl64.Vec3
	for range 20 {
		b := joints + busy[r.IntN(len(busy))]
		m.Weights = append(m.Weights, []skinning.Share{{Joint: uint16(r.IntN(joints)), Weight: 0.25},
			{Joint: uint16(b), Weight: 0.75}})
		rest = append(rest, mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	var pose []geom.Affine
	for range joints {
		q := geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.NormFloat64())
		pose = append(pose, geom.NewAffine(q.Mat3(), mgl64.Vec3{r.NormFloat64(), 0, 1}))
	}
	var driver rig.EnvelopingDriver
	want, was, weights := m.Pose(&driver, rest, pose), m.Rig.Keys, m.Weights
	before := slices.Clone(weights[0])
	m.pruneProxies()
	if m.Proxies() != len(busy) || len(m.Rig.Proxies) != len(busy) || len(m.Rig.Keys) != proxies-1 {
		t.Fatalf("%d proxies and %d keys, expected %d and %d", len(m.Rig.Proxies), len(m.Rig.Keys), len(busy), proxies-1)
	}
	for k, l := range append(busy, idle[0]) {
		if m.Rig.Keys[k].Terms[0] != was[l].Terms[0] {
			t.Errorf("key %d is not the one that was %d", k, l)
		}
	}
	for v, p := range m.Pose(&driver, rest, pose) {
		if off := p.Sub(want[v]).Len(); !(off <= 1e-12) {
			t.Errorf("vertex %d: off by %g", v, off)
		}
	}
	if !slices.Equal(before, weights[0]) {
		t.Error("weights that others may share have changed")
	}
}

// TestEveryProxyMovesVertices: every proxy of a fitted model moves a vertex. Of these fits at least one was asked for
// proxies that would move none.
func TestEveryProxyMovesVertices(t *testing.T) {
	onlyNumbers(t)
	x, pruned := taught("demo:figure", "walk", 3, skinning.DQS, 0)(t), 0
	for _, asked := range []int{40, 60} {
		r, err := Fit(context.Background(), x, Options{Proxies: asked})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Model
		if p := m.Proxies(); p == 0 || p > asked || len(m.Rig.Keys) < p || (r.Reason == Pruned) != (p < asked) {
			t.Errorf("%d proxies with %d keys, %d asked for: %v", p, len(m.Rig.Keys), asked, r.Reason)
		}
		if r.Reason == Pruned {
			pruned++
		}
		share := make([]float64, m.Proxies())
		for _, w := range m.Weights {
			for _, s := range w {
				if b := int(s.Joint) - len(m.Rig.Masters); b >= 0 {
					share[b] += s.Weight
				}
			}
		}
		if least := slices.Min(share); !(least > 0) || math.IsNaN(least) {
			t.Errorf("%d asked for: a proxy moves no vertex: %v", asked, share)
		}
		if _, err := m.With(x.model); err != nil {
			t.Error(err)
		}
	}
	if pruned == 0 {
		t.Error("no fit has pruned a proxy")
	}
}
