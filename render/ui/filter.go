package ui

import "strings"

// Filter is a field that narrows a list of names to those that have all its words, in any case and order.
type Filter struct {
	Rows    []int32 // the names that stay, in their order
	Version uint64  // changes with Rows
	field   *TextField
	query   string   // the text that Rows was made for
	keys    []string // the names in lower case
	made    bool
	typed   bool // the field had the keyboard in the last frame
}

// NewFilter makes a filter without names. Its owner calls Delete.
func NewFilter() *Filter { return &Filter{field: NewTextField("")} }

// SetNames gives the filter the names of a list, and empties its text.
func (f *Filter) SetNames(count int, name func(i int) string) {
	f.keys = f.keys[:0]
	for i := range count {
		f.keys = append(f.keys, strings.ToLower(name(i)))
	}
	f.made = false
	f.SetText("")
}

func (f *Filter) SetText(text string) {
	f.field.SetText(text)
	f.Update()
}

// Update makes Rows anew where the text has changed. Otherwise it allocates nothing.
func (f *Filter) Update() {
	if f.made && f.field.View() == f.query {
		return
	}
	f.Version++
	f.made, f.query = true, f.field.Text()
	f.Rows = f.Rows[:0]
	for i := range f.keys {
		if f.has(i) {
			f.Rows = append(f.Rows, int32(i))
		}
	}
}

func (f *Filter) has(i int) bool {
	for word := range strings.FieldsSeq(strings.ToLower(f.query)) {
		if !strings.Contains(f.keys[i], word) {
			return false
		}
	}
	return true
}

// Narrows reports whether there is a word in the text.
func (f *Filter) Narrows() bool { return strings.TrimSpace(f.query) != "" }

// Delete frees the field. It is nil-safe and may be called again.
func (f *Filter) Delete() {
	if f != nil {
		f.field.Delete()
	}
}

// Filter draws the field with a cross that empties it, and narrows the list. The cross has the number id+1.
func (c *Context) Filter(id int, r Rect, f *Filter, hint, tip string) {
	if f.field.View() != "" {
		cross := r.CutRight(c.Px(24))
		i := c.press(id+1, cross, "Empties the field.")
		x, y, d := cross.X+round(cross.W/2), cross.Y+round(cross.H/2), c.Px(4)
		c.Line(x-d, y-d, x+d, y+d, ColorDim, c.Px(1.5))
		c.Line(x-d, y+d, x+d, y-d, ColorDim, c.Px(1.5))
		if i.is(clicked) {
			c.StopTyping()
			f.field.SetText("")
		}
	}
	if f.typed {
		tip = "" // it would lie on the list
	}
	before := c.typing
	c.SearchField(id, r, f.field, hint, tip)
	f.typed = c.typing && !before
	f.Update()
}
