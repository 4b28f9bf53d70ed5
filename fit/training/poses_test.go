package training

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

func figure(t *testing.T) *skinning.Model {
	t.Helper()
	m := assetstest.Open(t, "demo:figure")
	return m
}

// TestPartOfClip: the poses are those of the clip at its [Times], to the bit.
func TestPartOfClip(t *testing.T) {
	m := figure(t)
	clip, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	poses, err := (&Set{Parts: []Part{{Clip: clip, Frames: 5}}}).Choose(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	frames, err := poses.Frames()
	if err != nil || len(frames) != 5 {
		t.Fatal(len(frames), err)
	}
	pose, want := m.NewPose(), skinning.NewFrame(m, nil)
	for i, seconds := range Times(m.Clips[clip].Seconds, 5) {
		m.SamplePose(pose, clip, seconds)
		want.SetPose(pose)
		for j := range want.Matrices {
			if frames[i].Matrices[j] != want.Matrices[j] {
				t.Fatalf("pose %d, joint %d: %v, expected %v", i, j, frames[i].Matrices[j], want.Matrices[j])
			}
		}
	}
	for _, bad := range []Part{{-2, 3}, {len(m.Clips), 3}, {clip, -1}} {
		if _, err := (&Set{Parts: []Part{bad}}).Choose(m, nil); !errors.Is(err, errClip) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestRangeOfMotion: the root rests and every other joint turns about its parent, by 122 degrees at most, which is what
// turns of 70, 35 and 80 about axes across each other come to, and by 40 in some pose.
func TestRangeOfMotion(t *testing.T) {
	m := figure(t)
	frames := RangeOfMotionPoses(m, 12)
	for j, joint := range m.Skeleton.Joints {
		most := 0.0
		for _, f := range frames {
			turn := f.Rigid()[j].Real
			if p := joint.Parent; p >= 0 {
				q := f.Rigid()[p].Real
				turn = geom.Quat{-q[0], -q[1], -q[2], q[3]}.Mul(turn)
			}
			most = math.Max(most, 2*math.Acos(math.Min(1, math.Abs(turn[3])))*180/math.Pi)
		}
		if joint.Parent < 0 && !(most <= 1e-5) { // rounding of a cosine near 1, in degrees
			t.Errorf("the root turns by %g degrees", most)
		}
		if joint.Parent >= 0 && !(most >= 40 && most <= 122) {
			t.Errorf("%s turns by %g degrees", joint.Name, most)
		}
	}
}

// TestFlatHand: no pose of a hand whose joints are all roots tears the skin: the RMS of an edge's length over that at
// rest stays near 1. Turned one by one, the joints make it 1.5.
func TestFlatHand(t *testing.T) {
	m := assetstest.Open(t, "GenericHand.glb")
	frames := RangeOfMotionPoses(m, 12)
	if len(frames) != 12 {
		t.Fatalf("%d poses", len(frames))
	}
	for i, f := range frames {
		p, sum := f.Positions(skinning.DQS), 0.0
		for _, tri := range m.Skin.Triangles {
			for c := range tri {
				a, b := tri[c], tri[(c+1)%3]
				rest := m.Skin.Positions[a].Sub(m.Skin.Positions[b]).Len()
				r := p[a].Sub(p[b]).Len() / math.Max(float64(rest), 1e-9)
				sum += r * r / float64(3*len(m.Skin.Triangles))
			}
		}
		if rms := math.Sqrt(sum); !(rms <= 1.2) {
			t.Errorf("pose %d: edges are %.2f times as long", i, rms)
		}
	}
}

// TestNoHalfTurns: no fit learns from a half turn that a method teaches: not from a part of a clip with one, not from
// poses that are chosen, and not from poses made of the skeleton, which stay as many.
func TestNoHalfTurns(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	rule := metrics.NewHalfTurns(m)
	count := func(frames []*skinning.Frame) (n int) {
		for _, f := range frames {
			if _, found := rule.Of(f); found {
				n++
			}
		}
		return n
	}
	const asked = 24
	part := &Set{Teacher: skinning.DQS, Parts: []Part{{Clip: clip, Frames: asked}}}
	if all := count(at(m, TimesIn(clip, Times(m.Clips[clip].Seconds, asked)))); all == 0 || all == asked {
		t.Fatalf("%d of %d poses are half turns: another clip is needed", all, asked)
	}
	for name, set := range map[string]*Set{"a part": part, "chosen poses": {Teacher: skinning.DQS}} {
		poses, err := set.Choose(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		frames, err := poses.Frames()
		if err != nil || len(frames) == 0 || count(frames) > 0 {
			t.Errorf("%s: %d of %d poses are half turns, %v", name, count(frames), len(frames), err)
		}
	}
	robot := assetstest.Open(t, "RobotExpressive.glb")
	rule = metrics.NewHalfTurns(robot)
	if frames := RangeOfMotionPoses(robot, asked); len(frames) != asked || count(frames) > 0 {
		t.Errorf("range of motion: %d of %d poses are half turns", count(frames), len(frames))
	}
}

// TestOperatorWarning: a method without scale is warned of where a joint scales, and nowhere else.
func TestOperatorWarning(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	if says := OperatorWarning(m, skinning.DQS); says != "" {
		t.Errorf("a rigid model: %q", says)
	}
	m.Clips = append(m.Clips, skinning.Clip{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{
		Node: m.Skeleton.Joints[2].Node, Path: skinning.PathScale, Width: 3, Times: []float32{0, 1},
		Values: []float32{1, 1, 1, 1.3, 1.3, 1.3}}}})
	for _, by := range skinning.Operators() {
		if says := OperatorWarning(m, by) != ""; says != (by == skinning.DQS || by == skinning.SBS) {
			t.Errorf("%v: %q", by, OperatorWarning(m, by))
		}
	}
}

// TestLostClips: a clip that has lost all of its channels is not learnt, and is an error where there is no other.
func TestLostClips(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	all := OwnClips(m)
	m.Clips[all[0]].Lost, m.Clips[all[0]].Channels = 3, nil
	p, err := (&Set{Teacher: skinning.DQS}).Choose(m, nil)
	if err != nil || slices.ContainsFunc(p.Times, func(at ClipTime) bool { return at.Clip == all[0] && at.Time > 0 }) {
		t.Errorf("poses %v, %v: some are of the clip that plays nothing", p.Times, err)
	}
	for _, c := range all {
		m.Clips[c].Lost, m.Clips[c].Channels = 3, nil
	}
	for _, s := range []*Set{{Teacher: skinning.DQS}, {Teacher: skinning.DQS, Parts: []Part{{Clip: all[0]}}}} {
		if _, err := s.Choose(m, nil); err == nil || !strings.Contains(err.Error(), "nothing to learn") {
			t.Errorf("nothing is left to learn: %v", err)
		}
	}
}
