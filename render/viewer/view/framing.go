package view

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/render/ui"
)

// framing is the box to which the camera was last fitted.
type framing struct {
	lo, hi mgl32.Vec3
	on     bool    // the camera is still fitted: fit it again when the view's shape changes
	aspect float32 // of the view that it was fitted to
}

// Frame makes the next [View.Fit] fit the camera to a box without changing its direction.
func (v *View) Frame(lo, hi mgl32.Vec3) { v.framing = framing{lo: lo, hi: hi, on: true} }

// Leave keeps the camera where the user has moved it.
func (v *View) Leave() { v.framing.on = false }

// Reset looks at what was framed last from the side from which a window opens.
func (v *View) Reset() { v.Camera = picture.NewCamera(v.framing.lo, v.framing.hi, 1) }

// otherSize is the ratio of sizes from which on a newer version of a model is fitted again.
const otherSize = 1.5

// Keep looks at a newer version of a model, which is framed, as was looked at the one before.
func (v *View) Keep(before *View) {
	was, now := &before.framing, &v.framing
	v.Camera, now.on = before.Camera, was.on
	switch old, size := was.hi.Sub(was.lo).Len(), now.hi.Sub(now.lo).Len(); {
	case !(size < old*otherSize && size > old/otherSize):
		now.on, now.aspect = true, 0 // in other units, say: from the same side, at another distance
	case now.on:
		*now = *was // the next change of the view's shape fits it to what it was fitted to
	}
}

// Sizes of the words over a picture, design pixels.
const (
	CaptionWidth     = 290
	captionHeight    = 136
	lowCaptionHeight = 58  // over a low one
	LowHeight        = 420 // of a picture, below which it is low
)

// CaptionHeight returns the height of a picture's caption, logical pixels. In a low picture it is two lines, so that it
// does not cover a head.
func (v *View) CaptionHeight(picture ui.Rect) float32 {
	if picture.H < LowHeight*v.UI.Px(1) {
		return v.UI.Px(lowCaptionHeight)
	}
	return v.UI.Px(captionHeight)
}

// Roomy reports whether the view has room for a legend of a size under the words at its top.
func (v *View) Roomy(width, height float32) bool {
	return v.Rect.W >= width+v.UI.Px(40) && v.Rect.H >= height+v.UI.Px(captionHeight+40)
}

// Fit fits the camera again when the view's shape changes, unless a person has moved it since the last Frame.
func (v *View) Fit() {
	whole, f := v.Pane(0).Whole, &v.framing
	width, height := whole.W, whole.H
	if width <= 0 || height <= 0 || !f.on || f.aspect == width/height {
		return
	}
	f.aspect = width / height
	v.Camera.Frame(f.lo, f.hi, f.aspect)
	caption := v.CaptionHeight(whole)
	if height < 3*caption || !v.behindCaption(width, height, caption) {
		return
	}
	// The words over the picture would lie on the model: fit it into what is below them.
	below := height - caption*0.8 // the frame's own margin is the rest
	v.Camera.Frame(f.lo, f.hi, width/below)
	v.Camera.Distance *= height / below
	v.Camera.Pan(0, (height-below)/2, height)
}

// behindCaption reports whether the fitted box reaches behind the caption in the view's upper left corner. caption is
// its height.
func (v *View) behindCaption(width, height, caption float32) bool {
	lo, hi := v.Camera.Extent(v.framing.lo, v.framing.hi, width/height)
	left, top := (lo[0]+1)/2*width, (1-hi[1])/2*height
	return left < v.UI.Px(CaptionWidth) && top < caption
}
