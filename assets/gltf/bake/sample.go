package bake

import (
	"cmp"
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// sample is the live pose at one time of a clip. Its matrices are in the batch of the samples that one call posed.
type sample struct {
	seconds float32
	keyed   bool // keys are chosen by it; by others the error between keys is measured
	of      *batch
	at      int
	allowed float64 // the allowed error, metres: that of the clip or, far from the origin, the rounding of float32
}

// batch holds the numbers of samples that one call posed, grouped by bone and by node, the order in which they are
// read.
type batch struct {
	count    int
	matrices []geom.Affine // the skinning matrix of every added bone
	nodes    []geom.Affine // the global transforms of Baker.nodes
	strays   []float64     // see [sample.stray]
}

// matrix returns the skinning matrix of bone k.
func (m *sample) matrix(k int) *geom.Affine { return &m.of.matrices[k*m.of.count+m.at] }

// node returns the global transform of Baker.nodes[n].
func (m *sample) node(n int) *geom.Affine { return &m.of.nodes[n*m.of.count+m.at] }

// stray is the error of bone k, in metres: the largest distance between where its keys and where its live matrix puts
// a point of its box. It is NaN before it has been measured.
func (m *sample) stray(k int) *float64 { return &m.of.strays[k*m.of.count+m.at] }

// roundingShare times a distance from the origin is the rounding error of float32 nodes there: half a unit in the last
// place, once for each of a few nodes up to the root.
const roundingShare = 3e-7

// rounding returns the rounding error of float32 nodes in metres, at the positions of parents and bones.
func (b *Baker) rounding(m *sample) float64 {
	reach := 0.0
	grow := func(a *geom.Affine) { reach = max(reach, a[3]*a[3]+a[7]*a[7]+a[11]*a[11]) }
	for k := range b.bones {
		grow(m.matrix(k))
	}
	for n := range b.nodes {
		grow(m.node(n))
	}
	return roundingShare * math.Sqrt(reach)
}

// poser poses a model for one worker.
type poser struct {
	frame *skinning.Frame // driven live
	pose  *skinning.Pose
}

// clipSamples are the samples of a clip in order of time. Clip −1 is the static pose.
type clipSamples struct {
	*Baker
	clip    int
	allowed float64         // between keys of the clip, metres
	signs   *skinning.Signs // nil where turns go the shorter way round
	all     []*sample
}

func (b *Baker) samplesOf(clip int) *clipSamples {
	return &clipSamples{Baker: b, clip: clip, allowed: b.Tolerance, signs: skinning.SignsOf(b.model, clip, true)}
}

// add adds samples at times that rise and have none yet.
func (c *clipSamples) add(times []float32, keyed bool) {
	c.Budget -= len(times) * (len(c.bones) + len(c.model.Skeleton.Nodes))
	samples := make([]sample, len(times))
	poses := &batch{len(times), make([]geom.Affine, len(c.bones)*len(times)),
		make([]geom.Affine, len(c.nodes)*len(times)), make([]float64, len(c.bones)*len(times))}
	parallel.For(len(c.posers), len(times), func(worker, i int) {
		m := &samples[i]
		*m = sample{seconds: times[i], keyed: keyed, of: poses, at: i}
		if c.stopped() {
			return
		}
		p := &c.posers[worker]
		c.model.SamplePose(p.pose, c.clip, float64(times[i]))
		p.frame.SetPose(p.pose)
		if c.signs != nil {
			c.signs.Apply(p.frame, float64(times[i]))
		}
		for k := range c.bones {
			*m.matrix(k), *m.stray(k) = p.frame.Matrices[c.bones[k].Joint], math.NaN()
		}
		for k, n := range c.nodes {
			*m.node(k) = p.frame.Globals[n]
		}
		m.allowed = max(c.allowed, c.rounding(m))
	})
	for i := range samples {
		c.all = append(c.all, &samples[i])
	}
	slices.SortFunc(c.all, func(a, b *sample) int { return cmp.Compare(a.seconds, b.seconds) })
}

// keyed returns the samples that keys are chosen by.
func (c *clipSamples) keyed() (out []*sample) {
	for _, m := range c.all {
		if m.keyed {
			out = append(out, m)
		}
	}
	return out
}
