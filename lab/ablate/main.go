// Command ablate measures what every heuristic and every tuned constant of the fits buys, and writes the table of
// docs/ablation.md: `make ablate`. It is run in the folder lab.
//
// A row changes the recipe of a fit ([recipes.Row]), and the program lab/ablate/measure fits every set with it. What
// it prints is kept in a folder under the hash of the program and the row: a run that was interrupted goes on where
// it was.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"

	"skinlab/lab/ablate/recipes"
)

// outcome is a line of lab/ablate/measure.
type outcome struct {
	Set        string
	Seen       float64
	Unseen     float64
	BaseSeen   float64 `json:"base_seen"`
	BaseUnseen float64 `json:"base_unseen"`
	Added      int
	Influences float64
	Seconds    float64
}

func main() {
	var h harness
	only := flag.String("rows", ".", "regular `expression` of the rows to measure, by their fits and names: ^blendbones: no")
	jobs := flag.Int("jobs", 1, "rows measured at a time, each on one processor")
	flag.StringVar(&h.models, "models", "../../shared/models", "`folder` of the real models")
	flag.StringVar(&h.kept, "keep", "../out/ablate", "`folder` in which measurements are kept")
	table := flag.String("o", "../docs/ablation.md", "`file` to write the table to")
	flag.Parse()
	all, err := choose(*only)
	if err == nil {
		err = h.run(all, *jobs, *table)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// harness measures rows.
type harness struct {
	models, kept string
	program      string // that measures
	hash         string // of the program
}

// choose lists the baselines and the rows that are asked for.
func choose(only string) (all []recipes.Row, err error) {
	take, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	for k := range fits {
		all = append(all, recipes.Row{Name: "as it is", Fit: fits[k].folder})
	}
	for _, r := range recipes.Rows() {
		if take.MatchString(r.Fit + ": " + r.Name) {
			all = append(all, r)
		}
	}
	return all, nil
}

// run measures rows, the baselines first, and writes the table anew after each.
func (h *harness) run(todo []recipes.Row, jobs int, table string) (err error) {
	if err := os.MkdirAll(h.kept, 0o755); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := h.build(folder); err != nil {
		return err
	}
	results, faults := make([][]outcome, len(todo)), make([]error, len(todo))
	var done sync.Mutex // guards results and faults
	finish := func(k int, got []outcome, fault error) {
		done.Lock()
		defer done.Unlock()
		results[k], faults[k] = got, fault
		if fault != nil {
			faults[k] = fmt.Errorf("row %q of %s: %w", todo[k].Name, todo[k].Fit, fault)
			return
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", todo[k].Fit, todo[k].Name)
		faults[k] = update(table, todo, results)
	}
	next := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for k := range next {
				got, fault := h.measure(&todo[k])
				finish(k, got, fault)
			}
		})
	}
	for k := range todo {
		next <- k
	}
	close(next)
	group.Wait()
	return errors.Join(faults...)
}

// build builds the program that measures.
func (h *harness) build(folder string) error {
	h.program = filepath.Join(folder, "measure")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", h.program, "./ablate/measure")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	code, err := os.ReadFile(h.program)
	h.hash = fmt.Sprintf("%x", sha256.Sum256(code))
	return err
}

// measure runs the program over the sets of the row's fit, unless what it prints is kept.
func (h *harness) measure(r *recipes.Row) ([]outcome, error) {
	kept := filepath.Join(h.kept, fmt.Sprintf("%s-%s-%d.jsonl", h.hash, r.Fit, r.Number))
	lines, err := os.ReadFile(kept)
	if err != nil {
		run := exec.Command(h.program, "-fit", r.Fit, "-row", fmt.Sprint(r.Number), "-models", h.models)
		run.Env = append(os.Environ(), "GOMAXPROCS=1")
		run.Stderr = os.Stderr
		if lines, err = run.Output(); err != nil {
			return nil, err
		}
		if err := os.WriteFile(kept, lines, 0o644); err != nil {
			return nil, err
		}
	}
	return parse(lines)
}

func parse(lines []byte) (all []outcome, err error) {
	for s := bufio.NewScanner(bytes.NewReader(lines)); s.Scan(); {
		var o outcome
		if err := json.Unmarshal(s.Bytes(), &o); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}
