package viewer

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
)

// patience bounds every wait for the window: two cores under load draw a frame in a second at worst.
const patience = 60 * time.Second

// display is an X server of the test's own. A person's display is left alone: the tests move the mouse and press keys.
type display struct {
	name string // ":7"
	dir  string // holds the framebuffer as an XWD file
}

// Size of the test's screen in pixels.
const screenWidth, screenHeight = 1280, 800

// startDisplay starts Xvfb, or skips the test where there is none.
func startDisplay(t *testing.T) *display {
	t.Helper()
	return startScreen(t, fmt.Sprintf("%dx%d", screenWidth, screenHeight))
}

// startScreen is startDisplay with a screen of a size in pixels and further arguments of Xvfb.
func startScreen(t *testing.T, size string, args ...string) *display {
	t.Helper()
	if testing.Short() {
		t.Skip("a real window")
	}
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("a real window needs %s, which is not installed", tool)
		}
	}
	d := &display{dir: t.TempDir()}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := exec.Command("Xvfb", append([]string{"-displayfd", "3", "-screen", "0", size + "x24",
		"-noreset", "-nolisten", "tcp", "-fbdir", d.dir,
		"-r"}, // no key repeats itself where the machine is too busy to let it go in time
		args...)...)
	server.ExtraFiles = []*os.File{w}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Skipf("Xvfb does not start here: %v", err)
	}
	d.name = ":" + strings.TrimSpace(line)
	return d
}

// do sends real mouse and key events.
func (d *display) do(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("xdotool %v: %v: %s", args, err, out)
	}
}

// screen reads what the display shows: Xvfb keeps it in an XWD file (X.Org, XWDFile.h): a header of big-endian words, a
// colour map, then rows of 32-bit pixels.
func (d *display) screen(t *testing.T) *image.NRGBA {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	const headerSize, width, height, stride, colors = 0, 4, 5, 12, 19
	pixels := data[word(headerSize)+12*word(colors):]
	img := image.NewNRGBA(image.Rect(0, 0, word(width), word(height)))
	for y := range word(height) {
		for x := range word(width) {
			p := binary.LittleEndian.Uint32(pixels[y*word(stride)+4*x:])
			img.SetNRGBA(x, y, color.NRGBA{uint8(p >> 16), uint8(p >> 8), uint8(p), 255})
		}
	}
	return img
}

// liveWindow is a window in a process of its own.
type liveWindow struct {
	*display
	t     *testing.T
	stdin io.Writer
	cwd   string // of the process
	exit  chan error

	mu     sync.Mutex
	recent []Snapshot    // since the last event that was sent, or the last state that was waited for; the newest is the last
	before int           // how many snapshots came before these
	news   chan struct{} // receives when there is a snapshot more
	rest   int           // reports of a window at rest
	hear   func(*heard)
}

// heard is what a window's process prints: a snapshot, and of a window under test for endurance how far it is with its
// orders, and at times a report.
type heard struct {
	Snapshot
	Rest   *restReport `json:",omitempty"`
	Obeyed int         `json:",omitempty"` // orders that the window has carried out before this snapshot
}

// openLive opens a window on a display of its own and waits until it draws.
func openLive(t *testing.T, model string, args ...string) *liveWindow {
	t.Helper()
	return openChild(t, nil, append([]string{"-child", "live", "-child.model", model}, args...)...)
}

// openChild opens a window in a process of its own. Hear, where not nil, is called with all that it prints, on another
// goroutine.
func openChild(t *testing.T, hear func(*heard), args ...string) *liveWindow {
	t.Helper()
	w := &liveWindow{display: startDisplay(t), t: t, exit: make(chan error, 1),
		recent: make([]Snapshot, 1), news: make(chan struct{}, 1), hear: hear}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.name)
	w.cwd = t.TempDir()
	cmd.Dir = w.cwd
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if w.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	go func() {
		in := json.NewDecoder(stdout)
		for {
			var s heard
			if in.Decode(&s) != nil {
				break
			}
			w.mu.Lock()
			w.recent = append(w.recent, s.Snapshot)
			if s.Rest != nil {
				w.rest++
			}
			if w.hear != nil {
				w.hear(&s)
			}
			w.mu.Unlock()
			select {
			case w.news <- struct{}{}:
			default:
			}
		}
		w.exit <- cmd.Wait()
	}()
	w.until("the first frames", func(s *Snapshot) bool { return s.Drawn > 4 })
	return w
}

// item returns where an item of the panel at the right is; zero where it is not drawn.
func (s Snapshot) item(id int) ui.Rect { return s.placed(desk.PanelRight, id) }

// item returns where an item of the panel at the right is now.
func (w *liveWindow) item(id int) ui.Rect {
	s := w.now()
	return s.item(id)
}

// placed returns where an item of a panel is; zero where it is not drawn.
func (s Snapshot) placed(p ui.Panel, id int) ui.Rect {
	for _, at := range s.Placed {
		if at.Panel == p && at.Item == id {
			return at.Rect
		}
	}
	return ui.Rect{}
}

// firstJoint returns where the first row of the tree of joints is; zero where there is none.
func (s Snapshot) firstJoint() ui.Rect {
	for _, at := range s.Placed {
		if at.Panel == desk.PanelRight && at.Item >= posepage.ItemTree && at.Item%2 == posepage.ItemTree%2 {
			return at.Rect
		}
	}
	return ui.Rect{}
}

// tab returns where the heading of a page is; zero where it is not drawn.
func (s Snapshot) tab(id state.Tab) ui.Rect {
	if k := slices.Index(s.Tabs, id); k >= 0 {
		return s.item(itemTab + k)
	}
	return ui.Rect{}
}

// now returns the last snapshot. Those before it are waited for no more.
func (w *liveWindow) now() Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(w.before + len(w.recent) - 1)
	return w.recent[0]
}

// forget lets go of the snapshots before a number. The caller holds mu.
func (w *liveWindow) forget(before int) {
	if n := before - w.before; n > 0 {
		w.recent, w.before = w.recent[n:], before
	}
}

// do sends events. What comes after them is waited for, and not what came before.
func (w *liveWindow) do(t *testing.T, args ...string) {
	t.Helper()
	w.now()
	w.display.do(t, args...)
}

// find returns the first recent snapshot that satisfies ok, or the last one. Those before it are waited for no more.
func (w *liveWindow) find(ok func(*Snapshot) bool) (s Snapshot, found bool) {
	w.mu.Lock()
	recent, before := w.recent, w.before
	w.mu.Unlock()
	k := slices.IndexFunc(recent, func(s Snapshot) bool { return ok(&s) })
	found = k >= 0
	if !found {
		k = len(recent) - 1
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(before + k)
	return recent[k], found
}

// until waits for a snapshot that satisfies ok and returns it. No state in between is lost, however short it is and
// however busy the machine. What ok asks for beside the snapshot is looked at again now and then.
func (w *liveWindow) until(what string, ok func(*Snapshot) bool) Snapshot {
	w.t.Helper()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for {
		if s, found := w.find(ok); found {
			return s
		}
		select {
		case <-w.news:
		case <-again.C:
		case err := <-w.exit:
			w.t.Fatalf("waiting for %s: the window is gone: %v", what, err)
		case <-late:
			w.t.Fatalf("waiting for %s: not within %v; the last snapshot is %+v", what, patience, w.now())
		}
	}
}

// again does something until it has its effect, a few seconds apart.
func (w *liveWindow) again(what string, do func(), ok func(*Snapshot) bool) {
	w.t.Helper()
	const tries, pause = 8, 5 * time.Second
	for range tries {
		do()
		for deadline := time.Now().Add(pause); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if s := w.now(); ok(&s) {
				return
			}
		}
	}
	w.until(what, ok)
}

// untilRest waits until the window draws no more.
func (w *liveWindow) untilRest() {
	w.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		before := w.now()
		time.Sleep(400 * time.Millisecond)
		if after := w.now(); after.Drawn == before.Drawn && after.Unused {
			return
		}
	}
	w.t.Fatalf("the window never comes to rest: %+v", w.now())
}

// settled waits until the window draws no more and returns what the display shows then.
func (w *liveWindow) settled() *image.NRGBA {
	w.t.Helper()
	for {
		w.untilRest()
		w.tell("picture")
		w.until("a picture", func(s *Snapshot) bool { return s.Pictured })
		if s := w.now(); s.Pictured && s.Unused {
			return w.screen(w.t)
		}
	}
}

func (w *liveWindow) tell(line string) {
	w.t.Helper()
	w.now()
	if _, err := fmt.Fprintln(w.stdin, line); err != nil {
		w.t.Fatal(err)
	}
}

// differing returns the share of pixels of r in which a and b differ by more than the given level in some channel.
func differing(a, b *image.NRGBA, r image.Rectangle, level int) float64 {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			if far(p.R, q.R, level) || far(p.G, q.G, level) || far(p.B, q.B, level) {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func far(a, b uint8, level int) bool { return int(a)-int(b) > level || int(b)-int(a) > level }

// scrollPage scrolls the page at the right to its end.
func (w *liveWindow) scrollPage() {
	w.t.Helper()
	v := w.now().View
	w.do(w.t, "mousemove", strconv.Itoa(int(v.Right())+100), strconv.Itoa(int(v.Y+v.H/2)))
	w.do(w.t, "click", "--repeat", "60", "--delay", "4", "5")
	for before := w.now(); ; { // the wheel's notches come one a frame
		after := w.until("the page to stand", func(s *Snapshot) bool { return s.Drawn >= before.Drawn+8 })
		if after.item(timing.ItemMeasure) == before.item(timing.ItemMeasure) {
			return
		}
		before = after
	}
}

// reveal scrolls the page until an item is seen, and returns where it is then.
func (w *liveWindow) reveal(id int) ui.Rect {
	w.t.Helper()
	s := w.now()
	wheel := "5"
	if s.item(id).Y < s.View.Y+s.View.H/2 {
		wheel = "4"
	}
	seen := func(s *Snapshot) bool {
		r, bottom := s.item(id), s.View.Bottom()
		if s.State.Tab == state.TabFit && id != fitpage.ItemExport && id != fitpage.ItemExport+1 {
			bottom -= 66 // the export's row covers what is there
		}
		return r.W > 0 && r.Y >= s.View.Y && r.Bottom() <= bottom
	}
	if !seen(&s) {
		w.do(w.t, "mousemove", strconv.Itoa(int(s.View.Right())+100), strconv.Itoa(int(s.View.Y+s.View.H/2)))
		w.do(w.t, "click", "--repeat", "30", "--delay", "4", wheel)
		for before := (ui.Rect{}); before != w.item(id); time.Sleep(400 * time.Millisecond) { // the notches come one a frame
			before = w.item(id)
		}
	}
	return w.until("the item", seen).item(id)
}

// clipboard returns what copying puts on the clipboard.
func (w *liveWindow) clipboard(copying func()) string {
	w.t.Helper()
	copying()
	w.until("a word on it", func(s *Snapshot) bool { return strings.HasSuffix(s.Fit.Notice, "rows as CSV") })
	w.tell("clipboard")
	return w.until("the clipboard", func(s *Snapshot) bool { return strings.Contains(s.Fit.Notice, "\n") }).Fit.Notice
}
