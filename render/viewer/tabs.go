package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// tab is a page of the panel at the right.
type tab struct {
	id    state.Tab
	name  string
	there func(a *app) bool // nil: always
	draw  func(a *app, in ui.Rect)
}

// tabs lists the pages in the order of their headings.
func tabs() []tab {
	return []tab{
		{state.TabModel, "Model", nil, (*app).modelPage},
		{state.TabPose, "Pose", nil, (*app).posePage},
		{state.TabErrors, "Error", nil, (*app).errorsPage},
		{state.TabSweep, "Sweep", nil, (*app).sweepPage},
		{state.TabTiming, "Time", nil, (*app).timingPage},
		{state.TabFit, "Fit", (*app).fits, (*app).fitPanel},
	}
}

// tabCount is how many pages there can be.
const tabCount = state.TabFit + 1

// itemTab is the first of the headings.
const itemTab = 300

// fits reports whether there is a fit panel.
func (a *app) fits() bool { return a.opt.Fit != nil || a.fitted != nil }

// page returns the page that is shown: the first where the chosen one is not there.
func (a *app) page() *tab {
	for i := range a.tabs {
		if t := &a.tabs[i]; t.id == a.state.Tab && (t.there == nil || t.there(a)) {
			return t
		}
	}
	return &a.tabs[0]
}

// tabRow draws the headings.
func (a *app) tabRow(r ui.Rect) {
	a.tabNames, a.tabIDs = a.tabNames[:0], a.tabIDs[:0]
	chosen := 0
	for i := range a.tabs {
		if t := &a.tabs[i]; t.there == nil || t.there(a) {
			if t == a.page() {
				chosen = len(a.tabIDs)
			}
			a.tabNames, a.tabIDs = append(a.tabNames, t.name), append(a.tabIDs, t.id)
		}
	}
	a.tabsAt = r
	a.state.Tab = a.tabIDs[a.ui.Segments(itemTab, r, a.tabNames, chosen)]
}

// tabPlace returns where the heading of a page is, for tests and tools; zero where it is not on the screen.
func (a *app) tabPlace(id state.Tab) ui.Rect {
	for k := range a.tabIDs {
		if a.tabIDs[k] == id && a.tabsAt.W > 0 {
			w := a.tabsAt.W / float32(len(a.tabIDs))
			return ui.Rect{X: a.tabsAt.X + w*float32(k), Y: a.tabsAt.Y, W: w, H: a.tabsAt.H}
		}
	}
	return ui.Rect{}
}

// rightEdge lets the mouse move the edge of the panel at the right.
func (a *app) rightEdge() {
	u, px := a.ui, a.ui.Px
	r := ui.Rect{X: a.view.Right() - px(4), Y: a.view.Y, W: px(8), H: a.view.H}
	u.BeginPanel(panelEdge, r, false)
	x, held := u.Grip(1, r, 0)
	u.EndPanel()
	if held {
		a.right = min(max((a.win.width-x)/a.scale, leastRight), mostRight)
	}
}

// leftEdge lets the mouse move the edge of the panel at the left.
func (a *app) leftEdge() {
	u, px := a.ui, a.ui.Px
	r := ui.Rect{X: a.view.X - px(4), Y: a.view.Y, W: px(8), H: a.view.H}
	u.BeginPanel(panelLeftEdge, r, false)
	x, held := u.Grip(1, r, 0)
	u.EndPanel()
	if held {
		a.left = min(max(x/a.scale, leastLeft), mostLeft)
	}
}
