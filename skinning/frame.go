package skinning

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// Frame is a model in one pose. It has every form of the palette that kernels on the CPU or the GPU read. It is
// allocated once and refilled by [Frame.SetPose], which allocates nothing.
//
// Posing makes the matrices, which every method reads. The forms that only some methods read are computed on demand:
// the rigid parts and the scales, which take a polar decomposition per joint, and the rotation centres ([Forms]).
// Several goroutines may read a frame at once. Only one may pose it, and none may read it meanwhile.
type Frame struct {
	Model   *Model
	Centers *CenterSets // shared by all frames of a model

	// In float64, one entry per node (Globals) or joint.
	Globals  []geom.Affine
	Matrices []geom.Affine // C_j
	Morphs   []float64     // morph weights, one per MorphSlot

	// Baked poses the joints of the model's rigs by the clips' baked keys, as other players do. Otherwise the rigs
	// drive them.
	Baked bool

	// LazyProxies makes SetPose predict the gradients of [Model.SolvedRig] only, and leave its matrices to SolveProxies
	// or to the GPU. Until SolveProxies is called these matrices are of an earlier pose. Unless the frame is baked, the
	// Globals of nodes that carry only joints of the model's rigs are of an earlier pose too.
	LazyProxies bool

	// Unrolled says that the signs of Rigid follow the rotations continuously through a clip, so that kernels must not
	// flip them to the pivot's hemisphere. Set by [Signs.Apply], cleared by SetPose.
	Unrolled bool

	joints   *JointSplitter // all of them
	drivers  []drivenRig    // of the model's rigs, in their order
	linear   LinearDriver   // of the model's SolvedRig, nil for none
	solved   bool           // the matrices of that rig are of this pose
	undriven undrivenParts
	turned   []int // the joints that Mirrored looks at
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
		Model:    m,
		Centers:  centers,
		Globals:  make([]geom.Affine, len(m.Skeleton.Nodes)),
		Matrices: make([]geom.Affine, joints),
		Morphs:   make([]float64, len(m.MorphSlots)),
		forms:    newForms(&m.Skeleton, centers),
	}
	f.undriven = newUndrivenParts(m)
	level, _ := simd.Default() // the program reports the error when it starts
	f.useLevel(level)
	f.SetPose(m.NewPose())
	return f
}

// UseLevel makes the frame use kernels of a level instead of [simd.Default] from its next pose on, for splitting joints
// and for driving those of rigs. Levels differ by rounding. It panics unless the level is one of [simd.Levels].
func (f *Frame) UseLevel(level simd.Level) {
	mustHave(level)
	f.useLevel(level)
}

func (f *Frame) useLevel(level simd.Level) {
	all := make([]int, len(f.Model.Skeleton.Joints))
	for j := range all {
		all[j] = j
	}
	f.joints = NewJointSplitter(&f.Model.Skeleton, all, level)
	was, solved := f.linear, f.Model.solvedRig()
	f.turned = all
	if solved >= 0 {
		proxies := f.Model.Rigs[solved].Joints()
		f.turned = slices.DeleteFunc(slices.Clone(all), func(j int) bool { return slices.Contains(proxies, j) })
	}
	f.drivers, f.linear = f.drivers[:0], nil
	for i, rig := range f.Model.Rigs {
		driver := rig.NewDriver(&f.Model.Skeleton, level)
		f.drivers = append(f.drivers, drivenRig{driver: driver, joints: rig.Joints(), linear: i == solved})
		if i == solved {
			f.linear = driver.(LinearDriver)
		}
	}
	if was != nil && f.linear != nil {
		f.linear.Copy(was)
	}
}

// SetPose computes the frame of a pose: forward kinematics, skinning matrices, and the joints of the model's rigs.
func (f *Frame) SetPose(p *Pose) {
	if f.LazyProxies && !f.Baked && f.linear != nil {
		f.undriven.pose(f, p)
	} else {
		s := &f.Model.Skeleton
		s.Globals(f.Globals, p)
		s.Palette(f.Matrices, f.Globals)
		for j := range f.Matrices {
			f.palette.SetMatrix(j, &f.Matrices[j])
		}
	}
	copy(f.Morphs, p.Morphs)
	f.Unrolled = false
	f.forget()
	f.DriveRigs()
}

// drivenRig is a rig of a frame's model.
type drivenRig struct {
	driver RigDriver
	joints []int // that it drives
	linear bool  // it is the model's SolvedRig
}

// DriveRigs computes the matrices of the joints that the model's rigs drive. SetPose calls it. Benchmarks call it
// separately, because it is the whole cost of rigs beyond linear blending. It does nothing in a baked frame.
func (f *Frame) DriveRigs() {
	f.solved = f.linear == nil || f.Baked
	if f.Baked {
		return
	}
	for i := range f.drivers {
		if d := &f.drivers[i]; !d.linear {
			d.driver.Drive(f)
		} else if f.linear.Predict(f); !f.LazyProxies {
			f.SolveProxies()
		}
	}
}

// driveUnrolled drives a rig again after [Signs.Apply] has given rotations their signs, and gives the rig's joints
// theirs.
func (d *drivenRig) driveUnrolled(f *Frame) {
	if _, unsigned := d.driver.(LinearDriver); unsigned {
		return
	}
	if !f.Baked {
		d.driver.Drive(f)
	}
	for _, j := range d.joints {
		f.rigid[j].SetRigidPart(&f.Matrices[j], &f.Model.Skeleton.Joints[j].Position)
	}
}

// SolveProxies computes the matrices of the model's SolvedRig if SetPose has left that out. As with posing, only one
// goroutine may use the frame meanwhile.
func (f *Frame) SolveProxies() {
	if !f.solved {
		f.solved = true
		f.linear.Solve(f)
	}
}

// Gradients returns d of the model's SolvedRig in the pose ([LinearDriver]): empty for a model without one, stale for a
// baked frame.
func (f *Frame) Gradients() []float64 {
	if f.linear == nil {
		return nil
	}
	d, _ := f.linear.Known()
	return d
}

// SetMatrix replaces the matrix of a joint: for a [RigDriver].
func (f *Frame) SetMatrix(joint int, c *geom.Affine) {
	f.Matrices[joint] = *c
	f.palette.SetMatrix(joint, c)
}

// DriveMemory returns where kernels of package simd write the matrices of driven joints: for a [RigDriver].
func (f *Frame) DriveMemory() simd.Drive {
	joints := len(f.Model.Skeleton.Joints)
	if len(f.Matrices) < joints {
		panic(fmt.Sprintf("skinning: Frame.DriveMemory: %d matrices of %d joints", len(f.Matrices), joints))
	}
	memory := f.palette.Memory(joints)
	memory.Matrices = (*[12]float64)(&f.Matrices[0])
	return memory
}

// Copy copies the pose of src to f, so that another goroutine may use f while src is posed again. Both must be frames
// of one model with the same number of centre sets. It allocates nothing but room for forms that f never had.
func (f *Frame) Copy(src *Frame) {
	if f.Model != src.Model || len(f.Centers.Joints) != len(src.Centers.Joints) {
		panic(fmt.Sprintf("skinning: Frame.Copy: %d joints and %d centres from a frame of %d and %d of another model",
			len(f.Matrices), len(f.Centers.Joints), len(src.Matrices), len(src.Centers.Joints)))
	}
	copy(f.Globals, src.Globals)
	copy(f.Matrices, src.Matrices)
	copy(f.Morphs, src.Morphs)
	f.copyForms(src)
	if f.linear != nil {
		f.linear.Copy(src.linear)
	}
	f.Baked, f.Unrolled, f.solved = src.Baked, src.Unrolled, src.solved
}

// Stream joins what a method reads of the model's skin, from a vertex on, with the caller's buffers. Normals may be
// nil. It allocates nothing, but for the first stream of all with values.
func (f *Frame) Stream(method Method, positions, normals, rest, restNormals []mgl32.Vec3, first int) kernel.Stream {
	end := first + len(rest)
	in := f.Model.Skin.Influences.Slice(first, end)
	s := kernel.NewStream(positions, normals, rest, restNormals, &in, nil)
	if method.Reads()&Centers != 0 {
		s.Sets = f.Centers.OfVertex[first:end]
	}
	s.Second = f.Model.Skin.Second(method).Slice(first, end)
	if values := f.values(method); values != nil {
		s.Values = values[first:end]
	}
	return s
}

// PoseStream poses a run of vertices by a method, on the caller's goroutine. The stream's rest must have the frame's
// morph targets applied. It allocates nothing but room for forms that the frame never had.
//
// It is meant for vertices that are posed once. Their bindings are checked first and, except for LBS, copied with the
// joints marked that are to be flipped. For vertices that are posed repeatedly, a [Deformer] keeps these results. It
// needs 0.55 (DQS) to 0.85 (DIB) of the time for 30,000 vertices on an AMD EPYC with AVX-512.
func (f *Frame) PoseStream(s *kernel.Stream, method Method) {
	level, _ := simd.Default() // the program reports the error when it starts
	method.Kernel()(f.Float32(method.Reads()), *s, level)
}

// Snapshot returns a frame whose skin has given positions. So shapes that no palette produces, such as displacements
// interpolated in pose space, can be drawn and measured like any other. The frame has its own model, which shares
// everything but the skin's positions with that of f. Its joints are at rest, and rigid meshes are as in f. Normals are
// computed from the positions. There is one position per vertex of the skin, metres, world space.
func (f *Frame) Snapshot(positions []mgl64.Vec3) *Frame {
	skin := &f.Model.Skin
	if len(positions) != len(skin.Positions) {
		panic(fmt.Sprintf("skinning: Frame.Snapshot: %d positions of %d", len(positions), len(skin.Positions)))
	}
	m := *f.Model
	m.Skin.Positions, m.Skin.Normals, m.Skin.Morphs = nil, nil, nil
	m.Rigs = nil
	rings := NewOneRings(skin, f.Model.Skeleton.Joints)
	rest := f.Model.Skin.RestShape(make([]float64, len(f.Model.MorphSlots)))
	normals := rings.Normals(Shape{Positions: positions, Normals: rest.Normals}, false)
	for v, p := range positions {
		m.Skin.Positions = append(m.Skin.Positions, geom.Vec32(p))
		m.Skin.Normals = append(m.Skin.Normals, geom.Vec32(normals[v]))
	}
	out := NewFrame(&m, f.Centers)
	copy(out.Globals, f.Globals)
	for j := range out.Matrices {
		rest := geom.IdentityAffine()
		out.SetMatrix(j, &rest)
	}
	out.forget()
	return out
}
