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

	"github.com/spf13/cobra"

	"skinlab/assets"
)

// options are the flags of all commands, of which each takes some.
type options struct {
	clip                  string
	json, force           bool
	output                string
	piped                 bool   // the output goes to standard output
	named                 string // what there is to say of the output's name
	threads               int
	operator, test        string
	train                 []string
	targets, times, teach string
	testTargets, testClip string
	testTimes             string
	holdOut               int
	bones, proxies        int
	target, fps, rigid    float64
	loocv, history        bool
	cmd                   *cobra.Command
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
	for _, name := range append(slices.Clone(models), o.test) {
		files = append(files, assets.Files(name)...)
	}
	for _, folder := range []string{o.targets, o.testTargets} {
		if folder != "" {
			shapes, _ := objFiles(folder) // the fit says what is wrong with the folder
			files = append(files, shapes...)
		}
	}
	return files
}
