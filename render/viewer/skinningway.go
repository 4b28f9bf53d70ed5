package viewer

import (
	"strings"

	"skinlab/render"
	"skinlab/render/ui"
)

// skinningWays are where vertices can be posed, as the page Time offers them.
var skinningWays = [...]render.Skinning{render.InShader, render.InBufferCompute, render.InBufferFeedback}

var skinningLabels = []string{"In shader", "Compute", "Feedback"}

// skinningNotes say what each does.
var skinningNotes = [...]string{
	"In the vertex stage of every pass that draws the model. The skin pass is part of shadow and shade then.",
	"Once a frame by a compute stage, into a buffer that all passes read.",
	"Once a frame by transform feedback, into a buffer that all passes read.",
}

// probeSkinning finds out which ways this context has: why each is not there, "" where it is. What the renderer chose
// stays.
func (a *app) probeSkinning() (missing [len(skinningWays)]string) {
	chosen := a.gpu.Skinning()
	for k, way := range skinningWays {
		if err := a.gpu.SetSkinning(way); err != nil {
			missing[k] = strings.TrimPrefix(err.Error(), "render: ")
		}
	}
	a.setSkinning(chosen)
	return missing
}

// setSkinning poses vertices elsewhere from the next frame on.
func (a *app) setSkinning(way render.Skinning) {
	if way == a.gpu.Skinning() {
		return
	}
	if err := a.gpu.SetSkinning(way); err != nil {
		a.complain("Could not change where vertices are posed", err)
		return
	}
	a.timing.clear()
	a.wake()
}

// nextSkinning goes through the ways that there are.
func (a *app) nextSkinning() {
	at := a.skinningAt()
	for by := 1; by < len(skinningWays); by++ {
		if k := (at + by) % len(skinningWays); a.timing.missing[k] == "" {
			a.setSkinning(skinningWays[k])
			a.notify("Vertices are posed", skinningNotes[k], noticeTime)
			return
		}
	}
}

// skinningAt returns the index of the way that is in use.
func (a *app) skinningAt() int {
	for k, way := range skinningWays {
		if way == a.gpu.Skinning() {
			return k
		}
	}
	return 0
}

// skinningSwitch chooses where vertices are posed.
func (a *app) skinningSwitch(in *ui.Rect) {
	u, px, t := a.ui, a.ui.Px, &a.timing
	a.desk.Section(in, "VERTICES ARE POSED")
	var off uint
	for k, why := range t.missing {
		if why != "" {
			off |= 1 << k
		}
	}
	at := a.skinningAt()
	t.at.skinning = in.CutTop(px(26))
	if k := u.SegmentsOff(itemSkinning, t.at.skinning, skinningLabels, at, off); k != at {
		a.setSkinning(skinningWays[k])
		at = k
	}
	in.CutTop(px(6))
	a.desk.Paragraph(in, skinningNotes[at])
	for _, why := range t.missing {
		if why != "" {
			a.desk.Paragraph(in, why)
		}
	}
}
