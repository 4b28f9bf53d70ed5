package ui

import "github.com/go-gl/mathgl/mgl32"

// AxesSize is the side of the square of [Context.Axes], in design pixels.
const AxesSize = 76

// axisBalls is the number of ends of the axes: +x, −x, +y, −y, +z, −z.
const axisBalls = 6

// Axes draws the axes of the world in r as the camera sees them, with a ball at each end that can be clicked. It
// returns the number of the clicked one, by +x, −x, +y, −y, +z, −z, else −1. View maps from the world to the camera,
// which looks along −z. The balls have the numbers from id on.
func (c *Context) Axes(id int, r Rect, view mgl32.Mat4, tips *[axisBalls]string) (clickedBall int) {
	clickedBall = -1
	radius := c.Px(9)
	reach := r.W/2 - radius
	var x, y, near [axisBalls]float32
	var lit [axisBalls]bool
	order := [axisBalls]int{0, 1, 2, 3, 4, 5} // the nearest to the eye first
	for k := range order {
		sign := float32(1 - 2*(k%2))
		x[k] = r.X + r.W/2 + reach*sign*view.At(0, k/2)
		y[k] = r.Y + r.H/2 - reach*sign*view.At(1, k/2)
		near[k] = sign * view.At(2, k/2)
		for i := k; i > 0 && near[order[i]] > near[order[i-1]]; i-- {
			order[i], order[i-1] = order[i-1], order[i]
		}
	}
	for _, k := range order { // the first to ask has the mouse
		i := c.clickable(id+k, Rect{x[k] - radius, y[k] - radius, 2 * radius, 2 * radius}, tips[k])
		lit[k] = i.is(hovered | active)
		if i.is(clicked) {
			clickedBall = k
		}
	}
	for i := range order {
		k := order[axisBalls-1-i]
		ink := AxisColors[k/2]
		if k%2 == 1 {
			c.Disc(x[k], y[k], radius*0.8, ink.Alpha(0.45))
		} else {
			c.Line(r.X+r.W/2, r.Y+r.H/2, x[k], y[k], ink, c.Px(2))
			c.Disc(x[k], y[k], radius, ink)
		}
		if lit[k] {
			c.Disc(x[k], y[k], radius, ColorWhite)
		}
		if k%2 == 0 {
			c.Text(Rect{x[k] - radius, y[k] - radius, 2 * radius, 2 * radius}, Label, ColorBlack, Center, "XYZ"[k/2:k/2+1])
		}
	}
	return clickedBall
}
