package skinning

import (
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
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

// BenchmarkPalette times what a pose of 70 joints, of rotations or of these with scales by up to a tenth, takes before
// a vertex is touched.
func BenchmarkPalette(b *testing.B) {
	m := randomModel(3000, 70, 4, 1)
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
		for _, method := range Methods() {
			b.Run(fmt.Sprintf("%v/scaled=%v", method, scaled), func(b *testing.B) {
				f := NewFrame(m, nil)
				for b.Loop() {
					f.SetPose(p)
					f.Prepare(method)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/70, "ns/joint")
			})
		}
	}
}

// BenchmarkBlendBones times the evaluation of ten blend bones, the decomposition of their masters included.
func BenchmarkBlendBones(b *testing.B) {
	m := randomModel(10, 53, 4, 1)
	for _, method := range Methods() {
		for _, masters := range []int{2, 3, 4} {
			b.Run(fmt.Sprintf("%v/masters=%d", method, masters), func(b *testing.B) {
				var bones []BlendBone
				for k := range 10 {
					bone := BlendBone{}
					for i := range masters {
						bone.Masters, bone.Weights = append(bone.Masters, uint16(5*k+i)), append(bone.Weights, float64(1+(k+i)%3))
					}
					for i, w := range bone.Weights {
						total := 0.0
						for i := range masters {
							total += float64(1 + (k+i)%3)
						}
						bone.Weights[i] = w / total
					}
					bones = append(bones, bone)
				}
				m, err := m.WithBlendBones(method, bones, m.Skin.Influences)
				if err != nil {
					b.Fatal(err)
				}
				f := randomFrame(m, 3)
				for b.Loop() {
					f.DriveRigs()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10, "ns/bone")
			})
		}
	}
}

// BenchmarkProxies times the two halves of what drives 80 proxies by 53 joints: predicting their gradients, and solving
// for their matrices, or for a point on each alone.
func BenchmarkProxies(b *testing.B) {
	m := randomEnvelope(b, randomModel(10, 53, 4, 1), 80, 2)
	f := randomFrame(m, 3)
	b.Run("predict", func(b *testing.B) {
		for b.Loop() {
			f.linear.Predict(f)
		}
	})
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			f.solved = false
			f.SolveProxies()
		}
	})
	b.Run("places", func(b *testing.B) {
		at := make([]mgl64.Vec3, 80)
		p := NewProxyPlaces(envelopeOf(m).Linear(), at)
		for b.Loop() {
			p.At(at, f)
		}
	})
}
