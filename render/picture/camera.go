package picture

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/skin"
)

// Camera looks at a target from a distance, at a yaw and a pitch. At yaw 0 it looks along −Z, at the front of a glTF
// character. A positive pitch looks down. The zero Camera is not usable: see [NewCamera].
type Camera struct {
	Target   mgl32.Vec3
	Distance float32 // of the eye from the target, world units
	Yaw      float32 // radians about +Y
	Pitch    float32 // radians, within ±90°
	FOV      float32 // vertical field of view, radians
	// Ortho draws without perspective. Things at the target's distance keep their size.
	Ortho bool
}

// Limits of the camera. The near and far planes lie at fixed fractions of the distance. The depth buffer holds 32-bit
// floats, so a ratio of 10,000 between them costs no visible precision.
const (
	maxPitch  = math.Pi / 2
	nearShare = 0.01
	farShare  = 100
	turnPixel = 0.4 * math.Pi / 180 // radians a pixel of drag
	zoomStep  = 0.9
)

// NewCamera returns a portrait lens that frames points. It looks slightly down at them from the front, a little from
// their left.
func NewCamera(points []mgl32.Vec3, aspect float32) Camera {
	c := Camera{Yaw: 0.45, Pitch: 0.14, FOV: 30 * math.Pi / 180}
	c.Frame(points, aspect, Whole)
	return c
}

// Orbit turns the camera by a mouse drag of dx, dy pixels, positive to the right and down. The model turns with the
// drag.
func (c *Camera) Orbit(dx, dy float32) {
	c.Yaw = float32(math.Remainder(float64(c.Yaw-dx*turnPixel), 2*math.Pi))
	c.Pitch = mgl32.Clamp(c.Pitch+dy*turnPixel, -maxPitch, maxPitch)
}

// Pan moves the target by a drag of dx, dy pixels in a viewport that is viewportH pixels high. A point at the target's
// distance stays under the mouse.
func (c *Camera) Pan(dx, dy, viewportH float32) {
	if viewportH <= 0 {
		return
	}
	right, up, _ := c.axes()
	unit := 2 * c.Distance * tan(c.FOV/2) / viewportH
	c.Target = c.Target.Add(right.Mul(-dx * unit)).Add(up.Mul(dy * unit))
}

// Zoom moves 10 % closer per step, negative steps away, towards a point of the view. x and y are −1 to 1 from its left
// to its right and from its bottom to its top. Everything under that point, at any depth, stays under it.
func (c *Camera) Zoom(steps, x, y, aspect float32) {
	was := c.Distance
	d := float64(was) * math.Pow(zoomStep, float64(steps))
	c.Distance = float32(min(max(d, skin.LeastSize), 1e9))
	right, up, _ := c.axes()
	moved := (was - c.Distance) * tan(c.FOV/2)
	c.Target = c.Target.Add(right.Mul(x * max(aspect, 1e-3) * moved)).Add(up.Mul(y * moved))
}

// Area is a part of the view, whose sides are at −1 and 1.
type Area struct{ Left, Bottom, Right, Top float32 }

// Whole is the view without a margin round it.
var Whole = Area{-frameFill, -frameFill, frameFill, frameFill}

// frameFill is the share of the view that framed points fill.
const frameFill = 0.94

// Frame keeps the viewing direction and moves the camera as close as it can while all points lie in an area of the
// view, centred there. The camera then orbits about the points' middle.
//
// A point with the coordinates x, y, z along right, up and back is left of the area's right side if x − ex ≤ t·(ez −
// z) with the eye at ex, ey, ez and the slope t of that side. The largest x + t·z of all points therefore bounds ex +
// t·ez, and so do the other three sides; the least ez follows.
func (c *Camera) Frame(points []mgl32.Vec3, aspect float32, in Area) {
	right, up, back := c.axes()
	ty := tan(c.FOV / 2)
	tx := ty * max(aspect, 1e-3)
	slopes := [4]float32{in.Right * tx, -in.Left * tx, in.Top * ty, -in.Bottom * ty}
	const least = -math.MaxFloat32
	most, near, far := [4]float32{least, least, least, least}, float32(least), float32(math.MaxFloat32)
	var away float32 // of the farthest point from the origin
	for _, p := range points {
		away = max(away, p.Len())
		x, y, z := p.Dot(right), p.Dot(up), p.Dot(back)
		near, far = max(near, z), min(far, z)
		if c.Ortho {
			z = 0 // depth changes nothing
		}
		for i, at := range [4]float32{x, -x, y, -y} {
			most[i] = max(most[i], at+slopes[i]*z)
		}
	}
	if len(points) == 0 {
		most, near, far = [4]float32{}, 0, 0
	}
	middle := (near + far) / 2
	eye := max((most[0]+most[1])/(slopes[0]+slopes[1]), (most[2]+most[3])/(slopes[2]+slopes[3]))
	c.Distance = eye
	if !c.Ortho {
		c.Distance = max(eye-middle, 1.1*(near-middle)) // the nearest point is in front of the eye
		eye = middle + c.Distance
	}
	if !(c.Distance > 1e-6*away) { // no points, or a single one and some roundings of its place
		c.Distance, eye = 1, 1
		if !c.Ortho {
			eye += middle
		}
	}
	x := (most[0] - most[1] - (slopes[0]-slopes[1])*eye) / 2
	y := (most[2] - most[3] - (slopes[2]-slopes[3])*eye) / 2
	c.Target = right.Mul(x).Add(up.Mul(y)).Add(back.Mul(middle))
}

// Projected returns the position of a point in a view: x and y as in [Camera.Zoom].
func (c *Camera) Projected(p mgl32.Vec3, aspect float32) mgl32.Vec2 {
	return mgl32.TransformCoordinate(p, c.Projection(aspect).Mul4(c.View())).Vec2()
}

// eye returns the position of the camera. Without perspective it is far away, so that all lines of sight are parallel.
func (c *Camera) eye() mgl32.Vec3 {
	_, _, back := c.axes()
	d := c.Distance
	if c.Ortho {
		d *= farShare
	}
	return c.Target.Add(back.Mul(d))
}

// View maps world to eye space.
func (c *Camera) View() mgl32.Mat4 {
	right, up, back := c.axes()
	eye := c.Target.Add(back.Mul(c.Distance))
	return mgl32.Mat4{
		right[0], up[0], back[0], 0,
		right[1], up[1], back[1], 0,
		right[2], up[2], back[2], 0,
		-right.Dot(eye), -up.Dot(eye), -back.Dot(eye), 1,
	}
}

// Projection maps eye space to clip space; aspect is width over height. Without perspective nothing is too near.
func (c *Camera) Projection(aspect float32) mgl32.Mat4 {
	aspect = max(aspect, 1e-3)
	if c.Ortho {
		h := c.Distance * tan(c.FOV/2)
		return mgl32.Ortho(-h*aspect, h*aspect, -h, h, -c.Distance*farShare, c.Distance*farShare)
	}
	return mgl32.Perspective(c.FOV, aspect, c.Distance*nearShare, c.Distance*farShare)
}

// axes returns the camera's right, up and backward directions in the world.
func (c *Camera) axes() (right, up, back mgl32.Vec3) {
	sy, cy := sincos(c.Yaw)
	sp, cp := sincos(c.Pitch)
	return mgl32.Vec3{cy, 0, -sy}, mgl32.Vec3{-sy * sp, cp, -cy * sp}, mgl32.Vec3{sy * cp, sp, cy * cp}
}

func sincos(a float32) (s, c float32) {
	s64, c64 := math.Sincos(float64(a))
	return float32(s64), float32(c64)
}

func tan(a float32) float32 { return float32(math.Tan(float64(a))) }
