package skinning

import "skinlab/skinning/simd"

// Frame is one posed instant of a model: every form of the palette that a kernel, on the CPU or the GPU, may want. It
// is allocated once and refilled by [Frame.SetPose], which allocates nothing.
//
// What every method reads, the matrices, is there once a frame is posed. What only some read waits until somebody asks:
// the rigid parts and the scales, which take a polar decomposition a joint, the rotation centres, and what is packed of
// them. Several goroutines may read and ask at once; posing is for one alone.
type Frame struct {
	Model   *Model
	Centers *CenterSets // shared by all frames of a model

	// In float64, one entry per node (Globals) or joint.
	Globals  []Affine
	Matrices []Affine  // C_j
	Morphs   []float64 // morph weights, one per MorphSlot

	// Matrices rounded to float32, to be read only: kernels have packed copies of them.
	Palette32 []Mat34

	// Baked leaves the joints of the model's rigs where their nodes are, as every other player does; else they are driven
	// live by the masters.
	Baked bool

	// LazyProxies makes SetPose leave the matrices of proxy bones to SolveProxies, and only predict their gradients: for
	// who solves for them on the GPU. Until then they are where they were in some pose before, and so are, unless the
	// frame is baked, the Globals of nodes that carry joints of the model's rigs and nothing else.
	LazyProxies bool

	// Unrolled says that the signs of Rigid follow the rotations continuously through a clip, so that kernels must not
	// flip them to the pivot's hemisphere. Set by [Signs.Apply], cleared by SetPose.
	Unrolled bool

	packed   packedPalette // Palette32 for the assembly kernels
	driven   bool          // the proxies' matrices are of this pose
	envelope EnvelopeDriver
	lazy     lazyParts
	joints   splitter // all of them
	masters  rigMasters
	bones    *boneDriver // nil where no kernel drives the model's blend bones
	forms
}

// NewFrame makes a frame in the static pose. Centers may be nil: they are then collected here; pass those of another
// frame of the same model to share them.
func NewFrame(m *Model, centers *CenterSets) *Frame {
	if centers == nil {
		centers = NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	}
	joints := len(m.Skeleton.Joints)
	f := &Frame{
		Model:     m,
		Centers:   centers,
		Globals:   make([]Affine, len(m.Skeleton.Nodes)),
		Matrices:  make([]Affine, joints),
		Morphs:    make([]float64, len(m.MorphSlots)),
		Palette32: make([]Mat34, joints),
		packed:    newPackedPalette(joints),
	}
	f.lazy = newLazyParts(m)
	level, _ := simd.Default() // who starts the program reports the error
	f.useLevel(level)
	f.forms.init(&m.Skeleton, centers)
	f.SetPose(m.NewPose())
	return f
}

// UseLevel makes the frame take joints apart and drive blend and proxy bones by kernels of a level in place of
// [simd.Default], from its next pose on; it panics where that is none of [simd.Levels]. Levels differ by rounding.
func (f *Frame) UseLevel(level simd.Level) {
	mustHave(level)
	f.useLevel(level)
}

func (f *Frame) useLevel(level simd.Level) {
	f.envelope.level = level
	all := make([]int, len(f.Model.Skeleton.Joints))
	for j := range all {
		all[j] = j
	}
	f.joints = newSplitter(&f.Model.Skeleton, all, level)
	f.masters = newRigMasters(f.Model, level)
	f.bones = newBoneDriver(f.Model, f.masters.blend)
}

// SetPose computes the frame of a pose: forward kinematics, skinning matrices, and the joints of the model's rigs.
func (f *Frame) SetPose(p *Pose) {
	if f.LazyProxies && !f.Baked && f.Model.Envelope != nil {
		f.lazy.pose(f, p)
	} else {
		s := &f.Model.Skeleton
		s.Globals(f.Globals, p)
		s.Palette(f.Matrices, f.Globals)
		for j := range f.Matrices {
			f.roundMatrix(j)
		}
	}
	copy(f.Morphs, p.Morphs)
	f.Unrolled = false
	f.forget()
	f.DriveBlendBones()
	if f.LazyProxies {
		f.predictProxies()
	} else {
		f.DriveProxies()
	}
}

// DriveBlendBones replaces the matrices of added joints by the operator's samples, what SetPose does too: the whole
// cost of a blend rig beyond linear blending. It does nothing for a model without one and for a baked frame.
func (f *Frame) DriveBlendBones() {
	r := f.Model.Blend
	if r == nil || f.Baked {
		return
	}
	if f.bones.serve(f) {
		return
	}
	f.masters.blend.set(f, r.Operator.Reads())
	for i := range r.Bones {
		f.driveBone(&r.Bones[i])
	}
}

// driveBone drives one blend bone, whose masters are taken apart.
func (f *Frame) driveBone(b *BlendBone) {
	f.Matrices[b.Joint] = f.evaluate(f.Model.Blend.Operator, b.Masters, b.Weights)
	f.roundMatrix(b.Joint)
}

// DriveProxies replaces the matrices of proxy bones by what the rig makes of the others', what SetPose does too: the
// whole cost of an envelope rig on the CPU beyond linear blending. It does nothing for a model without one and for a
// baked frame.
func (f *Frame) DriveProxies() {
	f.predictProxies()
	f.SolveProxies()
}

// predictProxies brings Gradients to the pose.
func (f *Frame) predictProxies() {
	r := f.Model.Envelope
	f.driven = r == nil || f.Baked
	if !f.driven {
		f.masters.envelope.set(f, Motions)
		f.envelope.Predict(r, f.Matrices, f.rigid)
	}
}

// SolveProxies makes the matrices of proxy bones current where SetPose has left that out. It is a part of posing: for
// one goroutine alone.
func (f *Frame) SolveProxies() {
	if f.driven {
		return
	}
	f.driven = true
	r := f.Model.Envelope
	if p := r.ready(f.envelope.level); p != nil {
		p.blocks.solve(f, r)
		return
	}
	f.envelope.Solve(r, f.Matrices)
	for _, j := range r.Proxies {
		f.roundMatrix(j)
	}
}

// Gradients returns d(q) of the pose, see [EnvelopeDriver.Gradients]: empty for a model without an envelope rig, stale
// for a baked frame.
func (f *Frame) Gradients() []float64 { return f.envelope.Gradients() }

// roundMatrix brings every rounded form of a joint's matrix to it.
func (f *Frame) roundMatrix(j int) {
	f.Matrices[j].roundTo(&f.Palette32[j])
	f.packed.set(j, &f.Palette32[j])
}

// rigMasters are the joints that the model's rigs read, those of blend bones each once.
type rigMasters struct{ blend, envelope splitter }

func newRigMasters(m *Model, level simd.Level) (r rigMasters) {
	if m.Envelope != nil {
		r.envelope = newSplitter(&m.Skeleton, m.Envelope.Masters, level)
	}
	if m.Blend == nil {
		return r
	}
	var masters []int
	seen := make([]bool, len(m.Skeleton.Joints))
	for i := range m.Blend.Bones {
		for _, j := range m.Blend.Bones[i].Masters {
			if !seen[j] {
				seen[j] = true
				masters = append(masters, int(j))
			}
		}
	}
	r.blend = newSplitter(&m.Skeleton, masters, level)
	return r
}
