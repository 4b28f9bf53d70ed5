// Command gpureport checks and measures skinlab on the machine's GPU, without a display, and writes its results to a
// folder: report.json, and gpu.md, from which docs/gpu.md is taken. `make gpu-report` builds it and runs it.
//
// It runs two other programs, so that it needs no Go where it runs: skinlab, and the tests of package render, which
// hold every method and pass on each path of the GPU against float64, pictures against the kept ones, and timer queries
// against the clock. The tests leave their figures as attributes in their verbose output.
//
// The parts are, in order: renderer, tests, fits, a measure for each model, window. The files are written again after
// each part. If a part runs out of time or is interrupted, its results so far are kept.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/skinning/bench"
)

// report is what report.json holds.
type report struct {
	Made     string        `json:"made"` // date and time
	CPU      string        `json:"cpu"`
	Cores    int           `json:"cores"`
	Renderer gpu.Info      `json:"renderer"`
	Parts    []part        `json:"parts"` // that were begun, in their order
	Tests    testResults   `json:"tests"`
	Clock    string        `json:"clock"` // whose time the measures' is
	Measures []bench.Row   `json:"measures"`
	Skipped  []string      `json:"skipped"` // measures that could not be, and why
	Windows  []windowFrame `json:"windows"`
}

// part is a step of the report.
type part struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Problem string  `json:"problem,omitempty"` // why it is not whole
}

// reporter makes a report.
type reporter struct {
	report
	programs, models, folder string
	scratch                  string              // temporary folder
	fitted                   map[string][]string // files of the fits, by model
	end                      time.Time
}

func init() { runtime.LockOSThread() } // GL contexts stay on the first thread

func main() {
	r := &reporter{fitted: map[string][]string{}}
	flag.StringVar(&r.programs, "programs", "bin/gpu", "`folder` with skinlab and render.test")
	flag.StringVar(&r.models, "models", "../shared/models", "`folder` of the real models")
	flag.StringVar(&r.folder, "o", "out/gpu", "`folder` to write to")
	within := flag.Duration("within", 8*time.Minute, "when to be done")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r.end = time.Now().Add(*within)
	if err := r.run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// run makes all parts. It returns an error only where there can be no report: no renderer, or files that cannot be
// written. Failed checks are listed in the report.
func (r *reporter) run(ctx context.Context) (err error) {
	if err := os.MkdirAll(r.folder, 0o755); err != nil {
		return err
	}
	if r.scratch, err = os.MkdirTemp("", "gpureport"); err != nil {
		return err
	}
	defer os.RemoveAll(r.scratch)
	r.Made, r.CPU, r.Cores = time.Now().UTC().Format("2006-01-02 15:04 MST"), bench.Processor(), runtime.NumCPU()
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
	for i, p := range plan {
		if ctx.Err() != nil {
			break
		}
		// A part may use all but a fair share of the time for those behind it.
		left := time.Until(r.end)
		share := 0.0
		for _, later := range plan[i:] {
			share += later.weight
		}
		limit := time.Duration(float64(left) * min(1, 1.5*p.weight/share))
		fmt.Printf("%s, at most %.0f s ...\n", p.name, limit.Seconds())
		start := time.Now()
		timed, cancel := context.WithTimeout(ctx, limit)
		err := p.do(timed)
		late := timed.Err() != nil
		cancel()
		done := part{Name: p.name, Seconds: time.Since(start).Seconds()}
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
	do     func(ctx context.Context) error
}

// plan lists the parts. On a software renderer a vertex costs a thousand times as much: there are fewer.
func (r *reporter) plan() []planned {
	human := filepath.Join(r.models, "human_male.glb")
	parts := []planned{
		{"tests of package render", 10, r.test},
		{"fits to demo:figure", 2, func(ctx context.Context) error { return r.fit(ctx, "demo:figure") }},
	}
	measure := func(weight float64, model string, subdivide int, instances ...int) {
		name := "measure of " + filepath.Base(model)
		if subdivide > 0 {
			name += fmt.Sprintf(" × %d", 1<<(2*subdivide))
		}
		parts = append(parts, planned{name, weight, func(ctx context.Context) error {
			return r.measure(ctx, model, subdivide, instances)
		}})
	}
	if r.Renderer.Software {
		measure(2, "demo:figure", 0, 1, 16)
	} else {
		measure(4, "demo:figure", 0, 1, 16, 256, 4096)
	}
	if _, err := os.Stat(human); err != nil {
		r.Skipped = append(r.Skipped, fmt.Sprintf("%s: %v", human, err))
		return parts
	}
	parts = append(parts,
		planned{"fits to human_male.glb", 2, func(ctx context.Context) error { return r.fit(ctx, human) }})
	if r.Renderer.Software {
		measure(2, human, 0, 1)
	} else {
		measure(4, human, 0, 1, 16, 256, 4096)
		// A pass over more than some 60 million vertices would take up the time of all the rest.
		measure(4, human, 2, 1, 16, 256)
		measure(4, human, 3, 1, 16)
	}
	return append(parts, planned{"window", 2, func(ctx context.Context) error { return r.window(ctx, human) }})
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
