package viewer

import (
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
)

// pageRow is a row of the table of pages.
type pageRow struct {
	pages.Info
	make  func(a *app) pages.Page
	there func(a *app) bool // nil: always
}

// pageTable lists the pages of the panel at the right in the order of their headings. It is the one place that knows
// all of them.
func pageTable() []pageRow {
	return []pageRow{
		{modelpage.Info(), func(a *app) pages.Page { return modelpage.New(&a.desk, a) }, nil},
		{pages.Info{Tab: state.TabPose, Title: "Pose"}, drawnBy((*app).posePage), nil},
		{errorpage.Info(), func(a *app) pages.Page { return errorpage.New(&a.desk, a) }, nil},
		{sweep.Info(), func(a *app) pages.Page { return sweep.New(&a.desk, a) }, nil},
		{timing.Info(), func(a *app) pages.Page { return timing.New(&a.desk, a) }, nil},
		{pages.Info{Tab: state.TabFit, Title: "Fit"}, drawnBy((*app).fitPanel), (*app).fits},
	}
}

// Pages returns the names of all pages, as [Options] take them.
func Pages() (names []string) {
	for _, row := range pageTable() {
		names = append(names, string(row.Tab))
	}
	return names
}

// drawnPage is a page whose state is the window's own.
type drawnPage struct {
	pages.Still
	draw func(in ui.Rect)
}

func (p drawnPage) Draw(in ui.Rect) { p.draw(in) }

func drawnBy(draw func(a *app, in ui.Rect)) func(a *app) pages.Page {
	return func(a *app) pages.Page { return drawnPage{draw: func(in ui.Rect) { draw(a, in) }} }
}

// tab is a page with its row in the table.
type tab struct {
	pageRow
	pages.Page
}

// makePages makes all pages.
func (a *app) makePages() {
	for _, row := range pageTable() {
		a.lists.tabs = append(a.lists.tabs, tab{row, row.make(a)})
	}
}

// pageOf returns the page of a type, of which there is one.
func pageOf[P pages.Page](a *app) P {
	for i := range a.lists.tabs {
		if p, ok := a.lists.tabs[i].Page.(P); ok {
			return p
		}
	}
	panic("viewer: a page is asked for that the table has not")
}

// pageCommands are the keys of the pages, in their order.
func pageCommands() (commands []command) {
	for _, row := range pageTable() {
		if row.Key != 0 {
			commands = append(commands, command{caps: string(row.Key), does: row.Does, keys: []glfw.Key{glfw.Key(row.Key)},
				run: func(a *app, _ int) { a.state.ToggleTab(row.Tab) }})
		}
	}
	return commands
}

// itemTab is the first of the headings.
const itemTab = 300

// fits reports whether there is a fit panel.
func (a *app) fits() bool { return a.opt.Fit != nil || a.fitted != nil }

// offered reports whether there is the page now.
func (t *tab) offered(a *app) bool { return t.there == nil || t.there(a) }

// page returns the page that is shown: the first where the chosen one is not there.
func (a *app) page() *tab {
	for i := range a.lists.tabs {
		if t := &a.lists.tabs[i]; t.Tab == a.state.Tab && t.offered(a) {
			return t
		}
	}
	return &a.lists.tabs[0]
}

// seesPage reports whether a page is on the screen.
func (a *app) seesPage(id state.Tab) bool { return a.state.Panels && a.page().Tab == id }

// updatePages runs before the frame is posed.
func (a *app) updatePages(now time.Time) {
	for i := range a.lists.tabs {
		a.lists.tabs[i].Update(now, a.seesPage(a.lists.tabs[i].Tab))
	}
}

// tabRow draws the headings.
func (a *app) tabRow(r ui.Rect) {
	a.lists.tabNames, a.lists.tabIDs = a.lists.tabNames[:0], a.lists.tabIDs[:0]
	chosen := 0
	for i := range a.lists.tabs {
		if t := &a.lists.tabs[i]; t.offered(a) {
			if t == a.page() {
				chosen = len(a.lists.tabIDs)
			}
			a.lists.tabNames, a.lists.tabIDs = append(a.lists.tabNames, t.Title), append(a.lists.tabIDs, t.Tab)
		}
	}
	a.state.Tab = a.lists.tabIDs[a.ui.Segments(itemTab, r, a.lists.tabNames, chosen)]
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
