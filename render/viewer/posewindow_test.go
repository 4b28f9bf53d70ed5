package viewer

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/skeleton"
	"skinlab/render/viewer/state"
	"skinlab/skinning/geom"
)

func whole(x float32) string { return strconv.Itoa(int(x)) }

// degreesBetween returns the angle between two rotations.
func degreesBetween(a, b geom.Quat) float64 {
	return 2 * math.Acos(min(1, math.Abs(a.Dot(b)))) * 180 / math.Pi
}

// gapTo returns the distance from a point to the nearest of others.
func gapTo(p mgl32.Vec2, others [9]mgl32.Vec2) float32 {
	gap := float32(math.Inf(1))
	for _, q := range others {
		gap = min(gap, p.Sub(q).Len())
	}
	return gap
}

// TestPosing poses a figure in a real window with a real mouse and real keys.
func TestPosing(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure")
	w.do(t, "key", "space")
	w.until("pause", func(s *Snapshot) bool { return !s.State.Playing })
	w.do(t, "key", "o")
	open := w.until("the page",
		func(s *Snapshot) bool { return s.State.Tab == state.TabPose && s.Pose.Rows > 0 && s.State.Skeleton })
	const joint = "left_upper_arm"

	t.Run("a joint is found by its name and picked in the tree", func(t *testing.T) {
		x, y := middle(open.item(posepage.ItemSearch))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("the field to have the keyboard", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "type", "T_UPPER_arm")
		w.until("both arms", func(s *Snapshot) bool { return s.Pose.Rows == 2 })
		row := w.now().firstJoint()
		x, y = middle(row)
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("the joint", func(s *Snapshot) bool { return s.Pose.Picked == joint && s.Pose.Radius > 0 })
		x, y = middle(open.item(posepage.ItemSearch))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("the field to have the keyboard", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "key", "ctrl+a", "key", "Delete")
		w.until("all joints", func(s *Snapshot) bool { return s.Pose.Rows == s.Pose.Joints })
		w.do(t, "key", "Return")
	})
	// A look from the front puts no other joint before the arm's.
	at := w.until("its place", func(s *Snapshot) bool { return s.Pose.At[0] > 0 }).Pose
	t.Run("a joint is picked in the picture", func(t *testing.T) {
		before := w.now().State.Joint
		x, y := strconv.Itoa(at.At[0]), strconv.Itoa(at.At[1])
		w.do(t, "mousemove", whole(w.now().View.X+30), whole(w.now().View.Bottom()-30))
		w.tell("unpick")
		w.until("no joint", func(s *Snapshot) bool { return s.State.Joint == -1 && s.Pose.Radius == 0 })
		w.do(t, "mousemove", x, y)
		w.until("the joint under the mouse", func(s *Snapshot) bool { return s.Pose.Under == joint })
		w.do(t, "click", "1")
		w.until("the joint", func(s *Snapshot) bool { return s.State.Joint == before && s.Pose.Radius > 0 })
	})
	// aroundRing presses the ring that faces the eye and drags it a quarter round.
	aroundRing := func(t *testing.T, ctrl bool) Snapshot {
		s := w.now()
		x, y, r := float64(s.Pose.At[0]), float64(s.Pose.At[1]), float64(s.Pose.Radius)
		to := func(degrees float64) {
			a := degrees * math.Pi / 180
			w.do(t, "mousemove", strconv.Itoa(int(x+r*math.Cos(a)+0.5)), strconv.Itoa(int(y+r*math.Sin(a)+0.5)))
		}
		to(90)
		w.do(t, "mousedown", "1")
		w.until("the gizmo to be held", func(s *Snapshot) bool { return s.Pose.Held })
		if ctrl {
			w.do(t, "keydown", "ctrl")
			defer w.do(t, "keyup", "ctrl")
		}
		for a := 80.0; a >= 4; a -= 19 {
			to(a)
		}
		to(4)
		w.untilRest()
		w.do(t, "mouseup", "1")
		return w.until("the gizmo to be let go", func(s *Snapshot) bool { return !s.Pose.Held })
	}
	t.Run("the gizmo turns it", func(t *testing.T) {
		before := w.now()
		img := w.settled()
		after := aroundRing(t, false)
		// Six degrees: the mouse stands on whole pixels, one of which is a degree on this ring, and the ring is grabbed
		// beside its line.
		if d := degreesBetween(before.Pose.Local.Rotation, after.Pose.Local.Rotation); !(math.Abs(d-86) <= 6) {
			t.Errorf("dragged by 86° the joint turned by %.1f°", d)
		}
		if after.Camera != before.Camera {
			t.Error("the gizmo's drag moved the camera")
		}
		if after.Pose.Undo != 1 || after.Pose.Edited != 1 || after.State.Playing {
			t.Errorf("after one drag: %+v", after.Pose)
		}
		if d := differing(img, w.settled(), within(after.View), 16); d < 0.005 {
			t.Errorf("turning an arm changes %.2g of the picture, expected 0.005 at least", d)
		}
		w.do(t, "key", "ctrl+z")
		w.until("undo", func(s *Snapshot) bool { return s.Pose.Local == before.Pose.Local && s.Pose.Redo == 1 })
		w.do(t, "key", "ctrl+shift+z")
		w.until("redo", func(s *Snapshot) bool { return s.Pose.Local == after.Pose.Local && s.Pose.Redo == 0 })
		w.do(t, "key", "ctrl+z")
		w.until("undo again", func(s *Snapshot) bool { return s.Pose.Local == before.Pose.Local })
		snapped := aroundRing(t, true)
		d := degreesBetween(before.Pose.Local.Rotation, snapped.Pose.Local.Rotation)
		// A millionth of a degree: the joint's rest and the turn are float64.
		const step = skeleton.SnapDegrees
		if off := math.Abs(d/step - math.Round(d/step)); !(off*step <= 1e-6) || d < 60 {
			t.Errorf("with Ctrl held the joint turned by %.3f°, expected steps of %d°", d, step)
		}
	})
	t.Run("beside the rings the picture orbits", func(t *testing.T) {
		before := w.now()
		w.do(t, "mousemove", strconv.Itoa(before.Pose.At[0]+17), strconv.Itoa(before.Pose.At[1]+14))
		w.untilRest()
		w.do(t, "mousedown", "1")
		w.untilRest()
		// The frame that gives the press to the picture may come behind a move, which then turns nothing.
		w.again("orbit", func() { w.do(t, "mousemove_relative", "--", "-40", "3") },
			func(s *Snapshot) bool { return s.Camera.Yaw != before.Camera.Yaw })
		w.do(t, "mouseup", "1")
		if now := w.now(); now.Pose.Local != before.Pose.Local || now.State.Joint != before.State.Joint {
			t.Error("orbiting changed the joint")
		}
	})
	t.Run("numbers are dragged and typed", func(t *testing.T) {
		before := w.now().Pose
		number := w.item(posepage.ItemNumber + 1)
		x, y := middle(number)
		w.do(t, "mousemove", x, y, "mousedown", "1")
		w.until("the number to be held", func(s *Snapshot) bool { return s.Busy })
		w.do(t, "mousemove_relative", "24", "0")
		w.until("the dragged angle", func(s *Snapshot) bool { return math.Abs(s.Pose.Euler[1]-before.Euler[1]) > 5 })
		w.do(t, "mouseup", "1")
		w.until("the number to be let go", func(s *Snapshot) bool { return !s.Busy && s.Pose.Undo == before.Undo+1 })
		w.do(t, "mousemove", x, y, "click", "--repeat", "2", "--delay", "80", "1") // takes all digits
		w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "key", "3", "0", "Return")
		w.until("the angle in place of the old one", func(s *Snapshot) bool { return math.Abs(s.Pose.Euler[1]-30) <= 1e-6 })
		w.do(t, "mousemove", whole(number.X+9), y, "click", "1")
		w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "key", "ctrl+a", "minus", "1", "1", "2", "period", "5", "Return")
		// Past 90° too: the angles stay as they are typed.
		w.until("the typed angle", func(s *Snapshot) bool { return math.Abs(s.Pose.Euler[1]+112.5) <= 1e-6 })
		w.do(t, "mousemove", whole(number.X+9), y, "click", "1")
		w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "key", "ctrl+a", "type", "170")
		w.do(t, "key", "Return")
		w.until("an angle far from it", func(s *Snapshot) bool { return math.Abs(s.Pose.Euler[1]-170) <= 1e-6 && !s.Fit.Typing })
		w.do(t, "key", "ctrl+z")
		w.until("the angle before, and not a whole turn more", func(s *Snapshot) bool {
			return math.Abs(s.Pose.Euler[1]+112.5) <= 1e-6
		})
	})
	t.Run("each ring turns its own angle, of a turned joint too", func(t *testing.T) {
		x, y := middle(w.now().View)
		w.do(t, "mousemove", x, y, "key", "7")
		w.until("one picture", func(s *Snapshot) bool { return s.State.Layout == state.One })
		w.untilRest()
		var turned [3]bool
		for k := range turned {
			before := w.now().Pose
			var at mgl32.Vec2 // the ring's point that is farthest from the other rings
			farthest := float32(0)
			for _, p := range before.Rings[k] {
				gap := min(gapTo(p, before.Rings[(k+1)%3]), gapTo(p, before.Rings[(k+2)%3]))
				if gap > farthest {
					at, farthest = p, gap
				}
			}
			w.do(t, "mousemove", whole(at[0]), whole(at[1]))
			w.until("the ring under the mouse", func(s *Snapshot) bool { return s.Pose.Over })
			w.do(t, "mousedown", "1")
			w.until("the gizmo to be held", func(s *Snapshot) bool { return s.Pose.Held })
			w.do(t, "mousemove_relative", "--", whole((float32(before.At[0])-at[0])/2), whole((float32(before.At[1])-at[1])/2+5))
			s := w.until("a turn", func(s *Snapshot) bool { return s.Pose.Euler != before.Euler }).Pose
			told := strings.Index("XYZ", s.Told[:1]) // another ring may lie in front
			for i, e := range s.Euler {
				if (i == told) == (e == before.Euler[i]) {
					t.Errorf("a drag that tells %q turned the angles from %v to %v", s.Told, before.Euler, s.Euler)
				}
			}
			turned[told] = true
			w.do(t, "mouseup", "1")
			w.until("the gizmo to be let go", func(s *Snapshot) bool { return !s.Pose.Held })
		}
		if !turned[1] && !turned[2] { // the ring about x is about the joint's own axis
			t.Error("no drag turned the joint about y or z")
		}
	})
	t.Run("mirrored twice it is the same", func(t *testing.T) {
		x, y := middle(w.now().View)
		w.do(t, "mousemove", x, y)
		w.untilRest()
		before := w.now().Pose
		w.do(t, "key", "m")
		w.until("the mirror image",
			func(s *Snapshot) bool { return degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) > 10 })
		w.do(t, "key", "m")
		w.until("the pose", func(s *Snapshot) bool {
			return s.Pose.Undo == before.Undo+2 && degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) <= 1e-4
		})
	})
	t.Run("a pose is saved and loaded", func(t *testing.T) {
		before := w.now().Pose
		click := func(button int) {
			x, y := middle(w.now().item(posepage.ItemButton + button))
			w.do(t, "mousemove", x, y, "click", "1")
		}
		click(posepage.ButtonSave)
		w.until("the file", func(s *Snapshot) bool { return s.Fit.Notice != "" })
		click(posepage.ButtonResetAll)
		w.until("the rest pose",
			func(s *Snapshot) bool { return degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) > 10 })
		w.untilRest()
		click(posepage.ButtonLoad)
		// A hundred-thousandth of a degree: the file holds every digit.
		w.until("the pose", func(
			s *Snapshot) bool {
			return degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) <= 1e-5
		})
		click(posepage.ButtonResetAll)
		w.until("the rest pose",
			func(s *Snapshot) bool { return degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) > 10 })
		w.untilRest()
		w.tell("drop pose.json")
		w.until("the dropped pose",
			func(s *Snapshot) bool { return degreesBetween(s.Pose.Local.Rotation, before.Local.Rotation) <= 1e-5 })
	})
	t.Run("reset", func(t *testing.T) {
		rest := assetstest.Open(t, "demo:figure").Skeleton
		want := rest.Nodes[rest.Joints[w.now().State.Joint].Node].Rest
		w.do(t, "key", "Delete")
		w.until("the joint's rest", func(s *Snapshot) bool { return s.Pose.Local == want })
		before := w.now().Pose
		x, y := middle(w.item(posepage.ItemButton + posepage.ButtonResetAll))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("the rest pose", func(s *Snapshot) bool { return s.Pose.Undo > before.Undo && s.Pose.Edited > 5 })
	})
	t.Run("the clip takes over, unless the pose is held", func(t *testing.T) {
		x, y := middle(w.now().View)
		w.do(t, "mousemove", x, y, "key", "period")
		w.until("the clip's pose", func(s *Snapshot) bool { return s.Pose.Edited == 0 })
		w.do(t, "key", "ctrl+z")
		s := w.until("what was dropped", func(s *Snapshot) bool { return s.Pose.Edited > 5 })
		x, y = middle(s.item(posepage.ItemButton + posepage.ButtonClip))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("back to the clip", func(s *Snapshot) bool { return s.Pose.Edited == 0 })
		w.do(t, "key", "Delete")
		s = w.until("an edit", func(s *Snapshot) bool { return s.Pose.Edited == 1 })
		x, y = middle(s.item(posepage.ItemHold))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("hold", func(s *Snapshot) bool { return s.State.HoldPose })
		w.do(t, "key", "space")
		before := w.until("playing", func(s *Snapshot) bool { return s.State.HoldPose && s.State.Moving() })
		w.until("time", func(s *Snapshot) bool {
			return s.State.Time != before.State.Time && s.Pose.Local == before.Pose.Local && s.Pose.Edited == 1
		})
	})
}
