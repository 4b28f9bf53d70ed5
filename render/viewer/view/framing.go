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
	cards         bool    // over the pictures it was fitted to
	legend        float32 // height of the legend below them
}

// Frame makes the next [View.Fit] fit the camera to points without changing its direction.
func (v *View) Frame(points []mgl32.Vec3) {
	v.framing, v.followed = framing{points: points, on: true}, false
}

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
	CaptionWidth     = 290
	ReadoutWidth     = 200 // of the numbers at the right
	captionHeight    = 136
	WordyWidth       = 600 // least width of a picture with room for a sentence in its caption
	shortCaption     = 124 // height of the caption without that sentence
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
	case picture.W < v.UI.Px(WordyWidth):
		return v.UI.Px(shortCaption)
	}
	return v.UI.Px(captionHeight)
}

// Sizes of the heat map's legend, design pixels. In a low or narrow picture it is one line, and the
// model stands above it.
const (
	LegendHeight = 168
	LegendMargin = 14 // round it, half of that round a line
	LegendLine   = 24
	leastLegend  = 400 // width of a picture in which it stands beside the model
)

// HasLegendLine reports whether the legend of the heat map is one line: an upright one has no room in the picture, or
// none beside the model.
func (v *View) HasLegendLine(picture ui.Rect) bool {
	return picture.H-v.CaptionHeight(picture) < v.UI.Px(LegendHeight+LegendMargin) || picture.W < v.UI.Px(leastLegend)
}

// legendLine returns the height that such a legend takes off the pictures, 0 for none.
func (v *View) legendLine(picture ui.Rect) float32 {
	if !v.State.Heat || !v.State.Cards || !v.HasLegendLine(picture) {
		return 0
	}
	return v.UI.Px(LegendLine + LegendMargin)
}

// Roomy reports whether the view has room for a legend of a size under the words at its top.
func (v *View) Roomy(width, height float32) bool {
	return v.Rect.W >= width+v.UI.Px(40) && v.Rect.H >= height+v.CaptionHeight(v.Pane(0).Seen)+v.UI.Px(40)
}

// Fit fits the camera again when the view's size changes or the words over its pictures come or go, unless a person has
// moved it since the last Frame.
func (v *View) Fit() {
	w, f := v.Pane(0).Whole, &v.framing
	legend := v.legendLine(w)
	if w.W <= 0 || w.H <= 0 || !f.on ||
		f.width == w.W && f.height == w.H && f.cards == v.State.Cards && f.legend == legend {
		return
	}
	f.width, f.height, f.cards, f.legend = w.W, w.H, v.State.Cards, legend
	aspect, caption, room := w.W/w.H, v.CaptionHeight(v.Pane(0).Seen), picture.Whole
	room.Bottom = max(room.Bottom, 2*legend/w.H-1)
	v.Camera.Frame(f.points, aspect, room)
	// Where the words over the pictures would lie on the model, it is moved below them as far as it takes.
	const steps = 8
	for k := 1; k <= steps && f.cards && caption > 0 && v.behindCards(w, caption); k++ {
		in := room
		in.Top = min(in.Top, 1-2*caption/w.H*float32(k)/steps)
		v.Camera.Frame(f.points, aspect, in)
	}
}

// behindCards reports whether a framed point lies behind words over a picture: in its upper corners, as high as
// caption. Under the divider there are two pictures.
func (v *View) behindCards(w ui.Rect, caption float32) bool {
	m := v.Camera.Projection(w.W / w.H).Mul4(v.Camera.View())
	for _, p := range v.framing.points {
		q := mgl32.TransformCoordinate(p, m)
		x, y := w.X+(q[0]+1)/2*w.W, w.Y+(1-q[1])/2*w.H
		if y > w.Y+caption {
			continue
		}
		for i := range v.State.Seen() {
			at := v.Pane(i)
			if at.Whole == w && (x < at.Seen.X+v.UI.Px(CaptionWidth) || x > at.Seen.Right()-v.UI.Px(ReadoutWidth)) &&
				at.Seen.Contains(x, max(y, w.Y)) {
				return true
			}
		}
	}
	return false
}

// FollowTo moves the camera along the floor as far as the model has gone since the last call, or the first one after
// follow was false.
func (v *View) FollowTo(at mgl32.Vec3, follow bool) {
	if follow && v.followed {
		v.Camera.Target = v.Camera.Target.Add(mgl32.Vec3{at[0] - v.place[0], 0, at[2] - v.place[2]})
	}
	v.place, v.followed = at, follow
}
