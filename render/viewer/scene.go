package viewer

import (
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/legend"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// pixels converts a rectangle to pixels of the framebuffer, whose rows count from the bottom.
func (a *app) pixels(r ui.Rect) (x, y, width, height int) {
	sx, sy := a.win.Density()
	left, top := int(r.X*sx+0.5), int(r.Y*sy+0.5)
	right, bottom := int(r.Right()*sx+0.5), int(r.Bottom()*sy+0.5)
	return left, a.win.PixelsY - bottom, right - left, bottom - top
}

// drawPane draws the picture of a pane.
func (a *app) drawPane(i int) error {
	p := a.view.Pane(i)
	s := &a.scene
	*s = picture.Scene{Camera: a.view.Camera, Wireframe: a.state.Wireframe, Grid: a.state.Grid}
	s.X, s.Y, s.Width, s.Height = a.pixels(p.Whole)
	if p.Seen != p.Whole {
		x, _, width, _ := a.pixels(p.Seen)
		if width <= 0 {
			return nil
		}
		s.PartX, s.PartWidth = x-s.X, width
	}
	a.setScene(s, a.state.Panes[i])
	return a.gpu.Draw(s, 0)
}

// setScene sets what a pane shows.
func (a *app) setScene(s *picture.Scene, p state.Pane) {
	painted := a.painted()
	s.Method = p.Method
	switch {
	case p.Beside && a.beside != nil:
		s.Frame = a.beside.Frame
		if p.Method == state.Fitted {
			s.Method = skinning.LBS
		}
	case p.Method == state.Fitted && a.fitted != nil:
		s.Frame, s.Method = a.fitted.Frame, a.fitted.Method
		if painted {
			s.Surface = picture.SurfacePaint
		}
		if a.fitted.Whole && a.state.Over && !a.crowd.On() { // the scan is what the other model is laid over
			a.over = picture.Over{Frame: s.Frame, Method: s.Method}
			s.Frame, s.Method, s.Over = a.shown.Frame, skinning.LBS, &a.over
		}
	default:
		s.Frame = a.shown.Frame
	}
	if !p.Beside || a.beside == nil {
		s.Crowd = a.crowd.Of(p.Method == state.Fitted && a.Fit() != nil)
	}
	a.setLook(s, p)
	if !a.heated(s, p) && a.state.Heat {
		s.Surface = picture.SurfaceClay // there is no reference to measure it by, or no scale yet
	}
	// Full quality is for the last frame before the loop sleeps and for saved pictures.
	s.Fine = a.loop.framesLeft <= 1 && !a.animated() && !a.fit.Running() || a.shot.wanted
	// If one pane shows paint, the others are clay too: textures beside it would look like paint.
	if s.Surface == picture.SurfaceMaterial && (a.state.Clay || painted || s.Over != nil) {
		s.Surface = picture.SurfaceClay
	}
}

// heated makes a scene show the distance to the reference if there is a reference for the pane.
func (a *app) heated(s *picture.Scene, p state.Pane) bool {
	if !a.state.Heat || a.distances.top <= 0 || p.Beside && a.still.late() {
		return false
	}
	h := &a.distances.heat
	*h = picture.Heat{Frame: a.shown.Frame, Method: a.state.Reference, Full: float32(a.distances.top)}
	if p.Beside && !a.SharesSkin() {
		if a.beside == nil || a.beside.fitted {
			return false
		}
		h.Frame = a.beside.Frame
	}
	if n := len(h.Frame.Model.Skin.Positions); n == 0 || n != len(s.Frame.Model.Skin.Positions) {
		return false
	}
	s.Surface, s.Heat = picture.SurfaceHeat, h
	return true
}

// setLook applies the switches of the state to a scene whose frame is set. It allocates nothing.
func (a *app) setLook(s *picture.Scene, p state.Pane) {
	t := &a.state
	s.Ghost, s.Recomputed = t.Ghost, t.Recomputed
	if t.NormalLines {
		s.NormalLines = normalShare * float32(a.shown.diagonal)
	}
	switch t.Skin {
	case state.SkinWeights:
		s.Surface = picture.SurfaceClay
		if j := a.jointIn(p, t.Joint); j >= 0 {
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

// jointIn returns the joint of a pane's model that is a joint of the first file, −1 for none.
func (a *app) jointIn(p state.Pane, joint int) int {
	var b *posing.Subject
	switch {
	case joint < 0:
		return joint
	case p.Beside && a.beside != nil:
		b = &a.beside.Subject
	case p.Method == state.Fitted && a.fitted != nil && a.fitted.Whole:
		b = &a.fitted.Subject
	default:
		return joint // added bones come after the joints of the model
	}
	if b.From == nil {
		return joint
	}
	node := a.shown.Model.Skeleton.Joints[joint].Node
	for j := range b.Model.Skeleton.Joints {
		if b.From[b.Model.Skeleton.Joints[j].Node] == node {
			return j
		}
	}
	return -1
}

// legend draws the legends of the skin's colours.
func (a *app) legend() {
	s := &a.state
	switch fit := a.fitted; {
	case s.Heat:
		if !a.crowd.On() {
			legend.Heat(a.view, a.distances.top, a.referenceName())
		}
	case s.Skin != state.SkinPlain:
		if !a.crowd.On() {
			joint := ""
			if i := a.pose.Bone(); i >= 0 {
				joint = a.shown.bones.Bones[i].Name
			}
			legend.Skin(a.view, joint)
		}
	case fit != nil && fit.Chosen >= 0 && a.painted():
		if !a.crowd.On() {
			legend.Weights(a.view, fit.Model.Skeleton.Joints[fit.Joints[fit.Chosen]].Name, float64(fit.Most))
		}
	case fit != nil && fit.Linear != nil && a.painted():
		legend.Paint(a.view)
	}
}

// painted reports whether a visible pane shows paint.
func (a *app) painted() bool {
	return a.fitted != nil && !a.fitted.Whole && (a.state.Paint || a.fitted.Chosen >= 0) && a.state.Shows(state.Fitted)
}
