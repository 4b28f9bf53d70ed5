package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/bench"
)

// fits are measured beside the direct methods; each has the flags of `skinlab fit`. Eight poses of the first clip are
// enough to time a fitted vertex.
var fits = [...][]string{
	{"blend-bones", "--bones", "10", "--train", "0:8"},
	{"enveloping", "--proxies", "80", "--teach", "dqs", "--train", "0:8"},
	{"helper-bones", "--bones", "4", "--teach", "dqs", "--train", "0:8"},
}

// skinlab runs the program and returns its standard output, also where it was interrupted.
func (r *reporter) skinlab(ctx context.Context, environment []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(r.programs, "skinlab"), args...)
	cmd.Env = append(os.Environ(), environment...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		err = fmt.Errorf("skinlab %s: %w: %s", args[0], err, lines[len(lines)-1])
	}
	return out.Bytes(), err
}

// fit writes the fitted models of a model to the folder fits, but for those that are there.
func (r *reporter) fit(ctx context.Context, model string) (faults error) {
	for _, f := range fits {
		path := filepath.Join(r.folder, "fits", f[0]+".glb")
		if _, err := os.Stat(path); err != nil {
			args := append([]string{"fit", f[0], model, "--force", "-o", path}, f[1:]...)
			if _, err := r.skinlab(ctx, nil, args...); err != nil {
				faults = errors.Join(faults, err)
				continue
			}
		}
		r.fitted = append(r.fitted, path)
	}
	return faults
}

// measure times all methods and fits on a model: alone on every path of the GPU with all passes of pictures, and in
// crowds in the vertex shader and on the faster path to a buffer.
func (r *reporter) measure(ctx context.Context, model string, subdivide int, crowds []int, into *results) error {
	err := r.bench(ctx, into, model, subdivide, "--skinning", "all")
	var sizes []string
	for _, n := range crowds {
		sizes = append(sizes, strconv.Itoa(n))
	}
	for _, way := range [...]string{"buffer", "shader"} {
		if len(crowds) > 0 {
			err = errors.Join(err, r.bench(ctx, into, model, subdivide, "--skinning", way, "--pictures=false", "--instances",
				strings.Join(sizes, ",")))
		}
	}
	return err
}

// bench adds the rows of `skinlab bench`.
func (r *reporter) bench(ctx context.Context, into *results, model string, subdivide int, args ...string) error {
	var methods []string
	for _, m := range skinning.Methods() {
		methods = append(methods, m.String())
	}
	out, err := r.skinlab(ctx, nil, append([]string{"bench", model, "--device", "gpu", "--json",
		"--methods", strings.Join(append(methods, r.fitted...), ","), "--subdivide", strconv.Itoa(subdivide)}, args...)...)
	var result struct {
		Renderer string      `json:"renderer"`
		Rows     []bench.Row `json:"rows"`
		Skipped  []string    `json:"skipped"`
	}
	if len(out) > 0 {
		err = errors.Join(err, json.Unmarshal(out, &result))
	}
	if result.Renderer != "" && result.Renderer != r.Renderer.Renderer {
		return fmt.Errorf("the measure was made by %s, not by %s", result.Renderer, r.Renderer.Renderer)
	}
	for i := range result.Rows {
		result.Rows[i].Method = strings.TrimSuffix(result.Rows[i].Method, ".glb")
	}
	into.Measures, into.Skipped = append(into.Measures, result.Rows...), append(into.Skipped, result.Skipped...)
	return err
}

// windowFrame is what `skinlab view --frames --json` prints.
type windowFrame struct {
	Layout          string  `json:"layout"`
	Interface       bool    `json:"interface"` // with the panels
	Renderer        string  `json:"renderer"`
	Software        bool    `json:"software"`
	Width           int     `json:"width"`
	Height          int     `json:"height"`
	Frames          int     `json:"frames"`
	FramesPerSecond float64 `json:"frames_per_second"`
}

// window measures the window at 4K on a virtual display, with its panels and without.
func (r *reporter) window(ctx context.Context, model string, into *results) (faults error) {
	if _, err := exec.LookPath("Xvfb"); err != nil {
		return errors.New("no window: Xvfb is not installed")
	}
	reads, writes, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reads.Close()
	server := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "3840x2160x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{writes}
	if err := server.Start(); err != nil {
		return err
	}
	writes.Close()
	defer func() {
		server.Process.Kill()
		server.Wait()
	}()
	number, err := bufio.NewReader(reads).ReadString('\n')
	if err != nil {
		return fmt.Errorf("no window: Xvfb does not start: %w", err)
	}
	frames := "300"
	if r.Renderer.Software {
		frames = "5"
	}
	display := []string{"DISPLAY=:" + strings.TrimSpace(number), "WAYLAND_DISPLAY="}
	for i := range 4 {
		w := windowFrame{Layout: [...]string{"one", "four"}[i/2], Interface: i%2 == 0}
		out, err := r.skinlab(ctx, display, "view", model, "--size", "3840x2160", "--layout", w.Layout, "--page", "time",
			"--frames", frames, "--json", fmt.Sprintf("--no-interface=%v", !w.Interface))
		if err == nil {
			err = json.Unmarshal(out, &w)
		}
		if err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		into.Windows = append(into.Windows, w)
	}
	return faults
}
