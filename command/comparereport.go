package command

// This file is the command line's report: what compare found, as a folder with a page.

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"skinlab/assets/report"
	"skinlab/render"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/sweep"
)

// writeReport writes the folder of --report and returns its page. There are no sheets where the machine draws no
// pictures.
func (o *options) writeReport(m *skinning.Model, c *render.Comparison, rows []compare.Row, worst compare.Row,
	sheets *render.Sheets) (
	page string, err error) {
	r := &report.Report{
		Command: commandLine(os.Args[1:]), Skinlab: version(), Go: runtime.Version() + ", " + runtime.GOOS +
			"/" + runtime.GOARCH,
		Made:  time.Now().Format(time.DateOnly),
		Model: m.Describe(), Clip: m.Clips[c.Clip].Name, Seconds: m.Clips[c.Clip].Seconds, Reference: o.reference,
		Frames: o.frames,
		Rows:   rows, Pictures: []report.Picture{},
	}
	if r.Sweeps, err = o.reportSweeps(m, c, worst); err != nil {
		return "", err
	}
	for i, columns := range sheets.Times {
		picture, err := render.Sheet(columns, sheets.Legend)
		if err != nil {
			return "", err
		}
		p := report.Picture{File: fmt.Sprintf("pose-%d.png", i+1), Title: fmt.Sprintf("%s at %.2f s", r.Clip, c.Times[i]),
			Image:   picture,
			Caption: "The whole model, and a close-up of where a method is farthest from " + r.Reference + "."}
		if len(o.poses) == 0 {
			p.Caption = fmt.Sprintf("The largest error of all: %s at vertex %d. Below it a close-up of the place.", worst.Method,
				worst.WorstVertex)
		}
		if c.Heat {
			p.Caption += " Under each picture the same with its distance to " + r.Reference + " in colour."
		}
		r.Pictures = append(r.Pictures, p)
	}
	return report.Write(o.cmd.Context(), o.folder, o.force, r)
}

// reportSweeps twists and bends the joint to blame for the largest error of the clip; none where there is no error.
func (o *options) reportSweeps(m *skinning.Model, c *render.Comparison, worst compare.Row) ([]report.Sweep, error) {
	sweeps := []report.Sweep{}
	if o.againstExamples() { // they have no shapes at other angles
		return sweeps, nil
	}
	joint := compare.TurnedMost(m, c.Clip, worst.WorstTime, worst.WorstVertex)
	subjects := palettes(c.Subjects)
	if joint < 0 || worst.Max == 0 || len(subjects) == 0 {
		return sweeps, nil
	}
	for _, axis := range []sweep.Axis{sweep.Twist, sweep.Bend} {
		curves, err := sweep.Run(o.cmd.Context(), m, sweep.Options{
			Joint: joint, Axis: axis, Angles: sweep.Even(-math.Pi, math.Pi, 73), Reference: c.Reference, Subjects: subjects})
		if err != nil {
			return nil, err
		}
		sweeps = append(sweeps, report.NewSweep(m.Skeleton.Joints[joint].Name, axis, curves))
	}
	return sweeps, nil
}

// palettes leaves out the subjects that deform without one, which sweeps do not have.
func palettes(subjects []compare.Subject) (out []compare.Subject) {
	for _, s := range subjects {
		if s.Deform == nil {
			out = append(out, s)
		}
	}
	return out
}

// commandLine writes arguments as a POSIX shell reads them.
func commandLine(args []string) string {
	words := []string{"skinlab"}
	for _, a := range args {
		plain := func(r rune) bool {
			return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=+@%", r)
		}
		if a == "" || strings.TrimFunc(a, plain) != "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// version is what this binary was built from: a release, or a revision of the source, which the toolchain stamps.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "a development build"
}

// checkReport checks the folder of --report, where there is one, and makes it the whole path. Nothing but an earlier
// report is replaced, and that with --force alone.
func (o *options) checkReport() (err error) {
	if o.folder == "" {
		return nil
	}
	if err := report.CheckFolder(o.folder, o.force); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --force replaces it", err)
	} else if err != nil {
		return err
	}
	if o.output != "" && sameFile(o.folder, filepath.Dir(o.output)) {
		return usagef("-o: %s: lies in the folder of --report, which holds nothing else: name another folder", o.output)
	}
	o.folder, err = filepath.Abs(o.folder)
	return err
}

// sameFile reports whether two paths lead to one file or folder.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
