package bake

import (
	"slices"

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

// numbers returns the numbers of a key on a path, to be read and set.
func (k *Key) numbers(path int) []float64 {
	return [BonePaths][]float64{k.Translation[:], k.Outer[:], k.Scale[:], k.Inner[:], k.even[:]}[path]
}

// of returns a key's values on a path.
func (k *Key) of(path int) (v [4]float64) {
	copy(v[:], k.numbers(path))
	return v
}

// set sets a key's values on a path.
func (k *Key) set(path int, v [4]float64) { copy(k.numbers(path), v[:]) }

// PathKeys are the keys of one path in a clip.
type PathKeys struct {
	Times  []float32
	Values [][4]float64
	Step   bool // STEP, else LINEAR
	Rest   bool // the path has one key, its rest value
}

// Track is one added bone's keys in a clip, path by path. Paths that are not constant have the same times.
type Track [BonePaths]PathKeys

// boneKeys are one added bone's keys in a clip.
type boneKeys struct {
	times []float32
	keys  []Key
	step  bool
}

// at returns what a player shows at a time.
func (b *boneKeys) at(seconds float32) Key {
	after, found := slices.BinarySearch(b.times, seconds)
	switch {
	case found:
		return b.keys[after]
	case after == 0 || b.step || after == len(b.times):
		return b.keys[max(after-1, 0)]
	}
	return between(&b.keys[after-1], &b.keys[after], fraction(seconds, b.times[after-1], b.times[after]))
}

// track returns the keys path by path. A path that is constant has one.
func (b *boneKeys) track(rest *Key) (out Track) {
	for path := range out {
		p := PathKeys{Times: b.times, Rest: true, Step: b.step && len(b.times) > 1}
		still, constant := rest.of(path), true
		for i := range b.keys {
			v := b.keys[i].of(path)
			p.Values = append(p.Values, v)
			p.Rest = p.Rest && (v == still || isTurn(path) && v == geom.Quat(still).Scale(-1))
			constant = constant && v == p.Values[0]
		}
		if p.Rest || constant {
			p.Times, p.Values, p.Step = p.Times[:1], p.Values[:1], false
		}
		if p.Rest {
			p.Values[0] = still
		}
		out[path] = p
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

// moment is the live motion of a bone in one sample.
type moment struct {
	seconds float32
	key     Key         // that gives the transform of its node below its parent
	local   geom.Affine // that transform, before the key was rounded to float32
	allowed float64     // the allowed error of the bone below its parent, in the parent's units
	gone    bool        // the bone cannot be seen, because its parent is scaled to zero; it keeps the key before
}

// moments returns a bone's motion in samples of rising times. The allowed errors are those of vertices, times loose.
func (b *Baker) moments(k int, samples []*sample, loose float64) (out []moment, fault boneFault) {
	bone := &b.bones[k]
	out = make([]moment, len(samples))
	track := newBoneTrack(bone.Nested)
	for i, live := range samples {
		m := &out[i]
		m.seconds = live.seconds
		local, ok := b.local(k, live)
		switch {
		case ok:
			m.local, m.allowed = local, loose*live.allowed/stretchOf(b.parent(k, live))
		case bone.Parent != bone.Fallback:
			return nil, parentVanishes
		case i > 0:
			m.key, m.gone = out[i-1].key, true
			continue
		default:
			local, m.gone = bone.Rest.affine(), true
		}
		if bone.Nested {
			local = spread(local)
		}
		key, shear := track.next(local)
		if shear && !bone.Nested {
			return nil, hasShear
		}
		m.key = key.rounded()
		if bone.Nested {
			m.key.even = unspread()
		}
	}
	return out, noFault
}
