package skinning_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// TestSnapshot: a snapshot of a posed skin stands where the pose had it, within 1e-7 of the size (float32), whatever
// method it is posed by, with the normals of that surface; the model that it was taken of stays as it was.
func TestSnapshot(t *testing.T) {
	m, err := demo.New("demo:tube")
	if err != nil {
		t.Fatal(err)
	}
	pose, f := m.NewPose(), skinning.NewFrame(m, nil)
	m.SamplePose(pose, 0, 1.3)
	f.SetPose(pose)
	want := f.Reference(skinning.DQS)
	before := m.Skin.Positions[100]
	moved := append([]mgl64.Vec3(nil), want.Positions...)
	still := f.Snapshot(moved)
	for _, method := range []skinning.Method{skinning.LBS, skinning.DQS, skinning.DIB} {
		got := still.Reference(method)
		for v, p := range want.Positions {
			if d := got.Positions[v].Sub(p).Len(); !(d <= 1e-7*m.Diagonal()) {
				t.Fatalf("%v: vertex %d is off by %g m", method, v, d)
			}
		}
	}
	rings := skinning.NewOneRings(m.Skin.Positions, m.Skin.Normals, m.Skin.Triangles)
	got := still.Reference(skinning.LBS).Normals
	for v, n := range rings.Normals(want, false) {
		if d := got[v].Sub(n).Len(); !(d <= 1e-5) { // float32 positions and normals
			t.Fatalf("normal %d is off by %g", v, d)
		}
	}
	if m.Skin.Positions[100] != before || still.Model == m {
		t.Error("the model itself has changed")
	}
}
