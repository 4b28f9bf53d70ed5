package viewer

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestSkeletonOnly shows files of motion without a mesh: the bones are drawn over the ground and move, joints are
// listed and posed, and the skeleton goes when a file with a mesh is shown.
func TestSkeletonOnly(t *testing.T) {
	t.Parallel()
	w := openLive(t, motionFile(t, t.TempDir()))
	s := w.until("the skeleton", func(s *Snapshot) bool { return s.State.Skeleton && s.State.Bare && s.Pose.Joints == 4 })
	if s.State.Seconds != 1 || !s.State.Playing || !(s.Camera.Distance > 1) {
		t.Errorf("%g s, playing %v, the camera %g m away", s.State.Seconds, s.State.Playing, s.Camera.Distance)
	}
	w.do(t, "mousemove", "600", "500", "key", "ctrl+p")
	s = w.until("the palette", func(s *Snapshot) bool { return len(s.Palette) > 0 })
	if s.placed(desk.PanelLeft, itemMethod).W > 0 || slices.Contains(s.Palette, "Next reference") {
		t.Errorf("methods that have no skin to pose are listed: %v", s.Palette)
	}
	w.do(t, "key", "Escape", "key", "space", "key", "shift+Home")
	w.until("the start", func(s *Snapshot) bool { return !s.State.Playing && s.State.Time == 0 })
	before := w.settled()
	for range 8 {
		w.do(t, "key", "period")
	}
	w.until("eight frames", func(s *Snapshot) bool { return onFrame(s, 8) })
	after := w.settled()
	if *keep != "" {
		if err := atomicfile.WritePNG(filepath.Join(*keep, "motion.png"), after); err != nil {
			t.Fatal(err)
		}
	}
	if d := differing(before, after, within(w.now().View), 16); d < 0.001 {
		t.Errorf("eight frames change %.2g of the picture, expected 0.001 at least", d)
	}
	w.do(t, "key", "k")
	w.until("no skeleton", func(s *Snapshot) bool { return !s.State.Skeleton })
	if d := differing(after, w.settled(), within(w.now().View), 16); d < 0.001 {
		t.Errorf("the skeleton is %.2g of the picture, expected 0.001 at least", d)
	}
	bare := w.settled()
	w.do(t, "key", "g")
	w.until("no ground", func(s *Snapshot) bool { return !s.State.Grid })
	if d := differing(bare, w.settled(), within(w.now().View), 16); d < 0.05 {
		t.Errorf("the ground is %.2g of the picture, expected 0.05 at least", d)
	}
	w.do(t, "key", "k", "key", "o")
	row := w.until("the list", func(s *Snapshot) bool { return s.Pose.Rows == 4 && s.firstJoint().W > 0 })
	w.click(row.firstJoint(), 0.5)
	w.until("a picked joint", func(s *Snapshot) bool { return s.Pose.Picked == "hips" && s.Pose.At[0] > 0 })
	for _, page := range []string{"v", "u", "t", "b"} { // none of them has anything to measure
		w.do(t, "mousemove", "600", "500", "key", page)
		w.untilRest()
	}
	w.tell("drop demo:box")
	w.until("a model", func(s *Snapshot) bool {
		return s.Model == "demo:box" && !s.State.Bare && s.placed(desk.PanelLeft, itemMethod).W > 0
	})
	again := openLive(t, motionFile(t, t.TempDir()))
	again.until("the skeleton", func(s *Snapshot) bool { return s.State.Skeleton })
	again.tell("drop demo:box")
	again.until("a model without its skeleton", func(s *Snapshot) bool {
		return s.Model == "demo:box" && !s.State.Skeleton && s.State.Tab != state.TabPose && s.State.Method() == skinning.LBS
	})
}

// motionFile writes a BVH file: four joints, of which two turn for a second.
func motionFile(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "walk.bvh")
	const text = `HIERARCHY
ROOT hips
{
	OFFSET 0 90 0
	CHANNELS 3 Zrotation Xrotation Yrotation
	JOINT spine
	{
		OFFSET 0 50 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0 30 0
		}
	}
	JOINT leg
	{
		OFFSET 10 -80 0
		CHANNELS 0
	}
}
MOTION
Frames: 3
Frame Time: 0.5
0 0 0 0 0 0
45 0 0 60 0 0
0 0 0 0 0 0
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
