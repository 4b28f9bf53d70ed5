package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"skinlab/assets/report"
	"skinlab/command/flags"
	"skinlab/render/contactsheet"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/progress"
	"skinlab/skinning/sweep"
)

// checkReport checks the folder of --report, if it is given, and makes its path absolute. Only an earlier report is
// replaced, only with --force, and only where it holds no file that is read.
func (c *compareCommand) checkReport(args []string) (err error) {
	if c.report.Path == "" {
		return nil
	}
	c.report.Replace, c.report.Reads = c.Force, c.files(args)
	if err := c.report.Check(); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --force replaces it", err)
	} else if err != nil {
		return err
	}
	if c.Path != "" && sameFile(c.report.Path, filepath.Dir(c.Path)) {
		return flags.Usagef("-o: %s: lies in the folder of --report, which holds nothing else: name another folder", c.Path)
	}
	c.report.Path, err = filepath.Abs(c.report.Path)
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

// writeReport writes the folder of --report and returns its page. A machine that draws no pictures has no sheets.
func (c *compareCommand) writeReport(ctx context.Context, m *skinning.Model, sheet *contactsheet.Comparison,
	rows []compare.Row, worst compare.Row, sheets *contactsheet.Sheets) (page string, err error) {
	reference := c.reference.against()
	r := &report.Report{
		Command: commandLine(os.Args[1:]), Skinlab: thisBuild().String(),
		Go:   runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH,
		Made: time.Now().Format(time.DateOnly), Model: c.named.Describe(),
		Clip: m.Clips[sheet.Clip].Name, Seconds: m.Clips[sheet.Clip].Seconds, Reference: reference,
		ReferenceWhy: c.reference.Why, ReferenceText: c.referenceText(sheet), Notes: c.notes,
		Frames: c.frames, Rows: rows, Pictures: []report.Picture{},
	}
	if r.Sweeps, err = c.reportSweeps(ctx, m, sheet, worst); err != nil {
		return "", err
	}
	for i, columns := range sheets.Times {
		picture, err := contactsheet.Draw(ctx, columns, sheets.Legend, c.Transparent)
		if err != nil {
			return "", err
		}
		p := report.Picture{File: fmt.Sprintf("pose-%d.png", i+1), Title: fmt.Sprintf("%s at %.2f s", r.Clip, sheet.Times[i]),
			Image:   picture,
			Caption: "The whole model, and a close-up of where a method is farthest from " + reference + "."}
		if len(c.poses) == 0 {
			of := "of all"
			if r.Apart() {
				of = "outside half turns"
			}
			p.Caption = fmt.Sprintf("The largest error %s: %s at vertex %d. Below it a close-up of the place.", of, worst.Method,
				worst.WorstVertex)
		}
		if c.heat {
			p.Caption += " Under each picture the same with its distance to " + reference + " in colour."
		}
		r.Pictures = append(r.Pictures, p)
	}
	_, end := progress.Begin(ctx, "writing the report")
	defer end()
	return report.Write(ctx, c.report, r)
}

// reportSweeps twists and bends the joint that causes the largest error of the clip. Without an error there are no
// sweeps. Example shapes exist in their own poses alone: the sweeps are then measured against the method of
// [compare.Reference].
func (c *compareCommand) reportSweeps(ctx context.Context, m *skinning.Model, sheet *contactsheet.Comparison,
	worst compare.Row) ([]report.Sweep, error) {
	sweeps := []report.Sweep{}
	joint := compare.TurnedMost(m, sheet.Clip, worst.WorstTime, worst.WorstVertex)
	subjects, reference := sheet.Subjects, sheet.Reference
	if c.againstExamples() {
		reference, _ = compare.Reference(m)
		subjects = slices.DeleteFunc(slices.Clone(subjects), func(s compare.Subject) bool { return s.Name == exampleReference })
	}
	if joint < 0 || worst.Max == 0 || len(subjects) == 0 {
		return sweeps, nil
	}
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	for _, axis := range []sweep.Axis{sweep.Twist, sweep.Bend} {
		opt := sweep.Options{Joint: joint, Axis: axis, Angles: sweep.Even(-math.Pi, math.Pi, 73), Reference: reference,
			Subjects: subjects, Centers: centers}
		curves, err := sweepJoint(ctx, m, opt)
		if err != nil {
			return nil, err
		}
		turns, farthest := sweep.HalfTurns(m, opt)
		sweeps = append(sweeps, report.NewSweep(m.Skeleton.Joints[joint].Name, axis, reference.String(), curves, turns,
			farthest.Text(m)))
	}
	return sweeps, nil
}

// noFlag returns a file's path for a command line, where it must not look like a flag.
func noFlag(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
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
