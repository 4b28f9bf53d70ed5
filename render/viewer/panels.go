package viewer

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Sizes in design pixels.
const (
	leastLeft      = 248 // of the panel at the left, whose edge the mouse moves
	mostLeft       = 480
	leastRight     = 288 // of the panel at the right, whose edge the mouse moves
	mostRight      = 560
	timelineHeight = 116
	leastView      = 320 // narrower, and there is one panel at the sides, not two
	choiceHeight   = 40
	lowChoice      = 26 // in a low window
)

// panels lays out and draws the interface, and carries out clicks in it.
func (a *app) panels(now time.Time) {
	px := a.ui.Px
	all := a.wholeWindow()
	a.view.Rect, a.player.Timeline = all, ui.Rect{}
	if a.state.Panels {
		bottom := ui.Rect{Y: all.H - px(timelineHeight), W: all.W, H: px(timelineHeight)}
		a.view.Rect.H -= bottom.H
		a.layout.left = min(max(a.layout.left, leastLeft), mostLeft)
		a.layout.right = min(max(a.layout.right, leastRight), mostRight)
		if a.layout.tab != a.state.Tab { // a key asks for a page, or it was kept
			a.layout.tab, a.layout.paged = a.state.Tab, a.state.Tab != state.TabModel
		}
		wide := all.W >= px(a.layout.left+leastRight+leastView)
		side := &a.layout.left
		if !wide && a.layout.paged { // the page stands at the left, as wide as it is at the right
			side = &a.layout.right
		}
		left := a.view.Rect.CutLeft(min(px(*side), max(all.W-px(leastView), px(leastLeft))))
		if wide {
			a.rightPanel(a.view.Rect.CutRight(min(px(a.layout.right), a.view.Rect.W-px(leastView))), false)
			if x, held := a.edge(desk.PanelEdge, a.view.Rect.Right()); held {
				a.layout.right = (a.win.Width - x) / a.ui.Scale()
			}
		}
		if !wide && a.layout.paged {
			a.rightPanel(left, true)
		} else {
			a.leftPanel(left, !wide)
		}
		if x, held := a.edge(desk.PanelLeftEdge, a.view.Rect.X); held {
			*side = x / a.ui.Scale()
		}
		a.player.Draw(bottom, a.models.Keys, a.models.Notes, a.distances.HalfTurns(), a.models.Edits.Active())
	} else {
		a.state.Release()
		a.showHandle()
	}
	if !a.models.Bare() {
		a.captions.Draw()
	}
	a.legend()
	a.view.DrawAxes()
	a.divider()
	if a.notes.Draw(a.view.Rect, a.loader.Underway(), now) {
		a.loader.CancelLoad()
	}
	a.menu.Draw(all)
	a.fit.DrawMenu(all)
	a.loader.Dialogs.Own.Draw(all)
	if a.state.Help {
		a.ui.BeginPanel(desk.PanelHelp, all, true)
		if a.ui.HelpCard(1, all, "Keys", a.lists.help, "Drop a model (.glb, .gltf, .obj, .ply, .bvh) on the window to load it.",
			a.helpBy) {
			a.state.Help = false
		}
		a.helpBy = 0
		a.ui.EndPanel()
	}
	a.palette.Draw(all)
	a.saver.Draw(all)
	a.loop.tip = a.ui.DrawTip(desk.PanelTip, all, a.input.Drags())
}

// showHandle draws a button at the left edge that shows the panels again.
func (a *app) showHandle() {
	px := a.ui.Px
	r := ui.Rect{X: a.view.Rect.X, Y: a.view.Rect.Y + float32(int(a.view.Rect.H/2)) - px(28), W: px(18), H: px(56)}
	a.ui.BeginPanel(desk.PanelLeftEdge, r, false)
	defer a.ui.EndPanel()
	if a.ui.IconButton(itemShow, r, ui.IconRight, false, "Shows the panels.\tTab") {
		a.state.Panels = true
	}
}

// turnButton draws the button that shows the other of two panels in a window with room for one, and takes it off in.
func (a *app) turnButton(in *ui.Rect, icon ui.Icon, tip string) {
	r := in.CutLeft(a.ui.Px(26))
	in.CutLeft(a.ui.Px(6))
	if a.ui.IconButton(itemTurn, r, icon, false, tip) {
		a.layout.paged = !a.layout.paged
	}
}

// Item numbers in the left panel, beside those of the list of clips.
const (
	itemMethod = 1 + iota*10
	itemMenu
	itemScroll
	itemShow
	itemTurn
	itemMore
)

// noMethods stands in the place of the methods where there is no skin.
const noMethods = "No mesh: this file is a skeleton and its motion, so there is nothing to skin."

// leftPanel draws the methods, the clips and the view. Alone says that it stands in the page's place too.
func (a *app) leftPanel(r ui.Rect, alone bool) {
	u, px := a.ui, a.ui.Px
	u.BeginPanel(desk.PanelLeft, r, false)
	defer u.EndPanel()
	u.Fill(r, ui.ColorPanel, 0)
	u.Fill(ui.Rect{X: r.Right() - 1, Y: r.Y, W: 1, H: r.H}, ui.ColorEdge, 0)

	// Everything but the clips has a fixed height; the clips take the rest. In a low window the methods get smaller,
	// and in a lower one the panel scrolls.
	clips := a.clips.Rows()
	const heading, leastClips = 34, 4
	choice := px(choiceHeight)
	offered := a.models.Offered()
	if a.models.Bare() {
		offered = nil
	}
	methods, more, why := float32(0), float32(0), float32(0)
	for i, m := range offered {
		if a.listsMethod(i, m) {
			methods++
		}
		if a.startsMore(i, m) {
			more = px(desk.RowHeight + 4)
		}
	}
	if a.awaitsFit() {
		methods++
	}
	if a.models.Bare() {
		why = u.TextHeight(ui.Small, noMethods, r.W-2*px(desk.Inset)) + px(8)
	}
	fixed := px(desk.Inset+24) + 3*px(heading) + methods*(choice+px(4)) + more + why + px(viewHeight) + px(desk.Inset)
	if fixed+leastClips*px(desk.RowHeight) > r.H {
		fixed -= methods * (choice - px(lowChoice))
		choice = px(lowChoice)
	}
	rows := min(float32(int((r.H-fixed)/px(desk.RowHeight))), float32(clips)) // whole rows
	clipsHeight := rows * px(desk.RowHeight)
	content := r
	scrolls := rows < min(float32(clips), leastClips)
	if scrolls {
		clipsHeight = min(float32(clips), leastClips) * px(desk.RowHeight)
		content = u.BeginScroll(itemScroll, r)
	}
	margin := px(desk.Inset)
	in := ui.Rect{X: content.X + margin, Y: content.Y + margin, W: r.W - 2*margin, H: fixed + clipsHeight}

	name := in.CutTop(px(24))
	if alone {
		a.turnButton(&name, ui.IconRight, "Shows the pages: model, pose, errors and the others.")
	}
	if u.MenuTitle(itemMenu, name, a.models.ModelName(), a.menu.Shown(),
		"Opens the menu: files, built-in models, pictures and settings.\tF10") {
		a.toggleMenu()
	}
	a.desk.Section(&in, "SKINNING")
	if a.models.Bare() {
		a.desk.Paragraph(&in, noMethods)
	}
	for i, m := range offered {
		if a.startsMore(i, m) {
			if u.Disclosure(itemMore, in.CutTop(px(desk.RowHeight)), "More methods", ui.ColorDim, a.layout.more,
				"Lists the other methods too. Their keys work without that.") {
				a.layout.more = !a.layout.more
			}
			in.CutTop(px(4))
		}
		if !a.listsMethod(i, m) {
			continue
		}
		c := a.models.Card(m)
		if u.Choice(itemMethod+i, in.CutTop(choice), &ui.Choice{
			Key: c.Key, Short: c.Short, Title: c.Title, Chosen: a.state.Method() == m, Tip: c.Tip,
			Other: a.state.Shows(m), Progress: a.fitShare(m),
		}) {
			a.models.SetMethod(m)
		}
		in.CutTop(px(4))
	}
	if a.awaitsFit() {
		a.fitPlace(in.CutTop(choice))
		in.CutTop(px(4))
	}
	a.clips.Heading(in.CutTop(px(heading)))
	a.clips.Draw(in.CutTop(clipsHeight))
	a.desk.Section(&in, "VIEW")
	a.viewSwitches(&in)
	if scrolls {
		u.EndScroll(content, in.Y+px(desk.Inset))
	}
}

// firstMethods is the number of direct methods that are always listed.
const firstMethods = 3

// startsMore reports whether the heading of further methods stands before a method of the list.
func (a *app) startsMore(i int, m skinning.Method) bool {
	return i == firstMethods && m != state.Fitted
}

// listsMethod reports whether a method of the list has a row. The first methods, examples and fits always have one. The
// others have one while a picture shows them, or under "More methods".
func (a *app) listsMethod(i int, m skinning.Method) bool {
	return i < firstMethods || m >= state.Fitted || a.layout.more || a.state.Shows(m)
}

// awaitsFit reports whether the list of methods keeps a place for a fit, so that nothing moves when there is one.
func (a *app) awaitsFit() bool {
	return a.models.Fitted() == nil && a.opt.Fit != nil && !a.models.Bare()
}

// fitShare returns the share of the fit under way that is done, 0 without one and for other methods.
func (a *app) fitShare(m skinning.Method) float64 {
	if m != state.Fitted || !a.fit.Running() {
		return 0
	}
	_, share := a.fit.Progress()
	return share
}

// fitPlace draws the place of a fit to come, with the progress of one. A click shows the page of fits.
func (a *app) fitPlace(r ui.Rect) {
	c := ui.Choice{Key: models.FitKey, Short: models.FitShort, Title: "Nothing is fitted yet", Faint: true,
		Progress: a.fitShare(state.Fitted), Tip: "The place of a fitted model. The page Fit makes one.\tB"}
	if a.fit.Running() {
		nouns, _ := a.fit.Progress()
		c.Title = a.desk.Line.Start().S("Fitting ").S(nouns).S(" …").View()
	}
	if a.ui.Choice(itemMethod+len(a.models.Offered()), r, &c) {
		a.state.Tab = state.TabFit
	}
}

// rightPanel draws the page. Alone says that it stands in the left panel's place.
func (a *app) rightPanel(r ui.Rect, alone bool) {
	u, px := a.ui, a.ui.Px
	u.BeginPanel(desk.PanelRight, r, false)
	defer u.EndPanel()
	u.Fill(r, ui.ColorPanel, 0)
	edge := r.X
	if alone {
		edge = r.Right() - 1
	}
	u.Fill(ui.Rect{X: edge, Y: r.Y, W: 1, H: r.H}, ui.ColorEdge, 0)
	in := r.Inset(px(desk.Inset), 0)
	in.CutTop(px(desk.Inset))
	tabs := in.CutTop(px(28))
	if alone {
		a.turnButton(&tabs, ui.IconLeft, "Shows the methods, the clips and the view.")
	}
	a.tabRow(tabs)
	a.page().Draw(in)
}

// divider lets the mouse move the line between two pictures.
func (a *app) divider() {
	if a.state.Layout != state.Split || a.view.Empty() {
		return
	}
	u, px := a.ui, a.ui.Px
	at := a.view.Pane(0).Seen.Right()
	r := ui.Rect{X: at - px(8), Y: a.view.Rect.Y, W: px(16), H: a.view.Rect.H}
	u.BeginPanel(desk.PanelDivider, r, false)
	x, held := u.Grip(1, r, px(2), "Drag to move the line between the two pictures.\tX")
	u.EndPanel()
	u.BeginLayer(desk.PanelKnob, ui.Rect{X: at - px(16), Y: a.view.Rect.Y, W: px(32), H: a.view.Rect.H})
	u.Knob(at, a.view.Rect.Y+float32(int(a.view.Rect.H*0.62)))
	u.EndPanel()
	if held {
		a.state.SetDivider(float64((x - a.view.Rect.X) / a.view.Rect.W))
	}
}
