package skinning

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/simd"
)

// guardedMemory puts slices against a page that may not be touched: right before it, or right after it. One byte read
// or written outside of a slice ends the test with a fault.
type guardedMemory struct {
	t     *testing.T
	after bool
}

func (g guardedMemory) bytes(n int) unsafe.Pointer {
	page := syscall.Getpagesize()
	size := (n+page-1)/page*page + 2*page
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = syscall.Munmap(m) })
	for _, guard := range [][]byte{m[:page], m[size-page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			g.t.Fatal(err)
		}
	}
	if g.after {
		return unsafe.Pointer(&m[page])
	}
	return unsafe.Add(unsafe.Pointer(&m[0]), size-page-n)
}

func (g guardedMemory) vec3(n int) []mgl32.Vec3 {
	return unsafe.Slice((*mgl32.Vec3)(g.bytes(n*12)), n)
}

func (g guardedMemory) bindings(n int) []Binding {
	return unsafe.Slice((*Binding)(g.bytes(n*simd.BindingBytes)), n)
}

func (g guardedMemory) sets(n int) []uint32 {
	return unsafe.Slice((*uint32)(g.bytes(n*4)), n)
}

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
		m := awkwardModel(vertices, 9, 4, uint64(vertices))
		for _, after := range []bool{false, true} {
			for _, level := range simd.Levels() {
				for _, method := range Methods() {
					t.Run(fmt.Sprintf("%d/after=%v/%v/%v", vertices, after, level, method), func(t *testing.T) {
						mem := guardedMemory{t, after}
						// The kernels leave out a scale phase that does nothing.
						for i, f := range []*Frame{randomFrame(m, 3), randomFrame(m, 3), scaledFrame(m, 3), scaledFrame(m, 3)} {
							f.packed = packedPalette(guardFloats(mem, f.packed))
							guardMotions(mem, f)
							scanned := &scannedBindings{bindings: m.Skin.Bindings} // nothing is known of them
							if i%2 == 1 {
								scanned = scanBindings(m.Skin.Bindings)
								scanned.counts = guarded(mem, scanned.counts)
							}
							for _, normals := range []bool{true, false} {
								out := poseBindings(mem, f, scanned, method, level, normals)
								checkAgainstTwin(t, f, method, &out, boxSize)
							}
						}
					})
				}
			}
		}
	}
}

// guardFloats copies floats into guarded memory.
func guardFloats(mem guardedMemory, floats []float32) []float32 {
	out := unsafe.Slice((*float32)(mem.bytes(4*len(floats))), len(floats))
	copy(out, floats)
	return out
}

// guardMotions moves what the kernels of quaternions read into guarded memory.
func guardMotions(mem guardedMemory, f *Frame) {
	f.need(Motions | Scales | Centers)
	m := f.motions
	f.scales = packedPalette(guardFloats(mem, f.scales))
	m.entries = packedPalette(guardFloats(mem, m.entries))
	m.real = guardFloats(mem, m.real)
	m.signs = unsafe.Slice((*uint16)(mem.bytes(2*len(m.signs))), len(m.signs))
	m.set(f.rigid32, f.Unrolled)
	f.turning.entries = packedPalette(guardFloats(mem, f.turning.entries))
	f.turning.centers = guardFloats(mem, f.turning.centers)
}

// The kernels that drive blend bones stay inside of their groups, the records, the joints and the flags.
func TestDriveStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	plain := randomModel(3, 7, 2, 1)
	for _, bones := range []int{1, 2, 4, 5, 12, 16, 17, 33} {
		for _, operator := range Operators() {
			m, err := plain.WithBlendBones(operator, randomBones(r, bones, 7), plain.Skin.Influences)
			if err != nil {
				t.Fatal(err)
			}
			f := NewFrame(m, nil)
			f.SetPose(turnedPose(r, m, 0.5, true, false))
			if operator.row().drive == nil {
				continue
			}
			if boneDriverOf(f) == nil {
				t.Skip("no kernel on this machine")
			}
			want := slices.Clone(f.Matrices)
			for _, after := range []bool{false, true} {
				mem := guardedMemory{t, after}
				f.Matrices, f.Palette32 = guarded(mem, f.Matrices), guarded(mem, f.Palette32)
				f.packed = guarded(mem, f.packed)
				d := boneDriverOf(f)
				d.masters.groups, d.masters.failed = guarded(mem, d.masters.groups), guarded(mem, d.masters.failed)
				d.records, d.failed = guarded(mem, d.records), guarded(mem, d.failed)
				d.blends, d.centers = guarded(mem, d.blends), guarded(mem, d.centers)
				f.DriveRigs()
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
		m := randomEnvelope(t, randomModel(3, 5, 2, 1), proxies, 2)
		parted(r, envelopeOf(m), 0.3)
		blocks := &envelopeOf(m).prepared.blocks
		for _, level := range simd.Levels() {
			f := NewFrame(m, nil)
			f.UseLevel(level)
			f.SetPose(turnedPose(r, m, 1, false, false))
			want := slices.Clone(f.Matrices)
			for _, after := range []bool{false, true} {
				mem := guardedMemory{t, after}
				f.Matrices, f.Palette32, f.packed = guarded(mem, f.Matrices), guarded(mem, f.Palette32), guarded(mem, f.packed)
				proxyDriverOf(f).q, proxyDriverOf(f).d = guarded(mem, proxyDriverOf(f).q), guarded(mem, proxyDriverOf(f).d)
				blocks.program, blocks.coefficients = guarded(mem, blocks.program), guarded(mem, blocks.coefficients)
				envelopeOf(m).prepared.keys = guarded(mem, envelopeOf(m).prepared.keys)
				k := &proxyDriverOf(f).scratch
				if level != simd.Scalar {
					k.records, k.gradients, k.failed = guarded(mem, k.records), guarded(mem, k.gradients), guarded(mem, k.failed)
				}
				f.DriveRigs()
				if !slices.Equal(f.Matrices, want) {
					t.Errorf("%d proxies, %v: other matrices", proxies, level)
				}
			}
		}
	}
}

// guarded copies a slice into guarded memory.
func guarded[S ~[]T, T any](mem guardedMemory, s S) S {
	if len(s) == 0 {
		return s
	}
	out := unsafe.Slice((*T)(mem.bytes(len(s)*int(unsafe.Sizeof(s[0])))), len(s))
	copy(out, s)
	return out
}
