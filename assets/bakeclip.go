package assets

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// mostMeasures bounds how often a clip's tracks are measured and refined. Two are the rule.
const mostMeasures = 8

// bake keys a clip. Changed reports that bones have got another parent or a second node, which earlier clips do not
// know of.
func (b *baker) bake(clip int) (out bakedClip, changed bool) {
	times := b.keyTimes(&b.model.Clips[clip])
	if len(times) == 0 {
		return out, false
	}
	moments := newClipMoments(b, clip)
	moments.sample(times)
	for !b.stopped() && !b.keyClip(&out, times, moments) {
		changed = true
	}
	return out, changed
}

// keyClip keys all bones and measures. It is not ok when bones have changed: then all over.
func (b *baker) keyClip(out *bakedClip, times []float32, moments *clipMoments) (ok bool) {
	if out.tracks, ok = b.bakeBones(times, moments); !ok {
		return false
	}
	if b.rate > 0 {
		moments.sample(middles(times)) // nobody has asked for what is between
	}
	strays, astray := b.measure(moments, out.tracks)
	// Moments that one bone has asked for are not the middles of another's keys, and show it elsewhere.
	for n := 1; n < mostMeasures && b.rate == 0 &&
		slices.ContainsFunc(astray, func(t []float32) bool { return len(t) > 0 }); n++ {
		if !b.refine(out.tracks, astray, moments) {
			return false
		}
		strays, astray = b.measure(moments, out.tracks)
	}
	out.error = math.Max(b.worst(moments, out.tracks, strays), b.worstUnseen(moments, out.tracks))
	for _, live := range moments.ordered {
		out.allowed = math.Max(out.allowed, b.enough(live))
	}
	for k := range out.tracks {
		t := &out.tracks[k]
		t.unit = b.unit(k, moments)
		if t.shapes, t.gone, t.passed = nil, nil, nil; b.rate == 0 {
			t.thin(slacksOf(b.diagonal, t.unit))
		}
	}
	return true
}

// unit returns the least length in the space of a bone's parent that a metre is at a moment of a clip: below a node
// that is scaled by a hundred, a hundredth.
func (b *baker) unit(k int, moments *clipMoments) float64 {
	most := 0.0
	for _, live := range moments.ordered {
		l := b.parent(k, live).Linear()
		for c := range 3 {
			most = math.Max(most, l[c]*l[c]+l[3+c]*l[3+c]+l[6+c]*l[6+c])
		}
	}
	return 1 / math.Sqrt(most)
}

// middles returns the middles of intervals that have one.
func middles(times []float32) (out []float32) {
	for i := 0; i+1 < len(times); i++ {
		if gap := times[i+1] - times[i]; gap > stepGap {
			out = append(out, times[i]+gap/2)
		}
	}
	return out
}

// stray returns what is left of bone k's live matrix over that of a key, and how far it moves what the bone moves, at
// most: a distance is convex over space, over a box it is largest in a corner.
func (b *baker) stray(k int, live *moment, key *boneKey) (off skinning.Affine, most float64) {
	off = b.parent(k, live).Mul(key.affine()).Mul(b.bones[k].fromRest)
	for c := range off {
		off[c] -= live.matrices[k][c]
	}
	for _, corner := range b.bones[k].corners {
		d := off.Apply(corner)
		most = math.Max(most, d.Dot(d))
	}
	return off, math.Sqrt(most)
}

// enough returns how far off a bone may be at a moment, metres.
func (b *baker) enough(live *moment) float64 { return math.Max(b.tolerance, live.rounding) }

// measure returns for every bone how far it is off at every moment that was sampled, and the moments at which that is
// more than the tolerance and a key would help.
func (b *baker) measure(moments *clipMoments, tracks []bakedTrack) (strays [][]float64, astray [][]float32) {
	strays, astray = make([][]float64, len(tracks)), make([][]float32, len(tracks))
	parallel.For(len(b.posers), len(tracks), func(_, k int) {
		track := &tracks[k]
		strays[k] = make([]float64, len(moments.times))
		at := 0
		for i, t := range moments.times {
			live := moments.ordered[i]
			at = track.before(t, at)
			key, gap := track.shown(t, at)
			_, strays[k][i] = b.stray(k, live, &key)
			if gap > stepGap && !(strays[k][i] <= b.enough(live)) {
				astray[k] = append(astray[k], t)
			}
		}
	})
	return strays, astray
}

// measuredAtOnce is how many moments are measured before the next ones are looked at.
const measuredAtOnce = 32

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
			t := moments.times[i]
			live := moments.ordered[i]
			for k := range tracks {
				key, _ := tracks[k].shown(t, tracks[k].before(t, 0))
				off[worker][k], _ = b.stray(k, live, &key)
			}
			found[n] = b.distance(off[worker], strays, i, worst)
		})
		worst = math.Max(worst, slices.Max(found))
	}
	return worst
}

// unseenAtOnce is how many moments are sampled at a time that nobody will ask for again.
const unseenAtOnce = 1024

// worstUnseen is worst in the middles that bones would have asked for, had there been moments left; 0 where there were.
func (b *baker) worstUnseen(moments *clipMoments, tracks []bakedTrack) (worst float64) {
	if b.rate > 0 || moments.left() > 0 {
		return 0
	}
	var unseen []float32
	for k := range tracks {
		unseen = append(unseen, slices.DeleteFunc(tracks[k].open(), moments.has)...)
	}
	for some := range slices.Chunk(sortedTimes(unseen), unseenAtOnce) {
		seen := newClipMoments(b, moments.clip)
		seen.sample(some)
		strays, _ := b.measure(seen, tracks)
		worst = math.Max(worst, b.worst(seen, tracks, strays))
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

// keyTimes returns where a clip is keyed at first: its own key times, a moment before each where a STEP channel jumps,
// and steps of at most 1/30 s between them, but no more of them than mostBakeSteps; or times at the fixed rate and the
// jumps alone.
func (b *baker) keyTimes(c *skinning.Clip) []float32 {
	var own, jumps []float32
	for i := range c.Channels {
		ch := &c.Channels[i]
		if ch.Path == skinning.PathWeights {
			continue
		}
		own = append(own, ch.Times...)
		if ch.Interpolation != skinning.Step {
			continue
		}
		for _, t := range ch.Times[1:] {
			jumps = append(jumps, math.Nextafter32(t, 0), t)
		}
	}
	if len(own) == 0 {
		return nil
	}
	first, last := slices.Min(own), slices.Max(own)
	rate, most := float64(leastBakeRate), float64(mostBakeSteps)
	if b.rate > 0 {
		rate, most = b.rate, math.Inf(1)
		own = []float32{first, last}
	}
	own = sortedTimes(append(own, jumps...))
	rate = math.Min(rate, float64(b.most)/2/math.Max(float64(last-first), 1e-6))
	var out []float32
	for i, t := range own {
		if i > 0 {
			t0 := float64(own[i-1])
			// 1e-3 of a step of slack: keys of 30 fps in float32 are not split in two.
			n := int(math.Min(math.Ceil((float64(t)-t0)*rate-1e-3), most))
			for s := 1; s < n; s++ {
				out = append(out, float32(t0+(float64(t)-t0)*float64(s)/float64(n)))
			}
		}
		out = append(out, t)
	}
	return sortedTimes(out)
}

func sortedTimes(t []float32) []float32 {
	slices.Sort(t)
	return slices.Compact(t)
}
