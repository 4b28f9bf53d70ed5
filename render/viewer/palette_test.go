package viewer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/environment"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestPaletteListsWhatIsThere: every method and key has an entry that does what it says, and pages and lines of the
// menu are listed while they are there.
func TestPaletteListsWhatIsThere(t *testing.T) {
	a := &app{state: state.New()}
	a.models = models.New(&desk.Desk{State: &a.state}, nil, false)
	a.lists.commands = commands()
	for _, row := range pageTable() {
		if row.there == nil {
			a.tabs = append(a.tabs, tab{pageRow: row})
		}
	}
	for i := range a.lists.commands { // what asks pages and files needs a window
		if c := &a.lists.commands[i]; c.there != nil {
			name := c.does
			methods := c.group == "Methods"
			c.there = func(*app) bool { return methods || name == "Export glTF as" }
		}
	}
	entries := a.commandEntries()
	at := func(name string) int {
		return slices.IndexFunc(entries, func(e palette.Entry) bool { return e.Name == name })
	}
	for _, m := range skinning.Methods() {
		i := at(m.Title() + ", " + m.Short())
		if i < 0 || entries[i].Keys != models.MethodKey(m) {
			t.Fatalf("%v is entry %d", m, i)
		}
		entries[i].Run()
		if a.state.Method() != m {
			t.Errorf("the entry of %v shows %v", m, a.state.Method())
		}
	}
	if at("Export glTF as") < 0 || at("Close second file") >= 0 || at("Helper bones and their coefficients") >= 0 {
		t.Errorf("entries %v: only what is there is to be listed", entries)
	}
	entries[at("Facts about the model")].Run()
	if a.state.Tab != state.TabModel {
		t.Errorf("the page is %q", a.state.Tab)
	}
	for _, on := range []bool{false, true} {
		e := a.commandEntries()[at("Wireframe")]
		if strings.HasSuffix(e.Group, ", on") != on || strings.HasPrefix(e.Does, "Turns off") != on {
			t.Errorf("the entry of a switch that is on (%v): %q, %q", on, e.Group, e.Does)
		}
		e.Run()
	}
	names := map[string]bool{}
	for _, e := range entries {
		if names[e.Name] {
			t.Errorf("two entries are called %q", e.Name)
		}
		names[e.Name] = true
	}
}

// TestPaletteFindsWhatThereIs starts a fit with its number, plays a clip, picks a joint and opens a model by their names,
// with real keys.
func TestPaletteFindsWhatThereIs(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure")
	find := func(typed, first string) {
		t.Helper()
		w.do(t, "key", "ctrl+p", "type", "--delay", "40", typed) // not waiting for the field
		w.until(typed, func(s *Snapshot) bool { return len(s.Palette) > 0 && s.Palette[0] == first })
		w.do(t, "key", "Return")
		w.until("it to close", func(s *Snapshot) bool { return s.Palette == nil })
	}
	w.do(t, "mousemove", "600", "300", "key", "space")
	find("walk", "walk")
	w.until("the clip", func(s *Snapshot) bool { return s.State.Seconds < 2 })
	find("left_hand", "left_hand")
	w.until("the joint", func(s *Snapshot) bool { return s.State.Joint >= 0 })
	find("speed 2", "Speed 2×")
	w.until("the speed", func(s *Snapshot) bool { return s.State.Speed == 2 })
	find("demo:box", "demo:box")
	w.until("the model", func(s *Snapshot) bool { return s.Files.Path == "demo:box" })
	find("fit 5 blend bones", "Fit 5 blend bones")
	w.until("the fit", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 5 && s.State.Tab == state.TabFit })
}

// TestPalette finds and runs commands with real keys.
func TestPalette(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box")
	w.do(t, "mousemove", "600", "300", "key", "ctrl+p")
	w.until("the palette", func(s *Snapshot) bool { return len(s.Palette) > 40 && s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "clay")
	w.until("one entry", func(s *Snapshot) bool { return slices.Equal(s.Palette, []string{"Clay material"}) })
	w.do(t, "key", "Return")
	w.until("clay", func(s *Snapshot) bool { return s.State.Clay && s.Palette == nil })
	w.do(t, "key", "ctrl+p")
	w.until("all entries again", func(s *Snapshot) bool { return len(s.Palette) > 40 && s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "side")
	s := w.until("an entry", func(s *Snapshot) bool { return len(s.Palette) > 0 && len(s.Palette) < 10 })
	if s.Palette[0] != "Two side by side" {
		t.Errorf("found %q first", s.Palette[0])
	}
	w.do(t, "key", "Escape")
	s = w.until("it to close", func(s *Snapshot) bool { return s.Palette == nil })
	if s.State.Layout != state.One {
		t.Error("Esc ran the command")
	}
	w.do(t, "key", "c")
	w.until("keys to be commands again", func(s *Snapshot) bool { return !s.State.Clay })
}

// TestScenesOfAFile shows the scenes of a file that has several, by name and one after the other. Reload keeps the scene,
// and undo brings the one before back.
func TestScenesOfAFile(t *testing.T) {
	t.Parallel()
	b := gltftest.Beam()
	b.Set("scenes.0.name", "whole").Push("scenes", gltftest.Object{"name": "only the beam", "nodes": gltftest.List{0}})
	file := filepath.Join(t.TempDir(), "beam.glb")
	if err := os.WriteFile(file, b.Glb(), 0o600); err != nil {
		t.Fatal(err)
	}
	w := openLive(t, file)
	scene := func(i int) func(*Snapshot) bool {
		return func(s *Snapshot) bool { return s.Files.Scene == i && s.Files.Path == file && !s.Loading }
	}
	w.until("the default scene", scene(0))
	w.do(t, "mousemove", "600", "300", "key", "ctrl+p")
	w.until("the palette", func(s *Snapshot) bool { return s.Palette != nil && s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "only the")
	w.until("an entry", func(s *Snapshot) bool { return slices.Equal(s.Palette, []string{"only the beam"}) })
	w.do(t, "key", "Return")
	w.until("the other scene", scene(1))
	w.do(t, "key", "F5")
	w.until("the file to be read again", func(s *Snapshot) bool { return s.Files.Notice == "beam.glb" })
	if s := w.now(); !scene(1)(&s) {
		t.Errorf("scene %d after reading again", s.Files.Scene)
	}
	w.do(t, "key", "ctrl+z")
	w.until("the scene before", scene(0))
	w.do(t, "key", "ctrl+p")
	w.until("the palette", func(s *Snapshot) bool { return s.Palette != nil && s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "next scene")
	w.until("an entry", func(s *Snapshot) bool { return len(s.Palette) > 0 && s.Palette[0] == "Next scene" })
	w.do(t, "key", "Return")
	w.until("the next scene", scene(1))
}

// TestEnvironments: the light of a file stands beside the window's own and is shown first; a name is one of these. The
// palette lists them all, and the menu's line goes through them.
func TestEnvironments(t *testing.T) {
	light := environment.Uniform(mgl32.Vec3{1, 0, 0}, mgl32.Vec3{})
	a := &app{state: state.New(), opt: Options{Environment: light, EnvironmentName: "sky.hdr"}}
	a.models = models.New(&desk.Desk{State: &a.state}, nil, true)
	a.models.File = models.Prepare(assetstest.Open(t, "demo:box"), 0)
	a.setEnvironments()
	if n := len(environment.Choices); int(a.state.Environment) != n || a.environments[n].Light() != light {
		t.Errorf("environment %d of %d", a.state.Environment, len(a.environments))
	}
	for k, c := range a.environments {
		entries := a.settingEntries()
		i := slices.IndexFunc(entries, func(e palette.Entry) bool { return e.Name == "Light: "+c.Name })
		if i < 0 {
			t.Fatalf("no entry of %s", c.Name)
		}
		entries[i].Run()
		if int(a.state.Environment) != k {
			t.Errorf("the entry of %s chooses %d", c.Name, a.state.Environment)
		}
	}
	a.opt.Environment, a.opt.EnvironmentName = environment.Choices[1].Light(), environment.Choices[1].Name
	a.setEnvironments()
	if a.state.Environment != 1 || len(a.environments) != len(environment.Choices) {
		t.Errorf("%s is environment %d of %d", a.opt.EnvironmentName, a.state.Environment, len(a.environments))
	}
}
