// Package bake samples added joints as ordinary nodes: tracks of translations, rotations and scales that follow the
// live joints to a tolerance.
//
// A clip is sampled at its own key times and in between, all bones at once (moment.go). Each matrix is split into keys
// of one or two nodes, M = U·Σ·Vᵀ·E (bonetrack.go), such that they run continuously. Where a moment between two keys
// strays, more is sampled (clip.go). As few of these keys stay as follow the bone closely enough (reduce.go), path by
// path (track.go). The error that is left is measured on vertices (error.go), and clips that miss the tolerance are
// keyed more closely.
package bake

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// leastRate is how densely clips are sampled at least, in moments a second: bones may move between two of a clip's own
// keys.
const leastRate = 30

// MostSteps bounds how many moments that rate puts between two of a clip's own keys. Between these every joint runs along
// one arc or one cubic, which so many moments follow, however long it takes. A clip of five keys that lasts a day would
// otherwise be baked from millions of poses.
const MostSteps = 32

// stepGap is what separates the two sides of a jump, in seconds: a STEP, or a quaternion that passes into the other
// hemisphere. Moments never come closer to close in on the error; those of a STEP are one float32 apart.
const stepGap = 1e-4

// mostSamples bounds the vertices that the error between keys is measured on. mostMatrices bounds the live matrices that
// a clip is baked from, bones times moments: about 100 bytes each.
const (
	mostSamples  = 4096
	mostMatrices = 1 << 20
)

// HurriedMoments is how many even moments of a clip are baked where the user does not want to wait.
const HurriedMoments = 16

// The budget bounds the work for a file in units of about 0.3 µs. To pose a bone or a node at a moment is one unit, to
// key a bone there keyWork. A file has workPerByte units for each of its bytes, many times what its keys take, and a
// small one as many as one of smallFile bytes. Clips beyond the budget are baked coarsely. A file of 160 kB whose 303
// clips share their keys would otherwise take half a minute.
const (
	keyWork     = 8
	workPerByte = 10
	smallFile   = 500_000
)

// Budget returns the budget of a file of so many bytes.
func Budget(size int) int { return workPerByte * max(size, smallFile) }

// Settings say how bones are baked.
type Settings struct {
	Tolerance float64              // of the error between keys, metres
	Rate      float64              // fixed keys a second; 0 for as many as the tolerance asks for
	Workers   int                  // that bake side by side, one at least; the result does not depend on it
	Budget    int                  // units of work that are left, see [Budget]; clips beyond it are baked coarsely
	Hurry     <-chan struct{}      // closed when the clips that are left may be baked coarsely; nil for never
	Progress  func(done, of int)   // of clips, before each; nil for none
	Warn      func(warning string) // of clips that are not as they should be
}

// Baker samples added joints as ordinary nodes.
type Baker struct {
	Settings
	model    *skinning.Model
	posers   []poser // one for each worker
	bones    []Bone
	nodes    []int       // that bones hang on or may come to
	nodeAt   map[int]int // where a node is among those
	world    geom.Affine // what roots hang on: the identity
	moving   map[int]bool
	vertices []bakedVertex
	most     int     // moments of a clip
	loose    float64 // how many times the error that is allowed bones could be off in the clip that was baked last
	diagonal float64 // of the model
	ctx      context.Context
	static   *moment // the file's static pose
	Bound    bool    // in which all joints stand as they were bound
}

// Bone is an added joint on its way to being a node.
type Bone struct {
	Joint    int          // index into Skeleton.Joints
	Masters  []uint16     // that drive it, where its rig is divided
	Beside   int          // the joint of the file that it moves with most
	Parent   int          // the node that it will hang on, −1 for none
	hanger   int          // where that is among Baker.nodes; −1 for none
	Fallback int          // the node to hang on where parent is scaled unevenly or to nothing
	FromRest geom.Affine  // from rest space to the node's
	toRest   geom.Affine  // its inverse
	Rest     Key          // the static pose of its node
	Nested   bool         // two nodes
	idle     bool         // it moves no vertex: it stays at rest
	Strained bool         // it is bound with a stretch: see bind
	corners  []mgl64.Vec3 // of the box around the vertices that it moves, at rest
}

// bakedVertex is a vertex that added bones move: its rest position and their shares.
type bakedVertex struct {
	rest   mgl64.Vec3
	shares []skinning.Share // Joint is an index into Baker.bones
}

// Clip is a clip's keys on all added bones.
type Clip struct {
	Tracks  []Track // per bone
	Error   float64 // the largest between keys, metres
	Allowed float64 // what that was to stay below: the tolerance or, far from the origin, what float32 rounds
	Hurried bool    // baked coarsely
}

// looseKeys is how many times the allowed error is worth a warning. Rounding to float32 stays below it.
const looseKeys = 2

// Loose reports whether the keys do not follow the bones as closely as they should.
func (c *Clip) Loose() bool { return c.Error > looseKeys*c.Allowed }

// New makes a baker for bones that have been placed. Once ctx is done it stops, and what it returns is of no use.
func New(ctx context.Context, m *skinning.Model, bones []Bone, settings Settings) *Baker {
	b := &Baker{Settings: settings, model: m, posers: make([]poser, settings.Workers), bones: bones,
		nodeAt: map[int]int{}, moving: map[int]bool{}, world: geom.IdentityAffine(), loose: LooseBones,
		diagonal: m.Diagonal(), most: max(mostMatrices/max(len(bones), 1), 1<<10), ctx: ctx}
	for w := range b.posers {
		// Centres serve vertices blended spherically; bones find their own.
		b.posers[w] = poser{frame: skinning.NewFrame(m, &skinning.CenterSets{}), pose: m.NewPose()}
	}
	for k := range bones {
		for _, p := range [...]int{bones[k].Parent, bones[k].Fallback} {
			if _, ok := b.nodeAt[p]; p >= 0 && !ok {
				b.nodeAt[p] = len(b.nodes)
				b.nodes = append(b.nodes, p)
			}
		}
	}
	for j := range m.Skeleton.Joints {
		for n := m.Skeleton.Joints[j].Node; n >= 0 && !b.moving[n]; n = m.Skeleton.Nodes[n].Parent {
			b.moving[n] = true
		}
	}
	for _, n := range b.nodes {
		for ; n >= 0 && !b.moving[n]; n = m.Skeleton.Nodes[n].Parent {
			b.moving[n] = true
		}
	}
	b.collectVertices()
	b.findStatic()
	for k := range b.bones {
		b.bind(k)
	}
	return b
}

// collectVertices gathers what added bones move: all of it, or evenly spaced vertices where it is much. Boxes are
// around all.
func (b *Baker) collectVertices() {
	index := map[uint16]uint16{}
	for k := range b.bones {
		index[uint16(b.bones[k].Joint)] = uint16(k)
	}
	var moved []int
	var buf []skinning.Influence
	points := make([][]mgl32.Vec3, len(b.bones))
	for v := range b.model.Skin.Bindings {
		moves := false
		for _, f := range b.model.Skin.Of(buf[:0], v) {
			if k, ok := index[f.Joint]; ok {
				points[k], moves = append(points[k], b.model.Skin.Positions[v]), true
			}
		}
		if moves {
			moved = append(moved, v)
		}
	}
	for k := range b.bones {
		b.bones[k].box(points[k])
	}
	step := max(1, (len(moved)+mostSamples-1)/mostSamples)
	for i := 0; i < len(moved); i += step {
		vertex := bakedVertex{rest: geom.Vec64(b.model.Skin.Positions[moved[i]])}
		for _, f := range b.model.Skin.Of(buf[:0], moved[i]) {
			if k, ok := index[f.Joint]; ok {
				vertex.shares = append(vertex.shares, skinning.Share{Joint: k, Weight: float64(f.Weight)})
			}
		}
		b.vertices = append(b.vertices, vertex)
	}
}

// box finds the corners of the box around what a bone moves.
func (b *Bone) box(points []mgl32.Vec3) {
	if b.idle = len(points) == 0; b.idle {
		return
	}
	lo, hi := skinning.Bounds(points)
	for c := range 8 {
		corner := geom.Vec64(lo)
		for axis := range corner {
			if c>>axis&1 == 1 {
				corner[axis] = float64(hi[axis])
			}
		}
		b.corners = append(b.corners, corner)
	}
}

// boundSlack is how far vertices may be from where they were bound, as a fraction of the diagonal, for a static pose to
// count as the bind pose: a few roundings of float32 inverse bind matrices and node transforms.
const boundSlack = 1e-5

// findStatic samples the static pose and compares it with the bind pose, in which all matrices are the identity.
func (b *Baker) findStatic() {
	at := newClipMoments(b, -1)
	at.sample([]float32{0})
	b.static = at.at(0)
	frame := b.posers[0].frame // which is in that pose
	lo, hi := skinning.Bounds(b.model.Skin.Positions)
	driven := b.model.DrivenJoints()
	b.Bound = true
	for j := range frame.Matrices {
		for c := range 8 {
			corner := geom.Vec64(lo)
			for axis := range corner {
				if c>>axis&1 == 1 {
					corner[axis] = float64(hi[axis])
				}
			}
			off := frame.Matrices[j].Apply(corner).Sub(corner).Len()
			b.Bound = b.Bound && (driven[j] || off <= boundSlack*b.diagonal)
		}
	}
}

// bind decides the space of a bone's node, and how the node rests.
//
// The space is that of the parent as it was bound, moved to the bone's place: F = T⁻¹·F_parent. Added nodes then have
// the units and axes of the file's own. A node that rests at T moves like its parent, without scale, shear or mirror.
// Importers such as Blender's split inverse bind matrices into bones that cannot scale, and are exact where those of
// one skin differ by rigid transforms alone.
//
// In a file that rests in its bind pose all added nodes rest so, and the mesh as it was bound. In others a node rests
// where the bone is, but for one of two nodes: those importers take its bind pose from where the nodes rest, and it
// must be T. Where there is no clip to show the bone, S of its M = T·R·S goes into F instead.
func (b *Baker) bind(k int) {
	bone := &b.bones[k]
	joint := &b.model.Skeleton.Joints[bone.Joint]
	bone.hanger = -1
	if at, ok := b.nodeAt[bone.Parent]; ok {
		bone.hanger = at
	}
	parent := geom.IdentityAffine()
	switch {
	case bone.Parent >= 0 && bone.Parent == b.model.Skeleton.Joints[bone.Beside].Node:
		parent = b.model.Skeleton.Joints[bone.Beside].FromRest
	case bone.Parent >= 0:
		if inverse, ok := b.parent(k, b.static).Inverse(); ok {
			parent = inverse
		}
	}
	place := parent.Apply(joint.Position)
	back := geom.IdentityAffine()
	back[3], back[7], back[11] = -place[0], -place[1], -place[2]
	bone.Rest, bone.Strained = restKey(place), false
	var ok bool
	bone.FromRest = back.Mul(parent)
	if bone.toRest, ok = bone.FromRest.Inverse(); !ok || !bone.toRest.IsFinite() {
		bone.FromRest = joint.FromRest
		bone.toRest, _ = bone.FromRest.Inverse()
	}
	if ok && (b.Bound || bone.Nested && len(b.model.Clips) > 0) {
		return
	}
	local, ok := b.local(k, b.static)
	if !ok {
		return
	}
	m := stretch(local, bone.Nested)
	if bone.Nested {
		if inverse, ok := geom.NewAffine(m.s, mgl64.Vec3{}).Inverse(); ok && m.s.Det() > 0 && inverse.IsFinite() {
			bone.toRest = bone.toRest.Mul(inverse)
			bone.FromRest, _ = bone.toRest.Inverse()
			m.s, bone.Strained = geom.Identity3(), true
		}
	}
	track := newBoneTrack(bone.Nested)
	bone.Rest, _ = track.next(&m)
	for c, s := range bone.Rest.Scale {
		if math.Abs(s-1) <= shearTolerance {
			bone.Rest.Scale[c] = 1
		}
	}
	bone.Rest = bone.Rest.rounded()
}

// restKey is a node that is moved to a place and nothing else.
func restKey(place mgl64.Vec3) Key {
	key := Key{place, geom.IdentityQuat(), mgl64.Vec3{1, 1, 1}, geom.IdentityQuat(), mgl64.Vec3{1, 1, 1}}
	return key.rounded()
}

// parent returns the global transform of what bone k hangs on.
func (b *Baker) parent(k int, m *moment) *geom.Affine {
	if p := b.bones[k].hanger; p >= 0 {
		return m.node(p)
	}
	return &b.world
}

// stretchOf returns the length of the longest column of a matrix: what it stretches by, where it does so evenly.
func stretchOf(m *geom.Affine) float64 {
	return math.Sqrt(max(m[0]*m[0]+m[4]*m[4]+m[8]*m[8], m[1]*m[1]+m[5]*m[5]+m[9]*m[9], m[2]*m[2]+m[6]*m[6]+m[10]*m[10]))
}

// flat is how many times more a parent may stretch one way than another: below one that is flatter, float32 keys hold
// nothing.
const flat = 1e6

// local returns the transform that bone k's node needs below its parent, G_parent⁻¹·C_k·FromRest_k⁻¹. Where the parent
// is scaled to nothing, or flat, no node says where the bone is: ok is false.
func (b *Baker) local(k int, m *moment) (local geom.Affine, ok bool) {
	parent := b.parent(k, m)
	inverse, ok := parent.Inverse()
	local = inverse.Mul(*m.matrix(k)).Mul(b.bones[k].toRest)
	return local, ok && stretchOf(parent)*stretchOf(&inverse) <= flat && local.IsFinite()
}

// BakeAll returns the keys of every clip. A bone that turns out to need another parent or a second node changes for all
// of them: what was baked before it did is baked again, at most twice for every bone. The error is that of the context.
func (b *Baker) BakeAll() (clips []Clip, err error) {
	clips = make([]Clip, len(b.model.Clips))
	for i := 0; i < len(clips); i++ {
		if b.Progress != nil {
			b.Progress(i, len(clips))
		}
		var changed bool
		if clips[i], changed = b.bakeSafely(i); b.stopped() {
			return nil, b.ctx.Err()
		}
		if changed && i > 0 {
			i = -1 // from the first clip on
		}
	}
	return clips, nil
}

// bakeSafely is bake, but for a fault of ours, which must not cost the user the fit: the clip is then a still one,
// with a warning.
func (b *Baker) bakeSafely(clip int) (out Clip, changed bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			c := &b.model.Clips[clip]
			b.Warn(fmt.Sprintf("internal error in baking %s, please report: the added bones stay at rest in it (%s)",
				fault.Element("clip", clip, c.Name), fault.Shorten(fmt.Sprint(panicked))))
			out, changed = b.stillClip(), false
		}
	}()
	return b.bake(clip)
}

// stillClip has all bones at rest.
func (b *Baker) stillClip() Clip {
	out := Clip{Tracks: make([]Track, len(b.bones))}
	for k := range out.Tracks {
		out.Tracks[k] = b.bones[k].still(0)
	}
	return out
}

// stopped reports whether nobody wants the keys any more. What is baked then is of no use.
func (b *Baker) stopped() bool { return b.ctx.Err() != nil }

// hurried reports whether what is left may be baked coarsely: the user does not want to wait, or the budget is spent.
func (b *Baker) hurried() bool { return b.Budget <= 0 || b.Cancelled() }

// Cancelled reports whether the user does not want to wait.
func (b *Baker) Cancelled() bool {
	select {
	case <-b.Hurry:
		return true
	default:
		return false
	}
}
