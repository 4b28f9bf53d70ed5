package bake

import (
	"fmt"
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

// at returns what a player shows at a time.
func (t *Track) at(seconds float32) (key Key) {
	for path := range t {
		p := &t[path]
		after := sort.Search(len(p.Times), func(i int) bool { return p.Times[i] > seconds })
		key.set(path, p.between(max(after-1, 0), seconds, isTurn(path)))
	}
	return key
}

// between returns what a player shows at a time after key i.
func (p *PathKeys) between(i int, seconds float32, turn bool) [4]float64 {
	if p.Step || i+1 >= len(p.Times) || !(seconds > p.Times[i]) {
		return p.Values[i]
	}
	u := (float64(seconds) - float64(p.Times[i])) / (float64(p.Times[i+1]) - float64(p.Times[i]))
	if turn {
		return slerp((*geom.Quat)(&p.Values[i]), (*geom.Quat)(&p.Values[i+1]), u)
	}
	return geom.Quat(p.Values[i]).Scale(1 - u).Add(geom.Quat(p.Values[i+1]).Scale(u))
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
func (b *Baker) split(k int, samples []*sample) (keys []Key, gone []bool, fault boneFault) {
	bone := &b.bones[k]
	keys, gone = make([]Key, len(samples)), make([]bool, len(samples))
	shapes := make([]stretched, len(samples))
	for i, live := range samples {
		var ok bool
		shapes[i], ok = b.stretched(k, live)
		switch {
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
		keys[i] = keys[i].rounded()
		if bone.Nested {
			keys[i].even = unspread()
		}
	}
	return keys, gone, noFault
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
