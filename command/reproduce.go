package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"skinlab/assets/report"
	"skinlab/command/flags"
	"skinlab/command/reproduce"
	"skinlab/fit"
	"skinlab/skinning/bench"
	"skinlab/skinning/messages"
)

// allPapers stands for the names of all papers.
const allPapers = "all"

// reproduceCommand makes papers' tables and figures anew, as pages.
type reproduceCommand struct {
	flags.Printer
	fits   []*fit.Method
	folder report.Folder
	quick  bool
	models []string
	shared string
}

func (c *reproduceCommand) register(f *pflag.FlagSet) {
	f.StringVarP(&c.folder.Path, "output", "o", "",
		"write the pages to this folder; with --force in place of earlier ones")
	f.BoolVar(&c.folder.Replace, "force", false,
		"replace the pages of an earlier run, but no other folder and no file that is read")
	f.StringSliceVar(&c.models, "models", nil, "files whose rows tables of models have too, behind those of built-in models")
	f.StringVar(&c.shared, "shared", "", "a folder of models that are not built in: pages do without those that are not there")
	f.BoolVar(&c.quick, "quick", false, "small sizes, to see that all of it works: the numbers are of no use")
	c.Printer.Register(f)
}

// words are what the command makes.
func (c *reproduceCommand) words() []string { return append(reproduce.Names(), allPapers) }

func (c *reproduceCommand) run(ctx context.Context, args []string) error {
	names := []string{args[0]}
	if words := c.words(); !slices.Contains(words, args[0]) {
		return flags.Usagef("reproduce: %q: not one of %s%s", messages.Shortened(args[0]), strings.Join(words, ", "),
			messages.Nearest(args[0], words))
	} else if args[0] == allPapers {
		names = reproduce.Names()
	}
	if c.folder.Path == "" {
		return flags.Usagef("reproduce: no folder to write to: give -o DIR")
	}
	c.folder.Reads = flags.ModelFiles(c.models...)
	if err := c.folder.Check(); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --force replaces it", err)
	} else if err != nil {
		return err
	}
	var err error
	if c.folder.Path, err = filepath.Abs(c.folder.Path); err != nil {
		return err
	}
	opt := reproduce.Options{Papers: names, Folder: c.shared, Fits: c.fits, Quick: c.quick}
	for _, path := range c.models {
		m, err := flags.Load(ctx, path)
		if err != nil {
			return err
		}
		opt.Models = append(opt.Models, m)
	}
	load := machineLoad()
	out, stopped := reproduce.Run(ctx, opt)
	if stopped != nil && (ctx.Err() == nil || len(out.Papers) == 0) {
		return stopped
	}
	out.Command, out.Skinlab = commandLine(os.Args[1:]), thisBuild().String()
	out.Go, out.CPU = runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH, bench.Processor()
	out.Load = load
	out.Made = time.Now().Format(time.DateOnly)
	// An interrupted run keeps what it has made.
	page, err := report.WriteReproduction(context.WithoutCancel(ctx), c.folder, out)
	if err != nil {
		return err
	}
	type counted struct {
		Paper    string `json:"paper"`
		Made     int    `json:"made"`
		Sections int    `json:"sections"`
	}
	result := struct {
		Page    string    `json:"page"`
		Stopped string    `json:"stopped,omitempty"`
		Papers  []counted `json:"papers"`
	}{Page: page, Stopped: out.Stopped}
	for _, p := range out.Papers {
		result.Papers = append(result.Papers, counted{p.Name, p.Made(), len(p.Sections)})
	}
	return errors.Join(c.Print(&result, func(out io.Writer) {
		for _, p := range result.Papers {
			fmt.Fprintf(out, "%s: %d of %s\n", strings.ToUpper(p.Paper), p.Made, messages.Count(p.Sections, "table or figure",
				"tables and figures"))
		}
		fmt.Fprintln(out, page)
	}), stopped)
}

// machineLoad returns the average number of runnable programs in the last minute on Linux; "" elsewhere.
func machineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, load %s when the run began", messages.Count(runtime.NumCPU(), "core", "cores"), fields[0])
}
