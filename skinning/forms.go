package skinning

import (
	"sync"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// Forms is a set of forms of a pose besides its matrices. A frame computes each when something first asks for it.
type Forms uint32

// The forms.
const (
	RigidParts Forms = 1 << iota // the rigid parts of the matrices, see [Frame.Rigid]
	Scales                       // the rest of them, see [Frame.Scale]
	Centers                      // the rotation centres, see [Frame.Center]
	Twists                       // the accumulated twists and the swing matrices, see [Frame.Twist] and [Frame.Swing]
	Motions                      // the rigid parts as matrices
)

// forms are computed when they are first asked for, and kept until the frame is posed again.
type forms struct {
	// C_j = rigid·scale, by joint: the rigid part is unit, and of either sign; the scale is x -> a_j + S_j(x − a_j).
	rigid   []geom.DualQuat
	motion  []geom.Affine // the rigid part as a matrix
	scale   []geom.Affine
	center  []mgl64.Vec3    // by centre set
	twist   []geom.DualQuat // T̄_j, by joint
	swing   []geom.Affine   // P_j = C_j·T̄_j⁻¹, by joint
	palette *kernel.Palette // the matrices, and all of these, in float32

	made   atomic.Uint32 // the forms that are of this pose
	making sync.Mutex
}

func newForms(s *Skeleton, centers *CenterSets) forms {
	joints := len(s.Joints)
	parents := make([]int, joints)
	for j := range parents {
		parents[j] = s.Joints[j].Parent
	}
	return forms{palette: kernel.NewPalette(parents, jointOrder(s), len(centers.Joints))}
}

// makeRoom makes room for the wanted forms that have none yet. Most frames are asked for few forms: linear blending
// reads none.
func (f *Frame) makeRoom(want Forms) {
	joints := len(f.Matrices)
	if want&RigidParts != 0 && f.rigid == nil {
		f.rigid = make([]geom.DualQuat, joints)
	}
	if want&Scales != 0 && f.scale == nil {
		f.scale = make([]geom.Affine, joints)
	}
	if want&Centers != 0 && f.center == nil {
		f.center = make([]mgl64.Vec3, len(f.Centers.Joints))
	}
	if want&Motions != 0 && f.motion == nil {
		f.motion = make([]geom.Affine, joints)
	}
	if want&Twists != 0 && f.twist == nil {
		f.twist, f.swing = make([]geom.DualQuat, joints), make([]geom.Affine, joints)
	}
}

// Rigid returns the rigid part of each joint's matrix, C_j = rigid·scale: unit dual quaternions whose sign is free
// unless Unrolled. Callers must not change the slice of this or any other form, nor read it after the frame is posed
// again.
func (f *Frame) Rigid() []geom.DualQuat {
	f.need(RigidParts)
	return f.rigid
}

// Scale returns the scale of each joint's matrix, x -> a_j + S_j(x − a_j), rest space.
func (f *Frame) Scale() []geom.Affine {
	f.need(Scales)
	return f.scale
}

// Center returns the rotation centre of each of the frame's centre sets, metres, rest space. A model with blend bones
// has many sets.
func (f *Frame) Center() []mgl64.Vec3 {
	f.need(Centers)
	return f.center
}

// Twist returns the accumulated twist of each joint, T̄_j, a unit dual quaternion in rest space: the product of the
// twists about their bones of all joints down to it (twist-swing skinning, EBM section 2).
func (f *Frame) Twist() []geom.DualQuat {
	f.need(Twists)
	return f.twist
}

// Swing returns the swing matrix of each joint, P_j = C_j·T̄_j⁻¹: all of its motion but the twist.
func (f *Frame) Swing() []geom.Affine {
	f.need(Twists)
	return f.swing
}

// Float32 returns the matrices and some forms of the pose in float32, as kernels and the GPU read them.
func (f *Frame) Float32(want Forms) *kernel.Palette {
	f.need(want)
	return f.palette
}

// Prepare computes the forms that a method reads and that the frame has not computed yet. They are computed on demand
// otherwise. Benchmarks call Prepare to time that part separately.
func (f *Frame) Prepare(method Method) { f.need(method.Reads()) }

// need makes forms current.
func (f *Frame) need(want Forms) {
	if Forms(f.made.Load())&want != want {
		f.compute(want)
	}
}

// compute makes forms current, once however many goroutines ask.
func (f *Frame) compute(want Forms) {
	f.making.Lock()
	defer f.making.Unlock()
	if want&Centers != 0 {
		want |= Motions
	}
	if want&(Scales|Motions) != 0 {
		want |= RigidParts
	}
	want &^= Forms(f.made.Load())
	f.SolveProxies()
	split := want &^ Twists
	if want&Twists != 0 { // twists are made of rotations, but what reads them reads no rigid parts
		split |= RigidParts
	}
	f.makeRoom(want)
	f.joints.Split(f, split)
	if want&RigidParts != 0 {
		f.palette.SetRigid(f.rigid, f.Unrolled)
	}
	if want&Scales != 0 {
		f.palette.SetScales(f.scale)
	}
	if want&Motions != 0 {
		for j := range f.rigid {
			f.rigid[j].AffineTo(&f.motion[j])
		}
		f.palette.SetMotions(f.motion)
	}
	if want&Centers != 0 {
		f.Centers.Solve(f.center, f.motion)
		f.palette.SetCenters(f.center)
	}
	if want&Twists != 0 {
		f.setTwists()
		f.palette.SetTwists(f.twist, f.swing)
	}
	f.made.Or(uint32(want))
}

// forget makes no form current.
func (f *forms) forget() {
	f.made.Store(0)
	f.palette.Forget()
}

// copyForms takes over the forms that another frame has. Others may be asking that one for more meanwhile.
func (f *Frame) copyForms(src *Frame) {
	have := Forms(src.made.Load())
	f.makeRoom(have)
	if have&RigidParts != 0 {
		copy(f.rigid, src.rigid)
	}
	if have&Scales != 0 {
		copy(f.scale, src.scale)
	}
	if have&Centers != 0 {
		copy(f.center, src.center)
	}
	if have&Motions != 0 {
		copy(f.motion, src.motion)
	}
	if have&Twists != 0 {
		copy(f.twist, src.twist)
		copy(f.swing, src.swing)
	}
	f.palette.Copy(src.palette, kernel.Parts{Rigid: have&RigidParts != 0, Scales: have&Scales != 0,
		Motions: have&Motions != 0, Centers: have&Centers != 0, Twists: have&Twists != 0})
	f.made.Store(uint32(have))
}
