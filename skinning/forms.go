package skinning

import (
	"sync"
	"sync/atomic"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Forms is a set of forms of a pose besides its matrices. A frame computes each when something first asks for it.
type Forms uint32

// The forms.
const (
	Motions Forms = 1 << iota // the rigid parts of the matrices, see [Frame.Rigid]
	Scales                    // the rest of them, see [Frame.Scale]
	Centers                   // the rotation centres, see [Frame.Center]
)

// forms are what a frame computes when it is first asked for, and keeps until it is posed anew.
type forms struct {
	// C_j = rigid·scale, by joint: the rigid part is unit, and of either sign; the scale is x -> a_j + S_j(x − a_j).
	rigid   []geom.DualQuat
	scale   []geom.Affine
	rigid32 []geom.DualQuat32
	scale32 []geom.Mat34
	motions *packedMotions // rigid32 for the assembly kernels
	scales  packedPalette  // scale32 for them
	// unscaled says that no joint has a scale: see isRigid.
	unscaled bool

	center   []mgl64.Vec3 // by centre set
	center32 []mgl32.Vec3
	turning  turning // Palette32, rigid32 and center32 for the assembly kernel of SBS

	made   atomic.Uint32 // the forms that are of this pose
	making sync.Mutex
}

func (f *forms) init(skeleton *Skeleton, centers *CenterSets) {
	joints := len(skeleton.Joints)
	sets := len(centers.Joints)
	f.rigid, f.rigid32, f.motions = make([]geom.DualQuat, joints), make([]geom.DualQuat32, joints),
		newPackedMotions(skeleton)
	f.scale, f.scale32, f.scales = make([]geom.Affine, joints), make([]geom.Mat34, joints),
		newPackedPalette(f.motions.opposite+joints)
	f.center, f.center32, f.turning = make([]mgl64.Vec3, sets), make([]mgl32.Vec3, sets), newTurning(f.motions, centers)
}

// Rigid returns the rigid part of each joint's matrix, C_j = rigid·scale: unit dual quaternions whose sign is free
// unless Unrolled. To be read only, and until the frame is posed anew.
func (f *Frame) Rigid() []geom.DualQuat {
	f.need(Motions)
	return f.rigid
}

// Rigid32 returns the rigid parts rounded to float32. As those of all forms its slice is to be read only, until the
// frame is posed anew.
func (f *Frame) Rigid32() []geom.DualQuat32 {
	f.need(Motions)
	return f.rigid32
}

// Scale returns the scale of each joint's matrix, x -> a_j + S_j(x − a_j), rest space.
func (f *Frame) Scale() []geom.Affine {
	f.need(Scales)
	return f.scale
}

// Scale32 returns the scales rounded to float32.
func (f *Frame) Scale32() []geom.Mat34 {
	f.need(Scales)
	return f.scale32
}

// Center returns the rotation centre of each of the frame's centre sets, metres, rest space. A model with blend bones
// has many sets.
func (f *Frame) Center() []mgl64.Vec3 {
	f.need(Centers)
	return f.center
}

// Center32 returns the rotation centres rounded to float32.
func (f *Frame) Center32() []mgl32.Vec3 {
	f.need(Centers)
	return f.center32
}

// Prepare computes what a method reads of a pose and the frame has not computed yet. Whoever poses by it gets the same
// without asking, but later: this is for who times poses.
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
	if want&(Scales|Centers) != 0 {
		want |= Motions
	}
	want &^= Forms(f.made.Load())
	f.SolveProxies()
	f.joints.set(f, want)
	if want&Motions != 0 {
		f.packMotions()
	}
	if want&Scales != 0 {
		f.packScales()
	}
	if want&Centers != 0 {
		f.Centers.Solve(f.center, f.Matrices)
		f.packCenters()
	}
	f.made.Or(uint32(want))
}

// forget makes no form current.
func (f *forms) forget() {
	f.made.Store(0)
	f.motions.forget()
}

// packMotions brings what is rounded and packed of rigid to it.
func (f *Frame) packMotions() {
	for j := range f.rigid {
		f.rigid32[j] = f.rigid[j].Float32()
	}
	f.motions.set(f.rigid32, f.Unrolled)
}

// packScales brings what is rounded and packed of scale to it.
func (f *Frame) packScales() {
	for j := range f.scale {
		f.scale[j].Float32To(&f.scale32[j])
		f.scales.set(j, &f.scale32[j])
		f.scales.set(f.motions.opposite+j, &f.scale32[j])
	}
	f.unscaled = isRigid(f.scale)
}

// packCenters brings what is rounded and packed of center to it, and turning to the matrices and motions.
func (f *Frame) packCenters() {
	for k, c := range f.center {
		f.center32[k] = geom.Vec32(c)
	}
	f.turning.set(f.Palette32, f.motions)
	f.turning.setCenters(f.center32)
}

// copy takes over the forms that another frame has. Others may be asking that one for more meanwhile.
func (f *forms) copy(src *forms) {
	have := Forms(src.made.Load())
	if have&Motions != 0 {
		copy(f.rigid, src.rigid)
		copy(f.rigid32, src.rigid32)
		f.motions.copy(src.motions)
	}
	if have&Scales != 0 {
		copy(f.scale, src.scale)
		copy(f.scale32, src.scale32)
		copy(f.scales, src.scales)
		f.unscaled = src.unscaled
	}
	if have&Centers != 0 {
		copy(f.center, src.center)
		copy(f.center32, src.center32)
		f.turning.copy(&src.turning)
	}
	f.made.Store(uint32(have))
}
