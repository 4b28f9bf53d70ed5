package bake

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// course is one part of a bone's motion in a clip, its translation or its linear part, with the keys chosen for it.
type course struct {
	r             *reducer
	share         float64
	moved, shaped bool
	at            []int // the samples that have keys
	values        []Key // the keys at those samples, as the file stores them
	step          bool
}

// choose finds the keys: those of a constant or stepped course, else those of a moving one.
func (c *course) choose() {
	if c.stepped() {
		return
	}
	n := len(c.r.live)
	c.at = append(c.at[:0], 0)
	for i := 0; i < n-1; {
		step := 1 // an interval of this length is close enough
		for i+2*step < n && c.close(i, i+2*step) {
			step *= 2
		}
		low, high := step, min(2*step, n-i)
		for high-low > 1 {
			if m := (low + high) / 2; c.close(i, i+m) {
				low = m
			} else {
				high = m
			}
		}
		i += low
		c.at = append(c.at, i)
	}
	c.fit()
	for range mostRepairs {
		var astray []int
		var k int
		var key Key
		for i := range c.r.live {
			if ends := c.show(i, &k, &key); !c.well(i, &key) || ends.turn(&key) && !c.well(i, &key) {
				astray = append(astray, i)
			}
		}
		if !c.add(astray) {
			return
		}
	}
}

// well reports whether a key is within the course's share of the error in sample i.
func (c *course) well(i int, key *Key) bool { return c.r.well(i, key, c.share, c.moved, c.shaped) }

// stepped finds the keys of a course that is constant between the jumps of STEP channels. It reports false for others.
func (c *course) stepped() bool {
	n := len(c.r.live)
	for i := 0; i < n; {
		if i > 0 && !c.r.jumps[i] {
			return false
		}
		c.at, c.values = append(c.at, i), append(c.values, c.held(c.r.live[i]))
		// A key always holds in its own sample, even where rounding to float32 makes its error too large there.
		for from, own := len(c.values)-1, i; i < n && (i == own || c.well(i, &c.values[from])); {
			i++
		}
		if !c.r.steps && i < n {
			c.at, c.values = nil, nil
			return false
		}
	}
	c.step = len(c.at) > 1
	return true
}

// close reports whether linear interpolation between the live keys at two samples stays close to the live course.
func (c *course) close(from, to int) bool {
	a, b := &c.r.live[from], &c.r.live[to]
	var key Key
	well := func(i int) bool {
		c.mix(&key, a, b, c.r.share(from, to, i))
		return c.r.well(i, &key, chordSlack*c.share, c.moved, c.shaped)
	}
	if middle := (from + to) / 2; middle > from && !well(middle) {
		return false // the error is mostly largest there
	}
	for i := from + 1; i < to; i++ {
		if !well(i) {
			return false
		}
	}
	return true
}

// share returns the time of sample i as a fraction of the way between two samples.
func (r *reducer) share(from, to, i int) float64 {
	return (float64(r.times[i]) - float64(r.times[from])) / (float64(r.times[to]) - float64(r.times[from]))
}

// mix sets the course's part of a key to the linear blend of a and b at fraction u, quaternions included.
func (c *course) mix(key, a, b *Key, u float64) {
	v := 1 - u
	if c.moved {
		for e := range key.Translation {
			key.Translation[e] = a.Translation[e]*v + b.Translation[e]*u
		}
	}
	if !c.shaped {
		return
	}
	for e := range key.Scale {
		key.Scale[e] = a.Scale[e]*v + b.Scale[e]*u
	}
	for e := range key.Outer {
		key.Outer[e] = a.Outer[e]*v + b.Outer[e]*u
		key.Inner[e] = a.Inner[e]*v + b.Inner[e]*u
	}
	key.even = a.even
}

// show sets the course's part of a key to the value that players show at sample i if they blend quaternions linearly.
// Cursor is the position of the key before the sample of the last call; samples must rise from call to call. If players
// that use slerp show another value, ends are the two keys that they blend, else it is zero.
func (c *course) show(i int, cursor *int, key *Key) (ends keyPair) {
	for *cursor+1 < len(c.at) && c.at[*cursor+1] <= i {
		*cursor++
	}
	n := *cursor
	if c.step || n+1 == len(c.at) || c.at[n] == i {
		c.mix(key, &c.values[n], &c.values[n], 0)
		return ends
	}
	a, b, u := &c.values[n], &c.values[n+1], c.r.share(c.at[n], c.at[n+1], i)
	c.mix(key, a, b, u)
	if c.shaped && (longTurned(&a.Outer, &b.Outer) || longTurned(&a.Inner, &b.Inner)) {
		ends = keyPair{a, b, u}
	}
	return ends
}

// keyPair is two keys and a fraction of the way between them. The zero value is no pair.
type keyPair struct {
	a, b *Key
	u    float64
}

// turn sets the rotations of a key to the slerp of the pair. It reports false where there is no pair.
func (p keyPair) turn(key *Key) bool {
	if p.a == nil {
		return false
	}
	key.Outer, key.Inner = along(&p.a.Outer, &p.b.Outer, p.u), along(&p.a.Inner, &p.b.Inner, p.u)
	return true
}

// longTurned reports whether slerp and linear blending differ between two rotations, see longTurn.
func longTurned(a, b *geom.Quat) bool { return !(a.Dot(*b) >= 1-longTurn*longTurn/2) }

// add gives the course one more key in every interval that holds a sample of the list, at the middle one of these. Then
// it fits all values again. It reports whether it has added any key.
func (c *course) add(astray []int) bool {
	if len(astray) == 0 || c.step {
		return false
	}
	var more []int
	for n, rest := 0, astray; n < len(c.at) && len(rest) > 0; n++ {
		end := len(c.r.live)
		if n+1 < len(c.at) {
			end = c.at[n+1]
		}
		i := 0
		for i < len(rest) && rest[i] <= end {
			i++
		}
		inside := slices.DeleteFunc(slices.Clone(rest[:i]), func(m int) bool { return m <= c.at[n] || m >= end })
		switch {
		case len(inside) > 0:
			more = append(more, inside[len(inside)/2])
		case i > 0: // the error is at the keys, which least squares moved; more keys beside them hold them
			for _, m := range [...]int{c.at[n] + 1, (c.at[n] + end) / 2, end - 1} {
				if m > c.at[n] && m < end {
					more = append(more, m)
				}
			}
		}
		for len(rest) > 0 && rest[0] < end {
			rest = rest[1:]
		}
	}
	before := len(c.at)
	c.at = append(c.at, more...)
	slices.Sort(c.at)
	c.at = slices.Compact(c.at)
	c.fit()
	return len(c.at) > before
}

// held returns a key as the file stores it.
func (c *course) held(key Key) Key {
	key = key.rounded()
	if c.r.short && c.shaped {
		key.Outer, key.Inner = shortened(key.Outer), shortened(key.Inner)
	}
	return key
}

// shortened rounds a quaternion to normalised shorts. Of the sixteen roundings up or down it takes a near one whose
// length is near 1, since not all players normalise it.
func shortened(q geom.Quat) (best geom.Quat) {
	const lengthWeight = 10
	var at, off, square [4][2]float64 // of each number below and above
	for c := range q {
		below := math.Floor(q[c] * 32767)
		for up := range 2 {
			v := min((below+float64(up))/32767, 1)
			at[c][up], off[c][up], square[c][up] = v, (v-q[c])*(v-q[c]), v*v
		}
	}
	least, chosen := math.Inf(1), 0
	for up := range 16 {
		x, y, z, w := up&1, up>>1&1, up>>2&1, up>>3
		long := square[0][x] + square[1][y] + square[2][z] + square[3][w] - 1
		if cost := off[0][x] + off[1][y] + off[2][z] + off[3][w] + lengthWeight*long*long; cost < least {
			least, chosen = cost, up
		}
	}
	for c := range best {
		best[c] = at[c][chosen>>c&1]
	}
	return best
}

// fit finds the values of all keys by least squares over the samples. Players interpolate each number linearly, or
// nearly so. That gives one tridiagonal system, with one right-hand side per number.
func (c *course) fit() {
	n := len(c.at)
	diagonal, above := make([]float64, n), make([]float64, n)
	sums := make([][courseNumbers]float64, n)
	width := c.numbers()
	for i, k := 0, 0; i < len(c.r.live); i++ {
		for k+1 < n && c.at[k+1] <= i {
			k++
		}
		var v [courseNumbers]float64
		c.take(&v, &c.r.live[i])
		u := 0.0
		if k+1 < n && c.at[k] != i {
			u = c.r.share(c.at[k], c.at[k+1], i)
		}
		weight := 1.0
		if c.r.metres[i] == 0 {
			weight = 1e-9
		}
		diagonal[k] += weight * (1 - u) * (1 - u)
		for e := range width {
			sums[k][e] += weight * (1 - u) * v[e]
		}
		if u > 0 {
			above[k] += weight * u * (1 - u)
			diagonal[k+1] += weight * u * u
			for e := range width {
				sums[k+1][e] += weight * u * v[e]
			}
		}
	}
	for k := 1; k < n; k++ { // every key has its own sample, so the pivots are positive
		f := above[k-1] / diagonal[k-1]
		diagonal[k] -= f * above[k-1]
		for e := range width {
			sums[k][e] -= f * sums[k-1][e]
		}
	}
	c.values = make([]Key, n)
	for k := n - 1; k >= 0; k-- {
		for e := range width {
			if k+1 < n {
				sums[k][e] -= above[k] * sums[k+1][e]
			}
			sums[k][e] /= diagonal[k]
		}
		c.values[k] = c.held(c.put(&sums[k], c.r.live[c.at[k]].even))
	}
}

// courseNumbers is the largest number of values of a key that are interpolated.
const courseNumbers = 11

// numbers returns how many values of a key the course interpolates.
func (c *course) numbers() int {
	switch {
	case c.moved:
		return 3
	case c.r.bone.Nested:
		return courseNumbers
	default:
		return 7
	}
}

// take reads these values from a key, and put makes a key of them.
func (c *course) take(v *[courseNumbers]float64, key *Key) {
	if c.moved {
		copy(v[:], key.Translation[:])
		return
	}
	copy(v[:], key.Outer[:])
	copy(v[4:], key.Scale[:])
	copy(v[7:], key.Inner[:])
}

func (c *course) put(v *[courseNumbers]float64, even mgl64.Vec3) Key {
	if c.moved {
		return Key{Translation: mgl64.Vec3(v[:3])}
	}
	key := Key{Outer: geom.Quat(v[:4]).Normalize(), Scale: mgl64.Vec3(v[4:7]),
		Inner: geom.IdentityQuat(), even: even}
	if c.r.bone.Nested {
		key.Inner = geom.Quat(v[7:]).Normalize()
	}
	return key
}
