package command

// This file is the command line's sweep: one joint, turned through a range of angles.

import (
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

	"skinlab/assets"
	"skinlab/assets/chart"
	"skinlab/assets/report"
	"skinlab/fit/job"
	"skinlab/skinning"
	"skinlab/skinning/sweep"
)

// mostAngles bounds a sweep: a hundredth of a degree over a full turn.
const mostAngles = 36_001

func runSweep(o *options, args []string) error {
	reference, err := parseMethod("reference", o.reference)
	if err != nil {
		return err
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	axis, err := sweep.ParseAxis(o.axis)
	if err != nil {
		return usagef("--axis: %v", err)
	}
	angles, err := o.sweepAngles()
	if err != nil {
		return err
	}
	if err := o.checkOutput(args, ".svg", ".png"); err != nil {
		return err
	}
	if o.output != "" {
		if err := chart.CheckName(o.output); err != nil { // standard output has no ending to choose by
			return usagef("-o: %v", err)
		}
	}
	m, err := load(args[0])
	if err != nil {
		return err
	}
	if o.joint == "" {
		_, err := m.Skeleton.JointIndex("")
		return usagef("%s: no --joint: %v", m.Name, err)
	}
	joint, err := m.Skeleton.JointIndex(o.joint)
	if err != nil {
		return usagef("%s: --joint: %v", m.Name, err)
	}
	subjects, err := o.subjects(m, job.RangeOfMotion, reference)
	if err != nil {
		return err
	}
	curves, err := sweep.Run(o.cmd.Context(), m,
		sweep.Options{Joint: joint, Axis: axis, Angles: angles, Reference: reference, Subjects: subjects})
	if err != nil {
		return err
	}
	s := report.NewSweep(m.Skeleton.Joints[joint].Name, axis, curves)
	if o.output != "" {
		if err := assets.WriteFileAtomic(o.output,
			func(w io.Writer) error { return chart.Write(w, o.output, s.Charts(reference.String())...) }); err != nil {
			return err
		}
	}
	result := struct {
		Model     string `json:"model"`
		Reference string `json:"reference"`
		report.Sweep
		Output string `json:"output"`
	}{m.Name, reference.String(), s, o.output}
	return o.report(&result, func() {
		fmt.Printf("%s, %s of %s from %g to %g degrees in %d poses, against %v\n",
			m.Name, s.Axis, skinning.Printed(s.Joint), s.Degrees[0], s.Degrees[len(s.Degrees)-1], len(s.Degrees), reference)
		writeSweep(os.Stdout, &s)
		if o.output != "" {
			fmt.Println(o.output)
		}
	})
}

// sweepAngles returns the angles of --from, --to and --step in radians.
func (o *options) sweepAngles() ([]float64, error) {
	const most = 3600 // ten turns
	if !(o.from >= -most && o.to <= most && o.from < o.to) {
		return nil, usagef("--from %g --to %g: not a range of degrees within ten turns", o.from, o.to)
	}
	n := math.Floor((o.to-o.from)/o.step+1e-9) + 1
	if !(o.step > 0 && n >= 2 && n <= mostAngles) {
		return nil, usagef("--step: %g degrees: must make 2 to %d poses from %g to %g", o.step, mostAngles, o.from, o.to)
	}
	angles := sweep.Even(o.from, o.from+(n-1)*o.step, int(n))
	for i := range angles {
		angles[i] *= math.Pi / 180
	}
	return angles, nil
}

// writeSweep prints the extremes of every curve, and where they are.
func writeSweep(out io.Writer, s *report.Sweep) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "method\tEE %\tRMS\tlargest\tat °\tvolume from\tat °\tto\tat °\t")
	for i := range s.Curves {
		c := &s.Curves[i]
		far, low, high := extreme(c.Max, 1), extreme(c.LocalVolume, -1), extreme(c.LocalVolume, 1)
		fmt.Fprintf(w, "%s\t%.3f\t%.2e\t%.2e\t%.4g\t%.3f\t%.4g\t%.3f\t%.4g\t\n", c.Method, c.EE[extreme(c.EE, 1)],
			c.RMS[extreme(c.RMS, 1)],
			c.Max[far], s.Degrees[far], c.LocalVolume[low], s.Degrees[low], c.LocalVolume[high], s.Degrees[high])
	}
	w.Flush()
	fmt.Fprintln(out, "The largest of every curve; RMS and largest error are fractions of the rest pose's diagonal, volumes those around the joint,")
	fmt.Fprintln(out, "of the rest volume there.")
}

// extreme returns the index of the largest value, or of the smallest for a sign of −1; among equals the one nearest to
// the middle.
func extreme(values []float64, sign float64) (best int) {
	middle := len(values) / 2
	best = middle
	for i, v := range values {
		nearer := max(i-middle, middle-i) < max(best-middle, middle-best)
		if d := sign * (v - values[best]); d > 0 || d == 0 && nearer {
			best = i
		}
	}
	return best
}
