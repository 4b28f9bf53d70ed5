package viewer

import (
	"skinlab/render/ui"
)

// Sizes of added bones on the screen, in design pixels.
const (
	beadRadius = 6
	beadReach  = 5 // of the mouse beyond it
)

// bones draws the bones that a fit has added where they sit in this frame's pose, and the u-weights of the one under
// the mouse. It runs once the frame is posed, and draws into a layer behind the words.
func (a *app) bones() {
	f, s := a.fitted, &a.state
	a.mouse.bone, a.firstBead = -1, [2]int{}
	if f == nil {
		return
	}
	if s.Bones {
		for i, p := range s.Seen() {
			if p.Method == blendBones && !p.Beside {
				a.beads(a.pane(i))
			}
		}
	}
	lit := -1
	if s.Paint {
		lit = a.mouse.bone
	}
	if f.wear(coat{s.PaintView, lit}) {
		if err := a.gpu.SetTints(f.model, f.tints); err != nil {
			a.complain("Could not paint the blend bones", err)
		}
	}
}

// beads draws the bones in one pane.
func (a *app) beads(p paneRect) {
	view := p.seen
	if view.W <= 0 || view.H <= 0 || len(a.fitted.joints) == 0 {
		return
	}
	u, f := a.ui, a.fitted
	u.BeginLayer(panelBones, view)
	defer u.EndPanel()
	proj := a.projector(p)
	radius, reach := u.Px(beadRadius), u.Px(beadRadius+beadReach)
	mouse := a.mouse.drag == dragNone && view.Contains(a.win.mouseX, a.win.mouseY) && !u.Covers(a.win.mouseX, a.win.mouseY)
	nearest := reach * reach
	f.place()
	for k := range f.joints {
		x, y, ok := proj.at(f.seen[k])
		if k == 0 {
			a.firstBead = [2]int{int(x), int(y)}
		}
		if !ok || f.idle[k] {
			continue
		}
		u.Bead(x, y, radius, f.colors[k], false)
		if dx, dy := x-a.win.mouseX, y-a.win.mouseY; mouse && dx*dx+dy*dy <= nearest {
			nearest, a.mouse.bone = dx*dx+dy*dy, k
		}
	}
	if a.mouse.bone >= 0 {
		a.hoveredBead(&proj)
	}
}

// hoveredBead draws the bone under the mouse on top, joined to its masters, and beside it what it is made of.
func (a *app) hoveredBead(proj *projector) {
	u, px, f, k := a.ui, a.ui.Px, a.fitted, a.mouse.bone
	x, y, _ := proj.at(f.seen[k])
	for _, s := range f.shares[k] {
		mx, my, ok := proj.at(f.frame.Matrices[s.joint].Apply(f.model.Skeleton.Joints[s.joint].Position))
		if !ok {
			continue
		}
		u.Line(x, y, mx, my, f.colors[k], px(1)+px(3)*float32(s.weight))
		u.Disc(mx, my, px(4), ui.ColorText)
	}
	u.Bead(x, y, px(beadRadius+1), f.colors[k], true)
	a.shareCard(proj.pane.seen, x, y)
}

// shareCard names the masters of the bone under the mouse with their u-weights, or of a proxy bone with what it follows
// of each.
func (a *app) shareCard(view ui.Rect, x, y float32) {
	u, px, f, k := a.ui, a.ui.Px, a.fitted, a.mouse.bone
	const row, pad, bar, number = 20, 10, 60, 48
	w := u.TextWidth(ui.Strong, "Blend bone 000")
	for _, s := range f.shares[k] {
		w = max(w, u.TextWidth(ui.Body, s.name)+px(bar+number+12))
	}
	w = min(w+2*px(pad), view.W-px(8))
	h := px(row)*float32(len(f.shares[k])+1) + 2*px(pad)
	card := ui.Rect{X: x + px(18), Y: y + px(14), W: w, H: h}
	if card.Right() > view.Right()-px(4) {
		card.X = max(x-px(18)-w, view.X+px(4))
	}
	card.Y = max(min(card.Y, view.Bottom()-px(4)-h), view.Y+px(4))
	u.BeginLayer(panelTip, card)
	defer u.EndPanel()
	u.Fill(card, ui.ColorPanel.Alpha(0.97), px(6))
	u.Outline(card, ui.ColorEdge, px(6))
	in := card.Inset(px(pad), px(pad))
	head := in.CutTop(px(row))
	u.Bead(head.X+px(6), head.Y+px(row)/2, px(5), f.colors[k], false)
	head.CutLeft(px(20))
	u.Text(head, ui.Strong, ui.ColorText, ui.Left, a.line.Start().S(f.names.one).S(" ").I(k+1).View())
	for _, s := range f.shares[k] {
		r := in.CutTop(px(row))
		u.Text(r.CutRight(px(number)), ui.Body, ui.ColorText, ui.Right, a.line.Start().F(s.weight*100, 1).S(" %").View())
		r.CutRight(px(6))
		u.Bar(r.CutRight(px(bar)), float32(s.weight), f.colors[k])
		r.CutRight(px(6))
		u.Text(r, ui.Body, ui.ColorDim, ui.Left, s.name)
	}
}
