package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/atomicfile"
	"skinlab/assets/gltf/export"
	"skinlab/assets/posefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/render/viewer"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
	"skinlab/skinning/stress"
)

// viewCommand opens the window. Its output is the screenshot.
type viewCommand struct {
	method                     flags.MethodFlag
	reference                  flags.ReferenceFlag
	against                    []string
	examples                   string // the flag that names the examples, "" for none
	beside, layout             string
	heat                       bool
	page, fit, paint           string
	noInterface, resetSettings bool
	over                       bool
	frames                     int // to measure; 0 for none
	flags.PoseFlags
	flags.PictureFlags
	flags.Output
	fits []*fit.Method // the table of fits
}

func (c *viewCommand) fitNames() (names []string) {
	for _, row := range newViewerFits(c.fits).Fits() {
		names = append(names, row.Name)
	}
	return names
}

func (c *viewCommand) register(f *pflag.FlagSet) {
	c.method.Register(f, "method", "lbs", flags.MethodUsage()+", or examples, in the clips that show them", exampleReference)
	f.StringSliceVar(&c.against, "against", nil,
		"methods of the other pictures, comma-separated: one under a divider, or up to three")
	flags.TakeWords(f, "against", append(flags.DirectMethods(), exampleReference)...)
	f.StringVar(&c.beside, "beside", "", "another file, shown in the second picture with the same motion")
	f.StringVar(&c.layout, "layout", "",
		"how the window is divided: one, split (two under a divider), two, four (default: as --against, --beside and --heat need it)")
	flags.TakeWords(f, "layout", "one", "split", "two", "four")
	f.BoolVar(&c.heat, "heat", false, "colour the skin by the distance to the --reference")
	c.reference.Register(f,
		"what errors are distances to: a method, "+deltamush.Name+", or examples, in the clips that show them", exampleReference)
	f.StringVar(&c.page, "page", "",
		"page of the panel at the right: "+strings.Join(viewer.Pages(), ", ")+
			" (default: the one that was open last, or fit with --fit)")
	flags.TakeWords(f, "page", viewer.Pages()...)
	f.StringVar(&c.fit, "fit", "",
		"fit "+strings.Join(c.fitNames(), " or ")+" to the model at once, as the page fit proposes; a screenshot waits for it")
	flags.TakeWords(f, "fit", c.fitNames()...)
	f.StringVar(&c.paint, "paint", "", "paint what a fit has added on the skin: groups, or of enveloping keys or turning")
	flags.TakeWords(f, "paint", "groups", "keys", "turning")
	f.BoolVar(&c.over, "over", false, "lay a body model that --fit makes over its scan")
	c.PoseFlags.Register(f, "the first")
	c.PictureFlags.Register(f, "", "window size, WxH (default: as it was left)")
	c.Output.RegisterAs(f, "screenshot", "",
		"write a picture of the settled window to this PNG file and quit; "+
			"settings are neither read nor kept")
	f.BoolVar(&c.noInterface, "no-interface", false, "leave the interface out of --screenshot or --frames")
	f.IntVar(&c.frames, "frames", 0,
		"draw so many frames as fast as possible, print how many a second that is, and quit; "+
			"settings are neither read nor kept")
	f.BoolVar(&c.resetSettings, "reset-settings", false, "forget what the window has kept, recent files too")
}

func (c *viewCommand) run(ctx context.Context, args []string) error {
	path := "demo:figure"
	if len(args) > 0 && args[0] != "" {
		path = args[0]
	}
	opt, err := c.options(path)
	if err != nil {
		return err
	}
	if c.frames < 0 || c.frames > mostFrames {
		return flags.Usagef("--frames: %d is not from 0 to %d", c.frames, mostFrames)
	}
	if c.frames > 0 && (c.Path != "" || c.fit != "") {
		return flags.Usagef("--frames: neither a --screenshot nor a --fit goes with it")
	}
	if err := c.useSettings(opt); err != nil {
		return err
	}
	if err := c.read(ctx, opt, path); err != nil {
		return err
	}
	if opt.Failed != nil {
		if c.Path != "" || c.frames > 0 { // a script gets no window that stays
			return opt.Failed
		}
		fmt.Fprintf(os.Stderr, "error: %v\n", opt.Failed)
	}
	fits := newViewerFits(c.fits)
	reading := flags.Reading(ctx, path)
	files := &viewerFiles{fits: fits, unit: reading.Unit}
	fits.sources = &files.sources
	if opt.Model != nil {
		files.sources.Store(opt.Model, path)
	}
	opt.Fit, opt.Load, opt.Export, opt.CheckOutput = fits, files.load, files.export, files.checkOutput
	opt.Motion = func(ctx context.Context, m *skinning.Model, path string) (*skinning.Model, int, string, error) {
		moved, first, said, err := c.Move(ctx, m, path)
		if source, ok := files.sources.Load(m); ok && err == nil {
			files.sources.Store(moved, source)
		}
		return moved, first, said, err
	}
	if c.Motion != "" {
		opt.Motions = []string{c.Motion}
	}
	opt.HelperExamples, opt.HelperLevel = fits.helperExamples, fits.helperLevel
	opt.Path, opt.BesidePath, opt.Files, opt.BuiltIn = path, c.beside, assets.Files, assets.BuiltIn()
	opt.Scene = reading.Scene
	opt.Endings, opt.OffersLast = assets.Endings(), len(args) == 0
	opt.SavePose, opt.LoadPose, opt.WritePicture = posefile.Write, posefile.Read, atomicfile.WritePNG
	var rate viewer.FrameRate
	opt.MeasureFrames, opt.Measured = c.frames, func(r viewer.FrameRate) { rate = r }
	err = viewer.Run(ctx, *opt)
	switch {
	case opt.Failed != nil:
		return flags.PrintedError{Err: opt.Failed}
	case err != nil:
		return fmt.Errorf("%w (skinlab render and skinlab compare need no display)", err)
	}
	if c.frames > 0 {
		return c.printRate(opt.Model.Name, rate)
	}
	return c.Print(map[string]any{"model": opt.Model.Name, "screenshot": c.Path}, func(out io.Writer) {
		if c.Path != "" {
			fmt.Fprintln(out, c.Path)
		}
	})
}

// shown parses a method that the window shows or measures from, or the examples, which the clip must show then.
func (c *viewCommand) shown(flag, name string) (skinning.Method, error) {
	if name == exampleReference {
		c.examples = flag
		return state.Examples, nil
	}
	return flags.ParseMethod(flag, name)
}

// read reads the files of the command line. A model that cannot be read is no error: the window says why.
func (c *viewCommand) read(ctx context.Context, opt *viewer.Options, path string) (err error) {
	if opt.Model, err = c.LoadMoved(ctx, path); err != nil {
		opt.Failed, opt.FailedPath = err, path
		return ctx.Err()
	}
	opt.Model = withSequence(opt.Model)
	if c.beside != "" {
		if opt.Beside, err = flags.Load(ctx, c.beside); err != nil {
			opt.Failed, opt.FailedPath = err, c.beside
		}
	}
	if opt.Clip, err = c.Index(opt.Model, 0); err != nil {
		return err
	}
	opt.Clip = max(opt.Clip, 0) // a model without clips plays a stress clip
	if c.Set.Changed("time") && opt.Clip < len(opt.Model.Clips) {
		if err := flags.CheckTime("--time", opt.Model, opt.Clip, c.Time); err != nil {
			return err
		}
	}
	if c.examples != "" && opt.Beside == nil && !opt.Model.ShowsExamples(opt.Clip) {
		return flags.Usagef("--%s examples: %s shows none in this clip", c.examples, opt.Model.Name)
	}
	if c.Pose != "" {
		opt.Pose, err = c.ReadFile(opt.Model)
	}
	return err
}

// mostFrames bounds what --frames draws: some minutes on a GPU.
const mostFrames = 100_000

func (c *viewCommand) printRate(model string, r viewer.FrameRate) error {
	result := struct {
		Model           string  `json:"model"`
		Renderer        string  `json:"renderer"`
		Version         string  `json:"version"`
		Software        bool    `json:"software"`
		Width           int     `json:"width"`
		Height          int     `json:"height"`
		Frames          int     `json:"frames"`
		Seconds         float64 `json:"seconds"`
		FramesPerSecond float64 `json:"frames_per_second"`
	}{model, r.Renderer, r.Version, r.Software, r.Width, r.Height, r.Frames, r.Seconds, 0}
	if r.Frames > 0 {
		result.FramesPerSecond = float64(r.Frames) / r.Seconds
	}
	return c.Print(&result, func(out io.Writer) {
		fmt.Fprintf(out, "%s: %d frames of %d × %d pixels in %.2f s, %.1f a second, drawn by %s\n", model, r.Frames, r.Width,
			r.Height, r.Seconds, result.FramesPerSecond, r.Renderer)
	})
}

// options reads those flags that do not depend on the model at path, and checks the screenshot.
func (c *viewCommand) options(path string) (*viewer.Options, error) {
	method, err := c.shown("method", c.method.Name)
	if err != nil {
		return nil, err
	}
	opt := &viewer.Options{Methods: []skinning.Method{method}, Heat: c.heat, Time: c.Time, Clay: c.Clay,
		ShortestPath: c.ShortestPath, NoInterface: c.noInterface, Over: c.over,
		MethodChosen: c.Set.Changed("method")}
	if c.Size != "" {
		if opt.Width, opt.Height, err = c.Pixels(); err != nil {
			return nil, err
		}
	}
	if c.Set.Changed("environment") {
		if opt.Environment, err = c.Light(); err != nil {
			return nil, err
		}
		opt.EnvironmentName = c.Environment
	}
	if err := c.Check(func() []string { return append(append(flags.ModelFiles(path, c.beside), c.Pose), c.MotionReads()...) }, ".png"); err != nil {
		return nil, err
	}
	opt.Screenshot = c.Path
	if c.heat && c.paint != "" {
		return nil, flags.Usagef("--paint: --heat does not go with it: the skin shows one of them")
	}
	if c.page != "" {
		page := state.Tab(c.page)
		opt.Page = &page
	}
	opt.StartFit = c.fit
	if c.paint != "" {
		view, _ := state.ParsePaint(c.paint)
		opt.Paint = &view
	}
	if name := c.reference.Name; name != "" {
		reference := state.DeltaMush
		if name != deltamush.Name {
			if reference, err = c.shown("reference", name); err != nil {
				return nil, err
			}
		}
		opt.Reference = &reference
	}
	for _, name := range c.against {
		m, err := c.shown("against", name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(opt.Methods, m) {
			return nil, flags.Usagef("--against: %s is shown already", name)
		}
		opt.Methods = append(opt.Methods, m)
	}
	if c.beside != "" && len(opt.Methods) > 1 { // the second picture is the other file's
		free := slices.IndexFunc(skinning.Methods(), func(m skinning.Method) bool { return !slices.Contains(opt.Methods, m) })
		opt.Methods = slices.Insert(opt.Methods, 1, skinning.Methods()[free])
	}
	opt.Layout, err = c.parseLayout(len(opt.Methods))
	return opt, err
}

// parseLayout reads --layout, or chooses one that has room for the methods and files of the command line.
func (c *viewCommand) parseLayout(methods int) (state.Layout, error) {
	if c.layout != "" {
		l, _ := state.ParseLayout(c.layout)
		if l.Panes() < methods {
			return 0, flags.Usagef("--layout: %v shows %s, not %d", l, messages.Count(l.Panes(), "picture", "pictures"), methods)
		}
		return l, nil
	}
	switch {
	case methods > state.MostPanes:
		return 0, flags.Usagef("--against: %d pictures at most", state.MostPanes)
	case methods > 2:
		return state.Four, nil
	case c.beside != "" || methods == 2 && c.heat: // the map and the reference are both seen whole
		return state.Two, nil
	case methods == 2:
		return state.Split, nil
	}
	return state.One, nil
}

// useSettings applies the settings that the window saved last, unless the command line overrides them. --screenshot
// uses no settings, so that pictures for scripts do not depend on the user. If settings cannot be read, the window
// opens without them.
func (c *viewCommand) useSettings(opt *viewer.Options) error {
	if c.noInterface && c.Path == "" && c.frames == 0 {
		return flags.Usagef("--no-interface: only a --screenshot or --frames can leave the interface out")
	}
	path, err := settings.Path()
	if c.resetSettings && err == nil {
		err = settings.Reset(path)
	}
	if c.resetSettings && err != nil {
		return err
	}
	if c.Path != "" || c.frames > 0 {
		return nil
	}
	if err != nil {
		opt.Notice = "Settings are not kept: " + err.Error()
		return nil
	}
	kept, err := settings.Load(path)
	if err != nil {
		opt.Notice = "What could not be read of them is as in a new window. " + err.Error()
	}
	opt.Settings, opt.SettingsPath = &kept, path
	given := c.Set.Changed
	if l, ok := state.ParseLayout(kept.Layout); ok && !given("layout") && !given("against") && !given("beside") {
		opt.Layout = l
	}
	opt.Clay = opt.Clay || kept.Clay && !given("clay")
	return nil
}

// viewerFiles opens and writes files for the window.
type viewerFiles struct {
	sources sync.Map // by model, the name that it was opened by: an export starts from it
	fits    *viewerFits
	unit    float64 // of BVH files, metres
}

func (v *viewerFiles) load(ctx context.Context, path, scene string, report func(step string, share float64)) (
	*skinning.Model, error) {
	m, err := assets.OpenContext(ctx, path, assets.Options{Scene: scene, Unit: v.unit, Report: report})
	if err == nil {
		m = withSequence(m)
		v.sources.Store(m, path)
	}
	return m, err
}

func (v *viewerFiles) export(path string, master, fitted *skinning.Model, ready func() error) (string, error) {
	source, ok := v.sources.Load(master)
	if !ok {
		return "", fmt.Errorf("%s: no source to export from", master.Name)
	}
	how := v.fits.exportOptions(fitted)
	how.Ready = ready
	if kept, ok := v.fits.of(fitted); ok && kept.result.Whole {
		fitted = stress.Strip(fitted)
		written, err := export.Whole(path, source.(string), fitted, how)
		return wholeNote(fitted, &written), err
	}
	written, err := export.File(context.Background(), path, source.(string), fitted, how)
	return exportNote(fitted, master.Diagonal(), &written), err
}

func (v *viewerFiles) checkOutput(path, ending string, reads []string, replace bool) (string, error) {
	out := assets.Output{Path: path, Endings: []string{ending}, Reads: func() []string { return reads }, Replace: replace}
	return out.Check()
}
