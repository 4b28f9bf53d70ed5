package rig

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// guardFrame moves what drivers write of a frame into guarded memory.
func guardFrame(mem skinningtest.GuardedMemory, f *skinning.Frame) {
	p := f.Float32(0)
	f.Matrices, p.Matrices = skinningtest.Guarded(mem, f.Matrices), skinningtest.Guarded(mem, p.Matrices)
	p.Packed = skinningtest.Guarded(mem, p.Packed)
}

// The kernels that drive blend bones stay inside of their groups, the records, the joints and the flags.
func TestDriveStaysInside(t *testing.T) {
	level, _ := simd.Default()
	r := rand.New(rand.NewPCG(41, 42))
	plain := skinningtest.RandomModel(3, 7, 2, 1)
	for _, bones := range []int{1, 2, 4, 5, 12, 16, 17, 33} {
		for _, operator := range skinning.Operators() {
			m, err := WithBlendBones(plain, operator, randomBones(r, bones, 7), plain.Skin.Influences)
			if err != nil {
				t.Fatal(err)
			}
			f := skinning.NewFrame(m, nil)
			f.SetPose(skinningtest.TurnedPose(r, m, 0.5, true, false))
			d := driveBones(f, level)
			if operator.BoneKernel() == nil {
				continue
			}
			if d.kernel == nil {
				t.Skip("no kernel on this machine")
			}
			want := slices.Clone(f.Matrices)
			for _, after := range []bool{false, true} {
				mem := skinningtest.GuardedMemory{T: t, After: after}
				guardFrame(mem, f)
				records := skinningtest.Guarded(mem, d.masters.Records(f, d.scaled))
				d.failed = skinningtest.Guarded(mem, d.failed)
				d.blends, d.centers = skinningtest.Guarded(mem, d.blends), skinningtest.Guarded(mem, d.centers)
				memory := f.DriveMemory()
				memory.Records, memory.Failed = &records[0], &d.failed[0]
				d.kernel(memory, d.blends, d.centers, d.scaled)
				d.driveRest(f)
				if !slices.Equal(f.Matrices, want) {
					t.Errorf("%d bones of %v: other matrices", bones, operator)
				}
			}
		}
	}
}

// The kernels that drive proxy bones stay inside of the predictors, the matrices, what they multiply and the joints.
func TestProxiesStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, proxies := range []int{1, 2, 3, 8} {
		m := randomEnvelope(t, skinningtest.RandomModel(3, 5, 2, 1), proxies, 2)
		parted(r, envelopeOf(m), 0.3)
		prepared := envelopeOf(m).prepared
		for _, level := range simd.Levels() {
			f := skinning.NewFrame(m, nil)
			f.UseLevel(level)
			f.SetPose(skinningtest.TurnedPose(r, m, 1, false, false))
			d, want := driveProxies(f, level), slices.Clone(f.Matrices)
			for _, after := range []bool{false, true} {
				mem := skinningtest.GuardedMemory{T: t, After: after}
				guardFrame(mem, f)
				d.q, d.d = skinningtest.Guarded(mem, d.q), skinningtest.Guarded(mem, d.d)
				b := &prepared.blocks
				b.program, b.coefficients = skinningtest.Guarded(mem, b.program), skinningtest.Guarded(mem, b.coefficients)
				prepared.keys = skinningtest.Guarded(mem, prepared.keys)
				if k := &d.scratch; level != simd.Scalar {
					k.records, k.gradients = skinningtest.Guarded(mem, k.records), skinningtest.Guarded(mem, k.gradients)
					k.failed = skinningtest.Guarded(mem, k.failed)
				}
				d.Drive(f)
				if !slices.Equal(f.Matrices, want) {
					t.Errorf("%d proxies, %v: other matrices", proxies, level)
				}
			}
		}
	}
}
