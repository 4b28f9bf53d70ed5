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

// animateAll gives a model a clip that turns every node.
func animateAll(r *rand.Rand, m *skinning.Model) {
	clip := skinning.Clip{Name: "all", Seconds: 1}
	for n := range m.Skeleton.Nodes {
		q := geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 2*r.Float64())
		clip.Channels = append(clip.Channels, skinning.Channel{Node: n, Path: skinning.PathRotation, Width: 4, Times: []float32{0, 1},
			Values: []float32{0, 0, 0, 1, float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}})
	}
	m.Clips = []skinning.Clip{clip}
}

// TestLiveClips: a frame that drives the rig's joints is posed to the bit by fewer channels. A node stays that carries
// another joint or a mesh too, or one below it, and all that have nothing to do with the rig.
func TestLiveClips(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	const joints, proxies = 5, 6
	m := randomEnvelope(t, skinningtest.RandomModel(20, joints, 2, 1), proxies, 2)
	s := &m.Skeleton
	node := func(proxy int) int { return s.Joints[envelopeOf(m).Proxies[proxy]].Node }
	s.Nodes[node(1)].Parent = node(0) // nested
	m.Rigid = []skinning.Mesh{{Parts: []skinning.Part{{Node: node(2)}}}}
	last := len(s.Nodes) // a node without anything, and another joint below a proxy's
	s.Nodes = append(s.Nodes, skinning.Node{Parent: -1, Rest: geom.IdentityTransform()},
		skinning.Node{Parent: node(3), Rest: geom.IdentityTransform()})
	s.Joints = append(s.Joints, skinning.Joint{Node: last + 1, Parent: -1, FromRest: geom.IdentityAffine()})
	if err := s.SortNodes(); err != nil {
		t.Fatal(err)
	}
	animateAll(r, m)
	live := m.LiveClips()
	var got []int
	for _, c := range live[0].Channels {
		got = append(got, c.Node)
	}
	var want []int
	for n := range s.Nodes {
		if n != node(0) && n != node(1) && n != node(4) && n != node(5) {
			want = append(want, n)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("nodes %v are sampled, expected %v", got, want)
	}
	a, b, pose := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, 0.7)
	a.SetPose(pose)
	m.ResetPose(pose)
	live[0].Sample(pose, 0.7)
	b.SetPose(pose)
	if !slices.Equal(a.Matrices, b.Matrices) {
		t.Error("joints are posed in another way")
	}
	plain := skinningtest.RandomModel(20, joints, 2, 1)
	animateAll(r, plain)
	if got := plain.LiveClips(); len(got[0].Channels) != len(plain.Skeleton.Nodes) {
		t.Errorf("of a model without a rig %d channels are sampled", len(got[0].Channels))
	}
}
