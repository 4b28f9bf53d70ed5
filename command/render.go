package command

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"skinlab/assets/atomicfile"
	"skinlab/render"
	"skinlab/render/picture"
)

// renderCommand draws a picture of a posed model.
type renderCommand struct {
	posedOutput
	pictureFlags
	cameraFlags
}

func (c *renderCommand) register(f *pflag.FlagSet) {
	c.pictureFlags.register(f, "1280x720", "picture size in pixels, WxH")
	c.cameraFlags.register(f)
	c.posedOutput.register(f, "PNG file to write")
}

func (c *renderCommand) run(ctx context.Context, args []string) error {
	method, err := c.method.parse()
	if err != nil {
		return err
	}
	scene := &picture.Scene{Method: method, Grid: true}
	if c.clay {
		scene.Surface = picture.SurfaceClay
	}
	if scene.Width, scene.Height, err = c.pixels(); err != nil {
		return err
	}
	if err := c.cameraFlags.check(); err != nil {
		return err
	}
	if c.path == "" {
		return usagef("render: no output: give -o FILE.png")
	}
	if err := c.posedOutput.check(args[0], ".png"); err != nil {
		return err
	}
	frame, clip, err := c.frame(ctx, args[0])
	if err != nil {
		return err
	}
	camera, err := c.camera(frame.Model)
	if err != nil {
		return err
	}
	scene.Frame, scene.Camera = frame, camera(frame, float32(scene.Width)/float32(scene.Height))
	picture, err := render.Once(frame.Model, scene)
	if err != nil {
		return err
	}
	if err := atomicfile.WritePNG(c.path, picture); err != nil {
		return err
	}
	return c.print(frame, clip, method, func() { fmt.Printf("%s: %d×%d pixels\n", c.path, scene.Width, scene.Height) })
}
