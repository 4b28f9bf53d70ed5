// Command gpureport checks and measures skinlab on the machine's GPU, without a display, and writes its results to a
// folder: report.json, and gpu.md, from which docs/gpu.md is taken. `make gpu-report` builds it and runs it.
//
// It runs two other programs, so that it needs no Go where it runs: skinlab, and the tests of package render, which
// hold every method and pass on each path of the GPU against float64, pictures against the kept ones, and timer queries
// against the clock. The tests leave their figures as attributes in their verbose output.
//
// The parts are tests, fits, a measure for each size of the model, and the window. The files are written again after
// each part. If a part runs out of time or is interrupted, its results so far are kept.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/skinning/bench"
)

// report is what report.json holds.
type report struct {
	Made     string   `json:"made"` // date and time
	CPU      string   `json:"cpu"`
	Cores    int      `json:"cores"`
	Renderer gpu.Info `json:"renderer"`
	Parts    []part   `json:"parts"` // that were begun, in their order
	Clock    string   `json:"clock"` // whose time the measures' is
}

// part is a step of the report and what it found.
type part struct {
	Name    string  `json:"name"`
	Made    string  `json:"made"` // date and time
	Seconds float64 `json:"seconds"`
	Problem string  `json:"problem,omitempty"` // why it is not whole
	results
}

type results struct {
	testResults
	Measures []bench.Row   `json:"measures,omitempty"`
	Skipped  []string      `json:"skipped,omitempty"` // measures that could not be, and why
	Windows  []windowFrame `json:"windows,omitempty"`
}

// results returns what all parts found.
func (r *report) results() (all results) {
	for i := range r.Parts {
		p := &r.Parts[i]
		if len(p.Tests) > 0 {
			all.testResults = p.testResults
		}
		all.Measures, all.Skipped = append(all.Measures, p.Measures...), append(all.Skipped, p.Skipped...)
		all.Windows = append(all.Windows, p.Windows...)
	}
	return all
}

// reporter makes a report.
type reporter struct {
	report
	programs, models, folder string
	fitted                   []string // files of the fits
	end                      time.Time
}

const madeLayout = "2006-01-02 15:04 MST"

func init() { runtime.LockOSThread() } // GL contexts stay on the first thread

func main() {
	r := &reporter{}
	flag.StringVar(&r.programs, "programs", "bin/gpu", "`folder` with skinlab and render.test")
	flag.StringVar(&r.models, "models", "../shared/models", "`folder` of the real models")
	flag.StringVar(&r.folder, "o", "out/gpu", "`folder` to write to")
	only := flag.String("parts", "", "make only parts whose names match this regular `expression`, and keep the others of the folder's report")
	within := flag.Duration("within", 8*time.Minute, "when to be done")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r.end = time.Now().Add(*within)
	if err := r.run(ctx, *only); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// run makes all parts. It returns an error only where there can be no report: no renderer, or files that cannot be
// written. Failed checks are listed in the report. Only is the expression of -parts.
func (r *reporter) run(ctx context.Context, only string) (err error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.folder, "fits"), 0o755); err != nil {
		return err
	}
	r.Made, r.CPU, r.Cores = time.Now().UTC().Format(madeLayout), bench.Processor(), runtime.NumCPU()
	if err := render.WithHeadless(func(on *render.Renderer) error {
		r.Renderer, r.Clock = on.Info(), on.Timer().Label()
		return nil
	}); err != nil {
		return err
	}
	fmt.Printf("%s, %s\n", r.Renderer.Renderer, r.Renderer.Version)
	if r.Renderer.Software {
		fmt.Println("This is a software renderer: sizes are cut down, and no time is a GPU's.")
	}
	plan := r.plan()
	var kept report
	if only != "" {
		data, err := os.ReadFile(filepath.Join(r.folder, "report.json"))
		if err == nil {
			err = json.Unmarshal(data, &kept)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for i, p := range plan {
		if !wanted.MatchString(p.name) {
			if k := slices.IndexFunc(kept.Parts, func(x part) bool { return x.Name == p.name }); k >= 0 {
				r.Parts = append(r.Parts, kept.Parts[k])
			}
			continue
		}
		if ctx.Err() != nil {
			break
		}
		// A part may use all but a fair share of the time for those behind it.
		left := time.Until(r.end)
		share := 0.0
		for _, later := range plan[i:] {
			if wanted.MatchString(later.name) {
				share += later.weight
			}
		}
		limit := time.Duration(float64(left) * min(1, 1.5*p.weight/share))
		fmt.Printf("%s, at most %.0f s ...\n", p.name, limit.Seconds())
		start := time.Now()
		timed, cancel := context.WithTimeout(ctx, limit)
		done := part{Name: p.name, Made: start.UTC().Format(madeLayout)}
		err := p.do(timed, &done.results)
		late := timed.Err() != nil
		cancel()
		done.Seconds = time.Since(start).Seconds()
		switch {
		case late && ctx.Err() != nil:
			done.Problem = "interrupted"
		case late:
			done.Problem = fmt.Sprintf("not done within %.0f s", limit.Seconds())
		case err != nil:
			done.Problem = err.Error()
		}
		r.Parts = append(r.Parts, done)
		fmt.Printf("    %.1f s %s\n", done.Seconds, done.Problem)
		if err := r.write(); err != nil {
			return err
		}
	}
	fmt.Println(filepath.Join(r.folder, "gpu.md"))
	return nil
}

// planned is a part that is to be made. Weight is its share of the time.
type planned struct {
	name   string
	weight float64
	do     func(ctx context.Context, into *results) error
}

// plan lists the parts. On a software renderer a vertex costs a thousand times as much: there are fewer.
func (r *reporter) plan() []planned {
	parts := []planned{{"tests of package render", 4, r.test}}
	model := filepath.Join(r.models, "human_male.glb")
	if _, err := os.Stat(model); err != nil {
		model = "demo:figure"
	}
	name := filepath.Base(model)
	parts = append(parts, planned{"fits to " + name, 1, func(ctx context.Context, _ *results) error { return r.fit(ctx, model) }})
	measure := func(weight float64, subdivide int, crowds ...int) {
		what := "measure of " + name
		if subdivide > 0 {
			what += fmt.Sprintf(" × %d", 1<<(2*subdivide))
		}
		parts = append(parts, planned{what, weight, func(ctx context.Context, into *results) error {
			return r.measure(ctx, model, subdivide, crowds, into)
		}})
	}
	if r.Renderer.Software {
		measure(2, 0, 16)
	} else {
		measure(4, 0, 16, 256, 4096)
	}
	parts = append(parts, planned{"window", 2, func(ctx context.Context, into *results) error { return r.window(ctx, model, into) }})
	if !r.Renderer.Software {
		measure(2, 3)
		measure(2, 2)
	}
	return parts
}

// write writes the report and the page.
func (r *reporter) write() error {
	data, err := json.MarshalIndent(&r.report, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.folder, "report.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.folder, "gpu.md"), r.page(), 0o644)
}
