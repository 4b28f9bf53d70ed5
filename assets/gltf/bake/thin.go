package bake

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// A bone has keys at as few samples as its allowed error lets it have: each key is followed by the farthest one to
// which linear interpolation stays close enough to the live motion. All paths of a bone share them: between keys U and V
// may both turn too far, and these turns cancel only if both have keys at the same times.
//
// Rotations are interpolated linearly here, as by some players. Others use slerp, which the error is measured with.
// The two agree where keys are as dense as motion asks for.

// restShare is a share of the allowed error. A path whose error at its rest value stays within it is kept at rest.
const restShare = 0.05

// thinner keys one bone in one clip.
type thinner struct {
	live    []moment
	corners []mgl64.Vec3 // of the box around the vertices that the bone moves, in the space of its node
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

// hold returns the moments with keys where each key is held up to the next: where the one before is too far from the
// live motion.
func (t *thinner) hold() (at []int) {
	for i := range t.live {
		if n := len(at); n == 0 || !t.within(i, &t.live[at[n-1]].key, 1) {
			at = append(at, i)
		}
	}
	return at
}

// thin returns the moments with keys where these are interpolated linearly. An interval is first doubled, and then
// halved, until it is the longest that is close enough.
func (t *thinner) thin() []int {
	n, at := len(t.live), []int{0}
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
		at = append(at, i)
	}
	return at
}

// follows reports whether linear interpolation between the keys at two moments stays close to the live motion.
func (t *thinner) follows(from, to int) bool {
	a, b := &t.live[from], &t.live[to]
	for i := from + 1; i < to; i++ {
		key := lerp(&a.key, &b.key, fraction(t.live[i].seconds, a.seconds, b.seconds))
		if !t.within(i, &key, 1) {
			return false
		}
	}
	return true
}

// fraction returns a time as a fraction of the way between two others.
func fraction(at, from, to float32) float64 {
	return (float64(at) - float64(from)) / (float64(to) - float64(from))
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
