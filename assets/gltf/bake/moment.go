package bake

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// moment is the live pose at one time. Its matrices are stored with those of the moments sampled at the same call.
type moment struct {
	of       *sampled
	at       int
	rounding float64 // metres: see findRounding
}

// sampled holds the poses of moments that were sampled together, grouped by bone and by node, the order of reading.
type sampled struct {
	count    int
	matrices []geom.Affine // the skinning matrix of every added bone
	nodes    []geom.Affine // the global transforms of Baker.nodes
}

// matrix returns the skinning matrix of bone k.
func (m *moment) matrix(k int) *geom.Affine { return &m.of.matrices[k*m.of.count+m.at] }

// node returns the global transform of Baker.nodes[n].
func (m *moment) node(n int) *geom.Affine { return &m.of.nodes[n*m.of.count+m.at] }

// findRounding finds the rounding error of float32 nodes in metres: half a unit in the last place of the positions of
// parents and bones, once for each of a few nodes up to the root.
func (b *Baker) findRounding(m *moment) {
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
	frame  *skinning.Frame // driven live
	pose   *skinning.Pose
	shapes []stretched // scratch memory
}

// clipMoments are the sampled moments of a clip. Clip −1 is the static pose.
type clipMoments struct {
	baker   *Baker
	clip    int
	signs   *skinning.Signs     // nil where turns go the shorter way round
	sampled map[float32]*moment // by seconds
	times   []float32           // of those, in order
	ordered []*moment           // in the same order
}

func newClipMoments(b *Baker, clip int) *clipMoments {
	return &clipMoments{baker: b, clip: clip, signs: skinning.SignsOf(b.model, clip, true),
		sampled: map[float32]*moment{}}
}

// has reports whether a moment has been sampled.
func (c *clipMoments) has(seconds float32) bool { return c.sampled[seconds] != nil }

// at returns a moment that has been sampled. Goroutines may call it together while none samples.
func (c *clipMoments) at(seconds float32) *moment { return c.sampled[seconds] }

// all returns the moments of times that have been sampled.
func (c *clipMoments) all(times []float32) []*moment {
	out := make([]*moment, len(times))
	for i, t := range times {
		out[i] = c.sampled[t]
	}
	return out
}

// spareMoments thins the moments that bones have asked for beyond the clip's own. The error of vertices is measured at
// one in spareMoments of these. The error of each bone is measured at all the moments that it has asked for.
const spareMoments = 4

// some returns the given moments, and one in spareMoments of the others.
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

// sample samples those of the given moments that have not been sampled. Times must rise.
func (c *clipMoments) sample(times []float32) {
	times = slices.DeleteFunc(slices.Clone(times), c.has)
	b := c.baker
	b.Budget -= len(times) * (len(b.bones) + len(b.model.Skeleton.Nodes))
	moments := make([]moment, len(times))
	poses := &sampled{len(times), make([]geom.Affine, len(b.bones)*len(times)),
		make([]geom.Affine, len(b.nodes)*len(times))}
	parallel.For(len(b.posers), len(times), func(worker, i int) {
		m := &moments[i]
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
		c.sampled[t] = &moments[i]
	}
	c.times = sortedTimes(append(c.times, times...))
	c.ordered = c.ordered[:0]
	for _, t := range c.times {
		c.ordered = append(c.ordered, c.sampled[t])
	}
}
