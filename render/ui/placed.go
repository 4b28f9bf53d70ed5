package ui

// Placed is where a frame has drawn an item of a panel. Item 0 is the panel itself.
type Placed struct {
	Panel Panel
	Item  int
	Rect  Rect // logical pixels
}

// Placed returns where the last frame has drawn its panels and their items, in the order in which it did. It is for
// tests and tools, which aim at items by their numbers. It holds until the next Begin.
func (c *Context) Placed() []Placed { return c.placed }

// Place records something in the panel that is being drawn that the mouse does nothing to; items are recorded by
// themselves.
func (c *Context) Place(item int, r Rect) { c.placed = append(c.placed, Placed{c.panel, item, r}) }
