package render

import (
	"bytes"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/skinning"
)

// TestHiddenParts: a picture with hidden parts is, to the bit, that of a model without their triangles, with every
// surface and overlay, and shown again it is the whole picture.
func TestHiddenParts(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:box")
	half := len(m.Skin.Triangles) / 2
	whole, less := *m, *m
	a, b := m.Skin.Parts[0], m.Skin.Parts[0]
	a.TriangleCount, a.VertexCount = half, 10
	b.FirstTriangle, b.TriangleCount = half, len(m.Skin.Triangles)-half
	b.FirstVertex, b.VertexCount = 10, len(m.Skin.Positions)-10
	whole.Skin.Parts = []skinning.Part{a, b}
	less.Skin.Triangles = m.Skin.Triangles[:half]
	less.Skin.Parts = []skinning.Part{a}
	less.Skin.Parts[0].VertexCount = len(m.Skin.Positions)

	r := newTestRenderer(t)
	draw := func(m *skinning.Model, hidden []bool, s picture.Scene) []byte {
		t.Helper()
		if err := r.SetModel(m); err != nil {
			t.Fatal(err)
		}
		frame, pose := skinning.NewFrame(m, nil), m.NewPose()
		m.SamplePose(pose, 0, 1)
		frame.SetPose(pose)
		s.Frame, s.Grid, s.Width, s.Height = frame, true, 120, 90
		if s.Surface == picture.SurfaceHeat {
			s.Heat = &picture.Heat{Frame: frame, Reference: skinning.DQS, Full: 0.1}
		}
		s.Camera = picture.NewCamera(m.Skin.Positions, 4./3)
		r.SetHidden(m, hidden)
		img, err := r.Picture(&s)
		if err != nil {
			t.Fatal(err)
		}
		return img.Pix
	}
	for name, s := range map[string]picture.Scene{
		"materials": {}, "clay, edges": {Surface: picture.SurfaceClay, Wireframe: true}, "ghost": {Ghost: true},
		"heat": {Surface: picture.SurfaceHeat}, "normals": {Surface: picture.SurfaceNormals}, "DQS": {Method: skinning.DQS},
	} {
		want, all := draw(&less, nil, s), draw(&whole, nil, s)
		if got := draw(&whole, []bool{false, true}, s); !bytes.Equal(got, want) {
			t.Errorf("%s: with one of two parts hidden the picture is not that of a model without it", name)
		}
		if bytes.Equal(all, want) {
			t.Errorf("%s: a part that is hidden makes no difference", name)
		}
		if got := draw(&whole, []bool{false, false}, s); !bytes.Equal(got, all) {
			t.Errorf("%s: with no part hidden the picture is not the whole one", name)
		}
	}
	lines := picture.Scene{NormalLines: 0.1}
	none := draw(&whole, []bool{true, true}, picture.Scene{})
	if !bytes.Equal(draw(&whole, []bool{true, true}, lines), none) {
		t.Error("normals of hidden parts are drawn")
	}
	if one := draw(&whole, []bool{false, true}, lines); bytes.Equal(one, draw(&whole, []bool{false, true}, picture.Scene{})) ||
		bytes.Equal(one, draw(&whole, nil, lines)) {
		t.Error("the normals of ten vertices are not what is drawn where the other part is hidden")
	}
}
