package skinning_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
)

// TestFrameCopy poses by a copy after its source has moved on: to the last bit what the source posed at the time of the
// copy, by every method, and with the pose in which its rotation centres had not been asked for.
func TestFrameCopy(t *testing.T) {
	const vertices = 200
	m := skinningtest.RandomModel(vertices, 6, 6, 1)
	src := skinningtest.RandomFrame(m, 2)
	f := skinning.NewFrame(m, src.Centers)
	f.Copy(src)
	if n := testing.AllocsPerRun(3, func() { f.Copy(src) }); n != 0 {
		t.Errorf("%g allocations a copy, expected none", n)
	}
	d := skinning.NewDeformer(m, 1)
	defer d.Close()
	for _, method := range skinning.Methods() {
		want := skinning.NewOutput(m)
		d.Deform(&want, method, src)
		moved := skinningtest.RandomFrame(m, 3)
		was := skinning.NewFrame(m, src.Centers)
		was.Copy(src)
		src.Copy(moved)
		got := skinning.NewOutput(m)
		d.Deform(&got, method, f)
		for v := range want.Positions {
			if got.Positions[v] != want.Positions[v] {
				t.Fatalf("%v: vertex %d is at %v, before the source moved at %v", method, v, got.Positions[v], want.Positions[v])
			}
		}
		src.Copy(was)
	}
	defer func() {
		if recover() == nil {
			t.Error("a frame of another model is copied")
		}
	}()
	f.Copy(skinningtest.RandomFrame(skinningtest.RandomModel(vertices, 7, 6, 1), 1))
}

// TestSnapshot: a snapshot of a posed skin stands where the pose had it, within 1e-7 of the size (float32), whatever
// method it is posed by, with the normals of that surface; the model that it was taken of stays as it was.
func TestSnapshot(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
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
	rings := skinning.NewOneRings(&m.Skin, m.Skeleton.Joints)
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
