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
	{"enveloping", "--proxies", "30", "--teach", "dqs", "--train", "0:8"},
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

// fit writes the fitted models of a model.
func (r *reporter) fit(ctx context.Context, model string) (faults error) {
	folder, err := os.MkdirTemp(r.scratch, "fits")
	if err != nil {
		return err
	}
	for _, f := range fits {
		path := filepath.Join(folder, f[0]+".glb")
		args := append([]string{"fit", f[0], model, "--force", "-o", path}, f[1:]...)
		if _, err := r.skinlab(ctx, nil, args...); err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		r.fitted[model] = append(r.fitted[model], path)
	}
	return faults
}

// measure times all methods and fits on a model on every path of the GPU.
func (r *reporter) measure(ctx context.Context, model string, subdivide int, instances []int) error {
	var methods, sizes []string
	for _, m := range skinning.Methods() {
		methods = append(methods, m.String())
	}
	for _, n := range instances {
		sizes = append(sizes, strconv.Itoa(n))
	}
	out, err := r.skinlab(ctx, nil, "bench", model, "--device", "gpu", "--skinning", "all", "--pictures=false", "--json",
		"--methods", strings.Join(append(methods, r.fitted[model]...), ","), "--instances", strings.Join(sizes, ","),
		"--subdivide", strconv.Itoa(subdivide))
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
	r.Measures, r.Skipped = append(r.Measures, result.Rows...), append(r.Skipped, result.Skipped...)
	return err
}

// windowFrame is what `skinlab view --frames --json` prints.
type windowFrame struct {
	Layout          string  `json:"layout"`
	Renderer        string  `json:"renderer"`
	Software        bool    `json:"software"`
	Width           int     `json:"width"`
	Height          int     `json:"height"`
	Frames          int     `json:"frames"`
	FramesPerSecond float64 `json:"frames_per_second"`
}

// window measures the window with its panels at 4K on a virtual display.
func (r *reporter) window(ctx context.Context, model string) (faults error) {
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
	for _, layout := range []string{"one", "four"} {
		display := []string{"DISPLAY=:" + strings.TrimSpace(number), "WAYLAND_DISPLAY="}
		out, err := r.skinlab(ctx, display, "view", model, "--size", "3840x2160", "--layout", layout, "--page", "time",
			"--frames", frames, "--json")
		w := windowFrame{Layout: layout}
		if err == nil {
			err = json.Unmarshal(out, &w)
		}
		if err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		r.Windows = append(r.Windows, w)
	}
	return faults
}
