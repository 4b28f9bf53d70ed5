package viewer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/assets"
	"skinlab/render/skin"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// restReport is what a window in its first state, with its first model, holds and does: the same whatever went before.
type restReport struct {
	Frames     int
	Mallocs    map[string]uint64 // heap allocations in that many frames, by the page that is shown
	Allocators []string          // who made them, where there were any
	HeapBytes  uint64            // alive after a collection
	Objects    uint64
	Goroutines int
	GL         map[string]int // live objects by kind
	GLErrors   []string       // since the start
}

// enduranceChild opens a window on a debug context that draws as fast as it can, and prints a snapshot after every turn
// of the loop. From its standard input it takes what no X client can be made to do from outside, and "rest": back to
// the first state, and a report of it.
func enduranceChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	opt.Width, opt.Height = enduranceWidth, enduranceHeight
	opt.Load = func(ctx context.Context, path, scene string, report func(string, float64)) (*skinning.Model, error) {
		return assets.OpenContext(ctx, path, assets.Options{Scene: scene, Report: report})
	}
	var failures []string
	opt.GLErrors = func(message string) { failures = append(failures, message) }
	out := json.NewEncoder(os.Stdout)
	say := func(h *heard) {
		if err := out.Encode(h); err != nil {
			os.Exit(1) // the test is gone
		}
	}
	a, err := newApp(context.Background(), opt)
	if err != nil {
		return err
	}
	defer a.delete()
	if err := checkInstruments(&failures); err != nil {
		return err
	}
	a.crowd.Most = 32                                                   // the CPU draws here
	home := homeState{a.state, a.gpu.Way(), runtime.NumGoroutine() + 1} // and the one that reads
	lines := make(chan string, 16)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			lines <- in.Text()
			a.waker.Wake()
		}
	}()
	var observe func(*app)
	a.quits = true // with fits that no file holds
	obeyed := 0
	observe = observed(func(s *Snapshot) {
		a.win.RefreshPerSecond = 1e5
		say(&heard{Snapshot: *s, Obeyed: obeyed})
		select {
		case line := <-lines:
			obeyed++
			switch command, rest, _ := strings.Cut(line, " "); command {
			case "drop":
				a.Drop(strings.Split(rest, "|"))
				for strings.HasSuffix(a.saver.Asked(), "not exported") {
					a.saver.Key(glfw.KeyD, false)
				}
			case "fitted":
				dropFitted(a, rest)
			case "minimise": // as window systems do that say so by a size of nothing
				a.win.PixelsX, a.win.PixelsY = 0, 0
			case "restore":
				a.win.PixelsX, a.win.PixelsY = a.win.GetFramebufferSize()
			case "calm": // keys are commands, and there is room for the pages
				a.palette.Close()
				a.menu.Close()
				a.ui.StopTyping()
				a.win.SetSize(enduranceWidth, enduranceHeight)
				a.state.Help, a.state.Panels = false, true
				clearCards(a)
				a.layout.zoom = 1
				a.input.Release()
				a.desk.Wake()
			case "rest":
				a.opt.observe = nil
				r, err := restOf(a, opt.Model, home)
				if err != nil {
					r.GLErrors = append(r.GLErrors, err.Error())
				}
				r.GLErrors = append(r.GLErrors, failures...)
				a.opt.observe = observe
				say(&heard{Snapshot: *s, Rest: &r, Obeyed: obeyed})
			}
		default:
		}
	})
	a.opt.observe = observe
	return a.run(a.ctx)
}

// checkInstruments provokes what the test looks for: a test that cannot see an error sees none.
func checkInstruments(failures *[]string) error {
	if len(*failures) > 0 {
		return fmt.Errorf("OpenGL errors at the start: %q", *failures)
	}
	gl.Enable(gl.TRIANGLES) // no capability
	if len(*failures) != 1 {
		return fmt.Errorf("a wrong call makes %d OpenGL errors known, expected 1", len(*failures))
	}
	gl.GetError()
	*failures = nil
	var buffer uint32
	before := liveObjects()
	gl.GenBuffers(1, &buffer)
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	after := liveObjects()
	gl.DeleteBuffers(1, &buffer)
	if after["buffers"] != before["buffers"]+1 {
		return fmt.Errorf("%d buffers, with one more %d", before["buffers"], after["buffers"])
	}
	return nil
}

// homeState is what a window is like at first.
type homeState struct {
	state      state.State
	skinning   skin.Way
	goroutines int
}

// The size of the window, small enough for a software renderer.
const enduranceWidth, enduranceHeight = 860, 480

// restOf brings a window back to its first state and looks at it.
func restOf(a *app, m *skinning.Model, home homeState) (r restReport, err error) {
	for deadline := time.Now().Add(patience); (a.loader.Loads() || a.fit.Exporting()) && time.Now().Before(deadline); {
		if err := a.turn(); err != nil {
			return r, err
		}
		a.wait(time.Second)
		a.collect()
	}
	a.models.DropSecond()
	times := a.times
	times.Stop()
	a.crowd.Many = 1
	times.SetWay(home.skinning)
	a.win.SetSize(enduranceWidth, enduranceHeight)
	if err := a.Show(models.Prepare(m, 0), 0); err != nil {
		return r, err
	}
	a.ui.StopTyping()
	a.win.PixelsX, a.win.PixelsY = a.win.GetFramebufferSize()
	a.input.Release()
	clearCards(a)
	a.state = home.state
	a.view.MouseX, a.view.MouseY = 1, 1
	r.Frames, r.Mallocs = 12, map[string]uint64{}
	for i := range a.tabs {
		if t := &a.tabs[i]; t.offered(a) {
			a.state.Tab, a.state.Playing = t.Tab, true
			if _, err := leastAllocations(a, r.Frames, 1); err != nil { // what is made once is made
				return r, err
			}
			if r.Mallocs[t.Title], err = leastAllocations(a, r.Frames, 5); err != nil {
				return r, err
			}
			if r.Mallocs[t.Title] >= uint64(r.Frames) && len(r.Allocators) == 0 {
				if r.Allocators, err = allocators(a, r.Frames); err != nil {
					return r, err
				}
			}
		}
	}
	a.state = home.state
	// Fits and files that were forgotten end by themselves.
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > home.goroutines && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
		a.collect()
	}
	gl.Finish()
	runtime.GC()
	runtime.GC() // the first one's finalizers have run
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	r.HeapBytes, r.Objects, r.Goroutines = heap.HeapAlloc, heap.HeapObjects, runtime.NumGoroutine()
	r.GL = liveObjects()
	return r, nil
}

// allocators says which calls allocate in every one of so many turns of the loop.
func allocators(a *app, frames int) (calls []string, err error) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	count := func() map[[32]uintptr]int64 {
		runtime.GC() // a profile is of what was allocated two collections ago
		runtime.GC()
		n, _ := runtime.MemProfile(nil, true)
		records := make([]runtime.MemProfileRecord, n+64)
		n, _ = runtime.MemProfile(records, true)
		objects := map[[32]uintptr]int64{}
		for _, r := range records[:n] {
			objects[r.Stack0] += r.AllocObjects
		}
		return objects
	}
	before := count()
	if _, err := leastAllocations(a, frames, 1); err != nil {
		return nil, err
	}
	for stack, n := range count() {
		if n-before[stack] < int64(frames) {
			continue
		}
		text, in := fmt.Sprint(n-before[stack]), runtime.CallersFrames(stack[:])
		for more := true; more; {
			var f runtime.Frame
			f, more = in.Next()
			if f.Function != "" {
				text += fmt.Sprintf(" < %s:%d", filepath.Base(f.Function), f.Line)
			}
		}
		calls = append(calls, text)
	}
	return calls, nil
}

// objectKind is a kind of objects of a context.
type objectKind struct {
	make   func(n int32, names *uint32)
	delete func(n int32, names *uint32)
	is     func(uint32) bool
}

// liveObjects counts the context's objects by kind. A driver gives away the names of objects that are gone again, or
// counts on: up to a new name and a few thousand further all that live are found.
func liveObjects() map[string]int {
	count := map[string]int{}
	name := new(uint32)
	for kind, k := range map[string]objectKind{
		"buffers":       {gl.GenBuffers, gl.DeleteBuffers, gl.IsBuffer},
		"textures":      {gl.GenTextures, gl.DeleteTextures, gl.IsTexture},
		"framebuffers":  {gl.GenFramebuffers, gl.DeleteFramebuffers, gl.IsFramebuffer},
		"renderbuffers": {gl.GenRenderbuffers, gl.DeleteRenderbuffers, gl.IsRenderbuffer},
		"vertex arrays": {gl.GenVertexArrays, gl.DeleteVertexArrays, gl.IsVertexArray},
		"queries":       {gl.GenQueries, gl.DeleteQueries, gl.IsQuery},
		"samplers":      {gl.GenSamplers, gl.DeleteSamplers, gl.IsSampler},
		"feedbacks":     {gl.GenTransformFeedbacks, gl.DeleteTransformFeedbacks, gl.IsTransformFeedback},
		"programs":      {makeProgram, deleteProgram, gl.IsProgram},
		"shaders":       {makeProgram, deleteProgram, gl.IsShader}, // programs and shaders share their names
	} {
		k.make(1, name)
		last := *name + 1<<13
		k.delete(1, name)
		for n := uint32(1); n <= last; n++ {
			if k.is(n) {
				count[kind]++
			}
		}
	}
	return count
}

func makeProgram(_ int32, name *uint32)   { *name = gl.CreateProgram() }
func deleteProgram(_ int32, name *uint32) { gl.DeleteProgram(*name) }

// leastAllocations returns the heap allocations in so many turns of the loop, waits and events included. The runtime
// itself allocates now and then (a timer, a thread, the collector at work); a loop that allocates does so in every
// frame of every run, so the best of a few runs tells.
func leastAllocations(a *app, frames, runs int) (uint64, error) {
	best := uint64(math.MaxUint64)
	for range runs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range frames {
			a.input.MouseMoved(a.view.MouseX+1, a.view.MouseY)
			if err := a.turn(); err != nil {
				return 0, err
			}
			a.wait(time.Second)
			a.collect()
		}
		runtime.ReadMemStats(&after)
		best = min(best, after.Mallocs-before.Mallocs)
		if best == 0 {
			break
		}
	}
	return best, nil
}
