package render

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// TestPoseSeconds times posing by every way, of a model with rigid meshes and of a crowd, and holds the results to what
// is plausible: no vertex is posed in a clock tick, and none takes a millisecond.
func TestPoseSeconds(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "RobotExpressive.glb")
	setModel(t, r, m)
	f := skinning.NewFrame(m, nil)
	c := newTestCrowd(t, r, m, 0)
	c.Pose(3, 0, 0.3, skinning.DQS.Reads())
	everyWay(t, r, func(way skin.Way) {
		for _, crowd := range []*skin.Crowd{nil, c} {
			s := picture.Scene{Frame: f, Method: skinning.DQS, Crowd: crowd}
			seconds, err := r.PoseSeconds(&s, 3, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			if perVertex := seconds / float64(len(m.Skin.Positions)); !(perVertex > 1e-11 && perVertex < 1e-3) {
				t.Errorf("%v: %g s a vertex", way, perVertex)
			}
		}
	})
	pictureOf(t, r, newTestScene(m, 0, 32, 32)) // the state that timing leaves is fit for drawing
}
