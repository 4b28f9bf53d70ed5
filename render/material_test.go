package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// newCard returns a unit square in the xy plane that faces +Z, with one material and one texture whose left half is
// `left` and right half `right`.
func newCard(material skinning.Material, left, right color.NRGBA) *skinning.Model {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for y := range 8 {
		for x := range 8 {
			c := left
			if x >= 4 {
				c = right
			}
			img.SetNRGBA(x, y, c)
		}
	}
	z := mgl32.Vec3{0, 0, 1}
	return &skinning.Model{
		Name: "card",
		Rigid: []skinning.Mesh{{
			Positions: []mgl32.Vec3{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
			Normals:   []mgl32.Vec3{z, z, z, z},
			Surface:   skinning.Surface{UVs: []mgl32.Vec2{{0, 1}, {1, 1}, {1, 0}, {0, 0}}},
			Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
			Parts:     []skinning.Part{{VertexCount: 4, TriangleCount: 2}},
		}},
		Skeleton: skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}},
			Order: []int{0}},
		Materials: []skinning.Material{material},
		Textures:  []skinning.Texture{{Image: img, WrapU: skinning.WrapClamp, WrapV: skinning.WrapClamp}},
	}
}

// cardColors draws the card from straight ahead, yaw 0 or pi, and returns the middle of its left and right halves as
// seen, and the corner of the picture, where only the backdrop is.
func cardColors(
	t *testing.T, r *Renderer, m *skinning.Model, yaw float32, clay bool,
) (left, right, corner color.NRGBA) {
	t.Helper()
	setModel(t, r, m)
	s := &picture.Scene{Frame: skinning.NewFrame(m, nil), Camera: picture.Camera{Yaw: yaw, Distance: 6, FOV: 0.5},
		Width: 64, Height: 64}
	if clay {
		s.Surface = picture.SurfaceClay
	}
	img := pictureOf(t, r, s)
	return img.NRGBAAt(22, 32), img.NRGBAAt(42, 32), img.NRGBAAt(2, 2)
}

func near(a, b color.NRGBA, steps int) bool {
	d := func(x, y uint8) bool { return int(x)-int(y) <= steps && int(y)-int(x) <= steps }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// An unlit texture comes out with the very bytes that went in: decoded once, encoded once. One step of 255 is for the
// dither.
func TestUnlitColorIsExact(t *testing.T) {
	r := newTestRenderer(t)
	red, blue := color.NRGBA{188, 64, 9, 255}, color.NRGBA{20, 100, 240, 255}
	m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Unlit: true}, red, blue)
	if left, right, _ := cardColors(t, r, m, 0, false); !near(left, red, 1) || !near(right, blue, 1) {
		t.Errorf("colours %v and %v, expected %v and %v", left, right, red, blue)
	}
	// The factor is linear: half of white is 188.
	m = newCard(skinning.Material{BaseColor: [4]float32{0.5, 0.5, 0.5, 1}, Unlit: true, Texture: -1}, red, blue)
	if left, _, _ := cardColors(t, r, m, 0, false); !near(left, color.NRGBA{188, 188, 188, 255}, 1) {
		t.Errorf("half of white is %v, expected 188", left)
	}
	// Clay is clay for unlit materials too: lit, and neither red nor blue.
	left, right, corner := cardColors(t, r, m, 0, true)
	if near(left, corner, 20) || !near(left, right, 12) || int(left.R)-int(left.B) > 40 {
		t.Errorf("clay shows %v and %v before %v", left, right, corner)
	}
}

// Alpha: opaque ignores it, mask drops what is below the cutoff, blend mixes in linear light.
func TestAlphaModes(t *testing.T) {
	r := newTestRenderer(t)
	white, half := color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 255, 255, 64}
	material := skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Unlit: true}
	if _, right, _ := cardColors(t, r, newCard(material, white, half), 0, false); !near(right, white, 1) {
		t.Errorf("opaque: alpha 64 shows %v", right)
	}
	material.AlphaCutoff = 0.5
	left, right, _ := cardColors(t, r, newCard(material, white, half), 0, false)
	if !near(left, white, 1) || right.R > 90 {
		t.Errorf("mask: alpha 255 shows %v, alpha 64 shows %v", left, right)
	}
	material.AlphaCutoff, material.Blend = 0, true
	left, right, _ = cardColors(t, r, newCard(material, white, half), 0, false)
	// A quarter of white over a backdrop of about 0.04 is 0.28 in linear light: 144. In encoded values it would be
	// under 110.
	if !near(left, white, 1) || right.R < 135 || right.R > 155 {
		t.Errorf("blend: alpha 255 shows %v, alpha 64 shows %v, expected about 144", left, right)
	}
}

// Back faces of single-sided materials are hidden; a mirrored node turns the sides round, and the front stays the
// front.
func TestSides(t *testing.T) {
	r := newTestRenderer(t)
	white := color.NRGBA{255, 255, 255, 255}
	material := skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Unlit: true}
	const back = 3.14159265
	shown := func(m *skinning.Model, yaw float32) bool {
		left, _, _ := cardColors(t, r, m, yaw, false)
		return near(left, white, 1)
	}
	single := newCard(material, white, white)
	if !shown(single, 0) || shown(single, back) {
		t.Errorf("single-sided: front %v, back %v, expected true and false", shown(single, 0), shown(single, back))
	}
	mirrored := newCard(material, white, white)
	mirrored.Skeleton.Nodes[0].Rest.Scale[0] = -1
	if !shown(mirrored, 0) || shown(mirrored, back) {
		t.Errorf("mirrored: front %v, back %v, expected true and false", shown(mirrored, 0), shown(mirrored, back))
	}
	material.DoubleSided = true
	double := newCard(material, white, white)
	if !shown(double, 0) || !shown(double, back) {
		t.Error("double-sided: a side is hidden")
	}
}

// A shadow falls where the key light is hidden: the floor under and behind a card is darker with it than beside it. A
// card that its material cuts out throws none. Picture colours are of 256 steps; the floor's own light differs by a
// tenth.
func TestShadowFallsOnTheFloor(t *testing.T) {
	r := newTestRenderer(t)
	card := skinning.Material{BaseColor: [4]float32{1, 1, 1, 0.2}, Texture: -1, DoubleSided: true}
	cut, holes := card, card
	cut.AlphaCutoff, holes.AlphaCutoff, holes.Texture = 0.5, 0.15, 0
	for _, c := range []struct {
		name     string
		material skinning.Material
		alpha    uint8   // of the texture
		vertex   float64 // of the vertices, a share
		casts    bool
	}{{"solid", card, 0, 1, true}, {"cut out", cut, 0, 1, false}, {"cut out by its texture", holes, 64, 1, false},
		{"left by its texture", holes, 255, 1, true}, {"cut out by its vertices", holes, 255, 0.5, false},
		{"left by its vertices", holes, 255, 0.9, true}} {
		m := newCard(c.material, color.NRGBA{255, 255, 255, c.alpha}, color.NRGBA{255, 255, 255, c.alpha})
		for range m.Rigid[0].Positions {
			m.Rigid[0].Colors = append(m.Rigid[0].Colors, skinning.Color{0xffff, 0xffff, 0xffff, uint16(0xffff * c.vertex)})
		}
		setModel(t, r, m)
		s := &picture.Scene{Frame: skinning.NewFrame(m, nil), Grid: true, Width: 96, Height: 96}
		s.Camera = picture.Camera{Target: mgl32.Vec3{0.3, -1, -0.4}, Distance: 9, FOV: 0.5, Pitch: 1.4}
		with := pictureOf(t, r, s)
		pixel := func(p mgl32.Vec3) float64 {
			at := clipPoint(&s.Camera, 1, p)
			return float64(with.NRGBAAt(int((at[0]+1)*48), int((1-at[1])*48)).G)
		}
		// The key light comes from −0.50, 0.92, 0.62: a point 0.6 above the floor throws its shadow 0.33 to the right
		// and 0.40 back.
		shaded, open := pixel(mgl32.Vec3{0.33, -1, -0.43}), pixel(mgl32.Vec3{-0.3, -1, 0.7})
		if c.casts && !(shaded < 0.75*open) || !c.casts && !(shaded > 0.9*open) {
			t.Errorf("%s: the floor is %g in the shadow and %g in the open", c.name, shaded, open)
		}
	}
}

// clipPoint returns where a camera puts a point, in clip space divided by w.
func clipPoint(c *picture.Camera, aspect float32, p mgl32.Vec3) mgl32.Vec3 {
	return mgl32.TransformCoordinate(p, c.Projection(aspect).Mul4(c.View()))
}

// TestEdgesHaveSamples: along a slanted edge of a white card, a picture has three levels between the card and the
// backdrop at least, on software renderers too. With one sample there is none.
func TestEdgesHaveSamples(t *testing.T) {
	m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1, Unlit: true}, color.NRGBA{},
		color.NRGBA{})
	for i, p := range m.Rigid[0].Positions {
		m.Rigid[0].Positions[i][1] += 0.13 * p[0]
	}
	r := newTestRenderer(t)
	setModel(t, r, m)
	img := pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(m, nil),
		Camera: picture.Camera{Distance: 6, FOV: 0.5}, Width: 64, Height: 64})
	levels := map[uint8]bool{}
	for x := 20; x < 44; x++ {
		for y := range 32 {
			if g := img.NRGBAAt(x, y).G; g > 80 && g < 250 {
				levels[g&^7] = true
			}
		}
	}
	if len(levels) < 3 {
		t.Errorf("%d levels along the edge", len(levels))
	}
}

// TestBackgrounds: every background is lighter than the one before, and the skin stands out from each: a model of mid
// grey differs in luminance by a factor of 1.5 at least from the wall that is about it.
func TestBackgrounds(t *testing.T) {
	m := newCard(skinning.Material{BaseColor: [4]float32{0.4, 0.4, 0.4, 1}, Texture: -1, Unlit: true}, color.NRGBA{},
		color.NRGBA{})
	r := newTestRenderer(t)
	setModel(t, r, m)
	last := -1.0
	for b := range picture.Backgrounds {
		img := pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(m, nil), Background: b,
			Camera: picture.Camera{Distance: 6, FOV: 0.5}, Width: 64, Height: 64})
		light := func(c color.NRGBA) float64 { return math.Pow(float64(c.G)/255, 2.2) }
		wall, card := light(img.NRGBAAt(32, 8)), light(img.NRGBAAt(32, 32))
		if !(wall > last) {
			t.Errorf("background %d: %g after %g", b, wall, last)
		}
		if ratio := (max(wall, card) + 0.05) / (min(wall, card) + 0.05); ratio < 1.5 {
			t.Errorf("background %d: contrast %g with a grey of 0.4", b, ratio)
		}
		last = wall
	}
}
