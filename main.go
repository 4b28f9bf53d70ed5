// Skinlab shows what each way of skinning does to a rigged character, side by side, and what it costs.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"skinlab/assets"
	"skinlab/fit/blendbones"
	"skinlab/fit/job"
	"skinlab/render"
	"skinlab/render/viewer"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
)

// Exit codes: the same for every command.
const (
	exitData      = 1   // bad data, or a machine that lacks something
	exitUsage     = 2   // bad command line
	exitInterrupt = 130 // Ctrl-C
)

// usageError marks a mistake in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func init() {
	runtime.LockOSThread() // windows and GL contexts stay on the first thread
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	interrupted := ctx.Err() != nil
	stop()
	var usage usageError
	switch {
	case interrupted:
		os.Exit(exitInterrupt)
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(exitUsage)
	case err != nil:
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(exitData)
	}
}

// options are the flags of all commands: each command takes the groups that it names.
type options struct {
	method, against, reference string
	methods                    []string
	clip                       string
	time                       float64
	shortestPath, clay, json   bool
	output, screenshot, size   string
	device                     string
	frames, threads            int
	poses                      []string
	operator, train, test      string
	paper                      string
	bones                      int
	target, fps                float64
	cmd                        *cobra.Command
}

// commands is the table of subcommands: use, summary, example, arguments, flags and what runs.
var commands = []struct {
	use, short, example string
	minArgs, maxArgs    int
	flags               string
	run                 func(o *options, args []string) error
}{
	{"view [MODEL]", "Open the viewer on a file or a built-in model", "skinlab view demo:arm --method dqs --clip twist",
		0, 1, "method against pose clay screenshot size", runView},
	{"info MODEL", "Say what a file holds", "skinlab info character.glb --json",
		1, 1, "", runInfo},
	{"deform MODEL", "Write the posed skin as OBJ: v and vn per vertex, in file order", "skinlab deform character.glb --method dqs --clip walk --time 0.5 -o posed.obj",
		1, 1, "method pose output", runDeform},
	{"render MODEL", "Draw a picture; needs no display", "skinlab render demo:figure --method dib --clip twist --time 2 --size 1280x720 -o figure.png",
		1, 1, "method pose clay size output", runRender},
	{"compare MODEL", "Compare methods: errors, volumes, and pictures side by side", "skinlab compare demo:arm --reference dqs --methods lbs,sbs,dib --clip twist -o candy-wrapper.png",
		1, 1, "reference methods clip frames clay size sheet", runCompare},
	{"fit blend-bones|half-way MODEL", "Fit blend bones and write a glTF that plain linear skinning plays", "skinlab fit blend-bones character.glb --operator dqs --bones 10 --train walk:12 -o fitted.glb",
		2, 2, "fit", runFit},
	{"bench [MODEL]", "Time the methods: ns per vertex and ratio to linear blending", "skinlab bench demo:figure --methods lbs,dqs --device cpu",
		0, 1, "methods device", runBench},
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "skinlab [view] [MODEL]",
		Short: "See what each way of skinning does to a character, and what it costs",
		Long: "skinlab plays rigged glTF files, switches their skinning live, measures where and how much each method errs, and times it.\n" +
			"MODEL is a .glb or .gltf file, or a built-in model: demo:box, demo:tube, demo:arm, demo:figure.",
		Example:       "skinlab\nskinlab character.glb\nskinlab demo:arm --method lbs --clip twist",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	for i := range commands {
		c := &commands[i]
		cmd := &cobra.Command{Use: c.use, Short: c.short, Example: c.example, Args: arguments(c.minArgs, c.maxArgs), ValidArgsFunction: completeModel}
		addFlags(cmd, c.flags, c.run)
		root.AddCommand(cmd)
	}
	root.Args = arguments(0, 1)
	root.ValidArgsFunction = completeModel
	addFlags(root, commands[0].flags, runView)
	return root
}

func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usagef("%s takes %s, not %d arguments (see %s --help)", cmd.Name(), cmd.Use, len(args), cmd.CommandPath())
		}
		return nil
	}
}

func completeModel(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return assets.BuiltIn(), cobra.ShellCompDirectiveDefault
}

func addFlags(cmd *cobra.Command, groups string, run func(*options, []string) error) {
	o := &options{cmd: cmd}
	f := cmd.Flags()
	names := strings.Join(methodNames(skinning.Methods()), " ")
	for _, group := range strings.Fields(groups + " json") {
		switch group {
		case "method":
			f.StringVar(&o.method, "method", "lbs", "skinning method: "+names)
			complete(cmd, "method")
		case "against":
			f.StringVar(&o.against, "against", "", "a second method, drawn beside the first")
			complete(cmd, "against")
		case "reference":
			f.StringVar(&o.reference, "reference", "dqs", "the method that the others are measured against")
			complete(cmd, "reference")
		case "methods":
			f.StringSliceVar(&o.methods, "methods", methodNames(skinning.Methods()), "comma-separated methods")
			complete(cmd, "methods")
		case "pose":
			addClip(cmd, o, "clip to pose from, a name or an index (default: the first, or the static pose where no --time is given)")
			f.Float64Var(&o.time, "time", 0, "time in the clip, seconds")
		case "clip":
			addClip(cmd, o, "clip, a name or an index (default: the first)")
		case "clay":
			f.BoolVar(&o.clay, "clay", false, "one plain material instead of the file's")
		case "screenshot":
			f.StringVar(&o.screenshot, "screenshot", "", "write a picture of the settled window to this PNG file and quit")
		case "size":
			f.StringVar(&o.size, "size", "1280x720", "picture size in pixels, WxH")
		case "output":
			f.StringVarP(&o.output, "output", "o", "", "file to write")
		case "sheet":
			f.StringVarP(&o.output, "output", "o", "", "write pictures side by side to this PNG file, methods across, poses down")
			f.StringSliceVar(&o.poses, "poses", nil, "times in the clip that the pictures show, seconds (default: where the methods differ most)")
			f.Lookup("size").DefValue, o.size = "400x500", "400x500"
		case "frames":
			f.IntVar(&o.frames, "frames", 24, "poses to measure, spread evenly over the clip")
			f.IntVar(&o.bones, "bones", 10, "blend bones that the method blend-bones may add; blend-bones:N says it for one of several. It is fitted to 12 poses of the clip")
		case "fit":
			f.StringVar(&o.operator, "operator", "dqs", "the nonlinear method to make linear: dqs sdqs dib sbs")
			complete(cmd, "operator")
			f.IntVar(&o.bones, "bones", 10, "blend bones at most")
			f.Float64Var(&o.target, "target", 0, "stop when the enveloping error falls below this percentage")
			f.StringVar(&o.train, "train", "", "training poses: CLIP[:N], N evenly from the clip (default: 12 of the first clip, or poses made from the skeleton)")
			f.StringVar(&o.test, "test", "", "a clip to measure the error on that was not trained on")
			f.Float64Var(&o.fps, "fps", 0, "keys a second of the baked bones (default: as many as keep the error between keys below a tenth of the fit's)")
			f.IntVar(&o.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
			f.StringVarP(&o.output, "output", "o", "", "GLB file to write")
		case "device":
			f.StringVar(&o.device, "device", "cpu", "what to time: the kernels on the cpu, the pose pass on the gpu, or all")
			f.IntVar(&o.threads, "threads", 1, "threads to skin on")
			f.IntVar(&o.bones, "bones", 10, "blend bones of the method blend-bones, fitted to dqs on 12 poses of the first clip")
			f.StringVar(&o.paper, "paper", "", "print a paper's table instead, of the same shape: alns for its table 3, with blend bones")
		case "json":
			f.BoolVar(&o.json, "json", false, "print one JSON object on standard output")
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return run(o, args)
	}
}

func addClip(cmd *cobra.Command, o *options, usage string) {
	cmd.Flags().StringVar(&o.clip, "clip", "", usage)
	cmd.Flags().BoolVar(&o.shortestPath, "shortest-path", true, "turn each joint the shorter way round; false follows its rotation through the clip, past 180 degrees")
}

func complete(cmd *cobra.Command, flag string) {
	names := methodNames(skinning.Methods())
	// The only error is a flag that does not exist, a mistake in the table above.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// first returns the first argument, or "" where there is none.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func methodNames(methods []skinning.Method) []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.String()
	}
	return names
}

func parseMethod(flag, name string) (skinning.Method, error) {
	m, err := skinning.ParseMethod(name)
	if err != nil {
		return 0, usagef("--%s: %v", flag, err)
	}
	return m, nil
}

func (o *options) parseMethods() ([]skinning.Method, error) {
	if len(o.methods) == 0 {
		return nil, usagef("--methods: no method")
	}
	var methods []skinning.Method
	for _, name := range o.methods {
		m, err := parseMethod("methods", strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	return methods, nil
}

// parseSize reads "1280x720".
func (o *options) parseSize() (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(o.size), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 16 || height < 16 || width > 16384 || height > 16384 {
		return 0, 0, usagef("--size: %q is not WxH in pixels, each from 16 to 16384", o.size)
	}
	return width, height, nil
}

// clipIndex returns the clip that the flags choose; −1 is the static pose.
func (o *options) clipIndex(m *skinning.Model, byDefault int) (int, error) {
	if o.clip == "" {
		if byDefault >= len(m.Clips) {
			return -1, nil
		}
		return byDefault, nil
	}
	i, err := m.ClipIndex(o.clip)
	if err != nil {
		return 0, usagef("%s: --clip: %v", m.Name, err)
	}
	return i, nil
}

// posed loads a model and poses it as the flags say.
func (o *options) posed(path string) (*skinning.Frame, int, error) {
	if math.IsNaN(o.time) || math.IsInf(o.time, 0) {
		return nil, 0, usagef("--time: %g is not a time", o.time)
	}
	m, err := load(path)
	if err != nil {
		return nil, 0, err
	}
	byDefault := -1
	if o.cmd.Flags().Changed("time") {
		if byDefault = 0; len(m.Clips) == 0 {
			return nil, 0, usagef("%s: --time: the model has no clips", m.Name)
		}
	}
	clip, err := o.clipIndex(m, byDefault)
	if err != nil {
		return nil, 0, err
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, clip, o.time)
	frame.SetPose(pose)
	if !o.shortestPath {
		skinning.NewSigns(m, clip).Apply(frame, o.time)
	}
	return frame, clip, nil
}

// load opens a model and says on standard error what was unusual about it.
func load(path string) (*skinning.Model, error) {
	m, err := assets.Open(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", m.Name, w)
	}
	return m, nil
}

// report prints v as one JSON object with --json, else calls text.
func (o *options) report(v any, text func()) error {
	if !o.json {
		text()
		return nil
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// output is what the commands that write one file print.
type output struct {
	Model    string  `json:"model"`
	Method   string  `json:"method"`
	Clip     string  `json:"clip"` // "" for the static pose
	Time     float64 `json:"time"`
	Vertices int     `json:"vertices"`
	Output   string  `json:"output"`
	Renderer string  `json:"renderer,omitempty"`
}

func (o *options) wrote(f *skinning.Frame, clip int, method skinning.Method) output {
	out := output{Model: f.Model.Name, Method: method.String(), Time: o.time, Vertices: len(f.Model.Skin.Positions), Output: o.output}
	if clip >= 0 {
		out.Clip = f.Model.Clips[clip].Name
	}
	return out
}

func runView(o *options, args []string) error {
	path := first(args)
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	width, height, err := o.parseSize()
	if err != nil {
		return err
	}
	opt := viewer.Options{Method: method, Time: o.time, Clay: o.clay, ShortestPath: o.shortestPath, Screenshot: o.screenshot}
	if o.cmd.Flags().Changed("size") {
		opt.Width, opt.Height = width, height
	}
	if o.against != "" {
		if opt.Against, err = parseMethod("against", o.against); err != nil {
			return err
		}
		opt.Split = true
	}
	path = cmp.Or(path, "demo:figure")
	m, err := load(path)
	if err != nil {
		return err
	}
	fits := &viewerFits{}
	opt.Fit = fits.run
	var sources sync.Map // the name that each model was opened by: what an export starts from
	sources.Store(m, path)
	opt.Load = func(path string) (*skinning.Model, error) {
		m, err := assets.Load(path)
		if err == nil {
			sources.Store(m, path)
		}
		return m, err
	}
	opt.Export = func(path string, master, fitted *skinning.Model) (string, error) {
		source, ok := sources.Load(master)
		if !ok {
			return "", fmt.Errorf("%s: no source to export from", master.Name)
		}
		export, err := assets.ExportFile(path, source.(string), fitted, fits.options(fitted))
		return exportNote(&export), err
	}
	if opt.Clip, err = o.clipIndex(m, 0); err != nil {
		return err
	}
	opt.Model = m
	if err := viewer.Run(o.cmd.Context(), opt); err != nil {
		return fmt.Errorf("%w (skinlab render and skinlab compare need no display)", err)
	}
	if !o.json {
		return nil
	}
	return o.report(map[string]any{"model": m.Name, "screenshot": o.screenshot}, nil)
}

func runInfo(o *options, args []string) error {
	path := first(args)
	m, err := load(path)
	if err != nil {
		return err
	}
	info := m.Describe()
	return o.report(info, func() { info.WriteText(os.Stdout) })
}

func runDeform(o *options, args []string) error {
	path := first(args)
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	if o.output == "" {
		return usagef("deform: no output: give -o FILE.obj, or -o - for standard output")
	}
	if o.output == "-" && o.json {
		return usagef("deform: -o - and --json both want standard output")
	}
	frame, clip, err := o.posed(path)
	if err != nil {
		return err
	}
	mesh := &frame.Model.Skin
	if len(mesh.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to deform", frame.Model.Name)
	}
	shape := frame.Reference(method)
	write := func(w io.Writer) error { return assets.WriteOBJ(w, shape.Positions, shape.Normals, mesh.Triangles) }
	if o.output == "-" {
		return write(os.Stdout)
	}
	if err := assets.WriteFileAtomic(o.output, write); err != nil {
		return err
	}
	out := o.wrote(frame, clip, method)
	return o.report(out, func() { fmt.Printf("%s: %d vertices by %s\n", out.Output, out.Vertices, out.Method) })
}

func runRender(o *options, args []string) error {
	path := first(args)
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	scene := &render.Scene{Method: method, Clay: o.clay, Grid: true}
	if scene.Width, scene.Height, err = o.parseSize(); err != nil {
		return err
	}
	if o.output == "" {
		return usagef("render: no output: give -o FILE.png")
	}
	frame, clip, err := o.posed(path)
	if err != nil {
		return err
	}
	scene.Frame = frame
	picture, err := render.RenderOnce(frame.Model, scene)
	if err != nil {
		return err
	}
	if err := assets.WritePNG(o.output, picture); err != nil {
		return err
	}
	out := o.wrote(frame, clip, method)
	return o.report(out, func() { fmt.Printf("%s: %d×%d pixels\n", out.Output, scene.Width, scene.Height) })
}

func runCompare(o *options, args []string) error {
	reference, err := parseMethod("reference", o.reference)
	if err != nil {
		return err
	}
	width, height, err := o.parseSize()
	if err != nil {
		return err
	}
	if o.frames < 1 || o.frames > 100_000 {
		return usagef("--frames: %d is not from 1 to 100000", o.frames)
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	m, err := load(args[0])
	if err != nil {
		return err
	}
	clip, err := o.clipIndex(m, 0)
	if err != nil {
		return err
	}
	if clip < 0 {
		return fmt.Errorf("%s: no clip to compare over", m.Name)
	}
	subjects, err := o.subjects(m, clip, reference)
	if err != nil {
		return err
	}
	rows, err := compare.Run(o.cmd.Context(), m, compare.Options{
		Reference: reference, Subjects: subjects, Clip: clip, Frames: o.frames, ShortestPath: o.shortestPath})
	if err != nil {
		return err
	}
	if o.output != "" {
		c := render.Comparison{Subjects: subjects, Reference: reference, Clip: clip, Clay: o.clay, ShortestPath: o.shortestPath, Width: width, Height: height}
		worst := rows[0]
		for _, r := range rows {
			if c.Subtitles = append(c.Subtitles, fmt.Sprintf("EE %.2f %%, volume ≥ %.0f %%", r.EE, 100*r.VolumeRatioMin)); r.Max > worst.Max {
				worst = r
			}
		}
		c.Vertex = worst.WorstVertex
		if c.Times, err = o.poseTimes(worst.WorstTime); err != nil {
			return err
		}
		picture, err := render.DrawComparison(m, &c)
		if err != nil {
			return err
		}
		if err := assets.WritePNG(o.output, picture); err != nil {
			return err
		}
	}
	result := map[string]any{"model": m.Name, "clip": m.Clips[clip].Name, "reference": reference.String(), "frames": o.frames, "rows": rows, "output": o.output}
	return o.report(result, func() {
		fmt.Printf("%s, %s, %d frames, against %v\n", m.Name, m.Clips[clip].Name, o.frames, reference)
		compare.WriteTable(os.Stdout, rows)
		if o.output != "" {
			fmt.Println(o.output)
		}
	})
}

// isFit and isFile tell the subjects of compare that are no direct method: those that are fitted on the spot to the clip that
// is compared, and files that a fit wrote.
func isFit(name string) bool { return name == "blend-bones" || name == "half-way" }

// fitName splits "blend-bones:4" into the method and its bones; without a number they are those of --bones.
func (o *options) fitName(name string) (method string, bones int, ok bool) {
	method, count, has := strings.Cut(name, ":")
	bones = o.bones
	if has {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > 1000 {
			return "", 0, false
		}
		bones = n
	}
	return method, bones, isFit(method)
}

func isFile(name string) bool {
	return strings.HasSuffix(name, ".glb") || strings.HasSuffix(name, ".gltf")
}

func (o *options) checkSubjects() error {
	if len(o.methods) == 0 {
		return usagef("--methods: no method")
	}
	for _, name := range o.methods {
		if _, _, ok := o.fitName(name); ok || isFile(name) {
			continue
		}
		if _, err := skinning.ParseMethod(name); err != nil {
			return usagef("--methods: %v, nor blend-bones[:N], half-way or a fitted .glb file", err)
		}
	}
	return nil
}

func (o *options) subjects(m *skinning.Model, clip int, reference skinning.Method) (subjects []compare.Subject, err error) {
	for _, name := range o.methods {
		s := compare.Subject{Name: name, Clip: clip}
		method, bones, fitted := o.fitName(name)
		switch {
		case fitted:
			out, err := job.Run(o.cmd.Context(), m, job.Spec{Method: method, Operator: reference, Bones: bones, Clip: clip, Test: -1}, nil)
			if err != nil {
				return nil, err
			}
			s.Model = out.Fitted
			s.Title = fmt.Sprintf("%d blend bones", len(out.Rig.Bones))
			if method == "half-way" {
				s.Title = fmt.Sprintf("%d half-way joints", len(out.Rig.Bones))
			}
		case isFile(name):
			if s.Model, err = load(name); err != nil {
				return nil, err
			}
			if s.Clip, err = s.Model.ClipIndex(m.Clips[clip].Name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			s.Name, s.Title = s.Model.Name, s.Model.Name
		default:
			method, err := parseMethod("methods", name)
			if err != nil {
				return nil, err
			}
			s = compare.Direct(method)[0]
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// poseTimes returns the times of --poses, or the one given.
func (o *options) poseTimes(byDefault float64) ([]float64, error) {
	if len(o.poses) == 0 {
		return []float64{byDefault}, nil
	}
	var times []float64
	for _, p := range o.poses {
		t, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, usagef("--poses: %q is not a time in seconds", p)
		}
		times = append(times, t)
	}
	return times, nil
}

// benchRepeats rounds are timed, each of benchRound.
const (
	benchRepeats = 15
	benchRound   = 10 * time.Millisecond
)

func runBench(o *options, args []string) error {
	path := first(args)
	if o.device != "cpu" && o.device != "gpu" && o.device != "all" {
		return usagef("--device: %q: not one of cpu, gpu, all", o.device)
	}
	if o.threads < 1 || o.threads > 1024 {
		return usagef("--threads: %d is not from 1 to 1024", o.threads)
	}
	if o.paper != "" {
		return o.benchPaper(path)
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	paths := assets.BuiltIn()
	if path != "" {
		paths = []string{path}
	}
	result := struct {
		CPU      string      `json:"cpu"`
		Renderer string      `json:"renderer"`
		Threads  int         `json:"threads"`
		Rows     []bench.Row `json:"rows"`
	}{bench.Processor(), "none (CPU kernels)", o.threads, []bench.Row{}}
	for _, p := range paths {
		m, err := load(p)
		if err != nil {
			return err
		}
		subjects, err := o.subjects(m, 0, skinning.DQS)
		if err != nil {
			return err
		}
		if o.device != "gpu" {
			rows, err := bench.CPU(o.cmd.Context(), m, bench.Options{Subjects: subjects, Threads: o.threads, Repeats: benchRepeats, Round: benchRound})
			if err != nil {
				return err
			}
			result.Rows = append(result.Rows, rows...)
		}
		if o.device != "cpu" {
			rows, info, err := render.BenchPoses(o.cmd.Context(), m, subjects, benchRepeats, benchRound)
			if err != nil {
				return err
			}
			result.Rows, result.Renderer = append(result.Rows, rows...), info.Renderer
		}
	}
	return o.report(result, func() {
		if o.device != "gpu" {
			fmt.Printf("%s, threads: %d, positions and normals, medians of %d rounds\n", result.CPU, o.threads, benchRepeats)
		}
		if o.device != "cpu" {
			fmt.Printf("%s: the pose pass, palette upload included; device \"software\" is the CPU, wall time to glFinish\n", result.Renderer)
		}
		bench.WriteTable(os.Stdout, result.Rows)
	})
}

func runFit(o *options, args []string) error {
	spec := job.Spec{Method: args[0], Bones: o.bones, Target: o.target, Test: -1, Workers: o.threads}
	if !isFit(spec.Method) {
		return usagef("fit: %q: not one of blend-bones, half-way", spec.Method)
	}
	var err error
	if spec.Operator, err = parseMethod("operator", o.operator); err != nil {
		return err
	}
	if spec.Operator == skinning.LBS {
		return usagef("--operator: lbs is linear already")
	}
	if o.bones < 1 || o.bones > 1000 || !(o.target >= 0) || !(o.fps >= 0 && o.fps <= 1000) || o.threads < 0 {
		return usagef("fit: --bones is from 1 to 1000, --fps from 0 to 1000, --target and --threads are not negative")
	}
	m, err := load(args[1])
	if err != nil {
		return err
	}
	if err := o.trainingSpec(m, &spec); err != nil {
		return err
	}
	out, err := job.Run(o.cmd.Context(), m, spec, job.Progress(os.Stderr))
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return err
	}
	if o.output != "" { // after Ctrl-C too: the best so far is usable
		export, err := assets.ExportFile(o.output, args[1], out.Fitted, exportOptions(&out.Report, o.fps))
		if err != nil {
			return err
		}
		out.Report.Output, out.Report.Note = o.output, exportNote(&export)
	}
	return o.report(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// trainingSpec reads --train CLIP[:N] and --test.
func (o *options) trainingSpec(m *skinning.Model, spec *job.Spec) (err error) {
	name := o.train
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		if _, whole := m.ClipIndex(name); whole != nil { // a clip may have a colon in its name
			n, err := strconv.Atoi(name[at+1:])
			if err != nil || n < 1 || n > 10_000 {
				return usagef("--train: %q is not CLIP:N with N from 1 to 10000", name)
			}
			name, spec.Frames = name[:at], n
		}
	}
	if name == "" {
		if len(m.Clips) == 0 {
			spec.Clip = job.RangeOfMotion
		}
	} else if spec.Clip, err = m.ClipIndex(name); err != nil {
		return usagef("%s: --train: %v", m.Name, err)
	}
	if o.test != "" {
		if spec.Test, err = m.ClipIndex(o.test); err != nil {
			return usagef("%s: --test: %v", m.Name, err)
		}
	}
	return nil
}

func exportOptions(r *job.Report, fps float64) assets.ExportOptions {
	return assets.ExportOptions{RMS: r.RMS, FPS: fps, Extras: map[string]any{"ee": r.EE, "rms": r.RMS, "max": r.Max, "train": r.Train, "frames": r.Frames}}
}

func exportNote(e *assets.ExportReport) string {
	return fmt.Sprintf("%d bones on %d nodes, %d clips baked, largest error between keys %.1e of the diagonal, %d bytes", e.Bones, e.AddedNodes, len(e.Clips), e.MaxError, e.Bytes)
}

// viewerFits runs the fits of the window's panel and remembers what an export of each model needs.
type viewerFits struct{ exports sync.Map }

// run is viewer.Options.Fit.
func (f *viewerFits) run(ctx context.Context, m *skinning.Model, req viewer.FitRequest, update func(viewer.FitUpdate)) {
	spec := job.Spec{Method: "blend-bones", Operator: req.Operator, Bones: req.Bones, Target: req.Target, Clip: req.Clip, Frames: req.Frames, Test: -1}
	var done []viewer.FitStep // a step never changes once it is followed by another
	out, err := job.Run(ctx, m, spec, func(p blendbones.Progress) {
		for _, s := range p.History[len(done):] {
			done = append(done[:len(done):len(done)], fitStep(m, s.Rig, s.EE, s.Elapsed))
		}
		update(viewer.FitUpdate{Now: fitStep(m, p.Rig, p.EE, p.Elapsed), History: done})
	})
	if err != nil {
		update(viewer.FitUpdate{Done: true, Err: err})
		return
	}
	var history []viewer.FitStep
	for _, s := range out.History {
		history = append(history, fitStep(m, s.Rig, s.EE, s.Elapsed))
	}
	now := fitStep(m, out.Rig, out.EE, out.Elapsed)
	for _, s := range append(history[:len(history):len(history)], now) {
		if out.EE > 0 { // RMS and EE differ by the same factor in all steps of a fit
			report := out.Report
			report.EE, report.RMS, report.Max = s.EE, out.RMS*s.EE/out.EE, out.Max
			f.exports.Store(s.Model, exportOptions(&report, 0))
		}
	}
	update(viewer.FitUpdate{Now: now, History: history, Done: true, Reason: out.Reason.String()})
}

func (f *viewerFits) options(fitted *skinning.Model) assets.ExportOptions {
	if o, ok := f.exports.Load(fitted); ok {
		return o.(assets.ExportOptions)
	}
	return assets.ExportOptions{}
}

func fitStep(m *skinning.Model, rig *blendbones.Rig, ee float64, elapsed time.Duration) viewer.FitStep {
	fitted, err := rig.Model(m)
	if err != nil {
		panic(err) // a rig of the solver is valid for the model that it was solved for
	}
	return viewer.FitStep{Bones: len(rig.Bones), EE: ee, Elapsed: elapsed, Model: fitted}
}

// benchPaper prints ALNS table 3 for a model, or for the built-in ones.
func (o *options) benchPaper(path string) error {
	if o.paper != "alns" {
		return usagef("--paper: %q: not alns", o.paper)
	}
	names := assets.BuiltIn()
	if path != "" {
		names = []string{path}
	}
	result := struct {
		CPU  string         `json:"cpu"`
		Rows []job.TableRow `json:"rows"`
	}{CPU: bench.Processor()}
	for _, name := range names {
		m, err := load(name)
		if err != nil {
			return err
		}
		row, err := job.ALNSRow(o.cmd.Context(), m)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, *row)
	}
	return o.report(&result, func() {
		fmt.Printf("%s, one thread, milliseconds a frame, medians; X' is linear blending with blend bones fitted to X, their evaluation included\n", result.CPU)
		job.WriteTable(os.Stdout, result.Rows)
	})
}
