package transfer

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/longtest"
	"skinlab/skinning"
)

// leg is the built-in leg with two of its clips, and a capture of half a second of its squat, so many frames. A leg of
// 663 vertices and four joints is fitted in a second or two.
func leg(t *testing.T, frames int) (*skinning.Model, *capture) {
	t.Helper()
	m := assetstest.Open(t, "demo:leg")
	m = withClips(m, "walk", "squat")
	var times []float64
	for k := range frames {
		times = append(times, 0.5+0.5*float64(k)/float64(frames-1))
	}
	return m, newCapture(m, 1, times, 400, 0.002, 0)
}

// A frame in which nothing is where it was is lost, and the others are followed as if it were not there: within 3 mm
// RMS by points with noise of 2 mm.
func TestLostFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, c := leg(t, 8)
	lost := 2
	for v := range c.Frames[lost].Positions {
		u := float64(v)
		c.Frames[lost].Positions[v] = mgl64.Vec3{math.Sin(7 * u), math.Sin(13 * u), math.Sin(31 * u)}
	}
	out, err := Run(context.Background(), m, c.Sequence, Options{Linear: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Lost(), []int{lost}) {
		t.Errorf("lost %v, expected frame %d", out.Lost(), lost)
	}
	rms, most := c.errors(out, slices.DeleteFunc(c.all(), func(i int) bool { return i == lost })...)
	t.Logf("%d frames: %.2f mm RMS, at most %.1f mm", len(c.Frames), 1000*rms, 1000*most)
	if !(rms < 0.003) {
		t.Errorf("%.2f mm RMS", 1000*rms)
	}
}

// By twist-swing the frames are followed as well, and the result is the same on any number of workers. The leg of the
// capture is posed by linear blending, which twist-swing is where nothing twists: 3 mm RMS is more than noise of 2 mm.
func TestWorkers(t *testing.T) {
	m, c := leg(t, 4)
	var first *Result
	for _, workers := range []int{1, 3} {
		out, err := Run(context.Background(), m, c.Sequence, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out
			if rms, _ := c.errors(out, c.all()...); !(rms < 0.003) {
				t.Errorf("%.2f mm RMS", 1000*rms)
			}
		}
		for i := range out.Frames {
			if a, b := &out.Frames[i].Pose, &first.Frames[i].Pose; a.Place != b.Place || !slices.Equal(a.Turns, b.Turns) {
				t.Fatalf("%d workers: frame %d has another pose", workers, i)
			}
		}
	}
}

// Frames of different topologies are followed by nearest points, and the result says so. Without noise surfaces come
// within 1 cm: a slide along the surface is not seen.
func TestOtherTopologies(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, c := leg(t, 4)
	f := &c.Frames[1]
	f.Triangles = slices.Clone(f.Triangles[1:])
	out, err := Run(context.Background(), m, c.Sequence, Options{Linear: true})
	if err != nil {
		t.Fatal(err)
	}
	if out.SameTopology || !strings.Contains(strings.Join(out.Warnings(), "\n"), "topology") {
		t.Errorf("one topology: %v, warnings %q", out.SameTopology, out.Warnings())
	}
	if rms, _ := c.errors(out, c.all()...); !(rms < 0.02) || !(out.RMS < 0.01) || len(out.Lost()) > 0 {
		t.Errorf("%.2f mm RMS, surfaces %.2f mm, lost %v", 1000*rms, 1000*out.RMS, out.Lost())
	}
}

// A sequence that nothing can be fitted to is an error that names the frame and what is wrong.
func TestBadSequences(t *testing.T) {
	m, c := leg(t, 4)
	for want, spoil := range map[string]func(s *Sequence){
		"no frames":                  func(s *Sequence) { s.Frames, s.Times = nil, nil },
		"empty: 0 vertices":          func(s *Sequence) { s.Frames[1].Positions = nil },
		"and 0 triangles":            func(s *Sequence) { s.Frames[1].Triangles = nil },
		"vertex 3 is at":             func(s *Sequence) { s.Frames[1].Positions[3][2] = math.Inf(1) },
		"triangle 0: vertex 4000000": func(s *Sequence) { s.Frames[1].Triangles = [][3]uint32{{0, 1, 4000000}} },
		"a surface of 0 m²":          func(s *Sequence) { clear(s.Frames[1].Positions) },
		"come near": func(s *Sequence) {
			for i := range s.Frames { // one triangle is nothing like the figure
				s.Frames[i].Positions = []mgl64.Vec3{{}, {1, 0, 0}, {0, 1, 0}}
				s.Frames[i].Triangles = [][3]uint32{{0, 1, 2}}
			}
		},
		"979 times as large": func(s *Sequence) {
			for i := range s.Frames {
				for v := range s.Frames[i].Positions {
					s.Frames[i].Positions[v] = s.Frames[i].Positions[v].Mul(1000)
				}
			}
		},
	} {
		s := &Sequence{Name: "capture", Times: slices.Clone(c.Times)}
		for i := range c.Frames {
			f := c.Frames[i]
			f.Name, f.Positions = "frame1.obj", slices.Clone(f.Positions)
			s.Frames = append(s.Frames, f)
		}
		spoil(s)
		_, err := Run(context.Background(), m, s, Options{})
		if !errors.Is(err, errSequence) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "frame1.obj") && !strings.Contains(err.Error(), "capture") {
			t.Errorf("%s: %v", want, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, m, c.Sequence, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A run that is cancelled while frames are added keeps those that it has, and the others have the pose of the last.
func TestCancelledRunKeepsFrames(t *testing.T) {
	m, _ := leg(t, 2)
	s, err := OfClip(m, 0, 8)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, err := Run(ctx, m, s, Options{Linear: true, Progress: func(stage string, done, _ int) {
		if stage == "adding frame" && done == 3 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, f := range out.Frames {
		if f.Left {
			left++
		} else if !(f.RMS < 0.01*m.Diagonal()) {
			t.Errorf("%s was fitted, and is %g m apart", f.Name, f.RMS)
		}
	}
	if left != len(s.Frames)-4 || !strings.Contains(strings.Join(out.Warnings(), ""), "cancelled") {
		t.Errorf("%d of %d frames left: %v", left, len(s.Frames), out.Warnings())
	}
	if _, err := out.Clip("transfer"); err != nil {
		t.Error(err)
	}
}

// A given frame and pose are where the fit begins, and the body needs no clip.
func TestGivenStart(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, c := leg(t, 4)
	pose := m.NewPose()
	m.SamplePose(pose, 1, c.Times[2])
	out, err := Run(t.Context(), withClips(m), c.Sequence, Options{Linear: true, Start: []int{2}, Pose: pose})
	if err != nil {
		t.Fatal(err)
	}
	if rms, _ := c.errors(out, c.all()...); out.Start != 2 || !(rms < 0.003) {
		t.Errorf("start %d, %.2f mm RMS", out.Start, 1000*rms)
	}
}

// Every stage of a run tells its progress, and those of parts end with all of them.
func TestStages(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, _ := leg(t, 2)
	s, err := OfClip(m, 0, 8)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	if _, err := Run(t.Context(), m, s, Options{Linear: true, Progress: func(stage string, done, of int) {
		left[stage] = of - done
	}}); err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"aligning a known pose", "searching the limbs", "fitting the first frame", "posing frame",
		"measuring frame"} {
		if n, told := left[stage]; !told || n != 0 {
			t.Errorf("%s: told is %v, %d left", stage, told, n)
		}
	}
	for _, stage := range []string{"comparing with known poses", "searching the limbs again", "adding frame",
		"moving all frames, round"} {
		if _, told := left[stage]; !told {
			t.Errorf("%s: not told", stage)
		}
	}
}

// A body that follows its own clip meets it: limbs that the first frame leaves a little apart are no outliers.
func TestOwnClip(t *testing.T) {
	longtest.Only(t)
	m := assetstest.Open(t, "demo:figure")
	s, err := OfClip(m, 0, 8)
	if err != nil {
		t.Fatal(err)
	}
	s.Frames, s.Times = s.Frames[:6], s.Times[:6]
	out, err := Run(t.Context(), m, s, Options{Linear: true})
	if err != nil {
		t.Fatal(err)
	}
	if !(out.RMS < 1e-5*m.Diagonal()) {
		t.Errorf("%g m apart, %d correspondences", out.RMS, out.Correspondences)
	}
}

// A clip that shows bones is a sequence of meshes, at the rate that is asked for; the static pose is one frame.
func TestOfClip(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	s, err := OfClip(m, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if n := int(m.Clips[0].Seconds*10) + 1; len(s.Frames) != n || !s.sameTopology() || s.Times[1] != 0.1 {
		t.Errorf("%d frames, expected %d", len(s.Frames), n)
	}
	if n := len(s.frame(1).Positions); n != len(m.Skin.Positions) || s.Frames[1].Positions != nil {
		t.Errorf("a frame of %d vertices, and %d are held", n, len(s.Frames[1].Positions))
	}
	s, err = OfClip(m, -1, 0)
	if err != nil || len(s.Frames) != 1 || s.Validate() != nil {
		t.Errorf("static pose: %d frames, %v", len(s.Frames), err)
	}
	if _, err := OfClip(m, 0, 1e9); !errors.Is(err, errSequence) {
		t.Errorf("1e9 frames a second: %v", err)
	}
	for i := range m.Clips[0].Channels {
		times := m.Clips[0].Channels[i].Times
		times[len(times)-1] = 1e5
	}
	m.Clips[0].Seconds = 1e5
	_, err = OfClip(m, 0, 0.02)
	if !errors.Is(err, errSequence) || !strings.Contains(err.Error(), "between 12.5 s and 100000 s") {
		t.Errorf("a clip without a key for a day: %v", err)
	}
	if _, err = OfClip(m, 0, 0.01); err != nil {
		t.Errorf("the same at half the rate: %v", err)
	}
}
