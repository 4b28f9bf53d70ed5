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
}

// mostWaited is the number of frames that a field waits for the keyboard before it closes.
const mostWaited = 8

// begin starts a frame. A field whose slider is not drawn any more closes.
func (n *typedNumber) begin() {
	if !n.drawn {
		n.open, n.pressed = false, false
	}
	n.drawn = false
}

func (n *typedNumber) is(p Panel, id int) bool { return n.open && n.panel == p && n.id == id }

// wantsTyping reports whether the user asks to type a slider's number: the second click of a double click, or a click
// with Ctrl, is over. The value becomes the one before the clicks.
func (c *Context) wantsTyping(id int, i item, value *float64) bool {
	n := &c.typed
	here := n.panel == c.panel && n.id == id
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
	n.pressed, n.open, n.begun, n.waited, n.opened = false, true, false, 0, ""
	return true
}

// typeNumber draws the field in a slider's place and returns the new value. Return and a click elsewhere accept the
// number, within the slider's range; Esc, and a text that is no number, leave the value.
func (c *Context) typeNumber(id int, r Rect, value float64, t *Track) float64 {
	n := &c.typed
	n.drawn = true
	if n.opened == "" {
		if n.field == nil {
			n.field = NewTextField("")
		}
		n.opened = inDigits(t.toShown(value))
		n.field.SetText(n.opened)
		n.tip = "A number from " + inDigits(t.toShown(t.Least)) + " to " + inDigits(t.toShown(t.Most)) +
			". Return takes it, Esc leaves what was."
	}
	entered, editing := c.textField(id, r, n.field, n.tip, keyboard{focus: !n.begun})
	n.begun = n.begun || editing
	n.waited++
	if !entered && (editing || !n.begun && n.waited < mostWaited) {
		return value
	}
	n.open, n.id = false, 0
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

// fromShown returns the value of a number as the user types it, with its unit or without, and whether it is one. The
// value lies in the slider's range.
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
