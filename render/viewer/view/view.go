// Package view holds the places of the window's pictures and the camera that they share: the panes of a layout, the
// projection from the world to the window and back, and the fitting of the camera to the model.
package view

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/skinning/geom"
)

// View is the part of the window in which the pictures are.
type View struct {
	*desk.Desk
	Rect           ui.Rect // logical pixels
	Legend         ui.Rect // in the lower left corner of the pictures, zero for none; each frame sets it before Fit
	Camera         picture.Camera
	MouseX, MouseY float32 // in the window, logical pixels
	Dragging       bool    // the mouse drags in the picture, so it points at nothing
	framing        framing
	place          mgl32.Vec3 // of the model, which the camera follows
	followed       bool       // place is that of the frame before
	sought         int        // frames in which the camera goes to the model if that is out of its picture
}

// Pane is the place of a picture. Whole is the picture that the camera makes, Seen the part of it that is visible. They
// differ only under the divider.
type Pane struct{ Seen, Whole ui.Rect }

func (v *View) Empty() bool { return v.Rect.W <= 0 || v.Rect.H <= 0 }

// Pane returns where a pane is, logical pixels.
func (v *View) Pane(i int) Pane {
	r := v.Rect
	half := ui.Rect{X: r.X, Y: r.Y, W: float32(int(r.W / 2)), H: r.H}
	switch v.State.Layout {
	case state.Split:
		part := r
		part.W = float32(int(r.W*float32(v.State.Divider) + 0.5))
		if i == 1 {
			part.X, part.W = part.Right(), r.W-part.W
		}
		return Pane{part, r}
	case state.Two:
		if i == 1 {
			half.X, half.W = half.Right(), r.W-half.W
		}
		return Pane{half, half}
	case state.Four:
		half.H = float32(int(r.H / 2))
		if i%2 == 1 {
			half.X, half.W = half.Right(), r.W-half.W
		}
		if i/2 == 1 {
			half.Y, half.H = half.Bottom(), r.H-half.H
		}
		return Pane{half, half}
	}
	return Pane{r, r}
}

// PaneAt returns the pane under a point, −1 for none.
func (v *View) PaneAt(x, y float32) int {
	for i := range v.State.Seen() {
		if v.Pane(i).Seen.Contains(x, y) {
			return i
		}
	}
	return -1
}

// Points reports whether the mouse points at something in a pane: it is over it, no panel lies between, and it drags
// nothing.
func (v *View) Points(p Pane) bool {
	return p.Seen.Contains(v.MouseX, v.MouseY) && !v.Dragging && !v.UI.Covers(v.MouseX, v.MouseY)
}

// Projector projects points of the world to the window with a pane's camera.
type Projector struct {
	Pane Pane
	clip mgl32.Mat4
}

// Projector returns the projector of a pane.
func (v *View) Projector(p Pane) Projector {
	return Projector{p, v.Camera.Projection(p.Whole.W / max(p.Whole.H, 1)).Mul4(v.Camera.View())}
}

// At returns the place of a point of the world in the window, and whether the pane shows that place.
func (p *Projector) At(world mgl64.Vec3) (x, y float32, ok bool) {
	x, y, ok = p.Ahead(world)
	return x, y, ok && p.Pane.Seen.Contains(x, y)
}

// Ahead returns the place of a point of the world in the window, and whether the point is in front of the camera.
func (p *Projector) Ahead(world mgl64.Vec3) (x, y float32, ok bool) {
	q := p.clip.Mul4x1(geom.Vec32(world).Vec4(1))
	if !(q[3] > 1e-6) {
		return 0, 0, false
	}
	w := p.Pane.Whole
	x = w.X + (q[0]/q[3]+1)/2*w.W
	y = w.Y + (1-q[1]/q[3])/2*w.H
	return x, y, true
}

// Ray returns the line of sight through a point of the window.
func (p *Projector) Ray(x, y float32) (origin, direction mgl32.Vec3) {
	w := p.Pane.Whole
	inverse := p.clip.Inv()
	nx, ny := (x-w.X)/w.W*2-1, 1-(y-w.Y)/w.H*2
	near := mgl32.TransformCoordinate(mgl32.Vec3{nx, ny, -1}, inverse)
	far := mgl32.TransformCoordinate(mgl32.Vec3{nx, ny, 0.9}, inverse)
	return near, far.Sub(near).Normalize()
}

// ItemAxes is the first ball of the axes. The others count up, as [picture.AxisDirection] numbers the directions.
const ItemAxes = 1

// axesTips say where each ball lets the camera look from.
var axesTips = [...]string{
	picture.FromRight:  "Looks from the right, along x.\tNum3",
	picture.FromLeft:   "Looks from the left, along x.\tCtrl Num3",
	picture.FromTop:    "Looks from the top, along y.\tNum7",
	picture.FromBottom: "Looks from below, along y.\tCtrl Num7",
	picture.FromFront:  "Looks from the front, along z.\tNum1",
	picture.FromBack:   "Looks from the back, along z.\tCtrl Num1",
}

// leastAxes is the least width and height of a picture with axes, in design pixels. In a smaller one they would cover
// the model or a legend.
const leastAxes = 300

const axesMargin = 12 // round the axes, design pixels

func (v *View) hasAxes(picture ui.Rect) bool { return min(picture.W, picture.H) >= v.UI.Px(leastAxes) }

// DrawAxes draws the axes in the lower right corner of the pictures. A click on a ball looks from there; on the one
// that faces the eye, from the other side.
func (v *View) DrawAxes() {
	px, in := v.UI.Px, v.Rect
	if !v.hasAxes(v.Pane(0).Whole) {
		return
	}
	size, margin := px(ui.AxesSize), px(axesMargin)
	r := ui.Rect{X: in.Right() - margin - size, Y: in.Bottom() - margin - size, W: size, H: size}
	v.UI.BeginPanel(desk.PanelAxes, r, false)
	defer v.UI.EndPanel()
	turn := v.Camera.View()
	k := v.UI.Axes(ItemAxes, r, turn, &axesTips)
	if k < 0 {
		return
	}
	const faces = 0.99 // the cosine of 8 degrees
	if turn.At(2, k/2)*float32(1-2*(k%2)) > faces {
		k ^= 1
	}
	v.Look(picture.AxisDirection(k))
}
