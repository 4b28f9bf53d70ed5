package bake

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// The translation of a bone has its own keys, and so has its linear part, each as few as the error allows. U, Σ and Vᵀ
// are keyed together. Between keys U and V may both turn too far, and these turns cancel only if both have keys at the
// same times.
//
// Keys are found in three steps. First, each key is followed by the farthest one to which linear interpolation of live
// values stays within the allowed error times chordSlack. Then least squares moves all values, because chords between
// live values lie on the inner side of an arc. Last, an interval in which the error is still too large gets one key
// more.

// chordSlack multiplies the allowed error in the first step. Least squares halves the distance of a chord from an arc,
// but not from a corner, and motion capture has a corner at every key.
const chordSlack = 1.3

// translationShare is the share of the allowed error that the translation may use alone. The linear part may use all
// of it: the two are rarely at their worst in one sample, and where they are, a key is added.
const translationShare = 0.6

// restShare is a share of the allowed error. A path whose error at its rest value stays within it is kept at rest.
const restShare = 0.05

// mostRepairs bounds the rounds in which keys are added where the error is too large.
const mostRepairs = 12

// longTurn is half an angle between two keys, in radians. Some players blend quaternions by slerp, others linearly.
// Below longTurn the two differ by less than 1e-7. Above it both must be close to the live motion.
const longTurn = 0.02

// thinner keys one bone in one clip.
type thinner struct {
	b       *Baker
	k       int // the bone's index
	times   []float32
	samples []*sample
	live    []Key   // the bone's keys, one per sample
	gone    []bool  // the samples in which the bone cannot be seen, see [Baker.split]
	loose   float64 // the factor on the allowed error of the bone
}

// course is the keys of the translation of a bone, or of its linear part.
type course struct {
	*thinner
	moved  bool    // the translation, else the linear part
	share  float64 // of the allowed error
	at     []int   // the samples that have keys
	values []Key   // the keys at those samples, as the file stores them
}

// within reports whether the error of a key is within a share of the allowed error.
func (t *thinner) within(i int, key *Key, share float64) bool {
	return t.gone[i] || t.b.stray(t.k, t.samples[i], key) <= share*t.loose*t.b.enough(t.samples[i])
}

// fraction returns the time of sample i as a fraction of the way between two samples.
func (t *thinner) fraction(from, to, i int) float64 {
	return (float64(t.times[i]) - float64(t.times[from])) / (float64(t.times[to]) - float64(t.times[from]))
}

// keepRest gives a path its rest value in all samples where it hardly moves.
func (t *thinner) keepRest() {
	for path := range BonePaths {
		if path == EvenPath {
			continue
		}
		rest := t.b.bones[t.k].Rest.of(path)
		if isTurn(path) && geom.Quat(rest).Dot(geom.Quat(t.live[0].of(path))) < 0 {
			rest = geom.Quat(rest).Scale(-1)
		}
		still := slices.Clone(t.live)
		rests := true
		for i := 0; i < len(still) && rests; i++ {
			still[i].set(path, rest)
			rests = t.within(i, &still[i], restShare)
		}
		if rests {
			t.live = still
		}
	}
}

// track keys the bone: at all samples, or at as few as the error allows. Where all motion jumps, keys hold until the
// next.
func (t *thinner) track(all, jumping bool) (out Track) {
	t.keepRest()
	moved := &course{thinner: t, moved: true, share: translationShare}
	shaped := &course{thinner: t, share: 1}
	for _, c := range [...]*course{moved, shaped} {
		switch {
		case all:
			c.keyAll()
		case jumping:
			c.hold()
		default:
			c.choose()
		}
	}
	for n := 0; n < mostRepairs && !all && !jumping; n++ {
		m, s := t.astray(moved, shaped)
		if !moved.add(m) && !shaped.add(s) {
			break
		}
	}
	for path := range out {
		c := shaped
		if path == translationPath {
			c = moved
		}
		out[path] = c.pick(path)
		out[path].Step = jumping && len(out[path].Times) > 1
	}
	return out
}

// keyAll has a key in every sample.
func (c *course) keyAll() {
	c.values = slices.Clone(c.live)
	for i := range c.live {
		c.at = append(c.at, i)
	}
}

// hold has a key where the one before is too far from the live motion.
func (c *course) hold() {
	for i := range c.live {
		if n := len(c.at); n == 0 || !c.close(i, &c.values[n-1], &c.values[n-1], 0, c.share) {
			c.at, c.values = append(c.at, i), append(c.values, c.live[i])
		}
	}
}

// choose makes the first two steps.
func (c *course) choose() {
	n := len(c.live)
	c.at = append(c.at[:0], 0)
	for i := 0; i < n-1; {
		step := 1 // an interval of this length is close enough
		for i+2*step < n && c.follows(i, i+2*step) {
			step *= 2
		}
		low, high := step, min(2*step, n-i)
		for high-low > 1 {
			if m := (low + high) / 2; c.follows(i, i+m) {
				low = m
			} else {
				high = m
			}
		}
		i += low
		c.at = append(c.at, i)
	}
	c.fit()
}

// follows reports whether linear interpolation between the live keys at two samples stays close to the live motion.
func (c *course) follows(from, to int) bool {
	close := func(i int) bool {
		return c.close(i, &c.live[from], &c.live[to], c.fraction(from, to, i), chordSlack*c.share)
	}
	if middle := (from + to) / 2; middle > from && !close(middle) {
		return false // the error is mostly largest there
	}
	for i := from + 1; i < to; i++ {
		if !close(i) {
			return false
		}
	}
	return true
}

// close reports whether the error of the course alone at fraction u between two keys is within a share of the allowed
// error in sample i.
func (c *course) close(i int, a, b *Key, u, share float64) bool {
	key := c.live[i]
	c.blend(&key, a, b, u)
	return c.within(i, &key, share) && (!c.turnsFar(a, b) || c.slerp(&key, a, b, u) && c.within(i, &key, share))
}

// blend sets the course's part of a key to the linear blend of a and b at fraction u, quaternions included.
func (c *course) blend(key, a, b *Key, u float64) {
	if c.moved {
		key.Translation = a.Translation.Mul(1 - u).Add(b.Translation.Mul(u))
		return
	}
	key.Scale = a.Scale.Mul(1 - u).Add(b.Scale.Mul(u))
	for e := range key.Outer {
		key.Outer[e] = a.Outer[e]*(1-u) + b.Outer[e]*u
		key.Inner[e] = a.Inner[e]*(1-u) + b.Inner[e]*u
	}
	key.even = a.even
}

// turnsFar reports whether players may show other rotations between two keys than by linear blending.
func (c *course) turnsFar(a, b *Key) bool {
	far := func(p, q *geom.Quat) bool { return !(p.Dot(*q) >= 1-longTurn*longTurn/2) }
	return !c.moved && (far(&a.Outer, &b.Outer) || far(&a.Inner, &b.Inner))
}

// slerp sets the rotations of a key to the slerp of a and b at fraction u.
func (c *course) slerp(key, a, b *Key, u float64) bool {
	key.Outer, key.Inner = slerp(&a.Outer, &b.Outer, u), slerp(&a.Inner, &b.Inner, u)
	return true
}

// around returns the keys before and after sample i, which is at fraction u between them. Cursor is the position of the
// key before the sample of the last call; samples must rise from call to call.
func (c *course) around(i int, cursor *int) (a, b *Key, u float64) {
	for *cursor+1 < len(c.at) && c.at[*cursor+1] <= i {
		*cursor++
	}
	n := *cursor
	a = &c.values[n]
	if n+1 == len(c.at) || c.at[n] == i {
		return a, a, 0
	}
	return a, &c.values[n+1], c.fraction(c.at[n], c.at[n+1], i)
}

// astray lists the samples in which both parts together have too large an error, for the part whose own error is
// larger.
func (t *thinner) astray(moved, shaped *course) (byMove, byShape []int) {
	var m, s int
	for i := range t.live {
		a, b, u := moved.around(i, &m)
		p, q, v := shaped.around(i, &s)
		key, alone := t.live[i], t.live[i]
		moved.blend(&key, a, b, u)
		moved.blend(&alone, a, b, u)
		shaped.blend(&key, p, q, v)
		if t.within(i, &key, 1) && (!shaped.turnsFar(p, q) || shaped.slerp(&key, p, q, v) && t.within(i, &key, 1)) {
			continue
		}
		if t.within(i, &alone, translationShare) {
			byShape = append(byShape, i)
		} else {
			byMove = append(byMove, i)
		}
	}
	return byMove, byShape
}

// add gives the course one more key in every interval that holds a sample of the list, at the middle one of these.
// Where only the key of the interval is in the list, keys beside it hold it. Then it fits all values again. It reports
// whether it has added any key.
func (c *course) add(astray []int) bool {
	var more []int
	for n, from := range c.at {
		to := len(c.live)
		if n+1 < len(c.at) {
			to = c.at[n+1]
		}
		first, atKey := slices.BinarySearch(astray, from)
		if atKey {
			first++
		}
		last, atNext := slices.BinarySearch(astray, to)
		switch {
		case last > first:
			more = append(more, astray[(first+last)/2])
		case atKey || atNext:
			more = append(more, from+1, (from+to)/2, to-1)
		}
	}
	before := len(c.at)
	if len(more) == 0 {
		return false
	}
	c.at = append(c.at, more...)
	slices.Sort(c.at)
	c.at = slices.DeleteFunc(slices.Compact(c.at), func(i int) bool { return i >= len(c.live) })
	c.fit()
	return len(c.at) > before
}

// fit finds the values of all keys by least squares over the samples. Players interpolate each number linearly, or
// nearly so. That gives one tridiagonal system, with one right-hand side per number.
func (c *course) fit() {
	n := len(c.at)
	diagonal, above := make([]float64, n), make([]float64, n)
	sums := make([]courseNumbers, n)
	for i, k := 0, 0; i < len(c.live); i++ {
		for k+1 < n && c.at[k+1] <= i {
			k++
		}
		v := c.numbers(&c.live[i])
		u := 0.0
		if k+1 < n && c.at[k] != i {
			u = c.fraction(c.at[k], c.at[k+1], i)
		}
		weight := 1.0
		if c.gone[i] {
			weight = 1e-9
		}
		diagonal[k] += weight * (1 - u) * (1 - u)
		for e := range v {
			sums[k][e] += weight * (1 - u) * v[e]
		}
		if u > 0 {
			above[k] += weight * u * (1 - u)
			diagonal[k+1] += weight * u * u
			for e := range v {
				sums[k+1][e] += weight * u * v[e]
			}
		}
	}
	for k := 1; k < n; k++ { // every key has its own sample, so the pivots are positive
		f := above[k-1] / diagonal[k-1]
		diagonal[k] -= f * above[k-1]
		for e := range sums[k] {
			sums[k][e] -= f * sums[k-1][e]
		}
	}
	c.values = make([]Key, n)
	for k := n - 1; k >= 0; k-- {
		for e := range sums[k] {
			if k+1 < n {
				sums[k][e] -= above[k] * sums[k+1][e]
			}
			sums[k][e] /= diagonal[k]
		}
		c.values[k] = c.key(&sums[k], c.live[c.at[k]].even)
	}
}

// courseNumbers are the values of a key that a course interpolates; the rest is 0.
type courseNumbers [11]float64

// numbers reads these values from a key, and key makes a key of them, as the file stores it.
func (c *course) numbers(key *Key) (v courseNumbers) {
	if c.moved {
		copy(v[:], key.Translation[:])
		return v
	}
	copy(v[:], key.Outer[:])
	copy(v[4:], key.Scale[:])
	copy(v[7:], key.Inner[:])
	return v
}

func (c *course) key(v *courseNumbers, even mgl64.Vec3) Key {
	if c.moved {
		return Key{Translation: mgl64.Vec3(v[:3])}.rounded()
	}
	key := Key{Outer: geom.Quat(v[:4]).Normalize(), Scale: mgl64.Vec3(v[4:7]),
		Inner: geom.Quat(v[7:]).Normalize(), even: even}
	return key.rounded()
}

// pick returns a path's keys. A path that is constant has one.
func (c *course) pick(path int) PathKeys {
	rest := c.b.bones[c.k].Rest.of(path)
	out := PathKeys{Rest: true}
	for n, i := range c.at {
		v := c.values[n].of(path)
		out.Times, out.Values = append(out.Times, c.times[i]), append(out.Values, v)
		out.Rest = out.Rest && (v == rest || isTurn(path) && v == geom.Quat(rest).Scale(-1))
	}
	differs := func(v [4]float64) bool { return v != out.Values[0] }
	if out.Rest || !slices.ContainsFunc(out.Values, differs) {
		out.Times, out.Values = out.Times[:1], out.Values[:1]
	}
	if out.Rest {
		out.Values = [][4]float64{rest}
	}
	return out
}
