package render

import (
	"fmt"
	"image"
	"math"

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

// DrawComparison draws the comparison headless. Each time's close-up is of the vertex where a subject is farthest from the
// reference at that time.
func DrawComparison(m *skinning.Model, c *Comparison) (picture *image.NRGBA, err error) {
	err = withHeadless(func(r *Renderer) error {
		picture, err = c.draw(r, m)
		return err
	})
	return picture, err
}

func (c *Comparison) draw(r *Renderer, m *skinning.Model) (*image.NRGBA, error) {
	columns := make([]Column, len(c.Subjects))
	own := compare.Pose(m, c.Clip, c.ShortestPath)
	posed := make([]*compare.Posed, len(c.Subjects))
	for i, subject := range c.Subjects {
		posed[i] = own
		if subject.Model != nil {
			posed[i] = compare.Pose(subject.Model, subject.Clip, c.ShortestPath)
		}
		columns[i] = Column{Title: subject.Title, Subtitle: c.Subtitles[i]}
	}
	for i, subject := range c.Subjects {
		shown := m
		if subject.Model != nil {
			shown = subject.Model
		}
		if err := r.SetModel(shown); err != nil {
			return nil, err
		}
		for _, t := range c.Times {
			whole, near := c.cameras(m, posed, own, t)
			scene := Scene{Camera: whole, Method: subject.Method, Frame: posed[i].At(t), Grid: true, Width: c.Width, Height: c.Height}
			if c.Clay {
				scene.Surface = SurfaceClay
			}
			for _, cell := range []struct {
				camera  Camera
				caption string
			}{{whole, fmt.Sprintf("%s, %.2f s", m.Clips[c.Clip].Name, t)}, {near, "close-up of the largest error"}} {
				scene.Camera = cell.camera
				picture, err := r.Picture(&scene)
				if err != nil {
					return nil, err
				}
				columns[i].Cells = append(columns[i].Cells, Cell{picture, cell.caption})
			}
		}
	}
	return Sheet(columns)
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
