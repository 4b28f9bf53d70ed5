package command

// This file is the command line's flags: what each command takes, and what several share.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/simd"
)

// options are the flags of all commands, of which each takes some.
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
	from, to, step, turn     float64
	noInterface, force       bool
	piped                    bool   // the output goes to standard output
	named                    string // what there is to say of the output's name
	resetSettings            bool
	device, skinning, simd   string
	instances, workers       []int
	sizes                    []string
	frames, threads          int
	poses                    []string
	operator, test           string
	train                    []string
	targets, times, teach    string
	testTargets, testClip    string
	testTimes                string
	holdOut                  int
	paper                    string
	bones, proxies           int
	target, fps, rigid       float64
	loocv, history           bool
	cmd                      *cobra.Command
}

// addFlags gives a command its flags, --json among them, and what it runs.
func addFlags(cmd *cobra.Command, flags func(*options), run func(*options, []string) error) {
	o := &options{cmd: cmd}
	if flags != nil {
		flags(o)
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object on standard output")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return run(o, args) }
}

func (o *options) viewFlags() {
	o.methodFlag()
	f := o.cmd.Flags()
	f.StringSliceVar(&o.against, "against", nil,
		"methods of the other pictures, comma-separated: one under a divider, or up to three")
	o.completeMethods("against")
	f.StringVar(&o.beside, "beside", "", "another file, shown in the second picture with the same motion")
	f.StringVar(&o.layout, "layout", "",
		"how the window is divided: one, split (two under a divider), two, four (default: as --against and --beside need it)")
	o.completeWords("layout", "one", "split", "two", "four")
	f.BoolVar(&o.heat, "heat", false, "colour the skin by the distance to the --reference")
	o.referenceFlag("the method that errors are distances to")
	f.StringVar(&o.page, "page", "",
		"page of the panel at the right: model, pose, errors, sweep, timing, fit (default: the one that was open last)")
	o.completeWords("page", "model", "pose", "errors", "sweep", "timing", "fit")
	f.StringVar(&o.startFit, "fit", "",
		"fit blend-bones or enveloping to the model at once, as the page fit proposes; a screenshot waits for it")
	o.completeWords("fit", "blend-bones", "enveloping")
	f.StringVar(&o.paint, "paint", "", "paint what a fit has added on the skin: groups, or of enveloping keys or turning")
	o.completeWords("paint", "groups", "keys", "turning")
	o.poseFlags("the first")
	o.clayFlag()
	o.sizeFlag("", "window size, WxH (default: as it was left)")
	f.StringVar(&o.screenshot, "screenshot", "",
		"write a picture of the settled window to this PNG file and quit; settings are neither read nor kept")
	o.forceFlag()
	f.BoolVar(&o.noInterface, "no-interface", false, "leave the interface out of --screenshot")
	f.BoolVar(&o.resetSettings, "reset-settings", false, "forget what the window has kept, recent files too")
}

func (o *options) compareFlags() {
	o.referenceFlag("what the others are measured against: a method, or examples, the shapes of the model's own example set", exampleReference)
	o.methodsFlag("blend-bones[:N] half-way enveloping[:P] ssd psd, and fitted files; with --reference examples the examples too")
	o.clipFlags("clip", "the first")
	f := o.cmd.Flags()
	f.IntVar(&o.frames, "frames", 24, "poses to measure, spread evenly over the clip")
	o.bonesFlag("blend bones that the method blend-bones may add; blend-bones:N says it for one of several. It is fitted to 12 poses of the clip")
	o.clayFlag()
	o.sizeFlag("400x500", "size of each picture in pixels, WxH")
	o.outputFlag("write pictures side by side to this PNG file, methods across, poses down")
	f.BoolVar(&o.heat, "heat", false,
		"under each picture the same with the distance to the reference in colour, and a legend")
	f.StringVar(&o.folder, "report", "",
		"write a report to this folder: a page with the table, pictures and curves, and all values as data.json; "+
			"with --force in place of an earlier report")
	f.StringSliceVar(&o.poses, "poses", nil,
		"times in the clip that the pictures show, seconds (default: where the methods differ most)")
}

func (o *options) sweepFlags() {
	f := o.cmd.Flags()
	f.StringVar(&o.joint, "joint", "", "the joint to turn, by name or index")
	o.completeBy("joint", completeJoint)
	f.StringVar(&o.axis, "axis", "twist", "what it is turned about: twist (along the bone), bend, side (across it)")
	o.completeWords("axis", "twist", "bend", "side")
	f.Float64Var(&o.from, "from", -180, "first angle from the rest pose, degrees")
	f.Float64Var(&o.to, "to", 180, "last angle, degrees")
	f.Float64Var(&o.step, "step", 5, "degrees between angles")
	o.referenceFlag("the method that the others are measured against")
	o.methodsFlag("blend-bones[:N] half-way enveloping[:P] ssd, and fitted files")
	o.bonesFlag("blend bones that the method blend-bones may add; it is fitted to poses made from the skeleton")
	o.outputFlag("draw the error and the volume around the joint over the angle, as this .svg or .png file")
}

func (o *options) fitFlags() {
	f := o.cmd.Flags()
	f.StringVar(&o.operator, "operator", "",
		"blend-bones, half-way: the nonlinear method to make linear: dqs sdqs dib sbs "+
			"(default: sdqs where joints scale, else dqs)")
	o.completeMethods("operator")
	o.bonesFlag("blend-bones: added at most")
	f.Float64Var(&o.target, "target", 0, "stop when the enveloping error falls below this percentage; "+
		"enveloping: with the fewest proxy bones that have it there")
	f.StringArrayVar(&o.train, "train", nil,
		"training poses: CLIP[:N], N evenly from the clip, 12 without N; may be given several times "+
			"(default: 24 poses that stand for all clips, or poses made from the skeleton)")
	f.StringVar(&o.test, "test", "", "a clip to measure the error on that was not trained on; of fits to example shapes, "+
		"a clip with shapes of its own, or another file with examples on the same joints")
	f.IntVar(&o.holdOut, "holdout", 0,
		"enveloping, ssd: keep so many of --targets from the training, evenly spread, and measure the error on them")
	f.StringVar(&o.testTargets, "test-targets", "",
		"enveloping, ssd: a folder of OBJ files to measure the error on, as --targets")
	f.StringVar(&o.testClip, "test-clip", "", "the clip that --test-targets belong to (default: that of --clip)")
	f.StringVar(&o.testTimes, "test-times", "", "where in it they belong, as --times")
	f.IntVar(&o.proxies, "proxies", 80, "enveloping: proxy bones at most")
	f.BoolVar(&o.history, "history", false,
		"enveloping: measure models of fewer proxy bones too, from 5 up; the last is the same")
	f.Float64Var(&o.rigid, "rigid", 0.6,
		"enveloping: vertices that trained weights predict better than this share of the mean error are left to them")
	f.StringVar(&o.targets, "targets", "",
		"enveloping, ssd: a folder of OBJ files, the example shapes by name, numbers by value, in the order of the keys of --clip "+
			"(default: the model's own examples)")
	f.StringVar(&o.clip, "clip", "", "enveloping, ssd: the clip that --targets belong to")
	f.StringVar(&o.times, "times", "",
		"where in --clip the shapes belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one shape for each key)")
	f.StringVar(&o.teach, "teach", "",
		"enveloping, ssd: learn from this method's shapes at the poses of --train: dqs sdqs dib sbs")
	o.completeMethods("teach")
	f.BoolVar(&o.loocv, "loocv", false,
		"enveloping, ssd: predict each example from all the others too (leave-one-out cross validation)")
	f.Float64Var(&o.fps, "fps", 0, "keys a second of the baked bones (default: as many as keep the error between keys below a tenth of the fit's)")
	f.IntVar(&o.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
	o.outputFlag("GLB file to write")
}

func (o *options) benchFlags() {
	o.methodsFlag("blend-bones[:N] half-way enveloping[:P] ssd, and fitted files")
	f := o.cmd.Flags()
	f.StringVar(&o.device, "device", "cpu", "what to time: the kernels on the cpu, the pose pass on the gpu, or all")
	o.completeWords("device", "cpu", "gpu", "all")
	f.IntSliceVar(&o.workers, "threads", []int{1},
		"threads to skin on; several, such as 1,2, for rows of each and the speed-up")
	f.StringVar(&o.simd, "simd", "", "form of the CPU's kernels: scalar, avx2, avx512, or all that the machine has "+
		"(default: "+simd.Variable+", else the fastest)")
	o.completeWords("simd", "scalar", "avx2", "avx512", "all")
	f.StringSliceVar(&o.sizes, "sizes", []string{"3k", "30k", "1M"},
		"vertices of the meshes to time the kernels of the CPU on, "+
			"beside MODEL where one is given: 70 joints, 4 influences each; none for MODEL alone")
	f.Float64Var(&o.turn, "turn", bench.MeshTurn, "by how many degrees poses of the meshes turn joints, at most; at 180 "+
		"nearly every group of vertices has motions in two hemispheres, which cost more")
	o.bonesFlag("blend bones of the method blend-bones, fitted to dqs on 12 poses of the first clip; on the meshes of --sizes fitted to nothing")
	f.StringVar(&o.skinning, "skinning", "buffer",
		"where the GPU poses: in the shader of every pass, once a frame in a buffer by compute or feedback "+
			"(buffer: by the better of the two), or all")
	o.completeWords("skinning", "shader", "compute", "feedback", "buffer", "all")
	f.IntSliceVar(&o.instances, "instances", nil, "sizes of crowds to time on the GPU, each up to 4096, such as 1,16,256")
	f.StringVar(&o.paper, "paper", "",
		"print a paper's table instead, of the same shape: alns for its tables 3 and 4, with blend bones, "+
			"rter for its table 1, with enveloping")
	o.completeWords("paper", "alns", "rter")
}

func (o *options) methodFlag() {
	o.cmd.Flags().StringVar(&o.method, "method", "lbs", "skinning method: "+strings.Join(directMethods(), " "))
	o.completeMethods("method")
}

// methodsFlag adds --methods, which takes the direct ones and others.
func (o *options) methodsFlag(others string) {
	o.cmd.Flags().StringSliceVar(&o.methods, "methods", directMethods(),
		"comma-separated: "+strings.Join(directMethods(), " ")+", "+others)
	o.completeMethods("methods")
}

func (o *options) referenceFlag(usage string, others ...string) {
	o.cmd.Flags().StringVar(&o.reference, "reference", "dqs", usage)
	o.completeWords("reference", append(directMethods(), others...)...)
}

// poseFlags add what poses a model; byDefault is the clip that is taken where none is named.
func (o *options) poseFlags(byDefault string) {
	o.clipFlags("clip to pose from", byDefault)
	o.cmd.Flags().Float64Var(&o.time, "time", 0, "time in the clip, seconds")
	o.cmd.Flags().StringVar(&o.pose, "pose", "", "a pose file that the viewer saved, in place of a clip")
}

func (o *options) clipFlags(what, byDefault string) {
	f := o.cmd.Flags()
	f.StringVar(&o.clip, "clip", "",
		what+": a name, an index, or stress:twist, stress:bend, stress:shrug, made for any skeleton (default: "+byDefault+")")
	f.BoolVar(&o.shortestPath, "shortest-path", true,
		"turn each joint the shorter way round; false follows its rotation through the clip, past 180 degrees")
}

func (o *options) clayFlag() {
	o.cmd.Flags().BoolVar(&o.clay, "clay", false, "one plain material instead of the file's")
}

func (o *options) sizeFlag(byDefault, usage string) {
	o.cmd.Flags().StringVar(&o.size, "size", byDefault, usage)
}

func (o *options) bonesFlag(usage string) { o.cmd.Flags().IntVar(&o.bones, "bones", 10, usage) }

// outputFlag adds -o and what goes with it.
func (o *options) outputFlag(usage string) {
	o.cmd.Flags().StringVarP(&o.output, "output", "o", "", usage)
	o.forceFlag()
}

func (o *options) forceFlag() {
	o.cmd.Flags().BoolVar(&o.force, "force", false, "replace a file that exists, but never one that is read")
}

func (o *options) completeMethods(flag string) {
	o.completeWords(flag, directMethods()...)
}

func (o *options) completeWords(flag string, words ...string) {
	o.completeBy(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func (o *options) completeBy(flag string, f cobra.CompletionFunc) {
	// The only error is a flag that does not exist, a mistake in this file.
	if err := o.cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
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

// report prints v as one JSON object with --json, else calls text, unless standard output has the output itself.
func (o *options) report(v any, text func()) error {
	if o.named != "" {
		fmt.Fprintln(os.Stderr, o.named)
	}
	if !o.json {
		if !o.piped {
			text()
		}
		return nil
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// checkOutput checks the file of -o, where there is one, before the work and not after it. The endings are those of its
// format, models the arguments that may be models.
func (o *options) checkOutput(models []string, endings ...string) error {
	return o.checkFile("-o", &o.output, models, endings...)
}

// checkFile checks the file of a flag and makes it the whole path that is written to, see [assets.Output].
func (o *options) checkFile(flag string, path *string, models []string, endings ...string) error {
	if *path == "" {
		return nil
	}
	if *path == "-" {
		return usagef("%s -: standard output is for deform alone: name a file, or /dev/stdout", flag)
	}
	out := assets.Output{Path: *path, Endings: endings, Replace: o.force,
		Reads: func() []string { return o.reads(models) }}
	whole, err := out.Check()
	switch {
	case errors.Is(err, assets.ErrEnding):
		return usagef("%s: %w", flag, err)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: --force replaces it", err)
	case err != nil:
		return err
	}
	if o.piped = assets.IsStandardOutput(whole); o.piped && o.json {
		return usagef("%s %s and --json both want standard output", flag, *path)
	}
	if filepath.Base(whole) != filepath.Base(*path) {
		o.named = fmt.Sprintf("note: %s has no ending: it is written as %s", *path, whole)
	}
	*path = whole
	return nil
}

// reads lists the files that the command reads, as far as the command line names them. What is no file is no harm.
func (o *options) reads(models []string) (files []string) {
	for _, name := range slices.Concat(models, o.methods, []string{o.beside, o.test}) {
		files = append(files, assets.Files(name)...)
	}
	for _, folder := range []string{o.targets, o.testTargets} {
		if folder != "" {
			shapes, _ := objFiles(folder) // the fit says what is wrong with the folder
			files = append(files, shapes...)
		}
	}
	return append(files, o.pose)
}

// readPose reads the file of --pose and says on standard error what of it the model lacks.
func (o *options) readPose(m *skinning.Model) (*skinning.Pose, error) {
	if o.cmd.Flags().Changed("clip") || o.cmd.Flags().Changed("time") {
		return nil, usagef("--pose stands in place of --clip and --time")
	}
	pose := m.NewPose()
	warnings, err := assets.ReadPose(o.pose, m, pose)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", o.pose, w)
	}
	return pose, nil
}
