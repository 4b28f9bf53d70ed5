package render

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// Comparison says what a comparison picture shows: subjects across; down, the whole model and a close-up at each time.
type Comparison struct {
	Subjects      []compare.Subject
	Subtitles     []string // under each subject's title; one per subject
	Reference     skinning.Method
	Clip          int
	Times         []float64 // seconds in the clip
	Clay          bool
	ShortestPath  bool
	Width, Height int // of one cell, pixels
}

// closeUp is the close-up's half extent as a fraction of the rest-pose diagonal.
const closeUp = 0.11

// DrawComparison draws the comparison's pictures headless: for each of its times the columns of a [Sheet]; [Stack] puts them into
// one. Each time's close-up is of the vertex where a subject is farthest from the reference at that time. Errors of a machine that
// cannot draw wrap [ErrHeadless].
func DrawComparison(ctx context.Context, m *skinning.Model, c *Comparison) (sheets [][]Column, err error) {
	err = withHeadless(func(r *Renderer) error {
		sheets, err = c.draw(ctx, r, m)
		return err
	})
	return sheets, err
}

// Stack puts sheets of the same columns under each other.
func Stack(sheets [][]Column) []Column {
	columns := slices.Clone(sheets[0])
	for _, sheet := range sheets[1:] {
		for i := range columns {
			columns[i].Cells = slices.Concat(columns[i].Cells, sheet[i].Cells)
		}
	}
	return columns
}

func (c *Comparison) draw(ctx context.Context, r *Renderer, m *skinning.Model) ([][]Column, error) {
	sheets := make([][]Column, len(c.Times))
	own := compare.Pose(m, c.Clip, c.ShortestPath)
	posed := make([]*compare.Posed, len(c.Subjects))
	for i, subject := range c.Subjects {
		posed[i] = own
		if subject.Model != nil {
			posed[i] = compare.Pose(subject.Model, subject.Clip, c.ShortestPath)
		}
	}
	for i, subject := range c.Subjects {
		shown := m
		if subject.Model != nil {
			shown = subject.Model
		}
		if err := r.SetModel(shown); err != nil {
			return nil, err
		}
		for k, t := range c.Times {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			whole, near := c.cameras(m, posed, own, t)
			scene := Scene{Camera: whole, Method: subject.Method, Frame: posed[i].At(t), Grid: true, Width: c.Width, Height: c.Height}
			if c.Clay {
				scene.Surface = SurfaceClay
			}
			column := Column{Title: subject.Title, Subtitle: c.Subtitles[i]}
			for _, cell := range []struct {
				camera  Camera
				caption string
			}{{whole, fmt.Sprintf("%s, %.2f s", m.Clips[c.Clip].Name, t)}, {near, "close-up of the largest error"}} {
				scene.Camera = cell.camera
				picture, err := r.Picture(&scene)
				if err != nil {
					return nil, err
				}
				column.Cells = append(column.Cells, Cell{picture, cell.caption})
			}
			sheets[k] = append(sheets[k], column)
		}
	}
	return sheets, nil
}

// worst returns the vertex at which a subject is farthest from the reference's shape.
func (c *Comparison) worst(posed []*compare.Posed, want skinning.Shape, t float64) (vertex int) {
	most := 0.0
	for i, subject := range c.Subjects {
		for v, p := range posed[i].At(t).Reference(subject.Method).Positions {
			if d := p.Sub(want.Positions[v]).Len(); d > most {
				most, vertex = d, v
			}
		}
	}
	return vertex
}

// cameras frames the posed model, and the worst vertex as the reference method poses it, seen along its normal.
func (c *Comparison) cameras(m *skinning.Model, posed []*compare.Posed, own *compare.Posed, t float64) (whole, near Camera) {
	frame := own.At(t)
	lo, hi := PosedBounds(frame)
	aspect := float32(c.Width) / float32(c.Height)
	whole = NewCamera(lo, hi, aspect)
	shape := frame.Reference(c.Reference)
	worst := c.worst(posed, shape, t)
	at, normal := skinning.Vec32(shape.Positions[worst]), skinning.Vec32(shape.Normals[worst])
	half := float32(m.Diagonal() * closeUp)
	near = whole
	near.Yaw = float32(math.Atan2(float64(normal[0]), float64(normal[2])))
	near.Pitch = mgl32.Clamp(float32(math.Asin(float64(mgl32.Clamp(normal[1], -1, 1)))), -0.2, 0.7)
	box := mgl32.Vec3{half, half, half}
	near.Frame(at.Sub(box), at.Add(box), aspect)
	return whole, near
}
