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

// stepGap is what separates the two sides of a jump, in seconds: a STEP, or a quaternion that passes into the other hemisphere.
// Keys never come closer to close in on the error; those of a STEP are one float32 apart.
const stepGap = 1e-4

// mostBakeSamples bounds the vertices that the error between keys is measured on, mostBakeKeys the keys of a clip.
const (
	mostBakeSamples = 4096
	mostBakeKeys    = 1 << 17
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
	times []float32
	keys  [][]boneKey // per bone and time
	error float64     // the largest between keys, metres
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
	b := &baker{model: m, pose: m.NewPose(), bones: bones, tolerance: tolerance, rate: rate, off: make([]skinning.Affine, len(bones))}
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
func (b *baker) sample(clip int, seconds float64) moment {
	b.model.SamplePose(b.pose, clip, seconds)
	b.frame.SetPose(b.pose)
	m := moment{make([]skinning.Affine, len(b.bones)), make([]skinning.Affine, len(b.bones))}
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

// split turns the moments of a clip into keys, bone by bone. It returns false when a bone turns out to have shear that was
// to have none: the bone then hangs elsewhere or, where that does not help, becomes two nodes.
func (b *baker) split(moments []moment, keys [][]boneKey) bool {
	locals := make([]skinning.Affine, len(moments))
	for k := range b.bones {
		bone := &b.bones[k]
		last := skinning.IdentityAffine()
		for i := range moments {
			local, ok := b.local(k, &moments[i])
			if ok {
				last = local
			} else if bone.parent != bone.fallback {
				bone.parent = bone.fallback
				return false
			}
			locals[i] = last
		}
		keys[k] = slices.Grow(keys[k][:0], len(moments))[:len(moments)]
		switch shear := splitTrack(locals, bone.nested, keys[k]); {
		case shear && bone.parent != bone.fallback:
			bone.parent = bone.fallback
			return false
		case shear:
			bone.nested = true
			return false
		}
	}
	return true
}

// bake keys a clip: at the clip's own keys and at least 30 times a second between them, then twice as often wherever the
// error in the middle is above the tolerance, until it is below or the two sides of a jump are 1e-4 s apart. ok is false as in
// split: start all over.
func (b *baker) bake(clip int) (out bakedClip, ok bool) {
	times := b.keyTimes(&b.model.Clips[clip])
	if len(times) == 0 {
		return out, true
	}
	moments := make([]moment, len(times))
	for i, t := range times {
		moments[i] = b.sample(clip, float64(t))
	}
	middles := make([]moment, len(times)-1)
	out.keys = make([][]boneKey, len(b.bones))
	for {
		if !b.split(moments, out.keys) {
			return out, false
		}
		out.error = 0
		var finer []float32
		var finerMoments, finerMiddles []moment
		for i := range times {
			finer, finerMoments = append(finer, times[i]), append(finerMoments, moments[i])
			if i+1 == len(times) {
				break
			}
			gap := times[i+1] - times[i]
			middle := times[i] + gap/2
			if !(gap > stepGap) || middle == times[i] {
				finerMiddles = append(finerMiddles, middles[i])
				continue // both sides of a STEP
			}
			if middles[i].matrices == nil {
				middles[i] = b.sample(clip, float64(middle))
			}
			u := float64(middle-times[i]) / float64(gap)
			e := b.distance(&middles[i], out.keys, i, u, math.Min(b.tolerance, out.error))
			out.error = math.Max(out.error, e)
			finerMiddles = append(finerMiddles, middles[i])
			if b.rate == 0 && !(e <= math.Max(b.tolerance, middles[i].rounding())) && len(finer) < mostBakeKeys {
				finer, finerMoments = append(finer, middle), append(finerMoments, middles[i])
				finerMiddles[len(finerMiddles)-1] = moment{}
				finerMiddles = append(finerMiddles, moment{})
			}
		}
		if len(finer) == len(times) {
			break
		}
		times, moments, middles = finer, finerMoments, finerMiddles
	}
	out.times = times
	return out, true
}

// keyTimes returns where a clip is keyed at first: its own key times, a moment before each where a STEP channel jumps, and
// steps of at most 1/30 s between them; or times at the fixed rate and the jumps alone.
func (b *baker) keyTimes(c *skinning.Clip) []float32 {
	var own, jumps []float32
	for i := range c.Channels {
		ch := &c.Channels[i]
		if ch.Path == skinning.PathWeights {
			continue
		}
		own = append(own, ch.Times...)
		if ch.Interpolation != skinning.Step {
			continue
		}
		for _, t := range ch.Times[1:] {
			jumps = append(jumps, math.Nextafter32(t, 0), t)
		}
	}
	if len(own) == 0 {
		return nil
	}
	first, last := slices.Min(own), slices.Max(own)
	rate := float64(leastBakeRate)
	if b.rate > 0 {
		rate = b.rate
		own = []float32{first, last}
	}
	own = sortedTimes(append(own, jumps...))
	rate = math.Min(rate, float64(mostBakeKeys)/math.Max(float64(last-first), 1e-6))
	var out []float32
	for i, t := range own {
		if i > 0 {
			t0 := float64(own[i-1])
			// 1e-3 of a step of slack: keys of 30 fps in float32 are not split in two.
			n := int(math.Ceil((float64(t)-t0)*rate - 1e-3))
			for s := 1; s < n; s++ {
				out = append(out, float32(t0+(float64(t)-t0)*float64(s)/float64(n)))
			}
		}
		out = append(out, t)
	}
	return sortedTimes(out)
}

func sortedTimes(t []float32) []float32 {
	slices.Sort(t)
	return slices.Compact(t)
}

// distance returns how far the vertices of a live moment are from what a player shows at fraction u between keys i and i+1:
// the largest distance, or one that is larger but still below enough.
func (b *baker) distance(live *moment, keys [][]boneKey, i int, u, enough float64) float64 {
	bound := 0.0
	for k := range b.bones {
		key := between(&keys[k][i], &keys[k][i+1], u)
		off := live.parents[k].Mul(key.affine()).Mul(b.bones[k].fromRest)
		for c := range off {
			off[c] -= live.matrices[k][c]
		}
		b.off[k] = off
		// A distance is convex over space: over a box it is largest in a corner.
		for _, corner := range b.bones[k].corners {
			d := off.Apply(corner)
			bound = math.Max(bound, d.Dot(d))
		}
	}
	if bound <= enough*enough {
		return math.Sqrt(bound)
	}
	worst := 0.0
	for v := range b.vertices {
		var d mgl64.Vec3
		for _, s := range b.vertices[v].shares {
			d = d.Add(b.off[s.Joint].Apply(b.vertices[v].rest).Mul(s.Weight))
		}
		if l := d.Dot(d); l > worst {
			worst = l
		}
	}
	return math.Sqrt(worst)
}

// bakeAll returns the keys of the static pose and of every clip.
func (b *baker) bakeAll() (rest []boneKey, clips []bakedClip) {
again:
	for {
		static := make([][]boneKey, len(b.bones))
		if !b.split([]moment{b.sample(-1, 0)}, static) {
			continue
		}
		rest = rest[:0]
		for k := range static {
			rest = append(rest, static[k][0])
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
