package viewer

// clickSlack is how far the mouse may move between press and release for that to be a click and not a drag, design
// pixels.
const clickSlack = 4

// press is where a button went down over the picture.
type press struct {
	x, y  float32
	moved bool // too far for a click
}

// movedPress notes how far the mouse has gone from where it was pressed.
func (a *app) movedPress() {
	dx, dy := a.win.mouseX-a.mouse.pressed.x, a.win.mouseY-a.mouse.pressed.y
	if slack := a.ui.Px(clickSlack); dx*dx+dy*dy > slack*slack {
		a.mouse.pressed.moved = true
	}
}

// click is a press of the left button on the picture and its release at the same place: it picks what is there.
func (a *app) click(x, y float32) {
	if a.crowded() {
		return
	}
	if i := a.jointUnder(x, y); i >= 0 {
		a.pickBone(i)
		return
	}
	a.pickSkin(x, y)
}

// jointUnder returns the bone that is seen at a point of the window, −1 for none.
func (a *app) jointUnder(x, y float32) int {
	pane := a.paneAt(x, y)
	if pane < 0 || !a.state.Skeleton || a.state.Seen()[pane].Beside || len(a.shown.bones.bones) == 0 {
		return -1
	}
	a.placeJoints(a.pane(pane))
	return a.boneAt(x, y)
}
