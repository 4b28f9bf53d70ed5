package skinning

import (
	"fmt"

	"skinlab/skinning/simd"
)

// Copy makes f the same instant as src, so that another goroutine may go on with it while src moves on. Both must be frames of one
// model that share its centre sets' number; it allocates nothing.
func (f *Frame) Copy(src *Frame) {
	if f.Model != src.Model || len(f.Center) != len(src.Center) {
		panic(fmt.Sprintf("skinning: Frame.Copy: %d joints and %d centres from a frame of %d and %d of another model",
			len(f.Matrices), len(f.Center), len(src.Matrices), len(src.Center)))
	}
	copy(f.Globals, src.Globals)
	copy(f.Matrices, src.Matrices)
	copy(f.Rigid, src.Rigid)
	copy(f.Scale, src.Scale)
	copy(f.Center, src.Center)
	copy(f.Morphs, src.Morphs)
	copy(f.Palette32, src.Palette32)
	copy(f.Rigid32, src.Rigid32)
	copy(f.Scale32, src.Scale32)
	copy(f.Center32, src.Center32)
	copy(f.packed, src.packed)
	f.motions.copy(src.motions)
	copy(f.scales, src.scales)
	f.turning.copy(&src.turning)
	f.rigid = src.rigid
	f.envelope.copy(&src.envelope)
	f.Baked, f.Unrolled, f.solved, f.driven = src.Baked, src.Unrolled, src.solved, src.driven
}

// PoseStream poses a run of vertices by a method, on the caller's goroutine. The stream's rest must have the frame's morph targets
// applied. For SBS the frame's centres must be current: see [Frame.SolveCenters]. It allocates nothing.
func (f *Frame) PoseStream(s *Stream, method Method) {
	level, _ := simd.Default() // who starts the program reports the error
	f.poseStream(s, method, level)
}

// poseStream is PoseStream at a level that the machine has.
func (f *Frame) poseStream(s *Stream, method Method, level simd.Level) {
	switch method {
	case LBS:
		f.linearBlend(s, level)
	case DQS:
		f.dualBlend(s, level)
	case SDQS:
		f.scaleDualBlend(s, level)
	case DIB:
		f.iterativeBlend(s, level)
	case SBS:
		f.sphericalBlend(s, level)
	default:
		panic(fmt.Sprintf("skinning: PoseStream: %v", method))
	}
}
