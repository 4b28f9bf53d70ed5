package viewer

import (
	"strings"
	"time"

	"skinlab/render/ui"
)

// How long notices stay: of a picture, of an export, which says more, and of advice, which somebody acts on.
const (
	noticeTime = 4 * time.Second
	exportTime = 12 * time.Second
	adviceTime = 20 * time.Second
)

// mostMessages bounds how many messages are kept; the oldest goes first.
const mostMessages = 3

// message is a card at the bottom of the picture.
type message struct {
	tone        ui.Tone
	title, text string
	until       time.Time // of a notice; a failure stays until it is dismissed
	ofLoading   bool      // the next load answers it
}

// notes are what the window tells the person beside the picture, the newest first.
type notes struct {
	messages [mostMessages]message
	count    int
}

// say puts a message in front of the others. It takes the place of an older one of the same title.
func (n *notes) say(m message) {
	n.drop(func(old *message) bool { return old.title == m.title })
	n.count = min(n.count+1, mostMessages)
	copy(n.messages[1:n.count], n.messages[:])
	n.messages[0] = m
}

// drop takes messages away.
func (n *notes) drop(which func(*message) bool) {
	kept := 0
	for i := range n.count {
		if !which(&n.messages[i]) {
			n.messages[kept] = n.messages[i]
			kept++
		}
	}
	n.count = kept
}

// expire takes the notices away whose time is over. It allocates nothing.
func (n *notes) expire(now time.Time) {
	for i := n.count - 1; i >= 0; i-- {
		if until := n.messages[i].until; !until.IsZero() && !now.Before(until) {
			n.remove(i)
		}
	}
}

// ends returns when the first notice's time is over, zero where there is none.
func (n *notes) ends() (first time.Time) {
	for _, m := range n.messages[:n.count] {
		if !m.until.IsZero() && (first.IsZero() || m.until.Before(first)) {
			first = m.until
		}
	}
	return first
}

// dismiss takes the newest failure away, and reports whether there was one.
func (n *notes) dismiss() bool {
	for i := range n.count {
		if n.messages[i].tone == ui.Failure {
			n.remove(i)
			return true
		}
	}
	return false
}

func (n *notes) remove(i int) {
	copy(n.messages[i:n.count], n.messages[i+1:n.count])
	n.count--
}

// notify shows a notice for a while.
func (a *app) notify(title, text string, stay time.Duration) {
	a.notes.say(message{tone: ui.Neutral, title: title, text: text, until: time.Now().Add(stay)})
	a.wake()
}

// complain shows what went wrong until it is dismissed.
func (a *app) complain(title string, err error) {
	a.notes.say(message{tone: ui.Failure, title: title, text: failureText(err)})
	a.wake()
}

// longestFailure bounds a message in bytes, so that its card fits into a small window.
const longestFailure = 400

func failureText(err error) string {
	text := err.Error()
	if len(text) > longestFailure {
		text = strings.ToValidUTF8(text[:longestFailure], "") + " …"
	}
	return text
}

// messages shows what is being loaded as a card at the bottom of the picture, and above it the messages, the newest on
// top. Older ones for which there is no room wait until there is.
func (a *app) messages(now time.Time) {
	u, px, n := a.ui, a.ui.Px, &a.notes
	n.expire(now)
	view := a.layout.view
	w := min(px(520), view.W-px(32))
	r := ui.Rect{X: view.X + float32(int((view.W-w)/2)), W: w}
	var heights [mostMessages]float32
	gap, shown := px(8), 0
	if a.files.path != "" {
		r.H = u.ProgressHeight()
	}
	for ; shown < n.count; shown++ {
		m := &n.messages[shown]
		heights[shown] = u.MessageHeight(w, m.text)
		if shown > 0 && r.H+gap+heights[shown] > view.H*0.7 {
			break
		}
		if r.H > 0 {
			r.H += gap
		}
		r.H += heights[shown]
	}
	if r.H == 0 {
		return
	}
	r.Y = view.Bottom() - px(16) - r.H
	u.BeginPanel(panelMessage, r, false)
	defer u.EndPanel()
	dismissed := -1
	for i := range shown {
		m := &n.messages[i]
		cross := 0
		if m.tone == ui.Failure {
			cross = itemCross + i
		}
		if u.Message(cross, r.CutTop(heights[i]), m.tone, m.title, m.text) {
			dismissed = i
		}
		r.CutTop(gap)
	}
	if a.files.path != "" {
		a.loadingCard(r, now)
	}
	if dismissed >= 0 {
		n.remove(dismissed)
	}
}

// Items of the messages; the crosses count up.
const (
	itemCancelLoad = 1
	itemCross      = 10
)
