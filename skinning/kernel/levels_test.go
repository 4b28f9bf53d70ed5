package kernel_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// memory makes the slices that a kernel reads and writes: where they lie is part of a test.
type memory interface {
	vec3(n int) []mgl32.Vec3
	bindings(n int) []kernel.Binding
	sets(n int) []uint32
	values(n int) [][4]float32
	counts(n int) []uint8
}

// offsetMemory starts slices a number of float32 after the start of an allocation.
type offsetMemory int

func (o offsetMemory) vec3(n int) []mgl32.Vec3 {
	floats := make([]float32, 3*n+int(o)+3) // room for one more, so that a slice of none has an address
	return castSlice[mgl32.Vec3](floats[o:], n)
}

func (o offsetMemory) bindings(n int) []kernel.Binding {
	floats := make([]float32, 6*n+int(o)+6)
	return castSlice[kernel.Binding](floats[o:], n)
}

func (o offsetMemory) sets(n int) []uint32 { return make([]uint32, n+int(o))[o:] }

func (o offsetMemory) values(n int) [][4]float32 {
	floats := make([]float32, 4*n+int(o)+4)
	return castSlice[[4]float32](floats[o:], n)
}

func (o offsetMemory) counts(n int) []uint8 { return make([]uint8, n) }

func castSlice[T any](floats []float32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&floats[0])), n)
}

// poseIn poses the skin of f's model at one level in memory of a kind. It allocates.
func poseIn(mem memory, f *skinning.Frame, method skinning.Method, level simd.Level, normals bool) skinning.Output {
	return poseKnown(mem, f, false, method, level, normals)
}

// poseKnown is poseIn with bindings that are known, as those of a [kernel.Skin], or not.
func poseKnown(mem memory, f *skinning.Frame, known bool, method skinning.Method, level simd.Level,
	normals bool) skinning.Output {
	skin := &f.Model.Skin
	n := len(skin.Positions)
	in := skin.Influences
	in.Bindings = mem.bindings(n)
	copy(in.Bindings, skin.Bindings)
	out := skinning.Output{Positions: mem.vec3(n)}
	rest, restNormals := mem.vec3(n), []mgl32.Vec3(nil)
	copy(rest, skin.Positions)
	if normals {
		out.Normals, restNormals = mem.vec3(n), mem.vec3(n)
		copy(restNormals, skin.Normals)
	}
	sets := mem.sets(n)
	copy(sets, f.Centers.OfVertex)
	s := kernel.NewStream(out.Positions, out.Normals, rest, restNormals, &in, sets)
	if values := f.Centers.Values(skin, method); values != nil {
		s.Values = mem.values(n)
		copy(s.Values, values)
	}
	palette := f.Float32(method.Reads())
	if known {
		s.Know(palette, func(b []kernel.Binding) []kernel.Binding {
			placed := mem.bindings(len(b))
			copy(placed, b)
			return placed
		}, func(c []uint8) []uint8 {
			if c == nil {
				return nil
			}
			placed := mem.counts(len(c))
			copy(placed, c)
			return placed
		})
	}
	method.Kernel()(palette, s, level)
	return out
}

// awkwardFrames are poses of a model by what is special about their palette. Those of "scaled" have reflected joints.
func awkwardFrames(m *skinning.Model, seed uint64) map[string]*skinning.Frame {
	antipodal := skinningtest.RandomFrame(m, seed+1)
	rigid := antipodal.Rigid()
	for j := 1; j < len(rigid); j += 2 {
		rigid[j] = rigid[j].Scale(-1)
	}
	antipodal.Float32(skinning.RigidParts).SetRigid(rigid, false)
	return map[string]*skinning.Frame{"rest": skinning.NewFrame(m, nil), "rigid": skinningtest.RandomFrame(m, seed),
		"antipodal": antipodal, "scaled": skinningtest.ScaledFrame(m, seed)}
}

// checkAgainstTwin holds positions within kernelTolerance of the float64 twin's, in units of a size, and normals
// within 1e-5 radians, a hundred roundings, of a normal that has a direction. Twist-swing divides by the length of a
// sum of twists, and its roundings grow by as much. Where the blend of a reflected joint with others collapses, the
// sign of its determinant is rounding, so there a normal may point the other way.
func checkAgainstTwin(t *testing.T, f *skinning.Frame, method skinning.Method, out *skinning.Output, size float64) {
	t.Helper()
	want := f.Reference(method)
	var buf []skinning.Influence
	for v := range want.Positions {
		buf = f.Model.Skin.Of(buf[:0], v)
		if method != skinning.LBS && onTheFence(f, buf) {
			continue
		}
		if d := geom.Vec64(out.Positions[v]).Sub(want.Positions[v]).Len(); !(d*twistLength(f, method, buf) <= kernelTolerance*size) {
			t.Fatalf("%v: vertex %d of %d: position off by %.3g of the size, twists of length %.3g", method, v,
				len(want.Positions), d/size, twistLength(f, method, buf))
		}
		if out.Normals == nil {
			continue
		}
		n := geom.Vec64(out.Normals[v])
		l := n.Len()
		if l <= 0.05 {
			continue
		}
		n = n.Mul(1 / l)
		angle := n.Sub(want.Normals[v]).Len()
		scale := f.Blend(skinning.LBS, buf, 0).Linear() // the scale phase collapses where this does
		if method != skinning.LBS {
			scale = scaleOf(f, buf).Linear()
		}
		if math.Abs(scale.Det()) < 1e-5 {
			angle = math.Min(angle, n.Add(want.Normals[v]).Len())
		}
		if !(angle <= 1e-5/math.Min(l, 1)) {
			t.Fatalf("%v: vertex %d of %d: normal of length %.3g off by %.3g radians", method, v, len(want.Positions), l, angle)
		}
	}
}

// onTheFence tells whether the hemisphere of a joint's quaternion is a matter of rounding.
func onTheFence(f *skinning.Frame, influences []skinning.Influence) bool {
	for _, in := range influences[1:] {
		if d := f.Rigid()[in.Joint].Real.Dot(f.Rigid()[influences[0].Joint].Real); math.Abs(d-kernel.HemisphereTie) < 5e-7 {
			return true
		}
	}
	return false
}

// twistLength returns the length of the sum of twists that twist-swing divides by, and 1 for other methods.
func twistLength(f *skinning.Frame, method skinning.Method, influences []skinning.Influence) float64 {
	if method != skinning.TwistSwing {
		return 1
	}
	var sum geom.Quat
	for _, in := range influences {
		for k, x := range f.Twist()[in.Joint].Real {
			sum[k] += float64(in.Weight) * x
		}
	}
	return math.Sqrt(sum.Dot(sum))
}

// scaleOf returns the blended scale of influences.
func scaleOf(f *skinning.Frame, influences []skinning.Influence) (sum geom.Affine) {
	for _, in := range influences {
		for k, x := range f.Scale()[in.Joint] {
			sum[k] += float64(in.Weight) * x
		}
	}
	return sum
}

// boxSize is the diagonal of the box that randomModel fills, metres: that of a model of one vertex would be 0.
var boxSize = 2 * math.Sqrt(3)

// Every form is as good as the float64 twin for every number of vertices around whole groups and blocks.
func TestLevelsMatchReference(t *testing.T) {
	counts := []int{0, 1, 7, 8, 9, 15, 16, 17, 33, 127, 128, 129, 1025}
	if !testing.Short() {
		counts = []int{127, 128, 129, 1023, 1024, 1025, 3001}
		for n := range 41 {
			counts = append(counts, n)
		}
	}
	for _, vertices := range counts {
		m := skinningtest.AwkwardModel(vertices, 9, 4+3*(vertices%2), uint64(vertices))
		for name, f := range awkwardFrames(m, uint64(vertices)) {
			for _, level := range simd.Levels() {
				for _, method := range skinning.Methods() {
					t.Run(fmt.Sprintf("%d/%s/%v/%v", vertices, name, level, method), func(t *testing.T) {
						out := poseIn(offsetMemory(0), f, method, level, true)
						checkAgainstTwin(t, f, method, &out, boxSize)
					})
				}
			}
		}
	}
}

// A vertex is posed to the same bits wherever slices start, with or without normals, and however a stream is split: the
// number of workers rests on that.
func TestLevelsDoNotDependOnPlace(t *testing.T) {
	m := skinningtest.AwkwardModel(100, 20, 7, 4)
	f := skinningtest.ScaledFrame(m, 4)
	for _, level := range simd.Levels() {
		for _, method := range skinning.Methods() {
			want := poseIn(offsetMemory(0), f, method, level, true)
			same := func(what string, got *skinning.Output, lo int) {
				t.Helper()
				for k := range got.Positions {
					if got.Positions[k] != want.Positions[lo+k] || got.Normals != nil && got.Normals[k] != want.Normals[lo+k] {
						t.Fatalf("%v/%v: %s: vertex %d differs", level, method, what, lo+k)
					}
				}
			}
			for offset := range 16 {
				out := poseIn(offsetMemory(offset), f, method, level, offset%2 == 0)
				same(fmt.Sprintf("offset of %d floats", offset), &out, 0)
			}
			skin := &m.Skin
			for lo := 0; lo < len(skin.Positions); lo += 13 {
				out := skinning.NewOutput(m)
				whole := kernel.NewStream(out.Positions, out.Normals, skin.Positions, skin.Normals, &skin.Influences,
					f.Centers.OfVertex)
				whole.Values = f.Centers.Values(skin, method)
				s := whole.Slice(lo, min(lo+37, len(skin.Positions)))
				method.Kernel()(f.Float32(method.Reads()), s, level)
				same(fmt.Sprintf("from %d on", lo), &skinning.Output{Positions: s.Positions, Normals: s.Normals}, lo)
			}
		}
	}
}

// A joint outside the palette panics in every form, in the last vertex of a group and in one after the last group.
func TestJointOutsidePalettePanics(t *testing.T) {
	for _, level := range simd.Levels() {
		for _, v := range []int{0, 15, 16, 1039, 1040, 1041} {
			for k := range 4 {
				m := skinningtest.RandomModel(1042, 5, 4, 1)
				f := skinningtest.RandomFrame(m, 1)
				m.Skin.Bindings[v].Joints[k] = 5
				for _, method := range skinning.Methods() {
					func() {
						defer func() {
							if recover() == nil {
								t.Errorf("%v/%v: no panic for joint 5 of 5 in slot %d of vertex %d", level, method, k, v)
							}
						}()
						poseIn(offsetMemory(0), f, method, level, true)
					}()
				}
			}
		}
	}
}

// reach is how far a pose goes from the origin, metres: float32 rounds to a fraction of that, not of the model's size.
func reach(f *skinning.Frame, method skinning.Method) float64 {
	far := boxSize
	for j := range f.Matrices {
		far = math.Max(far, boxSize+f.Matrices[j].Translation().Len())
	}
	for _, c := range f.Center() {
		if method == skinning.SBS {
			far = math.Max(far, boxSize+2*c.Len())
		}
	}
	return far
}

// A centre set outside the frame's panics in every form.
func TestCenterSetOutsidePanics(t *testing.T) {
	for _, level := range simd.Levels() {
		for _, v := range []int{0, 15, 1040, 1041} {
			m := skinningtest.RandomModel(1042, 5, 4, 1)
			f := skinningtest.RandomFrame(m, 1)
			f.Centers.OfVertex[v] = uint32(len(f.Center()))
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%v: no panic for vertex %d", level, v)
					}
				}()
				poseIn(offsetMemory(0), f, skinning.SBS, level, true)
			}()
		}
	}
}

// FuzzKernels gives every form shapes, places, weights and joints made by chance.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint8(40), uint8(9), uint8(3), true, []byte{1, 2, 3, 250, 0, 0, 9, 9})
	f.Add(uint64(2), uint8(16), uint8(1), uint8(0), false, []byte{0})
	f.Add(uint64(3), uint8(255), uint8(200), uint8(15), true, []byte("weights"))
	f.Add(uint64(17), uint8(0x8c), uint8('U'), uint8('n'), false, []byte("\x01!\xff~\xefQO\xf9\xf9\x00\x91n\t")) // a short sum of twists
	f.Fuzz(func(t *testing.T, seed uint64, vertices, joints, offset uint8, normals bool, weights []byte) {
		m := skinningtest.RandomModel(int(vertices), int(joints)+1, 1, seed)
		m.Skin.Influences = skinning.Influences{}
		next := 0
		draw := func() int { // the bytes over and over, shifted by a prime so that their period is long
			if len(weights) == 0 {
				return 0
			}
			next++
			return int(weights[next%len(weights)]) ^ next*37&0xff
		}
		for range m.Skin.Positions {
			var raw []skinning.Influence
			for range 1 + draw()%5 {
				raw = append(raw, skinning.Influence{Joint: uint16(draw() * 7 % (int(joints) + 1)),
					Weight: float32(draw()*draw()) / 65025})
			}
			m.Skin.Append(raw, uint16(draw()%(int(joints)+1)))
		}
		frames := map[string]*skinning.Frame{"rigid": skinningtest.RandomFrame(m, seed), "scaled": skinningtest.ScaledFrame(m, seed)}
		for name, frame := range frames {
			for _, level := range simd.Levels() {
				for _, method := range skinning.Methods() {
					out := poseIn(offsetMemory(offset%16), frame, method, level, normals)
					t.Logf("%s at level %v", name, level)
					checkAgainstTwin(t, frame, method, &out, reach(frame, method))
				}
			}
		}
	})
}
