package main

// This file is the command line's fit of enveloping and of trained weights: where the examples come from.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skinlab/assets"
	"skinlab/fit/enveloping"
	"skinlab/fit/job"
	"skinlab/fit/poses"
	"skinlab/skinning"
)

// isEnvelope tells the fits that learn from example shapes.
func isEnvelope(method string) bool { return method == "enveloping" || method == "ssd" }

func (o *options) fitEnvelope(method, path string) error {
	if !(o.target >= 0) {
		return usagef("fit: --target is not negative")
	}
	if o.proxies < 1 || o.proxies > 1000 || !(o.rigid > 0 && o.rigid <= 1000) {
		return usagef("fit: --proxies is from 1 to 1000, --rigid above 0 and at most 1000")
	}
	if o.targets != "" && o.teach != "" {
		return usagef("fit: --targets and --teach both say what to learn from")
	}
	if o.train != "" && o.teach == "" {
		return usagef("fit %s: --train is for --teach", method)
	}
	if (o.clip == "") != (o.targets == "") || o.times != "" && o.targets == "" {
		return usagef("fit %s: --targets DIR and --clip CLIP go together, and --times is for them", method)
	}
	if err := o.checkOutput([]string{path}, ".glb"); err != nil {
		return err // before the work, not after it
	}
	m, err := load(path)
	if err != nil {
		return err
	}
	progress, end := job.EnvelopingProgress(os.Stderr)
	spec := job.EnvelopeSpec{Method: method, Proxies: o.proxies, Target: o.target, Rigid: o.rigid, LeaveOneOut: o.loocv,
		History: o.history,
		Workers: o.threads, Progress: progress}
	if spec.Training, err = o.envelopeTraining(m); err != nil {
		return err
	}
	if spec.Test, err = o.testClip(m); err != nil {
		return err
	}
	out, err := job.Envelope(o.cmd.Context(), m, spec)
	end()
	if errors.Is(err, enveloping.ErrNoModel) {
		fmt.Fprintln(os.Stderr, err) // Ctrl-C is no error, but nothing is written
	}
	if err != nil {
		return err
	}
	if err := o.export(path, out.Fitted, &out.Report.Report); err != nil {
		return err
	}
	return o.report(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// envelopeTraining says what is learnt from: shapes in files, a method's, or the model's own.
func (o *options) envelopeTraining(m *skinning.Model) (*job.Training, error) {
	switch {
	case o.targets != "":
		return o.targetTraining(m)
	case o.teach != "":
		teacher, err := parseMethod("teach", o.teach)
		if err != nil {
			return nil, err
		}
		if teacher == skinning.LBS {
			return nil, usagef("--teach: lbs is what the fit starts from")
		}
		clip, frames, err := o.trainingClip(m)
		if err != nil {
			return nil, err
		}
		return taughtBy(m, teacher, clip, frames), nil
	}
	return job.OwnExamples(m)
}

// taughtBy is the training on a method's shapes at poses spread evenly over a clip; 0 frames are as many as usual.
func taughtBy(m *skinning.Model, teacher skinning.Method, clip, frames int) *job.Training {
	t := &job.Training{Clip: clip, Teacher: teacher, Frames: frames}
	if clip != job.RangeOfMotion {
		if frames == 0 {
			frames = 12
		}
		t.Times = poses.Times(m, clip, frames)
	}
	return t
}

// targetTraining reads --targets, --clip and --times.
func (o *options) targetTraining(m *skinning.Model) (*job.Training, error) {
	clip, err := namedClip(m, o.clip)
	if err != nil {
		return nil, usagef("%s: --clip: %v", m.Name, err)
	}
	files, err := objFiles(o.targets)
	if err != nil {
		return nil, err
	}
	t := &job.Training{Clip: clip}
	if t.Times, err = o.targetTimes(m, clip, len(files)); err != nil {
		return nil, err
	}
	for _, path := range files {
		if err := o.cmd.Context().Err(); err != nil {
			return nil, err
		}
		shape, err := assets.ReadOBJFile(path)
		if err != nil {
			return nil, err
		}
		if err := shape.Check(len(m.Skin.Positions), m.Skin.Triangles); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		t.Targets = append(t.Targets, shape.Positions)
	}
	return t, nil
}

// objFiles lists the OBJ files of a folder by name, numbers in names by value: pose2 before pose10.
func objFiles(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return compareNumbered(a.Name(), b.Name()) })
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".obj") && !e.IsDir() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no .obj files", folder)
	}
	return files, nil
}

// compareNumbered compares names in which runs of digits are numbers, of any length.
func compareNumbered(a, b string) int {
	for a != "" && b != "" {
		n, m := leadingDigits(a), leadingDigits(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingDigits counts the digits that a name begins with.
func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// targetTimes places so many shapes in a clip.
func (o *options) targetTimes(m *skinning.Model, clip, shapes int) ([]float64, error) {
	keys := m.Clips[clip].KeyTimes()
	switch o.times {
	case "":
		if len(keys) != shapes {
			return nil, fmt.Errorf("%s: %d shapes in %s for %d keys of clip %q: give --times, seconds for each shape or even",
				m.Name, shapes, o.targets, len(keys), m.Clips[clip].Name)
		}
		return keys, nil
	case "even":
		if shapes > len(keys) {
			return nil, fmt.Errorf("%s: %d shapes in %s, more than the %d keys of clip %q", m.Name, shapes, o.targets, len(keys),
				m.Clips[clip].Name)
		}
		times := make([]float64, shapes)
		for i := range times {
			times[i] = keys[int(math.Round(float64(i)*float64(len(keys)-1)/float64(max(shapes-1, 1))))]
		}
		return times, nil
	}
	var times []float64
	for _, word := range strings.Split(o.times, ",") {
		t, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(t >= 0) || math.IsInf(t, 1) {
			return nil, usagef("--times: %q is not a time in seconds, nor even", word)
		}
		times = append(times, t)
	}
	if len(times) != shapes {
		return nil, usagef("--times: %d times for %d shapes in %s", len(times), shapes, o.targets)
	}
	return times, nil
}
