package command

// This file is the command line's compare: methods, fits and fitted files against a reference.

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"skinlab/assets"
	"skinlab/fit/job"
	"skinlab/render"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

func runCompare(o *options, args []string) error {
	reference, err := o.parseReference()
	if err != nil {
		return err
	}
	width, height, err := o.parseSize()
	if err != nil {
		return err
	}
	if o.frames < 1 || o.frames > 100_000 {
		return usagef("--frames: %d is not from 1 to 100000", o.frames)
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	if _, err := o.poseTimes(0); err != nil {
		return err
	}
	if err := o.checkOutput(args, ".png"); err != nil {
		return err
	}
	if o.heat && o.output == "" && o.folder == "" {
		return usagef("--heat: no picture to draw it in: give -o FILE.png or --report DIR")
	}
	if err := o.checkReport(); err != nil {
		return err
	}
	m, err := load(args[0])
	if err != nil {
		return err
	}
	clip, err := o.comparedClip(m)
	if err != nil {
		return err
	}
	var times []float64
	if o.againstExamples() {
		times = m.Clips[clip].KeyTimes()
		o.frames = len(times)
	}
	subjects, err := o.subjects(m, clip, reference)
	if err != nil {
		return err
	}
	rows, err := compare.Run(o.cmd.Context(), m,
		compare.Options{Reference: reference, Examples: o.againstExamples(), Subjects: subjects,
			Clip: clip, Frames: o.frames, Times: times, ShortestPath: o.shortestPath, Series: o.folder != ""})
	if err != nil {
		return err
	}
	c := render.Comparison{Subjects: subjects, Reference: reference, ReferenceName: o.reference, Clip: clip, Clay: o.clay,
		Heat:         o.heat,
		ShortestPath: o.shortestPath, Width: width, Height: height}
	page, err := o.writeComparison(m, &c, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Series = nil // they are in the report's data.json
	}
	result := map[string]any{"model": m.Name, "clip": m.Clips[clip].Name, "reference": o.reference, "frames": o.frames,
		"rows":   rows,
		"output": o.output, "report": page}
	return o.report(result, func() {
		frames := "frames"
		if o.frames == 1 {
			frames = "frame"
		}
		fmt.Printf("%s, %s, %d %s, against %s\n", m.Name, skinning.Printed(m.Clips[clip].Name), o.frames, frames, o.reference)
		compare.WriteTable(os.Stdout, rows)
		for _, path := range []string{o.output, page} {
			if path != "" {
				fmt.Println(path)
			}
		}
	})
}

// writeComparison draws the comparison for -o and --report, once for both, and returns the report's page.
func (o *options) writeComparison(
	m *skinning.Model, c *render.Comparison, rows []compare.Row,
) (page string, err error) {
	if o.output == "" && o.folder == "" {
		return "", nil
	}
	worst := rows[0]
	for _, r := range rows {
		c.Subtitles = append(c.Subtitles, fmt.Sprintf("EE %s %%, volume ≥ %.0f %%", r.EE.Text(2), 100*r.VolumeRatioMin))
		if r.Max > worst.Max {
			worst = r
		}
	}
	if c.Times, err = o.poseTimes(worst.WorstTime); err != nil {
		return "", err
	}
	sheets, err := render.DrawComparison(o.cmd.Context(), m, c)
	switch {
	case errors.Is(err, render.ErrHeadless) && o.output == "":
		sheets = &render.Sheets{}
		fmt.Fprintf(os.Stderr, "warning: the report has no pictures: %v\n", err)
	case err != nil:
		return "", err
	}
	if o.output != "" {
		picture, err := render.Sheet(sheets.Stack(), sheets.Legend)
		if err != nil {
			return "", err
		}
		if err := assets.WritePNG(o.output, picture); err != nil {
			return "", err
		}
	}
	if o.folder == "" {
		return "", nil
	}
	return o.writeReport(m, c, rows, worst, sheets)
}

// isFit, isLearnt and isFile tell the subjects of compare that are no direct method: fits to a method, made on the spot
// over the clip that is compared; fits to example shapes; and files that a fit wrote.
func isFit(name string) bool { return name == "blend-bones" || name == "half-way" }

func isLearnt(name string) bool { return name == "enveloping" || name == "ssd" || name == "psd" }

func isFile(name string) bool {
	return strings.HasSuffix(name, ".glb") || strings.HasSuffix(name, ".gltf")
}

// fitName splits "blend-bones:4" into the method and its bones; without a number they are those of --bones, of
// enveloping as many as usual.
func (o *options) fitName(name string) (method string, bones int, ok bool) {
	method, count, has := strings.Cut(name, ":")
	switch {
	case !has && !isLearnt(method):
		bones = o.bones
	case has && method != "blend-bones" && method != "enveloping":
		return "", 0, false
	case has:
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > 1000 {
			return "", 0, false
		}
		bones = n
	}
	return method, bones, isFit(method) || isLearnt(method)
}

func (o *options) checkSubjects() error {
	if len(o.methods) == 0 {
		return usagef("--methods: no method")
	}
	for _, name := range o.methods {
		if err := o.checkLearnt(name); err != nil {
			return err
		}
		if _, _, ok := o.fitName(name); ok || isFile(name) || name == exampleReference {
			continue
		}
		if _, err := skinning.ParseMethod(name); err != nil {
			return usagef("--methods: %v, nor blend-bones[:N], half-way, enveloping[:P], ssd, psd or a fitted .glb file", err)
		}
	}
	return nil
}

// subjects makes what --methods names. Fits are trained on the clip, or on poses made from the skeleton where it is
// job.RangeOfMotion; files are then not asked for a clip.
func (o *options) subjects(
	m *skinning.Model, clip int, reference skinning.Method,
) (subjects []compare.Subject, err error) {
	learn := learner{o: o, model: m, clip: clip, teacher: reference}
	for _, name := range o.methods {
		s := compare.Subject{Name: name, Clip: clip}
		method, bones, fitted := o.fitName(name)
		switch {
		case name == exampleReference:
			s.Title, s.Model = "Example shapes", m
		case isLearnt(method):
			if s, err = learn.subject(method, bones); err != nil {
				return nil, err
			}
			s.Name = name
		case fitted && o.againstExamples():
			if s, err = learn.halfWay(); err != nil {
				return nil, err
			}
		case fitted:
			out, err := job.Run(o.cmd.Context(), m,
				job.Spec{Method: method, Operator: reference, Bones: bones, Train: []job.Part{{Clip: clip}}, Test: -1}, nil)
			if err != nil {
				return nil, err
			}
			s.Model = out.Fitted
			s.Title = fmt.Sprintf("%d blend bones", len(out.Rig.Bones))
			if method == "half-way" {
				s.Title = fmt.Sprintf("%d half-way joints", len(out.Rig.Bones))
			}
		case isFile(name):
			if s.Model, err = load(name); err != nil {
				return nil, err
			}
			if clip >= 0 {
				if s.Clip, err = sameClip(m, s.Model, clip); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			s.Name, s.Title = s.Model.Name, s.Model.Name
		default:
			method, err := parseMethod("methods", name)
			if err != nil {
				return nil, err
			}
			s = compare.Direct(method)[0]
			if o.againstExamples() {
				s.Model, s.Clip = withoutShapes(m), clip
			}
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// poseTimes returns the times of --poses, or the one given.
func (o *options) poseTimes(byDefault float64) ([]float64, error) {
	if len(o.poses) == 0 {
		return []float64{byDefault}, nil
	}
	var times []float64
	for _, p := range o.poses {
		t, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, usagef("--poses: %q is not a time in seconds", p)
		}
		times = append(times, t)
	}
	return times, nil
}
