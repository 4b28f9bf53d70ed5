package rig

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestProxyPlaces holds points that are followed without the bones' matrices against those that the matrices move.
func TestProxyPlaces(t *testing.T) {
	m := randomEnvelope(t, skinningtest.RandomModel(50, 6, 6, 1), 5, 2)
	eager, lazy := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	lazy.LazyProxies = true
	pose := m.NewPose()
	pose.Local[1].Rotation = geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 0.7)
	eager.SetPose(pose)
	lazy.SetPose(pose)
	points := []mgl64.Vec3{{1, 2, 3}, {}, {-1, 0.5, 2}, {0, 0, 1}, {0.1, -0.2, 0.3}}
	p, got := skinning.NewProxyPlaces(envelopeOf(m).Linear(), points), make([]mgl64.Vec3, len(points))
	if n := testing.AllocsPerRun(3, func() { p.At(got, lazy) }); n != 0 {
		t.Errorf("%g allocations, expected none", n)
	}
	for b, at := range points {
		want := eager.Matrices[envelopeOf(m).Proxies[b]].Apply(at)
		// Two orders of a sum of 40 products of numbers of size 1 to 10, in float64.
		if d := got[b].Sub(want).Len(); !(d <= 1e-12*(1+want.Len())) {
			t.Errorf("the point on bone %d is at %v, expected %v: %g apart", b, got[b], want, d)
		}
	}
	if first := envelopeOf(m).Proxies[0]; lazy.Matrices[first] == eager.Matrices[first] {
		t.Error("the bones' matrices were solved for")
	}
}
