// Package contactsheet draws a model posed by several methods or fits side by side ([Compare]). Each is shown from afar
// and near the largest error. [Draw] lays the pictures out as one sheet with headings and a legend of its heat maps.
package contactsheet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/render"
	"skinlab/render/environment"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Comparison says what is drawn: a column per subject, and rows of the whole model and of a close-up per time.
type Comparison struct {
	Subjects      []compare.Subject
	Subtitles     []string // under each subject's title; one per subject
	Reference     skinning.Reference
	ReferenceName string // its name in texts; "" takes the method's name
	Clip          int
	Times         []float64 // seconds in the clip
	Clay          bool
	Environment   *environment.Light // of the files' materials; nil means the studio
	Transparent   bool               // leaves out backdrop and floor
	Heat          bool               // adds under each picture the same view with the skin's distance to the reference
	HeatTop       float64            // metres, where the one scale of all heat maps is to end, see [metrics.Errors.Top]; it is rounded up
	ShortestPath  bool
	Width, Height int // of one cell, pixels
	// Camera makes the camera of the whole model, posed by a frame, for a picture's aspect, its width over its height.
	// If it is nil, the model is framed from the front. The close-up has its own camera.
	Camera func(f *skinning.Frame, aspect float32) picture.Camera
	// Progress is told how many pictures are drawn; it may be nil.
	Progress func(done, of int)
}

type Sheets struct {
	Times  [][]Column // by time: the columns for [Draw]
	Legend *Legend    // of all heat maps, which share one scale; nil without heat maps
}

// Stack returns the columns with the cells of all times below each other.
func (s *Sheets) Stack() []Column {
	columns := slices.Clone(s.Times[0])
	for _, sheet := range s.Times[1:] {
		for i := range columns {
			columns[i].Cells = slices.Concat(columns[i].Cells, sheet[i].Cells)
		}
	}
	return columns
}

// closeUp is half the width of the close-up's view, as a fraction of the rest pose's diagonal.
const closeUp = 0.12

// Compare draws the comparison without a window. Each time's close-up shows the vertex that is farthest from the
// reference at that time, over all subjects. Errors of a machine that cannot draw wrap [gpu.ErrHeadless].
func Compare(ctx context.Context, m *skinning.Model, c *Comparison) (sheets *Sheets, err error) {
	err = render.WithHeadless(func(r *render.Renderer) error {
		sheets, err = c.draw(ctx, r, m)
		return err
	})
	return sheets, err
}

func (c *Comparison) draw(ctx context.Context, r *render.Renderer, m *skinning.Model) (*Sheets, error) {
	own := compare.Pose(m, c.Clip, c.ShortestPath)
	posed := make([]*compare.Posed, len(c.Subjects))
	for i, subject := range c.Subjects {
		posed[i] = own
		if subject.Model != nil || subject.Deform != nil {
			posed[i] = subject.Pose(m, c.Clip, c.ShortestPath)
		}
	}
	sheets := &Sheets{Times: make([][]Column, len(c.Times))}
	views := make([]view, len(c.Times))
	for k, t := range c.Times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		views[k] = c.view(m, posed, own, t)
	}
	if c.Heat {
		sheets.Legend = newLegend(m, c.referenceName(), c.HeatTop)
	}
	for i, subject := range c.Subjects {
		if subject.Deform == nil {
			if err := c.upload(r, m, subject.Model); err != nil {
				return nil, err
			}
		}
		for k := range c.Times {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if c.Progress != nil {
				c.Progress(i*len(c.Times)+k, len(c.Subjects)*len(c.Times))
			}
			column := Column{Title: subject.Title, Subtitle: c.Subtitles[i]}
			scene := picture.Scene{Method: subject.Method, Frame: posed[i].At(c.Times[k]), Grid: true, Transparent: c.Transparent,
				Environment: c.Environment,
				Width:       c.Width,
				Height:      c.Height}
			if subject.Deform != nil {
				if err := c.upload(r, m, scene.Frame.Model); err != nil {
					return nil, err
				}
			}
			if c.Heat {
				scene.Heat = &picture.Heat{Frame: own.At(c.Times[k]), Reference: c.Reference, Full: float32(sheets.Legend.Full)}
			}
			cells, err := c.cells(ctx, r, &scene, &views[k], i)
			if err != nil {
				return nil, err
			}
			column.Cells = cells
			sheets.Times[k] = append(sheets.Times[k], column)
		}
	}
	return sheets, nil
}

func (c *Comparison) referenceName() string {
	if c.ReferenceName != "" {
		return c.ReferenceName
	}
	return c.Reference.String()
}

// upload gives the renderer a subject's model, and also the model m, which the reference poses. A nil subject means m.
func (c *Comparison) upload(r *render.Renderer, m, subject *skinning.Model) error {
	if subject == nil || subject == m {
		return errors.Join(r.SetModel(m), r.SetBeside(nil))
	}
	if err := r.SetModel(subject); err != nil || !c.Heat {
		return err
	}
	return r.SetBeside(m)
}

// cells draws the scene of a subject from afar and near, and with heat maps if the comparison has them.
func (c *Comparison) cells(ctx context.Context, r *render.Renderer, scene *picture.Scene, v *view, subject int) (
	cells []Cell, err error) {
	surface := picture.SurfaceMaterial
	if c.Clay {
		surface = picture.SurfaceClay
	}
	for _, shot := range []struct {
		camera  picture.Camera
		caption string
	}{{v.whole, v.captions[subject]}, {v.near, v.closeUps[subject]}} {
		for _, s := range []struct {
			surface picture.Surface
			caption string
		}{{surface, shot.caption}, {picture.SurfaceHeat, "distance to " + c.referenceName()}} {
			if s.surface == picture.SurfaceHeat && !c.Heat {
				continue
			}
			scene.Camera, scene.Surface = shot.camera, s.surface
			picture, err := r.Large(ctx, scene, nil)
			if err != nil {
				return nil, err
			}
			cells = append(cells, Cell{picture, s.caption})
		}
	}
	return cells, nil
}

// view is what the pictures of one time share, and what is written on those of each subject.
type view struct {
	whole, near        picture.Camera
	captions, closeUps []string
}

// view frames the posed model, and the worst vertex in the pose of the reference, seen along its normal.
func (c *Comparison) view(m *skinning.Model, posed []*compare.Posed, own *compare.Posed, t float64) (v view) {
	shape := c.Reference.Positions(own.At(t))
	worst, apart := c.worst(posed, shape, t)
	method, _ := c.Reference.(skinning.Method) // a reference that is none has no normals: those of linear blending serve
	at, normal := geom.Vec32(shape[worst]), geom.Vec32(own.At(t).Reference(method).Normals[worst])
	aspect, half := float32(c.Width)/float32(c.Height), float32(m.Diagonal()*closeUp)
	turned := ""
	if _, found := metrics.NewHalfTurns(m).Of(own.At(t)); found {
		turned = ", half a turn"
	}
	for _, d := range apart {
		v.captions = append(v.captions, fmt.Sprintf("%s, %.2f s%s: RMS %s", m.Clips[c.Clip].Name, t, turned,
			messages.ReportLength(d.rms/m.Diagonal(), m.Diagonal())))
		v.closeUps = append(v.closeUps, "close-up: "+messages.ReportLength(d.atWorst/m.Diagonal(), m.Diagonal())+" off")
	}
	if f := own.At(t); c.Camera != nil {
		v.whole = c.Camera(f, aspect)
	} else {
		v.whole = picture.NewCamera(skin.Posed(f), aspect)
	}
	v.near = v.whole
	v.near.Yaw = float32(math.Atan2(float64(normal[0]), float64(normal[2])))
	v.near.Pitch = mgl32.Clamp(float32(math.Asin(float64(mgl32.Clamp(normal[1], -1, 1)))), -0.2, 0.7)
	box := mgl32.Vec3{half, half, half}
	v.near.Frame(skin.Box{Lo: at.Sub(box), Hi: at.Add(box)}.Corners(), aspect, picture.Whole)
	return v
}

// distance is how far a subject is from the reference's shape in one pose, metres.
type distance struct{ rms, atWorst float64 }

// worst returns the vertex that is farthest from the reference's shape, over all subjects, and their distances.
func (c *Comparison) worst(posed []*compare.Posed, want []mgl64.Vec3, t float64) (vertex int, apart []distance) {
	most := 0.0
	all := make([][]float64, len(c.Subjects))
	for i, subject := range c.Subjects {
		for v, p := range posed[i].At(t).Positions(subject.Method) {
			d := p.Sub(want[v]).Len()
			if all[i] = append(all[i], d); d > most {
				most, vertex = d, v
			}
		}
	}
	for _, of := range all {
		apart = append(apart, distance{floats.Norm(of, 2) / math.Sqrt(float64(len(of))), of[vertex]})
	}
	return vertex, apart
}
