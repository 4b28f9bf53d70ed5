package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"skinlab/assets/obj"
	"skinlab/command/flags"
	"skinlab/skinning/messages"
)

type deformCommand struct{ flags.PosedOutput }

func (c *deformCommand) register(f *pflag.FlagSet) {
	c.PosedOutput.Register(f, "OBJ file to write, - for standard output")
}

func (c *deformCommand) run(ctx context.Context, args []string) error {
	if err := c.CheckMethod(); err != nil {
		return err
	}
	if c.Path == "" {
		return flags.Usagef("deform: no output: give -o FILE.obj, or -o - for standard output")
	}
	piped := c.Path == "-"
	if piped && c.JSON {
		return flags.Usagef("deform: -o - and --json both want standard output")
	}
	if !piped {
		if err := c.Check(args[0], ".obj"); err != nil {
			return err
		}
	}
	frame, clip, method, err := c.Frame(ctx, args[0])
	if err != nil {
		return err
	}
	mesh := &frame.Model.Skin
	if len(mesh.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to deform", frame.Model.Name)
	}
	shape := frame.Reference(method)
	if c.Normals == flags.SurfaceNormals || c.Normals == flags.AutoNormals && frame.WantsSurfaceNormals(method) {
		shape = frame.WithSurfaceNormals(shape)
	}
	write := func(w io.Writer) error { return obj.Write(w, shape.Positions, shape.Normals, mesh.Triangles) }
	if piped {
		return write(os.Stdout)
	}
	if err := c.Write(write); err != nil {
		return err
	}
	return c.Print(frame, clip, func(out io.Writer) {
		fmt.Fprintf(out, "%s: %s by %s\n", c.Path, messages.Count(len(mesh.Positions), "vertex", "vertices"), c.Method.Name)
	})
}
