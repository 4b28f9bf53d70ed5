package viewer

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// paneRect is where a pane is: what of it is seen, and the picture that the camera makes, of which that is a part. They
// differ under the divider alone.
type paneRect struct{ seen, whole ui.Rect }

// pane returns where a pane is, logical pixels.
func (a *app) pane(i int) paneRect {
	v := a.layout.view
	half := ui.Rect{X: v.X, Y: v.Y, W: float32(int(v.W / 2)), H: v.H}
	switch a.state.Layout {
	case state.Split:
		part := v
		part.W = float32(int(v.W*float32(a.state.Divider) + 0.5))
		if i == 1 {
			part.X, part.W = part.Right(), v.W-part.W
		}
		return paneRect{part, v}
	case state.Two:
		if i == 1 {
			half.X, half.W = half.Right(), v.W-half.W
		}
		return paneRect{half, half}
	case state.Four:
		half.H = float32(int(v.H / 2))
		if i%2 == 1 {
			half.X, half.W = half.Right(), v.W-half.W
		}
		if i/2 == 1 {
			half.Y, half.H = half.Bottom(), v.H-half.H
		}
		return paneRect{half, half}
	}
	return paneRect{v, v}
}

// paneAt returns the pane under a point, −1 for none.
func (a *app) paneAt(x, y float32) int {
	for i := range a.state.Seen() {
		if a.pane(i).seen.Contains(x, y) {
			return i
		}
	}
	return -1
}

// setPanes fills the panes from the first on; the others keep what they would show.
func (a *app) setPanes(methods []skinning.Method) {
	for i, m := range methods[:min(len(methods), state.MostPanes)] {
		for k := range a.state.Panes {
			if a.state.Panes[k].Method == m {
				a.state.Panes[k].Method = a.state.Panes[i].Method
			}
		}
		a.state.Panes[i].Method = m
	}
}

// pixels returns a rectangle in pixels of the framebuffer, whose rows count from below.
func (a *app) pixels(r ui.Rect) (x, y, width, height int) {
	sx, sy := a.win.density()
	left, top := int(r.X*sx+0.5), int(r.Y*sy+0.5)
	right, bottom := int(r.Right()*sx+0.5), int(r.Bottom()*sy+0.5)
	return left, a.win.pixelsY - bottom, right - left, bottom - top
}

// drawPane draws the picture of a pane.
func (a *app) drawPane(i int) error {
	p := a.pane(i)
	s := &a.scene
	*s = picture.Scene{Camera: a.camera, Wireframe: a.state.Wireframe, Grid: a.state.Grid}
	s.X, s.Y, s.Width, s.Height = a.pixels(p.whole)
	if p.seen != p.whole {
		x, _, width, _ := a.pixels(p.seen)
		if width <= 0 {
			return nil
		}
		s.PartX, s.PartWidth = x-s.X, width
	}
	a.setScene(s, a.state.Panes[i])
	return a.gpu.Draw(s, 0)
}

// setScene chooses what a pane shows.
func (a *app) setScene(s *picture.Scene, p state.Pane) {
	painted := a.painted()
	s.Method = p.Method
	switch {
	case p.Beside && a.beside != nil:
		s.Frame = a.beside.frame
		if p.Method == blendBones {
			s.Method = skinning.LBS
		}
	case p.Method == blendBones && a.fitted != nil:
		s.Frame, s.Method = a.fitted.frame, skinning.LBS
		if painted {
			s.Surface = picture.SurfacePaint
		}
	default:
		s.Frame = a.shown.frame
	}
	s.Crowd = a.crowdIn(p)
	a.setLook(s, p)
	if !a.heated(s, p) && a.state.Heat {
		s.Surface = picture.SurfaceClay // nothing to measure it by
	}
	// The last frame before the loop sleeps, and one that is saved.
	s.Fine = a.loop.settle <= 1 && !a.animated() && a.fit.job == nil || a.shot.wanted
	// beside paint all is clay: textures would be read as part of it
	if s.Surface == picture.SurfaceMaterial && (a.state.Clay || painted) {
		s.Surface = picture.SurfaceClay
	}
}

// projector takes points of the world to the window, as a pane's camera sees them.
type projector struct {
	pane paneRect
	clip mgl32.Mat4
}

func (a *app) projector(p paneRect) projector {
	return projector{p, a.camera.Projection(p.whole.W / max(p.whole.H, 1)).Mul4(a.camera.View())}
}

// at returns where a point of the world is in the window, and whether that is seen in the pane.
func (p *projector) at(world mgl64.Vec3) (x, y float32, ok bool) {
	x, y, ok = p.ahead(world)
	return x, y, ok && p.pane.seen.Contains(x, y)
}

// ahead returns where a point of the world is in the window, and whether it lies before the camera.
func (p *projector) ahead(world mgl64.Vec3) (x, y float32, ok bool) {
	q := p.clip.Mul4x1(geom.Vec32(world).Vec4(1))
	if !(q[3] > 1e-6) {
		return 0, 0, false
	}
	w := p.pane.whole
	x = w.X + (q[0]/q[3]+1)/2*w.W
	y = w.Y + (1-q[1]/q[3])/2*w.H
	return x, y, true
}
