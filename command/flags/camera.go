package flags

import (
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/spf13/pflag"

	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/messages"
)

// CameraFlags are the flags of the camera: --view, --frame and --ortho.
type CameraFlags struct {
	view, around string
	ortho        bool
}

// frameAll frames the whole model; frameJoint is the prefix of a joint's name.
const frameAll, frameJoint = "all", "joint:"

func (c *CameraFlags) Register(f *pflag.FlagSet) {
	f.StringVar(&c.view, "view", "",
		"look from "+strings.Join(picture.DirectionNames(), ", ")+
			", or AZ,EL: degrees to the right of the front, and up (default: 26,8)")
	CompleteWords(f, "view", picture.DirectionNames()...)
	f.StringVar(&c.around, "frame", frameAll,
		"what fills the picture: all, or joint:NAME, the joint and those next to it")
	CompleteWords(f, "frame", frameAll, frameJoint)
	f.BoolVar(&c.ortho, "ortho", false, "no perspective")
}

// Check checks what needs no model.
func (c *CameraFlags) Check() error {
	if c.around != frameAll && !strings.HasPrefix(c.around, frameJoint) {
		return Usagef("--frame: %q is neither all nor joint:NAME", c.around)
	}
	_, err := c.direction()
	return err
}

// direction returns the direction of --view, nil for the default.
func (c *CameraFlags) direction() (*picture.Direction, error) {
	if c.view == "" {
		return nil, nil
	}
	d, err := picture.ParseDirection(c.view)
	if err != nil {
		return nil, Usagef("--view: %v%s", err, messages.Nearest(c.view, picture.DirectionNames()))
	}
	return &d, nil
}

// Camera returns a function that makes the camera for a posed frame and a picture's aspect, width over height.
func (c *CameraFlags) Camera(m *skinning.Model) (func(f *skinning.Frame, aspect float32) picture.Camera, error) {
	if _, err := c.direction(); err != nil {
		return nil, err
	}
	points, err := c.Points(m)
	if err != nil {
		return nil, err
	}
	return func(f *skinning.Frame, aspect float32) picture.Camera {
		camera, _ := c.Look(points(f), aspect) // the direction can be read
		return camera
	}, nil
}

// Points returns a function that finds the points with which --frame fills the picture.
func (c *CameraFlags) Points(m *skinning.Model) (func(f *skinning.Frame) []mgl32.Vec3, error) {
	name, ok := strings.CutPrefix(c.around, frameJoint)
	if !ok {
		return skin.Posed, nil
	}
	joint, err := anatomy.JointIndex(&m.Skeleton, name)
	if err != nil {
		return nil, Usagef("%s: --frame: %v", m.Name, err)
	}
	return func(f *skinning.Frame) []mgl32.Vec3 { return skin.AroundJoint(f, joint).Corners() }, nil
}

// Look returns the camera that has points in view from --view.
func (c *CameraFlags) Look(points []mgl32.Vec3, aspect float32) (picture.Camera, error) {
	camera := picture.NewCamera(nil, aspect)
	from, err := c.direction()
	camera.Ortho = c.ortho
	if from != nil {
		camera.Look(*from)
	}
	camera.Frame(points, aspect, picture.Whole)
	return camera, err
}
