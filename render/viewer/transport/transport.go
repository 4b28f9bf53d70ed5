// Package transport draws the bar at the bottom of the window: the buttons of a player, the clock, the speed and the
// timeline.
package transport

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
)

// Bar is the bar. Timeline is where its timeline was drawn, logical pixels.
type Bar struct {
	Desk     *desk.Desk
	Timeline ui.Rect
}

// Draw draws the bar. Keys are the times of the clip's keys, notes what parts of it show, and faults what is wrong there.
// Posed says that a pose made by hand stands in place of the clip's.
func (b *Bar) Draw(r ui.Rect, keys []float64, notes, faults []ui.Span, posed bool) {
	u, px, s := b.Desk.UI, b.Desk.UI.Px, b.Desk.State
	u.BeginPanel(desk.PanelBottom, r, false)
	defer u.EndPanel()
	u.Fill(r, ui.ColorPanel, 0)
	u.Fill(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: 1}, ui.ColorEdge, 0)
	buttons := ui.Rect{X: r.X, Y: r.Y + px(1), W: r.W, H: px(44)}
	b.Timeline = ui.Rect{X: r.X, Y: buttons.Bottom(), W: r.W, H: r.Bottom() - buttons.Bottom()}
	b.player(buttons.Inset(px(desk.Inset), px(7)), posed)

	from, to := s.Played()
	t := ui.Timeline{Length: s.Seconds, Time: s.Time, From: from, To: to, Rate: s.Rate(), Keys: keys,
		Notes: notes, Faults: faults,
		Tip:     "Drag to move through the clip, in seconds; a right drag chooses the part that plays. Diamonds are its keys.\t, .",
		FromTip: "Drag to choose where the played part begins.\t[", ToTip: "Drag to choose where the played part ends.\t]"}
	drag(s, u.Timeline(1, b.Timeline, &t))
}

// drag does what the mouse asks of the timeline.
func drag(s *state.State, d ui.Drag) {
	switch {
	case d.Clear:
		s.ClearRange()
	case d.Ranging:
		s.SetRange(d.From, d.To)
	}
	if d.Held {
		s.Hold(d.Time)
	} else {
		s.Release()
	}
}

// ItemSpeed is the number of the transport's slider. Those of its buttons stand before it.
const ItemSpeed = 15

// player draws the buttons of a player, the clock and the speed. A narrow window leaves out controls from the right
// on: keys do the same.
func (b *Bar) player(r ui.Rect, posed bool) {
	u, px, s := b.Desk.UI, b.Desk.UI.Px, b.Desk.State
	line := &b.Desk.Line
	button := func() ui.Rect {
		at := r.CutLeft(px(34))
		r.CutLeft(px(4))
		return at
	}
	if u.IconButton(10, button(), ui.IconToStart, false, "Goes to the start of what is played.\tShift Home") {
		s.ToStart()
	}
	if u.IconButton(11, button(), ui.IconStepBack, false, "Goes one frame back.\t,") {
		s.Step(-1)
	}
	icon := ui.IconPlay
	if s.Playing {
		icon = ui.IconPause
	}
	if u.IconButton(12, button(), icon, s.Playing, "Plays the clip or pauses it.\tSpace") {
		s.TogglePlay()
	}
	if u.IconButton(13, button(), ui.IconStepForward, false, "Goes one frame forward.\t.") {
		s.Step(1)
	}
	if u.IconButton(14, button(), ui.IconLoop, s.Loop, "Plays again from the start when the end is reached.\tL") {
		s.Loop = !s.Loop
	}
	r.CutLeft(px(12))
	// Every number has a field of fixed width and stands at its right edge, so nothing moves while it counts.
	minutes := s.Seconds >= 60
	u.Text(r.CutLeft(px(72)), ui.Title, ui.ColorText, ui.Right, line.Start().Clock(s.Time, 2, minutes).View())
	r.CutLeft(px(6))
	u.Text(r.CutLeft(px(78)), ui.Body, ui.ColorDim, ui.Left, line.Start().S("/ ").Clock(s.Seconds, 2,
		minutes).S(" s").View())
	at, last := s.Frame()
	wide := max(px(110), px(50)+u.TextWidth(ui.Body, line.Start().I(last).S(" / ").I(last).View()))
	if r.W > wide {
		frame := r.CutLeft(wide)
		u.Text(frame.CutLeft(px(44)), ui.Body, ui.ColorFaint, ui.Left, "Frame")
		u.Text(frame, ui.Body, ui.ColorDim, ui.Left, line.Start().I(at).S(" / ").I(last).View())
	}
	const byHand = "posed by hand"
	if wide := u.TextWidth(ui.Body, byHand) + px(8); posed && r.W > wide {
		u.Term(r.CutLeft(wide), ui.Body, ui.ColorWarning, ui.Left, byHand,
			"The picture shows your pose, not the clip at this time. To the clip, on page Pose, drops it.")
	}
	if r.W > px(280) {
		value := r.CutRight(px(48))
		u.Text(value, ui.Body, ui.ColorText, ui.Right, line.Start().F(s.Speed, 2).S("×").View())
		r.CutRight(px(8))
		s.SetSpeed(u.Slider(ItemSpeed, r.CutRight(px(150)), s.Speed,
			ui.Track{Least: state.SlowestSpeed, Most: state.FastestSpeed, Home: 1},
			"How fast the clip plays, in times its own speed."))
		r.CutRight(px(10))
		u.Text(r.CutRight(px(44)), ui.Body, ui.ColorFaint, ui.Right, "Speed")
	}
}
