package bake

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// stray returns the largest distance, in metres, between where a key and where the live matrix puts a point of bone k's
// box.
func (b *Baker) stray(k int, live *sample, key *Key) float64 {
	var off geom.Affine
	b.off(&off, k, live, key)
	return b.reach(k, &off)
}

// reach returns the longest vector to which a difference of matrices takes a point of bone k's box. Length is a convex
// function of the point, so the longest one over a box is in a corner.
func (b *Baker) reach(k int, off *geom.Affine) float64 {
	most := 0.0
	corners := b.bones[k].corners
	for c := range corners {
		d := applied(off, &corners[c])
		most = max(most, d[0]*d[0]+d[1]*d[1]+d[2]*d[2])
	}
	return math.Sqrt(most)
}

// applied returns a·p.
func applied(a *geom.Affine, p *mgl64.Vec3) mgl64.Vec3 {
	x, y, z := p[0], p[1], p[2]
	return mgl64.Vec3{a[0]*x + a[1]*y + a[2]*z + a[3], a[4]*x + a[5]*y + a[6]*z + a[7], a[8]*x + a[9]*y + a[10]*z + a[11]}
}

// off sets off to the live matrix of bone k minus the matrix of a key.
func (b *Baker) off(off *geom.Affine, k int, live *sample, key *Key) {
	shape, t := key.shape(), &key.Translation
	parent, from, matrix := b.parent(k, live), &b.bones[k].FromRest, live.matrix(k)
	for r := 0; r < 12; r += 4 {
		x, y, z := parent[r], parent[r+1], parent[r+2]
		u := x*shape[0] + y*shape[3] + z*shape[6]
		v := x*shape[1] + y*shape[4] + z*shape[7]
		w := x*shape[2] + y*shape[5] + z*shape[8]
		off[r] = u*from[0] + v*from[4] + w*from[8] - matrix[r]
		off[r+1] = u*from[1] + v*from[5] + w*from[9] - matrix[r+1]
		off[r+2] = u*from[2] + v*from[6] + w*from[10] - matrix[r+2]
		off[r+3] = u*from[3] + v*from[7] + w*from[11] + x*t[0] + y*t[1] + z*t[2] + parent[r+3] - matrix[r+3]
	}
}

// enough returns the allowed error of a bone in a sample, metres.
func (b *Baker) enough(live *sample) float64 { return max(b.allowed, live.rounding) }

// measuredAtOnce is the number of samples that are posed together where they are used only once.
const measuredAtOnce = 1024

// worst returns the largest distance between the vertices and their places in a player, over all samples, in metres.
func (b *Baker) worst(samples *clipSamples, tracks []Track) float64 {
	gauges := make([]gauge, len(b.posers))
	for w := range gauges {
		gauges[w] = gauge{b: b, clip: samples.clip, tracks: tracks, pose: b.model.NewPose(),
			off: make([]geom.Affine, len(tracks)), strays: make([]float64, len(tracks))}
	}
	parallel.For(len(b.posers), len(samples.times), func(worker, i int) {
		gauges[worker].measure(samples.ordered[i], samples.times[i])
	})
	return slices.MaxFunc(gauges, func(p, q gauge) int { return int(math.Copysign(1, p.worst-q.worst)) }).worst
}

// gauge measures the errors of the vertices in samples. It belongs to one worker.
type gauge struct {
	b      *Baker
	clip   int
	tracks []Track
	pose   *skinning.Pose
	worst  float64       // so far, metres
	off    []geom.Affine // scratch: of each bone, see [Baker.off]
	strays []float64     // scratch: the errors of the bones, which bound those of the vertices, metres
}

// measure raises worst to the largest distance between a vertex and its place in a player.
func (g *gauge) measure(live *sample, seconds float32) {
	for k := range g.tracks {
		g.strays[k] = 0
		if !g.b.bones[k].unused {
			key := g.tracks[k].at(seconds)
			g.b.off(&g.off[k], k, live, &key)
			g.strays[k] = g.b.reach(k, &g.off[k])
		}
	}
	if !(slices.Max(g.strays) > g.worst) {
		return
	}
	if len(g.b.model.Skin.Morphs) > 0 {
		g.b.model.SamplePose(g.pose, g.clip, float64(seconds))
	}
	for v := range g.b.vertices {
		vertex := &g.b.vertices[v]
		bound := 0.0
		for _, s := range vertex.shares {
			bound += s.Weight * g.strays[s.Joint]
		}
		if bound <= g.worst {
			continue
		}
		var d mgl64.Vec3
		rest := vertex.at(g.pose.Morphs)
		for _, s := range vertex.shares {
			d = d.Add(applied(&g.off[s.Joint], &rest).Mul(s.Weight))
		}
		g.worst = max(g.worst, d.Len())
	}
}
