package kernel_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// On real characters, in the middle of a clip, every form of every kernel is within 2e-6 of the size of the float64
// twin: 30 roundings. The twin poses a thousand vertices of each, an odd number apart, so that they come from every
// lane.
func TestLevelsOnModels(t *testing.T) {
	names := []string{"demo:figure", "human_male.glb", "Knight.glb", "CesiumMan.glb", "Fox.glb", "GenericHand.glb",
		"RobotExpressive.glb"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			pose := m.NewPose()
			if len(m.Clips) > 0 {
				m.SamplePose(pose, 0, 0.37*m.Clips[0].Seconds)
			}
			f := skinning.NewFrame(m, nil)
			f.SetPose(pose)
			d := skinning.NewDeformer(m, 2)
			defer d.Close()
			out := skinning.NewOutput(m)
			rest := make([]mgl32.Vec3, len(m.Skin.Positions))
			m.Skin.RestRange(rest, 0, f.Morphs)
			var influences []skinning.Influence
			for _, method := range skinning.Methods() {
				want := make(map[int]mgl64.Vec3)
				for v := 0; v < len(rest); v += max(1, len(rest)/1000) | 1 {
					influences = m.Skin.Of(influences[:0], v)
					want[v] = f.Blend(method, influences, int(f.Centers.OfVertex[v])).Apply(geom.Vec64(rest[v]))
				}
				for _, level := range simd.Levels() {
					d.UseLevel(level)
					d.Deform(&out, method, f)
					worst, at := 0.0, 0
					for v, w := range want {
						if e := geom.Vec64(out.Positions[v]).Sub(w).Len() / m.Diagonal(); !(e <= worst) {
							worst, at = e, v
						}
					}
					if !(worst <= 2e-6) {
						t.Errorf("%v, %v: vertex %d is off by %.3g of the size", method, level, at, worst)
					}
				}
			}
		})
	}
}
