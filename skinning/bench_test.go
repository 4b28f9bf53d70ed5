package skinning

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func BenchmarkKernels(b *testing.B) {
	for _, method := range Methods() {
		for _, vertices := range []int{3_000, 30_000, 1_000_000} {
			for _, influences := range []int{1, 2, 4} {
				b.Run(fmt.Sprintf("%v/verts=%d/infl=%d", method, vertices, influences), func(b *testing.B) {
					m := randomModel(vertices, 70, influences, 1)
					d := NewDeformer(m, 1)
					defer d.Close()
					f := randomFrame(m, 2)
					out := NewOutput(m)
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

// BenchmarkProxies times the two halves of what drives 80 proxies by 53 joints: predicting their gradients, and solving for their matrices,
// or for a point on each alone.
func BenchmarkProxies(b *testing.B) {
	m := randomEnvelope(b, randomModel(10, 53, 4, 1), 80, 2)
	f := randomFrame(m, 3)
	b.Run("predict", func(b *testing.B) {
		for b.Loop() {
			f.predictProxies()
		}
	})
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			f.driven = false
			f.SolveProxies()
		}
	})
	b.Run("places", func(b *testing.B) {
		at := make([]mgl64.Vec3, 80)
		p := NewProxyPlaces(m.Envelope, at)
		for b.Loop() {
			p.At(at, f)
		}
	})
}
