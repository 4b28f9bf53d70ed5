package view

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/render/ui"
)

// framing is the points to which the camera was last fitted.
type framing struct {
	points        []mgl32.Vec3
	on            bool    // the camera is still fitted: fit it again when the view's size changes
	width, height float32 // of the view that it was fitted to; 0 for none yet
}

// Frame makes the next [View.Fit] fit the camera to points without changing its direction.
func (v *View) Frame(points []mgl32.Vec3) { v.framing = framing{points: points, on: true} }

// Leave keeps the camera where the user has moved it.
func (v *View) Leave() { v.framing.on = false }

// Reset looks at what was framed last from the side from which a window opens.
func (v *View) Reset() {
	ortho := v.Camera.Ortho
	v.Camera = picture.NewCamera(v.framing.points, 1)
	v.Camera.Ortho = ortho
}

// Look looks from a direction. A camera that the user has not moved is fitted again.
func (v *View) Look(from picture.Direction) {
	v.Camera.Look(from)
	v.framing.width = 0
}

// ToggleOrtho turns perspective off and on.
func (v *View) ToggleOrtho() {
	v.Camera.Ortho = !v.Camera.Ortho
	v.framing.width = 0
}

// Zoom moves the camera by steps towards the point under the mouse, or away from it.
func (v *View) Zoom(steps float32) {
	w := v.Pane(max(v.PaneAt(v.MouseX, v.MouseY), 0)).Whole
	x, y := (v.MouseX-w.X)/max(w.W, 1)*2-1, 1-(v.MouseY-w.Y)/max(w.H, 1)*2
	v.Camera.Zoom(steps, x, y, w.W/max(w.H, 1))
	v.Leave()
}

// otherSize is the ratio of sizes from which on a newer version of a model is fitted again.
const otherSize = 1.5

// Keep looks at a newer version of a model, which is framed, as was looked at the one before. grown is the ratio of
// their sizes.
func (v *View) Keep(before *View, grown float64) {
	was, now := &before.framing, &v.framing
	v.Camera, now.on = before.Camera, was.on
	switch {
	case !(grown < otherSize && grown > 1/otherSize):
		now.on, now.width = true, 0 // in other units, say: from the same side, at another distance
	case now.on:
		*now = *was // the next change of the view's size fits it to the same points again
	}
}

// Sizes of the words over a picture, design pixels.
const (
	CaptionWidth     = 290
	captionHeight    = 136
	WordyWidth       = 600 // least width of a picture with room for a sentence in its caption
	shortCaption     = 100 // height of the caption without that sentence
	lowCaptionHeight = 54  // over a low picture
	LowHeight        = 420 // of a picture, below which it is low
)

// captionHeight returns the height of a picture's caption, logical pixels. In a low picture it is two lines, and in a
// narrow one it has no sentence, so that it does not cover a head.
func (v *View) captionHeight(picture ui.Rect) float32 {
	switch {
	case picture.H < v.UI.Px(LowHeight):
		return v.UI.Px(lowCaptionHeight)
	case picture.W < v.UI.Px(WordyWidth):
		return v.UI.Px(shortCaption)
	}
	return v.UI.Px(captionHeight)
}

// Roomy reports whether the view has room for a legend of a size under the words at its top.
func (v *View) Roomy(width, height float32) bool {
	return v.Rect.W >= width+v.UI.Px(40) && v.Rect.H >= height+v.UI.Px(captionHeight+40)
}

// Fit fits the camera again when the view's size changes, unless a person has moved it since the last Frame.
func (v *View) Fit() {
	w, f := v.Pane(0).Whole, &v.framing
	if w.W <= 0 || w.H <= 0 || !f.on || f.width == w.W && f.height == w.H {
		return
	}
	f.width, f.height = w.W, w.H
	aspect, caption := w.W/w.H, v.captionHeight(w)
	v.Camera.Frame(f.points, aspect, picture.Whole)
	// Where the words over the picture would lie on the model, it is moved below them as far as it takes.
	const steps = 8
	for k := 1; k <= steps && caption < w.H/3 && v.behindCaption(w, caption); k++ {
		in := picture.Whole
		in.Top = min(in.Top, 1-2*caption/w.H*float32(k)/steps)
		v.Camera.Frame(f.points, aspect, in)
	}
}

// behindCaption reports whether a framed point lies behind the caption in the view's upper left corner. caption is its
// height.
func (v *View) behindCaption(w ui.Rect, caption float32) bool {
	right, bottom := 2*v.UI.Px(CaptionWidth)/w.W-1, 1-2*caption/w.H
	m := v.Camera.Projection(w.W / w.H).Mul4(v.Camera.View())
	for _, p := range v.framing.points {
		if at := mgl32.TransformCoordinate(p, m); at[0] < right && at[1] > bottom {
			return true
		}
	}
	return false
}
