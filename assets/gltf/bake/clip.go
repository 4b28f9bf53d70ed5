package bake

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// bake keys a clip. Changed reports that bones have got another parent or a second node, so that earlier clips are
// outdated.
func (b *Baker) bake(clip int) (out Clip, changed bool) {
	out.Hurried = b.hurried()
	b.allowed = b.Tolerance
	if clip < len(b.Clips) && b.Clips[clip] > 0 {
		b.allowed = min(b.Tolerance, b.Clips[clip])
	}
	times, jumping := b.keyTimes(&b.model.Clips[clip], out.Hurried)
	samples := newClipSamples(b, clip)
	samples.sample(times)
	for !b.stopped() && !b.keyClip(&out, samples, jumping) {
		changed = true
	}
	return out, changed
}

// looseBones is the allowed error of a bone, as a multiple of the allowed error of vertices. A vertex moves by the
// weighted mean of its bones, and bones are rarely at their worst together. Where vertices are off by too much all the
// same, bones are keyed again with a smaller factor, up to mostTightened times in all.
const (
	looseBones    = 1.4
	mostTightened = 3
)

// keyClip keys all bones and measures the error. It is not ok when bones have changed, and the clip must be keyed
// again.
func (b *Baker) keyClip(out *Clip, samples *clipSamples, jumping bool) (ok bool) {
	exact := b.Rate == 0 && !out.Hurried && !jumping
	if exact && !b.refine(out, samples) {
		return false
	}
	between := middles(samples.times)
	if !exact || out.Hurried {
		between = append(between, middles(sortedTimes(slices.Concat(samples.times, between)))...)
	}
	for _, live := range samples.ordered {
		out.Allowed = math.Max(out.Allowed, b.enough(live))
	}
	out.Tracks = make([]Track, len(b.bones))
	faults := make([]boneFault, len(b.bones))
	loose := looseBones
	for range mostTightened {
		b.Budget -= keyWork * len(samples.times) * len(b.bones)
		parallel.For(len(b.posers), len(b.bones), func(_, k int) {
			out.Tracks[k], faults[k] = b.keyBone(k, samples, loose, jumping)
		})
		if b.mend(faults) {
			return false
		}
		out.Error = b.worst(samples, out.Tracks)
		if b.Rate > 0 || out.Error <= out.Allowed {
			break
		}
		loose *= 0.9 * out.Allowed / out.Error
	}
	// The error between the samples that keys were chosen by is measured once more.
	for some := range slices.Chunk(between, measuredAtOnce) {
		next := newClipSamples(b, samples.clip)
		next.sample(some)
		out.Error = math.Max(out.Error, b.worst(next, out.Tracks))
	}
	return true
}

// keyBone keys a bone at samples, with as few keys as its allowed error, times loose, needs, or at a fixed rate.
func (b *Baker) keyBone(k int, samples *clipSamples, loose float64, jumping bool) (track Track, f boneFault) {
	if b.bones[k].unused {
		return b.bones[k].still(samples.times[0]), noFault
	}
	keys, gone, f := b.split(k, samples.ordered)
	if f != noFault {
		return track, f
	}
	t := thinner{b, k, samples.times, samples.ordered, keys, gone, loose}
	return t.track(b.Rate > 0, jumping), noFault
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

// interval is the time between two neighbouring samples, which may be divided at its middle.
type interval struct{ from, middle, to float32 }

// divided appends an interval if it can be divided: not the two sides of a jump, nor where no float32 lies between.
func divided(all []interval, from, to float32) []interval {
	gap := to - from
	if m := from + gap/2; gap > stepGap && m > from && m < to {
		all = append(all, interval{from, m, to})
	}
	return all
}

// intervals lists those between rising times that can be divided.
func intervals(times []float32) (all []interval) {
	for i := 0; i+1 < len(times); i++ {
		all = divided(all, times[i], times[i+1])
	}
	return all
}

// middles returns the middles of the intervals between rising times.
func middles(times []float32) (out []float32) {
	for _, o := range intervals(times) {
		out = append(out, o.middle)
	}
	return out
}

// mostHalvings bounds how often an interval of the first samples is halved: down to stepGap, from a thirtieth of a
// second.
const mostHalvings = 9

// refine samples a clip more densely where linear interpolation misses it. Each interval is halved while some bone is
// farther from the chord in its middle than allowed. That ends when no interval is off, or when the clip may have no
// more samples. If the user or the budget leaves no time, it ends at once and the clip is hurried. It is not ok when
// bones have changed, or when the baker is stopped.
func (b *Baker) refine(out *Clip, samples *clipSamples) (ok bool) {
	open := intervals(samples.times)
	for range mostHalvings {
		if len(open) == 0 || len(open) > samples.left() {
			break
		}
		if b.hurried() {
			out.Hurried = true
			break
		}
		wanted := make([]float32, len(open))
		for i := range open {
			wanted[i] = open[i].middle
		}
		samples.sample(wanted)
		if b.stopped() {
			return false
		}
		off, faults := make([]bool, len(open)), make([][]boneFault, len(b.posers))
		for w := range faults {
			faults[w] = make([]boneFault, len(b.bones))
		}
		parallel.For(len(b.posers), len(open), func(worker, i int) {
			o := open[i]
			ends := []*sample{samples.at(o.from), samples.at(o.middle), samples.at(o.to)}
			for k := 0; k < len(b.bones) && !off[i]; k++ {
				off[i] = b.bends(k, ends, &faults[worker][k])
			}
		})
		for w := range faults {
			if b.mend(faults[w]) {
				return false
			}
		}
		var next []interval
		for i, o := range open {
			if off[i] {
				next = divided(divided(next, o.from, o.middle), o.middle, o.to)
			}
		}
		open = next
	}
	return true
}

// bends reports whether a bone is farther from the chord between the first and the last of three samples than allowed
// in the middle one. A fault is set.
func (b *Baker) bends(k int, ends []*sample, fault *boneFault) bool {
	if b.bones[k].unused {
		return false
	}
	keys, gone, f := b.split(k, ends)
	if f != noFault {
		*fault = f
		return false
	}
	key := between(&keys[0], &keys[2], 0.5)
	return !gone[1] && !(b.stray(k, ends[1], &key) <= looseBones*b.enough(ends[1]))
}

// keyTimes returns the times at which a clip is sampled first. These are the key times of all channels that move
// joints, the float32 before each jump of a STEP channel, and steps of at most 1/leastRate between them, at most
// MostSteps. With a fixed rate they are that rate's times and the jumps. In a hurry they are a few evenly spaced times.
// A clip that moves no joint has one time. In a clip whose channels all jump nothing moves between the key times: it is
// sampled at these alone.
func (b *Baker) keyTimes(c *skinning.Clip, hurried bool) (times []float32, jumping bool) {
	var own, jumps []float32
	first := float32(math.Inf(1))
	jumping = !hurried && b.Rate == 0
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
			jumping = jumping && len(ch.Times) < 2
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
		return []float32{first}, false
	}
	own = sortedTimes(own)
	if jumping {
		return thinned(own, b.most/2), true
	}
	begin, end := own[0], own[len(own)-1]
	rate, most := float64(leastRate), float64(MostSteps)
	seconds := math.Max(float64(end)-float64(begin), 1e-6)
	switch {
	case hurried:
		rate, most = HurriedSamples/seconds, math.Inf(1)
		own, jumps = []float32{begin, end}, nil
	case b.Rate > 0:
		rate, most = b.Rate, math.Inf(1)
		own = []float32{begin, end}
	}
	own = thinned(sortedTimes(append(own, jumps...)), b.most/2)
	rate = math.Min(rate, float64(b.most)/4/seconds)
	for i, t := range own {
		if i > 0 {
			t0 := float64(own[i-1])
			// 1e-3 of a step of slack: keys of 30 fps in float32 are not split in two.
			n := int(math.Min(math.Ceil((float64(t)-t0)*rate-1e-3), most))
			for s := 1; s < n; s++ {
				times = append(times, float32(t0+(float64(t)-t0)*float64(s)/float64(n)))
			}
		}
		times = append(times, t)
	}
	return sortedTimes(times), false
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
