package rig

import (
	"fmt"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

func blendOf(m *skinning.Model) *BlendBones { return skinning.RigOf[*BlendBones](m) }

func envelopeOf(m *skinning.Model) *Enveloping { return skinning.RigOf[*Enveloping](m) }

// driveBones drives the blend bones of a frame once more, by a driver of a level, and returns that.
func driveBones(f *skinning.Frame, level simd.Level) *blendBonesDriver {
	d := blendOf(f.Model).NewDriver(&f.Model.Skeleton, level).(*blendBonesDriver)
	d.Drive(f)
	return d
}

// driveProxies does so with proxies.
func driveProxies(f *skinning.Frame, level simd.Level) *proxyDriver {
	d := envelopeOf(f.Model).NewDriver(&f.Model.Skeleton, level).(*proxyDriver)
	d.Drive(f)
	return d
}

// checkRounded holds the forms of a joint's matrix in float32 against the matrix.
func checkRounded(f *skinning.Frame, joint int) error {
	p, want := f.Float32(0), kernel.NewPalette([]int{-1}, []int{0}, 0)
	want.SetMatrix(0, &f.Matrices[joint])
	lo, hi := simd.EntryFloats*joint, simd.EntryFloats*(joint+1)
	if p.Matrices[joint] != want.Matrices[0] || !slices.Equal(p.Packed[lo:hi], want.Packed) {
		return fmt.Errorf("%v is rounded to %v and packed as %v", f.Matrices[joint], p.Matrices[joint], p.Packed[lo:hi])
	}
	return nil
}
