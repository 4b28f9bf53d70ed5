package transfer

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/assets/demo"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// farthestApart returns the largest distance between two shapes.
func farthestApart(a, b []mgl64.Vec3) (most float64) {
	for v := range a {
		if d := a[v].Sub(b[v]).Len(); !(d <= most) {
			most = d
		}
	}
	return most
}

// A model's limbs stand where its joints do in the poses of its clips, by both methods, and a clip made of these poses
// shows them again. 1e-5 of the size is the rounding of the file's matrices, weights and keys to float32. CesiumMan's
// clip also shifts joints, by 0.2 % of the size: that is lost.
func TestPosesOfClips(t *testing.T) {
	for _, name := range []string{"human_male.glb", "CesiumMan.glb", "Fox.glb", "RiggedSimple.glb", "demo:figure"} {
		var m *skinning.Model
		if strings.HasPrefix(name, demo.Prefix) {
			var err error
			if m, err = assets.Open(name); err != nil {
				t.Fatal(err)
			}
		} else {
			m = assetstest.Open(t, name)
		}
		for _, linear := range []bool{true, false} {
			r, err := newRig(m, linear)
			if err != nil {
				t.Fatal(err)
			}
			method := skinning.TwistSwing
			if linear {
				method = skinning.LBS
			}
			s, pose, frame := newPoser(r), m.NewPose(), skinning.NewFrame(m, nil)
			size := diagonal(r.body.Vertices)
			out := &Result{rig: r}
			var shapes [][]mgl64.Vec3
			for k := range 5 {
				m.SamplePose(pose, 0, m.Clips[0].Seconds*float64(k)/4)
				frame.SetPose(pose)
				out.Frames = append(out.Frames, FrameFit{Pose: r.poseOf(frame)})
				out.times = append(out.times, float64(k))
				s.set(&out.Frames[k].Pose)
				shape := make([]mgl64.Vec3, len(r.body.Vertices))
				s.shape(shape)
				shapes = append(shapes, shape)
				most := 1e-5
				if name == "CesiumMan.glb" {
					most = 3e-3
				}
				if d := farthestApart(shape, frame.Positions(method)); !(d < most*size) {
					t.Errorf("%s, linear %v, pose %d: off by %g of the size", name, linear, k, d/size)
				}
			}
			again := *m
			clip, err := out.Clip("again")
			if err != nil {
				t.Fatal(err)
			}
			again.Clips = []skinning.Clip{clip}
			frame = skinning.NewFrame(&again, nil)
			for k := range shapes {
				again.SamplePose(pose, 0, float64(k))
				frame.SetPose(pose)
				if d := farthestApart(shapes[k], frame.Positions(method)); !(d < 1e-5*size) {
					t.Errorf("%s, linear %v, key %d: off by %g of the size", name, linear, k, d/size)
				}
			}
			for i := range clip.Channels {
				c := &clip.Channels[i]
				if err := c.Validate(); err != nil {
					t.Errorf("%s: channel %d: %v", name, i, err)
				}
				for k := 1; c.Path == skinning.PathRotation && k < len(c.Times); k++ {
					dot := float32(0)
					for x := range 4 {
						dot += c.Values[4*k+x] * c.Values[4*k-4+x]
					}
					if dot < 0 {
						t.Errorf("%s: channel %d changes its sign at key %d", name, i, k)
					}
				}
			}
		}
	}
}

// A model without a skeleton, and one whose skin has no number for a vertex, are refused.
func TestBadBody(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	bare := *m
	bare.Skin = skinning.Mesh{}
	broken := *m
	broken.Skin.Positions = append(broken.Skin.Positions[:0:0], m.Skin.Positions...)
	broken.Skin.Positions[7][1] = float32(math.NaN())
	flat := *m
	flat.Skin.Triangles = nil
	for name, m := range map[string]*skinning.Model{"no skin": &bare, "vertex 7": &broken, "no surface": &flat} {
		if _, err := newRig(m, true); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The fit of a pose to points of another pose of the body finds it: far beyond 1e-6 rad of turn, which the float64
// normal equations give.
func TestSolveFindsThePose(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	for _, linear := range []bool{true, false} {
		r, err := newRig(m, linear)
		if err != nil {
			t.Fatal(err)
		}
		known := r.knownPoses(nil)
		s, want, pose := newPoser(r), known[len(known)/2], clonePose(&known[len(known)/2+1])
		f := s.pose(&want)
		a := &aim{reach: 1, prior: &want}
		for i, v := range f.chosen {
			a.pulls = append(a.pulls, pull{at: f.points[i], to: f.shape[v], slide: 1, weight: f.weights[i]})
		}
		first := s.cost(a, &pose)
		if last := s.solve(a, &pose, 50); !(math.Sqrt(last) < 1e-5) || !(math.Sqrt(first) > 1e-3) {
			t.Errorf("linear %v: from %g m to %g m", linear, math.Sqrt(first), math.Sqrt(last))
		}
	}
}
