package enveloping

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestPlaysPastCuts: a figure that has learnt from its exercises plays a clip that turns its arms past a half turn from
// what it has seen, and nowhere does a proxy jump. The fastest moves within 1/240 s are halved until they last a
// microsecond: what is left of them is less than 1e-4 of the diagonal, where a jump stays what it is, 2e-3.
func TestPlaysPastCuts(t *testing.T) {
	onlyNumbers(t)
	m := assetstest.Open(t, "demo:figure")
	r := fitted(t, taught(t, "demo:figure", "exercise", 12, skinning.DQS), Options{Proxies: 40})
	fitted, err := r.Model.With(m)
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	frame, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
	palette := func(at float64) []geom.Affine {
		fitted.SamplePose(pose, clip, at)
		frame.SetPose(pose)
		return slices.Clone(frame.Matrices)
	}
	diagonal := m.Diagonal()
	moved := func(a, b []geom.Affine) (most float64) {
		for _, j := range skinning.RigOf[*rig.Enveloping](fitted).Proxies {
			at := fitted.Skeleton.Joints[j].Position
			most = math.Max(most, a[j].Apply(at).Sub(b[j].Apply(at)).Len())
		}
		return most / diagonal
	}
	type move struct{ from, to, far float64 }
	var moves []move
	const step = 1.0 / 240
	last, crossed := palette(0), crossings(skinning.RigOf[*rig.Enveloping](fitted), frame)
	for at := step; at < m.Clips[clip].Seconds; at += step {
		now := palette(at)
		moves = append(moves, move{at - step, at, moved(last, now)})
		last = now
		crossed.look(frame)
	}
	if crossed.count == 0 {
		t.Error("no joint passes its cut")
	}
	slices.SortFunc(moves, func(a, b move) int { return cmp.Compare(b.far, a.far) })
	for _, c := range moves[:20] {
		for c.to-c.from > 1e-6 {
			middle := (c.from + c.to) / 2
			at := palette(middle)
			if moved(palette(c.from), at) > moved(at, palette(c.to)) {
				c.to = middle
			} else {
				c.from = middle
			}
		}
		if far := moved(palette(c.from), palette(c.to)); !(far <= 1e-4) {
			t.Errorf("at %.6f s a proxy jumps by %.2g of the diagonal", c.from, far)
		}
	}
}

// cutCounter counts how often the rotation vectors of a rig's joints change over.
type cutCounter struct {
	rig         *rig.Enveloping
	turns, last rig.JointRotations
	count       int
}

func crossings(envelope *rig.Enveloping, f *skinning.Frame) *cutCounter {
	c := &cutCounter{rig: envelope}
	c.look(f)
	return c
}

func (c *cutCounter) look(f *skinning.Frame) {
	joints := make([]geom.Affine, len(c.rig.Masters))
	for k, j := range c.rig.Masters {
		joints[k] = f.Matrices[j]
	}
	c.turns.Set(c.rig.Parents, c.rig.Middle, rotations(joints))
	for b := range c.last.Theta {
		if c.turns.Theta[b].Sub(c.last.Theta[b]).Len() > math.Pi {
			c.count++
		}
	}
	c.last.Theta = slices.Clone(c.turns.Theta)
}
