package command

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/spf13/pflag"

	"skinlab/assets/demo"
	"skinlab/assets/shapefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
	"skinlab/skinning/parallel"
	"skinlab/skinning/progress"
)

// exampleFlags say which shapes a fit learns, and which it is tested on.
type exampleFlags struct {
	targets, tests flags.ShapeFlags
	teach          flags.TeachFlag
	examples       string
	holdOut, keys  int
	loocv          bool
	shortestPath   bool
}

func (s *exampleFlags) register(f *pflag.FlagSet) (train, test string) {
	s.targets.Register(f, "",
		"a folder of OBJ or PLY files, the example shapes by name, numbers by value, in the order of the keys of --clip "+
			"(default: the model's own examples)", "the clip that --targets belong to",
		"where in --clip the shapes belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one shape for each key)")
	f.StringVar(&s.examples, "examples", "",
		"which examples of a built-in model: grid, the 6,750 poses of demo:leg and demo:leg-smooth "+
			"(default: those in the model)")
	flags.TakeWords(f, "examples", gridExamples)
	s.tests.Register(f, "test-", "a folder of OBJ or PLY files to measure the error on, as --targets",
		"the clip that --test-targets belong to (default: that of --clip)", "where in it they belong, as --times")
	f.IntVar(&s.holdOut, "holdout", 0,
		"keep so many of the shapes from the training, evenly spread, and measure the error on them")
	registerKeyFrames(f, &s.keys, "")
	s.teach.Register(f, "learn from its shapes at the poses of --train")
	f.BoolVar(&s.shortestPath, fit.ShortestPath.Name, true, "with --teach, "+fit.ShortestPath.Help)
	f.BoolVar(&s.loocv, "loocv", false,
		"predict each example from all the others too (leave-one-out cross validation)")
	return "with --teach, training poses",
		"what to measure the error on: a clip, which has shapes of its own or with --teach any, " +
			"and which the default training leaves out, or another file with examples on the same joints"
}

func (s *exampleFlags) check(c *fitCommand) error {
	targets, teach, tests := s.targets.Folder != "", s.teach.Name != "", s.tests.Folder != ""
	method := c.method.Name
	switch {
	case s.examples != "" && (targets || teach):
		return flags.Usagef("fit %s: --examples, --targets and --teach each say what to learn from", method)
	case targets && teach:
		return flags.Usagef("fit: --targets and --teach both say what to learn from")
	case len(c.train) > 0 && !teach:
		return flags.Usagef("fit %s: --train is for --teach", method)
	case !s.shortestPath && !teach:
		return flags.Usagef("fit %s: --shortest-path is for --teach", method)
	case s.teach.Name == deltamush.Name && !s.shortestPath:
		return flags.Usagef("fit %s: --shortest-path: %s follows no rotations", method, deltamush.Name)
	case (s.targets.Clip != "") != targets, s.targets.Times != "" && !targets:
		return flags.Usagef("fit %s: --targets DIR and --clip CLIP go together, and --times is for them", method)
	case s.holdOut < 0 || s.keys < 0:
		return flags.Usagef("fit %s: --holdout and --keyframes are not negative", method)
	case s.holdOut+s.keys > 0 && teach:
		return flags.Usagef("fit %s: --holdout and --keyframes are for shapes: a method's are known in every clip: "+
			"give --train CLIP:N --test CLIP", method)
	case s.holdOut > 0 && tests, s.holdOut > 0 && s.keys > 0, s.keys > 0 && tests:
		return flags.Usagef("fit %s: --holdout, --keyframes and --test-targets each say what to test on", method)
	case !tests && s.tests.Clip+s.tests.Times != "":
		return flags.Usagef("fit %s: --test-clip and --test-times are for --test-targets", method)
	case tests && teach:
		return flags.Usagef("fit %s: --test-targets: a method's shapes are known in every clip: give --test CLIP", method)
	case tests && s.tests.Clip == "" && s.targets.Clip == "":
		return flags.Usagef("fit %s: --test-targets: give --test-clip, the clip that they belong to", method)
	}
	return s.teach.Check()
}

func (s *exampleFlags) reads() []string { return shapeFiles(s.targets.Folder, s.tests.Folder) }

// shapeFiles lists the files in folders of shapes. Reading them says what is wrong with a folder.
func shapeFiles(folders ...string) (files []string) {
	for _, folder := range folders {
		more, _ := shapefile.Folder(folder)
		files = append(files, more...)
	}
	return files
}

func (s *exampleFlags) named() bool { return s.teach.Name != "" }

func (s *exampleFlags) read(ctx context.Context, c *fitCommand, job *fit.Job) (why string, err error) {
	job.Tests.LeaveOneOut = s.loocv
	if job.Training, err = s.set(ctx, c, job.Model); err != nil {
		return "", err
	}
	return "", s.readTests(ctx, c, job)
}

// set returns the training set: shapes in files, the shapes of a method, or the model's own.
func (s *exampleFlags) set(ctx context.Context, c *fitCommand, m *skinning.Model) (*training.Set, error) {
	switch {
	case s.examples != "":
		return legGrid(ctx, m)
	case s.targets.Folder != "":
		return s.targets.Load(ctx, m)
	case s.teach.Name != "":
		teacher, err := s.teach.Teacher(m)
		if err != nil {
			return nil, err
		}
		parts, err := c.parts(m)
		if err != nil {
			return nil, err
		}
		return &training.Set{Teacher: teacher, Parts: parts, LongWay: !s.shortestPath}, nil
	}
	return ownExamples(m)
}

// gridExamples names the examples of [legGrid].
const gridExamples = "grid"

// legGrid returns the 6,750 examples of a built-in leg (HBR section 6.1), or an error for another model.
func legGrid(ctx context.Context, m *skinning.Model) (*training.Set, error) {
	l, ok := demo.LegOf(m)
	if !ok {
		return nil, flags.Usagef("--examples grid: %s has none: demo:leg and demo:leg-smooth have", m.Name)
	}
	grid := demo.LegGrid()
	set := &training.Set{Title: "grid", Targets: make([][]mgl64.Vec3, len(grid))}
	for range grid {
		set.Poses = append(set.Poses, m.NewPose())
	}
	tell, end := progress.Begin(ctx, "making example")
	defer end()
	var mu sync.Mutex
	made := 0
	parallel.For(runtime.GOMAXPROCS(0), len(grid), func(_, i int) {
		if ctx.Err() == nil {
			l.SetPose(set.Poses[i], grid[i])
			set.Targets[i] = make([]mgl64.Vec3, len(m.Skin.Positions))
			l.Shape(set.Targets[i], grid[i])
			mu.Lock()
			defer mu.Unlock()
			made++
			tell(made, len(grid))
		}
	})
	return set, ctx.Err()
}

// ownExamples returns the model's example set. For a model without one, the error names the flags to give instead.
func ownExamples(m *skinning.Model) (*training.Set, error) {
	set, err := training.Own(m)
	if err != nil {
		return nil, fmt.Errorf("%w: give --targets DIR or --teach METHOD", err)
	}
	return set, nil
}

// readTests reads the flags of the tests of a fit: --test, a clip or a file; --holdout; --keyframes; --test-targets.
func (s *exampleFlags) readTests(ctx context.Context, c *fitCommand, job *fit.Job) (err error) {
	m := job.Model
	if err := c.readTest(ctx, job, !s.named()); err != nil {
		return err
	}
	switch n := job.Training.Len(); {
	case s.tests.Folder != "":
		s.tests.Clip = cmp.Or(s.tests.Clip, s.targets.Clip)
		job.Tests.HeldOut, err = s.tests.Load(ctx, m)
	case s.holdOut >= n && s.holdOut > 0:
		return flags.Usagef("%s: --holdout: %d of %s leave none to learn from", m.Name, s.holdOut,
			messages.Count(n, "shape", "shapes"))
	case s.holdOut > 0:
		job.Training, job.Tests.HeldOut = job.Training.HoldOut(s.holdOut)
	case s.keys > 0:
		job.Tests.HeldOut, job.Tests.Sequence = job.Training, true
		job.Training, err = keyFrames(job.Training, s.keys, m)
	}
	return err
}

// registerKeyFrames adds --keyframes; with is what its help begins with.
func registerKeyFrames(f *pflag.FlagSet, keys *int, with string) {
	f.IntVar(keys, "keyframes", 0, with+"learn from so many of the shapes alone, evenly spread with the first and the last, "+
		"and measure the error on all of them (default: learn from all)")
}

// keyFrames returns the set with only the key frames of its shapes ([training.Set.KeyFrames]).
func keyFrames(set *training.Set, keys int, m *skinning.Model) (*training.Set, error) {
	if n := set.Len(); keys > n {
		return nil, flags.Usagef("%s: --keyframes: %d of %s", m.Name, keys, messages.Count(n, "shape", "shapes"))
	}
	return set.KeyFrames(keys), nil
}
