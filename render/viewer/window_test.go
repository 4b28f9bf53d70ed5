package viewer

import (
	"encoding/json"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"skinlab/assets/atomicfile"
	"skinlab/internal/assetstest"
	"skinlab/internal/longtest"
	"skinlab/render"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// within returns the pixels of a view without its captions and its edges. The windows of the tests have one pixel per
// logical pixel.
func within(v ui.Rect) image.Rectangle {
	return image.Rect(int(v.X)+4, int(v.Y)+130, int(v.Right())-4, int(v.Bottom())-4)
}

// hideAxes returns a copy with a black corner of the view in the place of the axes, which headless pictures do not
// have.
func hideAxes(img *image.NRGBA, v ui.Rect) *image.NRGBA {
	const corner = ui.AxesSize + 12
	out := *img
	out.Pix = slices.Clone(img.Pix)
	draw.Draw(&out, image.Rect(int(v.Right())-corner, int(v.Bottom())-corner, int(v.Right()), int(v.Bottom())), image.Black,
		image.Point{}, draw.Src)
	return &out
}

// TestWindow drives a real window with real keys and a real mouse, and holds its state and its pixels to what they
// should do.
func TestWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box") // its clip 0 twists by 180°
	inView := w.now().View
	x, y := strconv.Itoa(int(inView.X+inView.W*0.5)), strconv.Itoa(int(inView.Y+inView.H*0.6))
	w.do(t, "mousemove", x, y)

	t.Run("it plays", func(t *testing.T) {
		first := w.until("playing", func(s *Snapshot) bool { return s.State.Moving() })
		w.until("time to pass", func(s *Snapshot) bool { return s.State.Time != first.State.Time })
	})
	t.Run("space pauses and steps follow the frame grid", func(t *testing.T) {
		w.do(t, "key", "space")
		w.until("pause", func(s *Snapshot) bool { return !s.State.Playing })
		w.do(t, "key", "shift+Home")
		w.until("the start", func(s *Snapshot) bool { return s.State.Time == 0 })
		for k := 1; k <= 3; k++ {
			w.do(t, "key", "period")
			w.until("a frame forward", func(s *Snapshot) bool { return onFrame(s, k) })
		}
		w.do(t, "key", "comma")
		w.until("a frame back", func(s *Snapshot) bool { return onFrame(s, 2) })
	})
	t.Run("an idle window draws nothing", func(t *testing.T) {
		w.untilRest()
		before := w.now().Drawn
		time.Sleep(time.Second)
		if after := w.now().Drawn; after != before {
			t.Errorf("%d frames drawn in an idle second, expected none", after-before)
		}
	})
	t.Run("the timeline is scrubbed with the mouse while it plays", func(t *testing.T) {
		w.do(t, "key", "space")
		line := w.until("playing", func(s *Snapshot) bool { return s.State.Playing }).Timeline
		at := func(share float32) string { return strconv.Itoa(int(line.X + line.W*share)) }
		row := strconv.Itoa(int(line.Y + line.H*0.6))
		w.do(t, "mousemove", at(0.2), row)
		w.do(t, "mousedown", "1")
		w.until("the playhead to be held", func(s *Snapshot) bool { return s.State.Held })
		// Dragging on leads anywhere, off the timeline too; the time follows the mouse.
		w.do(t, "mousemove", at(0.75), y)
		seconds := w.now().State.Seconds
		// 2 % of the clip: the track is inset by 16 pixels at its ends.
		held := w.until("time to follow the mouse", func(s *Snapshot) bool {
			return s.State.Held && math.Abs(s.State.Time-0.75*seconds) <= 0.02*seconds
		})
		time.Sleep(300 * time.Millisecond)
		if now := w.now(); now.State.Time != held.State.Time {
			t.Errorf("held at %g s, but the clip went on to %g s", held.State.Time, now.State.Time)
		}
		w.do(t, "mouseup", "1")
		w.until("playing on", func(s *Snapshot) bool { return !s.State.Held && s.State.Time != held.State.Time })
		w.do(t, "key", "space")
		w.until("pause", func(s *Snapshot) bool { return !s.State.Playing })
		w.do(t, "mousemove", x, y)
	})
	t.Run("the methods' keys change the picture", func(t *testing.T) { testMethodKeys(t, w) })
	t.Run("a click on a method", func(t *testing.T) {
		// The rows lie between the headings SKINNING and CLIPS; the second is DQS.
		w.do(t, "mousemove", "120", "124", "click", "1")
		w.until("DQS", func(s *Snapshot) bool { return s.State.Method() == skinning.DQS })
		w.do(t, "mousemove", x, y)
	})
	t.Run("orbit, pan and zoom", func(t *testing.T) {
		before := w.now().Camera
		w.do(t, "mousedown", "1", "mousemove_relative", "--", "-50", "20")
		w.until("orbit", func(s *Snapshot) bool {
			return s.Camera.Yaw != before.Yaw && s.Camera.Pitch != before.Pitch && s.Camera.Target == before.Target
		})
		w.do(t, "mouseup", "1")
		w.do(t, "mousedown", "2", "mousemove_relative", "--", "30", "10")
		w.until("pan", func(s *Snapshot) bool { return s.Camera.Target != before.Target })
		w.do(t, "mouseup", "2")
		w.do(t, "click", "4")
		w.until("zoom", func(s *Snapshot) bool { return s.Camera.Distance < before.Distance*0.95 })
		w.do(t, "key", "Home")
		w.until("frame all", func(s *Snapshot) bool {
			return s.Camera.Distance > before.Distance*0.5 && s.Camera.Target != before.Target
		})
	})
	t.Run("side by side", func(t *testing.T) {
		w.do(t, "key", "x")
		s := w.until("split", func(s *Snapshot) bool { return s.State.Layout == state.Split })
		if s.State.Panes[0] == s.State.Panes[1] {
			t.Errorf("%v against itself", s.State.Method())
		}
		w.do(t, "key", "x")
		w.until("whole", func(s *Snapshot) bool { return s.State.Layout == state.One })
	})
	t.Run("help, panels, escape", func(t *testing.T) {
		w.do(t, "key", "h")
		w.until("help", func(s *Snapshot) bool { return s.State.Help })
		w.do(t, "key", "Escape")
		w.until("no help", func(s *Snapshot) bool { return !s.State.Help })
		w.do(t, "key", "Escape") // must not end the program
		w.do(t, "key", "Tab")
		w.until("no panels", func(s *Snapshot) bool { return s.Timeline == ui.Rect{} && int(s.View.W) == s.Width })
		w.do(t, "key", "Tab")
		w.until("panels", func(s *Snapshot) bool { return s.Timeline.W > 0 })
	})
	t.Run("looks", func(t *testing.T) {
		for _, look := range []struct {
			key string
			on  func(*state.State) bool
		}{
			{"c", func(s *state.State) bool { return s.Clay }},
			{"w", func(s *state.State) bool { return s.Wireframe }},
			{"g", func(s *state.State) bool { return !s.Grid }},
		} {
			before := w.settled()
			w.do(t, "key", look.key)
			w.until("key "+look.key, func(s *Snapshot) bool { return look.on(&s.State) })
			// The grid's lines are the least of the three changes.
			if d := differing(before, w.settled(), within(w.now().View), 4); d < 0.01 {
				t.Errorf("key %s changes %.2g of the picture by more than 4 levels, expected 0.01 at least", look.key, d)
			}
			w.do(t, "key", look.key)
			w.until("key "+look.key+" again", func(s *Snapshot) bool { return !look.on(&s.State) })
		}
	})
	t.Run("a file that does not load leaves the old model", func(t *testing.T) {
		w.tell("drop /nowhere/missing.glb")
		loading := w.until("loading", func(s *Snapshot) bool { return s.Loading })
		s := w.until("the reason", func(s *Snapshot) bool { return s.Failure != "" })
		if s.Loading || s.Model != loading.Model || s.Drawn < loading.Drawn+2 {
			t.Errorf("after a bad file: %+v; expected the old model %q, drawn on meanwhile", s, loading.Model)
		}
		w.do(t, "key", "Escape")
		w.until("the message to be closed", func(s *Snapshot) bool { return s.Failure == "" })
	})
	t.Run("a dropped file is loaded", func(t *testing.T) {
		old := w.now().Model
		w.tell("drop demo:tube")
		w.until("loading", func(s *Snapshot) bool { return s.Loading })
		w.until("the new model", func(s *Snapshot) bool { return !s.Loading && s.Model != old && s.State.Moving() })
	})
	t.Run("resize", func(t *testing.T) {
		w.do(t, "key", "space")
		w.until("pause", func(s *Snapshot) bool { return !s.State.Playing })
		for _, size := range [][2]int{{820, 520}, {480, 360}, {1200, 760}, {1001, 603}} {
			w.do(t, "search", "--name", "skinlab", "windowsize", strconv.Itoa(size[0]), strconv.Itoa(size[1]))
			s := w.until("the size", func(s *Snapshot) bool { return s.Width == size[0] && s.Height == size[1] })
			img := w.settled()
			testLayout(t, &s, img)
		}
	})
	t.Run("ctrl-q quits", func(t *testing.T) {
		w.do(t, "key", "ctrl+q")
		select {
		case err := <-w.exit:
			if err != nil {
				t.Errorf("quit: %v, expected success", err)
			}
		case <-time.After(patience):
			t.Fatal("the window stays open")
		}
	})
}

// onFrame allows a microsecond: the grid's times are quotients of whole numbers.
func onFrame(s *Snapshot, frame int) bool {
	return !s.State.Playing && math.Abs(s.State.Time-float64(frame)/state.FrameRate) <= 1e-6
}

// testMethodKeys presses the methods' keys at a twisted pose: linear blending, which reads nothing but matrices,
// collapses the box's middle, so its picture differs from each other's. A paused picture is drawn the same again, to
// the bit: nothing of the last method is left over.
func testMethodKeys(t *testing.T, w *liveWindow) {
	pictures := map[skinning.Method]*image.NRGBA{}
	v := w.now().View
	// Above what is compared: Xvfb draws the pointer into the picture, and at times it does not.
	w.do(t, "mousemove", strconv.Itoa(int(v.X+v.W/2)), strconv.Itoa(int(v.Y+140)))
	seen := within(v)
	seen.Min.Y += 40 // the line about half turns, which comes when the pose is measured
	for round := range 2 {
		for _, m := range skinning.Methods() {
			w.do(t, "key", strings.ReplaceAll(strings.ToLower(models.MethodKey(m)), " ", "+"))
			w.until(m.String(), func(s *Snapshot) bool { return s.State.Method() == m })
			img := w.settled()
			if round == 0 {
				pictures[m] = img
			} else if d := differing(pictures[m], img, seen, 0); d > 0 {
				t.Errorf("%v: %.2g of the pixels of %v differ from the first time, expected none: in %v", m, d, seen,
					boundsOf(pictures[m], img, seen))
			}
		}
	}
	// The collapse changes several percent of the view; a twentieth of that would be no sight.
	const least = 0.003
	for m, img := range pictures {
		if m.Reads() == skinning.LBS.Reads() {
			continue
		}
		d := differing(pictures[skinning.LBS], img, seen, 16)
		t.Logf("%v differs from LBS by more than 16 levels in %.2f %% of the picture", m, 100*d)
		if d < least {
			t.Errorf("%v: only %.2g of the picture differs from LBS at a twist, expected %g at least", m, d, least)
		}
	}
}

// boundsOf returns the bounds of the pixels of r in which a and b differ.
func boundsOf(a, b *image.NRGBA, r image.Rectangle) (out image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a.NRGBAAt(x, y) != b.NRGBAAt(x, y) {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

// testLayout checks that the window is covered to its edges and that no part of it lies outside.
func testLayout(t *testing.T, s *Snapshot, img *image.NRGBA) {
	t.Helper()
	if s.View.W < 100 || s.View.H < 100 || s.View.Right() > float32(s.Width) || s.Timeline.Bottom() != float32(s.Height) ||
		s.Timeline.W != float32(s.Width) || s.View.Bottom() > s.Timeline.Y {
		t.Errorf("%d × %d: view %+v, timeline %+v", s.Width, s.Height, s.View, s.Timeline)
	}
	// The window has no frame and lies at the screen's origin.
	inside, outside := img.NRGBAAt(s.Width-2, s.Height-2), img.NRGBAAt(s.Width+2, s.Height/2)
	if inside.R < 10 || inside.R > 30 {
		t.Errorf("%d × %d: the last pixel of the timeline is %v", s.Width, s.Height, inside)
	}
	if outside.R != 0 {
		t.Errorf("%d × %d: beside the window the screen shows %v", s.Width, s.Height, outside)
	}
	middle := img.NRGBAAt(int(s.View.X+s.View.W/2), int(s.View.Bottom())-6)
	if middle.R < 20 {
		t.Errorf("%d × %d: the floor of the picture is %v", s.Width, s.Height, middle)
	}
}

// runChild runs a child that ends by itself and returns what it prints.
func runChild(t *testing.T, d *display, args ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

// TestLoopAllocatesNothing counts the heap allocations of whole turns of the loop, in every situation that lasts.
func TestLoopAllocatesNothing(t *testing.T) {
	longtest.Only(t)
	out := runChild(t, startDisplay(t), "-child", "allocations")
	n := 0
	for in := json.NewDecoder(strings.NewReader(out)); in.More(); n++ {
		var r allocationReport
		if err := in.Decode(&r); err != nil {
			t.Fatal(err)
		}
		// At most one in a run of frames, which is the runtime's: a loop that allocates does so in every frame.
		if r.Mallocs > 1 {
			t.Errorf("%s: %d allocations in %d frames, expected none", r.Situation, r.Mallocs, r.Frames)
		}
		if drawn := r.Situation != "minimised"; (r.Drawn == uint64(r.Frames)) != drawn {
			t.Errorf("%s: %d of %d frames drawn", r.Situation, r.Drawn, r.Frames)
		}
	}
	if n < 10 {
		t.Errorf("%d situations measured, expected 10 at least", n)
	}
}

// readShot reads a screenshot.
func readShot(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	shot := image.NewNRGBA(decoded.Bounds())
	for y := range shot.Rect.Dy() {
		for x := range shot.Rect.Dx() {
			shot.Set(x, y, decoded.At(x, y))
		}
	}
	return shot
}

// headlessPicture draws a scene of a model in a headless context of its own.
func headlessPicture(m *skinning.Model, s *picture.Scene) (drawn *image.NRGBA, err error) {
	err = render.WithHeadless(func(r *render.Renderer) error {
		if err := r.SetModel(m); err != nil {
			return err
		}
		drawn, err = r.Picture(s)
		return err
	})
	return drawn, err
}

// TestScreenshotIsTheHeadlessPicture holds a window's picture to that of the headless context at the same camera. They
// are the same renderer on the same rasteriser, so all but the noise of the soft shadows agrees, which turns on the
// last bits of depth: measured, 0.34 % of the pixels differ by more than 3 of 255 levels and none by more than 16.
func TestScreenshotIsTheHeadlessPicture(t *testing.T) {
	t.Parallel()
	d := startDisplay(t)
	path := filepath.Join(t.TempDir(), "window.png")
	out := runChild(t, d, "-child", "shot", "-child.shot", path, "-child.time", "1.5")
	var s Snapshot
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	window := readShot(t, path)
	if window.Rect.Dx() != windowWidth || window.Rect.Dy() != windowHeight {
		t.Fatalf("the screenshot is %v, expected %d × %d", window.Rect, windowWidth, windowHeight)
	}
	m := assetstest.Open(t, "demo:box")
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, 1.5)
	frame.SetPose(pose)
	headless, err := headlessPicture(m, &picture.Scene{
		Camera: s.Camera, Method: skinning.LBS, Frame: frame, Grid: true, Width: int(s.View.W), Height: int(s.View.H),
	})
	if err != nil {
		t.Skipf("no headless context to compare with: %v", err)
	}
	placed := image.NewNRGBA(window.Rect)
	for y := range headless.Rect.Dy() {
		for x := range headless.Rect.Dx() {
			placed.SetNRGBA(x+int(s.View.X), y+int(s.View.Y), headless.NRGBAAt(x, y))
		}
	}
	if *keep != "" {
		for name, img := range map[string]*image.NRGBA{"window.png": window, "headless.png": placed} {
			if err := atomicfile.WritePNG(filepath.Join(*keep, name), img); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, limit := range []struct {
		level int
		share float64
	}{{3, 0.01}, {24, 0}} {
		share := differing(hideAxes(window, s.View), hideAxes(placed, s.View), within(s.View), limit.level)
		if !(share <= limit.share) {
			t.Errorf("%.3g of the window's pixels differ from the headless picture by more than %d levels, expected %g at most",
				share, limit.level, limit.share)
		}
	}
}

// TestFrameRate measures a window of a known size, with its interface and without, which then closes by itself. A frame
// takes between a microsecond and what patience allows.
func TestFrameRate(t *testing.T) {
	out := runChild(t, startDisplay(t), "-child", "frames")
	var rates []FrameRate
	if err := json.Unmarshal([]byte(out), &rates); err != nil || len(rates) != 2 {
		t.Fatalf("%d rates, error %v", len(rates), err)
	}
	for _, r := range rates {
		if r.Frames != 5 || r.Width != windowWidth || r.Height != windowHeight || r.Renderer == "" ||
			!(r.Seconds > 5e-6 && r.Seconds < 5*patience.Seconds()) {
			t.Errorf("%+v, expected 5 frames of %d × %d pixels", r, windowWidth, windowHeight)
		}
	}
}

// TestDisplayWithoutOpenGL: a display without GLX is an error with its reason.
func TestDisplayWithoutOpenGL(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-child", "live")
	cmd.Env = append(os.Environ(), "DISPLAY="+startScreen(t, "640x480", "-extension", "GLX").name)
	out, err := cmd.CombinedOutput()
	if text := string(out); err == nil || !strings.Contains(text, "child: no window with OpenGL 4.1: ") ||
		strings.Contains(text, "panic") {
		t.Errorf("error %v, output %q", err, text)
	}
}
