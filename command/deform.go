package command

// This file is the command line's info, deform and render: one model, posed by one method.

import (
	"fmt"
	"io"
	"math"
	"os"

	"skinlab/assets"
	"skinlab/render"
	"skinlab/skinning"
)

// posed loads a model and poses it as the flags say.
func (o *options) posed(path string) (*skinning.Frame, int, error) {
	if math.IsNaN(o.time) || math.IsInf(o.time, 0) {
		return nil, 0, usagef("--time: %g is not a time", o.time)
	}
	m, err := load(path)
	if err != nil {
		return nil, 0, err
	}
	if o.pose != "" {
		return o.posedByFile(m)
	}
	byDefault := -1
	if o.cmd.Flags().Changed("time") {
		if byDefault = 0; len(m.Clips) == 0 {
			return nil, 0, usagef("%s: --time: the model has no clips", m.Name)
		}
	}
	clip, err := o.clipIndex(m, byDefault)
	if err != nil {
		return nil, 0, err
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, clip, o.time)
	frame.SetPose(pose)
	if !o.shortestPath {
		skinning.NewSigns(m, clip).Apply(frame, o.time)
	}
	return frame, clip, nil
}

// load opens a model and says on standard error what was unusual about it.
func load(path string) (*skinning.Model, error) {
	m, err := assets.Open(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", m.Name, w)
	}
	return m, nil
}

// output is what the commands that write one file print.
type output struct {
	Model    string  `json:"model"`
	Method   string  `json:"method"`
	Clip     string  `json:"clip"` // "" for the static pose
	Time     float64 `json:"time"`
	Vertices int     `json:"vertices"`
	Output   string  `json:"output"`
	Renderer string  `json:"renderer,omitempty"`
}

func (o *options) wrote(f *skinning.Frame, clip int, method skinning.Method) output {
	out := output{Model: f.Model.Name, Method: method.String(), Time: o.time, Vertices: len(f.Model.Skin.Positions),
		Output: o.output}
	if clip >= 0 {
		out.Clip = f.Model.Clips[clip].Name
	}
	return out
}

func runInfo(o *options, args []string) error {
	m, err := load(args[0])
	if err != nil {
		return err
	}
	info := m.Describe()
	return o.report(info, func() { info.WriteText(os.Stdout) })
}

func runDeform(o *options, args []string) error {
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	if o.output == "" {
		return usagef("deform: no output: give -o FILE.obj, or -o - for standard output")
	}
	piped := o.output == "-"
	if piped && o.json {
		return usagef("deform: -o - and --json both want standard output")
	}
	if !piped {
		if err := o.checkOutput(args, ".obj"); err != nil {
			return err
		}
	}
	frame, clip, err := o.posed(args[0])
	if err != nil {
		return err
	}
	mesh := &frame.Model.Skin
	if len(mesh.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to deform", frame.Model.Name)
	}
	shape := frame.Reference(method)
	write := func(w io.Writer) error { return assets.WriteOBJ(w, shape.Positions, shape.Normals, mesh.Triangles) }
	if piped {
		return write(os.Stdout)
	}
	if err := assets.WriteFileAtomic(o.output, write); err != nil {
		return err
	}
	out := o.wrote(frame, clip, method)
	return o.report(out, func() { fmt.Printf("%s: %d vertices by %s\n", out.Output, out.Vertices, out.Method) })
}

func runRender(o *options, args []string) error {
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	scene := &render.Scene{Method: method, Grid: true}
	if o.clay {
		scene.Surface = render.SurfaceClay
	}
	if scene.Width, scene.Height, err = o.parseSize(); err != nil {
		return err
	}
	if o.output == "" {
		return usagef("render: no output: give -o FILE.png")
	}
	if err := o.checkOutput(args, ".png"); err != nil {
		return err
	}
	frame, clip, err := o.posed(args[0])
	if err != nil {
		return err
	}
	scene.Frame = frame
	picture, err := render.RenderOnce(frame.Model, scene)
	if err != nil {
		return err
	}
	if err := assets.WritePNG(o.output, picture); err != nil {
		return err
	}
	out := o.wrote(frame, clip, method)
	return o.report(out, func() { fmt.Printf("%s: %d×%d pixels\n", out.Output, scene.Width, scene.Height) })
}
