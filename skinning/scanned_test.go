package skinning

import (
	"math"
	"slices"
	"testing"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// A deformer's own copy of the bindings poses to the same bits as a stream whose bindings are looked at as it is posed,
// and is not moved by what becomes of the model's afterwards.
func TestScannedBindings(t *testing.T) {
	for _, vertices := range []int{0, 5, 16, 9000} {
		m := awkwardModel(vertices, 30, 7, 4)
		f := scaledFrame(m, 4)
		d := NewDeformer(m, 2)
		defer d.Close()
		want := make(map[Method]Output)
		for _, method := range Methods() {
			want[method] = poseIn(offsetMemory(0), f, method, d.level, true)
		}
		for v := range m.Skin.Bindings {
			m.Skin.Bindings[v].Joints = [4]uint16{1, 2, 3, 4}
		}
		for _, method := range Methods() {
			out := NewOutput(m)
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
	m := awkwardModel(1000, 20, 4, 5)
	f := randomFrame(m, 5)
	nan := math.NaN()
	f.Matrices[0] = geom.Affine{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	f.roundMatrix(0)
	f.forget()
	f.Rigid()[0], f.Scale()[0] = geom.DualQuat{Real: geom.Quat{nan, nan, nan, nan}}, f.Matrices[0]
	f.packMotions()
	f.packScales()
	for _, level := range simd.Levels() {
		d := NewDeformer(m, 1)
		defer d.Close()
		d.UseLevel(level)
		for _, method := range Methods() {
			out := NewOutput(m)
			d.Deform(&out, method, f)
			var buf []Influence
			for v, p := range out.Positions {
				buf = m.Skin.Of(buf[:0], v)
				follows := slices.ContainsFunc(buf, func(in Influence) bool { return in.Joint == 0 })
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
	m := awkwardModel(9000, 30, 7, 4)
	f := randomFrame(m, 4)
	d := NewDeformer(m, 2)
	defer d.Close()
	want, out := NewOutput(m), NewOutput(m)
	d.Deform(&want, SBS, f)
	for v := range f.Centers.OfVertex {
		f.Centers.OfVertex[v] = uint32(len(f.Center()))
	}
	for _, frame := range []*Frame{f, randomFrame(m, 4)} {
		d.Deform(&out, SBS, frame)
		if !slices.Equal(out.Positions, want.Positions) || !slices.Equal(out.Normals, want.Normals) {
			t.Error("the deformer's sets have changed")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a set outside of the frame's")
		}
	}()
	g := NewFrame(m, f.Centers)
	fresh := NewDeformer(m, 2)
	defer fresh.Close()
	fresh.Deform(&out, SBS, g)
}

// What goes wrong on a helper's goroutine is the caller's panic, every time, and the deformer is good for the next
// pose.
func TestHelpersPanicIsTheCallers(t *testing.T) {
	m := randomModel(20_000, 5, 5, 1)
	f := randomFrame(m, 1)
	d := NewDeformer(m, 3)
	defer d.Close()
	out, want := NewOutput(m), NewOutput(m)
	d.Deform(&want, SBS, f)
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
				d.Deform(&out, SBS, f)
			}()
			*fifth = good
			d.Deform(&out, SBS, f)
			if !slices.Equal(out.Positions, want.Positions) {
				t.Fatalf("vertex %d: wrong after a panic", v)
			}
		}
	}
	m.Skin.Bindings[7].Joints[1] = 5
	d = NewDeformer(m, 3)
	defer d.Close()
	for _, method := range Methods() {
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
