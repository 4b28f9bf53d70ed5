package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/pages/bodypage"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
)

// pageRow is a row of the table of pages.
type pageRow struct {
	Tab   state.Tab
	Title string // its heading
	Key   byte   // capital letter of the key that shows it; 0 if it has none
	Does  string // text of the help about that key and of the palette
	Tip   string // its contents, a sentence
	make  func(a *app) pages.Page
	there func(a *app) bool // nil: always
}

// pageTable lists the pages of the panel at the right in the order of their headings. It is the one place that knows
// all of them.
func pageTable() []pageRow {
	return []pageRow{
		{Tab: state.TabModel, Title: "Model", Does: "Facts about the model",
			Tip:  "What the file holds: nodes and meshes, which can be hidden, morph targets, materials, and warnings about it.",
			make: func(a *app) pages.Page { return kept(&a.facts, modelpage.New(a.room(), a)) }},
		{Tab: state.TabPose, Title: "Pose", Key: 'O', Does: "Pose joints", Tip: "Turns and moves joints, and keeps poses in files.",
			make: func(a *app) pages.Page {
				return kept(&a.pose, posepage.New(a.room(), a, posepage.Files{Save: a.opt.SavePose, Load: a.opt.LoadPose}))
			}},
		{Tab: state.TabErrors, Title: "Error", Key: 'V', Does: "Errors of all methods",
			Tip:  "How far each method is from the reference, in distance and volume.",
			make: func(a *app) pages.Page { return errorpage.New(a.room()) }},
		{Tab: "sweep", Title: "Sweep", Key: 'U', Does: "Sweep a joint",
			Tip:  "Turns one joint through all angles: error and volume of every method.",
			make: func(a *app) pages.Page { return kept(&a.sweep, sweep.New(a.room(), a)) }},
		{Tab: state.TabTiming, Title: "Time", Key: 'T', Does: "Times of every pass and method",
			Tip:  "What every pass and method costs in time.",
			make: func(a *app) pages.Page { return kept(&a.times, timing.New(a.room(), a)) }},
		{Tab: state.TabFit, Title: "Fit", Key: 'B', Does: "Fit added bones",
			Tip:   "Adds bones that make linear blending look like a better method, or like shapes.",
			make:  func(a *app) pages.Page { return kept(&a.fit, fitpage.New(a.room(), a, a.opt.Fit, a.opt.Export)) },
			there: func(a *app) bool { return a.opt.Fit != nil || a.models.Fitted() != nil }},
		{Tab: state.TabHelpers, Title: "Helper", Key: 'I', Does: "Helper bones and their coefficients",
			Tip: "The helper bones of a fit and the numbers that move them.",
			make: func(a *app) pages.Page {
				return kept(&a.helpers, helperpage.New(a.room(), a, a.fit, a.opt.HelperExamples, a.opt.HelperLevel))
			},
			there: func(a *app) bool { return a.helpers.Offered() }},
		{Tab: state.TabBody, Title: "Body", Does: "A body model and its scans",
			Tip:   "The scans of a body model, the model, and how far they are apart.",
			make:  func(a *app) pages.Page { return kept(&a.body, bodypage.New(a.room(), a.fit)) },
			there: func(a *app) bool { return a.body.Offered() }},
	}
}

func (a *app) room() pages.Room {
	return pages.Room{Desk: &a.desk, Models: a.models, Distances: a.distances, Crowd: a.crowd, GPU: a.gpu, Saver: a.saver}
}

// kept keeps a page that the window speaks to by its own type.
func kept[P pages.Page](to *P, p P) P {
	*to = p
	return p
}

// Pages returns the names of all pages, as [Options] take them.
func Pages() (names []string) {
	for _, row := range pageTable() {
		names = append(names, string(row.Tab))
	}
	return names
}

type tab struct {
	pageRow
	pages.Page
	heading ui.Segment
}

func (a *app) makePages() {
	for _, row := range pageTable() {
		tip := row.Tip
		if row.Key != 0 {
			tip += "\t" + string(row.Key)
		}
		a.tabs = append(a.tabs, tab{row, row.make(a), ui.Segment{Label: row.Title, Tip: tip}})
	}
}

func (a *app) undoRows() (rows []pages.Undo) {
	for i := range a.tabs {
		if p, ok := a.tabs[i].Page.(pages.Undoable); ok {
			rows = append(rows, p.Undo())
		}
	}
	return rows
}

// itemTab is the first of the headings.
const itemTab = 300

func (t *tab) offered(a *app) bool { return t.there == nil || t.there(a) }

// page returns the page that is shown: where the chosen one is not there, the one before it in the table.
func (a *app) page() *tab {
	before := &a.tabs[0]
	for i := range a.tabs {
		t := &a.tabs[i]
		if t.offered(a) {
			before = t
		}
		if t.Tab == a.state.Tab {
			return before
		}
	}
	return &a.tabs[0]
}

func (a *app) seesPage(id state.Tab) bool { return a.state.Panels && a.page().Tab == id }

func (a *app) tabRow(r ui.Rect) {
	a.lists.tabNames, a.lists.tabIDs = a.lists.tabNames[:0], a.lists.tabIDs[:0]
	chosen := 0
	for i := range a.tabs {
		if t := &a.tabs[i]; t.offered(a) {
			if t == a.page() {
				chosen = len(a.lists.tabIDs)
			}
			a.lists.tabNames, a.lists.tabIDs = append(a.lists.tabNames, t.heading), append(a.lists.tabIDs, t.Tab)
		}
	}
	// Without a click the page that was asked for stays so while it is not there yet.
	if k := a.ui.Segments(itemTab, r, a.lists.tabNames, chosen); k != chosen {
		a.state.Tab = a.lists.tabIDs[k]
		a.layout.tab = a.state.Tab // the panel stays, of the model too
	}
}

// edge lets the mouse move an edge of a panel at the side, at x; it returns where the mouse is, and whether it holds
// the edge.
func (a *app) edge(panel ui.Panel, x float32) (at float32, held bool) {
	v, px := &a.view.Rect, a.ui.Px
	r := ui.Rect{X: x - px(4), Y: v.Y, W: px(8), H: v.H}
	a.ui.BeginPanel(panel, r, false)
	defer a.ui.EndPanel()
	return a.ui.Grip(1, r, 0, "Drag to change the width of the panel.")
}
