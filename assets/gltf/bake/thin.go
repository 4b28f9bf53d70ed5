package bake

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// A bone has keys at as few samples as its allowed error lets it have. All its paths share them: between keys U and V
// may both turn too far, and these turns cancel only if both have keys at the same times.
//
// First, each key is followed by the farthest one to which linear interpolation of live values stays within the
// allowed error times chordSlack. Then least squares moves all values, because chords between live values lie on the
// inner side of an arc. Last, an interval in which the error is still too large gets one key more.
//
// Rotations are interpolated linearly here, as by some players. Others use slerp, which the error is measured with.
// The two agree where keys are as dense as motion asks for.

// chordSlack multiplies the allowed error in the first step. Least squares halves the distance of a chord from an arc,
// but not from a corner, and motion capture has a corner at every key.
const chordSlack = 1.3

// restShare is a share of the allowed error. A path whose error at its rest value stays within it is kept at rest.
const restShare = 0.05

// mostRepairs bounds the rounds in which keys are added where the error is too large.
const mostRepairs = 12

// thinner keys one bone in one clip.
type thinner struct {
	times   []float32
	live    []moment
	corners []mgl64.Vec3 // of the box around the vertices that the bone moves, in the space of its node
	at      []int        // the moments that have keys
	values  []Key        // the keys at those, as the file stores them
}

// within reports whether the error of a key is within a share of the allowed error.
func (t *thinner) within(i int, key *Key, share float64) bool {
	m := &t.live[i]
	if m.gone {
		return true
	}
	off := key.affine()
	for c := range off {
		off[c] -= m.local[c]
	}
	return reach(t.corners, &off) <= share*m.allowed
}

// fraction returns the time of moment i as a fraction of the way between two moments.
func (t *thinner) fraction(from, to, i int) float64 {
	return (float64(t.times[i]) - float64(t.times[from])) / (float64(t.times[to]) - float64(t.times[from]))
}

// keepRest gives a path its rest value in all moments where it hardly moves.
func (t *thinner) keepRest(rest *Key) {
	for path := range EvenPath {
		still := rest.of(path)
		if isTurn(path) && geom.Quat(still).Dot(geom.Quat(t.live[0].key.of(path))) < 0 {
			still = geom.Quat(still).Scale(-1)
		}
		rests := true
		for i := 0; i < len(t.live) && rests; i++ {
			key := t.live[i].key
			key.set(path, still)
			rests = t.within(i, &key, restShare)
		}
		for i := 0; i < len(t.live) && rests; i++ {
			t.live[i].key.set(path, still)
		}
	}
}

// keyAll has a key at every moment.
func (t *thinner) keyAll() {
	for i := range t.live {
		t.at, t.values = append(t.at, i), append(t.values, t.live[i].key)
	}
}

// hold has a key where the one before, which is held, is too far from the live motion.
func (t *thinner) hold() {
	for i := range t.live {
		if n := len(t.at); n == 0 || !t.within(i, &t.values[n-1], 1) {
			t.at, t.values = append(t.at, i), append(t.values, t.live[i].key)
		}
	}
}

// thin has as few keys as the allowed error lets it have.
func (t *thinner) thin() {
	n := len(t.live)
	t.at = append(t.at, 0)
	for i := 0; i < n-1; {
		step := 1 // an interval of this length is close enough
		for i+2*step < n && t.follows(i, i+2*step) {
			step *= 2
		}
		low, high := step, min(2*step, n-i)
		for high-low > 1 {
			if m := (low + high) / 2; t.follows(i, i+m) {
				low = m
			} else {
				high = m
			}
		}
		i += low
		t.at = append(t.at, i)
	}
	t.fit()
	for range mostRepairs {
		if !t.repair() {
			break
		}
	}
}

// follows reports whether linear interpolation between the live keys at two moments stays close to the live motion.
func (t *thinner) follows(from, to int) bool {
	close := func(i int) bool {
		key := lerp(&t.live[from].key, &t.live[to].key, t.fraction(from, to, i))
		return t.within(i, &key, chordSlack)
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

// lerp returns the linear blend of two keys at fraction u, quaternions included.
func lerp(a, b *Key, u float64) (key Key) {
	for c := range 3 {
		key.Translation[c] = a.Translation[c]*(1-u) + b.Translation[c]*u
		key.Scale[c] = a.Scale[c]*(1-u) + b.Scale[c]*u
	}
	for c := range 4 {
		key.Outer[c] = a.Outer[c]*(1-u) + b.Outer[c]*u
		key.Inner[c] = a.Inner[c]*(1-u) + b.Inner[c]*u
	}
	key.even = a.even
	return key
}

// repair adds a key in each interval in which moments are off, at the middle one of these, or on both sides of a key
// that alone is off. Then it fits all values again. It reports whether it has added any key.
func (t *thinner) repair() bool {
	more := slices.Clone(t.at)
	var off []int
	for n, from := range t.at {
		off = off[:0]
		if !t.within(from, &t.values[n], 1) {
			off = append(off, from)
		}
		for i := from + 1; n+1 < len(t.at) && i < t.at[n+1]; i++ {
			key := lerp(&t.values[n], &t.values[n+1], t.fraction(from, t.at[n+1], i))
			if !t.within(i, &key, 1) {
				off = append(off, i)
			}
		}
		switch {
		case len(off) == 0:
		case off[len(off)/2] == from:
			more = append(more, max(from-1, 0), min(from+1, len(t.live)-1))
		default:
			more = append(more, off[len(off)/2])
		}
	}
	slices.Sort(more)
	more = slices.Compact(more)
	added := len(more) > len(t.at)
	t.at = more
	if added {
		t.fit()
	}
	return added
}

// fit finds the values of all keys by least squares over the moments. Players interpolate each number linearly, or
// nearly so. That gives one tridiagonal system, with one right-hand side per number.
func (t *thinner) fit() {
	n := len(t.at)
	diagonal, above := make([]float64, n), make([]float64, n)
	sums := make([]keyNumbers, n)
	for i, k := 0, 0; i < len(t.live); i++ {
		for k+1 < n && t.at[k+1] <= i {
			k++
		}
		v := t.live[i].key.numbers()
		u := 0.0
		if k+1 < n && t.at[k] != i {
			u = t.fraction(t.at[k], t.at[k+1], i)
		}
		weight := 1.0
		if t.live[i].gone {
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
	for k := 1; k < n; k++ { // every key has its own moment, so the pivots are positive
		f := above[k-1] / diagonal[k-1]
		diagonal[k] -= f * above[k-1]
		for e := range sums[k] {
			sums[k][e] -= f * sums[k-1][e]
		}
	}
	t.values = make([]Key, n)
	for k := n - 1; k >= 0; k-- {
		for e := range sums[k] {
			if k+1 < n {
				sums[k][e] -= above[k] * sums[k+1][e]
			}
			sums[k][e] /= diagonal[k]
		}
		t.values[k] = sums[k].key(t.live[t.at[k]].key.even)
	}
}

// keyNumbers are the numbers of a key that players interpolate.
type keyNumbers [14]float64

func (k *Key) numbers() (v keyNumbers) {
	copy(v[:], k.Translation[:])
	copy(v[3:], k.Scale[:])
	copy(v[6:], k.Outer[:])
	copy(v[10:], k.Inner[:])
	return v
}

// key returns the key of numbers, as the file stores it.
func (v *keyNumbers) key(even mgl64.Vec3) Key {
	key := Key{Translation: mgl64.Vec3(v[:3]), Scale: mgl64.Vec3(v[3:6]), Outer: geom.Quat(v[6:10]).Normalize(),
		Inner: geom.Quat(v[10:]).Normalize(), even: even}
	return key.rounded()
}
