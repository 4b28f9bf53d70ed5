package bake

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The translation of a bone has its own keys, and so has its linear part, each as few as its share of the error allows.
// U, Σ and Vᵀ are keyed together. Between keys U and V may both turn too far, and these turns cancel only if both have
// keys at the same times.
//
// Keys are found in three steps. First, each key is followed by the farthest one to which linear interpolation of live
// values stays within the allowed error times chordSlack. Then least squares moves all values, because chords between
// live values lie on the inner side of an arc. Last, an interval in which the error is still too large gets one key
// more.

// The shares of the allowed error for translation, and for rotation with scale. They add up to more than 1, since the
// two are rarely at their worst in one sample. Where they are, a key is added.
const (
	translationShare = 0.6
	shapeShare       = 1
)

// chordSlack multiplies the share of the error in the first step. Least squares halves the distance of a chord from an
// arc, but not from a corner, and motion capture has a corner at every key. With more slack than this the last step
// adds more keys than the first has saved.
const chordSlack = 1.3

// restShare is a share of the allowed error. A path whose error at its rest value stays within it is kept at rest.
const restShare = 0.05

// mostRepairs bounds the rounds in which keys are added where the error is too large.
const mostRepairs = 12

// shortStep is the distance between two neighbouring normalised shorts. A bone's rotations are stored as shorts where a
// quaternion may be off by at least shortSlack such steps.
const (
	shortStep  = 1. / 32767
	shortSlack = 2.5
)

// longTurn is half an angle between two keys, in radians. Some players blend quaternions by slerp, others linearly.
// Below longTurn the two differ by less than 1e-7. Above it both must be close to the live course.
const longTurn = 0.02

// reducer keys one bone in one clip.
type reducer struct {
	b       *Baker
	k       int // the bone's index
	bone    *Bone
	times   []float32
	samples []*sample
	live    []Key   // the bone's keys, one per sample
	loose   float64 // the factor on the allowed error of the bone

	// What prepare finds.
	shapes  []geom.Mat3  // the linear parts of live
	metres  []float64    // per sample, the parent's unit in metres; 0 where the bone cannot be seen
	corners []mgl64.Vec3 // of the bone's box, in the node's space
	reach   float64      // the distance of the farthest corner
	jumps   []bool       // per sample: a STEP channel jumps there
	steps   bool         // whether jumps has any
	short   bool         // rotations are stored as normalised shorts
}

// prepare computes the fields above from live. Gone marks the samples in which the bone cannot be seen, see
// [Baker.split].
func (r *reducer) prepare(clip int, gone []bool) {
	r.metres = make([]float64, len(r.times))
	for _, corner := range r.bone.corners {
		r.corners = append(r.corners, r.bone.FromRest.Apply(corner))
		r.reach = math.Max(r.reach, r.corners[len(r.corners)-1].Len())
	}
	least := math.Inf(1) // the allowed error of a quaternion; one that is off by d turns by 2d
	for i, live := range r.samples {
		if gone[i] {
			continue
		}
		r.metres[i] = stretchOf(r.b.parent(r.k, live))
		s, e := r.live[i].Scale, r.live[i].even
		size := math.Max(math.Abs(s[0]*e[0]), math.Max(math.Abs(s[1]*e[1]), math.Abs(s[2]*e[2])))
		least = math.Min(least, r.loose*r.b.enough(live)/(2*r.reach*size*r.metres[i]))
	}
	r.short = least >= shortSlack*shortStep
	r.shape()
	r.rest()
	r.findJumps(clip)
}

// shape computes the linear parts of the keys of all samples.
func (r *reducer) shape() {
	r.shapes = slices.Grow(r.shapes[:0], len(r.live))[:len(r.live)]
	for i := range r.live {
		r.shapes[i] = r.live[i].shape()
	}
}

// rest keeps a path at its rest value where it hardly moves.
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

// findJumps marks the samples where STEP channels jump.
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

// well reports whether the error of a key's translation, linear part or both is within a share of the allowed error.
func (r *reducer) well(i int, key *Key, share float64, moved, shaped bool) bool {
	most := share * r.loose * r.b.enough(r.samples[i])
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
		return true // in every corner of the box
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

// astray returns the samples in which translation and linear part together have too large an error.
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

// pick returns a path's keys. A path at rest has one.
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
