package ui

import "math"

// Icon is a picture on a button, drawn from triangles so that it is sharp at any scale.
type Icon int

const (
	IconPlay Icon = iota
	IconPause
	IconStepBack
	IconStepForward
	IconToStart
	IconLoop
	IconLeft
	IconRight
)

// icon draws a picture in the middle of r, 14 design pixels tall.
func (c *Context) icon(r Rect, icon Icon, k Color) {
	x, y := r.X+round(r.W/2), r.Y+round(r.H/2)
	u := c.Px(1)
	switch icon {
	case IconPlay:
		c.triangle([3]point{{x - 4*u, y - 6*u}, {x + 7*u, y}, {x - 4*u, y + 6*u}}, k)
	case IconPause:
		c.Fill(Rect{x - 5*u, y - 6*u, 4 * u, 12 * u}, k, u)
		c.Fill(Rect{x + 1*u, y - 6*u, 4 * u, 12 * u}, k, u)
	case IconStepBack:
		c.Fill(Rect{x + 3*u, y - 5*u, 2 * u, 10 * u}, k, 0)
		c.triangle([3]point{{x + 1*u, y - 5*u}, {x + 1*u, y + 5*u}, {x - 6*u, y}}, k)
	case IconStepForward:
		c.Fill(Rect{x - 5*u, y - 5*u, 2 * u, 10 * u}, k, 0)
		c.triangle([3]point{{x - 1*u, y - 5*u}, {x + 6*u, y}, {x - 1*u, y + 5*u}}, k)
	case IconToStart:
		c.Fill(Rect{x - 7*u, y - 5*u, 2 * u, 10 * u}, k, 0)
		c.triangle([3]point{{x + 1*u, y - 5*u}, {x + 1*u, y + 5*u}, {x - 5*u, y}}, k)
		c.triangle([3]point{{x + 7*u, y - 5*u}, {x + 7*u, y + 5*u}, {x + 1*u, y}}, k)
	case IconLeft:
		c.triangle([3]point{{x + 3*u, y - 5*u}, {x + 3*u, y + 5*u}, {x - 4*u, y}}, k)
	case IconRight:
		c.triangle([3]point{{x - 3*u, y - 5*u}, {x - 3*u, y + 5*u}, {x + 4*u, y}}, k)
	case IconLoop:
		// Three quarters of a circle that ends in an arrow head.
		c.arc(arc{point{x, y}, 5 * u, 0.25, 1.75*math.Pi - 0.25}, k, 1.6*u)
		ex, ey := x+4.1*u, y-3.2*u
		c.triangle([3]point{{ex - 3.4*u, ey + 1.4*u}, {ex + 2.2*u, ey + 2.6*u}, {ex + 1.8*u, ey - 3.2*u}}, k)
	}
}

// foldArrow draws the arrow of a list that opens and closes. It points down if the list is open, else to the right.
func (c *Context) foldArrow(x, y float32, open bool, k Color) {
	s := c.Px(4)
	if open {
		c.triangle([3]point{{x - s, y - s/2}, {x + s, y - s/2}, {x, y + s*0.6}}, k)
	} else {
		c.triangle([3]point{{x - s/2, y - s}, {x + s*0.6, y}, {x - s/2, y + s}}, k)
	}
}

// spinner draws a turning arc around (x, y), the sign of a task in progress. It turns once per unit of turn.
func (c *Context) spinner(x, y, radius float32, turn float64) {
	a := float32(2 * math.Pi * (turn - math.Floor(turn)))
	c.Ring(x, y, radius, ColorHeld, c.Px(2))
	c.arc(arc{point{x, y}, radius, a, a + 1.6}, ColorAccent, c.Px(2))
}
