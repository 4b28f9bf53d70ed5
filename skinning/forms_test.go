package skinning_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// posedBy returns the skin of a frame's model posed at once by the frame.
func posedBy(f *skinning.Frame, method skinning.Method) skinning.Output {
	skin, out := &f.Model.Skin, skinning.NewOutput(f.Model)
	s := f.Stream(method, out.Positions, out.Normals, skin.Positions, skin.Normals, 0)
	f.PoseStream(&s, method)
	return out
}

// Many may pose by one frame at once and read its forms, and one of them computes each for all.
func TestFormsOfMany(t *testing.T) {
	m := skinningtest.RandomModel(200, 300, 4, 1)
	f := skinningtest.ScaledFrame(m, 4)
	want := make(map[skinning.Method]skinning.Output)
	for _, method := range skinning.Methods() {
		want[method] = posedBy(f, method)
	}
	rigid, scale, center := slices.Clone(f.Rigid()), slices.Clone(f.Scale()), slices.Clone(f.Center())
	twist, swing := slices.Clone(f.Twist()), slices.Clone(f.Swing())
	for round := range 20 {
		f.Forget()
		var all sync.WaitGroup
		for k := range 5 {
			all.Go(func() {
				method := skinning.Method((round + k) % len(skinning.Methods()))
				out := posedBy(f, method)
				if !slices.Equal(out.Positions, want[method].Positions) || !slices.Equal(out.Normals, want[method].Normals) {
					t.Errorf("%v: posed with forms that were not ready", method)
				}
				if !slices.Equal(f.Center(), center) || !slices.Equal(f.Scale(), scale) || !slices.Equal(f.Rigid(), rigid) ||
					!slices.Equal(f.Twist(), twist) || !slices.Equal(f.Swing(), swing) {
					t.Error("read forms that were not ready")
				}
			})
		}
		all.Wait()
	}
}

// A frame computes what a method reads, and nothing that only others do; a copy has what its source had.
func TestFormsWait(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 4, 1)
	g := skinning.NewFrame(m, nil)
	for _, c := range []struct {
		method skinning.Method
		made   skinning.Forms
	}{{skinning.LBS, 0}, {skinning.DQS, skinning.RigidParts}, {skinning.SDQS, skinning.RigidParts | skinning.Scales},
		{skinning.DIB, skinning.RigidParts | skinning.Scales}, {skinning.SBS, skinning.RigidParts | skinning.Motions | skinning.Centers},
		{skinning.TwistSwing, skinning.Twists}, {skinning.COR, skinning.RigidParts | skinning.Scales | skinning.Motions}} {
		f := skinningtest.ScaledFrame(m, 2)
		f.Forget()
		posedBy(f, c.method)
		if made := f.Made(); made != c.made {
			t.Errorf("%v: forms %b, expected %b", c.method, made, c.made)
		}
		f.Forget()
		f.Prepare(c.method)
		if made := f.Made(); made != c.made {
			t.Errorf("%v: forms %b, expected %b", c.method, made, c.made)
		}
		g.Copy(f)
		if g.Made() != f.Made() {
			t.Errorf("%v: a copy has forms %b of %b", c.method, g.Made(), c.made)
		}
		if n := testing.AllocsPerRun(3, func() { f.Forget(); f.Center(); f.Scale(); f.Twist() }); n != 0 {
			t.Errorf("%g allocations, expected none", n)
		}
	}
}

// Rotating the whole skeleton rigidly must rotate every method's result rigidly: the same tolerance as the kernels'.
func TestRigidMotionCarriesOver(t *testing.T) {
	m := skinningtest.RandomModel(500, 9, 4, 8)
	f := skinningtest.RandomFrame(m, 9)
	before := make([]skinning.Shape, len(skinning.Methods()))
	for i, method := range skinning.Methods() {
		before[i] = f.Reference(method)
	}
	motion := geom.Transform{Translation: mgl64.Vec3{0.3, -2, 1}, Rotation: geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 2.5),
		Scale: mgl64.Vec3{1, 1, 1}}.Affine()
	for j := range f.Matrices {
		f.Matrices[j] = motion.Mul(f.Matrices[j])
	}
	f.Forget()
	for i, method := range skinning.Methods() {
		after := f.Reference(method)
		for v := range after.Positions {
			// 1e-6 m: float32 weights sum to 1 within 1e-7, and the motion goes 2 m away.
			if d := after.Positions[v].Sub(motion.Apply(before[i].Positions[v])).Len(); !(d <= 1e-6) {
				t.Fatalf("%v: vertex %d: off by %g m", method, v, d)
			}
		}
	}
}
