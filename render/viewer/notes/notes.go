// Package notes shows messages at the bottom of the picture: cards of notices, of failures and of a load under way.
package notes

import (
	"slices"
	"strings"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
)

// Most is the number of messages kept. The oldest is dropped first.
const Most = 3

type Message struct {
	Tone        ui.Tone
	Title, Text string
	OfLoading   bool      // the next load removes it
	until       time.Time // end of a notice; others stay until they are dismissed
	Action      Action    // that it offers; without a label for none
}

// Action is what a message offers to do. Its button is below it; a click dismisses the message too.
type Action struct {
	Label, Tip string
	Run        func()
}

// Notes are the messages, the newest first.
type Notes struct {
	*desk.Desk
	Messages []Message // at most [Most]
}

// Say adds a message in front of the others. It replaces an older one with the same title.
func (n *Notes) Say(m Message) {
	n.Drop(func(old Message) bool { return old.Title == m.Title })
	n.Messages = slices.Insert(n.Messages, 0, m)
	n.Messages = n.Messages[:min(len(n.Messages), Most)]
	n.Wake()
}

func (n *Notes) Drop(which func(Message) bool) { n.Messages = slices.DeleteFunc(n.Messages, which) }

func (n *Notes) expire(now time.Time) {
	n.Drop(func(m Message) bool { return !m.until.IsZero() && !now.Before(m.until) })
}

// Ends returns the time at which the next notice ends, zero if there is none.
func (n *Notes) Ends() (first time.Time) {
	for _, m := range n.Messages {
		if !m.until.IsZero() && (first.IsZero() || m.until.Before(first)) {
			first = m.until
		}
	}
	return first
}

// Dismiss removes the newest message that stays and reports whether there was one.
func (n *Notes) Dismiss() bool {
	i := slices.IndexFunc(n.Messages, func(m Message) bool { return m.until.IsZero() })
	if i >= 0 {
		n.Messages = slices.Delete(n.Messages, i, i+1)
	}
	return i >= 0
}

// Notify shows a notice for a while.
func (n *Notes) Notify(title, text string, stay time.Duration) {
	n.Say(Message{Tone: ui.Neutral, Title: title, Text: text, until: time.Now().Add(stay)})
}

// Offer shows a notice with something that the user can do about it, until it is dismissed.
func (n *Notes) Offer(title, text string, do Action) {
	n.Say(Message{Tone: ui.Neutral, Title: title, Text: text, Action: do})
}

// Suggest is Offer for a while.
func (n *Notes) Suggest(title, text string, do Action) {
	n.Say(Message{Tone: ui.Neutral, Title: title, Text: text, Action: do, until: time.Now().Add(desk.AdviceTime)})
}

// Complain shows an error until it is dismissed.
func (n *Notes) Complain(title string, err error) {
	n.Say(Message{Tone: ui.Failure, Title: title, Text: Failure(err)})
}

// longestFailure limits a message in bytes, so that its card fits into a small window.
const longestFailure = 400

// Failure returns an error's text, shortened if it is too long.
func Failure(err error) string {
	text := err.Error()
	if len(text) > longestFailure {
		text = strings.ToValidUTF8(text[:longestFailure], "") + " …"
	}
	return text
}

type Loading struct {
	Name, Step string
	Share      float64
	Since      time.Time
}

// Numbers of the cards' items. Those of the crosses count up.
const (
	ItemCancelLoad = 1
	itemCross      = 10
	ItemAction     = 20 // of the newest message
)

// Sizes of an action's button in design pixels.
const (
	actionWidth  = 120
	actionHeight = 26
)

func (n *Notes) height(m *Message, width float32) float32 {
	h := n.UI.MessageHeight(width, m.Text)
	if m.Action.Label != "" {
		h += n.UI.Px(actionHeight + 4)
	}
	return h
}

// Sizes of the cards in design pixels.
const (
	cardWidth   = 520
	narrowWidth = 256 // of those that stand where they leave the feet of models free
	wideView    = 640
)

// place returns where the cards stand, without a height, and their lower end. In a wide view that is beside one model,
// above the axes, or between the models of pictures side by side.
func (n *Notes) place(view ui.Rect) (r ui.Rect, bottom float32) {
	px := n.UI.Px
	w, bottom := min(px(cardWidth), view.W-px(32)), view.Bottom()-px(16)
	if view.W >= px(wideView) {
		w = px(narrowWidth)
		if l := n.State.Layout; l == state.One || l == state.Split {
			return ui.Rect{X: view.Right() - px(12) - w, W: w}, bottom - px(ui.AxesSize+8)
		}
	}
	return ui.Rect{X: view.X + float32(int((view.W-w)/2)), W: w}, bottom
}

// Draw draws a card for the load under way, if load is not nil, at the lower end of the cards. The messages stand above
// it, the newest at the top. Older messages wait until there is room. Draw reports whether the user cancels the load.
func (n *Notes) Draw(view ui.Rect, load *Loading, now time.Time) (cancel bool) {
	u, px := n.UI, n.UI.Px
	n.expire(now)
	r, bottom := n.place(view)
	w := r.W
	var heights [Most]float32
	gap, shown := px(8), 0
	if load != nil {
		r.H = u.ProgressHeight()
	}
	for ; shown < len(n.Messages); shown++ {
		m := &n.Messages[shown]
		heights[shown] = n.height(m, w)
		if shown > 0 && r.H+gap+heights[shown] > view.H*0.7 {
			break
		}
		if r.H > 0 {
			r.H += gap
		}
		r.H += heights[shown]
	}
	if r.H == 0 {
		return false
	}
	r.Y = bottom - r.H
	u.BeginPanel(desk.PanelMessage, r, false)
	defer u.EndPanel()
	dismissed, run := -1, func() {}
	for i := range shown {
		m := &n.Messages[i]
		card := r.CutTop(heights[i])
		tip := "Closes this message.\tEsc"
		if !m.until.IsZero() {
			tip = "Closes this message." // which Esc leaves: it goes by itself
		}
		if u.Message(itemCross+i, card, m.Tone, m.Title, m.Text, tip) {
			dismissed = i
		}
		if do := &m.Action; do.Label != "" {
			at := ui.Rect{X: card.X + px(14), Y: card.Bottom() - px(actionHeight+10), W: px(actionWidth), H: px(actionHeight)}
			if u.Button(ItemAction+i, at, do.Label, ui.Primary, 0, do.Tip) {
				dismissed, run = i, do.Run
			}
		}
		r.CutTop(gap)
	}
	if load != nil {
		step, seconds := load.Step, now.Sub(load.Since).Seconds()
		if step == "" {
			step = "Loading"
		}
		text := n.Line.Start().S(step).S(", ").F(seconds, 1).S(" s").View()
		cancel = u.ProgressCard(ItemCancelLoad, r, &ui.Progress{Title: load.Name, Step: text, Share: load.Share, Turns: seconds,
			Tip: "Stops reading the file; the model that is shown stays.\tEsc"})
	}
	if dismissed >= 0 {
		n.Messages = slices.Delete(n.Messages, dismissed, dismissed+1)
		run()
	}
	return cancel
}
