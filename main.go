// Skinlab shows what each way of skinning does to a rigged character, side by side, and what it costs.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/simd"
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
	method, reference        string
	against, methods         []string
	layout, beside, page     string
	startFit, paint          string
	clip, pose               string
	time                     float64
	shortestPath, clay, json bool
	heat                     bool
	output, screenshot, size string
	folder                   string
	joint, axis              string
	from, to, step           float64
	noInterface              bool
	resetSettings            bool
	device, skinning, simd   string
	instances, workers       []int
	sizes                    []string
	frames, threads          int
	poses                    []string
	operator, train, test    string
	targets, times, teach    string
	paper                    string
	bones, proxies           int
	target, fps, rigid       float64
	loocv, history           bool
	cmd                      *cobra.Command
}

// commands is the table of subcommands: use, summary, example, arguments, flags and what runs.
var commands = []struct {
	use, short, example string
	minArgs, maxArgs    int
	flags               string
	run                 func(o *options, args []string) error
}{
	{"view [MODEL]", "Open the viewer on a file or a built-in model", "skinlab view demo:arm --method dqs --clip twist",
		0, 1, "method panes reference pose clay screenshot size", runView},
	{"info MODEL", "Say what a file holds", "skinlab info character.glb --json",
		1, 1, "", runInfo},
	{"deform MODEL", "Write the posed skin as OBJ: v and vn per vertex, in file order", "skinlab deform character.glb --method dqs --clip walk --time 0.5 -o posed.obj",
		1, 1, "method pose output", runDeform},
	{"render MODEL", "Draw a picture; needs no display", "skinlab render demo:figure --method dib --clip twist --time 2 --size 1280x720 -o figure.png",
		1, 1, "method pose clay size output", runRender},
	{"compare MODEL", "Compare methods: errors, volumes, and pictures side by side", "skinlab compare demo:arm --reference dqs --methods lbs,sbs,dib --clip twist -o candy-wrapper.png",
		1, 1, "reference methods clip frames clay size sheet", runCompare},
	{"sweep MODEL", "Turn one joint through a range of angles: errors and volumes as curves", "skinlab sweep demo:arm --joint hand --axis twist --methods lbs,dqs -o twist.svg",
		1, 1, "reference methods sweep", runSweep},
	{"fit blend-bones|half-way|enveloping|ssd MODEL", "Fit bones to a method or to example shapes, and write a glTF that plain linear skinning plays",
		"skinlab fit blend-bones character.glb --operator dqs --bones 10 --train walk:12 -o fitted.glb\nskinlab fit enveloping character.glb --targets shapes/ --clip exercise -o fitted.glb",
		2, 2, "fit", runFit},
	{"bench [MODEL]", "Time the methods: ns per vertex, ratio to linear blending, share of the memory's speed",
		"skinlab bench --simd all --threads 1,2 --sizes 30k\nskinlab bench demo:figure --methods lbs,dqs --device all",
		0, 1, "methods device", runBench},
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "skinlab [view] [MODEL]",
		Short: "See what each way of skinning does to a character, and what it costs",
		Long: "skinlab plays rigged glTF files, switches their skinning live, measures where and how much each method errs, and times it.\n" +
			"MODEL is a .glb or .gltf file, or a built-in model: demo:box, demo:tube, demo:bar, demo:arm, demo:figure.\n\n" +
			simd.Variable + "=scalar, avx2 or avx512 forces the form of the processor's skinning kernels; else the fastest runs.",
		Example:       "skinlab\nskinlab character.glb\nskinlab demo:arm --method lbs --clip twist",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if _, err := simd.Default(); err != nil {
			return usageError{err}
		}
		return nil
	}
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
		case "panes":
			f.StringSliceVar(&o.against, "against", nil, "methods of the other pictures, comma-separated: one under a divider, or up to three")
			complete(cmd, "against")
			f.StringVar(&o.layout, "layout", "", "how the window is divided: one, split (two under a divider), two, four (default: as --against and --beside need it)")
			f.BoolVar(&o.heat, "heat", false, "colour the skin by the distance to the --reference")
			f.StringVar(&o.page, "page", "", "page of the panel at the right: model, pose, errors, sweep, timing, fit (default: the one that was open last)")
			completeWords(cmd, "page", "model", "pose", "errors", "sweep", "timing", "fit")
			f.StringVar(&o.startFit, "fit", "", "fit blend-bones or enveloping to the model at once, as the page fit proposes; a screenshot waits for it")
			completeWords(cmd, "fit", "blend-bones", "enveloping")
			f.StringVar(&o.paint, "paint", "", "paint what a fit has added on the skin: groups, or of enveloping keys or turning")
			completeWords(cmd, "paint", "groups", "keys", "turning")
			f.StringVar(&o.beside, "beside", "", "another file, shown in the second picture with the same motion")
		case "reference":
			f.StringVar(&o.reference, "reference", "dqs", "the method that the others are measured against; of compare also examples, the shapes of the model's own example set")
			completeWords(cmd, "reference", append(methodNames(skinning.Methods()), exampleReference)...)
		case "methods":
			f.StringSliceVar(&o.methods, "methods", methodNames(skinning.Methods()), "comma-separated methods")
			complete(cmd, "methods")
		case "pose":
			addClip(cmd, o, "clip to pose from, a name, an index, or stress:twist, stress:bend, stress:shrug, made for any skeleton (default: the first, or the static pose where no --time is given)")
			f.Float64Var(&o.time, "time", 0, "time in the clip, seconds")
			f.StringVar(&o.pose, "pose", "", "a pose file that the viewer saved, in place of a clip")
		case "clip":
			addClip(cmd, o, "clip, a name, an index, or stress:twist, stress:bend, stress:shrug, made for any skeleton (default: the first)")
		case "clay":
			f.BoolVar(&o.clay, "clay", false, "one plain material instead of the file's")
		case "screenshot":
			f.StringVar(&o.screenshot, "screenshot", "", "write a picture of the settled window to this PNG file and quit; settings are neither read nor kept")
			f.BoolVar(&o.noInterface, "no-interface", false, "leave the interface out of --screenshot")
			f.BoolVar(&o.resetSettings, "reset-settings", false, "forget what the window has kept, recent files too")
		case "size":
			f.StringVar(&o.size, "size", "1280x720", "picture size in pixels, WxH")
		case "output":
			f.StringVarP(&o.output, "output", "o", "", "file to write")
		case "sheet":
			f.StringVarP(&o.output, "output", "o", "", "write pictures side by side to this PNG file, methods across, poses down")
			f.BoolVar(&o.heat, "heat", false, "under each picture the same with the distance to the reference in colour, and a legend")
			f.StringVar(&o.folder, "report", "", "write a report to this folder: a page with the table, pictures and curves, and all values as data.json; replaces an earlier report")
			f.StringSliceVar(&o.poses, "poses", nil, "times in the clip that the pictures show, seconds (default: where the methods differ most)")
			f.Lookup("size").DefValue, o.size = "400x500", "400x500"
		case "sweep":
			f.StringVar(&o.joint, "joint", "", "the joint to turn, by name or index")
			completeJoint(cmd)
			f.StringVar(&o.axis, "axis", "twist", "what it is turned about: twist (along the bone), bend, side (across it)")
			completeWords(cmd, "axis", "twist", "bend", "side")
			f.Float64Var(&o.from, "from", -180, "first angle from the rest pose, degrees")
			f.Float64Var(&o.to, "to", 180, "last angle, degrees")
			f.Float64Var(&o.step, "step", 5, "degrees between angles")
			f.IntVar(&o.bones, "bones", 10, "blend bones that the method blend-bones may add; it is fitted to poses made from the skeleton")
			f.StringVarP(&o.output, "output", "o", "", "draw the error and the volume around the joint over the angle, as this .svg or .png file")
		case "frames":
			f.IntVar(&o.frames, "frames", 24, "poses to measure, spread evenly over the clip")
			f.IntVar(&o.bones, "bones", 10, "blend bones that the method blend-bones may add; blend-bones:N says it for one of several. It is fitted to 12 poses of the clip")
		case "fit":
			f.StringVar(&o.operator, "operator", "dqs", "the nonlinear method to make linear: dqs sdqs dib sbs")
			complete(cmd, "operator")
			f.IntVar(&o.bones, "bones", 10, "blend bones at most")
			f.Float64Var(&o.target, "target", 0, "stop when the enveloping error falls below this percentage; enveloping: as few proxy bones as keep the error of the vertex reduction alone below it")
			f.StringVar(&o.train, "train", "", "training poses: CLIP[:N], N evenly from the clip (default: 12 of the first clip, or poses made from the skeleton)")
			f.StringVar(&o.test, "test", "", "a clip to measure the error on that was not trained on")
			f.IntVar(&o.proxies, "proxies", 80, "enveloping: proxy bones at most")
			f.BoolVar(&o.history, "history", false, "enveloping: measure models of fewer proxy bones too, from 5 up; the last is the same")
			f.Float64Var(&o.rigid, "rigid", 0.6, "enveloping: vertices that trained weights predict better than this share of the mean error are left to them")
			f.StringVar(&o.targets, "targets", "", "enveloping, ssd: a folder of OBJ files, the example shapes by name in the order of the keys of --clip (default: the model's own examples)")
			f.StringVar(&o.clip, "clip", "", "the clip that --targets belong to")
			f.StringVar(&o.times, "times", "", "where in --clip the shapes belong: seconds, comma-separated, or even, spread evenly over its keys (default: one shape for each key)")
			f.StringVar(&o.teach, "teach", "", "enveloping, ssd: learn from this method's shapes at the poses of --train: dqs sdqs dib sbs")
			complete(cmd, "teach")
			f.BoolVar(&o.loocv, "loocv", false, "enveloping, ssd: predict each example from all the others too (leave-one-out cross validation)")
			f.Float64Var(&o.fps, "fps", 0, "keys a second of the baked bones (default: as many as keep the error between keys below a tenth of the fit's)")
			f.IntVar(&o.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
			f.StringVarP(&o.output, "output", "o", "", "GLB file to write")
		case "device":
			f.StringVar(&o.device, "device", "cpu", "what to time: the kernels on the cpu, the pose pass on the gpu, or all")
			f.StringVar(&o.skinning, "skinning", "buffer", "where the GPU poses: in the shader of every pass, once a frame in a buffer by compute or feedback (buffer: by the better of the two), or all")
			f.IntSliceVar(&o.instances, "instances", nil, "sizes of crowds to time on the GPU, each up to 4096, such as 1,16,256")
			f.IntSliceVar(&o.workers, "threads", []int{1}, "threads to skin on; several, such as 1,2, for rows of each and the speed-up")
			f.StringVar(&o.simd, "simd", "", "form of the CPU's kernels: scalar, avx2, avx512, or all that the machine has (default: "+simd.Variable+", else the fastest)")
			completeWords(cmd, "simd", "scalar", "avx2", "avx512", "all")
			f.StringSliceVar(&o.sizes, "sizes", []string{"3k", "30k", "1M"}, "vertices of the meshes to time the kernels of the CPU on, beside MODEL where one is given: 70 joints, 4 influences each; none for MODEL alone")
			f.IntVar(&o.bones, "bones", 10, "blend bones of the method blend-bones, fitted to dqs on 12 poses of the first clip; on the meshes of --sizes fitted to nothing")
			f.StringVar(&o.paper, "paper", "", "print a paper's table instead, of the same shape: alns for its table 3, with blend bones, rter for its table 1, with enveloping")
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
	completeWords(cmd, flag, methodNames(skinning.Methods())...)
}

func completeWords(cmd *cobra.Command, flag string, words ...string) {
	completeBy(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func completeBy(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	// The only error is a flag that does not exist, a mistake in the table above.
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
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
	i, err := namedClip(m, o.clip)
	if err != nil {
		return 0, usagef("%s: --clip: %v", m.Name, err)
	}
	return i, nil
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
