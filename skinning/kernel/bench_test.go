package kernel_test

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func BenchmarkKernels(b *testing.B) {
	for _, method := range skinning.Methods() {
		for _, vertices := range []int{3_000, 30_000, 1_000_000} {
			for _, influences := range []int{1, 2, 4} {
				b.Run(fmt.Sprintf("%v/verts=%d/infl=%d", method, vertices, influences), func(b *testing.B) {
					m := skinningtest.RandomModel(vertices, 70, influences, 1)
					d := skinning.NewDeformer(m, 1)
					defer d.Close()
					f := skinningtest.RandomFrame(m, 2)
					out := skinning.NewOutput(m)
					d.Deform(&out, method, f)
					b.ReportAllocs()
					b.ResetTimer()
					for range b.N {
						d.Deform(&out, method, f)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(vertices), "ns/vertex")
				})
			}
		}
	}
}

// BenchmarkPalette times what a pose of 70 joints, of rotations or of these with scales by up to a tenth, takes before
// a vertex is touched.
func BenchmarkPalette(b *testing.B) {
	m := skinningtest.RandomModel(3000, 70, 4, 1)
	for _, scaled := range []bool{false, true} {
		p := m.NewPose()
		for i := range p.Local {
			p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i), 3}, 0.5)
			if scaled {
				p.Local[i].Scale = mgl64.Vec3{1.1, 0.95, 1.03}
				if i%2 == 1 { // a chain
					p.Local[i].Scale = mgl64.Vec3{1 / 1.1, 1 / 0.95, 1 / 1.03}
				}
			}
		}
		for _, method := range skinning.Methods() {
			b.Run(fmt.Sprintf("%v/scaled=%v", method, scaled), func(b *testing.B) {
				f := skinning.NewFrame(m, nil)
				for b.Loop() {
					f.SetPose(p)
					f.Prepare(method)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/70, "ns/joint")
			})
		}
	}
}
