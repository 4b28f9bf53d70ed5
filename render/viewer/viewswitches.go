package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
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
const viewHeight = desk.RowHeight + chipGap + chipRows*(chipHeight+chipGap) + desk.RowHeight

// viewSwitches draws what is drawn how: the layout, what is shown over and beside the model, and what the skin shows.
func (a *app) viewSwitches(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	if l := u.Segments(itemLayout, in.CutTop(px(desk.RowHeight)), layoutLabels, int(s.Layout)); l != int(s.Layout) {
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
	chip(r.Third(0, px(chipGap)), "Clay", "C", &s.Clay)
	chip(r.Third(1, px(chipGap)), "Wire", "W", &s.Wireframe)
	chip(r.Third(2, px(chipGap)), "Grid", "G", &s.Grid)
	r = row()
	skeleton := s.Skeleton
	chip(r.Third(0, px(chipGap)), "Bones", "K", &skeleton)
	if skeleton != s.Skeleton {
		s.ToggleSkeleton()
	}
	names := s.Names && s.Skeleton
	chip(r.Third(1, px(chipGap)), "Names", "", &names)
	if names != (s.Names && s.Skeleton) {
		s.ToggleNames()
	}
	chip(r.Third(2, px(chipGap)), "Ghost", "", &s.Ghost)
	r = row()
	normals, recomputed := r.Third(0, px(chipGap)), r.Third(2, px(chipGap))
	recomputed.X, recomputed.W = normals.Right()+px(chipGap), recomputed.Right()-normals.Right()-px(chipGap)
	chip(normals, "Normals", "", &s.NormalLines)
	chip(recomputed, "Recomputed normals", "", &s.Recomputed)
	skin := in.CutTop(px(desk.RowHeight))
	key := skin.CutLeft(px(40))
	u.Text(key, ui.Small, ui.ColorFaint, ui.Left, "Skin  D")
	s.StepSkin(u.Stepper(itemSkin, skin, s.Skin.String()))
}
