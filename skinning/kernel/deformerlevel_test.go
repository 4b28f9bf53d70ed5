package kernel_test

import (
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// A deformer poses by the level that it is told, on any number of workers, to the bit: linear blending rounds
// differently in plain Go and in assembly, so that a level that is not heeded shows.
func TestDeformerUseLevel(t *testing.T) {
	m := skinningtest.RandomModel(5000, 30, 4, 1)
	f := skinningtest.RandomFrame(m, 2)
	var scalar []skinning.Output
	for _, level := range simd.Levels() {
		want := poseIn(offsetMemory(0), f, skinning.LBS, level, true)
		for _, workers := range []int{1, 3} {
			d := skinning.NewDeformer(m, workers)
			d.UseLevel(level)
			out := skinning.NewOutput(m)
			d.Deform(&out, skinning.LBS, f)
			d.Close()
			if !slices.Equal(out.Positions, want.Positions) || !slices.Equal(out.Normals, want.Normals) {
				t.Errorf("%v on %d workers differs from the kernel of that level", level, workers)
			}
		}
		scalar = append(scalar, want)
		if level != simd.Scalar && slices.Equal(want.Positions, scalar[0].Positions) {
			t.Errorf("%v gives the very bits of plain Go", level)
		}
	}
}
