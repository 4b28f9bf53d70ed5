// Package bake samples added joints as ordinary nodes: tracks of translations, rotations and scales that follow the
// live joints to a tolerance.
//
// A clip is sampled at its own key times and at times between them, for all bones at once (sample.go). Each matrix M
// is split into a key of one or two nodes, M = U·Σ·Vᵀ·E, in which U, Σ and Vᵀ change continuously (bonetrack.go). Each
// bone keeps as few keys as its tolerance allows (thin.go), path by path (track.go). The error is measured at the
// samples and between them (error.go). Where it is too large the clip gets more samples and keys, and is measured again
// (clip.go).
package bake

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// leastRate is the lowest sampling rate of a clip, in samples a second. Bones may move between two of a clip's own
// keys.
const leastRate = 30

// MostSteps is the most samples that leastRate puts between two of a clip's own keys. Between two keys every joint
// follows one arc or one cubic, and 32 samples describe either well, however long it lasts. Without this bound a clip
// of five keys that lasts a day would be baked from millions of poses.
const MostSteps = 32

// stepGap is the time between the two sides of a jump, in seconds. A jump is a STEP key, or a quaternion that passes
// into the other hemisphere. The search for the largest error samples no closer than this. The two sides of a STEP key
// are one float32 apart.
const stepGap = 1e-4

// mostVertices bounds the vertices that the error between keys is measured on. mostMatrices bounds the memory of a
// clip's samples, in matrices of about 100 bytes.
const (
	mostVertices = 4096
	mostMatrices = 1 << 19
)

// HurriedSamples is the number of evenly spaced samples of a clip that are baked when the user asks to finish at once.
const HurriedSamples = 16

// The budget bounds the work for a file. A bone or a node in one sample is one unit, of a few µs. A file gets
// workPerByte units for each of its bytes, many times what its keys need. A file below smallFile bytes gets the budget
// of smallFile bytes. Clips beyond the budget are baked coarsely. Without it a file of 160 kB whose 303 clips share
// their keys would take half a minute.
const (
	workPerByte = 2
	smallFile   = 1_500_000
)

// Budget returns the budget of a file of size bytes.
func Budget(size int) int { return workPerByte * max(size, smallFile) }

// Settings say how bones are baked.
type Settings struct {
	Tolerance float64            // the allowed error between keys, metres
	Clips     []float64          // the allowed errors of clips that need smaller ones, metres; 0 or no entry for Tolerance
	Rate      float64            // keys a second; 0 for as many as the tolerance needs
	Workers   int                // goroutines, at least one; the result does not depend on it
	Budget    int                // units of work that are left, see [Budget]; clips beyond it are baked coarsely
	Hurry     <-chan struct{}    // closed when the clips that are left may be baked coarsely; nil for never
	Progress  func(done, of int) // called before each clip; may be nil
}

// Baker samples added joints as ordinary nodes.
type Baker struct {
	Settings
	model    *skinning.Model
	posers   []poser // one for each worker
	bones    []Bone
	nodes    []int       // the possible parents of bones
	nodeAt   map[int]int // the index into nodes, by node
	world    geom.Affine // the parent of root bones: the identity
	moving   map[int]bool
	vertices []bakedVertex

	mostSamples int     // of a clip that keys are chosen by; the error is measured at as many more
	diagonal    float64 // of the model, metres
	ctx         context.Context
	static      *sample // the file's static pose
	Bound       bool    // whether static is the bind pose
}

// Bone is an added joint on its way to being a node.
type Bone struct {
	Joint    int          // index into Skeleton.Joints
	Masters  []uint16     // the joints that drive it, where its rig is divided
	Beside   int          // the joint of the file whose motion is nearest to its own
	Parent   int          // its parent node; −1 for none
	parentAt int          // the index of Parent in Baker.nodes; −1 for none
	Fallback int          // the parent to use where Parent is scaled unevenly or to zero
	Child    bool         // its rig makes it a child of Beside
	HasNode  bool         // the joint is a node of the file already: FromRest stays the joint's
	FromRest geom.Affine  // from rest space to the node's
	toRest   geom.Affine  // its inverse
	Rest     Key          // the static pose of its node
	Nested   bool         // it needs two nodes, because its matrices have shear
	unused   bool         // it moves no vertex: it stays at rest
	Aside    bool         // it rests elsewhere than it is bound, see bind
	corners  []mgl64.Vec3 // of the box around the vertices that it moves, at rest
	moves    []int        // of Baker.vertices, those that it moves
}

// bakedVertex is a vertex that added bones move: its rest position, the morph targets that move it, and the bones'
// shares.
type bakedVertex struct {
	rest   mgl64.Vec3
	morphs []morphDelta
	shares []skinning.Share // Joint is an index into Baker.bones
}

// Clip is a clip's keys on all added bones.
type Clip struct {
	Tracks  []Track // per bone
	Error   float64 // the largest between keys, metres
	Allowed float64 // the most that Error should be: the tolerance or, far from the origin, the rounding of float32
	Hurried bool    // baked coarsely
}

// looseKeys times the allowed error is the error that is worth a warning. Rounding to float32 stays below it.
const looseKeys = 2

// Loose reports whether the error is large enough for a warning.
func (c *Clip) Loose() bool { return c.Error > looseKeys*c.Allowed }

// New makes a baker for bones that have been placed. The baker stops when ctx is done, and its result is then useless.
func New(ctx context.Context, m *skinning.Model, bones []Bone, settings Settings) *Baker {
	b := &Baker{Settings: settings, model: m, posers: make([]poser, settings.Workers), bones: bones,
		nodeAt: map[int]int{}, moving: map[int]bool{}, world: geom.IdentityAffine(),
		diagonal: m.Diagonal(), ctx: ctx}
	for w := range b.posers {
		// Only spherically blended vertices need the frame's centres. Bones have centres of their own.
		b.posers[w] = poser{frame: skinning.NewFrame(m, skinning.NoCenters()), pose: m.NewPose()}
	}
	for k := range bones {
		for _, p := range [...]int{bones[k].Parent, bones[k].Fallback} {
			if _, ok := b.nodeAt[p]; p >= 0 && !ok {
				b.nodeAt[p] = len(b.nodes)
				b.nodes = append(b.nodes, p)
			}
		}
	}
	b.mostSamples = mostMatrices / (len(bones) + len(b.nodes) + 1)
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

// collectVertices gathers the vertices that added bones move. Where there are more than mostVertices, it takes evenly
// spaced ones. The boxes enclose all of them, in all shapes that morph targets give them.
func (b *Baker) collectVertices() {
	index := map[uint16]int{}
	for k := range b.bones {
		index[uint16(b.bones[k].Joint)] = k
	}
	var moved []int
	var buf []skinning.Influence
	movedBy := make([][]int, len(b.bones))
	for v := range b.model.Skin.Bindings {
		moves := false
		for _, f := range b.model.Skin.Of(buf[:0], v) {
			if k, ok := index[f.Joint]; ok {
				movedBy[k], moves = append(movedBy[k], v), true
			}
		}
		if moves {
			moved = append(moved, v)
		}
	}
	b.placeBoxes(movedBy)
	step := max(1, (len(moved)+mostVertices-1)/mostVertices)
	var measured []int
	for i := 0; i < len(moved); i += step {
		vertex := bakedVertex{rest: geom.Vec64(b.model.Skin.Positions[moved[i]])}
		for _, f := range b.model.Skin.Of(buf[:0], moved[i]) {
			if k, ok := index[f.Joint]; ok {
				vertex.shares = append(vertex.shares, skinning.Share{Joint: uint16(k), Weight: float64(f.Weight)})
				b.bones[k].moves = append(b.bones[k].moves, len(b.vertices))
			}
		}
		b.vertices, measured = append(b.vertices, vertex), append(measured, moved[i])
	}
	b.collectMorphs(measured)
}

// placeBoxes finds the corners of the bounding boxes of the vertices that each bone moves.
func (b *Baker) placeBoxes(movedBy [][]int) {
	extremes := make([][]mgl32.Vec3, len(b.bones)) // of each bone: two opposite corners of its box
	shape := make([]mgl32.Vec3, len(b.model.Skin.Positions))
	for _, weights := range shapeWeights(b.model) {
		b.model.Skin.RestRange(shape, 0, weights)
		for k, vertices := range movedBy {
			points := extremes[k]
			for _, v := range vertices {
				points = append(points, shape[v])
			}
			if len(points) > 0 {
				lo, hi := geom.Bounds(points)
				extremes[k] = append(points[:0], lo, hi)
			}
		}
	}
	for k, points := range extremes {
		b.bones[k].unused = len(points) == 0
		if !b.bones[k].unused {
			b.bones[k].corners = cornersOf(points)
		}
	}
}

// cornersOf returns the eight corners of the bounding box of points.
func cornersOf(points []mgl32.Vec3) []mgl64.Vec3 {
	lo, hi := geom.Bounds(points)
	corners := make([]mgl64.Vec3, 8)
	for c := range corners {
		corners[c] = geom.Vec64(lo)
		for axis := range 3 {
			if c>>axis&1 == 1 {
				corners[c][axis] = float64(hi[axis])
			}
		}
	}
	return corners
}

// boundSlack is the largest distance of a vertex from its bind position at which a static pose counts as the bind pose,
// as a fraction of the diagonal. It covers a few roundings of float32 inverse bind matrices and node transforms.
const boundSlack = 1e-5

// findStatic samples the static pose and compares it with the bind pose, in which all matrices are the identity.
func (b *Baker) findStatic() {
	at := b.samplesOf(-1)
	at.add([]float32{0}, true)
	b.static = at.all[0]
	frame := b.posers[0].frame // findStatic leaves it in the static pose
	corners := cornersOf(b.model.Skin.Positions)
	driven := b.model.DrivenJoints()
	b.Bound = true
	for j := range frame.Matrices {
		for _, corner := range corners {
			off := frame.Matrices[j].Apply(corner).Sub(corner).Len()
			b.Bound = b.Bound && (driven[j] || off <= boundSlack*b.diagonal)
		}
	}
}

// bind chooses the space of a bone's node and the node's rest transform.
//
// The space F = T⁻¹·F_parent is the parent's bind space, translated by T to the bone's position. Added nodes then have
// the units and axes of the file's own nodes. A node whose rest transform is T moves like its parent, without scale,
// shear or mirror. Importers such as Blender's split inverse bind matrices into bones that cannot scale. Such a split
// is exact where the inverse bind matrices of one skin differ by rigid transforms alone.
//
// Where the static pose of the file is its bind pose, the rest transform of every added node is T. In other files added
// nodes rest at their static transforms.
func (b *Baker) bind(k int) {
	bone := &b.bones[k]
	joint := &b.model.Skeleton.Joints[bone.Joint]
	bone.parentAt = -1
	if at, ok := b.nodeAt[bone.Parent]; ok {
		bone.parentAt = at
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
	bone.Rest, bone.Aside = restKey(place), false
	var ok bool
	bone.FromRest = back.Mul(parent)
	if bone.HasNode {
		bone.FromRest = joint.FromRest
	}
	bone.toRest, ok = bone.FromRest.Inverse()
	if !ok || !bone.toRest.IsFinite() {
		bone.FromRest = joint.FromRest
		bone.toRest, _ = bone.FromRest.Inverse()
	}
	if ok && b.Bound {
		return
	}
	local, ok := b.local(k, b.static)
	if !ok {
		return
	}
	track := newBoneTrack(bone.Nested)
	bone.Rest, _ = track.next(local)
	bone.Aside = true
	for c, s := range bone.Rest.Scale {
		if math.Abs(s-1) <= shearTolerance {
			bone.Rest.Scale[c] = 1
		}
	}
	bone.Rest = bone.Rest.rounded()
}

// restKey is the key of a node that is only translated.
func restKey(place mgl64.Vec3) Key {
	key := Key{place, geom.IdentityQuat(), mgl64.Vec3{1, 1, 1}, geom.IdentityQuat(), mgl64.Vec3{1, 1, 1}}
	return key.rounded()
}

// parent returns the global transform of bone k's parent.
func (b *Baker) parent(k int, m *sample) *geom.Affine {
	if p := b.bones[k].parentAt; p >= 0 {
		return m.node(p)
	}
	return &b.world
}

// stretchOf returns the length of the longest column of a matrix. That is the scale of an even scale.
func stretchOf(m *geom.Affine) float64 {
	return math.Sqrt(max(m[0]*m[0]+m[4]*m[4]+m[8]*m[8], m[1]*m[1]+m[5]*m[5]+m[9]*m[9], m[2]*m[2]+m[6]*m[6]+m[10]*m[10]))
}

// flat is the largest ratio of a parent's stretches along two axes. Below a parent that is flatter, float32 keys have
// no digits left.
const flat = 1e6

// local returns the transform of bone k's node below its parent, G_parent⁻¹·C_k·FromRest_k⁻¹. G_parent is the parent's
// global transform and C_k the bone's skinning matrix. It is not ok where the parent is scaled to zero or is flat.
func (b *Baker) local(k int, m *sample) (local geom.Affine, ok bool) {
	parent := b.parent(k, m)
	inverse, ok := parent.Inverse()
	local = inverse.Mul(*m.matrix(k)).Mul(b.bones[k].toRest)
	return local, ok && stretchOf(parent)*stretchOf(&inverse) <= flat && local.IsFinite()
}

// BakeAll returns the keys of every clip. Where a bone turns out to need another parent or a second node, the clips
// before are baked again. That happens at most twice for every bone. The error is that of the context.
func (b *Baker) BakeAll() (clips []Clip, err error) {
	clips = make([]Clip, len(b.model.Clips))
	for i := 0; i < len(clips); i++ {
		if b.Progress != nil {
			b.Progress(i, len(clips))
		}
		var changed bool
		clips[i], changed = b.bake(i)
		if b.stopped() {
			return nil, b.ctx.Err()
		}
		if changed && i > 0 {
			i = -1 // from the first clip on
		}
	}
	return clips, nil
}

// stopped reports whether the context is done. The keys baked by then are of no use.
func (b *Baker) stopped() bool { return b.ctx.Err() != nil }

// hurried reports whether the remaining clips may be baked coarsely, because the user is in a hurry or the budget is
// spent.
func (b *Baker) hurried() bool { return b.Budget <= 0 || b.Cancelled() }

// Cancelled reports whether the user is in a hurry.
func (b *Baker) Cancelled() bool {
	select {
	case <-b.Hurry:
		return true
	default:
		return false
	}
}
