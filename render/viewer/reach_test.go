package viewer

import (
	"math"
	"strings"
	"testing"

	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/state"
)

// TestReaching drags hands and feet in a real window, and moves and copies joints.
func TestReaching(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.time", "3")
	w.do(t, "key", "o")
	w.until("the page", func(s *Snapshot) bool { return s.State.Tab == state.TabPose && s.State.Skeleton })
	pick := func(name string) Snapshot {
		w.tell("pick " + name)
		w.until(name, func(s *Snapshot) bool { return s.Pose.Picked == name && s.Pose.Radius > 0 })
		w.untilRest()
		return w.now()
	}
	click := func(item int) {
		x, y := middle(w.item(item))
		w.do(t, "mousemove", x, y, "click", "1")
	}
	// drag drags the place of a joint, and returns how far from the mouse the joint is then, pixels.
	drag := func(at [2]int, name string, dx, dy int) (off float64) {
		w.do(t, "mousemove", whole(float32(at[0])), whole(float32(at[1])))
		w.untilRest()
		w.do(t, "mousedown", "1")
		w.until("the gizmo to be held", func(s *Snapshot) bool { return s.Pose.Held && s.Pose.Picked == name })
		for _, part := range []float64{0.3, 0.7, 1} {
			w.do(t, "mousemove", whole(float32(float64(at[0])+part*float64(dx))), whole(float32(float64(at[1])+part*float64(dy))))
		}
		w.untilRest()
		held := w.now().Pose
		if !strings.HasSuffix(held.Told, " mm") {
			t.Errorf("beside the mouse stands %q, expected millimetres", held.Told)
		}
		w.do(t, "mouseup", "1")
		now := w.until("the gizmo to be let go", func(s *Snapshot) bool { return !s.Pose.Held }).Pose
		return math.Hypot(float64(now.At[0]-at[0]-dx), float64(now.At[1]-at[1]-dy))
	}
	hand := pick("left_hand")
	click(posepage.ItemHandle + int(state.Reach))
	w.until("the handles", func(s *Snapshot) bool { return s.State.Handle == state.Reach && s.Pose.NoLimb == "" })
	steps := w.now().Pose.Undo
	// Three pixels: the mouse stands on whole ones, and so does the joint.
	if off := drag(hand.Pose.At, "left_hand", -10, 30); !(off <= 3) {
		t.Errorf("the hand is %.1f pixels from the mouse", off)
	}
	if s := w.until("one step", func(s *Snapshot) bool { return s.Pose.Undo == steps+1 }); s.Pose.Edited != 3 || s.Camera != hand.Camera {
		t.Errorf("%d joints turned, expected 3; the camera moved: %v", s.Pose.Edited, s.Camera != hand.Camera)
	}
	foot := pick("right_foot").Pose.At
	pick("left_hand")
	if off := drag(foot, "right_foot", -10, -30); !(off <= 3) {
		t.Errorf("the foot, which was not picked, is %.1f pixels from the mouse", off)
	}
	w.until("six joints", func(s *Snapshot) bool { return s.Pose.Edited == 6 && s.Pose.Undo == steps+2 })
	click(posepage.ItemButton + posepage.ButtonToRight)
	copied := w.until("the right arm as the left", func(s *Snapshot) bool { return s.Pose.Edited >= 9 && s.Pose.Undo == steps+3 })
	x, y := middle(copied.View)
	w.do(t, "mousemove", x, y, "key", "ctrl+z", "key", "ctrl+z", "key", "ctrl+z")
	w.until("undo", func(s *Snapshot) bool { return s.Pose.Edited == 0 && s.Pose.Undo == steps })

	pick("head")
	w.until("no limb", func(s *Snapshot) bool { return strings.Contains(s.Pose.NoLimb, "no limb ends here") })
	click(posepage.ItemHandle + int(state.Move))
	if s := w.until("what lets it move", func(s *Snapshot) bool { return s.item(posepage.ItemMoveAll).W > 0 }); s.item(posepage.ItemNumber+3).W > 0 {
		t.Error("the head has a position before it may move")
	}
	click(posepage.ItemMoveAll)
	s := w.until("its position", func(s *Snapshot) bool { return s.State.MoveAll && s.item(posepage.ItemNumber+5).W > 0 })
	if off := drag(s.Pose.At, "head", 20, -10); !(off <= 3) {
		t.Errorf("the head is %.1f pixels from the mouse", off)
	}
	now := w.until("one joint", func(s *Snapshot) bool { return s.Pose.Edited == 1 })
	if now.Pose.Local.Translation == s.Pose.Local.Translation || now.Pose.Local.Rotation != s.Pose.Local.Rotation {
		t.Errorf("the head: %+v, before %+v", now.Pose.Local, s.Pose.Local)
	}
}
