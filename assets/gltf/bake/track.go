package bake

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// These are the animated properties of an added bone's nodes.
const (
	translationPath = iota
	outerPath       // the rotation U
	scalePath       // Σ
	InnerPath       // the rotation Vᵀ of the inner node
	EvenPath        // its scale E
	BonePaths
)

// shapePaths are those of the linear part.
var shapePaths = [...]int{outerPath, scalePath, InnerPath, EvenPath}

var PathWidth = [BonePaths]int{3, 4, 3, 4, 3}

// isTurn reports whether the values of a path are quaternions.
func isTurn(path int) bool { return path == outerPath || path == InnerPath }

// of returns a key's values on a path.
func (k *Key) of(path int) (v [4]float64) {
	switch path {
	case translationPath:
		copy(v[:], k.Translation[:])
	case outerPath:
		v = k.Outer
	case scalePath:
		copy(v[:], k.Scale[:])
	case InnerPath:
		v = k.Inner
	case EvenPath:
		copy(v[:], k.even[:])
	default:
		panic(fmt.Sprintf("bake: a bone has no path %d", path))
	}
	return v
}

// set sets a key's values on a path.
func (k *Key) set(path int, v [4]float64) {
	switch path {
	case translationPath:
		k.Translation = mgl64.Vec3(v[:3])
	case outerPath:
		k.Outer = v
	case scalePath:
		k.Scale = mgl64.Vec3(v[:3])
	case InnerPath:
		k.Inner = v
	case EvenPath:
		k.even = mgl64.Vec3(v[:3])
	default:
		panic(fmt.Sprintf("bake: a bone has no path %d", path))
	}
}

// PathKeys are the keys of one path in a clip.
type PathKeys struct {
	Times  []float32
	Values [][4]float64
	Step   bool // STEP, else LINEAR
	Short  bool // values are multiples of 1/32767
	Rest   bool // the path has one key, its rest value
}

// Track is one added bone's keys in a clip, path by path.
type Track [BonePaths]PathKeys

// still is the track of a bone that stays at rest.
func (b *Bone) still(at float32) (t Track) {
	for path := range t {
		t[path] = PathKeys{Times: []float32{at}, Values: [][4]float64{b.Rest.of(path)}, Rest: true}
	}
	return t
}

// at returns what a player shows at a time. Cursor holds the last position on each path; times must rise from call to
// call.
func (t *Track) at(seconds float32, cursor *[BonePaths]int) (key Key) {
	for path := range t {
		p := &t[path]
		i := cursor[path]
		for i+1 < len(p.Times) && p.Times[i+1] <= seconds {
			i++
		}
		cursor[path] = i
		key.set(path, p.between(i, seconds, isTurn(path)))
	}
	return key
}

// cursor returns the position on each path at a time.
func (t *Track) cursor(seconds float32) (at [BonePaths]int) {
	for path := range t {
		times := t[path].Times
		at[path] = max(sort.Search(len(times), func(i int) bool { return times[i] > seconds })-1, 0)
	}
	return at
}

// between returns what a player shows at a time after key i.
func (p *PathKeys) between(i int, seconds float32, turn bool) [4]float64 {
	if p.Step || i+1 >= len(p.Times) || !(seconds > p.Times[i]) {
		return p.Values[i]
	}
	u := (float64(seconds) - float64(p.Times[i])) / (float64(p.Times[i+1]) - float64(p.Times[i]))
	if turn {
		return along((*geom.Quat)(&p.Values[i]), (*geom.Quat)(&p.Values[i+1]), u)
	}
	return mixed(&p.Values[i], &p.Values[i+1], u)
}

// mixed returns a·(1 − u) + b·u.
func mixed(a, b *[4]float64, u float64) (out [4]float64) {
	for c := range out {
		out[c] = a[c]*(1-u) + b[c]*u
	}
	return out
}

// boneFault is why a bone cannot be keyed below its present parent.
type boneFault uint8

const (
	noFault        boneFault = iota
	parentVanishes           // the parent is scaled to zero in some sample
	hasShear                 // the matrices have shear, which needs two nodes
)

// mend gives a bone with a fault another parent or, where that does not help, a second node.
func (b *Bone) mend(f boneFault) {
	if b.Parent != b.Fallback {
		b.Parent = b.Fallback
	} else if f == hasShear {
		b.Nested = true
	}
}

// split returns a bone's keys in samples of rising times. V depends on all of them. Gone marks the samples in which the
// bone cannot be seen, because its parent is scaled to zero. There it keeps the key before.
func (b *Baker) split(k int, samples []*sample, scratch *poser) (keys []Key, gone []bool, fault boneFault) {
	bone := &b.bones[k]
	keys, gone = make([]Key, len(samples)), make([]bool, len(samples))
	scratch.shapes = slices.Grow(scratch.shapes[:0], len(samples))[:len(samples)]
	shapes := scratch.shapes
	for i, live := range samples {
		var ok bool
		switch shapes[i], ok = b.stretched(k, live); {
		case ok:
			continue
		case bone.Parent != bone.Fallback:
			return nil, nil, parentVanishes
		case i > 0:
			shapes[i] = shapes[i-1]
		default:
			rest := bone.Rest.affine()
			if bone.Nested {
				rest = spread(rest)
			}
			shapes[i] = stretch(rest, bone.Nested)
		}
		gone[i] = true
	}
	if splitTrack(shapes, bone.Nested, keys) {
		return nil, nil, hasShear
	}
	for i := range keys {
		if keys[i] = keys[i].rounded(); bone.Nested {
			keys[i].even = unspread()
		}
	}
	return keys, gone, noFault
}

// splitAfter splits the matrix of a sample so that it continues the key before.
func (b *Baker) splitAfter(k int, live *sample, before *Key) (key Key, fault boneFault) {
	bone := &b.bones[k]
	shape, ok := b.stretched(k, live)
	if !ok && bone.Parent != bone.Fallback {
		return key, parentVanishes
	} else if !ok {
		return *before, noFault
	}
	track := boneTrack{bone.Nested, before.Inner.Mat3().Transpose(), *before}
	key, shear := track.next(&shape)
	if shear && !bone.Nested {
		return key, hasShear
	}
	if bone.Nested {
		key.even = unspread()
	}
	return key.rounded(), noFault
}

// stretched returns the polar decomposition of the matrix that becomes a bone's key. It is not ok where the bone cannot
// be seen.
func (b *Baker) stretched(k int, live *sample) (out stretched, ok bool) {
	local, ok := b.local(k, live)
	if !ok {
		return out, false
	}
	if b.bones[k].Nested {
		local = spread(local)
	}
	return stretch(local, b.bones[k].Nested), true
}

// keyBone keys a bone with as few keys as its allowed error, times loose, needs. The times must have been sampled.
// Where fixed times are given, the keys are at these.
func (b *Baker) keyBone(
	k int, times []float32, samples *clipSamples, fixed []float32, loose float64, scratch *poser,
) (track Track, f boneFault) {
	bone := &b.bones[k]
	if bone.unused {
		return bone.still(times[0]), noFault
	}
	live := samples.all(times)
	keys, gone, f := b.split(k, live, scratch)
	if f != noFault {
		return track, f
	}
	if fixed != nil {
		for path := range track {
			track[path] = fixedKeys(times, keys, fixed, path, bone.Rest.of(path))
		}
		return track, noFault
	}
	r := reducer{b: b, k: k, bone: bone, times: times, samples: live, live: keys, loose: loose}
	r.prepare(samples.clip, gone)
	return r.track(), noFault
}

// follow returns the error of a bone's track in every sample, metres.
func (b *Baker) follow(k int, samples *clipSamples, track *Track) []float64 {
	strays := make([]float64, len(samples.times))
	if b.bones[k].unused {
		return strays
	}
	var cursor [BonePaths]int
	for i, live := range samples.ordered {
		key := track.at(samples.times[i], &cursor)
		strays[i] = b.stray(k, live, &key)
	}
	return strays
}

// fixedKeys keys a path at given times, which must be among all times.
func fixedKeys(all []float32, keys []Key, times []float32, path int, rest [4]float64) (out PathKeys) {
	still := true
	for _, t := range times {
		i, _ := slices.BinarySearch(all, t)
		v := keys[i].of(path)
		out.Times, out.Values = append(out.Times, t), append(out.Values, v)
		for c := range v {
			still = still && math.Abs(v[c]-rest[c]) <= 5e-7*math.Max(1, math.Abs(rest[c]))
		}
	}
	if still {
		return PathKeys{Times: times[:1], Values: [][4]float64{rest}, Rest: true}
	}
	return out
}
