package demo

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// TestBarExamples: linear blending over the targets gives the evenly twisted bar, positions within 1e-6 m (the targets
// are float32 and up to 2 m away from rest) and normals within 1e-3 rad: an independent turn of each vertex about the
// axis.
func TestBarExamples(t *testing.T) {
	m := newBar()
	for name, twists := range map[string][]float64{"examples": barTrained, "unseen": barUnseen} {
		clip, err := m.ClipIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		pose, f := m.NewPose(), skinning.NewFrame(m, nil)
		for i, twist := range twists {
			m.SamplePose(pose, clip, float64(i))
			f.SetPose(pose)
			got := f.Reference(skinning.LBS)
			for v, p := range m.Skin.Positions {
				s, c := math.Sincos(twist * math.Pi / 180 * math.Max(0, math.Min(1, float64(p[0])/0.64+0.5)))
				turn := func(y, z float64) (float64, float64) { return c*y - s*z, s*y + c*z }
				y, z := turn(float64(p[1])-boxHeight, float64(p[2]))
				want := mgl64.Vec3{float64(p[0]), y + boxHeight, z}
				if d := got.Positions[v].Sub(want).Len(); !(d <= 1e-6) {
					t.Fatalf("%s, twist %g, vertex %d: at %v, expected %v", name, twist, v, got.Positions[v], want)
				}
				n := m.Skin.Normals[v]
				ny, nz := turn(float64(n[1]), float64(n[2]))
				if d := got.Normals[v].Sub(mgl64.Vec3{float64(n[0]), ny, nz}).Len(); !(d <= 1e-3) {
					t.Fatalf("%s, twist %g, vertex %d: normal off by %g", name, twist, v, d)
				}
			}
		}
	}
}
