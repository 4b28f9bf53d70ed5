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

// Surface is what the model's surface shows. All but SurfaceMaterial are opaque, whatever the file's materials say.
type Surface uint8

// The surfaces. Those from SurfaceHeat on show numbers: where the surface faces the eye the colours are those of
// [Colormap], without light, shadow or tone curve, so that a legend can be read against them; where it turns away it is
// shaded. What has no number, meshes that are not part of the skin, is grey.
const (
	SurfaceMaterial   Surface = iota // the file's
	SurfaceClay                      // one plain material
	SurfacePaint                     // clay under the tints of the frame's model, see [render.Renderer.SetTints]
	SurfaceHeat                      // the distance to Scene.Heat
	SurfaceWeights                   // the weight of Scene.Joint, 0 to 1
	SurfaceInfluences                // the number of influences, in the steps of [InfluenceColors]
	SurfaceNormals                   // the world's normal: x, y and z from −1 to 1 as red, green and blue from 0 to 255
)

// Lit reports whether the surface is shaded by the studio's lights.
func (s Surface) Lit() bool { return s <= SurfacePaint }

// numeric reports whether the surface shows a number per vertex.
func (s Surface) numeric() bool {
	return s == SurfaceHeat || s == SurfaceWeights || s == SurfaceInfluences
}

// Heat is what SurfaceHeat compares with: the skin posed by another method, in another pose, or with another binding.
// The distance is that of a vertex from where the reference has the same vertex.
type Heat struct {
	// of a model given to SetModel, SetBeside or SetFitted with as many skin vertices as the scene's
	Frame  *skinning.Frame
	Method skinning.Method
	Full   float32 // the distance at the top of the colour map, metres; at 0 or less any distance is
}
