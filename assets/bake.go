package assets

import (
	"context"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// leastBakeRate is how densely added bones are keyed at least, in keys a second: no motion hides between two of a
// clip's own keys.
const leastBakeRate = 30

// mostBakeSteps bounds how many keys that rate puts between two of a clip's own: there every joint runs along one arc
// or one cubic, which hides nothing from so many, however long it takes. A clip of five keys that lasts a day would
// otherwise be baked from millions of poses.
const mostBakeSteps = 128

// stepGap is what separates the two sides of a jump, in seconds: a STEP, or a quaternion that passes into the other
// hemisphere. Keys never come closer to close in on the error; those of a STEP are one float32 apart.
const stepGap = 1e-4

// mostBakeSamples bounds the vertices that the error between keys is measured on, mostBakeMatrices the live matrices
// that a clip is baked from: 200 bytes each, bones times moments.
const (
	mostBakeSamples  = 4096
	mostBakeMatrices = 1 << 21
)

// baker samples added joints as ordinary nodes.
type baker struct {
	model     *skinning.Model
	posers    []poser // one for each worker
	bones     []bakedBone
	nodes     []int       // that bones hang on or may come to
	nodeAt    map[int]int // where a node is among those
	vertices  []bakedVertex
	tolerance float64 // of the error between keys, metres
	rate      float64 // fixed keys a second; 0 for as many as the tolerance asks for
	most      int     // moments of a clip
	diagonal  float64 // of the model
	ctx       context.Context
	progress  func(done, of int) // of clips; nil for none
}

// bakedBone is an added joint on its way to being a node.
type bakedBone struct {
	joint    int             // index into Skeleton.Joints
	proxy    bool            // of enveloping; else a blend bone
	masters  []uint16        // a blend bone's
	beside   int             // the joint of the file that it moves with most
	parent   int             // the node that it will hang on, −1 for none
	fallback int             // the node to hang on where parent is scaled unevenly or to nothing
	fromRest skinning.Affine // the joint's FromRest
	toRest   skinning.Affine // its inverse
	nested   bool            // two nodes
	idle     bool            // it moves no vertex: one key is enough
	corners  []mgl64.Vec3    // of the box around the vertices that it moves, at rest
}

// bakedVertex is a vertex that added bones move: its rest position and their shares.
type bakedVertex struct {
	rest   mgl64.Vec3
	shares []skinning.Share // Joint is an index into baker.bones
}

// bakedClip is a clip's keys on all added bones.
type bakedClip struct {
	tracks  []bakedTrack // per bone; nil of a clip that moves nothing
	error   float64      // the largest between keys, metres
	allowed float64      // what that was to stay below: the tolerance or, far from the origin, what float32 rounds
}

// looseKeys is how many times the error that is allowed is worth a warning: what float32 rounds is not.
const looseKeys = 2

// loose reports whether the keys do not follow the bones as closely as they should.
func (c *bakedClip) loose() bool { return c.error > looseKeys*c.allowed }

// newBaker makes a baker for bones that have been placed. Its result does not depend on the number of workers.
func newBaker(m *skinning.Model, bones []bakedBone, tolerance, rate float64, workers int) *baker {
	b := &baker{model: m, posers: make([]poser, workers), bones: bones, nodeAt: map[int]int{}, tolerance: tolerance,
		rate:     rate,
		diagonal: m.Diagonal(), most: max(mostBakeMatrices/len(bones), 1<<12), ctx: context.Background()}
	for w := range b.posers {
		// Centres serve vertices blended spherically; bones find their own.
		b.posers[w] = poser{skinning.NewFrame(m, &skinning.CenterSets{}), m.NewPose()}
	}
	for k := range bones {
		for _, p := range [...]int{bones[k].parent, bones[k].fallback} {
			if _, ok := b.nodeAt[p]; p >= 0 && !ok {
				b.nodeAt[p] = len(b.nodes)
				b.nodes = append(b.nodes, p)
			}
		}
	}
	b.collectVertices()
	return b
}

// collectVertices gathers what added bones move: all of it, or evenly spaced vertices where it is much. Boxes are
// around all.
func (b *baker) collectVertices() {
	index := map[uint16]uint16{}
	for k := range b.bones {
		index[uint16(b.bones[k].joint)] = uint16(k)
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
	step := max(1, (len(moved)+mostBakeSamples-1)/mostBakeSamples)
	for i := 0; i < len(moved); i += step {
		vertex := bakedVertex{rest: skinning.Vec64(b.model.Skin.Positions[moved[i]])}
		for _, f := range b.model.Skin.Of(buf[:0], moved[i]) {
			if k, ok := index[f.Joint]; ok {
				vertex.shares = append(vertex.shares, skinning.Share{Joint: k, Weight: float64(f.Weight)})
			}
		}
		b.vertices = append(b.vertices, vertex)
	}
}

// box finds the corners of the box around what a bone moves.
func (b *bakedBone) box(points []mgl32.Vec3) {
	if b.idle = len(points) == 0; b.idle {
		return
	}
	lo, hi := skinning.Bounds(points)
	for c := range 8 {
		corner := skinning.Vec64(lo)
		for axis := range corner {
			if c>>axis&1 == 1 {
				corner[axis] = float64(hi[axis])
			}
		}
		b.corners = append(b.corners, corner)
	}
}

// parent returns the global transform of what bone k hangs on.
func (b *baker) parent(k int, m *moment) skinning.Affine {
	if p := b.bones[k].parent; p >= 0 {
		return m.nodes[b.nodeAt[p]]
	}
	return skinning.IdentityAffine()
}

// local returns the transform that bone k's node needs below its parent, G_parent⁻¹·C_k·FromRest_k⁻¹. Where the parent
// is scaled to nothing everything below it is, whatever the node does: ok is false.
func (b *baker) local(k int, m *moment) (local skinning.Affine, ok bool) {
	inverse, ok := b.parent(k, m).Inverse()
	local = inverse.Mul(m.matrices[k]).Mul(b.bones[k].toRest)
	return local, ok && finite(local[:])
}

// bakeAll returns the keys of the static pose and of every clip. A bone that turns out to need another parent or a
// second node changes for all of them: what was baked before it did is baked again, at most twice for every bone. The
// error is that of the context.
func (b *baker) bakeAll() (rest []boneKey, clips []bakedClip, err error) {
	clips = make([]bakedClip, len(b.model.Clips))
again:
	for {
		for i := range clips {
			if b.progress != nil {
				b.progress(i, len(clips))
			}
			var changed bool
			if clips[i], changed = b.bake(i); b.stopped() {
				return nil, nil, b.ctx.Err()
			} else if changed && i > 0 {
				continue again
			}
		}
		static := newClipMoments(b, -1)
		static.sample([]float32{0})
		tracks, ok := b.bakeBones([]float32{0}, static)
		if b.stopped() {
			return nil, nil, b.ctx.Err()
		}
		if !ok {
			continue
		}
		for k := range tracks {
			rest = append(rest, tracks[k].keys[0])
		}
		return rest, clips, nil
	}
}

// stopped reports whether nobody wants the keys any more. What is baked then is of no use.
func (b *baker) stopped() bool { return b.ctx.Err() != nil }
