package bake

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// stray returns the largest distance, in metres, between where a key and where the live matrix puts a point of bone k's
// box. Distance is a convex function of the point, so the largest one over a box is in a corner.
func (b *Baker) stray(k int, live *sample, key *Key) float64 {
	var off geom.Affine
	b.off(&off, k, live, key)
	most := 0.0
	corners := b.bones[k].corners
	for c := range corners {
		d := applied(&off, &corners[c])
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

// measure returns the error of every bone in every sample, metres.
func (b *Baker) measure(samples *clipSamples, tracks []Track) [][]float64 {
	strays := make([][]float64, len(tracks))
	parallel.For(len(b.posers), len(tracks), func(_, k int) {
		strays[k] = b.follow(k, samples, &tracks[k])
	})
	return strays
}

// measuredAtOnce is the number of samples that are measured between two checks of the bound. unseenAtOnce is the number
// of unseen samples, which are used only once, that are posed together. mostUnseen bounds the unseen samples, and
// unseenInHurry those of a clip that runs out of time.
const (
	measuredAtOnce = 32
	unseenAtOnce   = 1024
	mostUnseen     = 4096
	unseenInHurry  = 128
)

// worst returns the largest distance between the vertices and their places in a player, over all samples, in metres.
// The strays of the bones, from measure, bound it in every sample. So samples are measured in the order of falling
// bounds, until the bound is no more than the distance found.
func (b *Baker) worst(samples *clipSamples, tracks []Track, strays [][]float64) (worst float64) {
	bound, order := make([]float64, len(samples.times)), make([]int, len(samples.times))
	for i := range order {
		order[i] = i
		for k := range strays {
			bound[i] = max(bound[i], strays[k][i])
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return bound[order[i]] > bound[order[j]] })
	gauges := make([]gauge, len(b.posers))
	for w := range gauges {
		gauges[w] = gauge{b: b, clip: samples.clip, tracks: tracks, pose: b.model.NewPose(), strays: make([]float64, len(tracks)),
			off:   make([]geom.Affine, len(tracks)),
			known: make([]bool, len(tracks))}
	}
	for len(order) > 0 && bound[order[0]] > worst {
		some := order[:min(measuredAtOnce, len(order))]
		order = order[len(some):]
		found := make([]float64, len(some))
		parallel.For(len(b.posers), len(some), func(worker, n int) {
			g, i := &gauges[worker], some[n]
			for k := range strays {
				g.strays[k] = strays[k][i]
			}
			found[n] = g.distance(samples.ordered[i], samples.times[i], worst)
		})
		worst = max(worst, slices.Max(found))
	}
	return worst
}

// gauge measures the errors of the vertices in a sample. It is one worker's scratch memory.
type gauge struct {
	b      *Baker
	clip   int
	tracks []Track
	pose   *skinning.Pose
	strays []float64     // the errors of the bones in the sample, metres
	off    []geom.Affine // the differences of their matrices, see [Baker.off]
	known  []bool        // which entries of off have been computed
}

// distance returns the largest distance between a vertex and its place in a player, in metres, or least where no
// distance exceeds it.
func (g *gauge) distance(live *sample, seconds float32, least float64) float64 {
	clear(g.known)
	if len(g.b.model.Skin.Morphs) > 0 {
		g.b.model.SamplePose(g.pose, g.clip, float64(seconds))
	}
	worst := least * least
	for v := range g.b.vertices {
		vertex := &g.b.vertices[v]
		bound := 0.0
		for _, s := range vertex.shares {
			bound += s.Weight * g.strays[s.Joint]
		}
		if bound*bound <= worst {
			continue
		}
		var d mgl64.Vec3
		rest := vertex.at(g.pose.Morphs)
		for _, s := range vertex.shares {
			d = d.Add(applied(g.left(int(s.Joint), live, seconds), &rest).Mul(s.Weight))
		}
		worst = max(worst, d.Dot(d))
	}
	return math.Sqrt(worst)
}

// left returns the difference between bone k's live matrix and what a player shows.
func (g *gauge) left(k int, live *sample, seconds float32) *geom.Affine {
	if !g.known[k] {
		cursor := g.tracks[k].cursor(seconds)
		key := g.tracks[k].at(seconds, &cursor)
		g.known[k] = true
		g.b.off(&g.off[k], k, live, &key)
	}
	return &g.off[k]
}
