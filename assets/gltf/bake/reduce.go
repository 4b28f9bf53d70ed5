package bake

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// A bone's translation, and its rotations and scales, are keyed apart, each with as few keys as its share of the error
// needs. U, Σ and Vᵀ have keys together: what U and V turn too far cancels between keys only where both have them.
//
// Three steps lead to the keys. First, from each key the next one is as far away as linear interpolation between the
// two live values allows, with somewhat more than the error. Then least squares moves all values, so that chords lie
// on both sides of the course and not below its arcs. Last, an interval in which the course still strays gets one key
// more.

// The shares of the error. They add up to more than all of it, since both parts are rarely at their worst at once, and
// where they are there is one more key.
const (
	translationShare = 0.6
	shapeShare       = 1
)

// chordSlack multiplies the share of the error in the first step, before least squares. Least squares halves the
// distance of a chord from an arc, but not from a corner, and motion capture has a corner at every key: with more
// slack than this the last step adds more keys than the first has saved.
const chordSlack = 1.3

// restShare is a part of the allowed error. A path that stays within it of its rest value is kept at rest.
const restShare = 0.05

// mostRepairs bounds how often keys are added where a bone strays.
const mostRepairs = 12

// shortStep is the distance between two normalised shorts. A bone's rotations are kept in shorts where the error
// allows a quaternion to be off by shortSlack such steps or more.
const (
	shortStep  = 1. / 32767
	shortSlack = 2.5
)

// longTurn is half an angle between two keys, in radians. Some players blend quaternions along the arc, others along
// the chord. Below longTurn the two differ by less than 1e-7; above it both must be close to the live course.
const longTurn = 0.02

// reducer keys one bone in one clip.
type reducer struct {
	b       *Baker
	bone    *Bone
	times   []float32
	moments []*moment
	live    []Key
	shapes  []geom.Mat3  // of these
	loose   float64      // how many times the error that is allowed the bone may be off
	metres  []float64    // per moment: a unit of the parent's space; 0 where nothing can be seen
	corners []mgl64.Vec3 // of the box, in the space of the node
	reach   float64      // of the farthest corner
	jumps   []bool       // per moment: a STEP channel jumps there
	steps   bool         // there are any
	short   bool         // rotations are kept in normalised shorts
}

// newReducer prepares the keys of bone k.
func newReducer(b *Baker, k int, clip int, times []float32, moments []*moment, keys []Key, gone []bool,
	loose float64) *reducer {
	r := &reducer{b: b, bone: &b.bones[k], times: times, moments: moments, live: keys, loose: loose,
		metres: make([]float64, len(times))}
	for _, corner := range r.bone.corners {
		r.corners = append(r.corners, r.bone.FromRest.Apply(corner))
		r.reach = math.Max(r.reach, r.corners[len(r.corners)-1].Len())
	}
	least := math.Inf(1) // that a quaternion may be off: one that is off by d turns by 2d
	for i, live := range moments {
		if gone[i] {
			continue
		}
		r.metres[i] = stretchOf(b.parent(k, live))
		s, e := keys[i].Scale, keys[i].even
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
	r.shapes = slices.Grow(r.shapes[:0], len(r.live))[:len(r.live)]
	for i := range r.live {
		r.shapes[i] = r.live[i].shape()
	}
}

// rest keeps paths at rest that hardly move.
func (r *reducer) rest() {
	for path := range BonePaths {
		if path == EvenPath {
			continue
		}
		rest := r.bone.Rest.of(path)
		if isTurn(path) && geom.Quat(rest).Dot(geom.Quat(r.live[0].of(path))) < 0 {
			rest = geom.Quat(rest).Scale(-1)
		}
		moves := false
		for i := 0; i < len(r.live) && !moves; i++ {
			still := r.live[i]
			still.set(path, rest)
			moves = !r.well(i, &still, restShare, path == translationPath, path != translationPath)
		}
		if moves {
			continue
		}
		for i := range r.live {
			r.live[i].set(path, rest)
		}
		if path != translationPath {
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
func (r *reducer) well(i int, key *Key, share float64, moved, shaped bool) bool {
	most := share * r.loose * r.b.enough(r.moments[i])
	var d mgl64.Vec3
	if moved {
		d = key.Translation.Sub(r.live[i].Translation)
	}
	if !shaped {
		return !(d.Len()*r.metres[i] > most)
	}
	off := key.shape()
	live := &r.shapes[i]
	sum := 0.0
	for e := range off {
		off[e] -= live[e]
		sum += off[e] * off[e]
	}
	most /= r.metres[i]
	if math.Sqrt(sum)*r.reach+d.Len() <= most {
		return true // whatever the corner
	}
	for c := range r.corners {
		p := &r.corners[c]
		x := off[0]*p[0] + off[1]*p[1] + off[2]*p[2] + d[0]
		y := off[3]*p[0] + off[4]*p[1] + off[5]*p[2] + d[1]
		z := off[6]*p[0] + off[7]*p[1] + off[8]*p[2] + d[2]
		if x*x+y*y+z*z > most*most {
			return false
		}
	}
	return true
}

// track keys the bone.
func (r *reducer) track() (t Track) {
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
	var key Key
	for i := range r.live {
		moved.show(i, &m, &key)
		ends := shaped.show(i, &s, &key)
		if !r.well(i, &key, 1, true, true) || ends.turn(&key) && !r.well(i, &key, 1, true, true) {
			at = append(at, i)
		}
	}
	return at
}

// pick is a path's keys: one, where it is at rest.
func (r *reducer) pick(path int, c *course) PathKeys {
	rest := r.bone.Rest.of(path)
	out := PathKeys{Step: c.step, Short: r.short && isTurn(path), Rest: true}
	for n, i := range c.at {
		v := c.values[n].of(path)
		out.Times, out.Values = append(out.Times, r.times[i]), append(out.Values, v)
		same := v == rest || isTurn(path) && v == geom.Quat(rest).Scale(-1)
		out.Rest = out.Rest && same
	}
	alike := func(v [4]float64) bool { return v == out.Values[0] }
	if out.Rest || !slices.ContainsFunc(out.Values, func(v [4]float64) bool { return !alike(v) }) {
		out.Times, out.Values, out.Step = out.Times[:1], out.Values[:1], false
	}
	if out.Rest {
		out.Values, out.Short = [][4]float64{rest}, false
	}
	return out
}

// course is the course of the translation or of the linear part, and its keys.
type course struct {
	r             *reducer
	share         float64
	moved, shaped bool
	at            []int // moments that have keys
	values        []Key // of these, as the file holds them
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

// well reports whether a key is within the course's share.
func (c *course) well(i int, key *Key) bool { return c.r.well(i, key, c.share, c.moved, c.shaped) }

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
	var key Key
	well := func(i int) bool {
		c.mix(&key, a, b, c.r.share(from, to, i))
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

// mix sets the course's part of a key to what a player shows that blends quaternions along the chord.
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

// show sets the course's part of a key to what players show at a moment that blend quaternions along the chord. Cursor
// is where the keys of the moment before were. Ends are the keys between which others show something else, or none.
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

// keyPair is two keys and a fraction of the way between them.
type keyPair struct {
	a, b *Key
	u    float64
}

// turn sets the rotations of a key to what players show that blend quaternions along the arc, where there are two.
func (p keyPair) turn(key *Key) bool {
	if p.a == nil {
		return false
	}
	key.Outer, key.Inner = along(&p.a.Outer, &p.b.Outer, p.u), along(&p.a.Inner, &p.b.Inner, p.u)
	return true
}

// longTurned reports whether players differ between two rotations.
func longTurned(a, b *geom.Quat) bool { return !(a.Dot(*b) >= 1-longTurn*longTurn/2) }

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
func (c *course) held(key Key) Key {
	key = key.rounded()
	if c.r.short && c.shaped {
		key.Outer, key.Inner = shortened(key.Outer), shortened(key.Inner)
	}
	return key
}

// shortened returns a quaternion as normalised shorts hold it: of the sixteen around it one that is near and whose
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

// fit finds the values of all keys by least squares over the moments: of all numbers between which players interpolate
// linearly, or nearly so, one tridiagonal system for each.
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
	for k := 1; k < n; k++ { // every key has its own moment, so that all is positive
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

// courseNumbers is how many numbers a key has at most that are interpolated.
const courseNumbers = 11

// numbers is how many numbers of a key the course interpolates.
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

// take reads these numbers, put makes a key of them.
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
