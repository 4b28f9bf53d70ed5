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
	Pitch    float32 // radians, within ±89°
	FOV      float32 // vertical field of view, radians
}

// Limits of the camera. The pitch stays short of the poles, where the up direction is undefined. The near and far
// planes lie at fixed fractions of the distance. The depth buffer holds 32-bit floats, so a ratio of 10,000 between
// them costs no visible precision.
const (
	maxPitch   = 89 * math.Pi / 180
	nearShare  = 0.01
	farShare   = 100
	turnPixel  = 0.4 * math.Pi / 180 // radians a pixel of drag
	zoomStep   = 0.9
	frameSlack = 1.12 // room round a framed box
)

// NewCamera returns a portrait lens that frames a box. It looks slightly down at the box from the front, a little from
// its left.
func NewCamera(lo, hi mgl32.Vec3, aspect float32) Camera {
	c := Camera{Yaw: 0.45, Pitch: 0.14, FOV: 30 * math.Pi / 180}
	c.Frame(lo, hi, aspect)
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

// Zoom moves 10 % closer per step. Negative steps move away.
func (c *Camera) Zoom(steps float32) {
	d := float64(c.Distance) * math.Pow(zoomStep, float64(steps))
	c.Distance = float32(min(max(d, 1e-6), 1e9))
}

// Frame keeps the viewing direction and moves the camera so that the box from lo to hi fills the view.
func (c *Camera) Frame(lo, hi mgl32.Vec3, aspect float32) {
	c.Target = lo.Add(hi).Mul(0.5)
	right, up, back := c.axes()
	ty := tan(c.FOV / 2)
	tx := ty * max(aspect, 1e-3)
	// With the box's middle as target, a corner at offset o is in view at distance d if |o·right| ≤ tx·(d − o·back),
	// and likewise for up. This takes the least such d of all corners.
	var d float32
	for i := range 8 {
		o := skin.Box{Lo: lo, Hi: hi}.Corner(i).Sub(c.Target).Mul(frameSlack)
		depth := o.Dot(back)
		d = max(d, depth+abs(o.Dot(right))/tx, depth+abs(o.Dot(up))/ty)
	}
	if !(d > 1e-6) { // an empty or single-point box
		d = 1
	}
	c.Distance = d
}

// Extent returns the box that the corners of the box from lo to hi span in the view. The view's sides are at −1 and 1.
func (c *Camera) Extent(lo, hi mgl32.Vec3, aspect float32) (least, most mgl32.Vec2) {
	m := c.Projection(aspect).Mul4(c.View())
	e := skin.EmptyBox()
	for i := range 8 {
		e.Add(mgl32.TransformCoordinate(skin.Box{Lo: lo, Hi: hi}.Corner(i), m))
	}
	return e.Lo.Vec2(), e.Hi.Vec2()
}

// Eye returns the position of the camera.
func (c *Camera) Eye() mgl32.Vec3 {
	_, _, back := c.axes()
	return c.Target.Add(back.Mul(c.Distance))
}

// View maps world to eye space.
func (c *Camera) View() mgl32.Mat4 {
	right, up, back := c.axes()
	eye := c.Eye()
	return mgl32.Mat4{
		right[0], up[0], back[0], 0,
		right[1], up[1], back[1], 0,
		right[2], up[2], back[2], 0,
		-right.Dot(eye), -up.Dot(eye), -back.Dot(eye), 1,
	}
}

// Projection maps eye space to clip space; aspect is width over height.
func (c *Camera) Projection(aspect float32) mgl32.Mat4 {
	return mgl32.Perspective(c.FOV, max(aspect, 1e-3), c.Distance*nearShare, c.Distance*farShare)
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
func abs(a float32) float32 { return float32(math.Abs(float64(a))) }
