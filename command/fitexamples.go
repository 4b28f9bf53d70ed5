package command

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

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/fit/enveloping"
	"skinlab/fit/job"
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
	if len(o.train) > 0 && o.teach == "" {
		return usagef("fit %s: --train is for --teach", method)
	}
	if (o.clip == "") != (o.targets == "") || o.times != "" && o.targets == "" {
		return usagef("fit %s: --targets DIR and --clip CLIP go together, and --times is for them", method)
	}
	if err := o.checkHeldOut(method); err != nil {
		return err
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
		History: o.history, AllClips: true, Test: -1,
		Workers: o.threads, Progress: progress}
	if spec.Training, err = o.envelopeTraining(m); err != nil {
		return err
	}
	if err := o.envelopeTests(m, &spec); err != nil {
		return err
	}
	warning := ""
	if o.teach != "" {
		warning = o.warnOfOperator(m, spec.Training.Teacher)
	}
	out, err := job.Envelope(o.cmd.Context(), m, spec)
	end()
	if errors.Is(err, enveloping.ErrNoModel) {
		fmt.Fprintln(os.Stderr, err) // Ctrl-C is no error, but nothing is written
	}
	if err != nil {
		return err
	}
	if warning != "" {
		out.Report.Warnings = append(out.Report.Warnings, warning)
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
		parts, err := o.trainingParts(m)
		if err != nil {
			return nil, err
		}
		return &job.Training{Teacher: teacher, Train: parts}, nil
	}
	return job.OwnExamples(m)
}

// targetTraining reads --targets, --clip and --times.
func (o *options) targetTraining(m *skinning.Model) (*job.Training, error) {
	return o.shapes(m, "", o.targets, o.clip, o.times)
}

// shapes reads the OBJ files of a folder and places them in a clip. The flags that these come from begin with a prefix.
func (o *options) shapes(m *skinning.Model, prefix, folder, named, times string) (*job.Training, error) {
	clip, err := namedClip(m, named)
	if err != nil {
		return nil, usagef("%s: --%sclip: %v", m.Name, prefix, err)
	}
	files, err := objFiles(folder)
	if err != nil {
		return nil, err
	}
	t := &job.Training{Clip: clip}
	var rest []mgl64.Vec3
	for _, p := range m.Skin.Positions {
		rest = append(rest, skinning.Vec64(p))
	}
	if t.Times, err = targetTimes(m, prefix, folder, times, clip, len(files)); err != nil {
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
		if err := shape.CheckOrder(rest, m.Skin.Triangles); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		t.Targets = append(t.Targets, shape.Positions)
	}
	return t, nil
}

// checkHeldOut finds contradictions in what the fit is to be tested on.
func (o *options) checkHeldOut(method string) error {
	switch {
	case o.holdOut < 0:
		return usagef("fit %s: --holdout is not negative", method)
	case o.holdOut > 0 && o.targets == "":
		return usagef("fit %s: --holdout is for --targets", method)
	case o.holdOut > 0 && o.testTargets != "":
		return usagef("fit %s: --holdout and --test-targets both say what to test on", method)
	case o.testTargets == "" && o.testClip+o.testTimes != "":
		return usagef("fit %s: --test-clip and --test-times are for --test-targets", method)
	case o.testTargets != "" && o.teach != "":
		return usagef("fit %s: --test-targets: a method's shapes are known in every clip: give --test CLIP", method)
	case o.testTargets != "" && o.testClip == "" && o.clip == "":
		return usagef("fit %s: --test-targets: give --test-clip, the clip that they belong to", method)
	}
	return nil
}

// envelopeTests reads what the fit is to be tested on: --test, a clip or a file; --holdout; --test-targets.
func (o *options) envelopeTests(m *skinning.Model, spec *job.EnvelopeSpec) (err error) {
	if _, unknown := namedClip(m, o.test); o.test != "" && unknown != nil && isFile(o.test) {
		if o.teach != "" {
			return usagef("--test: %s: a file is for fits to example shapes: a method's are known in every clip", o.test)
		}
		if spec.TestModel, err = load(o.test); err != nil {
			return err
		}
	} else if spec.Test, err = o.testClipIndex(m); err != nil {
		return err
	}
	t := spec.Training
	switch n := len(t.Targets); {
	case o.testTargets != "":
		clip := o.testClip
		if clip == "" {
			clip = o.clip
		}
		spec.HeldOut, err = o.shapes(m, "test-", o.testTargets, clip, o.testTimes)
	case o.holdOut >= n && o.holdOut > 0:
		return usagef("--holdout: %d of %d shapes in %s leave none to learn from", o.holdOut, n, o.targets)
	case o.holdOut > 0:
		spec.Training, spec.HeldOut = holdOut(t, o.holdOut)
	}
	return err
}

// holdOut takes so many targets, evenly spread, out of a training.
func holdOut(t *job.Training, count int) (learnt, held *job.Training) {
	learnt, held = &job.Training{Clip: t.Clip}, &job.Training{Clip: t.Clip}
	n := len(t.Targets)
	for i := range t.Targets {
		to := learnt
		if k := len(held.Targets); k < count && i == (2*k+1)*n/(2*count) { // the middle of each of count equal parts
			to = held
		}
		to.Targets, to.Times = append(to.Targets, t.Targets[i]), append(to.Times, t.Times[i])
	}
	return learnt, held
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

// targetTimes places so many shapes of a folder in a clip. The flag that the times come from begins with a prefix.
func targetTimes(m *skinning.Model, prefix, folder, text string, clip, shapes int) ([]float64, error) {
	keys := m.Clips[clip].KeyTimes()
	switch text {
	case "":
		if len(keys) != shapes {
			return nil, fmt.Errorf("%s: %d shapes in %s for %d keys of clip %q: give --%stimes, seconds for each shape or even",
				m.Name, shapes, folder, len(keys), skinning.Shortened(m.Clips[clip].Name), prefix)
		}
		return keys, nil
	case "even":
		if shapes > len(keys) {
			return nil, fmt.Errorf("%s: %d shapes in %s, more than the %d keys of clip %q", m.Name, shapes, folder, len(keys),
				skinning.Shortened(m.Clips[clip].Name))
		}
		times := make([]float64, shapes)
		for i := range times {
			times[i] = keys[int(math.Round(float64(i)*float64(len(keys)-1)/float64(max(shapes-1, 1))))]
		}
		return times, nil
	}
	var times []float64
	for _, word := range strings.Split(text, ",") {
		t, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(t >= 0) || math.IsInf(t, 1) {
			return nil, usagef("--%stimes: %q is not a time in seconds, nor even", prefix, word)
		}
		times = append(times, t)
	}
	if len(times) != shapes {
		return nil, usagef("--%stimes: %d times for %d shapes in %s", prefix, len(times), shapes, folder)
	}
	return times, nil
}
