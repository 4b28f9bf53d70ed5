package main

import (
	"context"
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/lab/reproduce/pages"
	"skinlab/render"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// shot is a picture to draw: a posed model.
type shot struct {
	title, note string
	frame       *skinning.Frame
	method      skinning.Method
	surface     picture.Surface
	joint       int             // whose weights SurfaceWeights shows
	tints       []skin.Tint     // of SurfacePaint
	over        *skinning.Frame // a second model, drawn in the same place; nil for none
	overTints   []skin.Tint     // its colours; nil for those of its file
	heat        *skinning.Frame // SurfaceHeat shows the distance to this one
	full        float64         // metres, where that colour scale ends
	view        *picture.Camera // nil for the strip's camera
}

// Pixels of a picture of a strip. A page shows it at two thirds of this size on most screens.
const (
	cellWidth  = 360
	cellHeight = 300
)

// strip is pictures side by side that one camera takes.
type strip struct {
	title         string
	yaw, pitch    float32 // radians, see [picture.Camera]
	width, height int     // pixels; 0 for those of a cell
	joint         int     // the skin around this joint fills the pictures; 0, a root, for the whole model
	shots         []shot
}

// draw draws a strip. It returns errNoPictures where the machine draws none.
func (w *work) draw(ctx context.Context, out *pages.Section, s *strip) error {
	r, err := w.open()
	if err != nil {
		return err
	}
	if s.width == 0 {
		s.width, s.height = cellWidth, cellHeight
	}
	width, height := w.size(s.width, s.width/4), w.size(s.height, s.height/4)
	aspect := float32(width) / float32(height)
	var points []mgl32.Vec3
	for i := range s.shots {
		if s.joint > 0 {
			points = append(points, skin.AroundJoint(s.shots[i].frame, s.joint).Corners()...)
		} else {
			points = append(points, skin.Posed(s.shots[i].frame)...)
		}
	}
	camera := picture.NewCamera(nil, aspect)
	if s.yaw != 0 || s.pitch != 0 {
		camera.Yaw, camera.Pitch = s.yaw, s.pitch
	}
	camera.Frame(points, aspect, picture.Whole)
	var cells []pages.Cell
	for i := range s.shots {
		if err := ctx.Err(); err != nil {
			return err
		}
		shot := &s.shots[i]
		scene := picture.Scene{Camera: camera, Method: shot.method, Frame: shot.frame, Surface: shot.surface,
			Joint: shot.joint, Grid: true, Width: width, Height: height}
		if shot.view != nil {
			scene.Camera = *shot.view
		}
		img, err := shot.draw(r, &scene)
		if err != nil {
			return err
		}
		cells = append(cells, pages.Cell{Title: shot.title, Note: shot.note, Image: img})
	}
	out.AddStrip(s.title, cells)
	return nil
}

// draw uploads a shot's models and draws the scene.
func (s *shot) draw(r *render.Renderer, scene *picture.Scene) (image.Image, error) {
	m := s.frame.Model
	if err := r.SetModel(m); err != nil {
		return nil, err
	}
	if s.tints != nil {
		if err := r.SetTints(m, s.tints); err != nil {
			return nil, err
		}
	}
	beside := s.over
	if s.heat != nil {
		beside = s.heat
		scene.Surface, scene.Heat = picture.SurfaceHeat, &picture.Heat{Frame: s.heat, Full: float32(s.full)}
	}
	if beside == nil || beside.Model == m {
		if err := r.SetBeside(nil); err != nil {
			return nil, err
		}
	} else if err := r.SetBeside(beside.Model); err != nil {
		return nil, err
	}
	if s.over != nil {
		scene.Over = &picture.Over{Frame: s.over}
		if s.overTints != nil {
			if err := r.SetTints(s.over.Model, s.overTints); err != nil {
				return nil, err
			}
		}
	}
	return r.Picture(scene)
}

// at poses a model at a time of a clip, by the shorter way round unless a fit has learnt the longer.
func at(m *skinning.Model, clip int, seconds float64) *skinning.Frame {
	return (&compare.Subject{Model: m, Clip: clip}).Pose(nil, 0, true).At(seconds)
}

// atNamed is at for a clip's name, which the model has.
func atNamed(m *skinning.Model, clip string, seconds float64) *skinning.Frame {
	i, err := m.ClipIndex(clip)
	if err != nil {
		panic(err) // a built-in model without its clip: a bug
	}
	return at(m, i, seconds)
}

// paint colours what each added joint of a model moves.
func paint(m *skinning.Model) []skin.Tint {
	dyeOf := make([]int, len(m.Skeleton.Joints))
	for j := range dyeOf {
		dyeOf[j] = -1
	}
	var dyes []picture.Dye
	for k, bone := range m.Added() {
		dyeOf[bone.Joint] = k
		dyes = append(dyes, picture.Distinct(k))
	}
	tints := make([]skin.Tint, len(m.Skin.Positions))
	picture.BoneTints(tints, m, dyeOf, dyes)
	return tints
}

// plain colours a whole skin alike.
func plain(m *skinning.Model) []skin.Tint {
	d := picture.Distinct(1)
	tints := make([]skin.Tint, len(m.Skin.Positions))
	for v := range tints {
		tints[v] = skin.Tint{uint8(255 * d[0]), uint8(255 * d[1]), uint8(255 * d[2]), 255}
	}
	return tints
}
