package render

import (
	"fmt"
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// Comparison says what a comparison picture shows: methods across; down, the whole model and a close-up at each time.
type Comparison struct {
	Methods       []skinning.Method
	Subtitles     []string // under each method's name; one per method
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
	if err := r.SetModel(m); err != nil {
		return nil, err
	}
	columns := make([]Column, len(c.Methods))
	for i, method := range c.Methods {
		columns[i] = Column{Title: method.Title(), Subtitle: c.Subtitles[i]}
	}
	pose := m.NewPose()
	for _, t := range c.Times {
		frame := skinning.NewFrame(m, nil)
		m.SamplePose(pose, c.Clip, t)
		frame.SetPose(pose)
		if !c.ShortestPath {
			skinning.NewSigns(m, c.Clip).Apply(frame, t)
		}
		caption := fmt.Sprintf("%s, %.2f s", m.Clips[c.Clip].Name, t)
		whole, near := c.cameras(m, frame)
		for i, method := range c.Methods {
			scene := Scene{Camera: whole, Method: method, Frame: frame, Clay: c.Clay, Grid: true, Width: c.Width, Height: c.Height}
			columns[i].Cells = append(columns[i].Cells, Cell{scene, caption})
			scene.Camera = near
			columns[i].Cells = append(columns[i].Cells, Cell{scene, "close-up of the largest error"})
		}
	}
	return r.Sheet(columns)
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
