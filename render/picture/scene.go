package picture

import (
	"skinlab/render/skin"
	"skinlab/skinning"
)

// Scene is one picture to draw: a posed frame of the renderer's model, a method and a point of view.
type Scene struct {
	Camera    Camera
	Method    skinning.Method
	Frame     *skinning.Frame // of a model given to SetModel, SetBeside or SetFitted; Draw uploads it
	Surface   Surface         // what the model's surface shows; the zero value is the file's materials
	Heat      *Heat           // what SurfaceHeat compares with; no other surface reads it
	Joint     int             // whose weight SurfaceWeights shows: index into the joints of the frame's model
	Crowd     *skin.Crowd     // many instances instead of the one that Frame poses; nil for none. Frame is of its model
	Fine      bool            // as many shadow samples as Picture takes: for a view that stands still
	Wireframe bool            // triangle edges over the shaded model
	Ghost     bool            // the rest pose too, translucent

	// Recomputed shades with normals summed from the posed surface instead of those that the method transformed.
	// A skin with a [skinning.LinearRig] always is, as RTER has it, and so is one that morph targets without normals
	// move, unless it is in a crowd or Transformed is set.
	Recomputed  bool
	Transformed bool
	// NormalLines is the length of lines along the vertex normals, metres, 0 for none: amber for those that the method
	// transformed, and with Recomputed cyan beside them for those of the posed surface.
	NormalLines float32

	Grid bool // floor with grid and shadows
	// X and Y are the lower left corner of the viewport in the target framebuffer, Width and Height its size, in pixels.
	X, Y, Width, Height int
	// PartX and PartWidth, where PartWidth is not 0, limit the drawing to these columns of the viewport: pictures of one
	// camera meet under a divider.
	PartX, PartWidth int
}

// part returns the columns that are drawn.
func (s *Scene) part() (x, width int) {
	if s.PartWidth <= 0 {
		return 0, s.Width
	}
	x = min(max(s.PartX, 0), s.Width)
	return x, min(s.PartWidth, s.Width-x)
}

// bounds returns the box of what the scene shows.
func (s *Scene) bounds(g *skin.Model) skin.Box {
	if s.Crowd != nil {
		lo, hi := s.Crowd.Bounds()
		return skin.Box{Lo: lo, Hi: hi}
	}
	return g.Of(s.Frame.Model).Bounds.Of(s.Frame)
}

// NeedsPosed reports whether a part of the scene is computed from the posed buffer.
func (s *Scene) NeedsPosed() bool { return !s.Surface.Lit() || s.Recomputed || s.NormalLines > 0 }
