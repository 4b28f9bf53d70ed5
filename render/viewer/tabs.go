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
	for i := range a.lists.tabs {
		if t := &a.lists.tabs[i]; t.id == a.state.Tab && (t.there == nil || t.there(a)) {
			return t
		}
	}
	return &a.lists.tabs[0]
}

// tabRow draws the headings.
func (a *app) tabRow(r ui.Rect) {
	a.lists.tabNames, a.lists.tabIDs = a.lists.tabNames[:0], a.lists.tabIDs[:0]
	chosen := 0
	for i := range a.lists.tabs {
		if t := &a.lists.tabs[i]; t.there == nil || t.there(a) {
			if t == a.page() {
				chosen = len(a.lists.tabIDs)
			}
			a.lists.tabNames, a.lists.tabIDs = append(a.lists.tabNames, t.name), append(a.lists.tabIDs, t.id)
		}
	}
	a.layout.tabs = r
	a.state.Tab = a.lists.tabIDs[a.ui.Segments(itemTab, r, a.lists.tabNames, chosen)]
}

// tabPlace returns where the heading of a page is, for tests and tools; zero where it is not on the screen.
func (a *app) tabPlace(id state.Tab) ui.Rect {
	for k := range a.lists.tabIDs {
		if a.lists.tabIDs[k] == id && a.layout.tabs.W > 0 {
			w := a.layout.tabs.W / float32(len(a.lists.tabIDs))
			return ui.Rect{X: a.layout.tabs.X + w*float32(k), Y: a.layout.tabs.Y, W: w, H: a.layout.tabs.H}
		}
	}
	return ui.Rect{}
}

// rightEdge lets the mouse move the edge of the panel at the right.
func (a *app) rightEdge() {
	u, px := a.ui, a.ui.Px
	r := ui.Rect{X: a.layout.view.Right() - px(4), Y: a.layout.view.Y, W: px(8), H: a.layout.view.H}
	u.BeginPanel(panelEdge, r, false)
	x, held := u.Grip(1, r, 0)
	u.EndPanel()
	if held {
		a.layout.right = min(max((a.win.width-x)/a.layout.scale, leastRight), mostRight)
	}
}

// leftEdge lets the mouse move the edge of the panel at the left.
func (a *app) leftEdge() {
	u, px := a.ui, a.ui.Px
	r := ui.Rect{X: a.layout.view.X - px(4), Y: a.layout.view.Y, W: px(8), H: a.layout.view.H}
	u.BeginPanel(panelLeftEdge, r, false)
	x, held := u.Grip(1, r, 0)
	u.EndPanel()
	if held {
		a.layout.left = min(max(x/a.layout.scale, leastLeft), mostLeft)
	}
}
