package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"skinlab/assets/atomicfile"
	"skinlab/assets/obj"
	"skinlab/skinning/messages"
)

// deformCommand writes a posed skin as OBJ.
type deformCommand struct{ posedOutput }

func (c *deformCommand) register(f *pflag.FlagSet) {
	c.posedOutput.register(f, "OBJ file to write, - for standard output")
}

func (c *deformCommand) run(ctx context.Context, args []string) error {
	method, err := c.method.parse()
	if err != nil {
		return err
	}
	if c.path == "" {
		return usagef("deform: no output: give -o FILE.obj, or -o - for standard output")
	}
	piped := c.path == "-"
	if piped && c.json {
		return usagef("deform: -o - and --json both want standard output")
	}
	if !piped {
		if err := c.check(args[0], ".obj"); err != nil {
			return err
		}
	}
	frame, clip, err := c.frame(ctx, args[0])
	if err != nil {
		return err
	}
	mesh := &frame.Model.Skin
	if len(mesh.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to deform", frame.Model.Name)
	}
	shape := frame.Reference(method)
	if c.normals == surfaceNormals || c.normals == autoNormals && frame.WantsSurfaceNormals(method) {
		shape = frame.WithSurfaceNormals(shape)
	}
	write := func(w io.Writer) error { return obj.Write(w, shape.Positions, shape.Normals, mesh.Triangles) }
	if piped {
		return write(os.Stdout)
	}
	if err := atomicfile.Write(c.path, write); err != nil {
		return err
	}
	return c.print(frame, clip, method, func() {
		fmt.Printf("%s: %s by %s\n", c.path, messages.Count(len(mesh.Positions), "vertex", "vertices"), method)
	})
}
