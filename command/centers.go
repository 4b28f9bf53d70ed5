package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"skinlab/assets/gltf"
	"skinlab/assets/gltf/export"
	"skinlab/command/flags"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

// centersCommand writes a copy of a file with the centres of rotation of its vertices.
type centersCommand struct{ flags.Output }

func (c *centersCommand) register(f *pflag.FlagSet) {
	c.Output.Register(f, "glTF file to write, .glb; required")
}

type centersReport struct {
	Model     string  `json:"model"`
	Vertices  int     `json:"vertices"`
	Attribute string  `json:"attribute"`
	Seconds   float64 `json:"seconds"` // that the centres took
	Output    string  `json:"output"`
}

func (c *centersCommand) run(ctx context.Context, args []string) error {
	if c.Path == "" {
		return flags.Usagef("centers: no output: give -o FILE.glb")
	}
	reads := func() []string { return flags.ModelFiles(args[0]) }
	if err := c.Check(reads, ".glb"); err != nil {
		return err
	}
	m, err := flags.Load(ctx, args[0])
	if err != nil {
		return err
	}
	if len(m.Skin.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh", m.Name)
	}
	if len(m.Rigs) > 0 {
		return fmt.Errorf("%s: its weights are for linear blending over the bones of a fit: give the file before the fit", m.Name)
	}
	out, in, start := *m, &skinning.RotationCenter, time.Now()
	out.Skin.DropInput(in)
	report, end := progress.Begin(ctx, "finding centres of rotation, percent")
	out.Skin.SetInput(skinning.InputData{Input: in,
		Values: out.Skin.AllValues(in, func(share float64) { report(int(100*share), 100) })})
	end()
	seconds := time.Since(start).Seconds()
	if err := c.Recheck(); err != nil {
		return err
	}
	written, err := export.File(ctx, c.Path, args[0], &out, export.Options{})
	if err != nil {
		return err
	}
	flags.Warn(m.Name, written.Warnings...)
	r := &centersReport{m.Name, len(m.Skin.Positions), gltf.Attribute(in), seconds, c.Path}
	return c.Print(r, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s of %s, %.2f s\n", r.Output, r.Attribute, messages.Count(r.Vertices, "vertex", "vertices"), r.Seconds)
	})
}
