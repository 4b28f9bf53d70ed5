package export

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// turningOn returns a model whose one clip turns a joint twice all the way round about a slanted axis, and how long
// that takes.
func turningOn(m *skinning.Model, joint int) (*skinning.Model, float64) {
	const keys, step = 9, 0.4 // seconds, for a quarter turn
	node := m.Skeleton.Joints[joint].Node
	rest := m.Skeleton.Nodes[node].Rest.Rotation
	ch := skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4}
	for i := range keys {
		q := rest.Mul(geom.AxisAngle(mgl64.Vec3{1, 0.3, 0.2}, float64(i)*math.Pi/2))
		ch.Times = append(ch.Times, float32(step*float64(i)))
		for _, x := range q {
			ch.Values = append(ch.Values, float32(x))
		}
	}
	out := *m
	seconds := step * float64(keys-1)
	out.Clips = []skinning.Clip{{Name: "round and round", Seconds: seconds, Channels: []skinning.Channel{ch}}}
	return &out, seconds
}

// fastest returns how far joints move at most from one of many even moments to the next, as a fraction of the diagonal:
// of points around their places.
func fastest(f *skinning.Frame, joints []int, seconds float64) (most float64) {
	const rate = 500
	m := f.Model
	pose, reach := m.NewPose(), placedReach*m.Diagonal()
	last := make([]geom.Affine, len(f.Matrices))
	for i := range int(rate*seconds) + 1 {
		m.SamplePose(pose, 0, float64(i)/rate)
		f.SetPose(pose)
		for _, j := range joints {
			if i > 0 {
				most = math.Max(most, displacement(&f.Matrices[j], &last[j], m.Skeleton.Joints[j].Position, reach))
			}
		}
		copy(last, f.Matrices)
	}
	return math.Sqrt(most) / m.Diagonal()
}

// TestExportPastCuts: where a joint turns on and on, past the cut of its rotation vectors, proxies that turn half as
// far come round again without a jump, live and baked. They have as long for half a turn as the joint for 30 degrees,
// and shear: a step of theirs is up to 5.4 of the joints' own, where a jump is 160.
func TestExportPastCuts(t *testing.T) {
	arm, _, _ := source(t, "demo:arm")
	proxied := gltftest.Enveloped(t, arm, 5)
	joint := 0
	for l := range gltftest.EnvelopeOf(proxied).Keys {
		if j := gltftest.EnvelopeOf(proxied).Keys[l].Terms[0].Joint; arm.Skeleton.Joints[j].Parent >= 0 {
			joint = j
		}
	}
	m, seconds := turningOn(arm, joint)
	fitted := gltftest.Enveloped(t, m, 5)
	again, report, _ := export(t, fitted, nil, nil, Options{RMS: 1e-3})
	if len(report.Warnings) != 1 || !strings.HasPrefix(report.Warnings[0], "left out: ") || !(report.MaxError <= 1e-3*keyShare) {
		t.Errorf("%.3g of the diagonal between keys, %.3g asked for; warnings %q", report.MaxError, 1e-3*keyShare,
			report.Warnings)
	}
	live, baked := skinning.NewFrame(again, nil), skinning.NewFrame(again, nil)
	baked.Baked = true
	own := fastest(live, gltftest.EnvelopeOf(again).Masters, seconds)
	for name, f := range map[string]*skinning.Frame{"live": live, "baked": baked} {
		got := fastest(f, gltftest.EnvelopeOf(again).Proxies, seconds)
		t.Logf("%s: proxies move up to %.3g of the diagonal at a time, joints %.3g", name, got, own)
		if !(got <= 8*own) {
			t.Errorf("%s: proxies move up to %.3g of the diagonal at a time, joints %.3g", name, got, own)
		}
	}
}
