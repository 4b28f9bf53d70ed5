package command

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/assets/gltf/export"
	"skinlab/assets/posefile"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// besideFlags ask for files beside a fit's output: the fit with fewer joints, and poses to make shapes for next.
type besideFlags struct {
	levels  []int
	suggest int
	files   []flags.Output // that are written: of the levels, and then of the poses
}

// mostSuggested bounds the poses that may be asked for, because a person makes a shape for each.
const mostSuggested = 1000

func (b *besideFlags) register(f *pflag.FlagSet, m *fit.Method) {
	if m.Level != nil {
		f.IntSliceVar(&b.levels, "lod", nil, "levels of detail: comma-separated numbers of "+m.Nouns()+
			"; each is written to a file of its own beside the output, OUT-N.glb, with weights solved for it")
	}
	if m.Suggest != nil {
		f.IntVar(&b.suggest, "suggest", 0, "so many poses to make example shapes for next, where the fit is least sure; "+
			"each is written to a pose file beside the output, OUT-pose-N.json, and all are a clip of the output")
	}
}

// check finds out before the work whether the files can be written.
func (b *besideFlags) check(c *fitCommand, reads func() []string, most int) error {
	if b.suggest < 0 || b.suggest > mostSuggested {
		return flags.Usagef("fit %s: --suggest is from 0 to %d", c.method.Name, mostSuggested)
	}
	if len(b.levels)+b.suggest > 0 && c.Path == "" {
		return flags.Usagef("fit %s: --lod and --suggest write files beside the output: give -o OUT.glb", c.method.Name)
	}
	if len(b.levels)+b.suggest > 0 && c.Piped {
		return flags.Usagef("fit %s: --lod and --suggest write files beside the output: -o is to name one", c.method.Name)
	}
	slices.Sort(b.levels)
	for k, n := range b.levels {
		if n < 1 || n > most || k > 0 && n == b.levels[k-1] {
			return flags.Usagef("fit %s: --lod: %d is not from 1 to the %d of --%s, each once", c.method.Name, n, most,
				c.method.Count().Name)
		}
	}
	base := strings.TrimSuffix(c.Path, ".glb")
	add := func(flag, path, ending string) error {
		o := flags.Output{Flag: flag, Path: path, Force: c.Force}
		err := o.Check(reads, ending)
		b.files = append(b.files, o)
		return err
	}
	for _, n := range b.levels {
		if err := add("--lod", fmt.Sprintf("%s-%d.glb", base, n), ".glb"); err != nil {
			return err
		}
	}
	for k := range b.suggest {
		if err := add("--suggest", fmt.Sprintf("%s-pose-%d.json", base, k+1), ".json"); err != nil {
			return err
		}
	}
	return nil
}

// writePoses writes the poses that the fit suggests, and returns them as a clip of the output: nil for none.
func (b *besideFlags) writePoses(
	ctx context.Context, c *fitCommand, m *skinning.Model, out *fit.Result,
) (*skinning.Clip, error) {
	if b.suggest == 0 || ctx.Err() != nil {
		return nil, nil
	}
	poses, err := c.method.Suggest(ctx, out, b.suggest)
	if err != nil {
		return nil, err
	}
	if len(poses) < b.suggest {
		out.Report.Warnings = append(out.Report.Warnings, fmt.Sprintf("%s to suggest of the %d that were asked for",
			messages.Count(len(poses), "pose", "poses"), b.suggest))
	}
	if len(poses) == 0 {
		return nil, nil
	}
	for k, p := range poses {
		file := &b.files[len(b.levels)+k]
		path := file.Path
		if err := file.Recheck(); err != nil {
			return nil, err
		}
		if err := posefile.Write(path, m, p); err != nil {
			return nil, err
		}
		out.Report.Suggested = append(out.Report.Suggested, path)
	}
	clip := fit.PosesClip(m, poses)
	return &clip, nil
}

func (b *besideFlags) writeLevels(ctx context.Context, c *fitCommand, source string, out *fit.Result,
	opt export.Options) error {
	for k, n := range b.levels {
		if ctx.Err() != nil {
			fmt.Fprintf(os.Stderr, "cancelled: no levels of detail from %s on\n", b.files[k].Path)
			return nil
		}
		m, e, err := c.method.Level(ctx, out, n)
		if err != nil {
			return err
		}
		level := fit.Level{AddedBones: len(m.Added()), Measured: e, Output: b.files[k].Path}
		opt.RMS, opt.Ready = level.RMS, b.files[k].Recheck
		if _, err := export.File(context.WithoutCancel(ctx), level.Output, source, m, opt); err != nil {
			return err
		}
		out.Report.Levels = append(out.Report.Levels, level)
	}
	return nil
}
