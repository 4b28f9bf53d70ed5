package assets

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// mostMeasures bounds how often a clip's tracks are measured and refined. Two are the rule.
const mostMeasures = 8

// bakedTrack is one added bone's keys in a clip.
type bakedTrack struct {
	times []float32
	keys  []boneKey
}

// clipMoments are the moments of a clip, sampled where a bone first asks for them.
type clipMoments struct {
	baker   *baker
	clip    int
	sampled map[float32]*moment // by seconds
}

func newClipMoments(b *baker, clip int) *clipMoments {
	return &clipMoments{b, clip, map[float32]*moment{}}
}

func (c *clipMoments) at(seconds float32) *moment {
	m := c.sampled[seconds]
	if m == nil {
		m = c.baker.sample(c.clip, float64(seconds))
		c.sampled[seconds] = m
	}
	return m
}

// bake keys a clip. ok is false as in bakeBone: start all over.
func (b *baker) bake(clip int) (out bakedClip, ok bool) {
	times := b.keyTimes(&b.model.Clips[clip])
	if len(times) == 0 {
		return out, true
	}
	moments := newClipMoments(b, clip)
	out.tracks = make([]bakedTrack, len(b.bones))
	for k := range b.bones {
		if out.tracks[k], ok = b.bakeBone(k, times, moments); !ok {
			return out, false
		}
	}
	// Moments that one bone has asked for are not the middles of another's keys, and show it elsewhere.
	for range mostMeasures {
		var astray [][]float32
		if out.error, astray = b.measure(moments, out.tracks); b.rate > 0 {
			break
		}
		missed := false
		for k, more := range astray {
			if len(more) == 0 {
				continue
			}
			missed = true
			if out.tracks[k], ok = b.bakeBone(k, sortedTimes(slices.Concat(out.tracks[k].times, more)), moments); !ok {
				return out, false
			}
		}
		if !missed {
			break
		}
	}
	if b.rate == 0 {
		for k := range out.tracks {
			out.tracks[k].thin(b.slack)
		}
	}
	return out, true
}

// bakeBone keys bone k: at the given times, then twice as often wherever the error in the middle is above the tolerance, until it is
// below or the two sides of a jump are 1e-4 s apart. The error of a vertex is a mean of those of its bones, so that it is below the
// tolerance too. The result is not ok when the bone turns out to have shear that was to have none, or a parent that vanishes: the bone
// then hangs elsewhere or, where that does not help, becomes two nodes.
func (b *baker) bakeBone(k int, times []float32, moments *clipMoments) (out bakedTrack, ok bool) {
	bone := &b.bones[k]
	shapes := make([]stretched, len(times))
	gone := make([]bool, len(times)) // the parent is scaled to nothing
	locals := func(i int) bool {
		local, ok := b.local(k, moments.at(times[i]))
		if gone[i] = !ok; ok {
			shapes[i] = stretch(local, bone.nested)
		}
		return ok || bone.parent == bone.fallback
	}
	for i := range times {
		if !locals(i) {
			bone.parent = bone.fallback
			return out, false
		}
	}
	for {
		shown := slices.Clone(shapes)
		for i := range shown { // where nothing can be seen the bone stays what it was
			switch {
			case gone[i] && i > 0:
				shown[i] = shown[i-1]
			case gone[i]:
				shown[i] = stretch(skinning.IdentityAffine(), bone.nested)
			}
		}
		keys := make([]boneKey, len(times))
		switch shear := splitTrack(shown, bone.nested, keys); {
		case shear && bone.parent != bone.fallback:
			bone.parent = bone.fallback
			return out, false
		case shear:
			bone.nested = true
			return out, false
		}
		out = bakedTrack{times, keys}
		if b.rate > 0 {
			return out, true
		}
		middles := b.coarse(k, &out, moments)
		if len(middles) == 0 {
			return out, true
		}
		times = sortedTimes(slices.Concat(times, middles))
		old, oldGone := shapes, gone
		shapes, gone = make([]stretched, len(times)), make([]bool, len(times))
		for i, n := 0, 0; i < len(times); i++ {
			if n < len(out.times) && times[i] == out.times[n] {
				shapes[i], gone[i] = old[n], oldGone[n]
				n++
			} else if !locals(i) {
				bone.parent = bone.fallback
				return out, false
			}
		}
	}
}

// coarse returns the middles of a track's intervals that need one more key.
func (b *baker) coarse(k int, track *bakedTrack, moments *clipMoments) (middles []float32) {
	for i := 0; i+1 < len(track.times) && len(moments.sampled) < b.most; i++ {
		gap := track.times[i+1] - track.times[i]
		middle := track.times[i] + gap/2
		if !(gap > stepGap) || middle == track.times[i] {
			continue // both sides of a STEP
		}
		live := moments.at(middle)
		key := between(&track.keys[i], &track.keys[i+1], float64(middle-track.times[i])/float64(gap))
		if !(b.stray(k, live, &key) <= math.Max(b.tolerance, live.rounding())) {
			middles = append(middles, middle)
		}
	}
	return middles
}

// stray leaves what is left of bone k's live matrix, over that of a key, in b.off and returns how far it moves what the bone moves, at
// most: a distance is convex over space, over a box it is largest in a corner.
func (b *baker) stray(k int, live *moment, key *boneKey) float64 {
	off := live.parents[k].Mul(key.affine()).Mul(b.bones[k].fromRest)
	for c := range off {
		off[c] -= live.matrices[k][c]
	}
	b.off[k] = off
	worst := 0.0
	for _, corner := range b.bones[k].corners {
		d := off.Apply(corner)
		worst = math.Max(worst, d.Dot(d))
	}
	return math.Sqrt(worst)
}

// measure returns the largest distance of the vertices from what a player shows, over all moments that were sampled, and for every bone
// the moments at which it is off by more than the tolerance.
func (b *baker) measure(moments *clipMoments, tracks []bakedTrack) (worst float64, astray [][]float32) {
	astray = make([][]float32, len(tracks))
	var times []float32
	for t := range moments.sampled {
		times = append(times, t)
	}
	slices.Sort(times)
	if b.rate > 0 { // nothing has asked for what is between
		for i := 0; i+1 < len(tracks[0].times); i++ {
			if gap := tracks[0].times[i+1] - tracks[0].times[i]; gap > stepGap {
				times = append(times, tracks[0].times[i]+gap/2)
			}
		}
		times = sortedTimes(times)
	}
	at := make([]int, len(tracks)) // the key at or before the moment
	for _, t := range times {
		live := moments.at(t)
		enough := math.Max(b.tolerance, live.rounding())
		bound := 0.0
		for k := range tracks {
			track := &tracks[k]
			for at[k]+1 < len(track.times) && track.times[at[k]+1] <= t {
				at[k]++
			}
			key := track.keys[at[k]]
			i := at[k]
			inside := i+1 < len(track.times) && t > track.times[i]
			if inside {
				key = between(&track.keys[i], &track.keys[i+1], float64(t-track.times[i])/float64(track.times[i+1]-track.times[i]))
			}
			off := b.stray(k, live, &key)
			if bound = math.Max(bound, off); inside && !(off <= enough) && track.times[i+1]-track.times[i] > stepGap {
				astray[k] = append(astray[k], t)
			}
		}
		if bound > worst {
			worst = math.Max(worst, b.distance())
		}
	}
	return worst, astray
}

// distance returns how far b.off moves the vertices, at most.
func (b *baker) distance() float64 {
	worst := 0.0
	for v := range b.vertices {
		var d mgl64.Vec3
		for _, s := range b.vertices[v].shares {
			d = d.Add(b.off[s.Joint].Apply(b.vertices[v].rest).Mul(s.Weight))
		}
		worst = math.Max(worst, d.Dot(d))
	}
	return math.Sqrt(worst)
}

// thin leaves out keys in the middle of runs of equal ones: a clip of poses that jump is at rest in between.
func (t *bakedTrack) thin(slack float64) {
	t.times = slices.Clone(t.times) // bones share them
	n := 1
	for i := 1; i < len(t.times); i++ {
		if i+1 < len(t.times) && t.keys[i].alike(&t.keys[n-1], slack) && t.keys[i+1].alike(&t.keys[n-1], slack) {
			continue
		}
		t.times[n], t.keys[n] = t.times[i], t.keys[i]
		n++
	}
	t.times, t.keys = t.times[:n], t.keys[:n]
}

// keyTimes returns where a clip is keyed at first: its own key times, a moment before each where a STEP channel jumps, and
// steps of at most 1/30 s between them, but no more of them than mostBakeSteps; or times at the fixed rate and the jumps alone.
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
