// Command reproduce makes the tables and figures of the five papers anew, beside their own numbers, as a folder of
// pages. `make reproduce` builds it and makes all of them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"skinlab/assets"
	"skinlab/assets/report"
	"skinlab/fit/methods"
	"skinlab/lab/reproduce/pages"
	"skinlab/skinning/bench"
	"skinlab/skinning/progress"
)

// Exit codes.
const (
	exitData      = 1
	exitUsage     = 2
	exitInterrupt = 130 // Ctrl-C
)

func init() { runtime.LockOSThread() } // GL contexts stay on the first thread

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	err := run(progress.On(ctx, os.Stderr), os.Args[1:])
	interrupted := ctx.Err() != nil
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) && !(interrupted && errors.Is(err, context.Canceled)) {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
	}
	switch {
	case interrupted:
		os.Exit(exitInterrupt)
	case errors.As(err, new(usageError)):
		os.Exit(exitUsage)
	case err != nil:
		os.Exit(exitData)
	}
}

// usageError is a mistake on the command line.
type usageError struct{ error }

// run makes the papers that the arguments name, all of them where they name none.
func run(ctx context.Context, args []string) error {
	opt, folder := Options{Fits: methods.All()}, report.Folder{}
	f := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "reproduce -o DIR [PAPER...]: the tables and figures of %s anew, as pages\n",
			strings.Join(Names(), ", "))
		f.PrintDefaults()
	}
	f.StringVar(&folder.Path, "o", "", "write the pages to this `folder`; with -force in place of earlier ones")
	f.BoolVar(&folder.Replace, "force", false, "replace the pages of an earlier run, but no other folder and no file that is read")
	models := f.String("models", "", "`files`, comma-separated, whose rows tables of models have too, behind those of built-in models")
	f.StringVar(&opt.Folder, "shared", "", "`folder` of models that are not built in: pages do without those that are not there")
	f.BoolVar(&opt.Quick, "quick", false, "small sizes, to see that all of it works: the numbers are of no use")
	if err := f.Parse(args); err != nil {
		return usageError{err}
	}
	opt.Papers = f.Args()
	if len(opt.Papers) == 0 {
		opt.Papers = Names()
	}
	for _, name := range opt.Papers {
		if !slices.Contains(Names(), name) {
			return usageError{fmt.Errorf("%q: not one of %s", name, strings.Join(Names(), ", "))}
		}
	}
	if folder.Path == "" {
		return usageError{errors.New("no folder to write to: give -o DIR")}
	}
	var files []string
	if *models != "" {
		files = strings.Split(*models, ",")
	}
	for _, path := range files {
		folder.Reads = append(folder.Reads, assets.Files(path)...)
	}
	if err := folder.Check(); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: -force replaces it", err)
	} else if err != nil {
		return err
	}
	var err error
	if folder.Path, err = filepath.Abs(folder.Path); err != nil {
		return err
	}
	for _, path := range files {
		m, err := assets.Open(path)
		if err != nil {
			return err
		}
		opt.Models = append(opt.Models, m)
	}
	load := machineLoad()
	out, stopped := Run(ctx, opt)
	if stopped != nil && (ctx.Err() == nil || len(out.Papers) == 0) {
		return stopped
	}
	out.Command, out.Skinlab = strings.Join(append([]string{"reproduce"}, args...), " "), revision()
	out.Go, out.CPU = runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH, bench.Processor()
	out.Load = load
	out.Made = time.Now().Format(time.DateOnly)
	// An interrupted run keeps what it has made.
	page, err := pages.Write(context.WithoutCancel(ctx), folder, out)
	if err != nil {
		return err
	}
	for _, p := range out.Papers {
		fmt.Printf("%s: %d of %d tables and figures\n", p.Heading(), p.Made(), len(p.Sections))
	}
	fmt.Println(page)
	return stopped
}

// revision is the commit that this program was built from.
func revision() string {
	text, changed := "a development build", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				text = "commit " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", and changes to it"
			}
		}
	}
	return text + changed
}

// machineLoad returns the average number of runnable programs in the last minute on Linux; "" elsewhere.
func machineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) == 0 {
		return ""
	}
	return fmt.Sprintf("%d cores, load %s when the run began", runtime.NumCPU(), fields[0])
}
