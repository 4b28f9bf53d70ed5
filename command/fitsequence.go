package command

import (
	"context"

	"github.com/spf13/pflag"

	"skinlab/fit"
	"skinlab/fit/training"
)

// sequenceFlags say which frames a fit learns: those that a clip shows by morph targets, or those of files.
type sequenceFlags struct {
	targets shapeFlags
}

func (s *sequenceFlags) register(f *pflag.FlagSet) (train, test string) {
	s.targets.register(f, "",
		"a folder of OBJ files, the frames by name, numbers by value (default: the frames that --clip shows)",
		"the clip whose keys are the frames (default: the first that shows morph targets; for --targets on a model "+
			"without a skeleton a clip is made, --fps frames a second, 24 without it)",
		"where in --clip the frames of --targets belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one frame for each key)")
	return "not for sequences", "not for sequences"
}

func (s *sequenceFlags) check(c *fitCommand) error {
	switch {
	case len(c.train) > 0 || c.test != "":
		return usagef("fit %s: --train and --test are not for sequences: give --clip or --targets", c.method.Name)
	case s.targets.times != "" && (s.targets.folder == "" || s.targets.clip == ""):
		return usagef("fit %s: --times is for --targets DIR in --clip CLIP", c.method.Name)
	}
	return nil
}

func (s *sequenceFlags) reads() (files []string) {
	if s.targets.folder != "" {
		files, _ = objFiles(s.targets.folder) // the fit says what is wrong with the folder
	}
	return files
}

func (s *sequenceFlags) named() bool { return false }

func (s *sequenceFlags) read(ctx context.Context, c *fitCommand, job *fit.Job) (why string, err error) {
	job.Tests.AllClips = false
	m, clip := job.Model, -1
	bound := m.BindRigid()
	switch {
	case s.targets.folder != "" && s.targets.clip != "":
		job.Training, err = s.targets.load(ctx, bound)
	case s.targets.folder != "" && bound == m:
		err = usagef("%s: --targets: give --clip, in whose poses the skeleton is", m.Name)
	case s.targets.folder != "":
		files, err := objFiles(s.targets.folder)
		if err != nil {
			return "", err
		}
		job.Model, job.Training = training.WithSequence(m, len(files), c.fps)
		job.Training.Targets, err = readShapes(ctx, bound, files)
		return "", err
	default:
		if s.targets.clip != "" {
			if clip, err = namedClip(m, s.targets.clip); err != nil {
				return "", usagef("%s: --clip: %v", m.Name, err)
			}
		}
		if job.Model, job.Training, err = training.Sequence(m, clip, c.fps); err != nil {
			return "", err
		}
	}
	return "", err
}
