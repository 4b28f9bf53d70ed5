package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"skinlab/assets/chart"
	"skinlab/assets/report"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/progress"
	"skinlab/skinning/sweep"
)

// mostAngles bounds a sweep: a hundredth of a degree over a full turn.
const mostAngles = 36_001

type sweepCommand struct {
	joint, axis    string
	from, to, step float64 // degrees
	reference      reference
	unit           string
	subjectFlags
	flags.Output
}

func (c *sweepCommand) register(f *pflag.FlagSet) {
	f.StringVar(&c.joint, "joint", "", "the joint to turn, by name or index")
	f.StringVar(&c.axis, "axis", "twist", "what it is turned about: twist (along the bone), bend, side (across it)")
	flags.TakeWords(f, "axis", "twist", "bend", "side")
	f.Float64Var(&c.from, "from", -180, "first angle from the rest pose, degrees")
	f.Float64Var(&c.to, "to", 180, "last angle, degrees")
	f.Float64Var(&c.step, "step", 5, "degrees between angles")
	c.reference.Register(f, "the method that the others are measured against")
	f.StringVar(&c.unit, "unit", "", "of distances in the table and the chart: mm, or % of the rest pose's diagonal, the default "+
		"where that is not from 1 cm to 100 m; --json has fractions of that")
	flags.CompleteWords(f, "unit", "mm", "%")
	c.subjectFlags.register(f, c.fitNames()+", and fitted files",
		"blend bones that the method blend-bones may add; it is fitted to poses made from the skeleton")
	c.Output.Register(f, "draw the error and the volume at the joint over the angle, as this .svg or .png file")
}

// withoutClips returns the fits that a sweep can show. The poses of a sweep are in no clip, and a decomposition has no
// motion there.
func withoutClips(fits []*fit.Method) []*fit.Method {
	return slices.DeleteFunc(slices.Clone(fits), func(m *fit.Method) bool { return m.Learns == fit.Sequence })
}

func (c *sweepCommand) run(ctx context.Context, args []string) error {
	opt, err := c.check(args)
	if err != nil {
		return err
	}
	flags.LimitMemory(c.files(args), false)
	m, err := flags.Load(ctx, args[0])
	if err != nil {
		return err
	}
	named := m
	if m, err = c.reference.origin(ctx, args[0], m, &c.methods, flags.Load); err != nil {
		return err
	}
	if c.joint == "" {
		_, err := anatomy.JointIndex(&m.Skeleton, "")
		return flags.Usagef("%s: --joint is missing: %s", m.Name, strings.TrimPrefix(err.Error(), `joint "": not `))
	}
	if opt.Joint, err = anatomy.JointIndex(&m.Skeleton, c.joint); err != nil {
		return flags.Usagef("%s: --joint: %v", m.Name, err)
	}
	if opt.Reference, err = c.reference.Choose(m); err != nil {
		return err
	}
	learner := &learner{model: m, clip: training.RangeOfMotion, teacher: opt.Reference}
	opt.Subjects, err = c.subjects(ctx, learner)
	if err != nil {
		return err
	}
	model, subjects := truth(args[0], m, 0, opt.Subjects)
	opt.Subjects = subjects
	curves, err := sweepJoint(ctx, model, *opt)
	if err != nil {
		return err
	}
	unit, perDiagonal := messages.ReportUnit(m.Diagonal())
	switch c.unit {
	case "mm":
		unit, perDiagonal = "mm", 1e3*m.Diagonal()
	case "%":
		unit, perDiagonal = messages.ReportUnit(0)
	}
	turns, farthest := sweep.HalfTurns(model, *opt)
	s := report.NewSweep(m.Skeleton.Joints[opt.Joint].Name, opt.Axis, opt.Reference.String(), curves,
		turns, farthest.Text(model))
	if c.Path != "" {
		charts := s.Charts(unit, perDiagonal)
		err := c.Write(func(w io.Writer) error { return chart.Write(w, c.Path, charts...) })
		if err != nil {
			return err
		}
	}
	result := struct {
		Model        string  `json:"model"`
		Diagonal     float64 `json:"diagonal"` // of the rest pose, metres; errors are fractions of it
		Reference    string  `json:"reference"`
		ReferenceOf  string  `json:"reference_of"` // the file whose method it is, if that is not the model; "" else
		ReferenceWhy string  `json:"reference_why"`
		Train        string  `json:"train,omitempty"` // what fits of --methods learnt
		report.Sweep
		Notes  []string `json:"notes"` // what else must be known of the numbers, sentences
		Output string   `json:"output"`
	}{named.Name, m.Diagonal(), c.reference.Name, c.reference.of, c.reference.Why, learner.train(), s,
		[]string{c.reference.text(opt.Reference, named, subjects)}, c.Path}
	if still := c.reference.stillBones(nil, named, subjects); still != "" {
		result.Notes = append(result.Notes, still)
	}
	if result.Train != "" {
		result.Notes = append(result.Notes, "Fits of --methods learnt poses made from the skeleton, not the clips.")
	}
	return c.Print(&result, func(out io.Writer) {
		fmt.Fprintf(out, "%s, %s of %s from %g to %g degrees in %d poses, against %s\n", named.Name, s.Axis,
			messages.Printable(s.Joint),
			s.Degrees[0], s.Degrees[len(s.Degrees)-1], len(s.Degrees), c.reference.against())
		writeSweep(out, &s, unit, perDiagonal)
		for _, line := range result.Notes {
			fmt.Fprintln(out, line)
		}
		if c.Path != "" {
			fmt.Fprintln(out, c.Path)
		}
	})
}

// sweepJoint is [sweep.Run] as a stage of a command.
func sweepJoint(ctx context.Context, m *skinning.Model, opt sweep.Options) ([]sweep.Curve, error) {
	doing := fmt.Sprintf("sweeping %s of %s, angle", opt.Axis, messages.Printable(m.Skeleton.Joints[opt.Joint].Name))
	return progress.Stage(ctx, doing, func(report progress.Report) ([]sweep.Curve, error) {
		opt.Progress = report
		return sweep.Run(ctx, m, opt)
	})
}

// check reads what can be read of the flags without the model.
func (c *sweepCommand) check(args []string) (*sweep.Options, error) {
	opt := &sweep.Options{}
	var err error
	if err := c.reference.Check(); err != nil {
		return nil, err
	}
	if err := c.subjectFlags.check(false); err != nil {
		return nil, err
	}
	if c.unit != "" && c.unit != "mm" && c.unit != "%" {
		return nil, flags.Usagef("--unit: %q is not mm or %%", c.unit)
	}
	if opt.Axis, err = sweep.ParseAxis(c.axis); err != nil {
		return nil, flags.Usagef("--axis: %v", err)
	}
	if opt.Angles, err = c.angles(); err != nil {
		return nil, err
	}
	if err := c.Output.Check(func() []string { return c.files(args) }, ".svg", ".png"); err != nil {
		return nil, err
	}
	if c.Path != "" {
		if err := chart.CheckName(c.Path); err != nil { // standard output has no ending to choose by
			return nil, flags.Usagef("-o: %v", err)
		}
	}
	return opt, nil
}

// angles returns the angles of --from, --to and --step in radians.
func (c *sweepCommand) angles() ([]float64, error) {
	const most = 3600 // ten turns
	if !(c.from >= -most && c.to <= most && c.from < c.to) {
		return nil, flags.Usagef("--from %g --to %g: not a range of degrees within ten turns", c.from, c.to)
	}
	n := math.Floor((c.to-c.from)/c.step+1e-9) + 1
	if !(c.step > 0 && n >= 2 && n <= mostAngles) {
		return nil, flags.Usagef("--step: %g degrees: must make 2 to %d poses from %g to %g", c.step, mostAngles, c.from, c.to)
	}
	last := c.from + (n-1)*c.step
	angles := sweep.Even(c.from, last, int(n))
	if c.to-last > 1e-6*c.step { // the last step is shorter
		angles = append(angles, c.to)
	}
	for i := range angles {
		angles[i] *= math.Pi / 180
	}
	return angles, nil
}

// writeSweep prints the table, and what half turns there are.
func writeSweep(out io.Writer, s *report.Sweep, unit string, perDiagonal float64) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "method\tEE %\tRMS\tlargest\tat °\tvolume from\tat °\tto\tat °\t")
	counted := countedPoses(s)
	for i := range s.Curves {
		c := &s.Curves[i]
		far, low, high := extreme(c.Max, counted, 1), extreme(c.LocalVolume, counted, -1), extreme(c.LocalVolume, counted, 1)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.4g\t%.3f\t%.4g\t%.3f\t%.4g\t\n", c.Name, largestEE(c, counted).Text(3),
			messages.ReportNumber(c.RMS[extreme(c.RMS, counted, 1)], perDiagonal),
			messages.ReportNumber(c.Max[far], perDiagonal), s.Degrees[far], c.LocalVolume[low], s.Degrees[low],
			c.LocalVolume[high], s.Degrees[high])
	}
	w.Flush()
	fmt.Fprintf(out, "The largest of every curve; RMS and largest error in %s, volumes those at the joint, "+
		"of the rest volume there.\n", unit)
	if n := len(s.HalfTurns); n > 0 {
		counted := "They are in no number above"
		if n == len(s.Degrees) {
			counted = "They are counted only because there are no others"
		}
		fmt.Fprintf(out, "%s %s; --json lists them.\n", s.Note, counted)
	}
}

// countedPoses lists the poses of the table: those that are no half turns, or all where each is one.
func countedPoses(s *report.Sweep) (counted []int) {
	turns, all := s.HalfTurns, len(s.HalfTurns) == len(s.Degrees)
	for i, d := range s.Degrees {
		if !all && len(turns) > 0 && turns[0] == d { // both ascend
			turns = turns[1:]
			continue
		}
		counted = append(counted, i)
	}
	return counted
}

// largestEE returns the largest EE of some poses of a curve, NaN where none has one.
func largestEE(c *sweep.Curve, poses []int) metrics.Percent {
	largest := metrics.Percent(math.NaN())
	for _, i := range poses {
		if e := c.EE[i]; e.Known() && !(e <= largest) {
			largest = e
		}
	}
	return largest
}

// extreme returns the one of some poses whose value is largest by sign, among equals the nearest to the middle.
func extreme(values []float64, poses []int, sign float64) (best int) {
	middle := len(values) / 2
	best = poses[0]
	for _, i := range poses {
		nearer := max(i-middle, middle-i) < max(best-middle, middle-best)
		if d := sign * (values[i] - values[best]); d > 0 || d == 0 && nearer {
			best = i
		}
	}
	return best
}
