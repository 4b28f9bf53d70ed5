package command

import (
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/render"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

type renderCommand struct {
	flags.PosedOutput
	flags.PictureFlags
	flags.CameraFlags
	seriesFlags
}

func (c *renderCommand) register(f *pflag.FlagSet) {
	c.PictureFlags.Register(f, "1280x720", "picture size in pixels, WxH")
	c.PictureFlags.RegisterTransparent(f)
	c.CameraFlags.Register(f)
	c.seriesFlags.register(f)
	c.PosedOutput.Register(f, "PNG file to write; with --frames or --turntable a name for each picture, such as name-%04d.png, "+
		"or an .mp4 film, which ffmpeg writes")
}

func (c *renderCommand) run(ctx context.Context, args []string) error {
	err := c.CheckMethod()
	if err != nil {
		return err
	}
	scene := picture.Scene{Grid: true, Transparent: c.Transparent,
		Recomputed: c.Normals == flags.SurfaceNormals, Transformed: c.Normals == flags.TransformedNormals}
	if c.Clay {
		scene.Surface = picture.SurfaceClay
	}
	if scene.Width, scene.Height, err = c.Pixels(); err != nil {
		return err
	}
	if scene.Environment, err = c.Light(); err != nil {
		return err
	}
	if err := c.CameraFlags.Check(); err != nil {
		return err
	}
	if err := c.checkSeries(args[0], &c.PosedOutput, c.Transparent); err != nil {
		return err
	}
	c.Bones = true
	frame, clip, method, err := c.Frame(ctx, args[0])
	if err != nil {
		return err
	}
	if frame.Model.IsSkeleton() {
		return fmt.Errorf("%s: no mesh to draw", frame.Model.Name)
	}
	shots, err := c.shots(frame, clip, &c.PosedOutput)
	if err != nil {
		return err
	}
	scene.Frame, scene.Method = frame, method
	if scene.Camera, err = c.seriesCamera(frame, shots, float32(scene.Width)/float32(scene.Height)); err != nil {
		return err
	}
	to, err := c.sink(args[0], &c.PosedOutput, shots, image.Pt(scene.Width, scene.Height))
	if err != nil {
		return err
	}
	if err := drawSeries(ctx, &scene, shots, to); err != nil {
		return err
	}
	return c.Print(frame, clip, func(out io.Writer) {
		fmt.Fprintf(out, "%s%d×%d pixels\n", shots.written(c.Path), scene.Width, scene.Height)
	})
}

// shots are the pictures of a series: a pose and a direction for each.
type shots struct {
	first  int                            // number of the first in the names of files
	n      int                            // how many
	series bool                           // false is one picture by itself
	pose   func(f *skinning.Frame, k int) // poses the frame for picture k; nil leaves it as it is
	turn   func(k int) float32            // radians of the camera about the vertical, from the first
	around bool                           // the camera goes all round
}

// written says for people which files were written, up to their size.
func (s *shots) written(path string) string {
	if !s.series {
		return path + ": "
	}
	first, last := numbered(path, s.first), numbered(path, s.first+s.n-1)
	if first != last {
		first += " to " + filepath.Base(last)
	}
	return first + ": " + messages.Count(s.n, "picture", "pictures") + ", "
}

// seriesCamera frames the points of --frame in all poses of the series, seen from all directions of the camera.
func (c *renderCommand) seriesCamera(f *skinning.Frame, s *shots, aspect float32) (picture.Camera, error) {
	points, err := c.Points(f.Model)
	if err != nil {
		return picture.Camera{}, err
	}
	if s.pose != nil {
		s.pose(f, 0)
	}
	all := points(f)
	if s.pose != nil && s.n > 1 {
		outline := &skin.Outline{}
		step := max(s.n/mostOutlined, 1) // a sample of the poses suffices for the extent of a clip
		for k := 0; k < s.n; k += step {
			s.pose(f, k)
			for _, p := range points(f) {
				outline.Add(p)
			}
		}
		all = outline.Points()
	}
	if s.around {
		all = revolved(all)
	}
	return c.Look(all, aspect)
}

// mostOutlined bounds the poses of a series by which the camera is placed.
const mostOutlined = 64

// revolved adds to the points the circles that they describe about the vertical through their middle.
func revolved(points []mgl32.Vec3) []mgl32.Vec3 {
	box := skin.EmptyBox()
	for _, p := range points {
		box.Add(p)
	}
	const steps = 24
	middle := box.Center()
	out := make([]mgl32.Vec3, 0, steps*len(points))
	for k := range steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
		s, c := float32(sin), float32(cos)
		for _, p := range points {
			d := p.Sub(middle)
			out = append(out, middle.Add(mgl32.Vec3{c*d[0] + s*d[2], d[1], c*d[2] - s*d[0]}))
		}
	}
	return out
}

type sink interface {
	// Add takes the next picture.
	Add(ctx context.Context, k int, img *image.NRGBA) error
	// End is called once. It finishes the output or, after an error, removes it.
	End(err error) error
}

// drawSeries draws the pictures and hands them to a sink. When ctx is done, drawing is interrupted, but writing is not,
// so that every file that was written is complete.
func drawSeries(ctx context.Context, scene *picture.Scene, s *shots, to sink) (err error) {
	doing := "drawing the picture"
	switch {
	case s.series:
		doing = "drawing picture"
	case max(scene.Width, scene.Height) > render.PartSide:
		doing = "drawing part"
	}
	report, end := progress.Begin(ctx, doing)
	defer end()
	drawn := make(chan *image.NRGBA)
	failed := make(chan error, 1)
	frame := scene.Frame
	set := func(k int, out *picture.Scene) {
		if s.pose != nil {
			s.pose(frame, k)
		}
		*out = *scene
		out.Camera.Yaw += s.turn(k)
	}
	tell := report
	if s.series {
		tell = nil
	}
	go func() {
		failed <- render.Series(ctx, frame.Model, s.n, set, tell, func(_ int, img *image.NRGBA) error {
			select {
			case drawn <- img:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	defer func() { err = to.End(err) }()
	for k := range s.n {
		if s.series {
			report(k, s.n)
		}
		select {
		case img := <-drawn:
			if err := to.Add(ctx, k, img); err != nil {
				return err
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
