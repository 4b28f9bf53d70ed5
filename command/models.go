package command

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/posefile"
	"skinlab/skinning"
	"skinlab/skinning/progress"
	"skinlab/skinning/stress"
)

// load opens a model and says on standard error what was unusual about it.
func load(ctx context.Context, path string) (*skinning.Model, error) {
	m, err := progress.Stage(ctx, "reading "+filepath.Base(path), func(progress.Report) (*skinning.Model, error) {
		return assets.OpenContext(ctx, path, nil)
	})
	if err != nil {
		return nil, err
	}
	warn(m.Name, m.Warnings...)
	return m, nil
}

// warn says on standard error what is unusual about a model or a file.
func warn(name string, warnings ...string) {
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", name, w)
	}
}

// namedClip finds a clip of the model by name or index. A stress clip is made when it is asked for, and appended to the
// model, which the caller must not share yet.
func namedClip(m *skinning.Model, name string) (int, error) {
	i, err := m.ClipIndex(name)
	if err == nil {
		return i, nil
	}
	made, ok := stress.Name(name)
	if !ok {
		return 0, err
	}
	*m = *stress.Append(m)
	return m.ClipIndex(made)
}

// sameClip finds the clip of from in to, a fit of the same model. A stress clip is not made anew, since other weights
// may ask for other moves, but taken over.
func sameClip(from, to *skinning.Model, clip int) (int, error) {
	if clip < len(to.Clips) && to.Clips[clip].Name == from.Clips[clip].Name { // several clips may have one name, or none
		return clip, nil
	}
	i, err := to.ClipIndex(from.Clips[clip].Name)
	if err == nil {
		return i, nil
	}
	if _, ok := stress.Name(from.Clips[clip].Name); !ok {
		return 0, err
	}
	c, err := from.Clips[clip].Onto(from, to)
	if err != nil {
		return 0, err
	}
	to.Clips = append(to.Clips[:len(to.Clips):len(to.Clips)], c)
	return len(to.Clips) - 1, nil
}

// clipFlags choose a clip and how it turns joints.
type clipFlags struct {
	clip         string
	shortestPath bool
}

// register adds the flags; byDefault is the clip that is taken where none is named.
func (c *clipFlags) register(f *pflag.FlagSet, what, byDefault string) {
	f.StringVar(&c.clip, "clip", "",
		what+": a name, an index, or stress:twist, stress:bend, stress:shrug, made for any skeleton (default: "+byDefault+")")
	f.BoolVar(&c.shortestPath, "shortest-path", true,
		"turn each joint the shorter way round; false follows its rotation through the clip, past 180 degrees")
}

// index returns the clip that the flags choose, or byDefault; −1 is the static pose.
func (c *clipFlags) index(m *skinning.Model, byDefault int) (int, error) {
	if c.clip == "" {
		if byDefault >= len(m.Clips) {
			return -1, nil
		}
		return byDefault, nil
	}
	i, err := namedClip(m, c.clip)
	if err != nil {
		return 0, usagef("%s: --clip: %v", m.Name, err)
	}
	return i, nil
}

// poseFlags choose a pose: a time in a clip, or a file.
type poseFlags struct {
	clipFlags
	time float64 // seconds
	pose string  // a file
	set  *pflag.FlagSet
}

func (p *poseFlags) register(f *pflag.FlagSet, byDefault string) {
	p.set = f
	p.clipFlags.register(f, "clip to pose from", byDefault)
	f.Float64Var(&p.time, "time", 0, "time in the clip, seconds")
	f.StringVar(&p.pose, "pose", "", "a pose file that the viewer saved, in place of a clip")
}

// frame loads a model and poses it as the flags say. The clip is −1 for the static pose and for that of a file.
func (p *poseFlags) frame(ctx context.Context, path string) (f *skinning.Frame, clip int, err error) {
	if math.IsNaN(p.time) || math.IsInf(p.time, 0) {
		return nil, 0, usagef("--time: %g is not a time", p.time)
	}
	m, err := load(ctx, path)
	if err != nil {
		return nil, 0, err
	}
	var pose *skinning.Pose
	if clip = -1; p.pose != "" {
		pose, err = p.readFile(m)
	} else if clip, err = p.posedClip(m); err == nil {
		pose = m.NewPose()
		m.SamplePose(pose, clip, p.time)
	}
	if err != nil {
		return nil, 0, err
	}
	f = skinning.NewFrame(m, nil)
	f.SetPose(pose)
	if p.pose == "" && !p.shortestPath {
		skinning.NewSigns(m, clip).Apply(f, p.time)
	}
	return f, clip, nil
}

// posedClip returns the clip of the flags: without --clip the static pose, or the first where --time is given.
func (p *poseFlags) posedClip(m *skinning.Model) (int, error) {
	if !p.set.Changed("time") {
		return p.index(m, -1)
	}
	if len(m.Clips) == 0 {
		return 0, usagef("%s: --time: the model has no clips", m.Name)
	}
	return p.index(m, 0)
}

// readFile reads the file of --pose and says on standard error what of it the model lacks.
func (p *poseFlags) readFile(m *skinning.Model) (*skinning.Pose, error) {
	if p.set.Changed("clip") || p.set.Changed("time") {
		return nil, usagef("--pose stands in place of --clip and --time")
	}
	pose := m.NewPose()
	warnings, err := posefile.Read(p.pose, m, pose)
	if err != nil {
		return nil, err
	}
	warn(p.pose, warnings...)
	return pose, nil
}
