package picture

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/skin"
)

// project returns where a camera puts a point, in clip space divided by w.
func project(c *Camera, aspect float32, p mgl32.Vec3) mgl32.Vec3 {
	q := c.Projection(aspect).Mul4(c.View()).Mul4x1(p.Vec4(1))
	return q.Vec3().Mul(1 / q[3])
}

// Framed points are wholly inside an area of the view and touch two opposite sides of it, from any direction, with and
// without perspective.
func TestFrame(t *testing.T) {
	lo, hi := mgl32.Vec3{-0.6, 0, -0.2}, mgl32.Vec3{0.6, 1.9, 0.3}
	areas := []Area{Whole, {-0.9, -0.9, 0.9, 0.5}, {-0.2, -1, 0.9, 0.9}}
	for _, scale := range []float32{1e-8, 0.1, 1, 300} {
		for _, aspect := range []float32{0.5, 1, 2.4} {
			for _, yaw := range []float32{0, 0.7, 2, -3} {
				for _, pitch := range []float32{-math.Pi / 2, 0, 0.4, 1.5} {
					for i, in := range areas {
						c := Camera{Yaw: yaw, Pitch: pitch, FOV: 0.6, Ortho: i == 1}
						at := fmt.Sprintf("scale %g, aspect %g, yaw %g, pitch %g, area %d", scale, aspect, yaw, pitch, i)
						testFramed(t, &c, skin.Box{Lo: lo.Mul(scale), Hi: hi.Mul(scale)}.Corners(), aspect, in, at)
					}
				}
			}
		}
	}
	for _, points := range [][]mgl32.Vec3{nil, {{1, 2, 3}}, {{1, 2, 3}, {1, 2, 9}}} { // the last in a row behind each other
		for _, ortho := range []bool{false, true} {
			c := Camera{FOV: 0.6, Ortho: ortho}
			c.Frame(points, 1, Whole)
			if !(c.Distance > 0) {
				t.Errorf("%v are framed from distance %g", points, c.Distance)
			}
			for _, p := range points {
				if q := project(&c, 1, p); !(q.Len() < 1) {
					t.Errorf("%v is shown at %v", p, q)
				}
			}
		}
	}
}

func testFramed(t *testing.T, c *Camera, points []mgl32.Vec3, aspect float32, in Area, at string) {
	t.Helper()
	const tolerance = 1e-4 // float32: some roundings of positions that are a few times the size away
	c.Frame(points, aspect, in)
	e := skin.EmptyBox()
	for _, p := range points {
		q := project(c, aspect, p)
		e.Add(q)
		if !(q[2] > -1 && q[2] < 1) {
			t.Errorf("%s: depth %g is clipped", at, q[2])
		}
	}
	gaps := [4]float32{e.Lo[0] - in.Left, in.Right - e.Hi[0], e.Lo[1] - in.Bottom, in.Top - e.Hi[1]}
	for _, g := range gaps {
		if !(g >= -tolerance) {
			t.Errorf("%s: %v reaches past the area %v", at, e, in)
			return
		}
	}
	if !(max(gaps[0], gaps[1]) <= tolerance || max(gaps[2], gaps[3]) <= tolerance) {
		t.Errorf("%s: %v touches no two opposite sides of %v", at, e, in)
	}
	if d := c.eye().Sub(c.Target).Len(); !c.Ortho && !(abs(d-c.Distance) <= 1e-4*d) {
		t.Errorf("%s: the eye is %g from the target, not %g", at, d, c.Distance)
	}
}

var testBox = skin.Box{Lo: mgl32.Vec3{-1, 0, -1}, Hi: mgl32.Vec3{1, 2, 1}}.Corners()

// A drag by one pixel moves the target by one pixel: the point under the mouse stays under it.
func TestPanFollowsTheMouse(t *testing.T) {
	c := NewCamera(testBox, 1.5)
	under := c.Target
	const w, h = 900, 600
	c.Pan(30, -12, h)
	p := project(&c, w/float32(h), under)
	// To a thousandth of a pixel: float32 keeps seven digits of hundreds of pixels.
	if dx, dy := p[0]*w/2-30, p[1]*h/2-12; !(math.Hypot(float64(dx), float64(dy)) < 1e-3*w) {
		t.Errorf("the target is %g, %g pixels away from the mouse", dx, dy)
	}
}

func TestOrbitAndZoom(t *testing.T) {
	c := NewCamera(testBox, 1)
	before := c.Distance
	c.Orbit(1e5, 1e5)
	if abs(c.Pitch) > maxPitch+1e-6 || abs(c.Yaw) > math.Pi+1e-5 {
		t.Errorf("pitch %g, yaw %g left their ranges", c.Pitch, c.Yaw)
	}
	if d := c.eye().Sub(c.Target).Len(); !(abs(d-before) < 1e-5*before) {
		t.Errorf("orbiting changed the distance from %g to %g", before, d)
	}
	c.Zoom(5, 0, 0, 1)
	c.Zoom(-5, 0, 0, 1)
	if !(abs(c.Distance-before) < 1e-5*before) {
		t.Errorf("zooming in and out changed the distance from %g to %g", before, c.Distance)
	}
	c.Zoom(1e6, 0, 0, 1)
	if !(c.Distance > 0) {
		t.Errorf("distance %g after zooming in for ever", c.Distance)
	}
	c.Distance = 1e-8 // of a model as small
	c.Zoom(1, 0, 0, 1)
	if !(c.Distance < 1e-8) {
		t.Errorf("distance %g after zooming in from 1e-8", c.Distance)
	}
	if e := c.View().Mul4x1(c.eye().Vec4(1)).Vec3().Len(); !(e < 1e-5*before) {
		t.Errorf("the eye is %g from the origin of eye space", e)
	}
}

// Whatever is under the mouse stays there while the wheel turns, at any depth, with and without perspective.
func TestZoomKeepsThePointUnderTheMouse(t *testing.T) {
	const aspect, x, y = 1.6, 0.4, -0.7
	for _, ortho := range []bool{false, true} {
		c := NewCamera(testBox, aspect)
		c.Ortho = ortho
		inverse := c.Projection(aspect).Mul4(c.View()).Inv()
		for _, depth := range []float32{0.2, 0.97, 0.99} {
			under := mgl32.TransformCoordinate(mgl32.Vec3{x, y, depth}, inverse)
			for _, steps := range []float32{1, 6, -3} {
				zoomed := c
				zoomed.Zoom(steps, x, y, aspect)
				if ratio := zoomed.Distance / c.Distance; !(abs(ratio-float32(math.Pow(zoomStep, float64(steps)))) < 1e-5) {
					t.Errorf("%g steps change the distance by %g", steps, ratio)
				}
				// 1e-3 of half the view is less than a pixel: float32 of points up to 100 times the distance away.
				if p := zoomed.Projected(under, aspect); !(p.Sub(mgl32.Vec2{x, y}).Len() < 1e-3) {
					t.Errorf("ortho %t, depth %g: %g steps move the point from %g, %g to %v", ortho, depth, steps, x, y, p)
				}
			}
		}
	}
}

// Each axis view shows its side of a cube towards the eye, and what a person expects at the right and on top.
func TestAxisViews(t *testing.T) {
	x, y, z := mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 0, 1}
	neg := func(v mgl32.Vec3) mgl32.Vec3 { return v.Mul(-1) }
	for name, want := range map[string][3]mgl32.Vec3{ // right, up, towards the eye
		"front": {x, y, z}, "back": {neg(x), y, neg(z)}, "right": {neg(z), y, x}, "side": {neg(z), y, x}, "left": {z, y, neg(x)},
		"top": {x, neg(z), y}, "bottom": {x, z, neg(y)}, "0,0": {x, y, z}, "90, 0": {neg(z), y, x}, "-90,0": {z, y, neg(x)},
		"450,0": {neg(z), y, x}, "0,90": {x, neg(z), y},
	} {
		d, err := ParseDirection(name)
		if err != nil {
			t.Fatal(err)
		}
		c := NewCamera(testBox, 1)
		target := c.Target
		c.Look(d)
		right, up, back := c.axes()
		if !(right.Sub(want[0]).Len()+up.Sub(want[1]).Len()+back.Sub(want[2]).Len() < 1e-5) { // roundings of sines
			t.Errorf("%s: right %v, up %v, back %v, expected %v", name, right, up, back, want)
		}
		if c.Target != target {
			t.Errorf("%s moves the target", name)
		}
	}
	for _, bad := range []string{"", "aside", "1", "1,2,3", "NaN,0", "0,91", "0,x", "1e9,0"} {
		if d, err := ParseDirection(bad); err == nil {
			t.Errorf("%q is read as %v", bad, d)
		}
	}
}

func abs(a float32) float32 { return max(a, -a) }
