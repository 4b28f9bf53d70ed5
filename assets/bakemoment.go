package assets

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// moment is the live pose at a time: the skinning matrix of every added bone and the global transforms of baker.nodes.
type moment struct {
	matrices, nodes []skinning.Affine
	rounding        float64 // metres: see findRounding
}

// findRounding finds what float32 nodes cannot hold, in metres: half a unit in the last place of where the parents and
// the bones are, once for each of a few of them on the way up.
func (m *moment) findRounding() {
	reach := 0.0
	for _, all := range [...][]skinning.Affine{m.matrices, m.nodes} {
		for k := range all {
			t := all[k].Translation()
			reach = math.Max(reach, t.Dot(t))
		}
	}
	m.rounding = 3e-7 * math.Sqrt(reach)
}

// poser poses a model for one worker.
type poser struct {
	frame *skinning.Frame // driven live
	pose  *skinning.Pose
}

// clipMoments are the moments of a clip that have been sampled; clip −1 is the static pose.
type clipMoments struct {
	baker   *baker
	clip    int
	sampled map[float32]*moment // by seconds
	times   []float32           // of those, in order
	ordered []*moment           // in the same order
}

func newClipMoments(b *baker, clip int) *clipMoments {
	return &clipMoments{baker: b, clip: clip, sampled: map[float32]*moment{}}
}

// has reports whether a moment has been sampled.
func (c *clipMoments) has(seconds float32) bool { return c.sampled[seconds] != nil }

// at returns a moment that has been sampled. Any number of goroutines may ask while none samples.
func (c *clipMoments) at(seconds float32) *moment { return c.sampled[seconds] }

// all returns the moments of times that have been sampled.
func (c *clipMoments) all(times []float32) []*moment {
	out := make([]*moment, len(times))
	for i, t := range times {
		out[i] = c.sampled[t]
	}
	return out
}

// spareMoments thins the moments that bones have asked for beyond the clip's own: the error of vertices is measured at
// one of so many. Every bone is held to its own share of the error at all the moments that it has asked for.
const spareMoments = 4

// some returns the moments of times, and one of every few others.
func (c *clipMoments) some(times []float32) *clipMoments {
	out := &clipMoments{baker: c.baker, clip: c.clip, sampled: c.sampled}
	finer := 0
	for i, t := range c.times {
		if _, own := slices.BinarySearch(times, t); !own {
			if finer++; finer%spareMoments != 0 {
				continue
			}
		}
		out.times, out.ordered = append(out.times, t), append(out.ordered, c.ordered[i])
	}
	return out
}

// left returns how many more moments may be sampled.
func (c *clipMoments) left() int { return max(c.baker.most-len(c.times), 0) }

// sample samples the moments among some that have not been: times in order, no two alike.
func (c *clipMoments) sample(times []float32) {
	times = slices.DeleteFunc(slices.Clone(times), c.has)
	b := c.baker
	moments := make([]moment, len(times))
	bones, nodes := len(b.bones), len(b.nodes)
	all := make([]skinning.Affine, len(times)*(bones+nodes))
	parallel.For(len(b.posers), len(times), func(worker, i int) {
		own := all[i*(bones+nodes) : (i+1)*(bones+nodes)]
		m := &moments[i]
		m.matrices, m.nodes = own[:bones:bones], own[bones:]
		if b.stopped() {
			return
		}
		p := &b.posers[worker]
		b.model.SamplePose(p.pose, c.clip, float64(times[i]))
		p.frame.SetPose(p.pose)
		for k := range b.bones {
			m.matrices[k] = p.frame.Matrices[b.bones[k].joint]
		}
		for k, n := range b.nodes {
			m.nodes[k] = p.frame.Globals[n]
		}
		m.findRounding()
	})
	for i, t := range times {
		c.sampled[t] = &moments[i]
	}
	c.times = sortedTimes(append(c.times, times...))
	c.ordered = c.ordered[:0]
	for _, t := range c.times {
		c.ordered = append(c.ordered, c.sampled[t])
	}
}
