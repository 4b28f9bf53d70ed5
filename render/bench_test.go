package render

import (
	"fmt"
	"testing"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// BenchmarkDraw times whole frames to the finish, so on a software renderer too the figure is what a viewer waits for.
func BenchmarkDraw(b *testing.B) {
	for _, size := range [][2]int{{640, 360}, {1280, 720}, {1920, 1080}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			r := newTimedRenderer(b)
			m := assetstest.Open(b, "human_male.glb")
			setModel(b, r, m)
			framebuffer := newFramebuffer(b, size[0], size[1])
			s := newTestScene(m, 10, size[0], size[1])
			for b.Loop() {
				if err := r.Draw(s, framebuffer); err != nil {
					b.Fatal(err)
				}
				gl.Finish()
			}
		})
	}
}

// BenchmarkPose times the pose pass alone, per vertex, method and way.
func BenchmarkPose(b *testing.B) {
	for _, way := range []skin.Way{skin.InBufferCompute, skin.InBufferFeedback} {
		for _, method := range skinning.Methods() {
			b.Run(way.String()+"/"+method.String(), func(b *testing.B) {
				r := newTimedRenderer(b)
				m := assetstest.Open(b, "human_male.glb")
				setModel(b, r, m)
				s := newTestScene(m, 10, 8, 8)
				gpu.ResetState()
				for b.Loop() {
					if err := r.poser.Pose(r.model.Model, s.Frame, method, way, r.timer); err != nil {
						b.Fatal(err)
					}
					gl.Finish()
				}
				perVertex := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(m.Skin.Positions))
				b.ReportMetric(perVertex, "ns/vertex")
			})
		}
	}
}

// BenchmarkSurface times whole frames of each surface to the finish, with what is laid over it off and on.
func BenchmarkSurface(b *testing.B) {
	for surface := range picture.SurfaceNormals + 1 {
		for _, laid := range []bool{false, true} {
			b.Run(fmt.Sprintf("surface=%d/overlays=%v", surface, laid), func(b *testing.B) {
				r := newTimedRenderer(b)
				m := assetstest.Open(b, "human_male.glb")
				setModel(b, r, m)
				framebuffer := newFramebuffer(b, 1280, 720)
				s := newTestScene(m, 10, 1280, 720)
				s.Surface, s.Heat = surface, &picture.Heat{Frame: s.Frame, Reference: skinning.LBS, Full: 0.01}
				if laid {
					s.Recomputed, s.Ghost, s.NormalLines = true, true, 0.01
				}
				for b.Loop() {
					if err := r.Draw(s, framebuffer); err != nil {
						b.Fatal(err)
					}
					gl.Finish()
				}
			})
		}
	}
}
