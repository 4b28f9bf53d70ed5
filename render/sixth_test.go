//go:build sixthmethod

package render

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/gltf"
	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// By the method that the build tag adds, which is LBS where a model has no input of it, models and crowds are drawn
// as by LBS, by every way of skinning, whatever else their crowd is posed for. [TestGPUMatchesCPU] holds its shader
// against its reference.
func TestSixthMethodIsDrawn(t *testing.T) {
	all := skinning.Methods()
	sixth := all[len(all)-1]
	if sixth.String() != "sixth" {
		t.Fatalf("the last method is %v", sixth)
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	c := newTestCrowd(t, r, m, 1)
	c.Pose(4, 0, 0.4, sixth.Reads()|skinning.SBS.Reads())
	lo, hi := c.Bounds()
	everyWay(t, r, func(way skin.Way) {
		for _, crowd := range []*skin.Crowd{nil, c} {
			s := newTestScene(m, 0.4, 96, 64)
			s.Crowd = crowd
			if crowd != nil {
				s.Camera.Frame(skin.Box{Lo: lo, Hi: hi}.Corners(), 1.5, picture.Whole)
			}
			s.Method = skinning.LBS
			want := pictureOf(t, r, s)
			s.Method = sixth
			if d := compareImages(want, pictureOf(t, r, s)); d.mean != 0 {
				t.Errorf("%v, crowd %t: %v from the picture by LBS, expected none", way, crowd != nil, d)
			}
			s.Method = skinning.DQS
			if d := compareImages(want, pictureOf(t, r, s)); d.mean == 0 {
				t.Errorf("%v, crowd %t: the picture by DQS is that by LBS", way, crowd != nil)
			}
		}
	})
}

// What the method reads of each vertex, three numbers, moves vertices as the reference has it: by the kernels on the
// CPU and by every way of skinning on the GPU. A file keeps it.
func TestSixthMethodReadsItsInput(t *testing.T) {
	m := *assetstest.Open(t, "demo:tube")
	shift := skinning.InputData{Input: &skinning.Shift}
	for v := range m.Skin.Positions {
		shift.Values = append(shift.Values, 0.01*float32(v%7), -0.02*float32(v%3), 0.03*float32(v%2))
	}
	m.Skin.SetInput(shift)
	data, err := export.Encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gltf.Decode("again", data, nil)
	if err != nil || len(again.Warnings) > 0 {
		t.Fatal(err, again.Warnings)
	}
	if got := again.Skin.Input(&skinning.Shift); got == nil || !slices.Equal(got.Values, shift.Values) {
		t.Fatalf("the file has %v", got)
	}
	sixth, _ := skinning.Shift.Method()
	if method, ok := again.Skin.MadeFor(); !ok || method != sixth {
		t.Errorf("made for %v", method)
	}
	r, f := newTestRenderer(t), skinning.NewFrame(again, nil)
	setModel(t, r, again)
	d := skinning.NewDeformer(again, 2)
	defer d.Close()
	out := skinning.NewOutput(again)
	alone := make([]mgl32.Vec3, 1)
	for _, at := range posesOf(again) {
		again.SamplePose(at.pose, at.clip, at.seconds)
		f.SetPose(at.pose)
		for _, method := range []skinning.Method{skinning.LBS, sixth} {
			compareToReference(t, r, f, method, at.String())
			want := f.Positions(method)
			d.Deform(&out, method, f)
			for v, p := range out.Positions {
				s := f.Stream(method, alone, nil, again.Skin.Positions[v:v+1], nil, v)
				f.PoseStream(&s, method)
				for _, got := range []mgl32.Vec3{p, alone[0]} {
					x := mgl32.Vec3{float32(want[v][0]), float32(want[v][1]), float32(want[v][2])}
					if !(got.Sub(x).Len() <= 1e-5*float32(again.Diagonal())) { // float32
						t.Fatalf("%v, %v: vertex %d at %v, expected %v", method, at, v, got, x)
					}
				}
			}
			if far := out.Positions[6].Sub(r0(f, 6)).Len(); (method == sixth) != (far > 0.05) {
				t.Errorf("%v: vertex 6 is %g m from where linear blending has it", method, far)
			}
		}
	}
	if n := testing.AllocsPerRun(3, func() { d.Deform(&out, sixth, f) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// r0 is where linear blending has a vertex.
func r0(f *skinning.Frame, v int) mgl32.Vec3 {
	p := f.Positions(skinning.LBS)[v]
	return mgl32.Vec3{float32(p[0]), float32(p[1]), float32(p[2])}
}
