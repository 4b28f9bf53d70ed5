package kernel_test

import (
	"math"
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// A deformer's own copy of the bindings poses to the same bits as a stream whose bindings are looked at as it is posed,
// and is not moved by what becomes of the model's afterwards.
func TestScannedBindings(t *testing.T) {
	for _, vertices := range []int{0, 5, 16, 9000} {
		m := skinningtest.AwkwardModel(vertices, 30, 7, 4)
		f := skinningtest.ScaledFrame(m, 4)
		d := skinning.NewDeformer(m, 2)
		defer d.Close()
		level, _ := simd.Default()
		want := make(map[skinning.Method]skinning.Output)
		for _, method := range skinning.Methods() {
			want[method] = poseIn(offsetMemory(0), f, method, level, true)
		}
		for v := range m.Skin.Bindings {
			m.Skin.Bindings[v].Joints = [4]uint16{1, 2, 3, 4}
		}
		for _, method := range skinning.Methods() {
			out := skinning.NewOutput(m)
			d.Deform(&out, method, f)
			if !slices.Equal(out.Positions, want[method].Positions) || !slices.Equal(out.Normals, want[method].Normals) {
				t.Errorf("%v: %d vertices: the deformer differs from the stream", method, vertices)
			}
		}
	}
}

// A joint of no finite matrix moves only the vertices that follow it: a weight of 0 would not keep it from the others,
// for 0·NaN is NaN.
func TestUnusedSlotsAreHarmless(t *testing.T) {
	m := skinningtest.AwkwardModel(1000, 20, 4, 5)
	f := skinningtest.RandomFrame(m, 5)
	nan := math.NaN()
	f.Matrices[0] = geom.Affine{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	f.Float32(0).SetMatrix(0, &f.Matrices[0])
	rigid, scale, p := f.Rigid(), f.Scale(), f.Float32(skinning.Centers)
	rigid[0], scale[0] = geom.DualQuat{Real: geom.Quat{nan, nan, nan, nan}}, f.Matrices[0]
	p.SetRigid(rigid, false)
	p.SetScales(scale)
	motions := make([]geom.Affine, len(rigid))
	for j := range rigid {
		motions[j] = rigid[j].Affine()
	}
	motions[0] = f.Matrices[0]
	p.SetMotions(motions)
	p.SetCenters(f.Center())
	for _, level := range simd.Levels() {
		d := skinning.NewDeformer(m, 1)
		defer d.Close()
		d.UseLevel(level)
		for _, method := range skinning.Methods() {
			out := skinning.NewOutput(m)
			d.Deform(&out, method, f)
			var buf []skinning.Influence
			for v, p := range out.Positions {
				buf = m.Skin.Of(buf[:0], v)
				follows := slices.ContainsFunc(buf, func(in skinning.Influence) bool { return in.Joint == 0 })
				if bad := p[0]+p[1]+p[2] != p[0]+p[1]+p[2]; bad && !follows {
					t.Fatalf("%v/%v: vertex %d does not follow joint 0 and is %v", level, method, v, p)
				}
			}
		}
	}
}

// A deformer's own copy of the centre sets is not moved by what becomes of the frame's, and another frame's sets are
// copied anew.
func TestScannedSets(t *testing.T) {
	m := skinningtest.AwkwardModel(9000, 30, 7, 4)
	f := skinningtest.RandomFrame(m, 4)
	d := skinning.NewDeformer(m, 2)
	defer d.Close()
	want, out := skinning.NewOutput(m), skinning.NewOutput(m)
	d.Deform(&want, skinning.SBS, f)
	for v := range f.Centers.OfVertex {
		f.Centers.OfVertex[v] = uint32(len(f.Center()))
	}
	for _, frame := range []*skinning.Frame{f, skinningtest.RandomFrame(m, 4)} {
		d.Deform(&out, skinning.SBS, frame)
		if !slices.Equal(out.Positions, want.Positions) || !slices.Equal(out.Normals, want.Normals) {
			t.Error("the deformer's sets have changed")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a set outside of the frame's")
		}
	}()
	g := skinning.NewFrame(m, f.Centers)
	fresh := skinning.NewDeformer(m, 2)
	defer fresh.Close()
	fresh.Deform(&out, skinning.SBS, g)
}

// What goes wrong on a helper's goroutine is the caller's panic, every time, and the deformer is good for the next
// pose.
func TestHelpersPanicIsTheCallers(t *testing.T) {
	m := skinningtest.RandomModel(20_000, 5, 5, 1)
	f := skinningtest.RandomFrame(m, 1)
	d := skinning.NewDeformer(m, 3)
	defer d.Close()
	out, want := skinning.NewOutput(m), skinning.NewOutput(m)
	d.Deform(&want, skinning.SBS, f)
	for _, v := range []int{0, 19_999, 8_000} {
		fifth := &m.Skin.Extra[v].Joint
		good := *fifth
		for range 10 {
			*fifth = 5 // of 5
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("vertex %d: no panic", v)
					}
				}()
				d.Deform(&out, skinning.SBS, f)
			}()
			*fifth = good
			d.Deform(&out, skinning.SBS, f)
			if !slices.Equal(out.Positions, want.Positions) {
				t.Fatalf("vertex %d: wrong after a panic", v)
			}
		}
	}
	m.Skin.Bindings[7].Joints[1] = 5
	d = skinning.NewDeformer(m, 3)
	defer d.Close()
	for _, method := range skinning.Methods() {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic for joint 5 of 5", method)
				}
			}()
			d.Deform(&out, method, f)
		}()
	}
}
