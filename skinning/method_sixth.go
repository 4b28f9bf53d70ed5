//go:build sixthmethod

package skinning

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// Shift is the input of the sixth method: three numbers of each vertex, zeros where a file has none.
var Shift = Input{Name: "SHIFT", Title: "Shift", Mark: "sixth", Components: 3}

// With the build tag sixthmethod there is one more method, named sixth. It is linear blending of vertices that its
// input shifts at rest. Blend bones can sample it; no kernel drives these bones. Tests with it show that a method and
// what it reads of each vertex need nothing but its row.
func init() {
	sixth := methods[LBS]
	sixth.name, sixth.short, sixth.title, sixth.note = "sixth", "SIX", "Sixth method", "Linear blend of shifted vertices."
	sixth.color, sixth.operator = [3]uint8{0x99, 0x99, 0x99}, true
	sixth.inputs = []*Input{&Shift}
	sixth.kernel, sixth.shader = shiftedLinear, "sixth/sixth.glsl"
	sixth.vertex = func(f *Frame, shares, _ []Share, shift [valuesPerVertex]float32) geom.Affine {
		at := mgl64.Vec3{float64(shift[0]), float64(shift[1]), float64(shift[2])}
		return blendLinear(f.Matrices, shares).Mul(geom.NewAffine(geom.IdentityAffine().Linear(), at))
	}
	methods = append(methods, sixth)
}

// shiftedLinear is the kernel of the sixth method.
func shiftedLinear(p *kernel.Palette, s kernel.Stream, level simd.Level) {
	if s.Values == nil {
		kernel.Linear(p, s, level)
		return
	}
	var rest [128]mgl32.Vec3
	for lo := 0; lo < len(s.Rest); lo += len(rest) {
		run := s.Slice(lo, min(lo+len(rest), len(s.Rest)))
		for v, at := range run.Rest {
			shift := run.Values[v]
			rest[v] = at.Add(mgl32.Vec3{shift[0], shift[1], shift[2]})
		}
		run.Rest = rest[:len(run.Rest)]
		kernel.Linear(p, run, level)
	}
}
