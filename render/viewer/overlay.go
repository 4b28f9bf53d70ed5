package viewer

import (
	"path/filepath"
	"time"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// captions names the method, big, over the picture; both methods where it is split.
func (a *app) captions() {
	u, px := a.ui, a.ui.Px
	if a.view.W < px(120) || a.view.H < px(120) {
		return
	}
	u.BeginLayer(panelCaption, a.view)
	defer u.EndPanel()
	// A shade keeps the words legible where a head or a raised hand is behind them.
	u.FillDown(ui.Rect{X: a.view.X, Y: a.view.Y, W: a.view.W, H: px(captionHeight)}, ui.ColorInset.Alpha(0.6), ui.ColorInset.Alpha(0))
	if !a.state.Split {
		a.caption(a.view, a.state.Method)
		return
	}
	left := a.view
	left.W = left.W / 2
	a.caption(left, a.state.Method)
	a.caption(ui.Rect{X: left.Right(), Y: left.Y, W: left.W, H: left.H}, a.state.Against)
	u.Fill(ui.Rect{X: left.Right() - px(1), Y: left.Y, W: px(2), H: left.H}, ui.ColorEdge, 0)
}

func (a *app) caption(view ui.Rect, m skinning.Method) {
	u, px := a.ui, a.ui.Px
	c := a.card(m)
	in := view.Inset(px(20), px(14))
	u.Text(in.CutTop(px(40)), ui.Display, ui.ColorText, ui.Left, c.short)
	u.Text(in.CutTop(px(20)), ui.Title, ui.ColorText, ui.Left, c.title)
	in.CutTop(px(4))
	cost := in.CutTop(px(18))
	u.CostMeter(cost.CutLeft(px(ui.CostMeterWidth+6)), c.cost)
	u.Text(cost, ui.Body, ui.ColorDim, ui.Left, c.class)
	in.CutTop(px(4))
	if in.W = min(in.W, px(captionWidth-20)); view.H < px(420) || view.W < px(360) {
		return // a small picture has no room for a sentence
	}
	u.TextWrapped(in, ui.Small, ui.ColorDim, c.note)
}

// messages shows what is being loaded, what could not be, and notices, as cards at the bottom of the picture.
func (a *app) messages(now time.Time) {
	u, px := a.ui, a.ui.Px
	if a.notice != "" && !now.Before(a.noticeUntil) {
		a.notice = ""
	}
	w := min(px(520), a.view.W-px(32))
	y := a.view.Bottom() - px(16)
	card := func(title, text string) ui.Rect {
		h := u.MessageHeight(w, title, text)
		y -= h
		return ui.Rect{X: a.view.X + float32(int((a.view.W-w)/2)), Y: y, W: w, H: h}
	}
	switch {
	case a.loadingPath != "":
		seconds := now.Sub(a.loadingSince).Seconds()
		title := filepath.Base(a.loadingPath)
		text := a.line.Start().S("Loading, ").F(seconds, 1).S(" s").View()
		r := card(title, text)
		u.BeginPanel(panelMessage, r, false)
		u.Message(0, r, ui.Neutral, title, text)
		u.Spinner(r.Right()-px(28), r.Y+r.H/2, px(10), seconds)
		u.EndPanel()
	case a.failure != "":
		r := card(a.failedTitle, a.failure)
		u.BeginPanel(panelMessage, r, false)
		if u.Message(1, r, ui.Failure, a.failedTitle, a.failure) {
			a.failure = ""
		}
		u.EndPanel()
	case a.notice != "":
		r := card(a.noticeTitle, a.notice)
		u.BeginPanel(panelMessage, r, false)
		u.Message(0, r, ui.Neutral, a.noticeTitle, a.notice)
		u.EndPanel()
	}
}
