package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"skinlab/assets/shapefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/remodel"
	"skinlab/skinning/stress"
)

// sequenceFlags choose the frames that a fit learns: those that a clip shows by morph targets, or those of files.
type sequenceFlags struct {
	targets flags.ShapeFlags
	teach   flags.TeachFlag
	free    []string
	set     *pflag.FlagSet
}

func (s *sequenceFlags) register(f *pflag.FlagSet) (train, test string) {
	s.targets.Register(f, "",
		"a folder of OBJ or PLY files, the frames by name, numbers by value (default: the frames that --clip shows)",
		"the clip whose keys are the frames (default: the first that shows morph targets; for --targets on a model "+
			"without a skeleton a clip is made, --fps frames a second, 24 without it)",
		"where in --clip the frames of --targets belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one frame for each key)")
	s.teach.Register(f, "the frames are its shapes at the keys of --clip, or of the first clip")
	f.StringSliceVar(&s.free, "free", nil,
		"joints of the skeleton that are not locked, by name, comma-separated: they are the first of --bones, which are "+
			"as many by default")
	s.set = f
	return "not for sequences", "not for sequences"
}

func (s *sequenceFlags) check(c *fitCommand) error {
	switch {
	case len(c.train) > 0 || c.test != "":
		return flags.Usagef("fit %s: --train and --test are not for sequences: give --clip or --targets", c.method.Name)
	case s.teach.Name != "" && s.targets.Folder != "":
		return flags.Usagef("fit %s: --targets and --teach both say what the frames are", c.method.Name)
	case s.targets.Times != "" && (s.targets.Folder == "" || s.targets.Clip == ""):
		return flags.Usagef("fit %s: --times is for --targets DIR in --clip CLIP", c.method.Name)
	}
	return s.teach.Check()
}

func (s *sequenceFlags) reads() []string { return shapeFiles(s.targets.Folder) }

func (s *sequenceFlags) named() bool { return false }

// freeJoints finds the joints that are not locked.
func (s *sequenceFlags) freeJoints(m *skinning.Model) (free []int, err error) {
	for _, name := range s.free {
		j := slices.IndexFunc(m.Skeleton.Joints, func(j skinning.Joint) bool { return j.Name == name })
		if j < 0 {
			return nil, flags.Usagef("%s: --free: no joint %q", m.Name, messages.Shortened(name))
		}
		if !slices.Contains(free, j) {
			free = append(free, j)
		}
	}
	return free, nil
}

func (s *sequenceFlags) read(ctx context.Context, c *fitCommand, job *fit.Job) (why string, err error) {
	free, err := s.freeJoints(job.Model)
	if err != nil {
		return "", err
	}
	if err := s.readFrames(ctx, c, job); err != nil {
		return "", err
	}
	clip := job.Model.Clips[job.Training.Clip].Name
	if _, made := stress.Name(clip); made && c.Path != "" {
		return "", flags.Usagef("%s: --clip %s: files have no stress clips, and the bones would not move: name a clip of "+
			"the file, or leave out -o", job.Model.Name, clip)
	}
	job.Training.Free = free
	if len(free) > 0 && !s.set.Changed("bones") {
		job.Values["bones"] = float64(len(free))
	}
	return "", nil
}

// readFrames sets the job's training, and its model where that gets a clip.
func (s *sequenceFlags) readFrames(ctx context.Context, c *fitCommand, job *fit.Job) (err error) {
	m, clip := job.Model, -1
	bound := remodel.BindRigid(m)
	switch {
	case s.targets.Folder != "" && s.targets.Clip != "":
		job.Training, err = s.targets.Load(ctx, bound)
		return err
	case s.targets.Folder != "" && bound == m:
		return flags.Usagef("%s: --targets: give --clip, in whose poses the skeleton is", m.Name)
	case s.targets.Folder != "":
		files, err := shapefile.Folder(s.targets.Folder)
		if err != nil {
			return err
		}
		job.Model, job.Training = training.WithSequence(m, len(files), c.fps)
		job.Training.Targets, err = flags.ReadShapes(ctx, bound, files, func(int, int) {})
		return err
	case s.targets.Clip != "":
		if clip, err = flags.NamedClip(m, s.targets.Clip); err != nil {
			return flags.Usagef("%s: --clip: %v", m.Name, err)
		}
	}
	if s.teach.Name == "" {
		job.Model, job.Training, err = training.Sequence(m, clip, c.fps)
		switch {
		case err != nil && bound == m:
			err = fmt.Errorf("%w: give --teach METHOD, or --targets DIR with --clip CLIP", err)
		case err != nil:
			err = fmt.Errorf("%w: give --targets DIR", err)
		}
		return err
	}
	clip = max(clip, 0)
	if clip >= len(m.Clips) {
		return flags.Usagef("%s: --teach: it has no clip", m.Name)
	}
	job.Training = &training.Set{Clip: clip, Times: m.Clips[clip].KeyTimes()}
	job.Training.Teacher, err = s.teach.Teacher(m)
	return err
}
