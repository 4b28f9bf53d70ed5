package picture

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/environment"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// Scene describes one picture: a posed frame of a model, a method and a point of view.
type Scene struct {
	Camera    Camera
	Method    skinning.Method
	Frame     *skinning.Frame // poses a model given to SetModel, SetBeside or SetFitted; Draw uploads it
	Surface   Surface         // what the model's surface shows; the zero value is the file's materials
	Heat      *Heat           // the reference of SurfaceHeat; other surfaces ignore it
	Joint     int             // the joint whose weight SurfaceWeights shows: index into the joints of the frame's model
	Crowd     *skin.Crowd     // draws many instances of Frame's model; nil draws the one that Frame poses
	Quality   Quality         // how finely it is sampled; Picture always takes Saved
	Wireframe bool            // draws triangle edges over the shaded model
	Ghost     bool            // adds the rest pose, translucent
	Over      *Over           // adds another model, opaque; nil for none

	// Recomputed shades with normals summed from the posed surface. Otherwise it shades with those that the method
	// transformed. Two kinds of skin always have recomputed normals: one with a [skinning.LinearRig], as in RTER, and
	// one moved by morph targets that have no normals. Scenes with Transformed set are the exception, and crowds that
	// fit into no buffer.
	Recomputed  bool
	Transformed bool
	// NormalLines is the length of the lines drawn along vertex normals, metres; 0 draws none. Lines of the normals
	// that the method transformed are amber. With Recomputed, cyan lines show the normals of the posed surface too.
	NormalLines float32

	// Environment lights SurfaceMaterial; nil means the studio. Clay and all other surfaces have lights of their own.
	Environment *environment.Light
	Grid        bool // floor with grid and shadows
	Background  Background
	// Transparent leaves out the backdrop and the floor. The picture's alpha is then the coverage of the model.
	Transparent bool
	// Whole is the size in pixels of a picture that is drawn in parts. This scene is the part whose lower left corner
	// is at Part. If Whole is zero, the picture is drawn at once.
	Whole, Part image.Point
	// X and Y are the lower left corner of the viewport in the target framebuffer. Width and Height are its size. All
	// are pixels.
	X, Y, Width, Height int
	// PartX and PartWidth limit the drawing to these columns of the viewport, unless PartWidth is 0. Two pictures of
	// one camera can so meet at a divider.
	PartX, PartWidth int
}

// light returns what lights materials.
func (s *Scene) light() *environment.Light {
	if s.Environment == nil {
		return environment.Studio()
	}
	return s.Environment
}

// Quality is how finely a picture is sampled.
type Quality uint8

// The qualities.
const (
	Moving Quality = iota // a view that moves: less on a software renderer, where shading takes most of a frame's time
	Still                 // a view that stands still: 4 multisamples
	Saved                 // a picture that is kept: supersampled, each pixel is shaded 4 times
)

// part returns the first column that is drawn and the number of columns.
func (s *Scene) part() (x, width int) {
	if s.PartWidth <= 0 {
		return 0, s.Width
	}
	x = min(max(s.PartX, 0), s.Width)
	return x, min(s.PartWidth, s.Width-x)
}

// whole returns the size of the whole picture.
func (s *Scene) whole() (width, height float32) {
	if s.Whole == (image.Point{}) {
		return float32(s.Width), float32(s.Height)
	}
	return float32(s.Whole.X), float32(s.Whole.Y)
}

// share returns the corner and the size of the part that is drawn, as shares of the whole picture.
func (s *Scene) share() (x, y, width, height float32) {
	w, h := s.whole()
	return float32(s.Part.X) / w, float32(s.Part.Y) / h, float32(s.Width) / w, float32(s.Height) / h
}

// crop maps the clip space of the whole picture to the clip space of the part.
func (s *Scene) crop() mgl32.Mat4 {
	x, y, width, height := s.share()
	return mgl32.Translate3D((1-2*x)/width-1, (1-2*y)/height-1, 0).Mul4(mgl32.Scale3D(1/width, 1/height, 1))
}

// bounds returns the box round what the scene shows.
func (s *Scene) bounds(g *skin.Model) skin.Box {
	if s.Crowd != nil {
		lo, hi := s.Crowd.Bounds()
		return skin.Box{Lo: lo, Hi: hi}
	}
	return g.Of(s.Frame.Model).Bounds.Of(s.Frame)
}

// NeedsPosed reports whether the scene needs the posed vertices in a buffer.
func (s *Scene) NeedsPosed() bool { return !s.Surface.Lit() || s.Recomputed || s.NormalLines > 0 }

// Surface is what the model's surface shows. All but SurfaceMaterial are opaque, even if the file's materials are
// transparent.
type Surface uint8

// The surfaces. From SurfaceHeat on they show numbers in the colours of [Colormap], without the studio's lights, shadows
// or tone curve, so that a colour can be looked up in a legend. What faces the eye has the legend's colour, and what
// turns away is darker, except for normals. Meshes outside the skin have no number and are grey.
const (
	SurfaceMaterial   Surface = iota // the materials of the file
	SurfaceClay                      // one plain material
	SurfacePaint                     // clay with the tints of the frame's model over it, see [render.Renderer.SetTints]
	SurfaceHeat                      // the distance to Scene.Heat
	SurfaceWeights                   // the weight of Scene.Joint, 0 to 1
	SurfaceInfluences                // the number of influences, in the steps of [InfluenceColors]
	SurfaceNormals                   // the world-space normal: x, y, z from −1 to 1 are red, green, blue
)

// Lit reports whether the studio's lights shade the surface.
func (s Surface) Lit() bool { return s <= SurfacePaint }

// numeric reports whether the surface shows a number per vertex.
func (s Surface) numeric() bool {
	return s == SurfaceHeat || s == SurfaceWeights || s == SurfaceInfluences
}

// Over is another model in the same picture and the same place, in its tints where it has some ([Renderer.SetTints]).
// Where the two surfaces overlap, the nearer one is seen.
type Over struct {
	Frame  *skinning.Frame // poses another model given to SetModel, SetBeside or SetFitted than the scene's
	Method skinning.Method
}

// Heat is the reference of SurfaceHeat: the skin posed by another method or deformer, in another pose, or with another
// binding. The
// surface shows each vertex's distance from its position in the reference.
type Heat struct {
	// Frame poses a model given to SetModel, SetBeside or SetFitted. It has as many skin vertices as the scene's model.
	Frame     *skinning.Frame
	Reference skinning.Reference // nil means linear blending
	// Distances of the vertices, metres, where they are known: then nothing poses the reference. Else it is nil.
	Distances []float32
	Full      float32 // distance at the top of the colour map, metres; if ≤ 0, any distance above 0 has the top colour
	// Contours is the number of equal parts of 0 to Full between which contour lines are drawn; 0 draws none.
	Contours int
}
