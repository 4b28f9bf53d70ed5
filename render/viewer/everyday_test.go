package viewer

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// modelFile writes a built-in model as a file.
func modelFile(t *testing.T, path, name string) {
	t.Helper()
	m := assetstest.Open(t, name)
	data, err := export.Encode(m)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fakeDialog puts a program in a folder that answers file dialogs as the file "answer" beside it says. Without that file
// it is cancelled. It stays open while there is a file "open" beside it.
func fakeDialog(t *testing.T, dir string) (answer string) {
	t.Helper()
	answer = filepath.Join(dir, "answer")
	script := "#!/bin/sh\n" +
		"while [ -f '" + filepath.Join(dir, "open") + "' ]; do sleep 0.05; done\n" +
		"[ -f '" + answer + "' ] || exit 1\nread -r line < '" + answer + "'\necho \"$line\"\n"
	if err := os.WriteFile(filepath.Join(dir, "zenity"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return answer
}

// middle returns the middle of a rectangle as xdotool wants it.
func middle(r ui.Rect) (x, y string) {
	return strconv.Itoa(int(r.X + r.W/2)), strconv.Itoa(int(r.Y + r.H/2))
}

// clickOn clicks on the middle of what a snapshot names, once that is on the screen.
func (w *liveWindow) clickOn(what string, place func(*Snapshot) ui.Rect) {
	w.t.Helper()
	s := w.until(what, func(s *Snapshot) bool { return place(s).W > 0 })
	x, y := middle(place(&s))
	w.do(w.t, "mousemove", x, y, "click", "1")
}

// menuLineAt returns what finds a line of the menu by its label.
func menuLineAt(label string) func(*Snapshot) ui.Rect {
	i := slices.IndexFunc(menuLines(), func(l menuLine) bool { return l.label == label })
	return func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, menu.ItemLine+i) }
}

// TestEveryday opens, reloads, cancels, saves pictures and settings as a person does in a day.
func TestEveryday(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, kept := filepath.Join(dir, "model.glb"), filepath.Join(dir, "config", "settings.json")
	modelFile(t, file, "demo:tube")
	answer := fakeDialog(t, dir)
	args := []string{"-child.settings", kept, "-child.path", dir}
	w := openLive(t, "demo:box", args...)
	x, y := middle(w.now().View)
	w.do(t, "mousemove", x, y)

	t.Run("a file from the dialog", func(t *testing.T) {
		// The dialog stays until it is seen: one that is cancelled at once can be over between two snapshots.
		open := filepath.Join(dir, "open")
		if err := os.WriteFile(open, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		w.again("the dialog", func() { w.do(t, "key", "ctrl+o") }, func(s *Snapshot) bool { return s.Files.Asking })
		if err := os.Remove(open); err != nil {
			t.Fatal(err)
		}
		w.until("the dialog to be cancelled", func(s *Snapshot) bool { return !s.Files.Asking && s.Failure == "" })
		if err := os.WriteFile(answer, []byte(file+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.do(t, "key", "ctrl+o") // once: a second key would load the file again, which plays from its start
		w.until("the file", func(s *Snapshot) bool {
			return s.Files.Path == file && s.Model == "model.glb" && s.State.Playing && !s.Files.Asking
		})
	})
	t.Run("a part of a clip is played", func(t *testing.T) { testRange(t, w, x, y) })
	t.Run("a file that is saved is read again", func(t *testing.T) { testReload(t, w, file) })
	t.Run("loading is cancelled", func(t *testing.T) {
		for _, how := range []string{"key", "button"} {
			w.tell("drop demo:arm")
			w.until("progress", func(s *Snapshot) bool { return s.Loading && s.Files.Step == "Waiting" && s.Files.Share > 0 })
			if how == "key" {
				w.do(t, "key", "Escape")
			} else {
				w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMessage, notes.ItemCancelLoad) })
				w.do(t, "mousemove", x, y)
			}
			s := w.until("the end of it", func(s *Snapshot) bool { return !s.Loading })
			time.Sleep(time.Second) // longer than the file takes
			if now := w.now(); now.Model != "model.glb" || s.Failure != "" || !strings.Contains(s.Files.Notice, "demo:arm") {
				t.Errorf("%s: %q is shown after it was cancelled, failure %q, notice %q", how, now.Model, s.Failure, s.Files.Notice)
			}
		}
	})
	t.Run("pictures", func(t *testing.T) { testPictures(t, w, answer, filepath.Join(dir, "chosen.png")) })
	t.Run("recent files", func(t *testing.T) {
		w.tell("drop demo:box")
		w.until("the other model", func(s *Snapshot) bool { return s.Model == "demo:box" && !s.Loading })
		w.do(t, "key", "F10")
		w.clickOn("the menu", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, menu.ItemRecent) })
		w.do(t, "mousemove", x, y)
		w.until("the recent file", func(s *Snapshot) bool { return s.Files.Path == file && !s.Files.Menu && !s.Loading })
	})
	t.Run("hostile files", func(t *testing.T) { testHostile(t, w) })
	t.Run("settings are kept", func(t *testing.T) { testSettings(t, w, kept, args) })
}

func testRange(t *testing.T, w *liveWindow, x, y string) {
	w.do(t, "key", "space", "key", "shift+Home")
	w.until("the start", func(s *Snapshot) bool { return !s.State.Playing && s.State.Time == 0 })
	for range 6 {
		w.do(t, "key", "period")
	}
	w.until("six frames", func(s *Snapshot) bool { return onFrame(s, 6) })
	w.do(t, "key", "bracketleft")
	for range 3 {
		w.do(t, "key", "period")
	}
	w.until("nine frames", func(s *Snapshot) bool { return onFrame(s, 9) })
	w.do(t, "key", "bracketright")
	want := state.Range{From: 6.0 / state.FrameRate, To: 9.0 / state.FrameRate}
	near := func(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }
	w.until("the range", func(s *Snapshot) bool {
		return near(s.State.Range.From, want.From, 1e-9) && near(s.State.Range.To, want.To, 1e-9)
	})
	w.do(t, "key", "space")
	for range 20 {
		if s := w.now(); s.State.Time < want.From-1e-6 || s.State.Time > want.To+1e-6 {
			t.Fatalf("plays at %g s, outside %+v", s.State.Time, want)
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.do(t, "key", "backslash")
	s := w.until("the whole clip", func(s *Snapshot) bool { return !s.State.Ranged() })
	// The right button draws a range; its ends are on the frame grid, and the track is inset by 16 pixels.
	at := func(share float32) string {
		return strconv.Itoa(int(s.Timeline.X + 16 + (s.Timeline.W-32)*share))
	}
	row := strconv.Itoa(int(s.Timeline.Y + s.Timeline.H*0.6))
	w.do(t, "mousemove", at(0.75), row, "mousedown", "3", "mousemove", at(0.5), row)
	tolerance := 1.0/state.FrameRate + s.State.Seconds*2/float64(s.Timeline.W)
	drawn := func(s *Snapshot) bool {
		return near(s.State.Range.From, s.State.Seconds*0.5, tolerance) && near(s.State.Range.To, s.State.Seconds*0.75,
			tolerance)
	}
	w.until("a range that is drawn", drawn)
	w.do(t, "mouseup", "3")
	w.until("a range that stays", drawn)
	w.do(t, "click", "3", "mousemove", x, y)
	w.until("a right click to clear it", func(s *Snapshot) bool { return !s.State.Ranged() })
	w.do(t, "key", "space")
}

// testReload saves the shown file anew: broken, mended, and in another shape.
func testReload(t *testing.T, w *liveWindow, file string) {
	w.do(t, "key", "9", "key", "3", "click", "4")
	w.do(t, "key", "shift+Home", "key", "period", "key", "period")
	before := w.until("a place of one's own", func(s *Snapshot) bool {
		return onFrame(s, 2) && s.State.Layout == state.Two && s.State.Method() == skinning.SDQS
	})
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(what string, s *Snapshot) {
		t.Helper()
		if s.State != before.State || s.Camera != before.Camera || s.Model != before.Model {
			t.Errorf("%s: %+v, camera %+v\nexpected %+v, camera %+v", what, s.State, s.Camera, before.State, before.Camera)
		}
	}
	write(good[:len(good)/2])
	s := w.until("the reason", func(s *Snapshot) bool { return strings.Contains(s.Failure, "truncated") })
	same("a broken file", &s)
	write(good)
	s = w.until("the mended file",
		func(s *Snapshot) bool { return s.Failure == "" && strings.Contains(s.Files.Notice, "model.glb") })
	same("a mended file", &s)
	time.Sleep(desk.NoticeTime)
	w.until("the notice to go", func(s *Snapshot) bool { return s.Files.Notice == "" })
	w.do(t, "key", "F5")
	s = w.until("a reload by hand", func(s *Snapshot) bool { return s.Files.Notice != "" && !s.Loading })
	same("a reload by hand", &s)
	modelFile(t, file, "demo:figure") // of another size: the camera stays on its side of the model, and sees it whole
	w.until("another model in the file", func(s *Snapshot) bool {
		return s.State.Seconds != before.State.Seconds && s.Camera.Distance != before.Camera.Distance &&
			s.Camera.Yaw == before.Camera.Yaw
	})
	w.do(t, "key", "7")
	modelFile(t, file, "demo:tube")
	w.until("the old model", func(s *Snapshot) bool { return s.State.Seconds == before.State.Seconds && !s.Loading })
}

func testPictures(t *testing.T, w *liveWindow, answer, chosen string) {
	pictures := func() []string {
		found, err := filepath.Glob(filepath.Join(filepath.Dir(chosen), "skinlab-*.png")) // beside the model's file
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	// its name is taken before it is written: an empty file may be there first
	size := func(path string) (width, height int) {
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := png.DecodeConfig(bytes.NewReader(data))
			if err == nil {
				return c.Width, c.Height
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
	saved := func(s *Snapshot) bool { return strings.Contains(s.Files.Notice, filepath.Dir(chosen)) }
	w.do(t, "key", "F12")
	s := w.until("where the picture is", saved)
	if all := pictures(); len(all) != 1 || !strings.HasSuffix(s.Files.Notice, filepath.Base(all[0])) {
		t.Fatalf("%q; the notice says %q", all, s.Files.Notice)
	} else if width, height := size(all[0]); width != s.Width || height != s.Height {
		t.Errorf("with the interface %d × %d, the window has %d × %d", width, height, s.Width, s.Height)
	}
	first := pictures()[0]
	w.do(t, "key", "shift+F12", "key", "shift+F12", "key", "shift+F12")
	for deadline := time.Now().Add(patience); len(pictures()) < 2 &&
		time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	time.Sleep(500 * time.Millisecond)
	for _, path := range pictures() {
		if width, height := size(path); path != first && (width != int(s.View.W) || height != int(s.View.H)) {
			t.Errorf("without the interface %d × %d, the view has %g × %g", width, height, s.View.W, s.View.H)
		}
	}
	if err := os.WriteFile(answer, []byte(strings.TrimSuffix(chosen, ".png")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.do(t, "key", "F10")
	w.clickOn("the menu", menuLineAt("Save picture as…"))
	w.until("a picture of a chosen name", func(s *Snapshot) bool { return s.Files.Notice == chosen })
	size(chosen)
}

// testHostile drops every broken or unusual file: each is shown, or leaves what was shown with a reason.
func testHostile(t *testing.T, w *liveWindow) {
	files, err := filepath.Glob(filepath.Join(gltftest.ModelsFolder(), "hostile", "*.gl*"))
	if err != nil || len(files) == 0 {
		t.Skipf("no hostile files beside the repository (%v)", err)
	}
	refused := 0
	for _, f := range files {
		path, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		before := w.now().Model
		w.tell("drop " + path)
		s := w.until(filepath.Base(path), func(s *Snapshot) bool {
			return !s.Loading && (s.Files.Path == path || strings.Contains(s.Failure, filepath.Base(path)))
		})
		if s.Failure != "" {
			refused++
			if s.Model != before {
				t.Errorf("%s is refused, and %q is gone for %q", filepath.Base(path), before, s.Model)
			}
			w.do(t, "key", "Escape")
			w.until("the message to be closed", func(s *Snapshot) bool { return s.Failure == "" })
		}
	}
	if refused < 5 {
		t.Errorf("%d of %d hostile files are refused, expected 5 at least", refused, len(files))
	}
}

// testSettings closes the window and opens it again.
func testSettings(t *testing.T, w *liveWindow, kept string, args []string) {
	before := w.now()
	edge := strconv.Itoa(int(before.View.X))
	row := strconv.Itoa(int(before.View.Y + before.View.H/3))
	w.do(t, "mousemove", edge, row, "mousedown", "1")
	time.Sleep(300 * time.Millisecond) // a hand is not faster than a frame
	w.do(t, "mousemove_relative", "60", "0")
	w.until("a wider panel", func(s *Snapshot) bool { return math.Abs(float64(s.View.X-before.View.X)-60) <= 2 })
	w.do(t, "mouseup", "1")
	w.do(t, "key", "0", "key", "g", "key", "l", "key", "shift+z", "key", "ctrl+minus")
	w.do(t, "search", "--name", "skinlab", "windowsize", "901", "655")
	last := w.until("what was set", func(s *Snapshot) bool {
		return s.State.Layout == state.Four && !s.State.Grid && !s.State.Loop && s.State.Light && s.Width == 901 && s.Height == 655
	})
	w.do(t, "key", "ctrl+q")
	select {
	case err := <-w.exit:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("the window stays open")
	}
	s, err := settings.Load(kept)
	if err != nil || len(s.Recent) == 0 || s.Layout != "four" || s.Window.Width != 901 ||
		!(math.Abs(s.Zoom-1/zoomFactor) < 1e-6) {
		t.Fatalf("%+v, %v", s, err)
	}
	again := openLive(t, "demo:box", args...)
	now := again.until("the same again", func(s *Snapshot) bool { return s.Width == 901 && s.Height == 655 })
	if now.View.X != last.View.X || now.State.Layout != state.Four || now.State.Grid || now.State.Loop ||
		!now.State.Light {
		t.Errorf("opened again: %+v, view %+v; expected view %+v", now.State, now.View, last.View)
	}
	again.until("the last file to be offered", func(s *Snapshot) bool {
		return strings.HasPrefix(s.Saving.Titles[0], "Last time: ") && s.placed(desk.PanelMessage, notes.ItemAction).W > 0
	})
	again.do(t, "key", "Escape", "key", "F10")
	shown := again.until("the menu", func(s *Snapshot) bool { return s.placed(desk.PanelMenu, menu.ItemReset).W > 0 })
	x, y := middle(shown.placed(desk.PanelMenu, menu.ItemLine))
	again.do(t, "mousemove", x, y, "click", "--repeat", "10", "--delay", "20", "5") // to its end, if it scrolls
	again.untilRest()
	for range 2 { // it asks once more
		again.clickOn("reset", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, menu.ItemReset) })
	}
	again.until("a new window", func(s *Snapshot) bool {
		return s.State.Layout == state.One && s.State.Grid && s.State.Loop && !s.State.Light && s.View.X == leastLeft
	})
	again.do(t, "key", "ctrl+q")
	<-again.exit
	s, err = settings.Load(kept)
	if err != nil || len(s.Recent) != 0 || s.Layout != "one" || s.Zoom != 1 {
		t.Errorf("after the reset: %+v, %v", s, err)
	}
	// Garbage in the file costs its contents, never the window.
	if err := os.WriteFile(kept, []byte(`{"zoom": "large", "layout": "two", "window": {`), 0o600); err != nil {
		t.Fatal(err)
	}
	third := openLive(t, "demo:box", args...)
	if now := third.now(); now.Files.Notice == "" || now.State.Layout != state.One {
		t.Errorf("with broken settings: %+v", now)
	}
}
