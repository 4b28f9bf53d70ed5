package bake

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// sample is the live pose at one time of a clip. Its matrices are in the batch of the samples that one call posed.
type sample struct {
	of       *batch
	at       int
	rounding float64 // metres: see findRounding
}

// batch holds the matrices of samples that one call posed, grouped by bone and by node, the order in which they are
// read.
type batch struct {
	count    int
	matrices []geom.Affine // the skinning matrix of every added bone
	nodes    []geom.Affine // the global transforms of Baker.nodes
}

// matrix returns the skinning matrix of bone k.
func (m *sample) matrix(k int) *geom.Affine { return &m.of.matrices[k*m.of.count+m.at] }

// node returns the global transform of Baker.nodes[n].
func (m *sample) node(n int) *geom.Affine { return &m.of.nodes[n*m.of.count+m.at] }

// findRounding finds the rounding error of float32 nodes in metres: half a unit in the last place of the positions of
// parents and bones, once for each of a few nodes up to the root.
func (b *Baker) findRounding(m *sample) {
	reach := 0.0
	grow := func(a *geom.Affine) { reach = max(reach, a[3]*a[3]+a[7]*a[7]+a[11]*a[11]) }
	for k := range b.bones {
		grow(m.matrix(k))
	}
	for n := range b.nodes {
		grow(m.node(n))
	}
	m.rounding = 3e-7 * math.Sqrt(reach)
}

// poser poses a model for one worker.
type poser struct {
	frame *skinning.Frame // driven live
	pose  *skinning.Pose
}

// clipSamples are the samples of a clip. Clip −1 is the static pose.
type clipSamples struct {
	baker   *Baker
	clip    int
	signs   *skinning.Signs     // nil where turns go the shorter way round
	byTime  map[float32]*sample // by seconds
	times   []float32           // of those, in order
	ordered []*sample           // in the same order
}

func newClipSamples(b *Baker, clip int) *clipSamples {
	return &clipSamples{baker: b, clip: clip, signs: skinning.SignsOf(b.model, clip, true),
		byTime: map[float32]*sample{}}
}

// has reports whether there is a sample of a time.
func (c *clipSamples) has(seconds float32) bool { return c.byTime[seconds] != nil }

// at returns the sample of a time, which must be there. Goroutines may call it together while none adds samples.
func (c *clipSamples) at(seconds float32) *sample { return c.byTime[seconds] }

// left returns how many more samples the clip may have.
func (c *clipSamples) left() int { return max(c.baker.most-len(c.times), 0) }

// sample adds the samples of those given times that have none yet. Times must rise.
func (c *clipSamples) sample(times []float32) {
	times = slices.DeleteFunc(slices.Clone(times), c.has)
	b := c.baker
	b.Budget -= len(times) * (len(b.bones) + len(b.model.Skeleton.Nodes))
	samples := make([]sample, len(times))
	poses := &batch{len(times), make([]geom.Affine, len(b.bones)*len(times)),
		make([]geom.Affine, len(b.nodes)*len(times))}
	parallel.For(len(b.posers), len(times), func(worker, i int) {
		m := &samples[i]
		m.of, m.at = poses, i
		if b.stopped() {
			return
		}
		p := &b.posers[worker]
		b.model.SamplePose(p.pose, c.clip, float64(times[i]))
		p.frame.SetPose(p.pose)
		if c.signs != nil {
			c.signs.Apply(p.frame, float64(times[i]))
		}
		for k := range b.bones {
			*m.matrix(k) = p.frame.Matrices[b.bones[k].Joint]
		}
		for k, n := range b.nodes {
			*m.node(k) = p.frame.Globals[n]
		}
		b.findRounding(m)
	})
	for i, t := range times {
		c.byTime[t] = &samples[i]
	}
	c.times = sortedTimes(append(c.times, times...))
	c.ordered = c.ordered[:0]
	for _, t := range c.times {
		c.ordered = append(c.ordered, c.byTime[t])
	}
}
