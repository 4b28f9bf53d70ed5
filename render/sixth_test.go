//go:build sixthmethod

package render

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// By the method that the build tag adds, a copy of LBS, models and crowds are drawn as by LBS, by every way of
// skinning, whatever else their crowd is posed for. [TestGPUMatchesCPU] holds its shader against its reference.
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
			if s.Crowd = crowd; crowd != nil {
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
