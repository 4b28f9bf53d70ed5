package render

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestFormKeepsTheLegendsColours: on a ball that has one number all over, light shows the form and keeps the number
// readable. Up to 50 degrees from the eye the legend's colour with the same shares of red, green and blue is within an
// eighth of the map, and what turns away is darker than the middle.
func TestFormKeepsTheLegendsColours(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := astrayBall(0, false)
	m.Skin, m.Rigid = m.Rigid[0], nil
	m.Skeleton.Joints = []skinning.Joint{{Parent: -1, FromRest: geom.NewAffine(geom.Identity3(), mgl64.Vec3{})}}
	for range m.Skin.Positions {
		m.Skin.Append([]skinning.Influence{{Weight: 1}}, 0)
	}
	setModel(t, r, m)
	here, there := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	pose := m.NewPose()
	const size, distance, fov = 128, 6, 0.5
	radius := 0.5 * size / math.Tan(fov/2) / math.Sqrt(distance*distance-1)
	for _, want := range []float64{0, 0.3, 0.6, 1} {
		pose.Local[0].Translation = mgl64.Vec3{want, 0, 0}
		there.SetPose(pose)
		img := pictureOf(t, r, &picture.Scene{Frame: here, Surface: picture.SurfaceHeat, Width: size, Height: size,
			Heat:   &picture.Heat{Frame: there, Reference: skinning.LBS, Full: 1},
			Camera: picture.Camera{Distance: distance, FOV: fov}})
		for y := range size {
			for x := range size {
				if math.Hypot(float64(x)-size/2, float64(y)-size/2) > 0.76*radius {
					continue
				}
				c := img.NRGBAAt(x, y)
				best, at := math.Inf(1), 0.0
				for i := range 101 {
					u := float64(i) / 100
					l := picture.Colormap(float32(u))
					if d := shares(c.R, c.G, c.B).Sub(shares(l[0], l[1], l[2])).Len(); float64(d) < best {
						best, at = float64(d), u
					}
				}
				if !(math.Abs(at-want) <= 0.125) {
					t.Fatalf("%g of the map reads as %g at %d, %d: %v", want, at, x, y, c)
				}
			}
		}
		middle, low := img.NRGBAAt(size/2, size/2), img.NRGBAAt(size/2, size/2+int(0.8*radius))
		if int(low.R)+int(low.B) > 9*(int(middle.R)+int(middle.B))/10 {
			t.Errorf("%g of the map: %v in the middle, %v where it turns down: no form", want, middle, low)
		}
	}
}

// shares returns the shares of red, green and blue of an sRGB colour's linear light.
func shares(r, g, b uint8) mgl32.Vec3 {
	var c mgl32.Vec3
	for i, v := range [...]uint8{r, g, b} {
		c[i] = float32(math.Pow(float64(v)/255, 2.2))
	}
	return c.Mul(1 / (c[0] + c[1] + c[2]))
}
