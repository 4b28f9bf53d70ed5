// Package contactsheet draws a model posed by several methods or fits side by side ([Compare]), from afar and near the
// largest error, and lays the pictures out as one sheet with headings and a legend of its heat maps ([Draw]).
package contactsheet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// Comparison says what a comparison picture shows: subjects across; down, the whole model and a close-up at each time.
type Comparison struct {
	Subjects      []compare.Subject
	Subtitles     []string // under each subject's title; one per subject
	Reference     skinning.Method
	ReferenceName string // in texts; "" for the method's
	Clip          int
	Times         []float64 // seconds in the clip
	Clay          bool
	Heat          bool // under each picture the same with the distance to the reference on the skin
	ShortestPath  bool
	Width, Height int // of one cell, pixels
}

// Sheets is a comparison that was drawn.
type Sheets struct {
	Times  [][]Column // for each time the columns of a [Draw]
	Legend *Legend    // of the heat maps, one scale for all; nil without
}

// Stack puts the sheets of all times under each other.
func (s *Sheets) Stack() []Column {
	columns := slices.Clone(s.Times[0])
	for _, sheet := range s.Times[1:] {
		for i := range columns {
			columns[i].Cells = slices.Concat(columns[i].Cells, sheet[i].Cells)
		}
	}
	return columns
}

// closeUp is the close-up's half extent as a fraction of the rest-pose diagonal.
const closeUp = 0.11

// Compare draws the comparison headless. Each time's close-up is of the vertex where a subject is farthest from
// the reference at that time. Errors of a machine that cannot draw wrap [gpu.ErrHeadless].
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
	views, most := make([]view, len(c.Times)), 0.0
	for k, t := range c.Times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		views[k] = c.view(m, posed, own, t)
		most = max(most, views[k].most)
	}
	if c.Heat {
		sheets.Legend = newLegend(m, c.referenceName(), most)
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
			column := Column{Title: subject.Title, Subtitle: c.Subtitles[i]}
			scene := picture.Scene{Method: subject.Method, Frame: posed[i].At(c.Times[k]), Grid: true, Width: c.Width,
				Height: c.Height}
			if subject.Deform != nil {
				if err := c.upload(r, m, scene.Frame.Model); err != nil {
					return nil, err
				}
			}
			if c.Heat {
				scene.Heat = &picture.Heat{Frame: own.At(c.Times[k]), Method: c.Reference, Full: float32(sheets.Legend.Full)}
			}
			cells, err := c.cells(r, &scene, &views[k])
			if err != nil {
				return nil, err
			}
			column.Cells = cells
			sheets.Times[k] = append(sheets.Times[k], column)
		}
	}
	return sheets, nil
}

// referenceName is what texts call the reference.
func (c *Comparison) referenceName() string {
	if c.ReferenceName != "" {
		return c.ReferenceName
	}
	return c.Reference.String()
}

// upload gives the renderer a subject's model, and beside it the model itself, which the reference poses. A nil one
// stands for that.
func (c *Comparison) upload(r *render.Renderer, m, subject *skinning.Model) error {
	if subject == nil || subject == m {
		return errors.Join(r.SetModel(m), r.SetBeside(nil))
	}
	if err := r.SetModel(subject); err != nil || !c.Heat {
		return err
	}
	return r.SetBeside(m)
}

// cells draws the scene from afar and near, each as it is, and with heat where it is asked for.
func (c *Comparison) cells(r *render.Renderer, scene *picture.Scene, v *view) (cells []Cell, err error) {
	surface := picture.SurfaceMaterial
	if c.Clay {
		surface = picture.SurfaceClay
	}
	for _, shot := range []struct {
		camera  picture.Camera
		caption string
	}{{v.whole, v.caption}, {v.near, "close-up of the largest error"}} {
		for _, s := range []struct {
			surface picture.Surface
			caption string
		}{{surface, shot.caption}, {picture.SurfaceHeat, "distance to " + c.referenceName()}} {
			if s.surface == picture.SurfaceHeat && !c.Heat {
				continue
			}
			scene.Camera, scene.Surface = shot.camera, s.surface
			picture, err := r.Picture(scene)
			if err != nil {
				return nil, err
			}
			cells = append(cells, Cell{picture, s.caption})
		}
	}
	return cells, nil
}

// view is how one time is looked at.
type view struct {
	whole, near picture.Camera
	caption     string
	most        float64 // the largest distance of a subject to the reference, metres
}

// view frames the posed model, and the worst vertex as the reference method poses it, seen along its normal.
func (c *Comparison) view(m *skinning.Model, posed []*compare.Posed, own *compare.Posed, t float64) (v view) {
	shape := own.At(t).Reference(c.Reference)
	lo, hi := skin.PosedBounds(own.At(t))
	worst, most := c.worst(posed, shape, t)
	at, normal := geom.Vec32(shape.Positions[worst]), geom.Vec32(shape.Normals[worst])
	aspect, half := float32(c.Width)/float32(c.Height), float32(m.Diagonal()*closeUp)
	v = view{whole: picture.NewCamera(lo, hi, aspect), caption: fmt.Sprintf("%s, %.2f s", m.Clips[c.Clip].Name, t),
		most: most}
	v.near = v.whole
	v.near.Yaw = float32(math.Atan2(float64(normal[0]), float64(normal[2])))
	v.near.Pitch = mgl32.Clamp(float32(math.Asin(float64(mgl32.Clamp(normal[1], -1, 1)))), -0.2, 0.7)
	box := mgl32.Vec3{half, half, half}
	v.near.Frame(at.Sub(box), at.Add(box), aspect)
	return v
}

// worst returns the vertex at which a subject is farthest from the reference's shape, and the distance in metres.
func (c *Comparison) worst(posed []*compare.Posed, want skinning.Shape, t float64) (vertex int, most float64) {
	for i, subject := range c.Subjects {
		for v, p := range posed[i].At(t).Reference(subject.Method).Positions {
			if d := p.Sub(want.Positions[v]).Len(); d > most {
				most, vertex = d, v
			}
		}
	}
	return vertex, most
}
