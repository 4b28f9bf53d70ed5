package picture

import (
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

// A framed box is wholly inside the view and touches, within the slack, one pair of its borders, from any direction.
func TestFrame(t *testing.T) {
	lo, hi := mgl32.Vec3{-0.6, 0, -0.2}, mgl32.Vec3{0.6, 1.9, 0.3}
	for _, scale := range []float32{0.1, 1, 300} {
		for _, aspect := range []float32{0.5, 1, 2.4} {
			for _, yaw := range []float32{0, 0.7, 2, -3} {
				for _, pitch := range []float32{-1.2, 0, 0.4, 1.5} {
					c := Camera{Yaw: yaw, Pitch: pitch, FOV: 0.6}
					b := skin.Box{Lo: lo.Mul(scale), Hi: hi.Mul(scale)}
					c.Frame(b.Lo, b.Hi, aspect)
					var most float32
					for i := range 8 {
						p := project(&c, aspect, b.Corner(i))
						most = max(most, abs(p[0]), abs(p[1]))
						if !(p[2] > -1 && p[2] < 1) {
							t.Errorf("scale %g: depth %g of corner %d is clipped", scale, p[2], i)
						}
					}
					least, upmost := c.Extent(b.Lo, b.Hi, aspect)
					if got := max(-least[0], -least[1], upmost[0], upmost[1]); !(abs(got-most) <= 1e-5) { // some roundings of float32
						t.Errorf("scale %g, aspect %g, yaw %g, pitch %g: the extent is %.6f of the view, the corners' %.6f", scale,
							aspect, yaw, pitch, got, most)
					}
					if !(most <= 1 && most >= 0.7) {
						t.Errorf("scale %g, aspect %g, yaw %g, pitch %g: the box reaches %.3f of the view, expected 0.7 to 1", scale,
							aspect, yaw, pitch, most)
					}
				}
			}
		}
	}
	var c Camera
	c.FOV = 0.6
	if c.Frame(mgl32.Vec3{1, 2, 3}, mgl32.Vec3{1, 2, 3}, 1); !(c.Distance > 0) {
		t.Errorf("a single point is framed from distance %g", c.Distance)
	}
}

// A drag by one pixel moves the target by one pixel: the point under the mouse stays under it.
func TestPanFollowsTheMouse(t *testing.T) {
	c := NewCamera(mgl32.Vec3{-1, 0, -1}, mgl32.Vec3{1, 2, 1}, 1.5)
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
	c := NewCamera(mgl32.Vec3{-1, 0, -1}, mgl32.Vec3{1, 2, 1}, 1)
	before := c.Distance
	c.Orbit(1e5, 1e5)
	if abs(c.Pitch) > maxPitch || abs(c.Yaw) > math.Pi+1e-5 {
		t.Errorf("pitch %g, yaw %g left their ranges", c.Pitch, c.Yaw)
	}
	if d := c.Eye().Sub(c.Target).Len(); !(abs(d-before) < 1e-5*before) {
		t.Errorf("orbiting changed the distance from %g to %g", before, d)
	}
	c.Zoom(5)
	c.Zoom(-5)
	if !(abs(c.Distance-before) < 1e-5*before) {
		t.Errorf("zooming in and out changed the distance from %g to %g", before, c.Distance)
	}
	c.Zoom(1e6)
	if !(c.Distance > 0) {
		t.Errorf("distance %g after zooming in for ever", c.Distance)
	}
	if e := c.View().Mul4x1(c.Eye().Vec4(1)).Vec3().Len(); !(e < 1e-5*before) {
		t.Errorf("the eye is %g from the origin of eye space", e)
	}
}
