package retarget

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// Retargeter makes clips of a character from clips of another model. It is for one goroutine.
type Retargeter struct {
	character, motion *skinning.Model
	body, source      anatomy.Body
	pairs             []pair
	at                []int // by node of the character, its pair; −1 for none
	rest, sourceRest  []geom.Affine
	turn              geom.Mat3  // A
	up                mgl64.Vec3 // of the character
	same              bool       // the skeletons are one
	scale             float64    // k
	localScale        float64    // the factor of local translations where the skeletons are one
	localLimit        float64    // how far they may be off
	leg               float64    // length of the motion's legs, 0 without
}

// pair is a joint and the one that it follows.
type pair struct {
	Pair
	above  int       // the nearest pair above, −1 for none
	q      geom.Mat3 // Q
	moves  bool      // translations are carried
	copied bool      // the motion's keys are taken as they are
}

// New compares the rest poses of what is matched.
func New(m *Matches) *Retargeter {
	r := &Retargeter{character: m.character, motion: m.motion, body: m.body, source: m.source,
		rest: anatomy.BindGlobals(&m.character.Skeleton), sourceRest: anatomy.BindGlobals(&m.motion.Skeleton),
		turn: geom.Identity3(), up: mgl64.Vec3{0, 1, 0}, same: len(m.Pairs) > 0}
	r.at = slices.Repeat([]int{-1}, len(r.character.Skeleton.Nodes))
	for k, p := range m.Pairs {
		r.at[p.Node] = k
		r.pairs = append(r.pairs, pair{Pair: p, above: r.pairAbove(p.Node)})
	}
	r.findSame()
	r.findTurn()
	r.compareRest()
	r.findScale()
	r.findMoving()
	return r
}

// pairAbove returns the nearest pair above a node, −1 for none.
func (r *Retargeter) pairAbove(node int) int {
	for p := r.character.Skeleton.Nodes[node].Parent; p >= 0; p = r.character.Skeleton.Nodes[p].Parent {
		if r.at[p] >= 0 {
			return r.at[p]
		}
	}
	return -1
}

// findMoving finds the pairs whose translations are carried: the hips and what is above them; of a character without
// hips the roots.
func (r *Retargeter) findMoving() {
	for k := range r.pairs {
		r.pairs[k].copied = r.copies(&r.pairs[k])
	}
	hips := r.body["hips"]
	if len(hips) == 0 {
		below := make([]bool, len(r.at)) // another joint
		for _, j := range r.character.Skeleton.Joints {
			below[j.Node] = below[j.Node] || j.Parent >= 0
		}
		for k := range r.pairs {
			r.pairs[k].moves = r.pairs[k].above < 0 && !below[r.pairs[k].Node]
		}
		return
	}
	at := r.at[hips[0]]
	if at < 0 {
		at = r.pairAbove(hips[0])
	}
	for ; at >= 0; at = r.pairs[at].above {
		r.pairs[at].moves = true
	}
}

// Clip makes a clip of the character from a clip of the motion, whose name it has. It has no channels if the clip moves
// nothing that a joint follows.
func (r *Retargeter) Clip(clip int) skinning.Clip {
	from := &r.motion.Clips[clip]
	out := skinning.Clip{Name: from.Name}
	r.copyKeys(&out, from)
	times, interpolation := r.keyTimes(from)
	if len(times) > 0 {
		r.solve(&out, clip, times, interpolation)
	}
	return skinning.NewClip(from.Name, out.Channels)
}

// copyKeys takes the keys of joints of the same skeleton, and of morph targets of the same names.
func (r *Retargeter) copyKeys(out, from *skinning.Clip) {
	of := map[int][]int{} // by node of the motion, its copied pairs
	for k := range r.pairs {
		if p := &r.pairs[k]; p.copied {
			of[p.Source] = append(of[p.Source], k)
		}
	}
	turned := make([]bool, len(r.pairs))
	for i := range from.Channels {
		ch := from.Channels[i]
		if ch.Path == skinning.PathWeights {
			if ch.FirstSlot = r.morphSlot(ch.FirstSlot, ch.Width); ch.FirstSlot >= 0 {
				ch.Node = r.character.MorphSlots[ch.FirstSlot].Node
				out.Channels = append(out.Channels, ch)
			}
			continue
		}
		for _, k := range of[ch.Node] {
			ch := ch
			ch.Node = r.pairs[k].Node
			turned[k] = turned[k] || ch.Path == skinning.PathRotation
			if ch.Path == skinning.PathTranslation {
				ch.Values = slices.Clone(ch.Values)
				for n := range ch.Values {
					ch.Values[n] = float32(float64(ch.Values[n]) * r.localScale)
				}
			}
			out.Channels = append(out.Channels, ch)
		}
	}
	for k := range r.pairs { // a joint that the clip does not turn is at rest as the motion's is
		p := &r.pairs[k]
		q := r.motion.Skeleton.Nodes[p.Source].Rest.Rotation
		if p.copied && !turned[k] && q != r.character.Skeleton.Nodes[p.Node].Rest.Rotation {
			rest := skinning.Channel{Node: p.Node, Path: skinning.PathRotation, Interpolation: skinning.Step, Width: 4,
				Times: []float32{0}}
			rest.AddRotation(q)
			out.Channels = append(out.Channels, rest)
		}
	}
}

// morphSlot finds the first of some morph slots of the motion in the character, by their names; −1 for none.
func (r *Retargeter) morphSlot(first, width int) int {
	want := r.motion.MorphSlots[first : first+width]
	have := r.character.MorphSlots
	for at := 0; at+width <= len(have); at++ {
		equal := func(a, b skinning.MorphSlot) bool { return a.Name == b.Name && a.Name != "" && a.Target == b.Target }
		if slices.EqualFunc(have[at:at+width], want, equal) {
			return at
		}
	}
	return -1
}

const (
	// keyStep is the largest distance of keys in seconds: turns of several joints together run otherwise between keys
	// than each by itself.
	keyStep = 1.0 / 30
	// mostKeys bounds the keys that are added to a clip.
	mostKeys = 1 << 16
)

// keyTimes returns the times at which the clip is sampled: the keys of all that can move a joint that is followed, and
// between keys that are far apart. A clip all of steps has no more keys than these.
func (r *Retargeter) keyTimes(from *skinning.Clip) ([]float32, skinning.Interpolation) {
	counts := make([]bool, len(r.motion.Skeleton.Nodes))
	for k := range r.pairs {
		for i := r.pairs[k].Source; i >= 0 && !r.pairs[k].copied && !counts[i]; i = r.motion.Skeleton.Nodes[i].Parent {
			counts[i] = true
		}
	}
	used, interpolation := skinning.Clip{}, skinning.Step
	for i := range from.Channels {
		if ch := &from.Channels[i]; ch.Path != skinning.PathWeights && counts[ch.Node] {
			used.Channels = append(used.Channels, *ch)
			if ch.Interpolation != skinning.Step {
				interpolation = skinning.Linear
			}
		}
	}
	keys := used.KeyTimes()
	if interpolation == skinning.Step || len(keys) == 0 {
		return float32s(keys), skinning.Step
	}
	step := max(keyStep, (keys[len(keys)-1]-keys[0])/mostKeys)
	times := []float64{keys[0]}
	for k := 1; k < len(keys); k++ {
		n := math.Ceil((keys[k]-keys[k-1])/step - 1e-6)
		for j := 1.0; j < n; j++ {
			times = append(times, keys[k-1]+(keys[k]-keys[k-1])*j/n)
		}
		times = append(times, keys[k])
	}
	return float32s(times), interpolation
}

// float32s rounds times, and leaves out those that become equal.
func float32s(times []float64) (out []float32) {
	for _, t := range times {
		if n := len(out); n == 0 || float32(t) > out[n-1] {
			out = append(out, float32(t))
		}
	}
	return out
}

// solve adds the channels of all joints whose keys are not copied.
func (r *Retargeter) solve(out *skinning.Clip, clip int, times []float32, interpolation skinning.Interpolation) {
	type track struct{ turn, move skinning.Channel }
	tracks := make([]track, len(r.pairs))
	pose, moved := r.character.NewPose(), r.motion.NewPose()
	globals, sources := make([]geom.Affine, len(r.character.Skeleton.Nodes)), make([]geom.Affine, len(r.motion.Skeleton.Nodes))
	turn := geom.NewAffine(r.turn, mgl64.Vec3{})
	rise := r.rise(clip, times)
	copied := skinning.Clip{Channels: slices.Clone(out.Channels)}
	for _, t := range times {
		r.motion.SamplePose(moved, clip, float64(t))
		r.motion.Skeleton.Globals(sources, moved)
		r.character.ResetPose(pose)
		copied.Sample(pose, float64(t))
		for _, i := range r.character.Skeleton.Order {
			above := geom.IdentityAffine()
			if p := r.character.Skeleton.Nodes[i].Parent; p >= 0 {
				above = globals[p]
			}
			if k := r.at[i]; k >= 0 && !r.pairs[k].copied {
				source := turn.Mul(sources[r.pairs[k].Source])
				r.follow(&r.pairs[k], &pose.Local[i], &above, &source, rise)
				tracks[k].turn.AddRotation(pose.Local[i].Rotation)
				for _, x := range pose.Local[i].Translation {
					tracks[k].move.Values = append(tracks[k].move.Values, float32(x))
				}
			}
			var local geom.Affine
			r.character.Skeleton.Nodes[i].Local(&local, &pose.Local[i])
			globals[i] = above.Mul(local)
		}
	}
	for k := range r.pairs {
		p := &r.pairs[k]
		if p.copied {
			continue
		}
		out.Channels = append(out.Channels, channel(p.Node, skinning.PathRotation, 4, times, tracks[k].turn.Values, interpolation))
		if p.moves {
			out.Channels = append(out.Channels,
				channel(p.Node, skinning.PathTranslation, 3, times, tracks[k].move.Values, interpolation))
		}
	}
}

// follow sets the local transform of a joint below a parent's global transform. Source is the global transform of what
// it follows, turned into the character's world, and rise the height by which the motion's rest pose is moved.
func (r *Retargeter) follow(p *pair, local *geom.Transform, above, source *geom.Affine, rise float64) {
	toParent, ok := above.Inverse()
	if !ok {
		return
	}
	turn := rotationOf(source).Mul(rotationOf(&r.sourceRest[p.Source]).Transpose()).Mul(p.q)
	wanted := toParent.Linear().Mul(turn).Mul(r.rest[p.Node].Linear())
	for c, scale := range local.Scale {
		for row := range 3 {
			wanted[3*row+c] /= scale
		}
	}
	if geom.IsFinite(wanted[:]...) {
		frame := geom.NewAffine(wanted, mgl64.Vec3{})
		local.Rotation = geom.QuatFromMat3(rotationOf(&frame))
	}
	if !p.moves {
		return
	}
	way := source.Translation().Sub(r.sourceRest[p.Source].Translation())
	if p.Node == r.hips() {
		way = way.Sub(r.up.Mul(rise))
	}
	if at := toParent.Apply(r.rest[p.Node].Translation().Add(way.Mul(r.scale))); geom.IsFinite(at[:]...) {
		local.Translation = at
	}
}

// hips returns the node of the character's hips, −1 for none.
func (r *Retargeter) hips() int {
	if hips := r.body["hips"]; len(hips) > 0 {
		return hips[0]
	}
	return -1
}

// feet are the parts that stand on the ground.
var feet = []string{"leftFoot", "rightFoot", "leftToes", "rightToes"}

// lowestFoot returns the height of the lowest foot of a body; +Inf without feet.
func (r *Retargeter) lowestFoot(b anatomy.Body, globals []geom.Affine) float64 {
	low := math.Inf(1)
	for _, part := range feet {
		for _, i := range b[part] {
			low = min(low, r.up.Dot(globals[i].Translation()))
		}
	}
	return low
}

// legHeight returns the height of the joints from which the legs hang, the mean of those that a body has.
func (r *Retargeter) legHeight(b anatomy.Body, globals []geom.Affine) float64 {
	sum, n := 0.0, 0
	for _, i := range slices.Concat(b["leftUpperLeg"], b["rightUpperLeg"]) {
		sum += r.up.Dot(globals[i].Translation())
		n++
	}
	return sum / float64(max(n, 1))
}

// rise returns how far the motion's rest pose must be raised for its hips to be where those of a body that stands on the
// ground are: 0 unless the hips rest near the origin, as motion capture has them.
func (r *Retargeter) rise(clip int, times []float32) float64 {
	hips, own := r.source["hips"], r.hips()
	ground := r.lowestFoot(r.body, r.rest)
	if r.leg == 0 || len(hips) == 0 || own < 0 || math.IsInf(ground, 1) {
		return 0
	}
	unplaced := func(hips int, rest []geom.Affine, leg float64) bool {
		return r.up.Dot(rest[hips].Translation()) <= leg/2
	}
	if !unplaced(hips[0], r.sourceRest, r.leg) || unplaced(own, r.rest, r.leg*r.scale) {
		return 0
	}
	low := math.Inf(1)
	pose, globals := r.motion.NewPose(), make([]geom.Affine, len(r.motion.Skeleton.Nodes))
	for _, t := range times {
		r.motion.SamplePose(pose, clip, float64(t))
		r.motion.Skeleton.Globals(globals, pose)
		low = min(low, r.lowestFoot(r.source, turned(globals, r.turn)))
	}
	return low + (r.legHeight(r.body, r.rest)-ground)/r.scale - r.legHeight(r.source, r.sourceRest)
}

// channel makes a channel. Where all keys are equal it has one.
func channel(node int, path skinning.Path, width int, times, values []float32, how skinning.Interpolation) skinning.Channel {
	still := true
	for k := width; k < len(values); k++ {
		still = still && values[k] == values[k-width]
	}
	if still {
		times, values = times[:1], values[:width]
	}
	return skinning.Channel{Node: node, Path: path, Interpolation: how, Width: width, Times: times, Values: values}
}
