package picture

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/environment"
	"skinlab/render/skin"
)

// sceneBlock mirrors the uniform block Scene of scene.glsl in std140 layout. Every member's size is a multiple of 16
// bytes.
type sceneBlock struct {
	viewProjection, shadowMatrix                        mgl32.Mat4
	eye, key, fill, rim, cameraUp, floor, grid, contact mgl32.Vec4
	viewport, floorKey, floorRoom, keyColor             mgl32.Vec4
	irradiance                                          [9]mgl32.Vec4
}

// Sizes of the studio, as fractions of the model's diagonal.
const (
	floorRadius   = 2.6  // radius at which the floor has faded out
	contactRange  = 0.30 // height up to which a body darkens the floor under it
	contactMargin = 0.14 // margin of the contact map around the model
)

// fillScene computes the camera, the lights, and the places of the shadow and contact maps. lightMatrix maps the world
// to the clip space of the shadow map.
func (b *sceneBlock) fillScene(s *Scene, g *skin.Model, taps int) (lightMatrix mgl32.Mat4) {
	wide, high := s.whole()
	b.viewProjection = s.Camera.Projection(wide / high).Mul4(s.Camera.View())
	if s.Whole != (image.Point{}) {
		b.viewProjection = s.crop().Mul4(b.viewProjection)
	}
	right, up, back := s.Camera.axes()
	b.eye = s.Camera.eye().Vec4(g.Diagonal)

	posed := s.bounds(g)
	center := posed.Center()
	// The key light stands still in the room. Fill and rim lights follow the camera, so that shading shows the form
	// from behind too.
	key := mgl32.Vec3{-0.50, 0.92, 0.62}.Normalize()
	fill := right.Mul(0.85).Add(up.Mul(0.15)).Add(back.Mul(0.65)).Normalize()
	rim := right.Mul(0.35).Add(up.Mul(0.75)).Sub(back.Mul(0.75)).Normalize()
	var texel, depth, width float32
	lightMatrix, texel, depth, width = shadowCamera(posed, g, key)
	b.shadowMatrix = mgl32.Translate3D(0.5, 0.5, 0.5).Mul4(mgl32.Scale3D(0.5, 0.5, 0.5)).Mul4(lightMatrix)
	b.key = key.Vec4(texel)
	b.fill = fill.Vec4(float32(taps))
	b.rim = rim.Vec4(depth)

	above := mgl32.Clamp((b.eye[1]-g.Floor)/(0.02*g.Diagonal), 0, 1) // the floor fades out when the camera sinks below it
	b.cameraUp = up.Vec4(above)
	b.floor = mgl32.Vec4{center[0], g.Floor, center[2], floorRadius * max(g.Diagonal, 0.6*posed.Diagonal())}
	b.grid = mgl32.Vec4{gridCell(g.Diagonal), 0, width, fillStrength(key, back)}

	margin := contactMargin * g.Diagonal
	size := max(posed.Hi[0]-posed.Lo[0], posed.Hi[2]-posed.Lo[2]) + 2*margin
	b.contact = mgl32.Vec4{center[0] - size/2, center[2] - size/2, size, contactRange * g.Diagonal}
	b.viewport = mgl32.Vec4{float32(s.Width), float32(s.Height), float32(s.Part.X), float32(s.Part.Y)}
	b.floorKey, b.floorRoom = mgl32.Vec4{1, 1, 1}, mgl32.Vec4{1, 1, 1}
	if s.Surface == SurfaceMaterial {
		light := s.light()
		if s.Environment != nil {
			up, studio := mgl32.Vec3{0, 1, 0}, environment.Studio()
			b.floorKey, b.floorRoom = over(light.Key, studio.Key), over(light.Diffuse(up), studio.Diffuse(up))
		}
		b.keyColor = light.Key.Vec4(0)
		for k, c := range light.Irradiance {
			b.irradiance[k] = c.Vec4(0)
		}
	}
	return lightMatrix
}

// over divides a light by another.
func over(a, b mgl32.Vec3) mgl32.Vec4 { return mgl32.Vec4{a[0] / b[0], a[1] / b[1], a[2] / b[2]} }

// shift moves the picture by a part of a pixel, and turns the samples of its shadows.
func (b *sceneBlock) shift(pixels mgl32.Vec2, turn float32) {
	move := mgl32.Translate3D(2*pixels[0]/b.viewport[0], 2*pixels[1]/b.viewport[1], 0)
	b.viewProjection = move.Mul4(b.viewProjection)
	b.grid[1] = turn
}

// fillStrength returns the strength of the fill light. It is low if the key light comes from the camera's side. It
// rises if the camera sees the side away from the key light, where only the fill shows the form. It varies smoothly
// with the viewing direction.
func fillStrength(key, back mgl32.Vec3) float32 {
	const lit, dark = 0.34, 0.95
	facing := key[0]*back[0] + key[2]*back[2] // −0.65 to 0.65
	u := mgl32.Clamp((0.15-facing)/0.65, 0, 1)
	return lit + (dark-lit)*u*u*(3-2*u)
}

// gridCell returns the width of a minor grid cell: the power of ten that puts 4 to 40 cells along the diagonal.
func gridCell(diagonal float32) float32 {
	return float32(math.Pow(10, math.Floor(math.Log10(float64(diagonal)/4))))
}
