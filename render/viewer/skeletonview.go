package viewer

import (
	"math"

	"skinlab/render/ui"
)

// Sizes of the skeleton on the screen, in design pixels.
const (
	boneWidth  = 9
	jointDot   = 3.5
	leastDot   = 1.5
	jointReach = 9 // of the mouse round a joint
	boneReach  = 5 // and beside a bone
)

// skeletonView draws the skeleton over the panes that show the first file, and finds the bone under the mouse. It runs
// once the frame is posed.
func (a *app) skeletonView() {
	t := &a.tools
	t.inView = -1
	t.first = [2]int{}
	if a.layout.view.W <= 0 || a.layout.view.H <= 0 {
		return
	}
	u := a.ui
	u.BeginLayer(panelSkeleton, a.layout.view)
	defer u.EndPanel()
	for i, p := range a.state.Seen() {
		if p.Beside || !a.state.Skeleton {
			continue
		}
		pane := a.pane(i)
		a.placeJoints(pane)
		if pane.seen.Contains(a.win.mouseX, a.win.mouseY) && a.mouse.drag == dragNone && !t.gizmo.Over &&
			!u.Covers(a.win.mouseX, a.win.mouseY) {
			t.inView = a.boneAt(a.win.mouseX, a.win.mouseY)
		}
		u.Clip(pane.seen)
		a.drawBones()
		a.drawNames(pane)
		u.Unclip()
	}
	a.skinLegend()
}

// placeJoints finds where the joints are in a pane.
func (a *app) placeJoints(p paneRect) {
	t, s := &a.tools, a.shown.bones
	proj := a.projector(p)
	for i := range s.bones {
		t.x[i], t.y[i], t.seen[i] = proj.ahead(s.place(a.shown.frame, i))
	}
	if i := a.bone(); i >= 0 && t.seen[i] && t.first == [2]int{} {
		t.first = [2]int{int(t.x[i]), int(t.y[i])}
	}
}

// boneAt returns the bone at a point of the pane whose joints have been placed: the nearest joint within reach, else
// the nearest bone between two joints, which turns with the upper one; −1 for none.
func (a *app) boneAt(x, y float32) int {
	t, s := &a.tools, a.shown.bones
	best, reach := -1, a.ui.Px(jointReach)
	nearest := reach * reach
	for i := range s.bones {
		if dx, dy := t.x[i]-x, t.y[i]-y; t.seen[i] && dx*dx+dy*dy < nearest {
			best, nearest = i, dx*dx+dy*dy
		}
	}
	if best >= 0 {
		return best
	}
	reach = a.ui.Px(boneReach)
	nearest = reach * reach
	for i := range s.bones {
		p := s.bones[i].parent
		if p < 0 || !t.seen[i] || !t.seen[p] {
			continue
		}
		if d := toSegment(x-t.x[p], y-t.y[p], t.x[i]-t.x[p], t.y[i]-t.y[p]); d < nearest {
			best, nearest = p, d
		}
	}
	return best
}

// toSegment returns the square of the distance of (x, y) from the segment from the origin to (dx, dy).
func toSegment(x, y, dx, dy float32) float32 {
	length := dx*dx + dy*dy
	if length > 0 {
		at := min(max((x*dx+y*dy)/length, 0), 1)
		x, y = x-at*dx, y-at*dy
	}
	return x*x + y*y
}

// drawBones draws the bones and their joints: the picked one in the accent, the one under the mouse lighter.
func (a *app) drawBones() {
	u, t, s := a.ui, &a.tools, a.shown.bones
	picked, under := a.bone(), t.under()
	ink := func(i int) ui.Color {
		switch i {
		case picked:
			return ui.ColorAccent
		case under:
			return ui.ColorWhite
		}
		if s.bones[i].idle {
			return ui.ColorText.Alpha(0.25)
		}
		return ui.ColorText.Alpha(0.8)
	}
	for i := range s.bones {
		if p := s.bones[i].parent; p >= 0 && t.seen[i] && t.seen[p] {
			k := p
			if s.bones[i].idle && p != picked && p != under {
				k = i // a handle hangs on it by a faint line
			}
			u.Bone(t.x[p], t.y[p], t.x[i], t.y[i], u.Px(boneWidth), ink(k))
		}
	}
	for i := range s.bones {
		if t.seen[i] && i != picked && i != under {
			u.Joint(t.x[i], t.y[i], a.dot(i), ink(i))
		}
	}
	for _, i := range [...]int{under, picked} {
		if i >= 0 && t.seen[i] {
			u.Joint(t.x[i], t.y[i], u.Px(jointDot+1.5), ink(i))
		}
	}
}

// dot returns the radius of a joint's dot: smaller where joints crowd, as in a hand.
func (a *app) dot(i int) float32 {
	t, u := &a.tools, a.ui
	p := a.shown.bones.bones[i].parent
	if p < 0 || !t.seen[p] {
		return u.Px(jointDot)
	}
	dx, dy := t.x[i]-t.x[p], t.y[i]-t.y[p]
	far, least := u.Px(jointDot), u.Px(leastDot)
	return min(max(sqrt(dx*dx+dy*dy)*0.15, least), far)
}

// drawNames names the joint under the mouse and the picked one, and on request as many others as have room.
func (a *app) drawNames(p paneRect) {
	t, s := &a.tools, a.shown.bones
	t.tags = t.tags[:0]
	picked, under := a.bone(), t.under()
	if under >= 0 {
		a.tag(p, under, ui.ColorText, true)
	}
	if picked >= 0 && picked != under && t.radius == 0 { // the gizmo covers the place, and the page says the name
		a.tag(p, picked, ui.ColorAccent, false)
	}
	if !a.state.Names {
		return
	}
	for i := range s.bones {
		if i != picked && i != under {
			a.tag(p, i, ui.ColorDim, false)
		}
	}
}

// tag writes a joint's name beside it, where it covers no other name or by force.
func (a *app) tag(p paneRect, i int, ink ui.Color, force bool) {
	u, t := a.ui, &a.tools
	if !t.seen[i] || !p.seen.Contains(t.x[i], t.y[i]) {
		return
	}
	name := a.shown.bones.bones[i].name
	gap := u.Px(8)
	r := u.TagRect(t.x[i]+gap, t.y[i], name)
	if r.Right() > p.seen.Right()-gap/2 {
		r = u.TagRect(t.x[i]-gap-r.W, t.y[i], name)
	}
	for _, other := range t.tags {
		if !force && r.X < other.Right() && other.X < r.Right() && r.Y < other.Bottom() && other.Y < r.Bottom() {
			return
		}
	}
	t.tags = append(t.tags, u.Tag(r.X, r.Y+r.H/2, ink, name))
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
