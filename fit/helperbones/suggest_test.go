package helperbones

import (
	"context"
	"math"
	"testing"

	"skinlab/assets/demo"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
)

// uniformLeg is a grid over the leg's range of motion with some levels of each degree of freedom.
func uniformLeg(levels [5]int) (poses []demo.LegPose) {
	all := demo.LegGrid()
	lo, hi := all[0], all[len(all)-1]
	at := func(c, k int, least, most float64) float64 {
		return least + (most-least)*float64(k)/float64(levels[c]-1)
	}
	for a := range levels[0] {
		for b := range levels[1] {
			for c := range levels[2] {
				for d := range levels[3] {
					for e := range levels[4] {
						poses = append(poses, demo.LegPose{
							Flexion: at(0, a, lo.Flexion, hi.Flexion), Abduction: at(1, b, lo.Abduction, hi.Abduction),
							Twist: at(2, c, lo.Twist, hi.Twist), Knee: at(3, d, lo.Knee, hi.Knee), Ankle: at(4, e, lo.Ankle, hi.Ankle)})
					}
				}
			}
		}
	}
	return poses
}

// fitLeg fits helper bones to poses of the leg and returns them, and their RMS error in unseen poses.
func fitLeg(t *testing.T, poses []demo.LegPose, unseen *training.Examples) (*training.Examples, *Controlled, float64) {
	t.Helper()
	x := legExamples(t, poses)
	d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: 3})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Control(context.Background(), x, d, ControlOptions{Degree: 2, Lambda: math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	return x, c, unseen.RMS(c.Weights, Motions(unseen, c.Rig))
}

// Half as many examples, chosen one after another from the paper's grid, reach the error of a uniform grid.
func TestSuggestedExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	unseen := legExamples(t, demo.LegSpread(1000, 200))
	var from []demo.LegPose
	for i, p := range demo.LegGrid() {
		if i%13 == 0 {
			from = append(from, p)
		}
	}
	candidates := legExamples(t, from).Palettes
	for _, levels := range [][5]int{{2, 2, 2, 2, 2}, {3, 2, 3, 2, 2}} {
		grid := uniformLeg(levels)
		_, _, uniform := fitLeg(t, grid, unseen)
		poses := demo.LegSpread(0, 6)
		for len(poses) < len(grid)/2 {
			x, c, rms := fitLeg(t, poses, unseen)
			t.Logf("%d examples: %.2f mm", len(poses), 1e3*rms)
			doubt := newDoubt(x, c, candidates)
			for range min(10, len(grid)/2-len(poses)) {
				before := 0.0
				for n := range candidates {
					before += expectedRMS(doubt, n, len(x.Rest))
				}
				next := doubt.choose()
				after := 0.0
				for n := range candidates {
					after += expectedRMS(doubt, n, len(x.Rest))
				}
				if !(after < before) {
					t.Fatalf("knowing pose %d does not lower the doubts: %g m, then %g", next, before, after)
				}
				poses = append(poses, from[next])
			}
		}
		_, _, chosen := fitLeg(t, poses, unseen)
		t.Logf("a grid of %d: %.2f mm; %d chosen: %.2f mm", len(grid), 1e3*uniform, len(poses), 1e3*chosen)
		if !(chosen <= uniform) {
			t.Errorf("%d chosen examples give %g m in unseen poses, a grid of %d gives %g", len(poses), chosen, len(grid), uniform)
		}
	}
}

// expectedRMS returns the RMS error of the skin of so many vertices that the doubt about a candidate lets expect,
// metres.
func expectedRMS(d *doubt, candidate, vertices int) float64 {
	sum := 0.0
	for h := range d.bones {
		sum += d.bones[h].variance * max(d.bones[h].covariance.At(candidate, candidate), 0)
	}
	return math.Sqrt(sum / float64(vertices))
}
