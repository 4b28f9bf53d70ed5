package viewer

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/internal/longtest"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

var (
	enduranceFrames = flag.Uint64("endurance.frames", 500, "how many frames the endurance test draws at least")
	enduranceSeed   = flag.Uint64("endurance.seed", 1, "of the order of its events")
)

// TestEndurance uses a real window as a person in a hurry does: every key, every page, every layout, method and clip,
// clicks, drags and turns of the wheel anywhere, good and hostile files, other sizes and none, in an order made by
// chance from a seed. Then it looks at what the window holds: the same as before, and without one OpenGL error. `make
// endurance` does it for 20,000 frames.
func TestEndurance(t *testing.T) {
	longtest.Only(t)
	e := newEndurance(t)
	start := time.Now()
	e.round(math.MaxInt)
	e.coverage()
	e.rest() // everything has been made that is made once
	for e.w.now().Drawn < *enduranceFrames || e.rests() < 2 {
		some := math.MaxInt
		if *enduranceFrames < 1000 {
			some = 40
		}
		e.round(some)
		if n := e.rests(); n < 8 || n*1000 < int(e.w.now().Drawn) { // in a long run not after every round
			e.rest()
			t.Logf("%d frames after %.0f s", e.w.now().Drawn, time.Since(start).Seconds())
		}
	}
	e.rest()
	seconds := time.Since(start).Seconds()
	frames := e.w.now().Drawn
	t.Logf("%d frames and %d events in %.0f s", frames, e.events, seconds)
	e.verdict()
	for deadline := time.Now().Add(patience); ; {
		e.tell("calm")
		e.input("mousemove %d %d", enduranceWidth/2, enduranceHeight/2) // keys go to what is under it
		e.pause(6)
		e.input("key ctrl+q")
		select {
		case err := <-e.w.exit:
			if err != nil {
				t.Errorf("quit: %v, expected success", err)
			}
			return
		case <-time.After(2 * time.Second): // a key that came before the answer to a question
		}
		if time.Now().After(deadline) {
			t.Fatalf("the window stays open; the last snapshot is %+v", e.w.now())
		}
	}
}

// endurance drives a window by events in a seeded order.
type endurance struct {
	*liveWindow
	w      *liveWindow
	t      *testing.T
	rng    *rand.Rand
	events int
	xdo    io.Writer
	window string // its number
	clips  int    // of the model that it opens with

	// Under liveWindow.mu:
	reports []restReport
	seen    map[string]bool // what a snapshot has shown
	obeyed  int             // orders that the window has carried out
	orders  int             // that it was given; of the test's goroutine alone
}

func newEndurance(t *testing.T) *endurance {
	e := &endurance{t: t, rng: rand.New(rand.NewPCG(*enduranceSeed, 0)), seen: map[string]bool{}}
	dir := t.TempDir()
	fakeDialog(t, dir) // a real one would take the keyboard away
	e.w = openChild(t, e.heard, "-child", "endurance", "-child.model", "demo:box", "-child.pause", "2ms", "-child.path",
		dir)
	e.liveWindow = e.w
	box := assetstest.Open(t, "demo:box")
	e.clips = len(box.Clips)
	name := exec.Command("xdotool", "search", "--name", "skinlab")
	name.Env = append(os.Environ(), "DISPLAY="+e.w.name)
	id, err := name.Output()
	if err != nil {
		t.Fatalf("xdotool finds no window: %v", err)
	}
	e.window = strings.Fields(string(id))[0]
	// One xdotool that reads its commands as they come: starting one for each takes longer than drawing a frame.
	xdo := exec.Command("xdotool", "-")
	xdo.Env, xdo.Stderr = name.Env, os.Stderr
	if e.xdo, err = xdo.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := xdo.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		xdo.Process.Kill()
		xdo.Wait()
	})
	return e
}

// heard notes what the window shows. It runs under the window's lock.
func (e *endurance) heard(h *heard) {
	s := &h.State
	e.obeyed = h.Obeyed
	if h.Rest != nil {
		e.reports = append(e.reports, *h.Rest)
	}
	for i := range s.Seen() {
		e.seen["method "+s.Panes[i].Method.String()] = true
		if s.Panes[i].Beside {
			e.seen["a file beside"] = true
		}
	}
	e.seen[fmt.Sprint("layout ", s.Layout)] = true
	if s.Panels && h.tab(s.Tab).W > 0 {
		e.seen[fmt.Sprint("page ", s.Tab)] = true
	}
	if strings.Contains(h.Model, "ox") {
		e.seen[fmt.Sprint("clip ", s.Clip)] = true
	}
	e.seen[fmt.Sprint("skinning ", h.Timing.Skinning)] = true
	for what, is := range map[string]bool{
		"a crowd":   h.Timing.Instances[1] > 1,
		"no panels": !s.Panels, "help": s.Help, "a failure": h.Failure != "", "minimised": h.Width == 0,
		"small": h.Width == 480,
		"a fit": h.Fit.Running, "a scrub": s.Held, "a pause": !s.Playing,
	} {
		if is {
			e.seen[what] = true
		}
	}
}

func (e *endurance) has(what string) bool {
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	return e.seen[what]
}

func (e *endurance) rests() int {
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	return len(e.reports)
}

// tell gives the window an order, which it carries out behind one of its next frames.
func (e *endurance) tell(line string) {
	e.t.Helper()
	e.orders++
	e.w.tell(line)
}

// loaded waits until the window has carried out all orders and loads nothing.
func (e *endurance) loaded(what string) {
	e.t.Helper()
	e.w.until("the orders before "+what, func(*Snapshot) bool {
		e.w.mu.Lock()
		defer e.w.mu.Unlock()
		return e.obeyed == e.orders
	})
	e.w.now() // of no snapshot before that
	e.w.until(what, func(s *Snapshot) bool { return !s.Loading })
}

// input sends a line of xdotool's language: real events, all of them.
func (e *endurance) input(format string, args ...any) {
	e.t.Helper()
	e.events++
	if _, err := fmt.Fprintf(e.xdo, format+"\n", args...); err != nil {
		e.t.Fatalf("xdotool: %v", err)
	}
}

// pause lets a few frames be drawn, fewer where the window rests or is slow.
func (e *endurance) pause(frames uint64) {
	e.t.Helper()
	e.await(frames, 60*time.Millisecond)
}

// press presses a key that steps through some states until the window shows the one that is meant, three times at most.
// It waits for the frames of each press: a second one before the window has shown the first would step too far.
func (e *endurance) press(key string, shows func(*Snapshot) bool) {
	e.t.Helper()
	for range 3 {
		if s := e.w.now(); shows(&s) {
			return
		}
		e.input("key %s", key)
		e.await(4, time.Second)
	}
}

// await lets a few frames be drawn within a time.
func (e *endurance) await(frames uint64, within time.Duration) {
	e.t.Helper()
	from := e.w.now().Drawn
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if e.w.now().Drawn >= from+frames {
			return
		}
	}
	select {
	case err := <-e.w.exit:
		e.t.Fatalf("after %d events the window is gone: %v; the last snapshot is %+v", e.events, err, e.w.now())
	default:
	}
}

// move puts the mouse somewhere in r.
func (e *endurance) move(r ui.Rect) {
	e.input("mousemove %d %d", int(r.X+r.W*e.rng.Float32()), int(r.Y+r.H*e.rng.Float32()))
}

// click presses a button somewhere in r.
func (e *endurance) click(r ui.Rect, button int) {
	e.move(r)
	e.pause(1)
	e.input("click %d", button)
}

func (e *endurance) all() ui.Rect {
	s := e.w.now()
	return ui.Rect{W: float32(s.Width), H: float32(s.Height)}
}

// step is something that is done, and what the window shows of it, "" where that is nothing in particular.
type step struct {
	shows string
	do    func()
}

// round does everything once, or so much of it, in an order of its own, with chance clicks in between.
func (e *endurance) round(most int) {
	e.t.Helper()
	steps := e.steps()
	e.rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, s := range steps[:min(most, len(steps))] {
		s.do()
		e.pause(1 + e.rng.Uint64N(4))
		if e.rng.IntN(3) == 0 {
			e.anything()
			e.pause(1 + e.rng.Uint64N(3))
		}
	}
	e.tell("restore")
	e.input("windowmap %s", e.window)
}

// coverage does again, in peace, what the first round meant to show and did not: a key pressed in a text field is a
// letter.
func (e *endurance) coverage() {
	e.t.Helper()
	for _, s := range e.steps() {
		if s.shows == "" {
			continue
		}
		for deadline := time.Now().Add(patience); !e.has(s.shows); {
			if time.Now().After(deadline) {
				e.t.Fatalf("the window never shows %s; the last snapshot is %+v", s.shows, e.w.now())
			}
			e.tell("calm")
			v := e.w.now().View
			e.input("mousemove %d %d", int(v.X+v.W/8), int(v.Y+v.H/8))
			e.tell("drop demo:box") // on the first picture: it replaces the model
			e.pause(6)
			e.loaded("the first model")
			e.tell("calm") // a fit that is not exported was asked about when the file had been read
			e.loaded("the answer")
			e.pause(6)
			s.do()
			e.pause(6)
			e.pause(6)
		}
	}
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	e.t.Logf("seen: %s", strings.Join(slices.Sorted(maps.Keys(e.seen)), ", "))
}

// anything does what comes to a hand on a mouse.
func (e *endurance) anything() {
	at := e.all()
	switch e.rng.IntN(6) {
	case 0, 1:
		e.click(at, 1)
	case 2:
		e.click(at, 4+e.rng.IntN(2)) // the wheel
	case 3:
		e.click(at, 1+e.rng.IntN(3))
	default:
		button := 1 + e.rng.IntN(3)
		e.move(at)
		e.input("mousedown %d", button)
		for range 3 {
			e.pause(1)
			e.move(at)
		}
		e.input("mouseup %d", button)
	}
}

// steps are everything that a round does.
func (e *endurance) steps() []step {
	steps := e.keys()
	add := func(shows string, do func()) { steps = append(steps, step{shows, do}) }
	for _, row := range pageTable() {
		if row.there != nil && row.Tab != state.TabFit {
			continue // these models have no such bones, and no body
		}
		add(fmt.Sprint("page ", row.Tab), func() {
			s := e.w.now()
			if r := s.tab(row.Tab); r.W > 0 {
				e.click(r.Inset(2, 2), 1)
			}
			for range 3 { // whatever is on it
				e.pause(2)
				e.anything()
			}
		})
	}
	add("a scrub", func() {
		r := e.w.now().Timeline
		e.move(r.Inset(r.W/8, r.H*0.4))
		e.input("mousedown 1")
		e.pause(2)
		e.move(e.all())
		e.pause(2)
		e.input("mouseup 1")
	})
	add("a fit", func() {
		e.press("b", func(s *Snapshot) bool { return s.State.Tab == state.TabFit })
		if r := e.w.now().item(fitpage.ItemStart); r.W > 0 {
			e.click(r.Inset(4, 4), 1)
			e.pause(9)
		}
	})
	for _, way := range []skin.Way{skin.InShader, skin.InBufferCompute, skin.InBufferFeedback} {
		add(fmt.Sprint("skinning ", way), func() {
			e.press("y", func(s *Snapshot) bool { return s.Timing.Skinning == way })
		})
	}
	add("a crowd", func() {
		if shown := e.w.now().State; !slices.ContainsFunc(shown.Seen(), func(p state.Pane) bool { return !p.Beside }) {
			e.input("key 0") // the second file alone is seen, and has no crowd
			e.pause(4)
		}
		e.press("t", func(s *Snapshot) bool { return s.State.Tab == state.TabTiming })
		if r := e.w.item(timing.ItemMeasure); r.W > 0 { // the slider is further down
			e.input("mousemove %d %d", int(r.X+r.W/2), int(e.w.now().View.H/2))
			for range 24 {
				e.input("click 5")
				e.pause(1)
			}
		}
		if r := e.w.item(timing.ItemExpert); r.W > 0 && e.w.item(timing.ItemCrowd).W == 0 {
			e.click(r, 1)
			e.pause(2)
		}
		if r := e.w.item(timing.ItemCrowd); r.W > 0 {
			r.X, r.W = r.X+r.W/4, r.W/2
			e.click(r, 1)
			e.pause(6)
			e.input("key f")
		}
	})
	add("method "+state.Fitted.String(), func() {
		e.drop("fitted", "demo:box")
		e.loaded("the fitted model")
		e.input("key %s", models.FitKey)
	})
	for _, file := range []string{"demo:box", "demo:box", "demo:tube", "CesiumMan.glb", "SimpleSkin.gltf"} {
		add("", func() { e.drop("drop", e.path(file)) })
	}
	add("a file beside", func() { e.drop("drop", "demo:box|demo:tube") })
	hostile, _ := filepath.Glob(e.path("hostile/*.gl*"))
	for range 3 {
		if len(hostile) > 0 {
			add("", func() { e.drop("drop", hostile[e.rng.IntN(len(hostile))]) })
		}
	}
	add("a failure", func() { e.drop("drop", e.path("hostile/truncated_bin.glb")) })
	add("", func() { e.drop("drop", "/nowhere/missing.glb") })
	add("", func() { e.drop("drop", "/nowhere/pose.json") })
	for _, size := range [][2]int{{480, 360}, {860, 480}, {640, 400}, {1000, 560}, {860, 480}} {
		shows := ""
		if size[0] == 480 {
			shows = "small"
		}
		add(shows, func() { e.input("windowsize %s %d %d", e.window, size[0], size[1]) })
	}
	add("", func() { // out of sight and back
		e.input("windowunmap %s", e.window)
		e.pause(3)
		e.input("windowmap %s", e.window)
	})
	add("minimised", func() {
		e.tell("minimise")
		e.pause(3)
		e.tell("restore")
	})
	add("", func() { e.input("type --delay 1 'arm 45'") })
	return steps
}

// path returns where a test model is; a built-in one is its own path.
func (e *endurance) path(name string) string {
	if strings.HasPrefix(name, "demo:") {
		return name
	}
	path, err := filepath.Abs(filepath.Join(gltftest.ModelsFolder(), name))
	if err != nil {
		e.t.Fatal(err)
	}
	return path
}

// drop drops files, and waits for them more often than not.
func (e *endurance) drop(how, path string) {
	e.tell(how + " " + path)
	if e.rng.IntN(4) > 0 {
		e.pause(2)
		e.loaded(path)
	}
}

// keys presses each key of the table of commands, but for the one that quits.
func (e *endurance) keys() (steps []step) {
	for _, c := range commands() {
		for which, key := range c.keys {
			if c.control && key == glfw.KeyQ {
				continue
			}
			chord := keysym(e.t, key&^withShift)
			if key&withShift != 0 {
				chord = "shift+" + chord
			}
			if c.control {
				chord = "ctrl+" + chord
			}
			steps = append(steps, step{shown(key, which), func() { e.input("key %s", chord) }})
		}
	}
	for clip := range e.clips {
		steps = append(steps, step{fmt.Sprint("clip ", clip), func() {
			for range clip { // from the first
				e.input("key Next")
				e.await(2, time.Second) // two in one frame skip a clip
			}
		}})
	}
	return steps
}

// shown says what a key makes the window show.
func shown(key glfw.Key, which int) string {
	switch key {
	case glfw.Key1, glfw.Key2, glfw.Key3, glfw.Key4, glfw.Key5:
		return "method " + skinning.Methods()[which].String()
	case glfw.Key7, glfw.Key8, glfw.Key9, glfw.Key0:
		layouts := map[glfw.Key]state.Layout{glfw.Key7: state.One, glfw.Key8: state.Split, glfw.Key9: state.Two,
			glfw.Key0: state.Four}
		return fmt.Sprint("layout ", layouts[key])
	case glfw.KeyTab:
		return "no panels"
	case glfw.KeyH:
		return "help"
	case glfw.KeySpace:
		return "a pause"
	}
	return ""
}

// keysym names a key as X does.
func keysym(t *testing.T, key glfw.Key) string {
	switch {
	case key >= glfw.KeyA && key <= glfw.KeyZ:
		return string(rune('a' + key - glfw.KeyA))
	case key >= glfw.Key0 && key <= glfw.Key9:
		return strconv.Itoa(int(key - glfw.Key0))
	case key >= glfw.KeyKP0 && key <= glfw.KeyKP9:
		return "KP_" + strconv.Itoa(int(key-glfw.KeyKP0))
	case key >= glfw.KeyF1 && key <= glfw.KeyF12:
		return "F" + strconv.Itoa(int(key-glfw.KeyF1)+1)
	}
	name, ok := map[glfw.Key]string{
		glfw.KeySpace: "space", glfw.KeyComma: "comma", glfw.KeyPeriod: "period", glfw.KeyLeft: "Left",
		glfw.KeyRight: "Right",
		glfw.KeyUp:    "Up", glfw.KeyDown: "Down", glfw.KeyHome: "Home", glfw.KeyEnd: "End", glfw.KeyPageUp: "Prior",
		glfw.KeyPageDown: "Next", glfw.KeyTab: "Tab", glfw.KeyEqual: "equal", glfw.KeyMinus: "minus", glfw.KeyKPAdd: "KP_Add",
		glfw.KeyKPSubtract: "KP_Subtract", glfw.KeyEscape: "Escape", glfw.KeyLeftBracket: "bracketleft",
		glfw.KeyRightBracket: "bracketright", glfw.KeyBackslash: "backslash", glfw.KeyDelete: "Delete",
		glfw.KeySlash:     "slash",
		glfw.KeyBackspace: "BackSpace", glfw.KeyEnter: "Return", glfw.KeyInsert: "Insert", glfw.KeySemicolon: "semicolon",
	}[key]
	if !ok {
		t.Fatalf("X's name of key %d is not in the table of this test", key)
	}
	return name
}

// rest asks for a report of the window at rest.
func (e *endurance) rest() {
	e.t.Helper()
	n := e.rests()
	e.tell("calm")
	e.input("keyup shift keyup ctrl mouseup 1 mouseup 2 mouseup 3")
	e.pause(4)
	e.tell("rest")
	// some hundred frames are drawn for it, and none is printed
	for deadline := time.Now().Add(5 * patience); e.rests() == n; {
		if time.Now().After(deadline) {
			e.t.Fatal("no report of the window at rest")
		}
		e.pause(1)
	}
}

// What a window may hold more at the end than after its first round.
const (
	// heapSlack is for caches of the runtime and of the standard library, which come and go by half of it: measured
	// over 75 rounds, 0.8 to 1.3 MB. A leak of a hundred bytes a frame passes it between the halves of 20,000 frames.
	heapSlack = 1 << 20 // bytes
	// modelSlack is for one model with its picture that a measurement holds until it is asked the next time.
	modelSlack = 8 << 20 // bytes
	// objectSlack is for a glyph atlas that is about to be replaced; one object that is left over in each round
	// passes it in three.
	objectSlack = 2
	// programSlack is for programs that are compiled when a pass first draws a method in a way of skinning and a
	// surface, which chance may leave to a later round: as many as there are. In the second half of a long run there
	// are no such.
	programSlack, lateProgramSlack = 100, 8
	// longRun is how many reports tell a trend from chance.
	longRun = 16
)

// verdict compares the reports: the first is the measure of the others.
func (e *endurance) verdict() {
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	first, last := e.reports[0], e.reports[len(e.reports)-1]
	e.t.Logf("at first %v", first)
	e.t.Logf("at last  %v", last)
	for _, text := range last.GLErrors {
		e.t.Errorf("OpenGL: %s", text)
	}
	for i, r := range e.reports {
		for page, n := range r.Mallocs {
			// The loop must not allocate in every frame. A few allocations in a run of frames have other causes: Go's
			// runtime, measurements that end beside the loop, and the watch for changed files, which allocates by the
			// clock and so more often in slow frames.
			if n >= uint64(r.Frames) {
				e.t.Errorf("round %d, page %s: %d allocations in %d frames, expected none: %q", i, page, n, r.Frames, r.Allocators)
			}
		}
		for _, row := range pageTable() {
			always := row.there == nil || row.Tab == state.TabFit // this model has neither helper bones nor a body
			if _, counted := r.Mallocs[row.Title]; !counted && always {
				e.t.Errorf("round %d: allocations of the pages %v alone", i, r.Mallocs)
			}
		}
		if r.Goroutines > first.Goroutines+2 { // a file that was still being read when it was forgotten
			e.t.Errorf("round %d: %d goroutines, at first %d", i, r.Goroutines, first.Goroutines)
		}
	}
	least := func(reports []restReport) uint64 {
		return slices.MinFunc(reports, func(a, b restReport) int { return cmp.Compare(a.HeapBytes, b.HeapBytes) }).HeapBytes
	}
	half, slack := len(e.reports)/2, uint64(modelSlack)
	if half >= longRun/2 {
		slack = heapSlack
	}
	if before, after := least(e.reports[:half]), least(e.reports[half:]); after > before+slack {
		e.t.Errorf("%d bytes on the heap, earlier %d", after, before)
	}
	for kind, n := range last.GL {
		before, slack := first.GL[kind], objectSlack
		if kind == "programs" || kind == "shaders" {
			slack = programSlack
			if len(e.reports) >= longRun {
				before, slack = e.reports[len(e.reports)/2].GL[kind], lateProgramSlack
			}
		}
		if n > before+slack {
			e.t.Errorf("%d %s, earlier %d", n, kind, before)
		}
	}
	if first.GL["buffers"] == 0 || first.GL["textures"] == 0 || first.GL["programs"] == 0 {
		e.t.Errorf("objects of the context: %v", first.GL)
	}
}
