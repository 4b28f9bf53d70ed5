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
	Vertex        int       // the close-ups' middle: a vertex of the skin
	Clay          bool
	ShortestPath  bool
	Width, Height int // of one cell, pixels
}

// closeUp is the close-up's half extent as a fraction of the rest-pose diagonal.
const closeUp = 0.11

// DrawComparison draws the comparison headless.
func DrawComparison(m *skinning.Model, c *Comparison) (*image.NRGBA, error) {
	headless, err := NewHeadless()
	if err != nil {
		return nil, err
	}
	defer headless.Close()
	r, err := NewRenderer()
	if err != nil {
		return nil, err
	}
	defer r.Delete()
	columns := make([]Column, len(c.Subjects))
	own := compare.Pose(m, c.Clip, c.ShortestPath)
	for i, subject := range c.Subjects {
		shown, through := m, own
		if subject.Model != nil {
			shown, through = subject.Model, compare.Pose(subject.Model, subject.Clip, c.ShortestPath)
		}
		if err := r.SetModel(shown); err != nil {
			return nil, err
		}
		columns[i] = Column{Title: subject.Title, Subtitle: c.Subtitles[i]}
		for _, t := range c.Times {
			whole, near := c.cameras(m, own.At(t))
			scene := Scene{Camera: whole, Method: subject.Method, Frame: through.At(t), Clay: c.Clay, Grid: true, Width: c.Width, Height: c.Height}
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

// cameras frames the posed model, and the middle vertex as the reference method poses it, seen along its normal.
func (c *Comparison) cameras(m *skinning.Model, frame *skinning.Frame) (whole, near Camera) {
	lo, hi := PosedBounds(frame)
	aspect := float32(c.Width) / float32(c.Height)
	whole = NewCamera(lo, hi, aspect)
	shape := frame.Reference(c.Reference)
	at, normal := skinning.Vec32(shape.Positions[c.Vertex]), skinning.Vec32(shape.Normals[c.Vertex])
	half := float32(m.Diagonal() * closeUp)
	near = whole
	near.Yaw = float32(math.Atan2(float64(normal[0]), float64(normal[2])))
	near.Pitch = mgl32.Clamp(float32(math.Asin(float64(mgl32.Clamp(normal[1], -1, 1)))), -0.2, 0.7)
	box := mgl32.Vec3{half, half, half}
	near.Frame(at.Sub(box), at.Add(box), aspect)
	return whole, near
}
