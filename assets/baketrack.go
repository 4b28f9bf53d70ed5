package assets

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// The animated properties of an added bone's nodes, and how many numbers each has.
const (
	translationPath = iota
	outerPath       // the rotation U
	scalePath       // Σ
	innerPath       // the rotation Vᵀ of the inner node
	evenPath        // its scale E
	bonePaths
)

// shapePaths are those of the linear part.
var shapePaths = [...]int{outerPath, scalePath, innerPath, evenPath}

var pathWidth = [bonePaths]int{3, 4, 3, 4, 3}

// isTurn tells the paths that are quaternions.
func isTurn(path int) bool { return path == outerPath || path == innerPath }

// of returns a path's numbers of a key.
func (k *boneKey) of(path int) (v [4]float64) {
	switch path {
	case translationPath:
		copy(v[:], k.translation[:])
	case outerPath:
		v = k.outer
	case scalePath:
		copy(v[:], k.scale[:])
	case innerPath:
		v = k.inner
	case evenPath:
		copy(v[:], k.even[:])
	default:
		panic(fmt.Sprintf("assets: a bone has no path %d", path))
	}
	return v
}

// set sets a path's numbers of a key.
func (k *boneKey) set(path int, v [4]float64) {
	switch path {
	case translationPath:
		k.translation = mgl64.Vec3(v[:3])
	case outerPath:
		k.outer = v
	case scalePath:
		k.scale = mgl64.Vec3(v[:3])
	case innerPath:
		k.inner = v
	case evenPath:
		k.even = mgl64.Vec3(v[:3])
	default:
		panic(fmt.Sprintf("assets: a bone has no path %d", path))
	}
}

// pathKeys are the keys of one path in a clip.
type pathKeys struct {
	times  []float32
	values [][4]float64
	step   bool // STEP, else LINEAR
	short  bool // values are multiples of 1/32767
	rest   bool // one key, in which the path is as at rest
}

// bakedTrack is one added bone's keys in a clip, path by path.
type bakedTrack [bonePaths]pathKeys

// still is the track of a bone that stays at rest.
func (b *bakedBone) still(at float32) (t bakedTrack) {
	for path := range t {
		t[path] = pathKeys{times: []float32{at}, values: [][4]float64{b.rest.of(path)}, rest: true}
	}
	return t
}

// at returns what a player shows at a time. Cursor holds where each path was found last; times rise from call to call.
func (t *bakedTrack) at(seconds float32, cursor *[bonePaths]int) (key boneKey) {
	for path := range t {
		p := &t[path]
		i := cursor[path]
		for i+1 < len(p.times) && p.times[i+1] <= seconds {
			i++
		}
		cursor[path] = i
		key.set(path, p.between(i, seconds, isTurn(path)))
	}
	return key
}

// cursor returns where the paths are at a time.
func (t *bakedTrack) cursor(seconds float32) (at [bonePaths]int) {
	for path := range t {
		times := t[path].times
		at[path] = max(sort.Search(len(times), func(i int) bool { return times[i] > seconds })-1, 0)
	}
	return at
}

// between returns what a player shows at a time behind key i.
func (p *pathKeys) between(i int, seconds float32, turn bool) [4]float64 {
	if p.step || i+1 >= len(p.times) || !(seconds > p.times[i]) {
		return p.values[i]
	}
	u := (float64(seconds) - float64(p.times[i])) / (float64(p.times[i+1]) - float64(p.times[i]))
	if turn {
		return along((*geom.Quat)(&p.values[i]), (*geom.Quat)(&p.values[i+1]), u)
	}
	return mixed(&p.values[i], &p.values[i+1], u)
}

// mixed returns a·(1 − u) + b·u.
func mixed(a, b *[4]float64, u float64) (out [4]float64) {
	for c := range out {
		out[c] = a[c]*(1-u) + b[c]*u
	}
	return out
}

// boneFault is what keeps a bone from being keyed as it hangs.
type boneFault uint8

const (
	noFault        boneFault = iota
	parentVanishes           // the parent is scaled to nothing somewhere
	hasShear                 // one node does not hold the shear
)

// mend lets a bone with a fault hang elsewhere or, where that does not help, become two nodes.
func (b *bakedBone) mend(f boneFault) {
	if b.parent != b.fallback {
		b.parent = b.fallback
	} else if f == hasShear {
		b.nested = true
	}
}

// split returns a bone's keys at moments in order: which way V runs depends on all. Gone says where nothing can be seen,
// since the parent is scaled to nothing; there the bone stays what it was.
func (b *baker) split(k int, moments []*moment, scratch *poser) (keys []boneKey, gone []bool, fault boneFault) {
	bone := &b.bones[k]
	keys, gone = make([]boneKey, len(moments)), make([]bool, len(moments))
	scratch.shapes = slices.Grow(scratch.shapes[:0], len(moments))[:len(moments)]
	shapes := scratch.shapes
	for i, live := range moments {
		var ok bool
		switch shapes[i], ok = b.stretched(k, live); {
		case ok:
			continue
		case bone.parent != bone.fallback:
			return nil, nil, parentVanishes
		case i > 0:
			shapes[i] = shapes[i-1]
		default:
			rest := bone.rest.affine()
			if bone.nested {
				rest = spread(rest)
			}
			shapes[i] = stretch(rest, bone.nested)
		}
		gone[i] = true
	}
	if splitTrack(shapes, bone.nested, keys) {
		return nil, nil, hasShear
	}
	for i := range keys {
		if keys[i] = keys[i].rounded(); bone.nested {
			keys[i].even = unspread()
		}
	}
	return keys, gone, noFault
}

// splitAfter returns a bone's key at a moment from the key before.
func (b *baker) splitAfter(k int, live *moment, before *boneKey) (key boneKey, fault boneFault) {
	bone := &b.bones[k]
	shape, ok := b.stretched(k, live)
	if !ok && bone.parent != bone.fallback {
		return key, parentVanishes
	} else if !ok {
		return *before, noFault
	}
	track := boneTrack{bone.nested, before.inner.Mat3().Transpose(), *before}
	key, shear := track.next(&shape)
	if shear && !bone.nested {
		return key, hasShear
	}
	if bone.nested {
		key.even = unspread()
	}
	return key.rounded(), noFault
}

// stretched returns the stretch of what a bone's key at a moment is split from. It is not ok where nothing can be seen.
func (b *baker) stretched(k int, live *moment) (out stretched, ok bool) {
	local, ok := b.local(k, live)
	if !ok {
		return out, false
	}
	if b.bones[k].nested {
		local = spread(local)
	}
	return stretch(local, b.bones[k].nested), true
}

// keyBone keys a bone with as few keys as so many times the error that is allowed needs, at times that have been
// sampled; or, where fixed times are given, at these.
func (b *baker) keyBone(
	k int, times []float32, moments *clipMoments, fixed []float32, loose float64, scratch *poser,
) (track bakedTrack, f boneFault) {
	bone := &b.bones[k]
	if bone.idle {
		return bone.still(times[0]), noFault
	}
	live := moments.all(times)
	keys, gone, f := b.split(k, live, scratch)
	if f != noFault {
		return track, f
	}
	if fixed != nil {
		for path := range track {
			track[path] = fixedKeys(times, keys, fixed, path, bone.rest.of(path))
		}
		return track, noFault
	}
	return newReducer(b, k, moments.clip, times, live, keys, gone, loose).track(), noFault
}

// follow returns how far a bone's track is off at every moment, metres.
func (b *baker) follow(k int, moments *clipMoments, track *bakedTrack) []float64 {
	strays := make([]float64, len(moments.times))
	if b.bones[k].idle {
		return strays
	}
	var cursor [bonePaths]int
	for i, live := range moments.ordered {
		key := track.at(moments.times[i], &cursor)
		strays[i] = b.stray(k, live, &key)
	}
	return strays
}

// fixedKeys keys a path at given times, which are among the moments.
func fixedKeys(all []float32, keys []boneKey, times []float32, path int, rest [4]float64) (out pathKeys) {
	still := true
	for _, t := range times {
		i, _ := slices.BinarySearch(all, t)
		v := keys[i].of(path)
		out.times, out.values = append(out.times, t), append(out.values, v)
		for c := range v {
			still = still && math.Abs(v[c]-rest[c]) <= 5e-7*math.Max(1, math.Abs(rest[c]))
		}
	}
	if still {
		return pathKeys{times: times[:1], values: [][4]float64{rest}, rest: true}
	}
	return out
}
