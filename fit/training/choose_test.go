package training

import (
	"errors"
	"math"
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func chosenModel(t *testing.T) (m *skinning.Model, clips []int, weights []float64) {
	t.Helper()
	m = assetstest.Open(t, "demo:figure")
	for c := range m.Clips {
		clips, weights = append(clips, c), append(weights, 1)
	}
	return m, clips, weights
}

// TestChooseStandsForAll: of all candidates, none is farther from the chosen poses than from as many spread evenly over
// the clips' time, in the root mean square, and a clip that only the choice can notice has its pose.
func TestChooseStandsForAll(t *testing.T) {
	m, clips, weights := chosenModel(t)
	all := Candidates(m, clips)
	if len(all) > mostCandidates {
		t.Fatalf("%d candidates", len(all))
	}
	const n = 12
	chosen, shares := choose(m, all, n, weights)
	if len(chosen) != n {
		t.Fatalf("%d poses", len(chosen))
	}
	bends := bendsOf(m)
	numbers := func(at []ClipTime) (out [][]float64) {
		palettes(m, at, func(_ int, matrices []geom.Affine) {
			x := make([]float64, numbersOfBend*len(bends))
			describe(x, bends, matrices)
			out = append(out, x)
		})
		return out
	}
	every := numbers(all)
	miss := func(by []ClipTime) float64 {
		sum := 0.0
		for _, x := range every {
			least := math.Inf(1)
			for _, y := range numbers(by) {
				least = min(least, apart(x, y))
			}
			sum += least
		}
		return math.Sqrt(sum / float64(len(every)))
	}
	var even []ClipTime
	for i := range n {
		even = append(even, all[(2*i+1)*len(all)/(2*n)])
	}
	// Every candidate is in the share of the pose that is nearest to it.
	sum, medoids := 0.0, numbers(chosen)
	for k, y := range medoids {
		nearest := 0
		for _, x := range every {
			if !slices.ContainsFunc(medoids, func(z []float64) bool { return apart(x, z) < apart(x, y) }) {
				nearest++
			}
		}
		if sum += shares[k]; !(math.Abs(shares[k]*float64(len(all))-float64(nearest)) <= 1e-9) { // rounding
			t.Errorf("pose %d stands for %g of the candidates, and is nearest to %d of %d", k, shares[k], nearest, len(all))
		}
	}
	if !(math.Abs(sum-1) <= 1e-12) { // rounding
		t.Errorf("shares sum to %g", sum)
	}
	got, want := miss(chosen), miss(even)
	t.Logf("candidates are %.4f away, %.4f where poses are spread evenly", got, want)
	if !(got < 0.95*want) {
		t.Errorf("candidates are %g away from the nearest chosen pose, from poses spread evenly %g", got, want)
	}
	if again, _ := choose(m, all, n, weights); !slices.Equal(chosen, again) {
		t.Errorf("%v, and again %v", chosen, again)
	}
}

// TestChooseOfParts: poses are in the clips of their parts, as many as asked for, with weights whose mean is 1, or less
// where one pose stands for much of the clip. A clip of hardly more candidates has even ones. These poses are not
// refitted, and a bad part is an error.
func TestChooseOfParts(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	train := func(parts ...Part) (*Set, error) { return (&Set{Parts: parts}).ChooseOfParts(m) }
	many := len(Candidates(m, []int{0})) / 2
	s, err := train(Part{Clip: 0, Frames: 6}, Part{Clip: 1, Frames: 5})
	if err != nil {
		t.Fatal(err)
	}
	frames, times, err := s.Pose(m)
	if err != nil || len(frames) != 11 || s.ChosenPoses() != nil || s.Open() || s.Name(m) != m.Clips[0].Name+", "+m.Clips[1].Name {
		t.Fatalf("%d poses of %q, %v", len(frames), s.Name(m), err)
	}
	sum := 0.0
	for i, at := range times {
		if at.Clip != i/6 {
			t.Errorf("pose %d is of clip %d", i, at.Clip)
		}
		sum += s.Weights()[i]
	}
	if !(math.Abs(sum-11) <= 1e-9) || slices.Min(s.Weights()) == slices.Max(s.Weights()) { // rounding
		t.Errorf("weights %v", s.Weights())
	}
	if s, err = train(Part{Clip: 0, Frames: many}); err != nil {
		t.Fatal(err)
	}
	even, _, err := (&Set{Parts: []Part{{Clip: 0, Frames: many}}}).Pose(m)
	if frames, _, _ := s.Pose(m); err != nil || len(frames) != len(even) || slices.Max(s.Weights()) != 1 {
		t.Errorf("%d poses for %d, weights %v, %v", len(frames), many, s.Weights(), err)
	}
	if _, err := train(Part{Clip: len(m.Clips)}); !errors.Is(err, errClip) {
		t.Errorf("a clip that is not there: %v", err)
	}
	if s, err := train(Part{Clip: RangeOfMotion}); err != nil || s.Weights() != nil {
		t.Errorf("the range of motion: weights %v, %v", s.Weights(), err)
	}
	m.Clips[0].Seconds *= 10 // it ends with a long rest
	if s, err := train(Part{Clip: 0, Frames: 6}); err != nil || slices.Max(s.Weights()) != mostWeight {
		t.Errorf("a clip that rests: weights %v, %v", s.Weights(), err)
	}
}

// TestChooseByWeight: a clip counts for more by its weight, and a model that never bends has one pose to choose.
func TestChooseByWeight(t *testing.T) {
	m, clips, weights := chosenModel(t)
	all := Candidates(m, clips)
	count := func() (n int) {
		chosen, _ := choose(m, all, 12, weights)
		for _, at := range chosen {
			if at.Clip == 2 {
				n++
			}
		}
		return n
	}
	before := count()
	weights[2] = 400
	if after := count(); !(after > before) {
		t.Errorf("%d poses of a clip, with 400 times the weight %d", before, after)
	}
	for c := range m.Clips {
		m.Clips[c].Channels = nil
	}
	if still, _ := choose(m, all, 12, weights); len(still) != 1 {
		t.Errorf("%d poses of a model that stands still", len(still))
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
	if got := set.ChoosePoses(m, nil); got.Learns(m, 0) || !got.Learns(m, 1) || got.Name(m) != "all clips but twist" {
		t.Errorf("%s: poses of clips %v", got.Name(m), got.chosen.times)
	}
	one := *m
	one.Clips = m.Clips[:1]
	if got := set.ChoosePoses(&one, nil); !got.Learns(&one, 0) || got.LeftOut != nil {
		t.Errorf("of one clip: poses %v, left out %v", got.chosen.times, got.LeftOut)
	}
}

// TestFavour: the weight of a clip that got worse rises by 1.5 times the square of the ratio of its errors, by
// leastMore at least, and a clip with few poses gets more. Other clips and the poses before keep theirs.
func TestFavour(t *testing.T) {
	m, _, _ := chosenModel(t)
	last := len(m.Clips) - 1
	s := &ChosenPoses{times: []ClipTime{{Clip: 0}, {Clip: 1, Time: 1}}, clips: slices.Repeat([]float64{2}, len(m.Clips))}
	more := s.Favour(m, []WorseClip{{Clip: 0, Ratio: 4}, {Clip: last, Ratio: 1.1}})
	want := slices.Repeat([]float64{2}, len(m.Clips))
	want[0], want[last] = 2*24, 2*leastMore
	if !slices.Equal(more.clips, want) {
		t.Errorf("weights of clips %v, expected %v", more.clips, want)
	}
	poses := make([]int, len(m.Clips))
	for _, at := range more.times {
		poses[at.Clip]++
	}
	if poses[0] != posesOfWorse || poses[1] != 1 || poses[last] != posesOfWorse || len(s.times) != 2 || s.clips[0] != 2 {
		t.Errorf("poses by clip %v, before %v with weights %v", poses, s.times, s.clips)
	}
	if w := more.weights(); len(w) != len(more.times) || w[len(w)-1] != want[more.times[len(w)-1].Clip] {
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
