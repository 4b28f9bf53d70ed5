package kernel_test

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// No form reads or writes a byte outside of its slices, its palette or its counts, for any number of vertices: those up
// to 40 start at every multiple of 4 bytes that a register's width leaves.
func TestKernelsStayInside(t *testing.T) {
	counts := []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 1023, 1024, 1025, 1040}
	if !testing.Short() {
		counts = []int{1023, 1024, 1025, 1040}
		for n := range 41 {
			counts = append(counts, n)
		}
	}
	for _, vertices := range counts {
		m := skinningtest.AwkwardModel(vertices, 9, 4, uint64(vertices))
		for _, after := range []bool{false, true} {
			for _, level := range simd.Levels() {
				for _, method := range skinning.Methods() {
					t.Run(fmt.Sprintf("%d/after=%v/%v/%v", vertices, after, level, method), func(t *testing.T) {
						mem := guarded{skinningtest.GuardedMemory{T: t, After: after}}
						// The kernels leave out a scale phase that does nothing.
						for i, f := range []*skinning.Frame{skinningtest.RandomFrame(m, 3), skinningtest.RandomFrame(m, 3),
							skinningtest.ScaledFrame(m, 3), skinningtest.ScaledFrame(m, 3)} {
							f.Float32(skinning.RigidParts|skinning.Scales|skinning.Centers|skinning.Twists).Move(
								func(x []float32) []float32 { return skinningtest.Guarded(mem.GuardedMemory, x) },
								func(x []uint16) []uint16 { return skinningtest.Guarded(mem.GuardedMemory, x) })
							for _, normals := range []bool{true, false} {
								out := poseKnown(mem, f, i%2 == 1, method, level, normals)
								checkAgainstTwin(t, f, method, &out, boxSize)
							}
						}
					})
				}
			}
		}
	}
}

// No form reads outside of the bindings of twists.
func TestTwistBindingsStayInside(t *testing.T) {
	for _, vertices := range []int{1, 15, 16, 17, 40, 129} {
		m := skinningtest.AwkwardModel(vertices, 9, 4, uint64(vertices))
		second := skinningtest.AwkwardModel(vertices, 9, 4, uint64(vertices+1)).Skin.Influences
		m.Skin.SetSecond(skinning.TwistSwing, &second)
		f := skinningtest.RandomFrame(m, 3)
		for _, after := range []bool{false, true} {
			mem := guarded{skinningtest.GuardedMemory{T: t, After: after}}
			twist := second
			twist.Bindings = mem.bindings(vertices)
			copy(twist.Bindings, second.Bindings)
			for _, level := range simd.Levels() {
				out := skinning.NewOutput(m)
				s := kernel.NewStream(out.Positions, out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
				s.Second = twist
				kernel.TwistSwing(f.Float32(skinning.Twists), s, level)
				checkAgainstTwin(t, f, skinning.TwistSwing, &out, boxSize)
			}
		}
	}
}

// guarded is memory that ends where no page may be touched.
type guarded struct{ skinningtest.GuardedMemory }

func (g guarded) vec3(n int) []mgl32.Vec3 {
	return skinningtest.Guarded(g.GuardedMemory, make([]mgl32.Vec3, n))
}

func (g guarded) bindings(n int) []kernel.Binding {
	return skinningtest.Guarded(g.GuardedMemory, make([]kernel.Binding, n))
}

func (g guarded) sets(n int) []uint32 {
	return skinningtest.Guarded(g.GuardedMemory, make([]uint32, n))
}

func (g guarded) values(n int) [][4]float32 {
	return skinningtest.Guarded(g.GuardedMemory, make([][4]float32, n))
}

func (g guarded) counts(n int) []uint8 {
	return skinningtest.Guarded(g.GuardedMemory, make([]uint8, n))
}
