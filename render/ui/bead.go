package ui

// Bead draws a small octahedron, lit from the upper left, with a dark edge that sets it off from any picture.
func (c *Context) Bead(x, y, radius float32, k Color, lit bool) {
	if lit {
		c.Disc(x, y, radius+c.Px(5), ColorText.Alpha(0.35))
	}
	edge, r := radius+c.Px(2), radius
	dark := ColorInset.Alpha(0.85)
	c.triangle(x-edge, y, x, y-edge, x+edge, y, dark)
	c.triangle(x-edge, y, x+edge, y, x, y+edge, dark)
	c.triangle(x-r, y, x, y-r, x, y, k.mix(ColorWhite, 0.45))
	c.triangle(x, y-r, x+r, y, x, y, k)
	c.triangle(x-r, y, x, y, x, y+r, k.mix(ColorInset, 0.15))
	c.triangle(x, y, x+r, y, x, y+r, k.mix(ColorInset, 0.4))
}
