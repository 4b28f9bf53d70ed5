package assets

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// stray returns how far a key moves what bone k moves from where the live matrix does, metres, at most: a distance is
// convex over space, over a box it is largest in a corner.
func (b *baker) stray(k int, live *moment, key *boneKey) float64 {
	off := b.off(k, live, key)
	most := 0.0
	for _, corner := range b.bones[k].corners {
		d := off.Apply(corner)
		most = max(most, d.Dot(d))
	}
	return math.Sqrt(most)
}

// off returns what is left of bone k's live matrix over that of a key.
func (b *baker) off(k int, live *moment, key *boneKey) skinning.Affine {
	off := b.parent(k, live).global.Mul(key.affine()).Mul(b.bones[k].fromRest)
	matrix := live.matrix(k)
	for c := range off {
		off[c] -= matrix[c]
	}
	return off
}

// enough returns how far off a bone may be at a moment, metres.
func (b *baker) enough(live *moment) float64 { return max(b.tolerance, live.rounding) }

// measure returns for every bone how far it is off at every moment that was sampled.
func (b *baker) measure(moments *clipMoments, tracks []bakedTrack) [][]float64 {
	strays := make([][]float64, len(tracks))
	parallel.For(len(b.posers), len(tracks), func(_, k int) {
		strays[k] = b.follow(k, moments, &tracks[k])
	})
	return strays
}

// measuredAtOnce is how many moments are measured before the next ones are looked at, unseenAtOnce how many are sampled
// at a time that are not looked at again, and mostUnseen how many of these there are.
const (
	measuredAtOnce = 32
	unseenAtOnce   = 1024
	mostUnseen     = 4096
)

// worst returns the largest distance of the vertices from what a player shows, over all moments that were sampled.
// Strays, of measure, bound it at every moment: only those that may have more than what was found are measured, the
// likeliest first.
func (b *baker) worst(moments *clipMoments, tracks []bakedTrack, strays [][]float64) (worst float64) {
	bound, order := make([]float64, len(moments.times)), make([]int, len(moments.times))
	for i := range order {
		order[i] = i
		for k := range strays {
			bound[i] = math.Max(bound[i], strays[k][i])
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return bound[order[i]] > bound[order[j]] })
	off := make([][]skinning.Affine, len(b.posers))
	for w := range off {
		off[w] = make([]skinning.Affine, len(tracks))
	}
	for len(order) > 0 && bound[order[0]] > worst {
		some := order[:min(measuredAtOnce, len(order))]
		order = order[len(some):]
		found := make([]float64, len(some))
		parallel.For(len(b.posers), len(some), func(worker, n int) {
			i := some[n]
			live := moments.ordered[i]
			for k := range tracks {
				cursor := tracks[k].cursor(moments.times[i])
				key := tracks[k].at(moments.times[i], &cursor)
				off[worker][k] = b.off(k, live, &key)
			}
			found[n] = b.distance(off[worker], strays, i, worst)
		})
		worst = math.Max(worst, slices.Max(found))
	}
	return worst
}

// distance returns how far what is left of the bones' matrices moves the vertices, at most, at moment i; something up
// to least where that is no more.
func (b *baker) distance(off []skinning.Affine, strays [][]float64, i int, least float64) float64 {
	worst := least * least
	for v := range b.vertices {
		vertex := &b.vertices[v]
		bound := 0.0
		for _, s := range vertex.shares {
			bound += s.Weight * strays[s.Joint][i]
		}
		if bound <= least {
			continue
		}
		var d mgl64.Vec3
		for _, s := range vertex.shares {
			d = d.Add(off[s.Joint].Apply(vertex.rest).Mul(s.Weight))
		}
		worst = math.Max(worst, d.Dot(d))
	}
	return math.Sqrt(worst)
}
