package viewer

import (
	"math"
	"strings"

	"skinlab/render/ui"
	"skinlab/skinning/geom"
)

// The buttons of the page, from itemPoseButton on.
const (
	buttonResetJoint = iota
	buttonResetAll
	buttonMirror
	buttonUndo
	buttonRedo
	buttonClip
	buttonSave
	buttonLoad
)

// Item numbers on the page; rows of the tree count up by two from the last.
const (
	itemSearch = 1 + iota*10
	itemNumber
	itemAxes
	itemMove
	itemHold
	itemPath
	itemPoseButton
	itemTreeScroll
	itemPoseScroll
	itemTree = 1000
)

const (
	leastTree = 5 // rows
	numberRow = 26
)

var (
	axesLabels = []string{"Own axes", "World axes"}
	moveLabels = []string{"Turn", "Move"}
)

// posePage shows the joints as a tree, and what can be done to the picked one.
func (a *app) posePage(in ui.Rect) {
	u, px, t := a.ui, a.ui.Px, &a.tools
	t.inTree = -1
	if len(a.shown.bones.bones) == 0 {
		a.desk.Section(&in, "JOINTS")
		u.TextWrapped(in, ui.Body, ui.ColorFaint, "This model has no joints to pose.")
		return
	}
	below := a.poseHeight()
	rows := max(float32(int((in.H-below)/px(rowHeight))), leastTree)
	scrolls := rows*px(rowHeight)+below > in.H
	content, whole := in, in
	if scrolls {
		content = u.BeginScroll(itemPoseScroll, in)
		content.W -= px(12) // the scroll bar's
	}
	in = ui.Rect{X: content.X, Y: content.Y + px(10), W: content.W, H: whole.H}
	u.SearchField(itemSearch, in.CutTop(px(rowHeight)), t.search, "Search joints")
	in.CutTop(px(6))
	a.jointTree(in.CutTop(rows * px(rowHeight)))
	a.jointNumbers(&in)
	a.poseActions(&in)
	a.poseFile(&in)
	if scrolls {
		u.EndScroll(content, in.Y+px(inset))
	}
}

// poseHeight returns the height of the page but for the tree.
func (a *app) poseHeight() float32 {
	px := a.ui.Px
	rows := float32(8) // numbers, axes, three of buttons, hold, two of the file
	if i := a.bone(); i >= 0 && a.shown.bones.bones[i].parent < 0 {
		rows += 2
	}
	if a.opt.SavePose == nil && a.opt.LoadPose == nil {
		rows -= 2
	}
	return px(10+6) + px(rowHeight) + 2*px(34) + rows*(px(numberRow)+px(5)) + px(inset)
}

// jointTree lists the joints, those that hang on others below them, or those whose names hold what is searched for.
func (a *app) jointTree(r ui.Rect) {
	u, px, t, s := a.ui, a.ui.Px, &a.tools, a.shown.bones
	a.listBones()
	u.Fill(r, ui.ColorInset, px(4))
	if len(t.rows) == 0 {
		u.Text(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(rowHeight)}.Inset(px(9), 0), ui.Body, ui.ColorFaint, ui.Left,
			"No joint of that name")
		return
	}
	content := u.BeginScroll(itemTreeScroll, r)
	height := px(rowHeight)
	if t.scroll {
		t.scroll = false
		for k, i := range t.rows {
			if int(i) == a.bone() {
				u.ScrollTo(height*float32(k), height*float32(k+1), r.H)
			}
		}
	}
	overflow := float32(len(t.rows))*height > r.H
	w := r.W
	if overflow {
		w -= px(11)
	}
	// Only rows in sight cost anything: a rig may have a thousand joints.
	first := max(int((r.Y-content.Y)/height), 0)
	last := min(int((r.Bottom()-content.Y)/height)+1, len(t.rows))
	for k := first; k < last; k++ {
		i := int(t.rows[k])
		b := &s.bones[i]
		row := ui.TreeRow{Label: b.name, Depth: b.depth, Chosen: i == a.bone(), Lit: i == t.inView,
			Mark: a.posing.set[b.node]}
		if t.query != "" {
			if row.Depth = 0; b.parent >= 0 {
				row.Note = s.bones[b.parent].name
			}
		} else if !s.leaf(i) {
			row.Fold = ui.Open
			if t.folded[i] {
				row.Fold = ui.Closed
			}
		}
		at := ui.Rect{X: r.X, Y: content.Y + height*float32(k), W: w, H: height}
		act := u.TreeRow(itemTree+2*i, at, &row)
		switch {
		case act.Folded:
			t.folded[i], t.listed = !t.folded[i], false
		case act.Picked && i == a.bone():
			a.pickBone(-1)
		case act.Picked:
			a.pickBone(i)
			t.scroll = false // it is in sight
		}
		if act.Over && r.Contains(a.win.mouseX, a.win.mouseY) {
			t.inTree = i
		}
	}
	u.EndScroll(content, content.Y+height*float32(len(t.rows)))
}

// listBones brings the rows of the tree up to date.
func (a *app) listBones() {
	t, s := &a.tools, a.shown.bones
	if text := t.search.View(); text != t.query {
		t.query, t.listed = strings.Clone(text), false
	}
	if t.listed {
		return
	}
	t.listed = true
	t.rows = t.rows[:0]
	key := strings.ToLower(strings.TrimSpace(t.query))
	for i := 0; i < len(s.bones); i++ {
		if key == "" || strings.Contains(s.bones[i].key, key) {
			t.rows = append(t.rows, int32(i))
		}
		if key == "" && t.folded[i] {
			i = s.bones[i].end - 1
		}
	}
}

// unfold opens what a bone hangs on.
func (a *app) unfold(i int) {
	t, s := &a.tools, a.shown.bones
	for p := s.bones[i].parent; p >= 0; p = s.bones[p].parent {
		if t.folded[p] {
			t.folded[p], t.listed = false, false
		}
	}
}

// jointNumbers shows the picked joint's rotation against the rest pose as numbers, and the place of a root.
func (a *app) jointNumbers(in *ui.Rect) {
	u, px, t := a.ui, a.ui.Px, &a.tools
	i := a.bone()
	if i < 0 {
		a.desk.Section(in, "JOINT")
		u.TextWrapped(*in, ui.Small, ui.ColorDim,
			"Click a joint in the list or in the picture. The rings turn it; with Ctrl held by steps of 15°.")
		in.CutTop(2 * (px(numberRow) + px(5)))
		return
	}
	b := &a.shown.bones.bones[i]
	a.desk.Section(in, b.name)
	line := func() ui.Rect {
		r := in.CutTop(px(numberRow))
		in.CutTop(px(5))
		return r
	}
	e := a.eulerOf(i)
	row := line()
	for k := range e {
		n := u.Number(itemNumber+k, thirdOf(row, k, px(5)), e[k]*180/math.Pi, 0.5, 1, ui.AxisColors[k])
		if n.Begun {
			a.editing()
		}
		if n.Changed {
			e[k] = n.Value * math.Pi / 180
			t.euler = e
			a.turnBone(i, a.restRotation(i).Mul(fromEuler(e)).Normalize())
		}
	}
	if b.parent < 0 {
		a.placeNumbers(i, line())
		if m := u.Segments(itemMove, line(), moveLabels, index(a.state.MoveRoot)); m != index(a.state.MoveRoot) {
			a.state.MoveRoot = m == 1
		}
	}
	if w := u.Segments(itemAxes, line(), axesLabels, index(a.state.WorldAxes)); w != index(a.state.WorldAxes) {
		a.state.WorldAxes = w == 1
	}
}

// placeNumbers shows where a root is.
func (a *app) placeNumbers(i int, row ui.Rect) {
	px := a.ui.Px
	node := a.shown.bones.bones[i].node
	at := a.shown.pose.Local[node].Translation
	for k := range at {
		n := a.ui.Number(itemNumber+3+k, thirdOf(row, k, px(5)), at[k], a.shown.diagonal/500, 3, ui.AxisColors[k])
		if n.Begun {
			a.editing()
		}
		if n.Changed {
			at[k] = n.Value
			a.moveBone(i, at)
		}
	}
}

// eulerOf returns the angles of a bone against its rest. Of the many angles that are one rotation it keeps those that a
// person has set.
func (a *app) eulerOf(i int) [3]float64 {
	t := &a.tools
	q := a.restRotation(i).Conjugate().Mul(a.shown.pose.Local[a.shown.bones.bones[i].node].Rotation).Normalize()
	if t.eulerBone != i || !sameRotation(fromEuler(t.euler), q) {
		t.eulerBone, t.euler = i, eulerXYZ(q)
	}
	return t.euler
}

func (a *app) restRotation(i int) geom.Quat {
	return a.shown.model.Skeleton.Nodes[a.shown.bones.bones[i].node].Rest.Rotation.Normalize()
}

// poseActions draws the buttons.
func (a *app) poseActions(in *ui.Rect) {
	u, px, p := a.ui, a.ui.Px, a.posing
	a.desk.Section(in, "POSE")
	look := func(on bool) ui.Look {
		if on {
			return ui.Plain
		}
		return ui.Off
	}
	picked := a.bone() >= 0
	if a.poseButtonRow(in, buttonResetJoint, [3]poseButton{
		{"Reset joint", look(picked), (*app).resetBone}, {"Reset all", ui.Plain, (*app).resetPose},
		{"Mirror", ui.Plain, (*app).mirrorPose},
	}) {
		return
	}
	if a.poseButtonRow(in, buttonUndo, [3]poseButton{
		{"Undo", look(len(p.undo) > 0),
			func(a *app) { a.undoPose(true) }}, {"Redo", look(len(p.redo) > 0), func(a *app) { a.undoPose(false) }},
		{"To the clip", look(p.active()), (*app).dropPose},
	}) {
		return
	}
	if u.Switch(itemHold, in.CutTop(px(numberRow)), "Hold while the clip plays", "", a.state.HoldPose) {
		a.state.HoldPose = !a.state.HoldPose
	}
	in.CutTop(px(5))
}

type poseButton struct {
	label string
	look  ui.Look
	run   func(*app)
}

// poseButtonRow draws three buttons side by side and runs the one that is clicked.
func (a *app) poseButtonRow(in *ui.Rect, first int, row [3]poseButton) (ran bool) {
	px := a.ui.Px
	r := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	for k := range row {
		if a.ui.Button(itemPoseButton+first+k, thirdOf(r, k, px(5)), row[k].label, row[k].look, 0) {
			row[k].run(a)
			ran = true
		}
	}
	return ran
}

// thirdOf returns the third of a row that has number k, with gaps between them.
func thirdOf(r ui.Rect, k int, gap float32) ui.Rect {
	w := (r.W - 2*gap) / 3
	left := float32(int(r.X + (w+gap)*float32(k) + 0.5))
	right := float32(int(r.X + (w+gap)*float32(k) + w + 0.5))
	return ui.Rect{X: left, Y: r.Y, W: right - left, H: r.H}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}
