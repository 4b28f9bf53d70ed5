package viewer

import (
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// Heights in the group of view switches, design pixels.
const (
	chipHeight = 24
	chipGap    = 4
	chipRows   = 3
)

// Item numbers of the group, in the left panel.
const (
	itemChip = 200 + iota*20
	itemSkin
)

// viewHeight returns the height of the group but for its heading, design pixels.
const viewHeight = rowHeight + chipGap + chipRows*(chipHeight+chipGap) + rowHeight

// viewSwitches draws what is drawn how: the layout, what is shown over and beside the model, and what the skin shows.
func (a *app) viewSwitches(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	if l := u.Segments(itemLayout, in.CutTop(px(rowHeight)), layoutLabels, int(s.Layout)); l != int(s.Layout) {
		s.SetLayout(state.Layout(l))
	}
	in.CutTop(px(chipGap))
	id := itemChip
	chip := func(r ui.Rect, label, key string, on *bool) {
		if u.Chip(id, r, label, key, *on) {
			*on = !*on
		}
		id++
	}
	row := func() ui.Rect {
		r := in.CutTop(px(chipHeight))
		in.CutTop(px(chipGap))
		return r
	}
	r := row()
	chip(thirdOf(r, 0, px(chipGap)), "Clay", "C", &s.Clay)
	chip(thirdOf(r, 1, px(chipGap)), "Wire", "W", &s.Wireframe)
	chip(thirdOf(r, 2, px(chipGap)), "Grid", "G", &s.Grid)
	r = row()
	skeleton := s.Skeleton
	chip(thirdOf(r, 0, px(chipGap)), "Bones", "K", &skeleton)
	if skeleton != s.Skeleton {
		s.ToggleSkeleton()
	}
	names := s.Names && s.Skeleton
	chip(thirdOf(r, 1, px(chipGap)), "Names", "", &names)
	if names != (s.Names && s.Skeleton) {
		s.ToggleNames()
	}
	chip(thirdOf(r, 2, px(chipGap)), "Ghost", "", &s.Ghost)
	r = row()
	normals, recomputed := thirdOf(r, 0, px(chipGap)), thirdOf(r, 2, px(chipGap))
	recomputed.X, recomputed.W = normals.Right()+px(chipGap), recomputed.Right()-normals.Right()-px(chipGap)
	chip(normals, "Normals", "", &s.NormalLines)
	chip(recomputed, "Recomputed normals", "", &s.Recomputed)
	skin := in.CutTop(px(rowHeight))
	key := skin.CutLeft(px(40))
	u.Text(key, ui.Small, ui.ColorFaint, ui.Left, "Skin  D")
	s.StepSkin(u.Stepper(itemSkin, skin, s.Skin.String()))
}

// setLook sets what the state's switches say of a scene whose frame is chosen. It allocates nothing.
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

// normalShare is the length of a normal's line as a share of the model's size.
const normalShare = 0.012

// jointIn returns what the first file's joint is in a pane's model, −1 for none.
func (a *app) jointIn(p state.Pane, joint int) int {
	if joint < 0 || !p.Beside || a.beside == nil {
		return joint // blend bones stand behind the joints that they are added to
	}
	b := a.beside
	if b.from == nil {
		return joint
	}
	node := a.shown.model.Skeleton.Joints[joint].Node
	for j := range b.model.Skeleton.Joints {
		if b.from[b.model.Skeleton.Joints[j].Node] == node {
			return j
		}
	}
	return -1
}

// Sizes of the legend of the skin, design pixels.
const (
	skinLegendWidth  = 150
	skinLegendHeight = 62
	legendRamp       = 24 // steps in which the colour map is drawn
)

// skinLegend says what the colours of the skin mean, over the lower left of the view. It draws into the panel that is
// open.
func (a *app) skinLegend() {
	u, px, t := a.ui, a.ui.Px, &a.state
	if t.Skin == state.SkinPlain || t.Heat || a.layout.view.W < px(skinLegendWidth+40) ||
		a.layout.view.H < px(skinLegendHeight+captionHeight+40) {
		return
	}
	r := ui.Rect{X: a.layout.view.X + px(20), Y: a.layout.view.Bottom() - px(20+skinLegendHeight), W: px(skinLegendWidth),
		H: px(skinLegendHeight)}
	u.Fill(r, ui.ColorPanel.Alpha(0.8), px(6))
	in := r.Inset(px(10), px(8))
	head := in.CutTop(px(14))
	in.CutTop(px(6))
	bar := in.CutTop(px(10))
	in.CutTop(px(3))
	ends := in.CutTop(px(14))
	switch t.Skin {
	case state.SkinWeights:
		i := a.bone()
		if i < 0 {
			u.Text(head, ui.Small, ui.ColorText, ui.Left, "Weight of a joint")
			u.Text(ui.Rect{X: bar.X, Y: bar.Y, W: bar.W, H: px(20)}, ui.Small, ui.ColorDim, ui.Left, "Pick a joint to see it")
			return
		}
		u.Text(head, ui.Small, ui.ColorText, ui.Left, a.line.Start().S("Weight of ").S(a.shown.bones.bones[i].name).View())
		a.ramp(bar, ends)
	case state.SkinInfluences:
		u.Text(head, ui.Small, ui.ColorText, ui.Left, "Influences of a vertex")
		colors := picture.InfluenceColors()
		w := bar.W / picture.InfluenceSteps
		for k, c := range colors {
			x := bar.X + w*float32(k)
			u.Fill(ui.Rect{X: x, Y: bar.Y, W: w, H: bar.H}, ui.RGB(c[0], c[1], c[2]), 0)
			u.Text(ui.Rect{X: x, Y: ends.Y, W: w, H: ends.H}, ui.Small, ui.ColorDim, ui.Center, influenceLabels[k])
		}
	case state.SkinNormals:
		u.Text(head, ui.Small, ui.ColorText, ui.Left, "Direction of the normal")
		w := bar.W / 3
		for k, label := range normalLabels {
			x := bar.X + w*float32(k)
			c := [3]uint8{128, 128, 128}
			c[k] = 255
			u.Fill(ui.Rect{X: x, Y: bar.Y, W: w, H: bar.H}, ui.RGB(c[0], c[1], c[2]), 0)
			u.Text(ui.Rect{X: x, Y: ends.Y, W: w, H: ends.H}, ui.Small, ui.ColorDim, ui.Center, label)
		}
	}
}

var (
	influenceLabels = [picture.InfluenceSteps]string{"1", "2", "3", "4", "> 4"}
	normalLabels    = [3]string{"+x", "+y", "+z"}
)
