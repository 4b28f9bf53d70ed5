package assets

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// A bone's translation, and its rotations and scales, are keyed apart, each with as few keys as its share of the error
// needs. U, Σ and Vᵀ have keys together: what U and V turn too far cancels between keys only where both have them.
//
// Three steps lead to the keys. First, from each key the next one is as far away as linear interpolation between the two
// live values allows, with somewhat more than the error. Then least squares moves all values, so that chords lie on both
// sides of the course and not below its arcs. Last, an interval in which the course still strays gets one key more.

// The shares of the error. They add up to more than all of it, since both parts are rarely at their worst at once, and
// where they are there is one more key.
const (
	translationShare = 0.6
	shapeShare       = 1
)

// chordSlack multiplies the share of the error in the first step, before least squares. Least squares halves the distance
// of a chord from an arc, but not from a corner, and motion capture has a corner at every key: with more slack than this
// the last step adds more keys than the first has saved.
const chordSlack = 1.3

// restShare is a part of the allowed error. A path that stays within it of its rest value is kept at rest.
const restShare = 0.05

// mostRepairs bounds how often keys are added where a bone strays.
const mostRepairs = 12

// shortStep is the distance between two normalised shorts. A bone's rotations are kept in shorts where the error allows a
// quaternion to be off by shortSlack such steps or more.
const (
	shortStep  = 1. / 32767
	shortSlack = 2.5
)

// longTurn is half an angle between two keys, in radians. Some players blend quaternions along the arc, others along the
// chord. Below longTurn the two differ by less than 1e-7; above it both must be close to the live course.
const longTurn = 0.02

// reducer keys one bone in one clip.
type reducer struct {
	b       *baker
	k       int
	bone    *bakedBone
	times   []float32
	moments []*moment
	live    []boneKey
	shapes  []skinning.Mat3 // of these
	loose   float64         // how many times the error that is allowed the bone may be off
	metres  []float64       // per moment: a unit of the parent's space; 0 where nothing can be seen
	corners []mgl64.Vec3    // of the box, in the space of the node
	reach   float64         // of the farthest corner
	jumps   []bool          // per moment: a STEP channel jumps there
	steps   bool            // there are any
	short   bool            // rotations are kept in normalised shorts
}

// newReducer prepares the keys of bone k.
func newReducer(b *baker, k int, clip int, times []float32, moments []*moment, keys []boneKey, gone []bool,
	loose float64) *reducer {
	r := &reducer{b: b, k: k, bone: &b.bones[k], times: times, moments: moments, live: keys, loose: loose,
		metres: make([]float64, len(times))}
	for _, corner := range r.bone.corners {
		r.corners = append(r.corners, r.bone.fromRest.Apply(corner))
		r.reach = math.Max(r.reach, r.corners[len(r.corners)-1].Len())
	}
	least := math.Inf(1) // that a quaternion may be off: one that is off by d turns by 2d
	for i, live := range moments {
		if gone[i] {
			continue
		}
		r.metres[i] = b.parent(k, live).stretch
		s, e := keys[i].scale, keys[i].even
		size := math.Max(math.Abs(s[0]*e[0]), math.Max(math.Abs(s[1]*e[1]), math.Abs(s[2]*e[2])))
		least = math.Min(least, r.loose*b.enough(live)/(2*r.reach*size*r.metres[i]))
	}
	r.short = least >= shortSlack*shortStep
	r.shape()
	r.rest()
	r.findJumps(clip)
	return r
}

// shape finds the linear parts of all moments.
func (r *reducer) shape() {
	r.shapes = make([]skinning.Mat3, len(r.live))
	for i := range r.live {
		r.shapes[i] = r.live[i].shape()
	}
}

// rest keeps paths at rest that hardly move.
func (r *reducer) rest() {
	for path := range bonePaths {
		if path == evenPath {
			continue
		}
		rest := r.bone.rest.of(path)
		if isTurn(path) && skinning.Quat(rest).Dot(skinning.Quat(r.live[0].of(path))) < 0 {
			rest = skinning.Quat(rest).Scale(-1)
		}
		still := slices.Clone(r.live)
		for i := range still {
			still[i].set(path, rest)
			if path == translationPath && !r.well(i, &still[i], restShare, true, false) ||
				path != translationPath && !r.well(i, &still[i], restShare, false, true) {
				still = nil
				break
			}
		}
		if still != nil {
			r.live = still
			r.shape()
		}
	}
}

// findJumps marks the moments at which STEP channels jump.
func (r *reducer) findJumps(clip int) {
	r.jumps = make([]bool, len(r.times))
	c := &r.b.model.Clips[clip]
	at := map[float32]bool{}
	for i := range c.Channels {
		ch := &c.Channels[i]
		if ch.Interpolation == skinning.Step && ch.Path != skinning.PathWeights && r.b.moving[ch.Node] {
			for _, t := range ch.Times[1:] {
				at[t] = true
			}
		}
	}
	r.steps = len(at) > 0
	for i, t := range r.times {
		r.jumps[i] = at[t]
	}
}

// well reports whether a key is within a share of the error at a moment: its translation, its linear part, or both.
func (r *reducer) well(i int, key *boneKey, share float64, moved, shaped bool) bool {
	most := share * r.loose * r.b.enough(r.moments[i])
	var d mgl64.Vec3
	if moved {
		d = key.translation.Sub(r.live[i].translation)
	}
	if !shaped {
		return !(d.Len()*r.metres[i] > most)
	}
	off := key.shape()
	for e := range off {
		off[e] -= r.shapes[i][e]
	}
	most /= r.metres[i]
	sum := 0.0
	for _, e := range off {
		sum += e * e
	}
	if math.Sqrt(sum)*r.reach+d.Len() <= most {
		return true // whatever the corner
	}
	for _, corner := range r.corners {
		if v := off.Apply(corner).Add(d); v.Dot(v) > most*most {
			return false
		}
	}
	return true
}

// track keys the bone.
func (r *reducer) track() (t bakedTrack) {
	moved := &course{r: r, share: translationShare, moved: true}
	shaped := &course{r: r, share: shapeShare, shaped: true}
	for _, c := range [...]*course{moved, shaped} {
		c.choose()
	}
	for range mostRepairs {
		both := r.astray(moved, shaped)
		if !moved.add(both) && !shaped.add(both) {
			break
		}
	}
	t[translationPath] = r.pick(translationPath, moved)
	for _, path := range shapePaths {
		t[path] = r.pick(path, shaped)
	}
	return t
}

// astray returns the moments at which the two parts of a bone together are too far off.
func (r *reducer) astray(moved, shaped *course) (at []int) {
	var m, s int
	for i := range r.live {
		key, chord := shaped.shown(i, &s)
		position, _ := moved.shown(i, &m)
		key.translation = position.translation
		ok := r.well(i, &key, 1, true, true)
		if ok && chord != nil {
			chord.translation = position.translation
			ok = r.well(i, chord, 1, true, true)
		}
		if !ok {
			at = append(at, i)
		}
	}
	return at
}

// pick is a path's keys: one, where it is at rest.
func (r *reducer) pick(path int, c *course) pathKeys {
	rest := r.bone.rest.of(path)
	out := pathKeys{step: c.step, short: r.short && isTurn(path), rest: true}
	for n, i := range c.at {
		v := c.values[n].of(path)
		out.times, out.values = append(out.times, r.times[i]), append(out.values, v)
		same := v == rest || isTurn(path) && v == skinning.Quat(rest).Scale(-1)
		out.rest = out.rest && same
	}
	alike := func(v [4]float64) bool { return v == out.values[0] }
	if out.rest || !slices.ContainsFunc(out.values, func(v [4]float64) bool { return !alike(v) }) {
		out.times, out.values, out.step = out.times[:1], out.values[:1], false
	}
	if out.rest {
		out.values, out.short = [][4]float64{rest}, false
	}
	return out
}

// course is the course of the translation or of the linear part, and its keys.
type course struct {
	r             *reducer
	share         float64
	moved, shaped bool
	at            []int     // moments that have keys
	values        []boneKey // of these, as the file holds them
	step          bool
}

// choose finds keys: one, those of a course that jumps and is still, or those of one that moves.
func (c *course) choose() {
	if c.stepped() {
		return
	}
	n := len(c.r.live)
	c.at = append(c.at[:0], 0)
	for i := 0; i < n-1; {
		step := 1 // i + step is close enough
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
		for i := range c.r.live {
			key, chord := c.shown(i, &k)
			if !c.well(i, &key) || chord != nil && !c.well(i, chord) {
				astray = append(astray, i)
			}
		}
		if !c.add(astray) {
			return
		}
	}
}

// well reports whether a key is within the course's share.
func (c *course) well(i int, key *boneKey) bool { return c.r.well(i, key, c.share, c.moved, c.shaped) }

// stepped finds the keys of a course that is still but where STEP channels jump.
func (c *course) stepped() bool {
	n := len(c.r.live)
	for i := 0; i < n; {
		if i > 0 && !c.r.jumps[i] {
			return false
		}
		c.at, c.values = append(c.at, i), append(c.values, c.held(c.r.live[i]))
		// The key stands at its own moment, even where rounding has it too far off there.
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

// close reports whether linear keys at two moments stay close to the live course between them, before least squares.
func (c *course) close(from, to int) bool {
	a, b := &c.r.live[from], &c.r.live[to]
	well := func(i int) bool {
		key := straight(a, b, c.r.share(from, to, i))
		return c.r.well(i, &key, chordSlack*c.share, c.moved, c.shaped)
	}
	if middle := (from + to) / 2; middle > from && !well(middle) {
		return false // mostly the farthest off
	}
	for i := from + 1; i < to; i++ {
		if !well(i) {
			return false
		}
	}
	return true
}

// share returns how far a moment is from one to another.
func (r *reducer) share(from, to, i int) float64 {
	return (float64(r.times[i]) - float64(r.times[from])) / (float64(r.times[to]) - float64(r.times[from]))
}

// straight returns what a player shows that blends quaternions along the chord.
func straight(a, b *boneKey, u float64) boneKey {
	key := boneKey{translation: a.translation.Mul(1 - u).Add(b.translation.Mul(u)),
		scale: a.scale.Mul(1 - u).Add(b.scale.Mul(u)), even: a.even}
	for c := range key.outer {
		key.outer[c] = a.outer[c]*(1-u) + b.outer[c]*u
		key.inner[c] = a.inner[c]*(1-u) + b.inner[c]*u
	}
	return key
}

// shown returns what players show at a moment, and where those differ that blend quaternions along the chord, what they
// do. Cursor is where the keys of the moment before were.
func (c *course) shown(i int, cursor *int) (key boneKey, other *boneKey) {
	for *cursor+1 < len(c.at) && c.at[*cursor+1] <= i {
		*cursor++
	}
	n := *cursor
	if c.step || n+1 == len(c.at) || c.at[n] == i {
		return c.values[n], nil
	}
	a, b, u := &c.values[n], &c.values[n+1], c.r.share(c.at[n], c.at[n+1], i)
	chord := straight(a, b, u)
	if c.moved || !longTurned(a.outer, b.outer) && !longTurned(a.inner, b.inner) {
		return chord, nil
	}
	return between(a, b, u), &chord
}

// longTurned reports whether players differ between two rotations.
func longTurned(a, b skinning.Quat) bool { return !(a.Dot(b) >= 1-longTurn*longTurn/2) }

// add gives the course a key in every interval of its keys in which there is a moment of the list, in the middle of
// these, and moves all values. It reports whether there was room for any.
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
		case i > 0: // at the keys alone, which least squares moved: those in between hold them
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

// held returns a key as the file holds it.
func (c *course) held(key boneKey) boneKey {
	key = key.rounded()
	if c.r.short {
		key.outer, key.inner = shortened(key.outer), shortened(key.inner)
	}
	return key
}

// shortened returns a quaternion as normalised shorts hold it: of the sixteen around it one that is near and whose length
// is near 1, since not all players normalise it.
func shortened(q skinning.Quat) (best skinning.Quat) {
	const lengthWeight = 10
	least := math.Inf(1)
	for up := range 16 {
		var at skinning.Quat
		off := 0.0
		for c := range q {
			at[c] = math.Min((math.Floor(q[c]*32767)+float64(up>>c&1))/32767, 1)
			off += (at[c] - q[c]) * (at[c] - q[c])
		}
		long := at.Dot(at) - 1
		if cost := off + lengthWeight*long*long; cost < least {
			best, least = at, cost
		}
	}
	return best
}

// fit finds the values of all keys by least squares over the moments: of all numbers between which players interpolate
// linearly, or nearly so, one tridiagonal system for each.
func (c *course) fit() {
	n := len(c.at)
	diagonal, above := make([]float64, n), make([]float64, n)
	sums := make([][courseNumbers]float64, n)
	for i, k := 0, 0; i < len(c.r.live); i++ {
		for k+1 < n && c.at[k+1] <= i {
			k++
		}
		v := courseOf(&c.r.live[i])
		u := 0.0
		if k+1 < n && c.at[k] != i {
			u = c.r.share(c.at[k], c.at[k+1], i)
		}
		weight := 1.0
		if c.r.metres[i] == 0 {
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
	for k := 1; k < n; k++ { // every key has its own moment, so that all is positive
		f := above[k-1] / diagonal[k-1]
		diagonal[k] -= f * above[k-1]
		for e := range sums[k] {
			sums[k][e] -= f * sums[k-1][e]
		}
	}
	c.values = make([]boneKey, n)
	for k := n - 1; k >= 0; k-- {
		for e := range sums[k] {
			if k+1 < n {
				sums[k][e] -= above[k] * sums[k+1][e]
			}
			sums[k][e] /= diagonal[k]
		}
		c.values[k] = c.held(keyOf(&sums[k], c.r.live[c.at[k]].even))
	}
}

// courseNumbers is how many numbers a key has that are interpolated.
const courseNumbers = 14

func courseOf(k *boneKey) (v [courseNumbers]float64) {
	copy(v[:], k.translation[:])
	copy(v[3:], k.outer[:])
	copy(v[7:], k.scale[:])
	copy(v[10:], k.inner[:])
	return v
}

func keyOf(v *[courseNumbers]float64, even mgl64.Vec3) boneKey {
	return boneKey{translation: mgl64.Vec3(v[:3]), outer: skinning.Quat(v[3:7]).Normalize(), scale: mgl64.Vec3(v[7:10]),
		inner: skinning.Quat(v[10:]).Normalize(), even: even}
}
