package assets

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// leastBakeRate is how densely added bones are keyed at least, in keys a second: no motion hides between two of a clip's own keys.
const leastBakeRate = 30

// mostBakeSteps bounds how many keys that rate puts between two of a clip's own: there every joint runs along one arc or one cubic, which
// hides nothing from so many, however long it takes. A clip of five keys that lasts a day would otherwise be baked from millions of poses.
const mostBakeSteps = 128

// stepGap is what separates the two sides of a jump, in seconds: a STEP, or a quaternion that passes into the other hemisphere.
// Keys never come closer to close in on the error; those of a STEP are one float32 apart.
const stepGap = 1e-4

// mostBakeSamples bounds the vertices that the error between keys is measured on, mostBakeMatrices the live matrices that a clip is
// baked from: 200 bytes each, bones times moments.
const (
	mostBakeSamples  = 4096
	mostBakeMatrices = 1 << 21
)

// baker samples added joints as ordinary nodes.
type baker struct {
	model     *skinning.Model
	frame     *skinning.Frame // driven live
	pose      *skinning.Pose
	bones     []bakedBone
	vertices  []bakedVertex
	tolerance float64 // of the error between keys, metres
	rate      float64 // fixed keys a second; 0 for as many as the tolerance asks for
	most      int     // moments of a clip
	slack     float64 // of translations that count as equal, metres: see boneKey.alike
	off       []skinning.Affine
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
	corners  []mgl64.Vec3    // of the box around the vertices that it moves, at rest
}

// bakedVertex is a vertex that added bones move: its rest position and their shares.
type bakedVertex struct {
	rest   mgl64.Vec3
	shares []skinning.Share // Joint is an index into baker.bones
}

// bakedClip is a clip's keys on all added bones.
type bakedClip struct {
	tracks []bakedTrack // per bone; nil of a clip that moves nothing
	error  float64      // the largest between keys, metres
}

// moment is the live pose at a time: the skinning matrix of every added bone and the global transform of its parent.
type moment struct {
	matrices, parents []skinning.Affine
}

// rounding returns what float32 nodes cannot hold, in metres: half a unit in the last place of where the parents and the bones
// are, once for each of a few of them on the way up.
func (m *moment) rounding() float64 {
	reach := 0.0
	for k := range m.matrices {
		reach = math.Max(reach, math.Max(m.matrices[k].Translation().Len(), m.parents[k].Translation().Len()))
	}
	return 3e-7 * reach
}

func newBaker(m *skinning.Model, bones []bakedBone, tolerance, rate float64) *baker {
	b := &baker{model: m, pose: m.NewPose(), bones: bones, tolerance: tolerance, rate: rate, slack: 1e-7 * m.Diagonal(), most: max(mostBakeMatrices/len(bones), 1<<12), off: make([]skinning.Affine, len(bones))}
	// Centres serve vertices blended spherically; bones find their own.
	b.frame = skinning.NewFrame(m, &skinning.CenterSets{})
	b.collectVertices()
	return b
}

// collectVertices gathers what added bones move: all of it, or evenly spaced vertices where it is much.
func (b *baker) collectVertices() {
	index := map[uint16]uint16{}
	for k := range b.bones {
		index[uint16(b.bones[k].joint)] = uint16(k)
	}
	var moved []int
	var buf []skinning.Influence
	for v := range b.model.Skin.Bindings {
		buf = b.model.Skin.Of(buf[:0], v)
		if slices.ContainsFunc(buf, func(f skinning.Influence) bool { _, ok := index[f.Joint]; return ok }) {
			moved = append(moved, v)
		}
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
	b.boxBones()
}

// boxBones finds the corners of the boxes around what each bone moves.
func (b *baker) boxBones() {
	points := make([][]mgl32.Vec3, len(b.bones))
	for i := range b.vertices {
		for _, s := range b.vertices[i].shares {
			points[s.Joint] = append(points[s.Joint], skinning.Vec32(b.vertices[i].rest))
		}
	}
	for k := range points {
		if len(points[k]) == 0 {
			continue
		}
		lo, hi := skinning.Bounds(points[k])
		for c := range 8 {
			corner := skinning.Vec64(lo)
			for axis := range corner {
				if c>>axis&1 == 1 {
					corner[axis] = float64(hi[axis])
				}
			}
			b.bones[k].corners = append(b.bones[k].corners, corner)
		}
	}
}

// sample returns the live pose of a clip at a time; clip −1 is the static pose.
func (b *baker) sample(clip int, seconds float64) *moment {
	b.model.SamplePose(b.pose, clip, seconds)
	b.frame.SetPose(b.pose)
	m := &moment{make([]skinning.Affine, len(b.bones)), make([]skinning.Affine, len(b.bones))}
	for k := range b.bones {
		m.matrices[k] = b.frame.Matrices[b.bones[k].joint]
		m.parents[k] = skinning.IdentityAffine()
		if p := b.bones[k].parent; p >= 0 {
			m.parents[k] = b.frame.Globals[p]
		}
	}
	return m
}

// local returns the transform that bone k's node needs below its parent, G_parent⁻¹·C_k·FromRest_k⁻¹. Where the parent is
// scaled to nothing everything below it is, whatever the node does: ok is false.
func (b *baker) local(k int, m *moment) (local skinning.Affine, ok bool) {
	inverse, ok := m.parents[k].Inverse()
	local = inverse.Mul(m.matrices[k]).Mul(b.bones[k].toRest)
	return local, ok && finite(local[:])
}

// bakeAll returns the keys of the static pose and of every clip.
func (b *baker) bakeAll() (rest []boneKey, clips []bakedClip) {
again:
	for {
		static := newClipMoments(b, -1)
		rest = rest[:0]
		for k := range b.bones {
			track, ok := b.bakeBone(k, []float32{0}, static)
			if !ok {
				continue again
			}
			rest = append(rest, track.keys[0])
		}
		clips = make([]bakedClip, len(b.model.Clips))
		for i := range clips {
			var ok bool
			if clips[i], ok = b.bake(i); !ok {
				continue again // at most twice for every bone
			}
		}
		return rest, clips
	}
}
