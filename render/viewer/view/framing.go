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
	cover         cover   // on the pictures that it was fitted to
}

// cover is how far, in logical pixels, what lies on a picture reaches into it: words from its upper corners down, a
// legend from the lower left one up and to the right, and axes from the lower right one. It is 0 for none.
type cover struct{ words, legend, side, axes float32 }

// Frame makes the next [View.Fit] fit the camera to points without changing its direction.
func (v *View) Frame(points []mgl32.Vec3) {
	v.framing, v.followed = framing{points: points, on: true}, false
}

// Await announces a Frame whose points are still to be found. A user who moves the camera meanwhile calls it off.
func (v *View) Await() { v.framing.on = true }

// Framed reports whether the camera is as it was framed: the user has not moved it since.
func (v *View) Framed() bool { return v.framing.on }

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
	CaptionWidth     = 300 // of its plate, from the edge of the picture
	ReadoutWidth     = 250 // at most, of the numbers at the right
	captionHeight    = 136
	WordyWidth       = 600 // least width of a picture with room for a sentence in its caption
	shortCaption     = 124 // height of the caption without that sentence
	NarrowWidth      = 340 // of a picture, below which the numbers are lines of its caption
	narrowCaption    = 158 // height of that
	lowCaptionHeight = 62  // over a low picture
	lineHeight       = 42  // of a caption of one line
	LowHeight        = 420 // of a picture, below which it is low
	flatHeight       = 190 // below which its caption is one line
	leastHeight      = 120 // below which it has none
)

// CaptionLines returns the number of lines of a low picture's caption: 0 for none, and all that there are in a picture
// that is not low.
func (v *View) CaptionLines(picture ui.Rect) int {
	switch {
	case picture.H < v.UI.Px(leastHeight):
		return 0
	case picture.H < v.UI.Px(flatHeight):
		return 1
	case picture.H < v.UI.Px(LowHeight):
		return 2
	}
	return AllLines
}

// AllLines is the number of lines of a caption that leaves out none.
const AllLines = 5

// CaptionHeight returns the height of a picture's caption, logical pixels. It is at most about a third of the picture,
// so that the model has room below it, and in a narrow picture it has no sentence.
func (v *View) CaptionHeight(picture ui.Rect) float32 {
	lines := v.CaptionLines(picture)
	switch {
	case lines == 0:
		return 0
	case lines == 1:
		return v.UI.Px(lineHeight)
	case lines == 2:
		return v.UI.Px(lowCaptionHeight)
	case picture.W < v.UI.Px(NarrowWidth):
		return v.UI.Px(narrowCaption)
	case picture.W < v.UI.Px(WordyWidth):
		return v.UI.Px(shortCaption)
	}
	return v.UI.Px(captionHeight)
}

// Sizes of the heat map's legend, design pixels. In a low or narrow picture it is a line.
const (
	LegendWidth  = 240 // a line is at most as wide
	LegendHeight = 62
	LegendMargin = 14 // round it, half of that round a line
	LegendLine   = 24
	leastLegend  = 400 // width of a picture in which it has room beside the axes
)

// HasLegendLine reports whether the legend of the heat map is a line.
func (v *View) HasLegendLine(picture ui.Rect) bool {
	return picture.H < v.UI.Px(leastAxes) || picture.W < v.UI.Px(leastLegend)
}

// coverOf returns what lies on a picture. All pictures have the same camera, so that it is on any of them.
func (v *View) coverOf(picture ui.Rect) (c cover) {
	if v.State.Cards {
		c.words = v.CaptionHeight(picture)
	}
	if v.Legend.H > 0 {
		c.legend, c.side = v.Rect.Bottom()-v.Legend.Y, v.Legend.Right()-v.Rect.X
	}
	if v.hasAxes(picture) {
		c.axes = v.UI.Px(axesMargin + ui.AxesSize)
	}
	return c
}

// Roomy reports whether the view has room for a legend of a size under the words at its top.
func (v *View) Roomy(width, height float32) bool {
	return v.Rect.W >= width+v.UI.Px(40) && v.Rect.H >= height+v.CaptionHeight(v.Pane(0).Seen)+v.UI.Px(40)
}

// Fit fits the camera again when the view's size changes or what lies on its pictures, unless a person has moved it
// since the last Frame. Where that would lie on the model, the model moves out from behind it as far as it takes.
func (v *View) Fit() {
	w, f := v.Pane(0).Whole, &v.framing
	on := v.coverOf(v.Pane(0).Seen)
	if w.W <= 0 || w.H <= 0 || !f.on || f.width == w.W && f.height == w.H && f.cover == on {
		return
	}
	f.width, f.height, f.cover = w.W, w.H, on
	const steps = 8
	top, bottom := 2*on.words/w.H/steps, 2*max(on.legend, v.UI.Px(axesMargin+ui.AxesSize))/w.H/steps
	for down, up := 0, 0; ; {
		in := picture.Whole
		in.Top, in.Bottom = min(in.Top, 1-top*float32(down)), max(in.Bottom, bottom*float32(up)-1)
		v.Camera.Frame(f.points, w.W/w.H, in)
		above, below := v.hidden(w)
		switch {
		case above && down < steps:
			down++
		case below && up < steps:
			up++
		default:
			return
		}
	}
}

// hidden reports whether a framed point lies behind words in the upper corners of a picture, and whether one lies behind
// the legend or the axes in the lower ones.
func (v *View) hidden(w ui.Rect) (above, below bool) {
	m, on := v.Camera.Projection(w.W/w.H).Mul4(v.Camera.View()), &v.framing.cover
	legend, axes := w.X+on.side, w.Right()-on.axes
	for _, p := range v.framing.points {
		q := mgl32.TransformCoordinate(p, m)
		x, y := w.X+(q[0]+1)/2*w.W, w.Y+(1-q[1])/2*w.H
		above = above || y <= w.Y+on.words && v.behindWords(w, x, y)
		below = below || x < legend && y > w.Bottom()-on.legend || x > axes && y > w.Bottom()-on.axes
	}
	return above, below
}

// behindWords reports whether a point in the upper part of a picture lies behind its words. Under the divider there are
// two pictures.
func (v *View) behindWords(w ui.Rect, x, y float32) bool {
	for i := range v.State.Seen() {
		at := v.Pane(i)
		if at.Whole == w && (x < at.Seen.X+v.UI.Px(CaptionWidth) || x > at.Seen.Right()-v.UI.Px(ReadoutWidth)) &&
			at.Seen.Contains(x, max(y, w.Y)) {
			return true
		}
	}
	return false
}

// FollowTo moves the camera along the floor as far as the model has gone since the last call, or the first one after
// follow was false. A model that is out of the picture where following begins, or where it is sought, is brought there.
func (v *View) FollowTo(at mgl32.Vec3, follow bool) {
	switch {
	case (v.sought > 0 || follow && !v.followed) && !v.shows(at):
		v.Camera.Target = mgl32.Vec3{at[0], v.Camera.Target[1], at[2]}
	case follow && v.followed:
		v.Camera.Target = v.Camera.Target.Add(mgl32.Vec3{at[0] - v.place[0], 0, at[2] - v.place[2]})
	}
	v.place, v.followed, v.sought = at, follow, max(v.sought-1, 0)
}

// Seek brings the model into the picture if the pose that comes next is out of it.
func (v *View) Seek() { v.sought = 2 } // the frame that shows the pose may be the next one

// shows reports whether a point lies in the first picture.
func (v *View) shows(p mgl32.Vec3) bool {
	if v.Empty() {
		return true
	}
	w := v.Pane(0).Whole
	q := v.Camera.Projection(w.W / w.H).Mul4(v.Camera.View()).Mul4x1(p.Vec4(1))
	return q[3] > 0 && max(mgl32.Abs(q[0]), mgl32.Abs(q[1])) <= q[3]
}
