package viewer

import (
	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/legend"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// pixels converts a rectangle to pixels of the framebuffer, whose rows count from the bottom.
func (a *app) pixels(r ui.Rect) (x, y, width, height int) {
	sx, sy := a.win.Density()
	left, top := int(r.X*sx+0.5), int(r.Y*sy+0.5)
	right, bottom := int(r.Right()*sx+0.5), int(r.Bottom()*sy+0.5)
	return left, a.win.PixelsY - bottom, right - left, bottom - top
}

func (a *app) draw() error {
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Viewport(0, 0, int32(a.win.PixelsX), int32(a.win.PixelsY))
	gl.ClearColor(0.07, 0.08, 0.09, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	for i := range a.state.Seen() {
		if err := a.drawPane(i); err != nil && !a.crowd.Refuse(err) {
			return err
		}
	}
	return nil
}

func (a *app) drawPane(i int) error {
	p := a.view.Pane(i)
	s := &a.scene
	*s = picture.Scene{Camera: a.view.Camera, Wireframe: a.state.Wireframe, Grid: a.state.Grid,
		Background: picture.Background(a.state.Background), Environment: a.environments[a.state.Environment].Light()}
	s.X, s.Y, s.Width, s.Height = a.pixels(p.Whole)
	if p.Seen != p.Whole {
		x, _, width, _ := a.pixels(p.Seen)
		if width <= 0 {
			return nil
		}
		s.PartX, s.PartWidth = x-s.X, width
	}
	a.setScene(s, a.state.Panes[i])
	if a.sketches() {
		if a.loop.framesLeft > 1 && !a.animated() {
			return nil
		}
		s.Width, s.Height, s.PartX, s.PartWidth = max(s.Width/4, 1), max(s.Height/4, 1), s.PartX/4, s.PartWidth/4
	}
	return a.gpu.Draw(s, 0)
}

// sketches reports whether a test looks at no pixels of this frame. Then pictures are drawn small, and only before a
// sleep and while they move, and the interface is not filled in.
func (a *app) sketches() bool { return a.unseen && !a.shot.wanted }

func (a *app) setScene(s *picture.Scene, p state.Pane) {
	painted := a.models.Painted()
	s.Frame, s.Method = a.models.Of(p)
	if f := a.models.Fitted(); f != nil && s.Frame == f.Frame {
		if painted {
			s.Surface = picture.SurfacePaint
		}
		if f.Whole && a.state.Over && !a.state.Heat && !a.crowd.On() { // the scan is what the other model is laid over
			a.over = picture.Over{Frame: s.Frame, Method: s.Method}
			s.Frame, s.Method, s.Over = a.models.File.Frame, skinning.LBS, &a.over
		}
	}
	if !p.Beside || a.models.Second == nil {
		s.Crowd = a.crowd.Of(p.Method == state.Fitted && a.models.Fit() != nil)
	}
	a.setLook(s, p)
	if a.models.IsReference(p) { // a map of nothing would hide what the others are compared with
	} else if h := a.distances.Heat(p, s.Frame); h != nil {
		s.Surface, s.Heat = picture.SurfaceHeat, h
		if a.state.Contours { // a line at each mark of the legend and one between two
			h.Contours = 2 * metrics.ScaleTicks(a.state.Unit.Of(float64(h.Full), a.desk.Size))
		}
	} else if a.state.Heat {
		s.Surface = picture.SurfaceClay // there is no reference to measure it by, or no scale yet
	}
	switch last := a.loop.framesLeft <= 1; {
	case a.shot.wanted || last && a.opt.Screenshot != "":
		s.Quality = picture.Saved
	case last && !a.animated() && !a.fit.Running(): // the loop sleeps after it
		s.Quality = picture.Still
	}
	// If one pane shows paint, the others are clay too: textures beside it would look like paint.
	if s.Surface == picture.SurfaceMaterial && (a.state.Clay || painted || s.Over != nil) {
		s.Surface = picture.SurfaceClay
	}
}

// setLook applies the switches of the state to a scene whose frame is set. It allocates nothing.
func (a *app) setLook(s *picture.Scene, p state.Pane) {
	t := &a.state
	s.Ghost, s.Recomputed = t.Ghost, t.Recomputed
	if t.NormalLines {
		s.NormalLines = normalShare * float32(a.models.File.Diagonal)
	}
	switch t.Skin {
	case state.SkinWeights:
		s.Surface = picture.SurfaceClay
		if j := a.models.JointIn(p, t.Joint); j >= 0 {
			s.Surface, s.Joint = picture.SurfaceWeights, j
		}
	case state.SkinInfluences:
		s.Surface = picture.SurfaceInfluences
	case state.SkinNormals:
		s.Surface = picture.SurfaceNormals
	}
}

// normalShare is the length of the lines along normals as a share of the model's size.
const normalShare = 0.012

// legend draws the legend of the skin's colours. A crowd has the paint of a fit alone.
func (a *app) legend() {
	s, fit := &a.state, a.models.Fitted()
	chosen := fit != nil && fit.Chosen >= 0 && a.models.Painted()
	a.view.Legend = ui.Rect{}
	switch {
	case !s.Cards:
	case a.crowd.On() && (s.Heat || s.Skin != state.SkinPlain || chosen):
	case s.Heat:
		_, top := a.distances.HeatScale()
		legend.Heat(a.view, top, a.distances.Beyond(), a.models.ReferenceName())
	case s.Skin != state.SkinPlain:
		joint := ""
		if i := a.pose.Bone(); i >= 0 {
			joint = a.models.File.Bones.Bones[i].Name
		}
		legend.Skin(a.view, joint)
	case chosen:
		legend.Weights(a.view, fit.Model.Skeleton.Joints[fit.Joints[fit.Chosen]].Name, float64(fit.Most))
	case fit != nil && fit.Linear != nil && a.models.Painted():
		legend.Paint(a.view)
	}
}
