package fitted

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/view"
)

// Sizes of added bones on the screen, in design pixels.
const (
	beadRadius = 6
	boneWidth  = 11
	beadReach  = 5 // how far from a bead the mouse still touches it
)

// Draw draws the added bones at their places in this frame's pose, and the masters of the one under the mouse. Call it
// after the frame is posed. It draws into a layer behind the captions.
func (f *Model) Draw(v *view.View) {
	f.Hovered, f.Touched = -1, -1
	for i, p := range v.State.Seen() {
		if pane := v.Pane(i); p.Method == state.Fitted && !p.Beside && pane.Seen.W > 0 && pane.Seen.H > 0 &&
			len(f.Joints) > 0 {
			f.beads(v, pane)
		}
	}
}

func (f *Model) beads(v *view.View, p view.Pane) {
	u := v.UI
	u.BeginLayer(desk.PanelBones, p.Seen)
	defer u.EndPanel()
	proj := v.Projector(p)
	radius, reach := u.Px(beadRadius), u.Px(beadRadius+beadReach)
	nearest, within := reach*reach, p.Seen.Contains(v.MouseX, v.MouseY) && !u.Covers(v.MouseX, v.MouseY)
	f.Place()
	for k := range f.Joints[:f.Drawn] {
		x, y, ok := proj.At(f.Seen[k])
		if !ok || f.Unused[k] {
			continue
		}
		if k == f.Chosen {
			f.fromMaster(u, &proj, k)
		}
		u.Bead(x, y, radius, f.Colors[k], k == f.Chosen)
		if dx, dy := x-v.MouseX, y-v.MouseY; within && dx*dx+dy*dy <= nearest {
			nearest, f.Touched = dx*dx+dy*dy, k
		}
	}
	if v.Points(p) {
		f.Hovered = f.Touched
	}
	if f.Hovered >= 0 {
		f.hovered(v, &proj)
	}
}

// fromMaster draws a bone as a kite from the joint that moves it most.
func (f *Model) fromMaster(u *ui.Context, proj *view.Projector, k int) {
	x, y, _ := proj.At(f.Seen[k])
	if len(f.Shares[k]) == 0 {
		return
	}
	j := f.Shares[k][0].Joint
	if mx, my, ok := proj.At(f.Frame.Matrices[j].Apply(f.Model.Skeleton.Joints[j].Position)); ok {
		u.Bone(mx, my, x, y, u.Px(boneWidth), f.Colors[k])
	}
}

// hovered draws the bone under the mouse on top, lines to its masters, and a card with its shares.
func (f *Model) hovered(v *view.View, proj *view.Projector) {
	u, px, k := v.UI, v.UI.Px, f.Hovered
	x, y, _ := proj.At(f.Seen[k])
	for _, s := range f.Shares[k] {
		mx, my, ok := proj.At(f.Frame.Matrices[s.Joint].Apply(f.Model.Skeleton.Joints[s.Joint].Position))
		if !ok {
			continue
		}
		u.Line(x, y, mx, my, f.Colors[k], px(1)+px(3)*float32(s.Weight))
		u.Disc(mx, my, px(4), ui.ColorWhite)
	}
	u.Bead(x, y, px(beadRadius+1), f.Colors[k], true)
	f.shareCard(v, proj.Pane.Seen, x, y)
}

// shareCard lists the masters of the bone under the mouse with their u-weights, or what a proxy bone follows.
func (f *Model) shareCard(v *view.View, seen ui.Rect, x, y float32) {
	u, px, k := v.UI, v.UI.Px, f.Hovered
	const row, pad, bar, number = 20, 10, 60, 48
	name := f.Model.Skeleton.Joints[f.Joints[k]].Name
	w := u.TextWidth(ui.Strong, name) + px(20)
	for _, s := range f.Shares[k] {
		w = max(w, u.TextWidth(ui.Body, s.Name)+px(bar+number+12))
	}
	w = min(w+2*px(pad), seen.W-px(8))
	h := px(row)*float32(len(f.Shares[k])+1) + 2*px(pad)
	card := ui.Rect{X: x + px(18), Y: y + px(14), W: w, H: h}
	if card.Right() > seen.Right()-px(4) {
		card.X = max(x-px(18)-w, seen.X+px(4))
	}
	card.Y = max(min(card.Y, seen.Bottom()-px(4)-h), seen.Y+px(4))
	u.BeginLayer(desk.PanelTip, card)
	defer u.EndPanel()
	u.Fill(card, ui.ColorPanel.Alpha(0.97), px(6))
	u.Outline(card, ui.ColorEdge, px(6))
	in := card.Inset(px(pad), px(pad))
	head := in.CutTop(px(row))
	u.Bead(head.X+px(6), head.Y+px(row)/2, px(5), f.Colors[k], false)
	head.CutLeft(px(20))
	u.Text(head, ui.Strong, ui.ColorText, ui.Left, name)
	for _, s := range f.Shares[k] {
		r := in.CutTop(px(row))
		u.Text(r.CutRight(px(number)), ui.Body, ui.ColorText, ui.Right, v.Line.Start().F(s.Weight*100, 1).S(" %").View())
		r.CutRight(px(6))
		u.Bar(r.CutRight(px(bar)), float32(s.Weight), f.Colors[k])
		r.CutRight(px(6))
		u.Text(r, ui.Body, ui.ColorDim, ui.Left, s.Name)
	}
}
