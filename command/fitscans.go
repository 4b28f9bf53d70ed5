package command

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"skinlab/assets/shapefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/remodel"
)

// scanFlags say which scans a body is fitted to, and on which it is tested. Poses need not be known.
type scanFlags struct {
	targets flags.ShapeFlags
	tests   string // a folder
	teach   flags.MethodFlag
	holdOut int
	names   string // a model
}

func (s *scanFlags) register(f *pflag.FlagSet) (train, test string) {
	s.targets.Register(f, "",
		"a folder of OBJ or PLY files, the scans by name, numbers by value; a folder in place of the model is the same "+
			"(default: the model's example set, or what its morph targets show)",
		"the clip that shows the scans by morph targets, or whose keys have the poses and times of --targets "+
			"(default for --targets: no poses, and one scan a second, or --fps of them)",
		"where in --clip the scans of --targets belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one for each key)")
	f.StringVar(&s.tests, "test-targets", "", "a folder of scans to measure the error on: only poses are fitted to them")
	f.IntVar(&s.holdOut, "holdout", 0,
		"keep so many scans from the training, evenly spread, and measure the error on them")
	f.StringVar(&s.names, "names", "", "a model, whose joints' names limbs that are found take by their places")
	s.teach.Register(f, "teach", "", "scans are what this method makes of the model at the poses of --train: "+flags.Operators())
	return "with --teach, training poses",
		"what to measure the error on: a clip, which has shapes of its own or with --teach any, " +
			"and which the default training leaves out, or another file with examples on the same joints"
}

func (s *scanFlags) check(c *fitCommand) error {
	targets, teach, method := s.targets.Folder != "", s.teach.Name != "", c.method.Name
	switch {
	case targets && teach:
		return flags.Usagef("fit %s: --targets and --teach both say what the scans are", method)
	case len(c.train) > 0 && !teach:
		return flags.Usagef("fit %s: --train is for --teach", method)
	case teach && s.targets.Clip != "":
		return flags.Usagef("fit %s: --clip is for scans: give --train CLIP", method)
	case s.targets.Times != "" && (!targets || s.targets.Clip == ""):
		return flags.Usagef("fit %s: --times is for --targets DIR in --clip CLIP", method)
	case s.holdOut < 0:
		return flags.Usagef("fit %s: --holdout is not negative", method)
	case s.holdOut > 0 && s.tests != "":
		return flags.Usagef("fit %s: --holdout and --test-targets both say what to test on", method)
	}
	return nil
}

func (s *scanFlags) reads() []string {
	return append(shapeFiles(s.targets.Folder, s.tests), flags.ModelFiles(s.names)...)
}

func (s *scanFlags) named() bool { return s.teach.Name != "" }

// takeFolder takes a folder of scans in place of a model, of which the first is the model. It returns its path.
func (s *scanFlags) takeFolder(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return path, nil
	}
	if s.targets.Folder != "" {
		return "", flags.Usagef("%s and --targets %s are both folders of scans", path, s.targets.Folder)
	}
	files, err := shapefile.Folder(path)
	if err != nil {
		return "", err
	}
	s.targets.Folder = path
	return files[0], nil
}

func (s *scanFlags) read(ctx context.Context, c *fitCommand, job *fit.Job) (why string, err error) {
	job.Tests.AllClips = false
	if err := s.readScans(ctx, c, job); err != nil {
		return "", err
	}
	if err := s.readTests(ctx, c, job); err != nil {
		return "", err
	}
	if s.names != "" {
		if job.Training.Template, err = flags.Load(ctx, s.names); err != nil {
			return "", err
		}
	}
	return "", nil
}

// scanRate is the default number of a folder's scans a second: they are single poses, not frames of a motion.
const scanRate = 1

// rate returns the scans a second of scans without times.
func (c *fitCommand) rate() float64 {
	if c.fps > 0 {
		return c.fps
	}
	return scanRate
}

// readScans sets the job's training. Scans that belong to no clip get one, in a copy of the job's model.
func (s *scanFlags) readScans(ctx context.Context, c *fitCommand, job *fit.Job) (err error) {
	m := job.Model
	bound := remodel.BindRigid(m)
	switch {
	case s.teach.Name != "":
		teacher, err := s.teach.Parse()
		if err != nil {
			return err
		}
		parts, err := c.parts(m)
		if err != nil {
			return err
		}
		job.Training = &training.Set{Teacher: teacher, Parts: parts}
		return nil
	case s.targets.Folder != "" && s.targets.Clip != "":
		job.Training, err = s.targets.Load(ctx, bound)
	case s.targets.Folder != "":
		var files []string
		if files, err = shapefile.Folder(s.targets.Folder); err != nil {
			return err
		}
		job.Model, job.Training = training.WithSequence(m, len(files), c.rate())
		job.Training.Targets, err = flags.ReadShapes(ctx, bound, files, func(int, int) {})
		job.Training.Names = files
	case s.targets.Clip != "":
		clip, unknown := flags.NamedClip(m, s.targets.Clip)
		if unknown != nil {
			return flags.Usagef("%s: --clip: %v", m.Name, unknown)
		}
		job.Model, job.Training, err = training.Sequence(m, clip, c.fps)
	default:
		job.Model, job.Training, err = ownScans(m, c.fps)
	}
	return err
}

// ownScans returns the model's example set, or the shapes of its morph targets, or an error that names the flags.
func ownScans(m *skinning.Model, fps float64) (*skinning.Model, *training.Set, error) {
	if set, err := training.Own(m); err == nil {
		return m, set, nil
	}
	out, set, err := training.Sequence(m, -1, fps)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: give --targets DIR or --teach METHOD", err)
	}
	return out, set, nil
}

// readTests reads the flags of the tests of a fit: --test, a clip or a file; --holdout; --test-targets.
func (s *scanFlags) readTests(ctx context.Context, c *fitCommand, job *fit.Job) (err error) {
	m := job.Model
	if err := c.readTest(ctx, job, true); err != nil {
		return err
	}
	switch {
	case s.tests != "":
		files, err := shapefile.Folder(s.tests)
		if err != nil {
			return err
		}
		job.Model, job.Tests.HeldOut = training.WithSequence(m, len(files), c.rate())
		job.Tests.HeldOut.Targets, err = flags.ReadShapes(ctx, remodel.BindRigid(m), files, func(int, int) {})
		return err
	case s.holdOut > 0 && job.Training.Taught():
		return flags.Usagef("--holdout: a method's shapes are known in every clip: give --test CLIP")
	case s.holdOut > 0:
		x, err := job.Training.Examples(remodel.BindRigid(m))
		if err != nil {
			return err
		}
		if n := len(x.Targets); s.holdOut > n-2 {
			return flags.Usagef("--holdout: %d of %s leave less than two to learn from", s.holdOut,
				messages.Count(n, "scan", "scans"))
		}
		all := *job.Training
		all.Targets = x.Targets
		job.Training, job.Tests.HeldOut = all.HoldOut(s.holdOut)
	}
	return nil
}
