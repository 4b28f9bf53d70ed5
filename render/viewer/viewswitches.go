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
)

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
	id := itemChip
	chip := func(r ui.Rect, label, tip string, on *bool) {
		if u.Chip(id, r, label, *on, tip) {
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
	chip(r.Third(0, px(chipGap)), "Clay", "Draws the skin in one grey material, so that its shape is seen.\tC", &s.Clay)
	chip(r.Third(1, px(chipGap)), "Wire", "Draws the edges of the triangles.\tW", &s.Wireframe)
	chip(r.Third(2, px(chipGap)), "Grid", "Draws the ground with a grid.\tG", &s.Grid)
	r = row()
	skeleton := s.Skeleton
	chip(r.Third(0, px(chipGap)), "Bones", "Draws the joints and bones of the skeleton.\tK", &skeleton)
	if skeleton != s.Skeleton {
		s.ToggleSkeleton()
	}
	names := s.Names && s.Skeleton
	chip(r.Third(1, px(chipGap)), "Names", "Writes the names of the joints beside them.\tShift K", &names)
	if names != (s.Names && s.Skeleton) {
		s.ToggleNames()
	}
	chip(r.Third(2, px(chipGap)), "Ghost", "Draws the rest pose through the model.\tShift G", &s.Ghost)
	r = row()
	normals, recomputed := r.Third(0, px(chipGap)), r.Third(2, px(chipGap))
	recomputed.X, recomputed.W = normals.Right()+px(chipGap), recomputed.Right()-normals.Right()-px(chipGap)
	chip(normals, "Normals", "Draws the normal of every vertex as a line.\tShift N", &s.NormalLines)
	chip(recomputed, "Recomputed normals",
		terms.RecomputedNormals.Tip(), &s.Recomputed)
	skin := in.CutTop(px(desk.RowHeight))
	key := skin.CutLeft(px(40))
	u.Text(key, ui.Small, ui.ColorFaint, ui.Left, "Skin  D")
	s.StepSkin(u.Stepper(itemSkin, skin, s.Skin.String(),
		"What colours the skin: its material, the weights of the picked joint, influences a vertex, or normals.\tD"))
}
