package skinning

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Frame is one posed instant of a model: every form of the palette that a kernel, on the CPU or the GPU, may want. It is
// allocated once and refilled by [Frame.SetPose], which allocates nothing.
type Frame struct {
	Model   *Model
	Centers *CenterSets // shared by all frames of a model

	// In float64, one entry per node (Globals), joint, or centre set.
	Globals  []Affine
	Matrices []Affine     // C_j
	Rigid    []DualQuat   // the rigid part of C_j = rigid·scale, unit; its sign is free unless Unrolled
	Scale    []Affine     // x -> a_j + S_j(x − a_j)
	Center   []mgl64.Vec3 // rotation centres, rest space; of a model with blend bones, current once SBS has asked
	Morphs   []float64    // morph weights, one per MorphSlot

	// The same rounded to float32, to be read only: kernels have packed copies of them.
	Palette32 []Mat34
	Rigid32   []DualQuat32
	Scale32   []Mat34
	Center32  []mgl32.Vec3

	// Baked leaves the joints of the model's rigs where their nodes are, as every other player does; else they are driven
	// live by the masters.
	Baked bool

	// LazyCenters makes SetPose leave Center to SolveCenters: for who poses often, and seldom by SBS.
	LazyCenters bool

	// LazyProxies makes SetPose leave the matrices of proxy bones to SolveProxies, and only predict their gradients: for who solves for
	// them on the GPU. Until then they are where their nodes are.
	LazyProxies bool

	// Unrolled says that the signs of Rigid follow the rotations continuously through a clip, so that kernels must not flip
	// them to the pivot's hemisphere. Set by [Signs.Apply], cleared by SetPose.
	Unrolled bool

	packed   packedPalette  // Palette32 for the assembly kernels
	motions  *packedMotions // Rigid32 for them
	scales   packedPalette  // Scale32 for them
	turning  turning        // Palette32, Rigid32 and Center32 for them
	rigid    bool           // no joint has a scale: see isRigid
	solved   bool           // Center is of this pose
	driven   bool           // the proxies' matrices are of this pose
	envelope EnvelopeDriver
}

// NewFrame makes a frame in the static pose. Centers may be nil: they are then collected here; pass those of another frame
// of the same model to share them.
func NewFrame(m *Model, centers *CenterSets) *Frame {
	if centers == nil {
		centers = NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	}
	joints, sets := len(m.Skeleton.Joints), len(centers.Joints)
	f := &Frame{
		Model:     m,
		Centers:   centers,
		Globals:   make([]Affine, len(m.Skeleton.Nodes)),
		Matrices:  make([]Affine, joints),
		Rigid:     make([]DualQuat, joints),
		Scale:     make([]Affine, joints),
		Center:    make([]mgl64.Vec3, sets),
		Morphs:    make([]float64, len(m.MorphSlots)),
		Palette32: make([]Mat34, joints),
		Rigid32:   make([]DualQuat32, joints),
		Scale32:   make([]Mat34, joints),
		Center32:  make([]mgl32.Vec3, sets),
		packed:    newPackedPalette(joints),
		motions:   newPackedMotions(joints),
		scales:    newPackedPalette(joints),
		turning:   newTurning(joints, centers),
	}
	f.SetPose(m.NewPose())
	return f
}

// SetPose computes the frame of a pose: forward kinematics, skinning matrices, their polar decomposition and the rotation
// centres.
func (f *Frame) SetPose(p *Pose) {
	s := &f.Model.Skeleton
	s.Globals(f.Globals, p)
	s.Palette(f.Matrices, f.Globals)
	copy(f.Morphs, p.Morphs)
	f.splitScales(false)
	f.Unrolled = false
	f.DriveBlendBones()
	if f.LazyProxies {
		f.predictProxies()
	} else {
		f.DriveProxies()
	}
	f.splitScales(true)
	f.solved = f.Model.Blend == nil && f.Model.Envelope == nil && !f.LazyCenters
	if f.solved {
		f.Centers.Solve(f.Center, f.Matrices)
	}
	f.round()
}

// SolveCenters makes Center current where SetPose has left that out; who poses by SBS from a frame's centres calls it first. A
// model with blend bones is posed by linear blending, and its many joint sets would cost more than all else of a pose.
func (f *Frame) SolveCenters() {
	if f.solved {
		return
	}
	f.solved = true
	f.SolveProxies()
	f.Centers.Solve(f.Center, f.Matrices)
	f.roundCenters()
}

// DriveBlendBones replaces the matrices of added joints by the operator's samples, what SetPose does too: the whole cost of a
// blend rig beyond linear blending. It does nothing for a model without one and for a baked frame.
func (f *Frame) DriveBlendBones() {
	r := f.Model.Blend
	if r == nil || f.Baked {
		return
	}
	for i := range r.Bones {
		b := &r.Bones[i]
		f.Matrices[b.Joint] = f.Evaluate(r.Operator, b.Masters, b.Weights)
		f.roundMatrix(b.Joint)
	}
}

// DriveProxies replaces the matrices of proxy bones by what the rig makes of the others', what SetPose does too: the whole cost of an
// envelope rig on the CPU beyond linear blending. It does nothing for a model without one and for a baked frame.
func (f *Frame) DriveProxies() {
	f.predictProxies()
	f.SolveProxies()
}

// predictProxies brings Gradients to the pose.
func (f *Frame) predictProxies() {
	r := f.Model.Envelope
	f.driven = r == nil || f.Baked
	if !f.driven {
		f.envelope.Predict(r, f.Matrices, f.Rigid)
	}
}

// SolveProxies makes the matrices of proxy bones current where SetPose has left that out.
func (f *Frame) SolveProxies() {
	if f.driven {
		return
	}
	f.driven = true
	r := f.Model.Envelope
	f.envelope.Solve(r, f.Matrices)
	for _, j := range r.Proxies {
		f.roundMatrix(j)
	}
}

// Gradients returns d(q) of the pose, see [EnvelopeDriver.Gradients]: empty for a model without an envelope rig, stale for a baked frame.
func (f *Frame) Gradients() []float64 { return f.envelope.Gradients() }

// splitScales fills Rigid and Scale: of the masters, or of the blend bones, whose matrices come from those of the masters.
func (f *Frame) splitScales(blend bool) {
	r := f.Model.Blend
	if blend {
		for i := 0; r != nil && i < len(r.Bones); i++ {
			j := r.Bones[i].Joint
			f.Rigid[j], f.Scale[j] = splitScale(f.Matrices[j], f.Model.Skeleton.Joints[j].Position)
		}
		return
	}
	for j := range f.Matrices {
		f.Rigid[j], f.Scale[j] = splitScale(f.Matrices[j], f.Model.Skeleton.Joints[j].Position)
	}
}

// splitScale writes c = rigid·scale with the scale acting about a: scale(x) = a + S(x − a), rigid(x) = R(x − a) + c(a).
func splitScale(c Affine, a mgl64.Vec3) (DualQuat, Affine) {
	r, s := PolarDecompose(c.Linear())
	q := QuatFromMat3(r)
	return NewDualQuat(q, c.Apply(a).Sub(r.Apply(a))), NewAffine(s, a.Sub(s.Apply(a)))
}

func (f *Frame) round() {
	for j := range f.Matrices {
		f.roundMatrix(j)
		f.Rigid32[j] = f.Rigid[j].Float32()
		f.Scale32[j] = f.Scale[j].Float32()
		f.scales.set(j, &f.Scale32[j])
	}
	f.roundSigns()
	f.rigid = isRigid(f.Scale)
	f.roundCenters()
}

func (f *Frame) roundCenters() {
	for k, c := range f.Center {
		f.Center32[k] = Vec32(c)
	}
	f.turning.setCenters(f.Center32)
}

// roundMatrix brings every rounded form of a joint's matrix to it.
func (f *Frame) roundMatrix(j int) {
	f.Palette32[j] = f.Matrices[j].Float32()
	f.packed.set(j, &f.Palette32[j])
	f.turning.setMatrix(j, &f.Palette32[j])
}

// roundSigns brings what kernels know of the quaternions' signs to Rigid32.
func (f *Frame) roundSigns() {
	f.motions.set(f.Rigid32, f.Unrolled)
	f.turning.setQuaternions(f.Rigid32)
}
