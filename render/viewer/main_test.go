package viewer

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"skinlab/assets"
	"skinlab/assets/atomicfile"
	"skinlab/assets/gltf/export"
	"skinlab/assets/posefile"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Windows need the program's first thread, and a window that crashes must not take the tests with it: the test binary
// starts itself again with -child and talks to that over pipes.
var (
	child         = flag.String("child", "", "run a window for a test: live, shot, frames, allocations, walk, type or endurance")
	childModel    = flag.String("child.model", "demo:box", "what the window shows")
	childSize     = flag.String("child.size", "", "the window's size in pixels")
	childPage     = flag.String("child.page", "", "the page that the window is asked for")
	childShot     = flag.String("child.shot", "", "where the window's picture goes")
	childTime     = flag.Float64("child.time", 0, "where the clip stands")
	keep          = flag.String("keep", "", "folder in which compared pictures are kept, for a person to look at")
	childPause    = flag.Duration("child.pause", 60*time.Millisecond, "how long a pretended fit takes for a bone")
	childSettings = flag.String("child.settings", "", "where the window keeps its settings")
	childPath     = flag.String("child.path", "", "folder in which programs are looked for")
	childFit      = flag.Bool("child.fit", false, "enveloping is fitted at once")
	childThird    = flag.Bool("child.third", false, "the fitter has a third fit")
	childBody     = flag.Bool("child.body", false, "the fitter has a fit that makes a model of its own")
	childSplit    = flag.Bool("child.split", false, "two methods side by side")
	childLevels   = flag.Bool("child.levels", false, "weights for fewer helper bones can be solved")
	childExport   = flag.Bool("child.export", false, "models are exported as by the program")
)

func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	parallel := strconv.Itoa(2 * runtime.GOMAXPROCS(0)) // a test waits for its window more than it computes
	if err := flag.Set("test.parallel", parallel); err != nil {
		panic(err)
	}
	flag.Parse()
	run := map[string]func() error{"": nil, "live": liveChild, "shot": shotChild,
		"frames":      framesChild,
		"allocations": allocationChild,
		"walk":        walkChild,
		"type":        typeChild,
		"endurance":   enduranceChild}[*child]
	if run == nil {
		os.Exit(m.Run())
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

func childOptions() (Options, error) {
	m, err := assets.Open(*childModel)
	opt := Options{
		Model: m, Failed: err, Path: *childModel, Files: assets.Files, BuiltIn: assets.BuiltIn(), Endings: assets.Endings(),
		Load: slowLoad, Motion: carry,
		Width: windowWidth, Height: windowHeight, ShortestPath: true,
		Time: *childTime, Screenshot: *childShot, WritePicture: atomicfile.WritePNG, Layout: childLayout(),
		Fit: fakeFits{*childPause, *childThird, *childBody}, Export: fakeExport, SavePose: posefile.Write,
		LoadPose:    posefile.Read,
		CheckOutput: checkOutput, HelperExamples: fakeExamples,
	}
	if err != nil {
		opt.FailedPath = *childModel
	}
	if *childSize != "" {
		if _, err := fmt.Sscanf(*childSize, "%dx%d", &opt.Width, &opt.Height); err != nil {
			return Options{}, err
		}
	}
	if *childPage != "" {
		page := state.Tab(*childPage)
		opt.Page = &page
	}
	if *childLevels {
		opt.HelperLevel = fakeLevel
	}
	if *childExport {
		opt.Export = func(path string, _, fitted *skinning.Model, ready func() error) (string, error) {
			_, err := export.File(context.Background(), path, *childModel, fitted, export.Options{Ready: ready})
			return "", err
		}
	}
	if *childFit {
		opt.StartFit = "enveloping"
	}
	if err := os.Setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:"); err != nil { // a person's desktop is left alone
		return Options{}, err
	}
	if *childPath != "" {
		if err := os.Setenv("PATH", *childPath); err != nil {
			return Options{}, err
		}
	}
	if *childSettings != "" {
		kept, err := settings.Load(*childSettings)
		if err != nil {
			opt.Notice = err.Error()
		}
		opt.Settings, opt.SettingsPath, opt.OffersLast = &kept, *childSettings, true
		opt.Width, opt.Height = 0, 0
		if kept.Window.Width == 0 {
			opt.Width, opt.Height = windowWidth, windowHeight
		}
		opt.Layout, _ = state.ParseLayout(kept.Layout)
	}
	return opt, nil
}

func childLayout() state.Layout {
	if *childSplit {
		return state.Split
	}
	return state.One
}

// The window that tests open, in pixels.
const windowWidth, windowHeight = 1100, 700

// slowLoad reads a file, or a built-in model slowly enough that a test sees the window live on meanwhile.
func slowLoad(ctx context.Context, path, scene string, report func(string, float64)) (*skinning.Model, error) {
	steps := 0
	if strings.HasPrefix(path, "demo:") || strings.HasPrefix(path, "/nowhere") {
		steps = 14
	}
	for k := range steps {
		report("Waiting", float64(k)/float64(steps))
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return assets.OpenContext(ctx, path, assets.Options{Scene: scene, Report: report})
}

// shotChild makes a screenshot through the public door and prints the last snapshot.
func shotChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	var last Snapshot
	opt.observe = observed(func(s *Snapshot) { last = *s })
	if err := Run(context.Background(), opt); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(&last)
}

// framesChild measures five frames through the public door, with the interface and without, and prints how fast they
// were.
func framesChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	var rates []FrameRate
	opt.MeasureFrames, opt.Measured = 5, func(r FrameRate) { rates = append(rates, r) }
	for _, opt.NoInterface = range []bool{false, true} {
		if err := Run(context.Background(), opt); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(&rates)
}

// liveChild opens a window as a person does. It prints a snapshot after every turn of the loop and takes from its
// standard input what no X client can be made to do from outside: "drop PATH" is the window system's drop callback.
// Pictures are sketches, except those of a frame that "picture" asks for.
func liveChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	observe := func(s *Snapshot) {
		if err := out.Encode(s); err != nil {
			fmt.Fprintln(os.Stderr, "child: a snapshot:", err) // a pipe, where the test is gone
			os.Exit(1)
		}
	}
	ctx := context.Background()
	a, err := newApp(ctx, opt)
	if err != nil {
		return err
	}
	defer a.delete()
	a.unseen = true
	lines := make(chan string, 16)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			lines <- in.Text()
			a.waker.Wake()
		}
	}()
	a.opt.observe = observed(func(s *Snapshot) {
		if s.Pictured = !a.unseen; s.Pictured {
			a.win.GetCursorPos() // waits until the display has the frame
			a.unseen = true
		}
		observe(s)
		select {
		case line := <-lines:
			if path, ok := strings.CutPrefix(line, "drop "); ok {
				a.Drop([]string{path})
			}
			if path, ok := strings.CutPrefix(line, "fitted "); ok {
				dropFitted(a, path)
			}
			if line == "clipboard" {
				s.Fit.Notice = a.win.GetClipboardString()
				observe(s)
			}
			if line == "picture" {
				a.unseen, a.loop.framesLeft = false, max(a.loop.framesLeft, 1)
			}
			if line == "clear" {
				clearCards(a)
				a.desk.Wake()
			}
			if name, ok := strings.CutPrefix(line, "pick "); ok {
				a.pose.Pick(slices.IndexFunc(a.models.File.Bones.Bones, func(b posing.Bone) bool { return b.Name == name }))
			}
			if line == "unpick" {
				a.pose.Pick(-1)
			}
			if line == "close" { // as a window manager does
				a.win.SetShouldClose(true)
				a.desk.Wake()
			}
			switch line {
			case "hold centres":
				holdCenters()
			case "release centres":
				close(held)
			}
			if line == "slow" {
				slow.Store(true)
			}
			if line == "fail" {
				failing.Store(true) // the next fit is to succeed
				a.fit.Begin("blend-bones")
			}
		default:
		}
	})
	return a.run(ctx)
}

var held = make(chan struct{}) // until centres of rotation may be found

// holdCenters makes the search for centres of rotation wait at 40 percent.
func holdCenters() {
	find := skinning.RotationCenter.Make
	skinning.RotationCenter.Make = func(m *skinning.Mesh, report func(share float64)) []float32 {
		report(0.4)
		<-held
		return find(m, report)
	}
}

// allocationReport is what allocationChild prints: heap allocations over the frames of each situation.
type allocationReport struct {
	Situation string
	Frames    int
	Mallocs   uint64
	Drawn     uint64
}

// allocationChild counts the heap allocations of the whole loop, waits and events included.
func allocationChild() error {
	opt, err := childOptions()
	if err != nil {
		return err
	}
	opt.Fit = &updatedFits{}
	opt.Width, opt.Height = 640, 480 // the loop is the same, and a software renderer faster
	a, err := newApp(context.Background(), opt)
	if err != nil {
		return err
	}
	defer a.delete()
	sweeps := a.sweep
	frame := func() error {
		if err := a.turn(); err != nil {
			return err
		}
		a.wait(time.Second)
		a.loader.Receive()
		a.distances.Receive()
		a.receiveFocus()
		sweeps.Receive()
		return nil
	}
	out := json.NewEncoder(os.Stdout)
	for _, s := range situations(a) {
		s.prepare()
		const warm, frames = 8, 12
		for k := 0; k < warm || a.distances.Measures() ||
			sweeps.Busy(); k++ {
			a.input.MouseMoved(a.view.MouseX+1, a.view.MouseY)
			if err := frame(); err != nil {
				return err
			}
		}
		// The runtime itself allocates now and then (a timer, a thread, the collector at work); a loop that allocates
		// does so in every frame of every run, so the best of a few runs tells.
		best := allocationReport{Situation: s.name, Frames: frames, Mallocs: math.MaxUint64}
		for range 5 {
			drawn := a.loop.drawn
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range frames {
				a.input.MouseMoved(a.view.MouseX+1, a.view.MouseY)
				if err := frame(); err != nil {
					return err
				}
			}
			runtime.ReadMemStats(&after)
			best.Mallocs = min(best.Mallocs, after.Mallocs-before.Mallocs)
			best.Drawn = a.loop.drawn - drawn
			if best.Mallocs == 0 {
				break
			}
		}
		if err := out.Encode(best); err != nil {
			return err
		}
	}
	return nil
}
