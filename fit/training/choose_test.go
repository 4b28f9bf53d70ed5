package training

import (
	"errors"
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

func chosenModel(t *testing.T) (m *skinning.Model, clips []int, weights []float64) {
	t.Helper()
	m = assetstest.Open(t, "demo:figure")
	for c := range m.Clips {
		clips, weights = append(clips, c), append(weights, 1)
	}
	return m, clips, weights
}

// TestChoose: poses are spread evenly over all clips, more of a long clip than of a short one, and all candidates where
// there are fewer.
func TestChoose(t *testing.T) {
	m, clips, _ := chosenModel(t)
	all := Candidates(m, clips)
	if len(all) > mostCandidates {
		t.Fatalf("%d candidates", len(all))
	}
	poses := make([]int, len(m.Clips))
	for _, at := range choose(all, 24) {
		poses[at.Clip]++
	}
	for a := range poses {
		for b := range poses {
			if m.Clips[a].Seconds > m.Clips[b].Seconds && poses[a]+1 < poses[b] {
				t.Errorf("%d poses of %g s, and %d of %g s", poses[a], m.Clips[a].Seconds, poses[b], m.Clips[b].Seconds)
			}
		}
	}
	if n := len(choose(all[:5], 24)); n != 5 {
		t.Errorf("%d of 5 poses", n)
	}
}

// TestBadPart: a part of a clip that is not there is an error.
func TestBadPart(t *testing.T) {
	m, clips, _ := chosenModel(t)
	if _, err := (&Set{Parts: []Part{{Clip: len(clips)}}}).Choose(m, nil); !errors.Is(err, errClip) {
		t.Errorf("a clip that is not there: %v", err)
	}
}

// TestCandidatesOfMany: thousands of clips, and one of a year, leave a bounded number.
func TestCandidatesOfMany(t *testing.T) {
	m, _, _ := chosenModel(t)
	long := m.Clips[0]
	long.Seconds = 365 * 24 * 3600
	m.Clips = []skinning.Clip{long}
	if n := len(Candidates(m, []int{0})); n > mostCandidates {
		t.Errorf("%d candidates of a long clip", n)
	}
	var clips []int
	for range 3000 {
		clips = append(clips, len(m.Clips))
		m.Clips = append(m.Clips, skinning.Clip{Seconds: 1})
	}
	if n := len(Candidates(m, clips)); n > 2*len(clips) || n < len(clips) {
		t.Errorf("%d candidates of %d clips", n, len(clips))
	}
	if all := Candidates(m, nil); all != nil {
		t.Errorf("%d candidates of no clips", len(all))
	}
}

// TestLeftOut: no pose is chosen of a clip that is left out, unless the file has no other.
func TestLeftOut(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	set := &Set{Teacher: skinning.DQS, LeftOut: []int{0}}
	got, err := set.Choose(m, nil)
	if err != nil || got.Learns(0) || !got.Learns(1) || got.Name != "all clips but twist" {
		t.Errorf("%s: poses of clips %v, %v", got.Name, got.Times, err)
	}
	one := *m
	one.Clips = m.Clips[:1]
	if got, err = set.Choose(&one, nil); err != nil || !got.Learns(0) || got.LeftOut != nil {
		t.Errorf("of one clip: poses %v, left out %v, %v", got.Times, got.LeftOut, err)
	}
}

// TestFavour: the weight of a clip that got worse rises by 1.5 times the square of the ratio of its errors, by
// leastMore at least, and a clip with few poses gets more. Other clips and the poses before keep theirs.
func TestFavour(t *testing.T) {
	m, _, _ := chosenModel(t)
	last := len(m.Clips) - 1
	s := &Poses{Model: m, Times: []ClipTime{{Clip: 0}, {Clip: 1, Time: 1}},
		ofClip: slices.Repeat([]float64{2}, 1+len(m.Clips))}
	more := s.Favour([]WorseClip{{Clip: 0, Ratio: 4}, {Clip: last, Ratio: 1.1}})
	want := slices.Repeat([]float64{2}, 1+len(m.Clips))
	want[1], want[1+last] = 2*24, 2*leastMore
	if !slices.Equal(more.ofClip, want) {
		t.Errorf("weights of clips %v, expected %v", more.ofClip, want)
	}
	poses := make([]int, len(m.Clips))
	for _, at := range more.Times {
		poses[at.Clip]++
	}
	if poses[0] != posesOfWorse || poses[1] != 1 || poses[last] != posesOfWorse || len(s.Times) != 2 || s.ofClip[1] != 2 {
		t.Errorf("poses by clip %v, before %v with weights %v", poses, s.Times, s.ofClip)
	}
	if w := more.Weights; len(w) != len(more.Times) || w[len(w)-1] != want[1+more.Times[len(w)-1].Clip] {
		t.Errorf("weights of poses %v", w)
	}
}

// TestSteadyTimes: where two keys of a cubic spline are q and -q, the joint turns round within a millisecond in the
// middle between them, and that pose is left out, unless there are no others.
func TestSteadyTimes(t *testing.T) {
	m, _, _ := chosenModel(t)
	const slope = 0.001 // of the tangents, whose sum is all that is left in the middle
	m.Clips = []skinning.Clip{{Seconds: 1, Channels: []skinning.Channel{{Node: m.Skeleton.Joints[1].Node, Width: 4,
		Path: skinning.PathRotation, Interpolation: skinning.CubicSpline, Times: []float32{0, 1},
		Values: []float32{0, 0, 0, 0, 0, 0, 0, 1, slope, 0, 0, 0, -slope, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0}}}}}
	for _, c := range []struct{ times, want []float64 }{
		{[]float64{0, 0.25, 0.5, 0.75, 1}, []float64{0, 0.25, 0.75, 1}},
		{[]float64{0.5}, []float64{0.5}},
	} {
		if got := steadyTimes(m, 0, c.times); !slices.Equal(got, c.want) {
			t.Errorf("of %v %v are steady, expected %v", c.times, got, c.want)
		}
	}
}

// TestTimes: the times ascend within the clip, one in each equal part, and a clip that is at rest at regular times is
// never at rest at all of them.
func TestTimes(t *testing.T) {
	m := figure(t)
	clips := stress.Clips(m)
	m.Clips = append(slices.Clone(m.Clips), clips...)
	twist := len(m.Clips) - len(clips)
	seconds := m.Clips[twist].Seconds
	rest, pose := m.NewPose(), m.NewPose()
	for n := 1; n < 40; n++ {
		moves := false
		for i, at := range Times(seconds, n) {
			if at <= float64(i)/float64(n)*seconds || at >= float64(i+1)/float64(n)*seconds {
				t.Errorf("time %d of %d is %g", i, n, at)
			}
			m.SamplePose(pose, twist, at)
			moves = moves || !samePose(rest, pose)
		}
		if !moves {
			t.Errorf("%d poses of %s are all at rest", n, m.Clips[twist].Name)
		}
	}
}

// samePose reports whether the rotations of two poses are equal.
func samePose(a, b *skinning.Pose) bool {
	for i := range a.Local {
		if a.Local[i].Rotation != b.Local[i].Rotation {
			return false
		}
	}
	return true
}
