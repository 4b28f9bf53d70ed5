package render

import (
	"image"
	"strings"
	"testing"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// newTestScene shows a model at a time of its first clip.
func newTestScene(m *skinning.Model, at float64, width, height int) *picture.Scene {
	f := skinning.NewFrame(m, nil)
	pose := m.NewPose()
	m.SamplePose(pose, 0, at)
	f.SetPose(pose)
	return &picture.Scene{
		Camera: picture.NewCamera(skin.Posed(f), float32(width)/float32(height)), Method: skinning.DQS, Frame: f, Grid: true,
		Width:  width,
		Height: height,
	}
}

func pictureOf(t testing.TB, r *Renderer, s *picture.Scene) *image.NRGBA {
	t.Helper()
	img, err := r.Picture(s)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func setModel(t testing.TB, r *Renderer, m *skinning.Model) {
	t.Helper()
	if err := r.SetModel(m); err != nil {
		t.Fatal(err)
	}
}

func TestDrawAllocatesNothing(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	s := newTestScene(m, 0.4, 96, 64)
	// a surfaceless context has no framebuffer 0
	framebuffer := newFramebuffer(t, 96, 64)
	pose := m.NewPose()
	at := 0.0
	step := func() {
		m.SamplePose(pose, 0, at)
		s.Frame.SetPose(pose)
		s.Method = skinning.Method((int(s.Method) + 1) % len(skinning.Methods()))
		s.Wireframe = !s.Wireframe
		at += 0.01
		if err := r.Draw(s, framebuffer); err != nil {
			t.Fatal(err)
		}
	}
	everyWay(t, r, func(way skin.Way) {
		for range 2 * len(skinning.Methods()) { // programs are compiled when they are first needed
			step()
		}
		if n := testing.AllocsPerRun(30, step); n != 0 {
			t.Errorf("%v: Draw allocates %g times a frame, expected none", way, n)
		}
	})
}

func TestDrawWithoutPixels(t *testing.T) {
	r := newTestRenderer(t)
	s := &picture.Scene{} // a minimised window: no model, no frame, no size
	if err := r.Draw(s, 0); err != nil {
		t.Errorf("0×0: %v", err)
	}
	if _, err := r.Picture(s); err == nil {
		t.Error("a picture of 0×0 pixels is not refused")
	}
	s.Width, s.Height = 8, 8
	if err := r.Draw(s, 0); err == nil {
		t.Error("drawing without a model is not refused")
	}
}

// The old model stays when a new one cannot be shown.
func TestSetModelKeepsTheOldOnError(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 0.5, 64, 64)
	before := pictureOf(t, r, s)
	huge := &skinning.Model{Name: "huge"}
	huge.Skeleton.Joints = make([]skinning.Joint, 70000) // past the 16-bit joint indices
	if err := r.SetModel(huge); err == nil || !strings.Contains(err.Error(), "huge") {
		t.Fatalf("70,000 joints: error %v, expected one that names the model", err)
	}
	if d := compareImages(before, pictureOf(t, r, s)); d.mean != 0 {
		t.Errorf("the old model's picture changed by %v", d)
	}
}

// Models without vertices, without triangles or without joints draw an empty studio, not an error.
func TestEmptyModels(t *testing.T) {
	r := newTestRenderer(t)
	triangle := skinning.Mesh{
		Positions: []mgl32.Vec3{{}, {1, 0, 0}, {0, 1, 0}}, Normals: []mgl32.Vec3{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Parts: []skinning.Part{{VertexCount: 3, Material: -1}},
	}
	node := skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}}, Order: []int{0}}
	for name, m := range map[string]*skinning.Model{
		"nothing": {}, "points": {Rigid: []skinning.Mesh{triangle}, Skeleton: node},
	} {
		setModel(t, r, m)
		s := newTestScene(m, 0, 32, 32)
		s.Wireframe = true
		pictureOf(t, r, s)
		if err := gpu.Error("%s", name); err != nil {
			t.Error(err)
		}
	}
}

// What Draw shows in a window, if it is asked for that quality, is what Picture saves.
func TestDrawMatchesPicture(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	const size = 128
	framebuffer := newFramebuffer(t, size, size)
	s := newTestScene(m, 1.5, size, size)
	saved := pictureOf(t, r, s)
	s.Quality = picture.Saved
	if err := r.Draw(s, framebuffer); err != nil {
		t.Fatal(err)
	}
	shown := image.NewNRGBA(image.Rect(0, 0, size, size))
	gl.ReadPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(shown.Pix))
	flip(shown)
	if d := compareImages(shown, saved); d.most != 0 {
		t.Errorf("window and picture differ: %v", d)
	} else {
		t.Log(d)
	}
}

// A viewport in a larger framebuffer: pixels outside it stay, those inside are the same as those of a picture at the
// origin.
func TestViewport(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	const w, h, x, y = 48, 40, 11, 5
	framebuffer := newFramebuffer(t, 80, 60)
	read := func(x, y, w, h int) *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		gl.ReadPixels(int32(x), int32(y), int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(img.Pix))
		return img
	}
	s := newTestScene(m, 0.5, w, h)
	var got [2]*image.NRGBA
	for i, at := range []image.Point{{0, 0}, {x, y}} {
		gl.BindFramebuffer(gl.FRAMEBUFFER, framebuffer)
		gl.ClearColor(1, 0, 1, 1)
		gl.Clear(gl.COLOR_BUFFER_BIT)
		s.X, s.Y = at.X, at.Y
		if err := r.Draw(s, framebuffer); err != nil {
			t.Fatal(err)
		}
		got[i] = read(at.X, at.Y, w, h)
	}
	if d := compareImages(got[0], got[1]); d.mean != 0 {
		t.Errorf("a moved viewport shows another picture: %v", d)
	}
	for _, p := range []image.Point{{x - 1, y}, {x, y - 1}, {x + w, y}, {x, y + h}} {
		if c := read(p.X, p.Y, 1, 1).NRGBAAt(0, 0); c.R != 255 || c.G != 0 || c.B != 255 {
			t.Errorf("pixel %v outside the viewport was drawn: %v", p, c)
		}
	}
}

// TestMethodsWithoutASkin: the meshes of a model without a skin stand where their nodes are, whatever the method.
func TestMethodsWithoutASkin(t *testing.T) {
	r := newTestRenderer(t)
	m := gltftest.Morphing(5)
	setModel(t, r, m)
	s := newTestScene(m, 0.2, 64, 64)
	s.Method = skinning.LBS
	want := pictureOf(t, r, s)
	everyWay(t, r, func(way skin.Way) {
		for _, s.Method = range skinning.Methods() {
			if d := compareImages(want, pictureOf(t, r, s)); d.most > 1 { // rounding
				t.Errorf("%v, %v: %v from linear blending", way, s.Method, d)
			}
		}
	})
}
