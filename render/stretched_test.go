package render

import (
	"testing"
	"time"

	"skinlab/internal/assetstest"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// TestStretchedTexture: a textured model with a joint that is stretched a million times is drawn in 5 s of processor
// time. With anisotropic filtering llvmpipe took 54 s; it now takes 0.3 s.
func TestStretchedTexture(t *testing.T) {
	m := assetstest.Open(t, "Fox.glb")
	for i := range m.Skeleton.Nodes {
		if m.Skeleton.Nodes[i].Name == "b_RightUpperArm_06" {
			m.Skeleton.Nodes[i].Rest.Scale[0] = 1e6
		}
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, 0.5)
	frame.SetPose(pose)
	r := newTimedRenderer(t)
	if err := r.SetModel(m); err != nil {
		t.Fatal(err)
	}
	camera := picture.NewCamera(skin.Posed(frame), 1)
	var err error
	took := cputime.Of(func() {
		_, err = r.Picture(&picture.Scene{Camera: camera, Frame: frame, Grid: true, Width: 16, Height: 16})
	})
	if err != nil {
		t.Fatal(err)
	}
	if took > 5*time.Second {
		t.Errorf("a picture took %v", took)
	}
}

// TestTinyModel: a model of a tenth of a micrometre is drawn as one of a metre, on a floor with shadows of its size.
// Rounding makes pixels differ by 0.02 steps of 255 on average; the test allows 0.2.
func TestTinyModel(t *testing.T) {
	r := newTestRenderer(t)
	m := gltftest.Morphing(5)
	setModel(t, r, m)
	want := pictureOf(t, r, newTestScene(m, 0.2, 96, 96))
	for i := range m.Skeleton.Nodes {
		if n := &m.Skeleton.Nodes[i]; n.Parent < 0 {
			n.Rest.Translation, n.Rest.Scale = n.Rest.Translation.Mul(1e-7), n.Rest.Scale.Mul(1e-7)
		}
	}
	setModel(t, r, m)
	if d := compareImages(want, pictureOf(t, r, newTestScene(m, 0.2, 96, 96))); !(d.mean <= 0.2) {
		t.Errorf("a tiny model: %v from the picture of a large one", d)
	}
}
