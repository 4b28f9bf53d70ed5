package environment

import (
	"math"
	"sync"

	"github.com/go-gl/mathgl/mgl32"
)

// keyLight is the light of the studio that casts shadows: a warm one from the front left.
var keyLight = mgl32.Vec3{1.00, 0.955, 0.90}.Mul(1.2)

// panel is a lamp of the studio: a soft-edged rectangle, seen from the middle of the room.
type panel struct {
	at            mgl32.Vec3 // its middle
	width, height float32    // half of its extent, tangents of angles
	radiance      mgl32.Vec3
}

// panels are lamps all round, so that shapes show from every side: a large one each at the left, where the key light
// comes from, and at the right, two strips behind for rims, and one above.
var panels = []panel{
	{mgl32.Vec3{-0.55, 0.75, 0.62}, 0.42, 0.42, mgl32.Vec3{1.00, 0.96, 0.92}.Mul(1.5)},
	{mgl32.Vec3{0.95, 0.25, 0.55}, 0.45, 0.80, mgl32.Vec3{0.90, 0.95, 1.00}.Mul(0.75)},
	{mgl32.Vec3{-0.85, 0.30, -0.75}, 0.16, 1.00, mgl32.Vec3{0.95, 0.97, 1.00}.Mul(2.2)},
	{mgl32.Vec3{0.80, 0.35, -0.85}, 0.20, 1.00, mgl32.Vec3{1.00, 0.98, 0.95}.Mul(1.8)},
	{mgl32.Vec3{0.10, 1.00, -0.10}, 0.55, 0.40, mgl32.Vec3{1.00, 1.00, 1.00}.Mul(0.9)},
}

// studioRadiance is a room that is bright above and dark below, with a bounce from the floor, and its lamps.
func studioRadiance(d mgl32.Vec3) mgl32.Vec3 {
	sky, horizon, ground := mgl32.Vec3{0.21, 0.225, 0.25}, mgl32.Vec3{0.11, 0.116, 0.125}, mgl32.Vec3{0.055, 0.053, 0.050}
	up := d[1]
	out := horizon.Mul(1 - up).Add(sky.Mul(up))
	if up < 0 {
		out = horizon.Mul(1 + up).Add(ground.Mul(-up))
	}
	for i := range panels {
		p := &panels[i]
		front := p.at.Normalize()
		ahead := d.Dot(front)
		if ahead <= 0 {
			continue
		}
		right := mgl32.Vec3{0, 1, 0}.Cross(front).Normalize()
		x, y := d.Dot(right)/ahead, d.Dot(front.Cross(right))/ahead
		out = out.Add(p.radiance.Mul(inside(x, p.width) * inside(y, p.height)))
	}
	return out
}

// inside is 1 between −half and half, and falls to 0 softly.
func inside(x, half float32) float32 {
	const edge = 0.12
	u := mgl32.Clamp((half+edge/2-float32(math.Abs(float64(x))))/edge, 0, 1)
	return u * u * (3 - 2*u)
}

// Studio returns the light of a photographer's studio. It is computed once.
var Studio = sync.OnceValue(func() *Light { return New(64, studioRadiance, keyLight) })

// white is surroundings of radiance 1 without another light: surfaces show their own colours. Black is the key light
// alone.
var (
	white = sync.OnceValue(func() *Light { return Uniform(mgl32.Vec3{1, 1, 1}, mgl32.Vec3{}) })
	black = sync.OnceValue(func() *Light { return Uniform(mgl32.Vec3{}, keyLight) })
)

// Choice is a light by a name.
type Choice struct {
	Name, Does string
	Light      func() *Light
}

// Choices are the lights that need no file; the first is the default.
var Choices = []Choice{
	{"studio", "A photographer's studio: lamps all round, and one that casts shadows.", Studio},
	{"white", "The same light from everywhere: surfaces show their own colours.", white},
	{"black", "A lamp that casts shadows, alone.", black},
}
