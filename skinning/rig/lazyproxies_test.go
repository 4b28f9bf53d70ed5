package rig

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// randomEnvelope returns a model with an envelope rig of random numbers over its joints.
func randomEnvelope(t testing.TB, m *skinning.Model, proxies int, seed uint64) *skinning.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	j := len(m.Skeleton.Joints)
	rig := Enveloping{Middle: make([]mgl64.Vec3, j), Keys: make([]GradientKey, proxies),
		C1: make([]float64, 12*proxies*proxies), C2: make([]float64, 16*proxies*j)}
	for k := range j {
		rig.Masters, rig.Parents = append(rig.Masters, k), append(rig.Parents, m.Skeleton.Joints[k].Parent)
	}
	for _, c := range [][]float64{rig.C1, rig.C2} {
		for i := range c {
			c[i] = rng.NormFloat64()
		}
	}
	for l := range rig.Keys {
		k := &rig.Keys[l]
		k.Terms, k.First, k.Second = []RotationTerm{{Joint: rng.IntN(j), U: rng.Float64(), W: geom.Quat{0, 0, 0, 1}}},
			rng.IntN(j), -1
		for n := range k.Shear {
			k.Shear[n][6] = rng.NormFloat64()
		}
	}
	out, err := WithEnveloping(m, rig, make([]mgl64.Vec3, proxies), m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLazyProxies: left out, then asked for, also of a copy and after the source has moved on, proxies are to the last
// bit where an eager frame has them.
func TestLazyProxies(t *testing.T) {
	m := randomEnvelope(t, skinningtest.RandomModel(50, 6, 6, 1), 5, 2)
	eager, lazy := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	lazy.LazyProxies = true
	pose := m.NewPose()
	pose.Local[1].Rotation = geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 0.7)
	eager.SetPose(pose)
	lazy.SetPose(pose)
	same := func(f *skinning.Frame) bool {
		for j := range eager.Matrices {
			if f.Matrices[j] != eager.Matrices[j] || f.Float32(0).Matrices[j] != eager.Float32(0).Matrices[j] {
				return false
			}
		}
		return true
	}
	if same(lazy) {
		t.Error("a lazy frame has proxies that nobody asked for")
	}
	if len(lazy.Gradients()) != 9*5 {
		t.Errorf("%d numbers of gradients, expected 45", len(lazy.Gradients()))
	}
	for i, v := range lazy.Gradients() {
		if v != eager.Gradients()[i] {
			t.Fatalf("gradient entry %d of a lazy frame is %g, expected %g", i, v, eager.Gradients()[i])
		}
	}
	f := skinning.NewFrame(m, lazy.Centers)
	f.Copy(lazy)
	if n := testing.AllocsPerRun(3, func() { f.Copy(lazy); f.SolveProxies(); f.Copy(lazy) }); n != 0 {
		t.Errorf("%g allocations, expected none", n)
	}
	lazy.SetPose(m.NewPose())
	f.SolveProxies()
	if !same(f) {
		t.Error("a copy of a lazy frame has other proxies than an eager one")
	}
	lazy.Baked, eager.Baked = true, true
	for n := range pose.Local {
		pose.Local[n].Translation[1] += float64(n)
	}
	lazy.SetPose(pose)
	eager.SetPose(pose)
	if !same(lazy) || !slices.Equal(lazy.Globals, eager.Globals) {
		t.Error("a lazy frame that is baked is posed in another way than an eager one")
	}
	was := lazy.Float32(0).Matrices[envelopeOf(m).Proxies[0]]
	lazy.SolveProxies()
	if lazy.Float32(0).Matrices[envelopeOf(m).Proxies[0]] != was {
		t.Error("a baked frame's proxies are solved for")
	}
	if numbers, dense := envelopeOf(m).Linear().Size(); 9*numbers != dense { // RTER equation 6: C₁ is 12P×9P, C₂ 12P×12J
		t.Errorf("%d numbers for %d, expected a ninth", numbers, dense)
	}
}
