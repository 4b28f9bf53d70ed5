package bvh

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const walk = `HIERARCHY
ROOT Hips
{
	OFFSET 1 2 3
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Left Leg{
		OFFSET 10 -40 0
		CHANNELS 2 yrotation ZPOSITION
		End Site
		{
			OFFSET 0 -50 5
		}
	}
	JOINT Spine { OFFSET 0 20 0 CHANNELS 0 }
}
MOTION
Frames: 2
Frame Time:	0.25
0 90 0 0 0 0   0 0
5 91.5 -3 90 90 0
30 7
`

// TestDecode reads joints, channels in any order, and frames over several lines.
func TestDecode(t *testing.T) {
	m, err := decode(t.Context(), []byte("\xef\xbb\xbf"+walk), centimetre)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var parents []int
	for _, j := range m.Skeleton.Joints {
		names, parents = append(names, j.Name), append(parents, j.Parent)
	}
	if want := []string{"Hips", "Left Leg", "Left Leg end", "Spine"}; !slices.Equal(names, want) ||
		!slices.Equal(parents, []int{-1, 0, 1, 0}) || !m.IsSkeleton() {
		t.Errorf("joints %q below %v, expected %q", names, parents, want)
	}
	if len(m.Clips) != 1 || m.Clips[0].Seconds != 0.25 || len(m.Clips[0].Channels) != 4 {
		t.Fatalf("clips %+v", m.Clips)
	}
	for i := range m.Clips[0].Channels {
		if err := m.Clips[0].Channels[i].Validate(); err != nil {
			t.Error(err)
		}
	}
	pose := m.NewPose()
	m.SamplePose(pose, 0, 0.25)
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(globals, pose)
	// Rz(90°)·Rx(90°) takes x to y, y to z and z to x.
	for node, want := range []mgl64.Vec3{
		{0.05, 0.915, -0.03},
		{0.05 + 0.07, 0.915 + 0.10, -0.03 - 0.40}, // Zposition stands in place of the offset's z
		{}, {0.05, 0.915, -0.03 + 0.20},
	} {
		if got := globals[node].Translation(); node != 2 && !(got.Sub(want).Len() <= 1e-7) { // keys are float32
			t.Errorf("node %d stands at %v, expected %v", node, got, want)
		}
	}
	leg := geom.AxisAngle(mgl64.Vec3{0, 1, 0}, math.Pi/6)
	if got := pose.Local[1].Rotation; !(math.Abs(got.Dot(leg)) >= 1-1e-7) {
		t.Errorf("the leg turns by %v, expected %v", got, leg)
	}
	end := globals[1].Apply(mgl64.Vec3{0, -0.5, 0.05})
	if got := globals[2].Translation(); !(got.Sub(end).Len() <= 1e-7) {
		t.Errorf("the end site stands at %v, expected %v", got, end)
	}
}

// TestFaults names the line and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"HIERARCHY", "hierarchie", `line 1: expected HIERARCHY, found "hierarchie"`},
		{"ROOT Hips", "JOINT Hips", `line 2: expected ROOT or MOTION, found "JOINT"`},
		{"ROOT Hips\n{", "ROOT Hips\n", `line 4: expected {, found "OFFSET"`},
		{"OFFSET 1 2 3", "OFFSET 1 two 3", `line 4: expected a number, found "two"`},
		{"OFFSET 1 2 3", "OFFSET 1 NaN 3", `line 4: expected a number, found "NaN"`},
		{"OFFSET 1 2 3", "OFFSET 1 1e300 3", `line 4: expected a number, found "1e300"`},
		{"CHANNELS 6", "CHANNELS 7", `line 6: expected a channel such as Xrotation, found "JOINT"`},
		{"CHANNELS 6", "CHANNELS 10", "line 5: expected 0 to 9 channels"},
		{"CHANNELS 6", "CHANNELS 5", `line 5: expected JOINT, End Site or }, found "Yrotation"`},
		{"Zrotation Xrotation", "Zrotation Zrotation", "line 5: channel Zrotation stands twice"},
		{"ZPOSITION", "Zspin", `line 8: expected a channel such as Xrotation, found "Zspin"`},
		{"OFFSET 0 -50 5", "OFFSET 0 -50 5 JOINT a", `line 11: expected }, found "JOINT"`},
		{"OFFSET 0 -50 5", "OFFSET 0 -50 5 6", `line 11: expected }, found "6"`},
		{"OFFSET 0 20 0", "OFFSET 0 20 0 OFFSET 0 20 0", `line 14: expected CHANNELS, JOINT, End Site or }, found "OFFSET"`},
		{"End Site", "End Sight", `line 9: expected Site, found "Sight"`},
		{"CHANNELS 0 }\n}", "CHANNELS 0 }", `line 15: expected JOINT, End Site or }, found "MOTION"`},
		{"Frames: 2", "Frames: none", `line 17: expected a number, found "none"`},
		{"Frames: 2", "Frames: -2", "line 17: -2 frames, expected a whole number"},
		{"Frames: 2", "Frames: 1.5", "line 17: 1.5 frames, expected a whole number"},
		{"91.5", "NaN", `line 20: frame 2: expected a number, found "NaN"`},
		{"91.5", "-1.#IND", `line 20: frame 2: expected a number, found "-1.#IND"`},
		{"30 7", "30 7 END", `line 21: frame 3: expected a number, found "END"`},
		{"0 90 0 0 0 0   0 0\n5 91.5 -3 90 90 0\n30 7", "0 90 0 0 0\n5 91.5 -3 0 0",
			"line 18: behind it are lines of 5 numbers, expected 8"},
		{"0.25", "-1", "line 18: -1 s from frame to frame"},
		{"0.25", "0", "line 18: 0 s from frame to frame"},
		{"0.25", "1e-60", "2 frames of 1e-60 s are beyond float32"},
	} {
		text := strings.Replace(walk, c.old, c.new, 1)
		if text == walk {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := decode(t.Context(), []byte(text), centimetre)
		if !errors.Is(err, fault.ErrMalformed) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v, expected %s", c.new, c.old, err, c.says)
		}
	}
	deep := "HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 0\n" + strings.Repeat("JOINT b { OFFSET 0 0 0 CHANNELS 0\n", maxJoints)
	if _, err := decode(t.Context(), []byte(deep), centimetre); err == nil || !strings.Contains(err.Error(), "more than 16384 joints") {
		t.Errorf("a hierarchy of %d joints: %v", maxJoints+1, err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := decode(cancelled, []byte(walk), centimetre); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCaptured reads real motion capture: a walk keeps the feet near the ground and the head above the hips.
func TestCaptured(t *testing.T) {
	path := filepath.Join(gltftest.SharedModels(t), "bvh", "cmu_02_01_walk.bvh")
	m, err := Open(t.Context(), path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "cmu_02_01_walk.bvh" || m.Clips[0].Name != "cmu_02_01_walk" || len(m.Clips[0].KeyTimes()) != 343 {
		t.Errorf("%q, clip %q of %d keys", m.Name, m.Clips[0].Name, len(m.Clips[0].KeyTimes()))
	}
	at := map[string]int{}
	for _, j := range m.Skeleton.Joints {
		at[j.Name] = j.Node
	}
	pose, globals := m.NewPose(), make([]geom.Affine, len(m.Skeleton.Nodes))
	lowest, highest := math.Inf(1), math.Inf(-1)
	for k := range 20 {
		m.SamplePose(pose, 0, m.Clips[0].Seconds*float64(k)/19)
		m.Skeleton.Globals(globals, pose)
		y := func(name string) float64 { return globals[at[name]].Translation()[1] }
		foot := min(y("LeftToeBase"), y("RightToeBase"))
		lowest, highest = min(lowest, foot), max(highest, foot)
		if hips, head := y("Hips"), y("Head"); !(head > hips+0.05 && hips > foot+0.1) {
			t.Errorf("step %d: the lower foot at %.3f m, the hips at %.3f, the head at %.3f", k, foot, hips, head)
		}
	}
	if !(highest-lowest < 0.02) { // the figure is 0.3 m tall in this file's unit
		t.Errorf("the lower foot is between %.3f and %.3f m high", lowest, highest)
	}
}

// FuzzDecode: any bytes give a skeleton whose clip, if there is one, can be sampled, or an error of malformed files.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(walk))
	f.Add([]byte("HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 0}MOTION Frames: 1 Frame Time: 0"))
	f.Add([]byte("HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation}ROOT b{OFFSET 0 0 0 CHANNELS 0}MOTION Frames: 1 Frame " +
		"Time: 0 1e9"))
	for _, v := range variants {
		f.Add([]byte(v.write(steps)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decode(context.Background(), text, centimetre)
		if err != nil {
			if !errors.Is(err, fault.ErrMalformed) {
				t.Fatal(err)
			}
			return
		}
		pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
		for c := range m.Clips {
			for i := range m.Clips[c].Channels {
				if err := m.Clips[c].Channels[i].Validate(); err != nil {
					t.Fatal(err)
				}
			}
			m.SamplePose(pose, c, m.Clips[c].Seconds/2)
		}
		frame.SetPose(pose)
		for i := range frame.Globals {
			if !frame.Globals[i].IsFinite() {
				t.Fatalf("node %d stands at %v", i, frame.Globals[i])
			}
		}
	})
}
