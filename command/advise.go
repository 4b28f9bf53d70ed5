package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"skinlab/assets/gltf/export"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

// adviseCommand says which way of skinning suits a character.
type adviseCommand struct {
	fits      []*fit.Method // the table of fits
	reference flags.ReferenceFlag
	examples  bool
	clips     []string
	frames    int
	limit     float64 // seconds
	gate      string
	motion    flags.MotionFlags
	set       *pflag.FlagSet // of the command
	flags.Printer
}

// What is measured where nothing else is asked: so many clips, and poses of each; and the time of each fit.
const (
	mostAdvised   = 8
	advisedFrames = 24
	adviseLimit   = time.Minute
)

func (c *adviseCommand) register(f *pflag.FlagSet) {
	c.reference.Register(f, "what the ways are measured against and fits learn: a method, or delta-mush")
	c.reference.RegisterDeltaMush(f)
	f.BoolVar(&c.examples, "examples", false, "measure against the model's own example shapes instead, and learn these")
	f.StringSliceVar(&c.clips, "clip", nil,
		fmt.Sprintf("clips to measure, comma-separated (default: up to %d of the file's own, evenly spread)", mostAdvised))
	f.IntVar(&c.frames, "frames", advisedFrames, "poses to measure of each clip, spread evenly over it")
	f.Float64Var(&c.limit, "limit", adviseLimit.Seconds(), "seconds for each fit, which then ends with the best that it has")
	f.StringVar(&c.gate, "max-rms", "", "the largest RMS error that will do, such as 2mm or 0.1% of the rest pose's diagonal: "+
		"exit code 3 where the recommended way has more")
	c.motion.Register(f)
	c.Printer.Register(f)
	c.set = f
}

// fitFlags returns the flags of the command line that a fit takes too: of motion, and of Delta Mush.
func (c *adviseCommand) fitFlags() (args []string) {
	c.set.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "reference", "examples", "clip", "frames", "limit", "max-rms", "json",
			"write-map": // the file exists by now, and holds the map that a fit makes by itself
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}

func (c *adviseCommand) run(ctx context.Context, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	flags.LimitMemory(flags.ModelFiles(args...), false)
	m, err := c.motion.LoadMoved(ctx, args[0])
	if err != nil {
		return err
	}
	if len(m.Added()) > 0 {
		return fmt.Errorf("%s: a fit has made it: give the file that it came from", m.Name)
	}
	if of := compare.FittedWeights(m); of != "" {
		flags.Warn(m.Name, of)
	}
	opt := advise.Options{Fits: c.fits, Reference: skinning.LBS, Examples: c.examples, Frames: c.frames,
		Limit: time.Duration(c.limit * float64(time.Second))}
	if opt.Gate, err = lengthOf("--max-rms", c.gate, m.Diagonal()); err != nil {
		return err
	}
	if opt.Clips, err = c.measured(m); err != nil {
		return err
	}
	if !c.examples {
		if opt.Reference, err = c.reference.Choose(m); err != nil {
			return err
		}
	}
	end := func() {}
	opt.Doing = func(what string) {
		end()
		_, end = progress.Begin(ctx, what)
	}
	a, err := adviseOn(ctx, args[0], m, m, opt)
	end()
	if err != nil {
		return err
	}
	a.Notes = append(a.Notes, c.notes(m, opt.Clips)...)
	a.Command = c.command(a, args[0])
	err = c.Print(a, func(out io.Writer) { c.write(out, a) })
	if w := a.Chosen(); err == nil && !a.Passed {
		err = flags.GateError{Err: fmt.Errorf("%s: %s is %s from %s by RMS, more than %s", a.Model, w.Name,
			messages.ReportLength(w.RMS, a.Diagonal), a.Against, messages.ReportLength(a.Gate, a.Diagonal))}
	}
	return err
}

func (c *adviseCommand) check() error {
	switch {
	case c.examples && (c.reference.Name != "" || len(c.clips) > 0):
		return flags.Usagef("--examples: the reference is the shapes of the model's own example set, in the clip of its poses")
	case c.frames < 1 || c.frames > 100_000:
		return flags.Usagef("--frames: %d is not from 1 to 100000", c.frames)
	case !(c.limit > 0 && c.limit <= 86_400):
		return flags.Usagef("--limit: %g is not above 0 and at most 86400 seconds", c.limit)
	}
	return c.reference.Check()
}

// measured returns the clips to measure.
func (c *adviseCommand) measured(m *skinning.Model) (clips []int, err error) {
	if c.examples {
		clip, err := m.ClipIndex(skinning.ExampleClip)
		if err != nil {
			return nil, flags.Usagef("%s: --examples: it has no example set", m.Name)
		}
		return []int{clip}, nil
	}
	for _, name := range c.clips {
		clip, err := flags.NamedClip(m, name)
		if err != nil {
			return nil, flags.Usagef("%s: --clip: %v", m.Name, err)
		}
		clips = append(clips, clip)
	}
	if clips == nil {
		if len(m.Clips) == 0 {
			return nil, flags.Usagef("%s: no clip to measure over%s", m.Name, flags.StressHint(m))
		}
		clips = advise.MeasuredClips(m, mostAdvised)
	}
	return clips, nil
}

// lengthOf reads a length, "2mm" or "0.1%" of a diagonal, as a fraction of the diagonal, which is in metres: 0 for "".
func lengthOf(flag, text string, diagonal float64) (fraction float64, err error) {
	if text == "" {
		return 0, nil
	}
	for _, u := range []struct {
		name string
		in   float64
	}{{"mm", 1e-3 / diagonal}, {"cm", 1e-2 / diagonal}, {"%", 1. / 100}, {"m", 1 / diagonal}} {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		if unit, _ := messages.ReportUnit(diagonal); u.name != "%" && unit != "mm" {
			return 0, flags.Usagef("%s: a length of 1 in this file can hardly be a metre: give a part of the diagonal such as 0.1%%",
				flag)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil && x > 0 && !math.IsInf(x, 0) {
			return x * u.in, nil
		}
		break
	}
	return 0, flags.Usagef("%s: %q is no length: give one such as 2mm, 0.5cm or 0.1%%", flag, messages.Shortened(text))
}

// adviseOn asks for advice on a model, with what is known of the files of its fits. Its own file is source and file.
func adviseOn(ctx context.Context, source string, file, m *skinning.Model, opt advise.Options) (*advise.Advice, error) {
	folder, err := os.MkdirTemp("", "skinlab-advise-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	opt.Export = (&exporter{source: source, model: file, path: filepath.Join(folder, "fitted.glb")}).write
	return advise.Run(ctx, m, opt)
}

// exporter writes fits to a file that is not kept.
type exporter struct {
	source, path string
	model        *skinning.Model
	plain        map[bool]int64 // bytes of the model without a fit, by whether it keeps its morph targets
}

func (e *exporter) write(ctx context.Context, r *fit.Result) (w advise.Written, err error) {
	morphs := len(r.Model.Skin.Morphs) > 0 // a fit that learns from examples leaves them out: no bytes that it saves
	if e.plain == nil {
		e.plain = make(map[bool]int64)
	}
	if e.plain[morphs] == 0 {
		m := e.model
		if !morphs {
			m = m.WithoutMorphs()
		}
		written, err := export.File(ctx, e.path, e.source, m, export.Options{})
		if err != nil {
			return w, err
		}
		e.plain[morphs] = int64(written.Bytes)
	}
	written, err := export.File(ctx, e.path, e.source, r.Model, exportOptions(r.Report, r.Model, 0, 0))
	return advise.Written{Bytes: int64(written.Bytes) - e.plain[morphs], KeyError: written.MaxError,
		KeyErrorClip: written.WorstClip}, err
}

func (c *adviseCommand) write(out io.Writer, a *advise.Advice) {
	against := a.Against
	if why := c.reference.Why; why != "" {
		against += " (" + why + ")"
	}
	leftOut := ""
	if a.LeftOut > 0 {
		leftOut = " without " + messages.Count(a.LeftOut, "half turn", "half turns")
	}
	clips := messages.Count(a.Clips, "clip", "clips")
	if a.Clips < a.Own && !c.examples {
		clips = fmt.Sprintf("%d of %s", a.Clips, messages.Count(a.Own, "clip", "clips"))
	}
	fmt.Fprintf(out, "%s, %s of %s%s, against %s\n", a.Model, messages.Count(a.Poses, "pose", "poses"), clips, leftOut, against)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	unit, per := messages.ReportUnit(a.Diagonal)
	fmt.Fprintln(w, "way\tRMS\tlargest\tEE %\tvolume from\tto\thalf turns\tns/vertex\tµs/pose\tbytes\tan engine needs\t")
	for i := range a.Ways {
		way := &a.Ways[i]
		if way.Failed != "" {
			continue
		}
		needs := string(way.Needs)
		if way.Live {
			needs += " *"
		}
		if way.Stopped {
			needs += " !"
		}
		name := way.Name
		if name == a.Choose {
			name = "> " + name
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.3f\t%.3f\t%d\t%.1f\t%.0f\t%d\t%s\t\n", name,
			messages.ReportNumber(way.RMS, per), messages.ReportNumber(way.Max, per), way.EE.Text(1),
			way.VolumeMin, way.VolumeMax, way.HalfTurns, way.NsPerVertex, way.PoseUs, way.Bytes, needs)
	}
	w.Flush()
	fmt.Fprintf(out, "RMS and largest error in %s. EE is the RMS in percent of that of the best single joint for each vertex.\n", unit)
	fmt.Fprintln(out, "* In clips nothing; poses that are in no clip need a runtime that drives the added joints. Half turns: poses in which")
	fmt.Fprintln(out, "  the way may tear the skin, as it blends rotations. Times: one thread of this machine, the vertices and what a pose takes beside.")
	fmt.Fprintln(out, "  Bytes: what the fit adds to the file as skinlab writes it, beside example shapes that it leaves out.")
	for _, note := range a.Notes {
		fmt.Fprintln(out, note)
	}
	for i := range a.Ways {
		if way := &a.Ways[i]; way.Stopped {
			fmt.Fprintf(out, "! %s was stopped by --limit after %v: more time may give less error.\n", way.Name,
				time.Duration(way.Seconds*float64(time.Second)).Round(10*time.Millisecond))
		}
		if way := &a.Ways[i]; way.Failed != "" {
			fmt.Fprintf(out, "%s has no result: %s.\n", way.Name, way.Failed)
		}
	}
	fmt.Fprintf(out, "\nRecommended: %s.\n", a.Chosen().Title)
	for _, reason := range a.Reasons {
		fmt.Fprintln(out, reason)
	}
	if a.Command != "" {
		fmt.Fprintln(out, a.Command)
	}
}

// command returns the command line that makes the fit of the advice; "" for none.
func (c *adviseCommand) command(a *advise.Advice, model string) string {
	i := slices.IndexFunc(c.fits, func(m *fit.Method) bool { return m.Name == a.Fit })
	if i < 0 {
		return ""
	}
	args := []string{"fit", a.Fit, noFlag(model)}
	switch {
	case a.Against == exampleReference:
	case c.fits[i].Learns == fit.Operator:
		args = append(args, "--operator", a.Against)
	default:
		args = append(args, "--teach", a.Against)
	}
	return commandLine(slices.Concat(args, c.fitFlags(), []string{"-o", "fitted.glb"}))
}

// notes says which clips the fits have learnt, and that the file has examples for --examples.
func (c *adviseCommand) notes(m *skinning.Model, clips []int) (notes []string) {
	if c.examples {
		return nil
	}
	if set, err := training.Own(m); err == nil {
		notes = append(notes, fmt.Sprintf("The file holds %s: --examples measures against them, and fits learn them.",
			messages.Count(len(set.Times), "example shape", "example shapes")))
	}
	own := training.OwnClips(m)
	stress := slices.ContainsFunc(clips, func(clip int) bool { return !slices.Contains(own, clip) })
	switch learnt := messages.Count(len(own), "clip of the file", "clips of the file"); {
	case len(own) == 0:
		notes = append(notes, "Fits have learnt every joint turned through its range, not the clips that are measured.")
	case stress:
		notes = append(notes, "Fits have learnt poses of "+learnt+", and no stress clip. Stress clips are in no file: an engine "+
			"needs a runtime for such poses.")
	case len(c.clips) > 0 && len(clips) < len(own):
		notes = append(notes, "Fits have learnt poses of "+learnt+", not of those of --clip alone.")
	}
	return notes
}
