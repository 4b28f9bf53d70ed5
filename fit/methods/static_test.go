package methods

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// restingAside returns a model whose nodes rest turned from the pose that it is bound in, by an angle in radians about
// changing axes. No clip shows that pose: joints that one leaves out get a key of their rotation before.
func restingAside(m *skinning.Model, angle float64) *skinning.Model {
	for j := range m.Skeleton.Joints {
		n := m.Skeleton.Joints[j].Node
		for i := range m.Clips {
			c, moved := &m.Clips[i], false
			for k := range c.Channels {
				moved = moved || c.Channels[k].Node == n && c.Channels[k].Path == skinning.PathRotation
			}
			if q := m.Skeleton.Nodes[n].Rest.Rotation; !moved {
				c.Channels = append(c.Channels, skinning.Channel{Node: n, Path: skinning.PathRotation, Width: 4, Times: []float32{0},
					Values: []float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}})
			}
		}
		var axis mgl64.Vec3
		axis[j%3] = 1
		m.Skeleton.Nodes[n].Rest.Rotation = m.Skeleton.Nodes[n].Rest.Rotation.Mul(geom.AxisAngle(axis, angle))
	}
	return m
}

// staticPose is the positions of a model's vertices in its static pose.
func staticPose(m *skinning.Model, method skinning.Method) []mgl64.Vec3 {
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, -1, 0)
	frame.SetPose(pose)
	return frame.Positions(method)
}

// TestStaticPose: in the static pose, whether it is the bind pose or no clip shows it, every fit with the default
// training errs by no more than its own RMS error over the training poses.
func TestStaticPose(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Run("aside", func(t *testing.T) { staysInStaticPose(t, restingAside(assetstest.Open(t, "demo:arm"), 0.3)) })
	t.Run("bind pose", func(t *testing.T) { staysInStaticPose(t, assetstest.Open(t, "CesiumMan.glb")) })
}

func staysInStaticPose(t *testing.T, m *skinning.Model) {
	t.Helper()
	want := staticPose(m, skinning.DQS)
	for _, method := range All() {
		if method.Learns == fit.Sequence || method.Learns == fit.Scans {
			continue
		}
		out := mustRun(t, fit.Job{Method: method, Model: m, Tests: training.Tests{Clip: -1},
			Training: &training.Set{Teacher: skinning.DQS}, Values: fit.Values{"bones": 4, "proxies": 8}})
		sum := 0.0
		for v, p := range staticPose(out.Model, skinning.LBS) {
			d := p.Sub(want[v])
			sum += d.Dot(d)
		}
		rms := math.Sqrt(sum/float64(len(want))) / m.Diagonal()
		if !(rms <= out.Report.RMS) {
			t.Errorf("%s: RMS %.2e in the static pose, expected at most the %.2e of the training poses", method.Name, rms,
				out.Report.RMS)
		}
	}
}
