package assets

import (
	"slices"
	"sort"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// bakedTrack is one added bone's keys in a clip.
type bakedTrack struct {
	times []float32
	keys  []boneKey
	unit  float64 // of the bone's parent in a metre, at least: slacks are in it
	// While it is baked: the bone's local transforms at the keys, where its parent is scaled to nothing, and for every
	// interval whether its middle has been found to need no key.
	shapes       []stretched
	gone, passed []bool
}

// boneFault is what keeps a bone from being keyed as it hangs.
type boneFault uint8

const (
	noFault        boneFault = iota
	parentVanishes           // the parent is scaled to nothing somewhere
	hasShear                 // one node does not hold the shear
)

// mend lets a bone with a fault hang elsewhere or, where that does not help, become two nodes.
func (b *bakedBone) mend(f boneFault) {
	if b.parent != b.fallback {
		b.parent = b.fallback
	} else if f == hasShear {
		b.nested = true
	}
}

// bakeBones keys all bones: at the given times, which have been sampled, then twice as often wherever the error in the
// middle is above the tolerance, until it is below or the two sides of a jump are 1e-4 s apart. The error of a vertex
// is a mean of those of its bones, so that it is below the tolerance too. It is not ok when bones have changed: see
// refine.
func (b *baker) bakeBones(times []float32, moments *clipMoments) (tracks []bakedTrack, ok bool) {
	tracks = make([]bakedTrack, len(b.bones))
	more := make([][]float32, len(b.bones))
	for k := range more {
		if more[k] = times; b.bones[k].idle {
			more[k] = times[:1]
		}
	}
	return tracks, b.refine(tracks, more, moments)
}

// refine gives tracks more keys, at moments that have been sampled, and as many again as these ask for. All bones go on
// side by side, so that the moments that they ask for are sampled at once. It is not ok when a bone turns out to have
// shear that was to have none, or a parent that vanishes: the bone has then changed, and the tracks are of no use. Nor
// is it where the baker is stopped.
func (b *baker) refine(tracks []bakedTrack, more [][]float32, moments *clipMoments) (ok bool) {
	var active []int
	for k := range more {
		if len(more[k]) > 0 {
			active = append(active, k)
		}
	}
	faults, asked := make([]boneFault, len(tracks)), make([][]float32, len(tracks))
	for len(active) > 0 {
		if b.stopped() {
			return false
		}
		parallel.For(len(b.posers), len(active), func(_, i int) {
			k := active[i]
			faults[k] = b.key(k, &tracks[k], more[k], moments)
			if asked[k] = nil; faults[k] == noFault && b.rate == 0 {
				asked[k] = tracks[k].open()
			}
		})
		ok := true
		for k, f := range faults {
			if f != noFault {
				b.bones[k].mend(f)
				ok = false
			}
		}
		if !ok {
			return false
		}
		var wanted []float32
		for _, k := range active {
			wanted = append(wanted, slices.DeleteFunc(asked[k], moments.has)...)
		}
		wanted = sortedTimes(wanted)
		if moments.sample(wanted[:min(len(wanted), moments.left())]); b.stopped() {
			return false
		}
		parallel.For(len(b.posers), len(active), func(_, i int) {
			k := active[i]
			more[k] = b.coarse(k, &tracks[k], moments)
		})
		active = slices.DeleteFunc(active, func(k int) bool { return len(more[k]) == 0 })
	}
	return true
}

// key adds keys to a bone's track, and finds all of them anew: which way V runs depends on all.
func (b *baker) key(k int, track *bakedTrack, more []float32, moments *clipMoments) boneFault {
	bone := &b.bones[k]
	old := *track
	track.times = sortedTimes(slices.Concat(old.times, more))
	n := len(track.times)
	track.shapes, track.gone, track.keys, track.passed = make([]stretched, n), make([]bool, n), make([]boneKey, n),
		make([]bool, max(n-1, 0))
	from := make([]int, n) // where each key was; −1 for new ones
	for i, o := 0, 0; i < n; i++ {
		if o < len(old.times) && track.times[i] == old.times[o] {
			track.shapes[i], track.gone[i], from[i] = old.shapes[o], old.gone[o], o
			o++
			continue
		}
		from[i] = -1
		local, ok := b.local(k, moments.at(track.times[i]))
		if track.gone[i] = !ok; ok {
			track.shapes[i] = stretch(local, bone.nested)
		} else if bone.parent != bone.fallback {
			return parentVanishes
		}
	}
	shown := slices.Clone(track.shapes)
	for i := range shown { // where nothing can be seen the bone stays what it was
		switch {
		case track.gone[i] && i > 0:
			shown[i] = shown[i-1]
		case track.gone[i]:
			shown[i] = stretch(skinning.IdentityAffine(), bone.nested)
		}
	}
	if splitTrack(shown, bone.nested, track.keys) {
		return hasShear
	}
	for i := range track.passed {
		a, c := from[i], from[i+1]
		track.passed[i] = a >= 0 && c == a+1 && old.passed[a] && track.keys[i] == old.keys[a] &&
			track.keys[i+1] == old.keys[c]
	}
	return noFault
}

// open returns the middles of the intervals that have not passed.
func (t *bakedTrack) open() (middles []float32) {
	for i, passed := range t.passed {
		if passed {
			continue
		}
		gap := t.times[i+1] - t.times[i]
		middle := t.times[i] + gap/2
		if !(gap > stepGap) || middle == t.times[i] {
			t.passed[i] = true // both sides of a STEP
			continue
		}
		middles = append(middles, middle)
	}
	return middles
}

// coarse returns the middles of a track's intervals that need one more key, as far as they have been sampled.
func (b *baker) coarse(k int, track *bakedTrack, moments *clipMoments) (middles []float32) {
	for _, middle := range track.open() {
		if !moments.has(middle) {
			continue
		}
		live := moments.at(middle)
		at := track.before(middle, 0)
		key, _ := track.shown(middle, at)
		if _, off := b.stray(k, live, &key); off <= b.enough(live) {
			track.passed[at] = true
		} else {
			middles = append(middles, middle)
		}
	}
	return middles
}

// before returns the key at or before a time, the first one where there is none. It looks on from an earlier one.
func (t *bakedTrack) before(seconds float32, from int) int {
	if from+1 < len(t.times) && t.times[from+1] > seconds {
		return from
	}
	return max(from+sort.Search(len(t.times)-from, func(i int) bool { return t.times[from+i] > seconds })-1, 0)
}

// shown returns what a player shows at a time behind key at, and how long the interval is that it lies inside; 0 at a
// key.
func (t *bakedTrack) shown(seconds float32, at int) (key boneKey, gap float32) {
	if at+1 == len(t.times) || !(seconds > t.times[at]) {
		return t.keys[at], 0
	}
	gap = t.times[at+1] - t.times[at]
	return between(&t.keys[at], &t.keys[at+1], float64(seconds-t.times[at])/float64(gap)), gap
}

// thin leaves out keys in the middle of runs of equal ones: a clip of poses that jump is at rest in between.
func (t *bakedTrack) thin(s slacks) {
	t.times = slices.Clone(t.times) // bones share them
	n := 1
	for i := 1; i < len(t.times); i++ {
		if i+1 < len(t.times) && t.keys[i].alike(&t.keys[n-1], s) && t.keys[i+1].alike(&t.keys[n-1], s) {
			continue
		}
		t.times[n], t.keys[n] = t.times[i], t.keys[i]
		n++
	}
	t.times, t.keys = t.times[:n], t.keys[:n]
}
