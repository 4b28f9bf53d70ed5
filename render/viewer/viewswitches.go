package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
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
	itemLayout
)

// layoutChoices are the layouts, in their order, as their switch names them.
var layoutChoices = []ui.Segment{
	{Label: "One", Tip: "Shows one picture.\t7"},
	{Label: "Split", Tip: "Shows two methods in one picture, under a line that the mouse moves.\t8"},
	{Label: "Two", Tip: "Shows two pictures side by side.\t9"},
	{Label: "Four", Tip: "Shows four pictures.\t0"},
}

// viewHeight returns the height of the group but for its heading, design pixels.
const viewHeight = desk.RowHeight + chipGap + chipRows*(chipHeight+chipGap) + desk.RowHeight

// viewSwitches draws the controls of the view: the layout, the things over and beside the model, and the colours of the
// skin.
func (a *app) viewSwitches(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	if l := u.Segments(itemLayout, in.CutTop(px(desk.RowHeight)), layoutChoices, int(s.Layout)); l != int(s.Layout) {
		s.SetLayout(state.Layout(l))
	}
	in.CutTop(px(chipGap))
	gap := px(chipGap)
	row := func() (left, middle, right ui.Rect) {
		r := in.CutTop(px(chipHeight))
		in.CutTop(gap)
		return r.Third(0, gap), r.Third(1, gap), r.Third(2, gap)
	}
	id := itemChip
	chip := func(r ui.Rect, label, tip string, on bool) bool {
		id++
		return u.Chip(id-1, r, label, on, tip) != on
	}
	left, middle, right := row()
	s.Clay = chip(left, "Clay", "Draws the skin in one grey material, so that its shape is seen.\tC", s.Clay)
	s.Wireframe = chip(middle, "Wire", "Draws the edges of the triangles.\tW", s.Wireframe)
	s.Grid = chip(right, "Grid", "Draws the ground with a grid.\tG", s.Grid)
	left, middle, right = row()
	if chip(left, "Bones", "Draws the joints and bones of the skeleton.\tK", s.Skeleton) != s.Skeleton {
		s.ToggleSkeleton()
	}
	if on := s.Names && s.Skeleton; chip(middle, "Names", "Writes the names of the joints beside them.\tShift K", on) != on {
		s.ToggleNames()
	}
	s.Ghost = chip(right, "Ghost", "Draws the rest pose through the model.\tShift G", s.Ghost)
	left, middle, right = row()
	middle.W = right.Right() - middle.X
	s.NormalLines = chip(left, "Normals", "Draws the normal of every vertex as a line.\tShift N", s.NormalLines)
	s.Recomputed = chip(middle, "Recomputed normals", terms.RecomputedNormals.Tip(), s.Recomputed)
	skin := in.CutTop(px(desk.RowHeight))
	key := skin.CutLeft(px(40))
	u.Text(key, ui.Small, ui.ColorFaint, ui.Left, "Skin  D")
	s.StepSkin(u.Stepper(itemSkin, skin, s.Skin.String(),
		"What colours the skin: its material, the weights of the picked joint, influences a vertex, or normals.\tD"))
}
