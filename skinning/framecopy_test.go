package skinning_test

import (
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/skinningtest"
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
