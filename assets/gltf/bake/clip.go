package bake

import (
	"math"
	"slices"
	"sync/atomic"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// bake keys a clip. Changed reports that bones have got another parent or a second node, so that earlier clips are
// outdated.
func (b *Baker) bake(clip int) (out Clip, changed bool) {
	out.Hurried = b.hurried()
	if b.allowed = b.Tolerance; clip < len(b.Clips) && b.Clips[clip] > 0 {
		b.allowed = min(b.Tolerance, b.Clips[clip])
	}
	times := b.keyTimes(&b.model.Clips[clip], out.Hurried)
	samples := newClipSamples(b, clip)
	samples.sample(times)
	for !b.stopped() && !b.keyClip(&out, times, samples) {
		changed = true
	}
	return out, changed
}

// keyClip keys all bones and measures the error. It is not ok when bones have changed, and the clip must be keyed
// again.
func (b *Baker) keyClip(out *Clip, times []float32, samples *clipSamples) (ok bool) {
	asked := make([][]float32, len(b.bones))
	var unseen, fixed []float32
	unrefined := b.Rate > 0 || out.Hurried
	if unrefined {
		samples.sample(middles(times)) // refine samples the middles otherwise
		if b.Rate > 0 {
			fixed = times
		}
	} else if asked, unseen, ok = b.refine(out, times, samples); !ok {
		return false
	}
	times = slices.DeleteFunc(sortedTimes(append(middles(times), times...)),
		func(t float32) bool { return !samples.has(t) })
	for _, live := range samples.ordered {
		out.Allowed = math.Max(out.Allowed, b.enough(live))
	}
	if unrefined && fixed == nil { // all samples are keys
		unseen = middlesTwice(times)
	}
	seen := samples.some(times)
	faults := make([]boneFault, len(b.bones))
	loose := math.Min(LooseBones, relaxed*b.loose)
	out.Tracks = make([]Track, len(b.bones))
	strays := make([][]float64, len(b.bones))
	var keyed atomic.Int64 // samples that were keyed, over all bones
	for n := range mostTightened {
		parallel.For(len(b.posers), len(b.bones), func(worker, k int) {
			if strays[k] != nil && !b.astray(seen, strays[k], loose) {
				return // its keys are close enough
			}
			own := sortedTimes(slices.Concat(times, asked[k]))
			keyed.Add(int64(len(own)))
			if out.Tracks[k], faults[k] = b.keyBone(k, own, samples, fixed, loose, &b.posers[worker]); faults[k] == noFault {
				strays[k] = b.follow(k, seen, &out.Tracks[k])
			}
		})
		b.Budget -= keyWork * int(keyed.Swap(0))
		if b.mend(faults) {
			return false
		}
		before := out.Error
		if out.Error = b.worst(seen, out.Tracks, strays); fixed != nil {
			break
		}
		if out.Error <= out.Allowed {
			b.loose = loose
			break
		}
		if n > 0 && out.Error > before/2 && out.Error > looseKeys*out.Allowed {
			break // more keys do not help
		}
		loose *= 0.9 * out.Allowed / math.Min(out.Error, 2*out.Allowed)
	}
	for some := range slices.Chunk(unseen, unseenAtOnce) {
		next := newClipSamples(b, samples.clip)
		next.sample(some)
		out.Error = math.Max(out.Error, b.worst(next, out.Tracks, b.measure(next, out.Tracks)))
	}
	return true
}

// LooseBones is the allowed error of a bone, as a multiple of the allowed error of vertices. A vertex moves by the
// weighted mean of its bones, and bones are rarely at their worst together. Where vertices are off by too much all the
// same, bones are keyed again with a smaller factor, up to mostTightened times in all.
const (
	LooseBones    = 1.4
	mostTightened = 5
)

// relaxed times the last clip's final factor is the factor that the next clip begins with, at most LooseBones.
const relaxed = 1.1

// astray reports whether a bone's error exceeds loose times the allowed error in any sample.
func (b *Baker) astray(samples *clipSamples, strays []float64, loose float64) bool {
	for i, live := range samples.ordered {
		if !(strays[i] <= loose*b.enough(live)) {
			return true
		}
	}
	return false
}

// mend changes the bones that have a fault, and reports whether there were any.
func (b *Baker) mend(faults []boneFault) (changed bool) {
	for k, f := range faults {
		if f != noFault {
			b.bones[k].mend(f)
			b.bind(k)
			changed = true
		}
	}
	return changed
}

// middles returns the middles of the intervals that may be divided.
func middles(times []float32) (out []float32) {
	for i := 0; i+1 < len(times); i++ {
		if m, ok := middle(times[i], times[i+1]); ok {
			out = append(out, m)
		}
	}
	return out
}

// middlesTwice returns the middles of the intervals that may be divided, and the middles of their halves.
func middlesTwice(times []float32) []float32 {
	out := middles(times)
	return append(out, middles(sortedTimes(slices.Concat(times, out)))...)
}

// middle returns the middle of an interval. It is not ok for the two sides of a jump, and where no float32 lies
// between.
func middle(from, to float32) (m float32, ok bool) {
	gap := to - from
	m = from + gap/2
	return m, gap > stepGap && m > from && m < to
}

// refine samples a clip more densely where linear interpolation misses it. Each interval is halved while its middle is
// farther from the chord than allowed. That ends when no interval is off, when the two sides of a jump are stepGap
// apart, or when the clip may have no more samples. If the user or the budget leaves no time, it ends at once and
// the clip is hurried.
//
// The error of a smooth curve falls to a quarter with each halving, and one of the two halves of a jump has none. So if
// both halves stay off, the error is rounding, and more keys would not lower it. All bones are refined together,
// because one sampled pose serves all.
//
// Asked lists the middles that each bone has looked at. Unseen lists those that were due when the samples or the time
// ran out. It is not ok when bones have changed, or when the baker is stopped.
func (b *Baker) refine(
	out *Clip, times []float32, samples *clipSamples,
) (asked [][]float32, unseen []float32, ok bool) {
	asked = make([][]float32, len(b.bones))
	open := make([][]openInterval, len(b.bones))
	faults := make([]boneFault, len(b.bones))
	first := samples.all(times)
	parallel.For(len(b.posers), len(b.bones), func(worker, k int) {
		if b.bones[k].unused {
			return
		}
		var keys []Key
		if keys, _, faults[k] = b.split(k, first, &b.posers[worker]); faults[k] == noFault {
			for i := range len(times) - 1 {
				open[k] = opened(open[k], openInterval{from: times[i], to: times[i+1], whole: times[i], a: &keys[i], b: &keys[i+1]})
			}
		}
	})
	for !b.mend(faults) {
		var wanted []float32
		some := false
		for k := range open {
			for i := range open[k] {
				if some = true; !samples.has(open[k][i].middle) {
					wanted = append(wanted, open[k][i].middle)
				}
			}
		}
		switch wanted = sortedTimes(wanted); {
		case !some:
			return asked, nil, true
		case b.hurried():
			out.Hurried = true
			return asked, thinned(wanted, unseenInHurry), true
		case len(wanted) > samples.left():
			return asked, thinned(wanted, mostUnseen), true
		}
		samples.sample(wanted)
		if b.stopped() {
			return nil, nil, false
		}
		parallel.For(len(b.posers), len(b.bones), func(_, k int) {
			asked[k] = slices.Grow(asked[k], len(open[k]))
			open[k], faults[k] = b.halves(k, samples, open[k], &asked[k])
		})
	}
	return nil, nil, false
}

// openInterval is an interval that may need a key inside. It is one half of an interval that was divided, its whole.
type openInterval struct {
	from, to, whole float32 // its ends, and where its whole begins
	middle          float32
	a, b            *Key    // the keys at its ends
	off             float64 // the error in the middle of its whole, metres
	strikes         int     // successive divisions in which both halves had more than half of the whole's error
}

// opened appends an interval if it can be divided.
func opened(open []openInterval, o openInterval) []openInterval {
	var ok bool
	if o.middle, ok = middle(o.from, o.to); ok {
		open = append(open, o)
	}
	return open
}

// halves looks at the middles of a bone's intervals, which must have been sampled. It returns the halves of the
// intervals whose error at the middle is too large.
func (b *Baker) halves(
	k int, samples *clipSamples, open []openInterval, asked *[]float32,
) (next []openInterval, fault boneFault) {
	for len(open) > 0 {
		first, n := &open[0], len(next)
		rounding := first.off > 0 // both halves are off by more than half of the whole's error
		for ; len(open) > 0 && open[0].whole == first.whole; open = open[1:] {
			o := &open[0]
			live := samples.at(o.middle)
			key := between(o.a, o.b, (float64(o.middle)-float64(o.from))/(float64(o.to)-float64(o.from)))
			off := b.stray(k, live, &key)
			*asked = append(*asked, o.middle)
			rounding = rounding && off > first.off/2
			if off <= LooseBones*b.enough(live) {
				continue
			}
			own := new(Key)
			if *own, fault = b.splitAfter(k, live, o.a); fault != noFault {
				return nil, fault
			}
			next = opened(next, openInterval{from: o.from, to: o.middle, whole: o.from, a: o.a, b: own, off: off})
			next = opened(next, openInterval{from: o.middle, to: o.to, whole: o.from, a: own, b: o.b, off: off})
		}
		for e := n; rounding && e < len(next); e++ {
			next[e].strikes = first.strikes + 1
		}
		if rounding && first.strikes+1 == mostStrikes {
			next = next[:n]
		}
	}
	return next, noFault
}

// mostStrikes strikes end the search for keys in an interval. One strike may be no rounding: where a curve bends both
// ways, its middle may be near the chord and the middles of its halves farther off.
const mostStrikes = 3

// keyTimes returns the times at which a clip is sampled first. These are the key times of all channels that move
// joints, the float32 before each jump of a STEP channel, and steps of at most 1/leastRate between them, at most
// MostSteps. With a fixed rate they are that rate's times and the jumps. In a hurry they are a few evenly spaced times.
// A clip that moves no joint has one time.
func (b *Baker) keyTimes(c *skinning.Clip, hurried bool) []float32 {
	var own, jumps []float32
	first := float32(math.Inf(1))
	for i := range c.Channels {
		ch := &c.Channels[i]
		if len(ch.Times) > 0 {
			first = min(first, ch.Times[0])
		}
		if ch.Path == skinning.PathWeights || !b.moving[ch.Node] {
			continue
		}
		own = append(own, ch.Times...)
		if ch.Interpolation != skinning.Step {
			continue
		}
		for _, t := range ch.Times[1:] {
			jumps = append(jumps, math.Nextafter32(t, float32(math.Inf(-1))), t)
		}
	}
	if len(own) == 0 {
		if math.IsInf(float64(first), 1) {
			first = 0
		}
		return []float32{first}
	}
	first, last := slices.Min(own), slices.Max(own)
	rate, most := float64(leastRate), float64(MostSteps)
	switch {
	case hurried:
		rate, most = HurriedSamples/math.Max(float64(last)-float64(first), 1e-6), math.Inf(1)
		own, jumps = []float32{first, last}, nil
	case b.Rate > 0:
		rate, most = b.Rate, math.Inf(1)
		own = []float32{first, last}
	}
	own = thinned(sortedTimes(append(own, jumps...)), b.most/2)
	rate = math.Min(rate, float64(b.most)/4/math.Max(float64(last)-float64(first), 1e-6))
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

// thinned chooses some of the rising times, most at most, evenly and with the first and the last.
func thinned(times []float32, most int) []float32 {
	if len(times) <= most {
		return times
	}
	out := make([]float32, most)
	for i := range out {
		out[i] = times[i*(len(times)-1)/(most-1)]
	}
	return out
}

// sortedTimes sorts times and removes duplicates. Both zeros are one time.
func sortedTimes(t []float32) []float32 {
	slices.Sort(t)
	return slices.Compact(t)
}
