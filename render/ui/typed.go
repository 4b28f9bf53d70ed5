package ui

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// typedNumber is a number that the user types in the place of a slider.
type typedNumber struct {
	panel   Panel
	id      int     // of the slider that was pressed last
	from    float64 // its value before the press, before both of a double click
	pressed bool    // the press that opens the field is not over
	open    bool
	begun   bool // the field has had the keyboard
	waited  int  // frames for that
	drawn   bool // in this frame
	field   *TextField
	opened  string // its text at first
	tip     string
	leave   int  // Tab has been pressed: 1 for the slider after this one, −1 for the one before
	before  int  // the slider before this one, 0 for none
	wanted  int  // the slider to open next, 0 for none; anyNext for the next that is drawn in the panel
	late    bool // wanted is of the frame before
	last    int  // the slider that was drawn last in lastOf, 0 for none
	lastOf  Panel
	closed  int // the slider whose field a key has closed, 0 for none: the keyboard goes back to it
}

// anyNext is no number of an item.
const anyNext = -1

// mostWaited is the number of frames that a field waits for the keyboard before it closes.
const mostWaited = 8

// begin starts a frame. A field whose slider is not drawn any more closes.
func (n *typedNumber) begin() {
	if !n.drawn {
		n.open, n.pressed = false, false
	}
	n.drawn = false
	if n.late || n.wanted == anyNext { // there was none
		n.wanted = 0
	}
	n.late, n.last = n.wanted != 0, 0
}

func (n *typedNumber) is(p Panel, id int) bool { return n.open && n.panel == p && n.id == id }

// wantsTyping reports whether the user asks to type a slider's number: the second click of a double click, or a click
// with Ctrl, is over. The value becomes the one before the clicks.
func (c *Context) wantsTyping(id int, i item, value *float64) bool {
	n := &c.typed
	here := n.panel == c.panel && n.id == id
	if i.keyed() || n.panel == c.panel && (n.wanted == anyNext || n.wanted != 0 && n.wanted == id) {
		n.panel, n.id, n.from, n.wanted = c.panel, id, *value, 0
		n.openField()
		c.AwaitField()
		return true
	}
	if i.is(activated) {
		again := here && i.is(double) && !c.control
		if !again {
			n.panel, n.id, n.from = c.panel, id, *value
		}
		n.open, n.pressed, here = false, again || c.control, true
	}
	if !here || !n.pressed {
		return false
	}
	n.drawn, *value = true, n.from
	if i.is(active) {
		return false
	}
	n.openField()
	return true
}

func (n *typedNumber) openField() {
	n.pressed, n.open, n.begun, n.drawn, n.waited, n.opened, n.leave = false, true, false, true, 0, "", 0
}

// typeNumber draws the field in a slider's place and returns the new value. Return and a click elsewhere accept the
// number, within the slider's range; Esc, and a text that is no number, leave the value.
func (c *Context) typeNumber(id int, r Rect, value float64, t *Track) float64 {
	n := &c.typed
	n.drawn = true
	if n.lastOf != c.panel {
		n.last = 0
	}
	n.before, n.last, n.lastOf = n.last, id, c.panel
	if n.opened == "" {
		if n.field == nil {
			n.field = NewTextField("")
		}
		n.opened = inDigits(t.toShown(value))
		n.field.SetText(n.opened)
		n.tip = "A number from " + inDigits(t.toShown(t.Least)) + " to " + inDigits(t.toShown(t.Most)) +
			". Return takes it, Tab too and goes on, Esc leaves what was."
	}
	entered, editing := c.textField(id, r, n.field, n.tip, keyboard{focus: !n.begun})
	n.begun = n.begun || editing
	n.waited++
	if !entered && (editing || !n.begun && n.waited < mostWaited) {
		return value
	}
	if entered && c.focus.on {
		n.closed = id
	}
	n.open, n.id = false, 0
	switch n.leave {
	case 1:
		n.wanted = anyNext
	case -1:
		n.wanted = n.before
	}
	if text := n.field.View(); text != n.opened { // Esc gives back the text
		if x, ok := t.fromShown(text); ok {
			return x
		}
	}
	return value
}

// toShown returns the number that the page shows for a value.
func (t *Track) toShown(value float64) float64 {
	switch k := int(value); {
	case len(t.Shown) > 0:
		return t.Shown[min(max(k, 0), len(t.Shown)-1)]
	case t.Unit != 0:
		return value * t.Unit
	}
	return value
}

// fromShown returns the value, in the slider's range, of a number as typed, with or without unit, and if it is one.
func (t *Track) fromShown(text string) (value float64, ok bool) {
	text = strings.TrimRightFunc(strings.ReplaceAll(text, ",", "."), func(r rune) bool { return !unicode.IsDigit(r) && r != '.' })
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, false
	}
	switch {
	case len(t.Shown) > 0: // the nearest
		for k, shown := range t.Shown {
			if math.Abs(shown-x) < math.Abs(t.Shown[int(value)]-x) {
				value = float64(k)
			}
		}
		return value, true
	case t.Unit != 0:
		x /= t.Unit
	}
	if t.Step > 0 && t.Step == math.Trunc(t.Step) {
		x = math.Round(x)
	}
	return min(max(x, t.Least), t.Most), true
}

// inDigits writes a number with six digits at most, and no exponent.
func inDigits(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
