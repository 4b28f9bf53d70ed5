package viewer

import (
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// itemAxes and up are the balls of the axes, as [picture.AxisDirection] numbers the directions.
const itemAxes = 1

// axesTips say where each ball lets the camera look from.
var axesTips = [...]string{
	picture.FromRight:  "Looks from the right, along x.\tNum3",
	picture.FromLeft:   "Looks from the left, along x.\tCtrl Num3",
	picture.FromTop:    "Looks from the top, along y.\tNum7",
	picture.FromBottom: "Looks from below, along y.\tCtrl Num7",
	picture.FromFront:  "Looks from the front, along z.\tNum1",
	picture.FromBack:   "Looks from the back, along z.\tCtrl Num1",
}

// leastAxes is the least size of pictures with axes, in design pixels: there they lie beside the legends.
const leastAxes = 300

// axes draws the axes in the lower right corner of the pictures. A click on a ball looks from there; on the one that faces
// the eye, from the other side.
func (a *app) axes() {
	px, v := a.ui.Px, a.view.Rect
	if v.W < px(leastAxes) || v.H < px(leastAxes) {
		return
	}
	size, margin := px(ui.AxesSize), px(12)
	r := ui.Rect{X: v.Right() - margin - size, Y: v.Bottom() - margin - size, W: size, H: size}
	a.ui.BeginPanel(desk.PanelAxes, r, false)
	defer a.ui.EndPanel()
	view := a.view.Camera.View()
	k := a.ui.Axes(itemAxes, r, view, &axesTips)
	if k < 0 {
		return
	}
	const faces = 0.99 // the cosine of 8 degrees
	if view.At(2, k/2)*float32(1-2*(k%2)) > faces {
		k ^= 1
	}
	a.view.Look(picture.AxisDirection(k))
}
