package viewer

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets"
	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestCameraInAWindow moves the camera with real keys and a real mouse.
func TestCameraInAWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm", "-child.time", "1.5")
	view := w.now().View
	w.do(t, at(view, 0.5, 0.6)...)
	opened := w.now()
	method := opened.State.Method()
	from := func(d int) func(s *Snapshot) bool {
		want := picture.AxisDirection(d)
		return func(s *Snapshot) bool { return s.Camera.Yaw == want.Yaw && s.Camera.Pitch == want.Pitch }
	}
	t.Run("axis views", func(t *testing.T) {
		for _, c := range []struct {
			key  string // KP_End is the keypad's 1 whatever Num Lock says
			from int
		}{{"KP_End", picture.FromFront}, {"KP_Next", picture.FromRight}, {"KP_Home", picture.FromTop},
			{"ctrl+KP_End", picture.FromBack}, {"ctrl+KP_Next", picture.FromLeft}, {"ctrl+KP_Home", picture.FromBottom}} {
			w.do(t, "key", c.key)
			s := w.until(c.key, from(c.from))
			if s.State.Method() != method || s.State.Layout != state.One {
				t.Errorf("%s: method %v, layout %v", c.key, s.State.Method(), s.State.Layout)
			}
		}
		w.do(t, "key", "KP_Begin")
		w.until("no perspective", func(s *Snapshot) bool { return s.Camera.Ortho })
		w.do(t, "key", "KP_Begin", "key", "KP_End")
		w.until("perspective", func(s *Snapshot) bool { return !s.Camera.Ortho && from(picture.FromFront)(s) })
	})
	t.Run("the wheel zooms to the mouse", func(t *testing.T) {
		w.untilRest()
		before := w.now()
		mouse := at(view, 0.8, 0.3)
		w.do(t, append(mouse, "click", "4")...)
		s := w.until("zoom", func(s *Snapshot) bool { return s.Camera.Distance < 0.95*before.Camera.Distance })
		aspect := view.W / view.H
		there := mgl32.Vec2{0.8*2 - 1, 1 - 0.3*2}
		for _, depth := range []float32{0.9, 0.99} {
			under := mgl32.TransformCoordinate(there.Vec3(depth),
				before.Camera.Projection(aspect).Mul4(before.Camera.View()).Inv())
			// The mouse is at whole pixels: two of them.
			if moved := s.Camera.Projected(under, aspect).Sub(there).Len(); !(moved <= 4/view.H) {
				t.Errorf("what is under the mouse moves by %g of the view", moved)
			}
		}
	})
	t.Run("the camera stays when the clip changes", func(t *testing.T) {
		before := w.now()
		w.do(t, "key", "Next")
		if s := w.until("the next clip", func(s *Snapshot) bool {
			return s.State.Clip == before.State.Clip+1 && s.Drawn > before.Drawn+2
		}); s.Camera != before.Camera {
			t.Errorf("the camera goes from %+v to %+v", before.Camera, s.Camera)
		}
		w.do(t, "key", "Prior")
		w.until("the clip before", func(s *Snapshot) bool { return s.State.Clip == before.State.Clip })
	})
	t.Run("words over the picture", func(t *testing.T) {
		w.do(t, "key", "shift+h")
		w.until("no words", func(s *Snapshot) bool {
			return !s.State.Cards && s.placed(desk.PanelCaption, caption.ItemPlate).W == 0
		})
		w.do(t, "key", "shift+h")
		w.until("words", func(s *Snapshot) bool {
			return s.State.Cards && s.placed(desk.PanelCaption, caption.ItemPlate).W > 0
		})
	})
	t.Run("the camera follows", func(t *testing.T) {
		before := w.now().Camera.Target
		w.do(t, "key", "shift+f")
		w.until("following", func(s *Snapshot) bool { return s.State.Follow })
		w.do(t, append(at(w.now().Timeline, 0.4, 0.7), "click", "1")...)
		w.until("another place", func(s *Snapshot) bool { return s.Camera.Target != before })
		w.do(t, "key", "shift+f")
		w.until("none", func(s *Snapshot) bool { return !s.State.Follow })
	})
	t.Run("focus and all", func(t *testing.T) {
		zoomed := w.now()
		w.do(t, "key", "KP_End", "key", "Home")
		w.until("all", func(s *Snapshot) bool { return from(picture.FromFront)(s) && s.Camera.Target != zoomed.Camera.Target })
		w.untilRest()
		all := w.now()
		m := assetstest.Open(t, "demo:arm")
		f, pose := skinning.NewFrame(m, nil), m.NewPose()
		m.SamplePose(pose, all.State.Clip, all.State.Time)
		f.SetPose(pose)
		front := mgl32.Vec3{0, 0, -math.MaxFloat32} // the vertex that nothing hides
		for _, p := range skin.Posed(f) {
			if p[2] > front[2] {
				front = p
			}
		}
		seen := all.Camera.Projected(front, view.W/view.H)
		w.do(t, append(at(view, (seen[0]+1)/2, (1-seen[1])/2), "click", "1")...)
		picked := w.until("a vertex", func(s *Snapshot) bool { return s.State.Vertex >= 0 && s.State.Joint >= 0 })
		looksAt := func(s *Snapshot, place mgl32.Vec3) {
			t.Helper()
			if d := s.Camera.Target.Sub(place).Vec2().Len(); !(d <= 0.1*s.Camera.Distance) { // the caption shifts it
				t.Errorf("the camera looks at %v from %g m, expected %v", s.Camera.Target, s.Camera.Distance, place)
			}
		}
		w.do(t, "key", "f")
		near := w.until("the vertex", func(s *Snapshot) bool { return s.Camera.Distance < 0.5*all.Camera.Distance })
		looksAt(&near, front)
		w.do(t, "key", "Escape", "key", "f")
		joint := w.until("the joint", func(s *Snapshot) bool {
			return s.State.Vertex < 0 && s.Camera != near.Camera && s.Camera.Distance < all.Camera.Distance
		})
		looksAt(&joint, geom.Vec32(f.Globals[m.Skeleton.Joints[picked.State.Joint].Node].Translation()))
		w.do(t, "key", "Home")
		w.until("all again", func(s *Snapshot) bool { return s.Camera.Distance > 0.9*all.Camera.Distance })
	})
}

// A window's pictures are filled: over its clip the model spans 75 % of the shorter side at least, all of it in sight,
// with the head below the cards.
func TestPicturesAreFilled(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.time", "1")
	for _, name := range []string{"demo:figure", "demo:arm", filepath.Join(gltftest.ModelsFolder(), "human_male.glb")} {
		m, err := assets.Open(name)
		if err != nil {
			t.Log(err) // the models beside the repository are not everywhere
			continue
		}
		if w.now().Model != m.Name {
			w.do(t, "key", "7") // a file replaces the first where it is dropped on the first picture
			w.until("one picture", func(s *Snapshot) bool { return s.State.Layout == state.One })
			w.tell("drop " + absolute(t, name))
			w.until(name, func(s *Snapshot) bool { return s.Model == m.Name && !s.Loading })
		}
		o := &skin.Outline{}
		o.AddClip(skinning.NewFrame(m, nil), 0, models.ClipTimes(m.Clips[0].Seconds)...)
		for _, layout := range []struct {
			key    string
			layout state.Layout
		}{{"7", state.One}, {"9", state.Two}, {"0", state.Four}} {
			w.do(t, "key", layout.key)
			before := w.until(layout.key, func(s *Snapshot) bool { return s.State.Layout == layout.layout })
			s := w.until("a few frames", func(s *Snapshot) bool { return s.Drawn > before.Drawn+2 })
			pane := s.View
			if layout.layout != state.One {
				pane.W /= 2
			}
			if layout.layout == state.Four {
				pane.H /= 2
			}
			testFilled(t, name+", layout "+layout.key, &s.Camera, o.Points(), pane)
		}
	}
}

func testFilled(t *testing.T, what string, c *picture.Camera, points []mgl32.Vec3, pane ui.Rect) {
	t.Helper()
	lo, hi := mgl32.Vec2{1e9, 1e9}, mgl32.Vec2{-1e9, -1e9}
	for _, p := range points {
		q := c.Projected(p, pane.W/pane.H)
		for k := range q {
			lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
		}
	}
	if lo[0] < -1 || lo[1] < -1 || hi[0] > 1 || hi[1] > 1 {
		t.Errorf("%s: the model reaches from %v to %v", what, lo, hi)
	}
	width, height := (hi[0]-lo[0])/2*pane.W, (hi[1]-lo[1])/2*pane.H
	filled := max(width, height) / min(pane.W, pane.H)
	t.Logf("%s: %.0f × %.0f of %.0f × %.0f pixels, %.0f %%", what, width, height, pane.W, pane.H, 100*filled)
	if filled < 0.75 {
		t.Errorf("%s: only %.2f of the shorter side is filled", what, filled)
	}
}

// absolute returns a path that the window's process finds too. Built-in models keep their names.
func absolute(t *testing.T, name string) string {
	t.Helper()
	if strings.HasPrefix(name, "demo:") {
		return name
	}
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
