package bake

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// looseBones is the allowed error of a bone, as a multiple of the allowed error of vertices. A vertex moves by the
// weighted mean of its bones, and bones are rarely at their worst together. Where vertices are off by too much all the
// same, bones are keyed again with a smaller factor, down to 1.
const looseBones = 1.5

// mostRounds bounds how often a clip is keyed and measured. A round halves the time between samples around a jump, from
// a thirtieth of a second to stepGap in nine.
const mostRounds = 12

// bake keys a clip. Its samples are of two kinds. Keys are chosen by samples of the first kind. Samples of the second
// kind lie at quarters of the way between them, and only measure the error: added bones can turn a corner anywhere. A
// sample of the second kind in which a bone is off by too much becomes one of the first kind, and new samples are added
// on both sides of it. Then the bones that were off are keyed again. Changed reports that bones have got another parent
// or a second node, so that earlier clips are outdated.
func (b *Baker) bake(clip int) (out Clip, changed bool) {
	c := b.samplesOf(clip)
	if clip < len(b.Clips) && b.Clips[clip] > 0 {
		c.allowed = min(c.allowed, b.Clips[clip])
	}
	out.Hurried = b.hurried()
	times, jumping := b.keyTimes(&b.model.Clips[clip], out.Hurried)
	halves := middles(times)
	quarters := middles(sortedTimes(slices.Concat(times, halves)))
	c.add(times, true)
	c.add(sortedTimes(append(halves, quarters...)), false)
	keys, faults := make([]boneKeys, len(b.bones)), make([]boneFault, len(b.bones))
	stale := slices.Repeat([]bool{true}, len(b.bones))
	loose := looseBones
	for round := 0; round < mostRounds && !b.stopped(); {
		chosen := c.keyed()
		parallel.For(len(b.posers), len(b.bones), func(_, k int) {
			if stale[k] {
				keys[k], faults[k] = b.keyBone(k, chosen, loose, jumping)
			}
			if faults[k] == noFault {
				b.measureBone(k, c.all, &keys[k], stale[k])
			}
		})
		if b.mend(faults, stale) {
			changed = true
			continue
		}
		round++
		out.Error, out.Allowed = c.worst(keys), c.most()
		if b.Rate > 0 || out.Hurried || jumping || out.Error <= out.Allowed {
			break
		}
		if b.Cancelled() {
			out.Hurried = true
			break
		}
		if c.refine(stale, loose) {
			continue
		}
		if loose <= 1 {
			break
		}
		loose = max(1, loose*0.9*out.Allowed/out.Error)
		for k := range stale {
			stale[k] = true
		}
	}
	if b.stopped() {
		return out, changed
	}
	out.Tracks = make([]Track, len(b.bones))
	for k := range keys {
		out.Tracks[k] = keys[k].track(&b.bones[k].Rest)
	}
	return out, changed
}

// keyBone keys a bone at samples, with as few keys as its allowed error, times loose, needs, or at a fixed rate.
func (b *Baker) keyBone(k int, samples []*sample, loose float64, jumping bool) (out boneKeys, f boneFault) {
	bone := &b.bones[k]
	if bone.unused {
		return boneKeys{times: []float32{samples[0].seconds}, keys: []Key{bone.Rest}}, noFault
	}
	live, f := b.moments(k, samples, loose)
	if f != noFault {
		return out, f
	}
	t := thinner{live: live}
	for c := range bone.corners {
		t.corners = append(t.corners, applied(&bone.FromRest, &bone.corners[c]))
	}
	t.keepRest(&bone.Rest)
	var at []int
	switch {
	case b.Rate > 0:
		for i := range live {
			at = append(at, i)
		}
	case jumping:
		at = t.hold()
	default:
		at = t.thin()
	}
	for _, i := range at {
		out.times, out.keys = append(out.times, live[i].seconds), append(out.keys, live[i].key)
	}
	out.step = jumping
	return out, noFault
}

// mend changes the bones that have a fault, and reports whether there were any. These bones are stale, and no others.
func (b *Baker) mend(faults []boneFault, stale []bool) (changed bool) {
	for k, f := range faults {
		stale[k] = f != noFault
		if stale[k] {
			b.bones[k].mend(f)
			b.bind(k)
			changed = true
		}
		faults[k] = noFault
	}
	return changed
}

// refine finds the samples between keys in which bones are off by more than the allowed error, times loose. It marks
// these bones, has keys chosen by these samples, and adds samples on both sides of them. It reports whether there were
// any. Where the clip may not have that many samples, it changes nothing.
func (c *clipSamples) refine(stale []bool, loose float64) (found bool) {
	var more []float32
	var chosen []*sample
	for i, m := range c.all {
		if m.keyed {
			continue
		}
		off := false
		for k := range c.bones {
			if *m.stray(k) <= loose*m.allowed {
				continue
			}
			if _, seen := c.local(k, m); seen || c.bones[k].Parent != c.bones[k].Fallback {
				stale[k], off = true, true
			}
		}
		if off {
			chosen = append(chosen, m)
			more = divided(divided(more, c.all[i-1].seconds, m.seconds), m.seconds, c.all[i+1].seconds)
		}
	}
	if len(chosen) == 0 || len(c.all)+len(more) > 2*c.mostSamples {
		return false
	}
	for _, m := range chosen {
		m.keyed = true
	}
	c.add(sortedTimes(more), false)
	return true
}

// most returns the largest allowed error of the samples.
func (c *clipSamples) most() (out float64) {
	for _, m := range c.all {
		out = max(out, m.allowed)
	}
	return out
}

// divided appends the middle of an interval that can be divided: not of the two sides of a jump, nor where no float32
// lies between.
func divided(all []float32, from, to float32) []float32 {
	gap := to - from
	if m := from + gap/2; gap > stepGap && m > from && m < to {
		all = append(all, m)
	}
	return all
}

// middles returns the middles of the intervals between rising times.
func middles(times []float32) (out []float32) {
	for i := 0; i+1 < len(times); i++ {
		out = divided(out, times[i], times[i+1])
	}
	return out
}

// keyTimes returns the times at which a clip is sampled first. These are the key times of all channels that move
// joints, the float32 before each jump of a STEP channel, and steps of at most 1/leastRate between them, at most
// MostSteps. With a fixed rate they are that rate's times and the jumps. In a hurry they are a few evenly spaced times,
// and the key times of bones that no rig drives, whose whole motion is these keys. A clip that moves no joint has one
// time. In a clip whose channels all jump nothing moves between the key times: it is sampled at these alone.
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
		return thinned(own, b.mostSamples/2), true
	}
	begin, end := own[0], own[len(own)-1]
	rate, most := float64(leastRate), float64(MostSteps)
	seconds := math.Max(float64(end)-float64(begin), 1e-6)
	switch {
	case hurried:
		rate, most = HurriedSamples/seconds, math.Inf(1)
		if len(b.model.Rigs) > 0 || b.Budget <= 0 {
			own, jumps = []float32{begin, end}, nil
		}
	case b.Rate > 0:
		rate, most = b.Rate, math.Inf(1)
		own = []float32{begin, end}
	}
	own = thinned(sortedTimes(append(own, jumps...)), b.mostSamples/2)
	rate = math.Min(rate, float64(b.mostSamples)/4/seconds)
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
