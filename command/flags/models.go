package flags

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/posefile"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
	"skinlab/skinning/remodel"
	"skinlab/skinning/stress"
)

// Load opens a model, and prints its warnings on standard error.
func Load(ctx context.Context, path string) (*skinning.Model, error) {
	m, err := progress.Stage(ctx, "reading "+filepath.Base(path), func(progress.Report) (*skinning.Model, error) {
		return assets.OpenContext(ctx, path, Reading(ctx, path))
	})
	if err != nil {
		return nil, err
	}
	Warn(m.Name, m.Warnings...)
	return m, nil
}

// Warn writes warnings about a model or a file to standard error.
func Warn(name string, warnings ...string) {
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", name, w)
	}
}

// NamedClip finds a clip of the model by name or index. A stress clip is made when it is asked for, and appended to the
// model, which the caller must not share yet.
func NamedClip(m *skinning.Model, name string) (int, error) {
	i, err := m.ClipIndex(name)
	if err == nil {
		return i, nil
	}
	made, ok := stress.Name(name)
	if !ok {
		if slices.ContainsFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == name }) {
			return 0, err // one of several
		}
		if slices.ContainsFunc(stress.Clips(m), func(c skinning.Clip) bool { return c.Name == "stress:"+name }) {
			err = fmt.Errorf("%w; did you mean %q?", err, "stress:"+name)
		} else if len(m.Clips) == 0 {
			err = fmt.Errorf("%w%s", err, StressHint(m))
		}
		return 0, err
	}
	*m = *stress.Append(m)
	return m.ClipIndex(made)
}

// StressHint is the end of a message about a model without clips: which clip can be made for it; "" if none can.
func StressHint(m *skinning.Model) string {
	if clips := stress.Clips(m); len(clips) > 0 {
		return ": --clip " + clips[0].Name + " makes one"
	}
	return ""
}

// SameClip finds the clip of from in to, a fit of the same model. A clip of another file's motion is copied, and so is a
// stress clip, which depends on the weights.
func SameClip(from, to *skinning.Model, clip int) (int, error) {
	if clip < len(to.Clips) && to.Clips[clip].Name == from.Clips[clip].Name { // several clips may have one name, or none
		return clip, nil
	}
	i, err := to.ClipIndex(from.Clips[clip].Name)
	if err == nil {
		return i, nil
	}
	if _, ok := stress.Name(from.Clips[clip].Name); !ok && from.Clips[clip].Motion == "" {
		return 0, err
	}
	c, err := remodel.Onto(&from.Clips[clip], from, to)
	if err != nil {
		return 0, err
	}
	to.Clips = append(to.Clips[:len(to.Clips):len(to.Clips)], c)
	return len(to.Clips) - 1, nil
}

// ClipFlags choose a clip and how it turns joints.
type ClipFlags struct {
	MotionFlags
	Clip         string
	ShortestPath bool
}

// Register adds the flags; byDefault is the clip that is taken where none is named.
func (c *ClipFlags) Register(f *pflag.FlagSet, what, byDefault string) {
	f.StringVar(&c.Clip, "clip", "",
		what+": a name, an index, or stress:twist, stress:bend, stress:shrug, made for a skeleton with such joints (default: "+
			byDefault+")")
	f.BoolVar(&c.ShortestPath, "shortest-path", true,
		"turn each joint the shorter way round; false follows its rotation through the clip, past 180 degrees")
	c.MotionFlags.Register(f)
}

// Index returns the clip that the flags choose, else the first of --motion, else byDefault; −1 is the static pose.
func (c *ClipFlags) Index(m *skinning.Model, byDefault int) (int, error) {
	if c.Clip == "" && c.Motion != "" {
		return c.first, nil
	}
	if c.Clip == "" {
		if byDefault >= len(m.Clips) {
			return -1, nil
		}
		return byDefault, nil
	}
	i, err := NamedClip(m, c.Clip)
	if err != nil {
		return 0, Usagef("%s: --clip: %v", m.Name, err)
	}
	return i, nil
}

// PoseFlags choose a pose: a time in a clip, or a file.
type PoseFlags struct {
	ClipFlags
	Time float64 // seconds
	Pose string  // a file
	Set  *pflag.FlagSet
	// Bones gives a skeleton without a mesh one of its bones, see [remodel.WithBones].
	Bones bool
}

func (p *PoseFlags) Register(f *pflag.FlagSet, byDefault string) {
	p.Set = f
	p.ClipFlags.Register(f, "clip to pose from", byDefault)
	f.Float64Var(&p.Time, "time", 0, "time in the clip, seconds")
	f.StringVar(&p.Pose, "pose", "", "a pose file that the viewer saved, in place of a clip")
}

// Frame poses a model as the flags say. The clip is −1 for the static pose and for a pose from a file.
func (p *PoseFlags) Frame(m *skinning.Model) (f *skinning.Frame, clip int, err error) {
	if math.IsNaN(p.Time) || math.IsInf(p.Time, 0) {
		return nil, 0, Usagef("--time: %g is not a time", p.Time)
	}
	if p.Bones {
		m = remodel.WithBones(m)
	}
	var pose *skinning.Pose
	clip = -1
	if p.Pose != "" {
		pose, err = p.ReadFile(m)
	} else if clip, err = p.posedClip(m); err == nil {
		pose = m.NewPose()
		m.SamplePose(pose, clip, p.Time)
	}
	if err != nil {
		return nil, 0, err
	}
	f = skinning.NewFrame(m, nil)
	f.SetPose(pose)
	if p.Pose == "" {
		if signs := skinning.SignsOf(m, clip, p.ShortestPath); signs != nil {
			signs.Apply(f, p.Time)
		}
	}
	return f, clip, nil
}

// posedClip returns the clip of the flags: without --clip the static pose, or the first where --time is given.
func (p *PoseFlags) posedClip(m *skinning.Model) (int, error) {
	if !p.Set.Changed("time") {
		return p.Index(m, -1)
	}
	if len(m.Clips) == 0 && !p.Set.Changed("clip") {
		return 0, Usagef("%s: --time: the model has no clips%s", m.Name, StressHint(m))
	}
	clip, err := p.Index(m, 0)
	if err == nil {
		err = CheckTime("--time", m, clip, p.Time)
	}
	return clip, err
}

// CheckTime returns an error that names a flag if its time in seconds is not in a clip. Lengths are printed in whole
// milliseconds, so that the printed length is in the clip too.
func CheckTime(flag string, m *skinning.Model, clip int, seconds float64) error {
	c := &m.Clips[clip]
	if seconds >= 0 && seconds <= c.Seconds+0.0005 {
		return nil
	}
	return Usagef("%s: %s: %g is not from 0 to %.3f, the seconds of clip %q", m.Name, flag, seconds, c.Seconds,
		messages.Shortened(c.Name))
}

// ReadFile reads the file of --pose, and warns of its nodes and morphs that the model does not have.
func (p *PoseFlags) ReadFile(m *skinning.Model) (*skinning.Pose, error) {
	if p.Set.Changed("clip") || p.Set.Changed("time") {
		return nil, Usagef("--pose stands in place of --clip and --time")
	}
	pose := m.NewPose()
	warnings, err := posefile.Read(p.Pose, m, pose)
	if err != nil {
		return nil, err
	}
	Warn(p.Pose, warnings...)
	return pose, nil
}
