package command

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/report"
	"skinlab/command/flags"
	"skinlab/fit/bodymodel"
	"skinlab/render/contactsheet"
	"skinlab/render/gpu"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/progress"
	"skinlab/skinning/remodel"
	"skinlab/skinning/rig"
)

// exampleReference takes the place of a method: the reference is the shapes of the model's own morph targets.
const exampleReference = skinning.Examples

// compareCommand measures methods, fits and fitted files against a reference.
type compareCommand struct {
	reference reference
	subjectFlags
	flags.ClipFlags
	flags.PictureFlags
	flags.CameraFlags
	flags.Output
	frames      int // 0 means [compare.PosesOf]
	framesNamed func() bool
	wayNamed    func() bool
	scans       string // a body model that plays its own poses, "" for none
	long        string // the file whose fit follows rotations past 180 degrees, "" for none
	keys        int
	heat        bool
	report      report.Folder
	named       *skinning.Model // the first file
	shapes      bool            // the clip shows examples, which methods are measured without
	unposed     int             // examples that are not measured, see posedTimes
	poses       []string
	notes       []string // below the table, and on the page of the report
}

func (c *compareCommand) register(f *pflag.FlagSet) {
	c.reference.Register(f,
		"what the others are measured against: a method, "+deltamush.Name+", or examples, the shapes of the model's own "+
			"example set, which are the default in a clip that shows them",
		exampleReference)
	c.reference.examples = true
	c.reference.RegisterDeltaMush(f)
	c.subjectFlags.register(f,
		c.fitNames()+", and fitted files; with --reference examples the examples too",
		"blend bones that the method blend-bones may add; blend-bones:N says it for one of several. "+
			"It is fitted to 12 poses of the clip")
	c.ClipFlags.Register(f, "clip", "the first")
	c.framesNamed = func() bool { return f.Changed("frames") }
	c.wayNamed = func() bool { return f.Changed("shortest-path") }
	f.IntVar(&c.frames, "frames", 0,
		"poses to measure, spread evenly over the clip (default: 30 a second, at most 241)")
	registerKeyFrames(f, &c.keys, "with --reference examples: fits ")
	c.PictureFlags.Register(f, "400x500", "size of each picture in pixels, WxH")
	c.PictureFlags.RegisterTransparent(f)
	c.CameraFlags.Register(f)
	c.Output.Register(f, "write pictures side by side to this PNG file, methods across, poses down")
	f.BoolVar(&c.heat, "heat", false,
		"under each picture the same with the distance to the reference in colour, and a legend; one scale for all pictures, "+
			"which ends where all but one in 1000 vertices lie in the worst frame, rounded up to a round number")
	f.StringVar(&c.report.Path, "report", "",
		"write a report to this folder: a page with the table, pictures and curves, and all values as data.json; "+
			"with --force in place of an earlier report")
	f.StringSliceVar(&c.poses, "poses", nil,
		"times in the clip that the pictures show, seconds (default: where the methods differ most)")
}

// instead says how several files are compared, or why they cannot be.
func (c *compareCommand) instead(args []string) string {
	var first *skinning.Model
	for i, name := range args {
		if i > 0 && !isFile(name) {
			return messages.Printable(name) + " is no .glb or .gltf file, which could stand among the methods"
		}
		m, err := assets.Open(name)
		if err != nil {
			return err.Error()
		}
		if first == nil {
			first = m
		}
		if n, want := len(m.Skin.Positions), len(first.Skin.Positions); n != want {
			return fmt.Sprintf("a comparison is of one skin: %s has %d vertices, %s %d", first.Name, want, m.Name, n)
		}
	}
	var methods strings.Builder // a list whose entries may have commas
	list := csv.NewWriter(&methods)
	list.Write(append([]string{"lbs"}, args[1:]...)) // into memory: it cannot fail
	list.Flush()
	return "fitted files stand among the methods: " +
		commandLine([]string{"compare", noFlag(args[0]), "--methods", strings.TrimSpace(methods.String())})
}

func (c *compareCommand) run(ctx context.Context, args []string) error {
	sheet := contactsheet.Comparison{Clay: c.Clay, Transparent: c.Transparent, Heat: c.heat, ShortestPath: c.ShortestPath}
	if err := c.check(args, &sheet); err != nil {
		return err
	}
	var err error
	if sheet.Environment, err = c.Light(); err != nil {
		return err
	}
	flags.LimitMemory(c.files(args), c.Path != "" || c.report.Path != "")
	m, err := c.LoadMoved(ctx, args[0])
	if err != nil {
		return err
	}
	c.named = m
	if m, err = c.reference.origin(ctx, args[0], m, &c.methods, c.LoadMoved); err != nil {
		return err
	}
	m = remodel.WithBones(m)
	if clip, err := c.Index(m, 0); err == nil && c.reference.Name == "" && m.ShowsExamples(clip) && !c.imitates() {
		c.reference.Name, c.reference.Why = exampleReference, "the clip shows them"
	}
	if c.keys < 0 || c.keys > 0 && !c.againstExamples() {
		return flags.Usagef("--keyframes: a number of the shapes of --reference examples")
	}
	if c.againstExamples() && c.framesNamed() {
		return flags.Usagef("--frames: examples are measured at the keys of their clip; --reference names a method")
	}
	if c.againstExamples() {
		sheet.Reference = skinning.LBS // example shapes are linear blending with morph targets
	} else if sheet.Reference, err = c.reference.Choose(m); err != nil {
		return err
	}
	sheet.ReferenceName = c.reference.Name
	if sheet.Camera, err = c.Camera(m); err != nil {
		return err
	}
	if sheet.Clip, err = c.comparedClip(m); err != nil {
		return err
	}
	if sheet.Times, err = c.poseTimes(0); err != nil {
		return err
	}
	for _, t := range sheet.Times {
		if err := flags.CheckTime("--poses", m, sheet.Clip, t); err != nil {
			return err
		}
	}
	var times []float64
	c.shapes = m.ShowsExamples(sheet.Clip)
	if c.againstExamples() {
		times = m.Clips[sheet.Clip].KeyTimes()
		c.frames = len(times)
	} else if seconds := m.Clips[sheet.Clip].Seconds; c.frames == 0 || seconds == 0 {
		c.frames = compare.PosesOf(seconds)
	}
	if c.shapes && !c.againstExamples() {
		m = m.WithoutMorphs()
	}
	learner := &learner{model: m, clip: sheet.Clip, teacher: sheet.Reference, examples: c.againstExamples(), keys: c.keys,
		longWay: !c.ShortestPath}
	sheet.Subjects, err = c.subjects(ctx, learner)
	if err != nil {
		return err
	}
	if c.ShortestPath && !c.wayNamed() {
		if long := fittedLong(m, sheet.Subjects); long != "" {
			c.ShortestPath, sheet.ShortestPath, c.long = false, false, long
		}
	}
	if i := slices.IndexFunc(sheet.Subjects, func(s compare.Subject) bool { return s.Model != nil && hasScans(s.Model) }); i >= 0 &&
		c.againstExamples() {
		c.scans = sheet.Subjects[i].Name
	}
	if c.againstExamples() {
		if times, err = posedTimes(times, sheet.Subjects); err != nil {
			return err
		}
		c.unposed, c.frames = c.frames-len(times), len(times)
	} else {
		m, sheet.Subjects = truth(args[0], m, sheet.Clip, sheet.Subjects)
	}
	rows, err := progress.Stage(ctx, "comparing frame", func(report progress.Report) ([]compare.Row, error) {
		return compare.Run(ctx, m,
			compare.Options{Reference: sheet.Reference, Examples: c.againstExamples(), Subjects: sheet.Subjects,
				Clip: sheet.Clip, Frames: c.frames, Times: times, ShortestPath: c.ShortestPath,
				Series: c.report.Path != "", Progress: report})
	})
	if err != nil {
		return err
	}
	body := metrics.SkinBody(m)
	still := c.reference.stillBones(&m.Clips[sheet.Clip], c.named, sheet.Subjects)
	c.notes = c.notesOf(rows[0].HalfTurns, learner, still, body)
	page, err := c.draw(ctx, m, &sheet, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Series = nil // they are in the report's data.json
	}
	clip := m.Clips[sheet.Clip].Name
	result := map[string]any{"model": c.named.Name, "clip": clip, "reference": c.reference.Name,
		"reference_of": c.reference.of, "reference_why": c.reference.Why, "frames": c.frames, "rows": rows,
		"diagonal": m.Diagonal(), "output": c.Path, "report": page}
	result["open_edges"], result["edges_against"] = body.OpenEdges(), body.EdgesAgainst()
	result["notes"] = append([]string{c.referenceText(&sheet)}, c.notes...)
	return c.Print(result, func(out io.Writer) {
		fmt.Fprintf(out, "%s, %s, %s, against %s\n", c.named.Name, messages.Printable(clip),
			messages.Count(c.frames, "pose", "poses"), c.reference.against())
		compare.WriteTable(out, rows, c.frames, m.Diagonal())
		fmt.Fprintln(out, c.referenceText(&sheet))
		for _, note := range c.notes {
			fmt.Fprintln(out, note)
		}
		for _, path := range []string{c.Path, page} {
			if path != "" {
				fmt.Fprintln(out, path)
			}
		}
	})
}

// notesOf lists what else must be known of the numbers. Apart are the half turns of a row, still is that of
// [reference.stillBones], and body encloses the volumes.
func (c *compareCommand) notesOf(apart *compare.Apart, l *learner, still string, body *metrics.Body) []string {
	notes := []string{}
	add := func(there bool, format string, args ...any) {
		if there {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	train := l.train()
	add(apart != nil, "%s", apart.Note(c.frames))
	add(c.shapes, "Methods pose the weights, without the morph targets by which this clip shows example shapes.")
	add(c.scans != "", "%s plays its clip %s, the poses that the fit has found for the examples.", messages.Printable(c.scans),
		bodymodel.ScansClip)
	add(c.shapes && !c.againstExamples() && c.imitates(), "Examples are not the reference: fits of --methods imitate a method.")
	add(c.long != "", "Rotations are followed past 180 degrees, as %s was fitted.", messages.Printable(c.long))
	add(train != "" && !c.againstExamples(), "Fits of --methods have learnt a few poses of the clip %s alone; `skinlab fit` "+
		"takes more, of all clips, or a file's own examples.", messages.Printable(train))
	add(still != "", "%s", still)
	add(c.keys > 0, "Fits of --methods have learnt %d of the shapes (--keyframes).", c.keys)
	return append(notes, body.Notes()...)
}

// imitates reports whether --methods has a fit that learns methods alone. Examples cannot be the reference of such a fit.
func (c *compareCommand) imitates() bool { return c.subjectFlags.check(true) != nil }

// check checks the flags as far as that needs no model, and reads the size of the pictures.
func (c *compareCommand) check(args []string, sheet *contactsheet.Comparison) (err error) {
	if c.reference.Name == "" && slices.Contains(c.methods, exampleReference) {
		c.reference.Name = exampleReference
	}
	if !c.againstExamples() {
		if err := c.reference.Check(); err != nil {
			return err
		}
	}
	if sheet.Width, sheet.Height, err = c.Pixels(); err != nil {
		return err
	}
	if err := c.CameraFlags.Check(); err != nil {
		return err
	}
	if c.frames < 1 && c.framesNamed() || c.frames > 100_000 {
		return flags.Usagef("--frames: %d is not from 1 to 100000", c.frames)
	}
	if err := c.subjectFlags.check(c.againstExamples()); err != nil {
		return err
	}
	if _, err := c.poseTimes(0); err != nil {
		return err
	}
	if err := c.Output.Check(func() []string { return append(c.files(args), c.MotionReads()...) }, ".png"); err != nil {
		return err
	}
	if c.Path != "" || c.report.Path != "" {
		cells := 2 // the whole and a close-up
		if c.heat {
			cells *= 2
		}
		if err := contactsheet.CheckSize(len(c.methods), cells*max(len(c.poses), 1), sheet.Width, sheet.Height, c.heat); err != nil {
			return flags.Usagef("--size: %v", err)
		}
	}
	if c.heat && c.Path == "" && c.report.Path == "" {
		return flags.Usagef("--heat: no picture to draw it in: give -o FILE.png or --report DIR")
	}
	return c.checkReport(args)
}

func (c *compareCommand) referenceText(sheet *contactsheet.Comparison) string {
	if c.againstExamples() {
		text := "Errors are distances from the example shapes, in the poses of their clip alone."
		if c.unposed > 0 {
			text += fmt.Sprintf(" %s left out: a body model has no poses for scans that it has not learnt.",
				messages.Count(c.unposed, "example is", "examples are"))
		}
		return text + c.reference.ofFiles(sheet.Subjects)
	}
	return c.reference.text(sheet.Reference, c.named, sheet.Subjects)
}

// fittedLong returns the name of a model that was fitted to rotations past 180 degrees, "" for none.
func fittedLong(m *skinning.Model, subjects []compare.Subject) string {
	if m.LongWay() {
		return m.Name
	}
	for _, s := range subjects {
		if isFile(s.Path) && s.Model != nil && s.Model.LongWay() {
			return s.Name
		}
	}
	return ""
}

// ofFiles is [compare.Learnt] and [compare.KeyNotes] of subjects that are files, behind other sentences. It hints at
// --reference where that takes what they have learnt from.
func (r *reference) ofFiles(subjects []compare.Subject) string {
	fits := filesOf(subjects)
	text := compare.Learnt(r.Name, fits...)
	if text != "" {
		text = " " + text
		if r.examples || !slices.ContainsFunc(fits, func(m *skinning.Model) bool {
			return m.Fit != nil && m.Fit.Teacher == exampleReference
		}) {
			text += " --reference measures against another."
		}
	}
	if keys := compare.KeyNotes(fits...); keys != "" {
		text += " " + keys
	}
	return text
}

// filesOf lists the models of the subjects that are files.
func filesOf(subjects []compare.Subject) (models []*skinning.Model) {
	for i := range subjects {
		if isFile(subjects[i].Path) && subjects[i].Model != nil {
			models = append(models, subjects[i].Model)
		}
	}
	return models
}

// truth returns the model that methods and the reference use, and the subjects. A model m that a fit made is taken as it
// was before the fit, see [rig.Folded], and becomes the last subject, unless its file at path is one already.
func truth(path string, m *skinning.Model, clip int, subjects []compare.Subject) (*skinning.Model, []compare.Subject) {
	of := rig.Folded(m)
	if of == m || slices.ContainsFunc(subjects, func(s compare.Subject) bool { return s.Path == path }) {
		return of, subjects
	}
	fit := compare.Subject{Name: m.Name, Title: m.Name, Path: path, Model: m, Clip: clip}
	playBody(&fit, false)
	return of, append(slices.Clip(subjects), fit)
}

func (c *compareCommand) againstExamples() bool { return c.reference.Name == exampleReference }

// comparedClip returns the clip of --clip. The default for example shapes is the clip of the example set.
func (c *compareCommand) comparedClip(m *skinning.Model) (int, error) {
	if !c.againstExamples() {
		clip, err := c.Index(m, 0)
		if err == nil && clip < 0 {
			err = fmt.Errorf("%s: no clip to compare over%s", m.Name, flags.StressHint(m))
		}
		return clip, err
	}
	clip, err := flags.NamedClip(m, cmp.Or(c.Clip, skinning.ExampleClip))
	switch {
	case err != nil && c.Clip == "":
		return 0, fmt.Errorf("%s: --reference examples: it has no example set, a clip %q", m.Name, skinning.ExampleClip)
	case err != nil:
		return 0, fmt.Errorf("%s: --reference examples: %w", m.Name, err)
	}
	if !m.ShowsShapes(clip) {
		cure := "a fit leaves them out: compare the model that it was made from, with the fitted file among --methods"
		if set, err := m.ClipIndex(skinning.ExampleClip); err == nil && m.ShowsShapes(set) {
			cure = "--clip " + skinning.ExampleClip + " does"
		}
		return 0, fmt.Errorf("%s: --reference examples: clip %q shows no shapes by morph targets; %s",
			m.Name, messages.Shortened(m.Clips[clip].Name), cure)
	}
	return clip, nil
}

// draw draws the comparison for -o and --report, once for both, and returns the report's page.
func (c *compareCommand) draw(ctx context.Context, m *skinning.Model, sheet *contactsheet.Comparison,
	rows []compare.Row) (
	page string, err error) {
	if c.Path == "" && c.report.Path == "" {
		return "", nil
	}
	worst := rows[0]
	for _, r := range rows {
		unseen := ""
		if r.EE == 0 && r.RMS > messages.Rounding {
			unseen = ", not visible"
		}
		sheet.Subtitles = append(sheet.Subtitles,
			fmt.Sprintf("%s %% from %s%s\nclip: %s, volume ≥ %s %%", r.EE.Text(2), c.reference.Name, unseen,
				messages.ReportLength(r.RMS, m.Diagonal()), percentAtLeast(r.VolumeRatioMin)))
		sheet.HeatTop = max(sheet.HeatTop, r.Top*m.Diagonal())
		if r.Max > worst.Max {
			worst = r
		}
	}
	if sheet.Times, err = c.poseTimes(worst.WorstTime); err != nil {
		return "", err
	}
	sheets, err := progress.Stage(ctx, "drawing picture", func(report progress.Report) (*contactsheet.Sheets, error) {
		sheet.Progress = report
		return contactsheet.Compare(ctx, m, sheet)
	})
	switch {
	case errors.Is(err, gpu.ErrHeadless) && c.Path == "":
		sheets = &contactsheet.Sheets{}
		fmt.Fprintf(os.Stderr, "warning: the report has no pictures: %v\n", err)
	case err != nil:
		return "", err
	}
	if c.Path != "" {
		picture, err := contactsheet.Draw(ctx, sheets.Stack(), sheets.Legend, c.Transparent)
		if err != nil {
			return "", err
		}
		if err := c.WritePicture(ctx, picture); err != nil {
			return "", err
		}
	}
	if c.report.Path == "" {
		return "", nil
	}
	return c.writeReport(ctx, m, sheet, rows, worst, sheets)
}

// percentAtLeast writes a share in percent with one decimal, rounded down: a skin that loses volume never has all of it.
func percentAtLeast(share float64) string {
	const rounding = 1e-6 // of float32 positions
	return fmt.Sprintf("%.1f", math.Floor(1e3*(share+rounding))/10)
}

func (c *compareCommand) poseTimes(byDefault float64) ([]float64, error) {
	if len(c.poses) == 0 {
		return []float64{byDefault}, nil
	}
	var times []float64
	for _, p := range c.poses {
		t, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, flags.Usagef("--poses: %q is not a time in seconds", p)
		}
		times = append(times, t)
	}
	return times, nil
}
